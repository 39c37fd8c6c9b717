/* Bots: how to find one, and how to ask it for an action.
 *
 * A bot sees what its seat may see (a view), never the state. It thinks on game->guess of that view.
 * It is a pure function of view, configuration, seat and seed while its budget is counted in `effort`;
 * `keep_going` can only cut it short. Memory is the caller's arena. So bots run on any thread, in the
 * browser, and in the simulated universe, with the same answers. What a bot left in its arena may save it work the next
 * time (`holds`); it changes no answer.
 *
 *   const bw_bot *bot = bw_bot_find("flag_war", "hard");
 *   count = bot->choose(bot, game, view, config, seat, &thinking, actions, cap);
 *
 * In a turn game a bot returns one action as in game files (a "move" is the move made); in a game of rounds
 * its orders of one round, one action each. */
#ifndef BW_BOTS_H
#define BW_BOTS_H

#include "engine/game.h"

enum { BW_BOT_ACTIONS_MAX = 16 };

typedef struct bw_thinking {
    uint64_t seed;
    /* Work relative to the level's own measure; 100 is the level as designed. */
    uint32_t effort;
    /* Returns false to stop soon with the best answer so far; called at least every few ms. NULL: never stop early. */
    bool (*keep_going)(void *user);
    void *user;
    void *arena; /* aligned to 64 */
    size_t arena_bytes;
    /* What the arena holds: set by a bot that can use it again, and read by it the next time. The caller sets it to NULL
     * when the arena is new, and whenever anybody else may have written to it. May be NULL itself: nothing is kept. */
    const void **holds;
} bw_thinking;

typedef struct bw_bot {
    const char *game;   /* id, or NULL: plays any game */
    const char *level;  /* "easy", "normal", "hard", "perfect" */
    size_t arena_bytes; /* bytes that `choose` needs */
    bool keeps;         /* it uses again what it left in its arena (`holds`), so an arena of its own is worth it */
    /* Returns how many actions were written; 0 only if nothing is legal. */
    uint32_t (*choose)(const struct bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                       bw_thinking *thinking, void *actions, uint32_t cap);
} bw_bot;

/* The i-th level offered for a game, weakest first; NULL past the end. */
const bw_bot *bw_bot_at(const bw_game *game, int index);
const bw_bot *bw_bot_find(const bw_game *game, const char *level);

typedef struct bw_hint {
    uint32_t moves_left; /* length of the best solution found, including its first move */
    bool proven;         /* no solution is shorter */
    bool hopeless;       /* proven: no solution fits in the moves that are left */
} bw_hint;

/* Solves puzzles (game->puzzle): finds the fewest moves from the start of the puzzle in a view, whatever has been
 * played since. Like a bot, it is a pure function of the view while its budget is counted in `effort`. */
typedef struct bw_solver {
    const char *game;
    size_t arena_bytes; /* bytes that `solve` can use; it works with less */
    /* Sets moves and proven; false: nothing was found. */
    bool (*solve)(const void *view, bw_thinking *thinking, bw_solver_result *result);
    /* The first move of the best solution found from the position in a view, within the effort. An effort of 100
     * takes a few milliseconds on most puzzles, and at most a second or two on any. Returns NULL, or a sentence that
     * says why there is no hint. */
    const char *(*hint)(const void *view, bw_thinking *thinking, void *action, bw_hint *hint);
    size_t (*hint_arena)(const void *view); /* the least memory that `hint` needs; more memory proves more */
} bw_solver;

const bw_solver *bw_solver_find(const bw_game *game); /* NULL: there is none */

/* Orders as text, for games with an action flagged WORDS. */
typedef struct bw_words_answer {
    uint32_t count;    /* the number of actions in the text */
    bool understood;   /* the whole text was understood; else the actions are a proposal */
    char summary[480]; /* a summary of the actions, for the player */
    char error[240];   /* empty, or what was not understood and what to write instead */
} bw_words_answer;

/* The content of an action flagged WORDS. */
typedef struct bw_words_asked {
    const char *text;    /* UTF-8, at most 500 characters and 2,000 bytes; owned by the action */
    bool suggest;        /* the player wants to see the orders before they are given */
    uint8_t counts_from; /* the number of the first column and row in the text and the summary: 0 or 1 */
} bw_words_asked;

typedef struct bw_words {
    const char *game;
    bw_words_asked (*asked_by)(const void *action);
    /* Turns the text into DRAFT actions of the seat. `draft_you` is the seat's own queue as in game->you. Pure and
     * bounded. */
    void (*read)(const void *view, const void *config, int seat, const void *draft_you, const bw_words_asked *asked,
                 void *actions, uint32_t cap, bw_words_answer *answer);
    /* The prompt for a language model: the position and the form of the answer. */
    void (*prompt)(const void *view, const void *config, int seat, const bw_words_asked *asked, bw_out *out);
    /* Turns a language model's answer (untrusted text) into actions. The first JSON object in it counts, each
     * command by itself; `error` says what is left out. If count is 0, use `read` instead. Time, memory and input
     * are bounded. */
    void (*decode)(const void *view, const void *config, int seat, const void *draft_you, const bw_words_asked *asked,
                   const char *content, size_t length, void *actions, uint32_t cap, bw_words_answer *answer);
} bw_words;

const bw_words *bw_words_find(const bw_game *game);

#endif
