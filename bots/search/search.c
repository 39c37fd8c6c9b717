#include "bots/search/internal.h"

#include <string.h>

enum { ARENA = 6 << 20 }; /* a pool of orders for eight seats, or a tree of some thousand large actions */

static uint64_t root_of(uint64_t n) { /* the largest r with r * r <= n */
    uint64_t r = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1) {
        if ((r + bit) * (r + bit) <= n) r += bit;
    }
    return r;
}

/* 64 times the binary logarithm, linear between powers of two. */
static uint64_t logarithm(uint64_t n) {
    uint64_t whole = 63 - (uint64_t)__builtin_clzll(n | 1);
    return 64 * whole + (whole >= 6 ? (n >> (whole - 6)) - 64 : (n << (6 - whole)) - 64);
}

int32_t bw_search_mean(const bw_search_arm *arm) { return arm->tried ? (int32_t)(arm->sum / (int64_t)arm->tried) : 0; }

int64_t bw_search_urge(const bw_search *s, const bw_search_arm *arm) {
    enum { UNTRIED = 1 << 30, WIDTH = 650 }; /* of 1000, the whole range */
    if (arm->tried == 0) return UNTRIED;
    int64_t range = s->high > s->low ? s->high - s->low : 1;
    int64_t mean = (arm->sum * 1000 / (int64_t)arm->tried - (int64_t)s->low * 1000) / range;
    uint64_t spread = root_of((logarithm(arm->offered + 1u) << 10) / arm->tried); /* 256 * sqrt(log2 N / n) */
    return mean + (int64_t)(WIDTH * spread / 256);
}

void bw_search_add(bw_search *s, bw_search_arm *arm, int32_t score) {
    if (s->done == 1 || score < s->low) s->low = score;
    if (s->done == 1 || score > s->high) s->high = score;
    arm->sum += score;
    arm->tried++;
}

bool bw_search_again(bw_search *s) {
    if (s->done >= s->iterations) return false;
    if (s->done % 8 == 7 && s->thinking->keep_going && !s->thinking->keep_going(s->thinking->user)) return false;
    s->done++;
    s->failed = s->game->guess(s->state, s->view, s->config, s->seat, bw_fast_next(&s->fast)) < 0;
    return !s->failed;
}

/* The most tried one; or, as a blunder, another that is not much worse. */
uint32_t bw_search_decide(bw_search *s, const bw_search_arm *const *arms, uint32_t count) {
    uint32_t best = 0, chosen = 0, others = 0;
    for (uint32_t i = 1; i < count; i++) {
        bool more = arms[i]->tried > arms[best]->tried;
        bool better = arms[i]->tried == arms[best]->tried && bw_search_mean(arms[i]) > bw_search_mean(arms[best]);
        if (more || better) best = i;
    }
    chosen = best;
    if (bw_fast_below(&s->fast, 100) >= s->level->blunders) return best;
    int32_t least = bw_search_mean(arms[best]) - (s->high - s->low) * s->level->bound / 1000;
    for (uint32_t i = 0; i < count; i++) {
        if (i == best || arms[i]->tried == 0 || bw_search_mean(arms[i]) < least) continue;
        if (bw_fast_below(&s->fast, ++others) == 0) chosen = i;
    }
    return chosen;
}

void *bw_search_take(bw_search *s, size_t bytes) {
    bytes = (bytes + 15) / 16 * 16;
    if (bytes > s->rest_bytes) return NULL;
    void *taken = s->rest;
    s->rest += bytes;
    s->rest_bytes -= bytes;
    return taken;
}

static uint32_t choose(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                       bw_thinking *thinking, void *actions, uint32_t cap) {
    const bw_search_strength *level = (const bw_search_strength *)bot;
    uint64_t iterations = (uint64_t)level->iterations * thinking->effort / 100;
    bw_search s = {.game = game,
                   .level = level,
                   .thinking = thinking,
                   .view = view,
                   .config = config,
                   .seat = seat,
                   .fast = {thinking->seed},
                   .iterations = iterations < 8         ? 8
                                 : iterations > 1000000 ? 1000000
                                                        : (uint32_t)iterations,
                   .rest = thinking->arena,
                   .rest_bytes = thinking->arena_bytes};
    size_t size = game->actions->size;
    s.state = bw_search_take(&s, game->state_size);
    s.drafts = bw_search_take(&s, (size_t)game->role_count * game->draft_size);
    s.listed = bw_search_take(&s, BW_SEARCH_LISTED * size);
    s.action = bw_search_take(&s, size);
    if (cap == 0 || !s.state || !s.drafts || !s.listed || !s.action) return 0;
    return game->flags & BW_GAME_ROUNDS ? bw_search_rounds(&s, actions, cap) : bw_search_turns(&s, actions);
}

#define LEVEL(name) .bot = {.game = NULL, .level = name, .arena_bytes = ARENA, .choose = choose}
static const bw_search_strength easy = {LEVEL("easy"), .iterations = 80, .blunders = 50, .bound = 300};
static const bw_search_strength normal = {LEVEL("normal"), .iterations = 300, .blunders = 12, .bound = 150};
static const bw_search_strength hard = {LEVEL("hard"), .iterations = 1000};

const bw_bot *const bw_search_levels[BW_SEARCH_LEVELS] = {&easy.bot, &normal.bot, &hard.bot};
