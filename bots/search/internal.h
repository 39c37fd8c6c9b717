/* Shared by the two searches: a copy of the game to play on, and the choice among what was tried. */
#ifndef BW_SEARCH_INTERNAL_H
#define BW_SEARCH_INTERNAL_H

#include "bots/search/search.h"

enum {
    BW_SEARCH_LISTED = 96, /* the most actions listed for a position; with more, actions are drawn */
    BW_SEARCH_PLIES = 24,  /* actions of a playout */
    BW_SEARCH_ROUNDS = 6,  /* rounds of a playout */
    BW_SEARCH_POOL = 24,   /* orders a seat chooses from, in games of rounds */
    BW_SEARCH_ORDERS = 12, /* actions in one of them */
    BW_SEARCH_SEATS = BW_SEATS_MAX,
};

typedef struct bw_search_strength {
    bw_bot bot;
    uint32_t iterations;
    uint32_t blunders; /* of 100 decisions, those that take a worse action */
    int32_t bound;     /* the most it may be worse, in thousandths of the range of scores seen */
} bw_search_strength;

typedef struct bw_search {
    const bw_game *game;
    const bw_search_strength *level;
    bw_thinking *thinking;
    const void *view, *config;
    int seat;
    bw_fast fast;
    uint32_t iterations, done;
    int32_t low, high; /* the scores seen so far */
    bool failed;       /* the view is not a position */
    /* memory */
    void *state;
    unsigned char *drafts, *listed, *action;
    char *rest; /* memory left */
    size_t rest_bytes;
} bw_search;

/* An arm: an action tried at one place, and its results for the seat that chooses there. */
typedef struct bw_search_arm {
    int64_t sum;
    uint32_t tried, offered; /* how often it was available */
} bw_search_arm;

/* How much an arm should be tried next; larger first. Its mean, plus more the less it was tried (UCB1). */
int64_t bw_search_urge(const bw_search *search, const bw_search_arm *arm);
/* The mean of an arm's scores. */
int32_t bw_search_mean(const bw_search_arm *arm);
void bw_search_add(bw_search *search, bw_search_arm *arm, int32_t score);
/* Starts an iteration on a new guess in search->state; false: the budget is used up. */
bool bw_search_again(bw_search *search);
/* Which of `count` arms is finally played. */
uint32_t bw_search_decide(bw_search *search, const bw_search_arm *const *arms, uint32_t count);
/* The next block of the arena, aligned to 16; NULL: it is too small. */
void *bw_search_take(bw_search *search, size_t bytes);

uint32_t bw_search_turns(bw_search *search, void *actions);
uint32_t bw_search_rounds(bw_search *search, void *actions, uint32_t cap);

#endif
