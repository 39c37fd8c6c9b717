/* Lessons: a game learned by playing it, step by step, on the real rules. A lesson is a text file that people write by
 * hand (games/ID/lessons/NAME.lesson); the browser, the terminal and the tests play it through this module.
 *
 * A line is a keyword and its value; empty lines and lines that start with # are ignored. Actions are JSON, as they
 * stand in game files. First come the lines of the whole lesson:
 *
 *   game ID                 the game
 *   title TEXT              what the lesson is called
 *   end TEXT                what is said when all steps are done, before the first real game
 *
 * Then the steps, each from its `step` line to the next one. A step with a `config` line starts in a
 * position of its own; other steps continue where the previous step ended.
 *
 *   step TEXT               its heading, a few words
 *   config {...}            the settings of a new position; `{}` for the defaults
 *   seed HEX                64 hexadecimal digits; default: zeros
 *   seats ROLE...           who plays; default: everybody
 *   play ROLE ACTION        a move before the step begins; `play round` is the clock
 *   you ROLE                the learner's role, from this step on
 *   say TEXT                what the learner reads; several lines are several paragraphs
 *   want ACTION             what the learner should do; several lines: one after the other (in a game of rounds: in any
 *                           order; the round is played when all are given)
 *   or ACTION               another way to fulfil the last `want` line
 *   wrong ACTION | TEXT     the answer to this action, which is not played
 *   else TEXT               the answer to any other action that the rules allow
 *   reply ROLE ACTION       what other players do next (in a game of rounds: their orders for the same round)
 *   until {...}             the step goes on until the state matches, whatever the learner plays; `want` lines are
 *                           one way to get there
 *   again TEXT              said when an `until` step can no longer be done; the step restarts
 *   so {...}                the state after the step; checked by the tests
 *   then TEXT               what the learner reads after the step
 *
 * In `want`, `or` and `wrong` an action may leave out members: {"type":"move"} matches any move. The same goes for
 * `until` and `so`: {"day":2} matches any state on day 2. The order of lists does not matter. Besides the game's own
 * members the state has `over`, and `winner` as on the wire. A step without `want` and `until` is only read.
 *
 * The caller provides bw_lesson_bytes() of memory, aligned to 8. The text must outlive the lesson. */
#ifndef BW_LESSON_H
#define BW_LESSON_H

#include "engine/json.h"
#include "engine/match.h"

enum {
    BW_LESSON_BYTES_MAX = 32 * 1024, /* bytes of the text */
    BW_LESSON_LINES_MAX = 600,
    BW_LESSON_STEPS_MAX = 12,
    BW_LESSON_WANTS_MAX = 16, /* in one step */
    BW_LESSON_SAID_MAX = 1024 /* bytes of one answer, including the NUL */
};

typedef enum bw_lesson_word {
    BW_LESSON_GAME,
    BW_LESSON_TITLE,
    BW_LESSON_END,
    BW_LESSON_STEP,
    BW_LESSON_CONFIG,
    BW_LESSON_SEED,
    BW_LESSON_SEATS,
    BW_LESSON_PLAY,
    BW_LESSON_YOU,
    BW_LESSON_SAY,
    BW_LESSON_WANT,
    BW_LESSON_OR,
    BW_LESSON_WRONG,
    BW_LESSON_ELSE,
    BW_LESSON_REPLY,
    BW_LESSON_UNTIL,
    BW_LESSON_AGAIN,
    BW_LESSON_SO,
    BW_LESSON_THEN,
    BW_LESSON_WORDS
} bw_lesson_word;

typedef struct bw_lesson_line {
    bw_raw value;
    uint16_t number; /* line number in the file, from 1 */
    uint8_t word;
} bw_lesson_line;

typedef struct bw_lesson {
    const bw_game *game;
    uint16_t line_count, step_count;
    uint16_t first[BW_LESSON_STEPS_MAX + 1]; /* the first line of each step; a step ends where the next one starts */
    bw_lesson_line lines[BW_LESSON_LINES_MAX];
    /* where the learner is */
    bw_match match;
    int step;      /* -1: not started */
    int seat;      /* the learner's seat */
    uint32_t done; /* a bit for each `want` line of the step that has been done */
    bool finished; /* the step is done */
    struct bw_lesson_scratch *scratch;
} bw_lesson;

typedef enum bw_lesson_outcome {
    BW_LESSON_NO,      /* unwanted or illegal: nothing has happened */
    BW_LESSON_STAGED,  /* staged: the learner has to confirm it */
    BW_LESSON_PLAYED,  /* played, and the step goes on */
    BW_LESSON_DONE,    /* the step is done */
    BW_LESSON_RESTART, /* the step can no longer be done: start it again */
} bw_lesson_outcome;

typedef struct bw_lesson_answer {
    bw_lesson_outcome outcome;
    int line; /* the index of the line that answered; -1: the rules answered, or nothing */
    char said[BW_LESSON_SAID_MAX];
} bw_lesson_answer;

/* The game named in a lesson's `game` line; NULL with an error text. `find`: bw_game_find. */
const bw_game *bw_lesson_game(const char *text, size_t length, const bw_game *(*find)(const char *id),
                              bw_error_text *why);
size_t bw_lesson_bytes(const bw_game *game);
/* Reads the whole text and checks the form of every line. On failure returns false and an error text with the line
 * number. */
bool bw_lesson_read(bw_lesson *lesson, const bw_game *game, const char *text, size_t length, void *memory,
                    bw_error_text *why);
/* Goes to a step's position, where the learner acts. A step without its own position is reached by playing the steps
 * before it, unless the previous one has just been done. On failure returns false and an error text with the line
 * number. */
bool bw_lesson_start(bw_lesson *lesson, int step, bw_error_text *why);
/* The learner takes an action, as on the wire. `events` may be NULL. */
void bw_lesson_try(bw_lesson *lesson, const void *action, bw_events *events, bw_lesson_answer *answer);
/* Plays the next `want` line; if it leaves members out, the first legal action that matches. False: no `want` line
 * is left, or it cannot be played. */
bool bw_lesson_show(bw_lesson *lesson, bw_events *events, bw_lesson_answer *answer);
/* The i-th line with that keyword in a step (-1: before the first step); NULL if there is none. */
const bw_lesson_line *bw_lesson_line_of(const bw_lesson *lesson, int step, bw_lesson_word word, int i);
/* The action of a `want`, `or` or `wrong` line. False if the action is incomplete or invalid. */
bool bw_lesson_action(bw_lesson *lesson, const bw_lesson_line *line, void *action);
/* Does an action match the line? `part`: a list may be a part of the line's list. */
bool bw_lesson_is(bw_lesson *lesson, const bw_lesson_line *line, const void *action, bool part);
/* Does the state match the `until` or `so` line? */
bool bw_lesson_holds(bw_lesson *lesson, const bw_lesson_line *line);

#endif
