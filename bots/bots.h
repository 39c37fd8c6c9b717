/* Bots: how to find one, and how to ask it for an action.
 *
 * A bot sees what its seat may see (a view), never the state. It thinks on game->guess of that view.
 * It is a pure function of view, configuration, seat and seed while its budget is counted in `effort`;
 * `keep_going` can only cut it short. Memory is the caller's arena. So bots run on any thread, in the
 * browser, and in the simulated universe, with the same answers.
 *
 *   const bw_bot *bot = bw_bot_find("flag_war", "hard");
 *   count = bot->choose(bot, game, view, config, seat, &thinking, actions, cap);
 *
 * A turn game's bot answers one action as it stands in game files (a "move" is the move made); a game
 * of rounds is answered with the orders of one round, one action each. */
#ifndef BW_BOTS_H
#define BW_BOTS_H

#include "engine/game.h"

enum { BW_BOT_ACTIONS_MAX = 16 };

typedef struct bw_thinking {
    uint64_t seed;
    /* Work allowed relative to the level's own measure: 100 is the level as designed. */
    uint32_t effort;
    /* false: stop soon, answer the best so far. NULL: never asked. Called at least every few ms. */
    bool (*keep_going)(void *user);
    void *user;
    void *arena; /* aligned to 64 */
    size_t arena_bytes;
} bw_thinking;

typedef struct bw_bot {
    const char *game;   /* id, or NULL: plays any game */
    const char *level;  /* "easy", "normal", "hard", "perfect" */
    size_t arena_bytes; /* what `choose` needs */
    /* Returns how many actions were written: 0 only where nothing is legal. */
    uint32_t (*choose)(const struct bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                       bw_thinking *thinking, void *actions, uint32_t cap);
} bw_bot;

/* The i-th level offered for a game, weakest first; NULL past the end. */
const bw_bot *bw_bot_at(const bw_game *game, int index);
const bw_bot *bw_bot_find(const bw_game *game, const char *level);

typedef struct bw_hint {
    uint32_t moves_left; /* of the best line found, its first move included */
    bool proven;         /* no line is shorter */
    bool hopeless;       /* proven: no line fits into the moves that are left */
} bw_hint;

/* Solves puzzles (game->puzzle): the fewest moves from the start of the one that a view shows, whatever has been
 * played since. A pure function of the view while its budget is counted in `effort`, as a bot is. */
typedef struct bw_solver {
    const char *game;
    size_t arena_bytes; /* what `solve` wants; it makes do with less */
    /* Fills moves and proven; false: nothing was found. */
    bool (*solve)(const void *view, bw_thinking *thinking, bw_known *known);
    /* The first move of the best line from the position that a view shows, within the effort. An effort of 100 takes a
     * few milliseconds on most puzzles, and at most a second or two on any. NULL, or a sentence on why there is none. */
    const char *(*hint)(const void *view, bw_thinking *thinking, void *action, bw_hint *hint);
    size_t (*hint_arena)(const void *view); /* the least that `hint` needs; with more it proves more */
} bw_solver;

const bw_solver *bw_solver_find(const bw_game *game); /* NULL: there is none */

/* Orders in words, for games that have an action flagged WORDS. */
typedef struct bw_words_answer {
    uint32_t count;    /* actions that come of it */
    bool understood;   /* all of it, even where nothing comes of it just now; else the actions are only a proposal */
    char summary[480]; /* built from the actions, for the player */
    char error[240];   /* empty, or what was not understood and what would be */
} bw_words_answer;

/* What an action flagged WORDS asks. */
typedef struct bw_words_asked {
    const char *text;    /* UTF-8, at most 500 characters and 2,000 bytes; the action's own */
    bool suggest;        /* its player wants to see the orders before they are given */
    uint8_t counts_from; /* what columns and rows count from in the text and in the summary: 0, or 1 */
} bw_words_asked;

typedef struct bw_words {
    const char *game;
    bw_words_asked (*asked_by)(const void *action);
    /* Turns the text into DRAFT actions of the seat. `draft_you` is the seat's own queue as in game->you. Pure and
     * bounded. */
    void (*read)(const void *view, const void *config, int seat, const void *draft_you, const bw_words_asked *asked,
                 void *actions, uint32_t cap, bw_words_answer *answer);
    /* What to tell a language model: the position and the answer's form. */
    void (*prompt)(const void *view, const void *config, int seat, const bw_words_asked *asked, bw_out *out);
    /* A language model's answer (untrusted text) into actions: the first JSON object in it counts, each command by
     * itself; `error` names what is left out. Where count is 0, `read` is to be asked instead. Bounded in time,
     * memory and what it accepts. */
    void (*decode)(const void *view, const void *config, int seat, const void *draft_you, const bw_words_asked *asked,
                   const char *content, size_t length, void *actions, uint32_t cap, bw_words_answer *answer);
} bw_words;

const bw_words *bw_words_find(const bw_game *game);

#endif
