/* Looking back at a game: what each position was worth, where it turned, and what would have been better.
 *
 * Where a solver of the game's own can tell (bw_insight), a position is worth the moves that are left when all play
 * best, and that is exact where the solver proves it. In every other game it is worth a chance: from each position bots
 * play on a number of times. What nobody could know there (a deck, dice to come) is drawn anew each time, and what a move
 * cost is told by the games with it and those without it under the same draws, so that luck is nobody's fault. The moves
 * that cost most are looked at again with more games, beside what the strongest bot would have played.
 *
 *   bw_review review;
 *   bw_review_begin(&review, &game, &settings, memory);      bw_review_bytes(&game, &settings) of it, aligned to 64
 *   while (bw_review_next(&review, &found)) ...              a move; some come twice, and the later time counts
 *
 * Whole numbers alone, and all luck from the moves' own numbers: the same file and settings have the same review on
 * every machine. */
#ifndef BW_REVIEW_H
#define BW_REVIEW_H

#include "bots/bots.h"
#include "engine/json.h"
#include "engine/match.h"

enum { BW_REVIEW_WHOLE = 1000 }; /* a chance of 1 */

/* What a position is worth to a seat. */
typedef struct bw_worth {
    int32_t value; /* moves left, or the chance to win in thousandths */
    bool exact;    /* proven, or over */
    bool open;     /* moves: the solver sees no end; `value` is one more than it sees */
} bw_worth;

/* What a solver of the game's own knows of any position. */
typedef struct bw_insight {
    const char *game;
    size_t arena_bytes;
    uint32_t few;      /* the seats that want few moves to be left */
    uint32_t counting; /* the seats whose actions are the moves that are counted */
    bool apart;        /* each seat has a board of its own */
    /* Prepares the arena (aligned to 64) for a game's settings. NULL: nothing to prepare. */
    void (*begin)(void *arena, const void *config);
    /* NULL: positions are measured by playing on. Else what is known for a seat; true where `best`, an action of the seat,
     * was filled in. */
    bool (*look)(void *arena, const bw_game *game, const void *state, int seat, bw_worth *worth, void *best);
    /* Rounds: puts these orders of a seat into an action of the clock, in place of its own. */
    void (*instead)(const void *state, int seat, const void *orders, uint32_t count, void *round);
} bw_insight;

/* NULL: the game has none. */
const bw_insight *bw_insight_find(const bw_game *game);

/* What was played, the start first. */
typedef struct bw_review_step {
    const void *block;  /* the match after it */
    int seat;           /* BW_CLOCK: a round */
    const void *action; /* NULL: the start, or a resignation */
} bw_review_step;

typedef struct bw_review_game {
    const bw_game *game;
    uint32_t seats; /* bit set of those that play */
    uint32_t steps; /* with the start */
    /* What it points to lasts until the next call. */
    bw_review_step (*at)(void *user, uint32_t index);
    void *user;
} bw_review_game;

typedef struct bw_review_settings {
    const bw_bot *player; /* who plays on */
    uint32_t games;       /* how often; four times that where it is looked at again */
    /* false: stop. What is under way is dropped. May be NULL. */
    bool (*keep_going)(void *user);
    void *user;
} bw_review_settings;

/* What is known of a move. */
typedef struct bw_reviewed {
    uint32_t step;
    int seat;    /* who made it; of a round: who lost most by it */
    bool counts; /* false: the start, or no move of the puzzle (undo) */
    bool again;  /* it was looked at twice */
    bw_worth before[BW_SEATS_MAX], after[BW_SEATS_MAX];
    bw_worth now[BW_SEATS_MAX]; /* what the position after it is worth, whatever luck it brought */
    int32_t cost;               /* to the seat: moves too many or too few, or thousandths of its chance; 0 or more */
    const void *better;         /* actions of the seat that leave it better off; until the next call */
    uint32_t better_count;
    bw_worth with_better; /* what they leave it */
} bw_reviewed;

typedef struct bw_review {
    bw_review_game of;
    bw_review_settings how;
    const bw_insight *insight;
    const bw_bot *strongest;
    bool measured; /* by moves */
    uint32_t next, again;
    bw_match match;
    void *before, *view, *round, *other, *dealt, *arena;
    unsigned char *actions, *kept, *best;
    bool has_best[BW_SEATS_MAX];
    int32_t *costs;                   /* by step */
    bw_worth (*worths)[BW_SEATS_MAX]; /* likewise */
    bw_worth now[BW_SEATS_MAX];
} bw_review;

/* Is the game measured by moves left? Else by chances. */
bool bw_review_counts_moves(const bw_review_game *game);
/* The strongest level that is offered. */
const bw_bot *bw_review_strongest(const bw_game *game);
size_t bw_review_bytes(const bw_review_game *game, const bw_review_settings *settings);
void bw_review_begin(bw_review *review, const bw_review_game *game, const bw_review_settings *settings, void *memory);
/* A slice of the work: one move. False: nothing is left, or keep_going said so. */
bool bw_review_next(bw_review *review, bw_reviewed *found);
/* What is known of a move as members of a JSON object, by role, before and after it:
 *   "role": whose it was, null: a round's   "of": to whom it cost that   "chances" (0 to 1) or "moves_left" (null: no end
 *   is seen): {"blue":[0.450,0.300]}   "now": {"blue":0.250}, with the luck that it brought   "exact": [false,true]
 *   "cost"   "again"   "action"   "better": a list, or null
 *   "with_better": the chance, or the moves left, after it */
void bw_review_json(bw_review *review, const bw_reviewed *found, bw_out *out);
/* How much there is to do, and how much of it is done, in slices. */
uint32_t bw_review_slices(const bw_review *review, uint32_t *done);

#endif
