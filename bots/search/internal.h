/* What the two searches share: a copy of the game to play in, and the choice among what was tried. */
#ifndef BW_SEARCH_INTERNAL_H
#define BW_SEARCH_INTERNAL_H

#include "bots/search/search.h"

enum {
    BW_SEARCH_LISTED = 96, /* actions that are looked at one by one; a position with more gets drawn ones */
    BW_SEARCH_PLIES = 24,  /* actions of a playout */
    BW_SEARCH_ROUNDS = 6,  /* rounds of a playout */
    BW_SEARCH_POOL = 24,   /* orders that a seat chooses from, in games of rounds */
    BW_SEARCH_ORDERS = 12, /* actions in one of them */
    BW_SEARCH_SEATS = BW_SEATS_MAX,
};

typedef struct bw_search_strength {
    bw_bot bot;
    uint32_t iterations;
    uint32_t blunders; /* of 100 decisions, those in which a worse action is taken */
    int32_t bound;     /* how much worse at most, in thousandths of the range of scores that were seen */
} bw_search_strength;

typedef struct bw_search {
    const bw_game *game;
    const bw_search_strength *level;
    bw_thinking *thinking;
    const void *view, *config;
    int seat;
    bw_fast fast;
    uint32_t iterations, done;
    int32_t low, high; /* the scores that were seen */
    bool failed;       /* the view is of no position */
    /* memory */
    void *state;
    unsigned char *drafts, *listed, *action;
    char *rest; /* what is left */
    size_t rest_bytes;
} bw_search;

/* What was tried at one place, and how it came out for the seat that chooses there. */
typedef struct bw_search_arm {
    int64_t sum;
    uint32_t tried, offered; /* how often it could have been chosen */
} bw_search_arm;

/* How much an arm is to be tried next; larger first. Its mean, and more the less it was tried (UCB1). */
int64_t bw_search_urge(const bw_search *search, const bw_search_arm *arm);
/* The mean of an arm's scores. */
int32_t bw_search_mean(const bw_search_arm *arm);
void bw_search_add(bw_search *search, bw_search_arm *arm, int32_t score);
/* Starts an iteration on a new guess in search->state; false: enough. */
bool bw_search_again(bw_search *search);
/* Which of `count` arms is played at last. */
uint32_t bw_search_decide(bw_search *search, const bw_search_arm *const *arms, uint32_t count);
/* The next block of the arena, aligned to 16; NULL: it is too small. */
void *bw_search_take(bw_search *search, size_t bytes);

uint32_t bw_search_turns(bw_search *search, void *actions);
uint32_t bw_search_rounds(bw_search *search, void *actions, uint32_t cap);

#endif
