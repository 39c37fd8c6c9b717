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
 * Then the steps, each from its `step` line to the next one. A step that has a `config` line starts in a position of
 * its own; another goes on where the step before it ended.
 *
 *   step TEXT               its heading, a few words
 *   config {...}            the settings of a new position, `{}` for the defaults
 *   seed HEX                64 hexadecimal digits; without it zeros
 *   seats ROLE...           who plays; without it everybody
 *   play ROLE ACTION        what has been played before; ROLE is `round` for the clock, without an action
 *   you ROLE                the learner's role, in this step and those after it
 *   say TEXT                what the learner reads; more lines make more paragraphs
 *   want ACTION             what the learner is to do; more lines: one after the other (in a game of rounds: in any
 *                           order, and the round is played when all are given)
 *   or ACTION               another way to do what the last `want` line says
 *   wrong ACTION | TEXT     the answer to such a try, which is not played
 *   else TEXT               the answer to any other try, unless the rules refuse it, which have sentences of their own
 *   reply ROLE ACTION       what others do after it (in a game of rounds: their orders for the same round)
 *   until {...}             the step goes on until the state is so, whatever the learner plays; `want` lines are then
 *                           one way to get there
 *   again TEXT              said when an `until` step cannot be won any more; it starts again
 *   so {...}                the state after the step is so; the tests hold the lesson to it
 *   then TEXT               what the learner reads after it
 *
 * In `want`, `or` and `wrong` an action may leave out members: {"type":"move"} is any move. In `until` and `so` likewise:
 * {"day":2} is any state on day 2. Lists are compared without regard to their order. The state has two members beside
 * the game's own: `over`, and `winner` as on the wire. A step without `want` and `until` is only read.
 *
 * All memory is the caller's, bw_lesson_bytes() of it, aligned to 8; the text must outlive the lesson. */
#ifndef BW_LESSON_H
#define BW_LESSON_H

#include "engine/json.h"
#include "engine/match.h"

enum {
    BW_LESSON_BYTES_MAX = 32 * 1024, /* of the text */
    BW_LESSON_LINES_MAX = 600,
    BW_LESSON_STEPS_MAX = 12,
    BW_LESSON_WANTS_MAX = 16, /* in one step */
    BW_LESSON_SAID_MAX = 1024 /* bytes of one answer, with its NUL */
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
    uint16_t number; /* in the file, from 1 */
    uint8_t word;
} bw_lesson_line;

typedef struct bw_lesson {
    const bw_game *game;
    uint16_t line_count, step_count;
    uint16_t first[BW_LESSON_STEPS_MAX + 1]; /* the line at which a step starts; its end is the next one's start */
    bw_lesson_line lines[BW_LESSON_LINES_MAX];
    /* where the learner is */
    bw_match match;
    int step;      /* -1: nowhere yet */
    int seat;      /* the learner's */
    uint32_t done; /* a bit for each `want` line of the step that is done */
    bool finished; /* the step is done */
    struct bw_lesson_scratch *scratch;
} bw_lesson;

typedef enum bw_lesson_outcome {
    BW_LESSON_NO,      /* not what is wanted, or against the rules: nothing has happened */
    BW_LESSON_STAGED,  /* prepared: the learner has to confirm it */
    BW_LESSON_PLAYED,  /* played, and the step goes on */
    BW_LESSON_DONE,    /* the step is done */
    BW_LESSON_RESTART, /* the step cannot be done any more: start it again */
} bw_lesson_outcome;

typedef struct bw_lesson_answer {
    bw_lesson_outcome outcome;
    int line; /* the index of the line that answered; -1: the rules did, or nothing */
    char said[BW_LESSON_SAID_MAX];
} bw_lesson_answer;

/* The game of a lesson's text, by its `game` line; NULL with a complaint. `find`: bw_game_find. */
const bw_game *bw_lesson_game(const char *text, size_t length, const bw_game *(*find)(const char *id),
                              bw_complaint *complaint);
size_t bw_lesson_bytes(const bw_game *game);
/* Reads the whole text and checks the form of every line. False: a complaint that names the line. */
bool bw_lesson_read(bw_lesson *lesson, const bw_game *game, const char *text, size_t length, void *memory,
                    bw_complaint *complaint);
/* The step's position, with the learner to act. A step that has none of its own is reached by playing those before it,
 * unless the one before it has just been done. False: a complaint that names the line. */
bool bw_lesson_start(bw_lesson *lesson, int step, bw_complaint *complaint);
/* The learner does something: an action as on the wire. `events` may be NULL. */
void bw_lesson_try(bw_lesson *lesson, const void *action, bw_events *events, bw_lesson_answer *answer);
/* Does what the next `want` line says; where it leaves members out, the first legal action that fits. False: there is
 * no `want` line left, or it cannot be done. */
bool bw_lesson_show(bw_lesson *lesson, bw_events *events, bw_lesson_answer *answer);
/* The i-th line of that word in a step (-1: before the first step); NULL where there is none. */
const bw_lesson_line *bw_lesson_line_of(const bw_lesson *lesson, int step, bw_lesson_word word, int i);
/* The action of a `want`, `or` or `wrong` line. False where it leaves members out or is none. */
bool bw_lesson_action(bw_lesson *lesson, const bw_lesson_line *line, void *action);
/* Is an action such as the line says? `part`: lists may be a part of the line's. */
bool bw_lesson_is(bw_lesson *lesson, const bw_lesson_line *line, const void *action, bool part);
/* Is the state such as the `until` or `so` line says? */
bool bw_lesson_holds(bw_lesson *lesson, const bw_lesson_line *line);

#endif
