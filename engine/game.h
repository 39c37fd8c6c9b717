/* The one interface between the rules of a game and everything else.
 *
 * A game is one `const bw_game` of pure functions over caller-owned memory, which is of two kinds:
 *
 *   state   what has happened. Plain data of a fixed size: no pointers, no padding that matters, no
 *           floats, no clock, no allocation. memcpy is a snapshot. Configuration, seed and actions
 *           replay to the same bytes on every machine. All luck comes from the seed, in the state.
 *   draft   what one seat has prepared and nobody else may know: a staged move, a queue of orders.
 *           It is not part of the state: no hash covers it, and only its owner sees it.
 *
 * So a state can be hashed, logged and shown without giving a draft away. What the *rules* hide (a deck) `view_of`
 * hides.
 *
 * How an action travels (match.h does this, once, for all games):
 *
 *   a plain action        apply(state)                            explore, select_color, ...
 *   flagged DRAFT         prepare(draft)                          move, flood; command, cancel
 *   flagged COMMIT        commit(draft -> action), apply(action)  end_turn of Flooded Island
 *   rounds                collect(drafts -> action), apply(action, BW_CLOCK), at the deadline
 *
 * In a game file and for bots a DRAFT action of a turn game stands for itself: "move" is the move made.
 *
 * Refusals are negative; the i-th sentence of `refusals` belongs to -(i+1). A refused call has changed no byte. `apply`
 * accepts exactly what `legal` lists, except OPEN actions, whose arguments cannot be enumerated; of equivalent actions
 * only one is listed. Legality never depends on what a seat can't see.
 *
 * Hot code (bots, solvers, playouts) includes a game's own header and calls its concrete functions. */
#ifndef BW_GAME_H
#define BW_GAME_H

#include "engine/out.h"
#include "engine/rng.h"
#include "engine/schema.h"

enum {
    BW_SEATS_MAX = 8,
    BW_WATCHER = -1, /* the seat of a spectator */
    BW_CLOCK = -2,   /* the clock, which plays rounds */
    BW_EVENTS_MAX = 192,
    BW_CONFIG_BYTES_MAX = 1024, /* bytes of settings, and of a message of `openings` */
    BW_GIVEN_BYTES_MAX = 4097,  /* bytes of a start that was written down (`set_position`), with its NUL */
};

typedef struct bw_role {
    const char *id;    /* on the wire: "journeyman" */
    const char *title; /* for people: "Adventurer" */
    const char *alias; /* also accepted on the wire, or NULL */
} bw_role;

/* Named settings, for people who choose how to play before they know the settings. */
typedef struct bw_variant {
    const char *id;       /* [a-z_]+ */
    const char *title;    /* "A month" */
    const char *summary;  /* one sentence */
    uint16_t minutes;     /* the usual length of a game */
    const char *settings; /* JSON with every setting in which the variants differ: a variant overrides any other */
} bw_variant;

/* Flags of a game. */
enum {
    BW_GAME_ROUNDS = 1 << 0,     /* simultaneous rounds on a clock; has collect and round_ms */
    BW_GAME_ANY_STARTS = 1 << 2, /* any seated player may start */
    BW_GAME_UNLISTED = 1 << 3,   /* compiled and tested, but not offered (_blank) */
    BW_GAME_OPEN_SEATS = 1 << 4, /* starts with the players present (at least seats_min); other seats stay empty */
    BW_GAME_KEEPS_TIME = 1 << 5, /* does not pause when a player is away */
    BW_GAME_SAME_VIEW = 1 << 6,  /* everybody sees the same: view_of does not look at the seat */
};

/* Flags of an action (bw_case.flags in `actions`). */
enum {
    BW_ACTION_DRAFT = 1 << 0,   /* edits the seat's draft (prepare) */
    BW_ACTION_COMMIT = 1 << 1,  /* plays the seat's draft (commit) */
    BW_ACTION_REOPENS = 1 << 2, /* may also be played after the end (undo, new game) */
    BW_ACTION_OPEN = 1 << 3,    /* not listed by `legal`: free arguments */
    BW_ACTION_CLOCK = 1 << 4,   /* only the clock plays it; never accepted from a connection */
    BW_ACTION_WORDS = 1 << 5,   /* text that the bots' layer turns into actions; never reaches the game */
};

/* Where a game's events go: an array of its event structs, bounded. NULL drops them. */
typedef struct bw_events {
    unsigned char *memory;
    uint32_t size; /* bytes of one */
    uint32_t count, cap;
} bw_events;

/* The next event, zeroed, to be filled; NULL if events are not wanted or the array is full. */
void *bw_event(bw_events *events, uint8_t type);

/* What a solver has found out about a puzzle. It is kept outside the state, like a draft: when it arrives depends on
 * how fast the machine is, so no hash, rule or game file may depend on it. It is only added to views. */
typedef struct bw_solver_result {
    uint64_t puzzle; /* the puzzle, as from game->puzzle; 0: nothing is known */
    uint16_t moves;  /* moves of the shortest solution found, from the start of the puzzle; 0: none found */
    bool proven;     /* proven: none is shorter */
} bw_solver_result;

typedef struct bw_game {
    const char *id;      /* [a-z_]+ */
    const char *title;   /* "Flooded Island" */
    const char *summary; /* one sentence for the home page */
    uint16_t rules_version;
    uint16_t flags;

    const bw_role *roles;
    uint8_t role_count;
    uint8_t seats_min; /* to start; without OPEN_SEATS, all role_count seats must be taken */

    uint32_t state_size, draft_size, max_events;
    const bw_schema *config;    /* ranges and meanings; wire names */
    const void *defaults;       /* the default settings */
    const bw_variant *variants; /* the default variant comes first */
    uint8_t variant_count;
    const bw_schema *view;    /* the game's own fields of `state` on the wire */
    const bw_schema *you;     /* what `you` holds of a draft ("staged", "queue"); NULL where draft_size is 0 */
    const bw_schema *stats;   /* for game_over */
    const bw_union *actions;  /* wire actions, and those of game files */
    const bw_union *openings; /* messages of the game that change settings and start it at once; NULL: none */
    const bw_union *events;
    const char *const *refusals; /* sentences; each says what would be right */
    uint16_t refusal_count;

    /* Merges the given settings into the current ones when settings depend on each other (a preset and its sizes).
     * All fields of `config` must be OPTIONAL: has_NAME tells which were given. NULL: settings are independent. */
    void (*configure)(void *config, const void *given);
    /* Checks what ranges cannot express (the pieces must fit in the row). 0 or a refusal. NULL: nothing to check. */
    int (*check)(const void *config);
    /* Changes the settings as a message of `openings` says. Returns NULL, or a sentence if its fields contradict
     * each other. May be NULL if there are no `openings`. */
    const char *(*open)(const void *message, void *config);
    /* Fills in a date left open: in settings, the day on which the game starts; in an action, the day on which it is
     * played. `today` is a UTC date such as 2026-11-27. One of `config` and `action` is NULL. NULL: the game has no
     * dates. */
    void (*set_date)(const char *today, void *config, void *action);
    /* The start position from checked settings. `seats`: the bit set of taken seats. */
    void (*init)(void *state, const void *config, uint32_t seats, const uint8_t seed[32]);
    /* The seats that may act; 0: the game is over. */
    uint32_t (*turn)(const void *state);
    int (*apply)(void *state, int seat, const void *action, bw_events *events);
    /* Drafts. NULL where draft_size is 0. A draft of all zero bytes is an empty one. */
    int (*prepare)(const void *state, int seat, void *draft, const void *action);
    int (*commit)(const void *state, int seat, const void *draft, void *action); /* turn games */
    /* Drops from a draft what a move has invalidated. Called for every seat after each apply. */
    void (*prune_draft)(const void *state, int seat, void *draft);
    /* Fills `you`, which was not zeroed: of lists only the items that are there, these to their last byte. */
    void (*show_draft)(const void *state, int seat, const void *draft, void *you);
    /* What a seat has prepared, as a line of text. NULL: the game does not describe it. */
    void (*draft_text)(const void *you, bw_out *out);
    /* Is this draft possible here? For drafts read from storage, which may hold anything. */
    bool (*draft_fits)(const void *state, int seat, const void *draft);
    /* Rounds: the action of the round that is due, from all drafts (an array of role_count x draft_size). */
    void (*collect)(const void *state, const void *drafts, void *action);
    uint32_t (*round_ms)(const void *state);
    /* Rounds: how long the clock waits at most, after the start, until everybody is ready; 0 or NULL: it starts at
     * once. */
    uint32_t (*ready_ms)(const void *config);
    /* Before the start: fills `view` with what the settings decide. Returns the names of the fields that are decided
     * later, by chance or by a solver (NULL-terminated); they are null until then, which their declarations say.
     * `seats`: as in init, those taken so far. NULL: nothing is decided later, and the position of `init` is shown. */
    const char *const *(*foresee)(const void *config, uint32_t seats, void *view);

    /* Up to `cap` legal actions of a seat; returns how many there are, which may be more than cap.
     * Rounds: the seat's orders for the next round (DRAFT actions). */
    uint32_t (*legal)(const void *state, int seat, void *actions, uint32_t cap);
    /* One random legal action without listing all; false if there is none. NULL: use `legal` and draw one. */
    bool (*sample)(const void *state, int seat, bw_fast *fast, void *action);

    /* What a seat (or BW_WATCHER) may know. `view` is zeroed by the callee first. */
    void (*view_of)(const void *state, int seat, void *view);
    /* A state consistent with a view (a determinization); hidden parts are drawn from `seed`. `seats` as in init.
     * view_of(guess(v)) == v. 0 or a refusal: the view is not a position. */
    int (*guess)(void *state, const void *view, const void *config, int seat, uint64_t seed);

    /* Replaces the start position by one that a person has written as text, before the first action. The format is
     * the game's own. 0 or a refusal, which leaves the state unchanged. NULL: the game has no such format. */
    int (*set_position)(void *state, const char *text);

    uint32_t (*current_turn)(const void *state); /* day, turn number, moves, last round played */
    uint32_t (*winners)(const void *state);      /* bit set, of a finished game; 0: nobody */
    void (*stats_of)(const void *state, void *stats);
    /* -1000 (lost) .. 1000 (won) for a seat; exact when over, else an estimate. */
    int32_t (*score)(const void *state, int seat);
    /* A seat gives up, or leaves the turn order (Monadungeon). 0 or a refusal. */
    int (*resign)(void *state, int seat, bw_events *events);
    /* The clock's action that makes all others give up, because they have been away too long, so that `seat` wins.
     * NULL: their resignations do that. */
    void (*claim)(int seat, void *action);
    /* The position as text, in lines of at most 80 columns, for the terminal, screen readers and goldens. */
    void (*text)(const void *view, bw_out *out);

    /* Puzzles that a solver can work on; NULL: not a puzzle. `puzzle` returns a nonzero id of the current puzzle:
     * the same puzzle always has the same id. `show_solver_result` adds the solver's result to a view or to stats (either
     * may be NULL), unless the players did better. */
    uint64_t (*puzzle)(const void *state);
    void (*show_solver_result)(const bw_solver_result *result, void *view, void *stats);
} bw_game;

/* The sentence of a refusal; never NULL. */
const char *bw_refusal(const bw_game *game, int refusal);

/* Uniform: uses `sample` if the game has it, else `legal` and a draw. false: nothing is legal. */
bool bw_random_action(const bw_game *game, const void *state, int seat, bw_fast *fast, void *action);

#endif
