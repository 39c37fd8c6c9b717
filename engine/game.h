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
    BW_CLOCK = -2,   /* who plays a round */
    BW_EVENTS_MAX = 192,
    BW_CONFIG_BYTES_MAX = 1024, /* of settings, and of a message of `openings` */
};

typedef struct bw_role {
    const char *id;    /* on the wire: "journeyman" */
    const char *title; /* for people: "Adventurer" */
    const char *alias; /* also accepted on the wire, or NULL */
} bw_role;

/* Settings with a name, for people who choose how to play before they know what there is to set. */
typedef struct bw_variant {
    const char *id;       /* [a-z_]+ */
    const char *title;    /* "A month" */
    const char *summary;  /* one sentence */
    uint16_t minutes;     /* that a game lasts, about */
    const char *settings; /* JSON. It names every setting in which the variants differ, so that one chosen after
                           * another leaves nothing of it. */
} bw_variant;

/* Flags of a game. */
enum {
    BW_GAME_ROUNDS = 1 << 0,     /* simultaneous rounds on a clock; has collect and round_ms */
    BW_GAME_ANY_STARTS = 1 << 2, /* any seated player may start */
    BW_GAME_UNLISTED = 1 << 3,   /* compiled and tested, offered to nobody (_blank) */
    BW_GAME_OPEN_SEATS = 1 << 4, /* starts with whoever sits (seats_min or more); others are left out */
    BW_GAME_KEEPS_TIME = 1 << 5, /* does not pause when a player is away */
    BW_GAME_SAME_VIEW = 1 << 6,  /* everybody sees the same: view_of does not look at the seat */
};

/* Flags of an action (bw_case.flags in `actions`). */
enum {
    BW_ACTION_DRAFT = 1 << 0,   /* edits the seat's draft (prepare) */
    BW_ACTION_COMMIT = 1 << 1,  /* plays the seat's draft (commit) */
    BW_ACTION_REOPENS = 1 << 2, /* may also be played after the end (undo, new game) */
    BW_ACTION_OPEN = 1 << 3,    /* not listed by `legal`: free arguments */
    BW_ACTION_CLOCK = 1 << 4,   /* played by the clock alone; never accepted from a connection */
    BW_ACTION_WORDS = 1 << 5,   /* text to be turned into actions by the bots' layer; never reaches the game */
};

/* Where a game's events go: an array of its event structs, bounded. NULL drops them. */
typedef struct bw_events {
    unsigned char *memory;
    uint32_t size; /* bytes of one */
    uint32_t count, cap;
} bw_events;

/* The next event, zeroed, to be filled; NULL where events are not wanted or the room is used up. */
void *bw_event(bw_events *events, uint8_t type);

/* What a solver has found out about a puzzle. It is known beside the state, as a draft is: when it comes depends on
 * how quick a machine is, so it moves no hash, no rule and no game file, and is laid over what is shown. */
typedef struct bw_known {
    uint64_t puzzle; /* which one, as game->puzzle names it; 0: nothing is known */
    uint16_t moves;  /* the shortest solution found, from the start of the puzzle; 0: none was */
    bool proven;     /* none is shorter */
} bw_known;

typedef struct bw_game {
    const char *id;      /* [a-z_]+ */
    const char *title;   /* "Flooded Island" */
    const char *summary; /* one sentence for the home page */
    uint16_t rules_version;
    uint16_t flags;

    const bw_role *roles;
    uint8_t role_count;
    uint8_t seats_min; /* to start; without OPEN_SEATS all role_count must be filled */

    uint32_t state_size, draft_size, max_events;
    const bw_schema *config;    /* ranges and meanings; wire names */
    const void *defaults;       /* a config */
    const bw_variant *variants; /* the one that is offered first stands first */
    uint8_t variant_count;
    const bw_schema *view;    /* the game's own fields of `state` on the wire */
    const bw_schema *you;     /* what `you` holds of a draft ("staged", "queue"); NULL where draft_size is 0 */
    const bw_schema *stats;   /* of game_over */
    const bw_union *actions;  /* wire actions, and those of game files */
    const bw_union *openings; /* messages of the game's own that change settings and start it at once; NULL: none */
    const bw_union *events;
    const char *const *refusals; /* sentences, each naming what would be right */
    uint16_t refusal_count;

    /* Lays settings that were given over those before, where some hang on others (a preset and the sizes
     * that it means). All fields of `config` are OPTIONAL then: has_NAME tells which were given.
     * NULL: each stands for itself. */
    void (*configure)(void *config, const void *given);
    /* Rules between settings that ranges alone can't say (pieces must fit the row). 0 or a refusal.
     * NULL: none. */
    int (*check)(const void *config);
    /* Changes the settings as a message of `openings` says. Returns NULL, or a sentence if its fields contradict each
     * other. NULL if there are none. */
    const char *(*open)(const void *message, void *config);
    /* Fills in a date that the settings leave to the day on which the game starts, or an action to the day on which it
     * is played. `today` is as 2026-11-27, in UTC. One of `config` and `action` is NULL. NULL: the game has no dates. */
    void (*set_date)(const char *today, void *config, void *action);
    /* A position from a checked config. `seats`: the bit set of those taken. */
    void (*init)(void *state, const void *config, uint32_t seats, const uint8_t seed[32]);
    /* The seats that may act; 0: the game is over. */
    uint32_t (*turn)(const void *state);
    int (*apply)(void *state, int seat, const void *action, bw_events *events);
    /* Drafts. NULL where draft_size is 0. A draft of all zero bytes is an empty one. */
    int (*prepare)(const void *state, int seat, void *draft, const void *action);
    int (*commit)(const void *state, int seat, const void *draft, void *action); /* turn games */
    /* Drops from a draft what the state has overtaken. Called for every seat after each apply. */
    void (*settle)(const void *state, int seat, void *draft);
    void (*show_draft)(const void *state, int seat, const void *draft, void *you);
    /* What a seat has prepared, in a line of plain words. NULL: nothing is said of it. */
    void (*draft_text)(const void *you, bw_out *out);
    /* May a seat have prepared this, here? For drafts read back from storage, which may hold anything. */
    bool (*draft_fits)(const void *state, int seat, const void *draft);
    /* Rounds: the action of the round that is due, from all drafts (an array of draft_size each). */
    void (*collect)(const void *state, const void *drafts, void *action);
    uint32_t (*round_ms)(const void *state);
    /* Rounds: how long the clock waits at most, after the start, until everybody is ready; 0: it starts at once.
     * NULL: always at once. */
    uint32_t (*ready_ms)(const void *config);
    /* Before the start: lays into `view` what the settings decide. Returns the names of the fields of `view` that are
     * decided later, by luck or by a solver (NULL ends them); they are null until then. `seats`: as in init, those
     * taken so far. NULL: nothing is decided later, and the position of `init` is shown. */
    const char *const *(*foresee)(const void *config, uint32_t seats, void *view);

    /* Up to `cap` legal actions of a seat; returns how many there are, which may be more than cap.
     * Rounds: the seat's orders for the next round (DRAFT actions). */
    uint32_t (*legal)(const void *state, int seat, void *actions, uint32_t cap);
    /* One random legal action without listing all; false where there is none. NULL: legal and a draw. */
    bool (*sample)(const void *state, int seat, bw_fast *fast, void *action);

    /* What a seat (or BW_WATCHER) may know. `view` is zeroed by the callee first. */
    void (*view_of)(const void *state, int seat, void *view);
    /* A state that agrees with a view; what it hides is drawn from `seed`. `seats` as in init.
     * view_of(guess(v)) == v. 0 or a refusal: the view is of no position. */
    int (*guess)(void *state, const void *view, const void *config, int seat, uint64_t seed);

    /* Lays a start that a person has written down in place of the one that settings and seed gave, before the first
     * action. What the text says is the game's own matter. 0 or a refusal, which leaves the state as it was. NULL: the
     * game knows no such starts. */
    int (*give)(void *state, const char *text);

    uint32_t (*current_turn)(const void *state); /* day, turn number, moves, last executed round */
    uint32_t (*winners)(const void *state);      /* bit set, of a finished game; 0: nobody */
    void (*stats_of)(const void *state, void *stats);
    /* -1000 (lost) .. 1000 (won) for a seat; exact when over, else an estimate. */
    int32_t (*score)(const void *state, int seat);
    /* A seat gives up, or leaves the turn order (Monadungeon). 0 or a refusal. */
    int (*resign)(void *state, int seat, bw_events *events);
    /* The action of the clock by which all others give up, who have been away too long, so that the game is over and
     * `seat` has won. NULL: their resigning does that. */
    void (*claim)(int seat, void *action);
    /* The position in plain words, lines of at most 80 columns: terminal, screen readers, goldens. */
    void (*text)(const void *view, bw_out *out);

    /* Puzzles that a solver may be asked about; NULL: the game is none. `puzzle` names the one that lies there: the
     * same puzzle has the same number, never 0. `show_known` lays what is known of it over a view, or over
     * stats (either may be NULL), unless the players did better. */
    uint64_t (*puzzle)(const void *state);
    void (*show_known)(const bw_known *known, void *view, void *stats);
} bw_game;

/* The sentence of a refusal; never NULL. */
const char *bw_refusal(const bw_game *game, int refusal);

/* Uniform: `sample` where the game has it, else `legal` and a draw. false: nothing is legal. */
bool bw_random_action(const bw_game *game, const void *state, int seat, bw_fast *fast, void *action);

#endif
