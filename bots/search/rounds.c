/* Games of rounds: all seats choose their orders at the same time. */
#include "bots/search/internal.h"

#include <string.h>

/* One seat's orders for one round. */
typedef struct orders {
    bw_search_arm arm;
    uint32_t count;
    unsigned char *actions;
} orders;

typedef struct pools {
    orders pool[BW_SEARCH_SEATS][BW_SEARCH_POOL];
} pools;

static void *draft_of(bw_search *s, int seat) { return s->drafts + (size_t)seat * s->game->draft_size; }

/* Random orders into a draft, and into `list` if not NULL; returns how many were accepted. */
static uint32_t give_random(bw_search *s, int seat, uint32_t wanted, unsigned char *list) {
    size_t size = s->game->actions->size;
    uint32_t count = 0;
    for (uint32_t i = 0; i < wanted; i++) {
        if (!bw_random_action(s->game, s->state, seat, &s->fast, s->action)) break;
        if (s->game->prepare(s->state, seat, draft_of(s, seat), s->action) < 0) continue;
        if (list) memcpy(list + count * size, s->action, size);
        count++;
    }
    return count;
}

static void clear_drafts(bw_search *s) { memset(s->drafts, 0, (size_t)s->game->role_count * s->game->draft_size); }

/* The first set stands still, the second and third give one order, and so on. */
static bool fill(bw_search *s, pools *p, int seat) {
    for (uint32_t i = 0; i < BW_SEARCH_POOL; i++) {
        orders *o = &p->pool[seat][i];
        o->actions = bw_search_take(s, BW_SEARCH_ORDERS * s->game->actions->size);
        if (!o->actions) return false;
        clear_drafts(s);
        o->count = give_random(s, seat, (i + 1) / 2 < BW_SEARCH_ORDERS ? (i + 1) / 2 : BW_SEARCH_ORDERS, o->actions);
    }
    return true;
}

static uint32_t strongest(bw_search *s, pools *p, int seat) {
    uint32_t best = 0;
    int64_t urge = 0;
    for (uint32_t i = 0; i < BW_SEARCH_POOL; i++) {
        bw_search_arm *arm = &p->pool[seat][i].arm;
        arm->offered++;
        int64_t other = bw_search_urge(s, arm);
        if (i == 0 || other > urge) best = i, urge = other;
    }
    return best;
}

static void round_of(bw_search *s) {
    memset(s->action, 0, s->game->actions->size);
    s->game->collect(s->state, s->drafts, s->action);
    s->game->apply(s->state, BW_CLOCK, s->action, NULL);
    clear_drafts(s);
}

static void iterate(bw_search *s, pools *p) {
    const bw_game *game = s->game;
    size_t size = game->actions->size;
    uint32_t turn = game->turn(s->state), chosen[BW_SEARCH_SEATS] = {0};
    clear_drafts(s);
    for (int seat = 0; seat < game->role_count; seat++) {
        if (!(turn >> seat & 1)) continue;
        chosen[seat] = strongest(s, p, seat);
        const orders *o = &p->pool[seat][chosen[seat]];
        for (uint32_t i = 0; i < o->count; i++) game->prepare(s->state, seat, draft_of(s, seat), o->actions + i * size);
    }
    round_of(s);
    uint32_t now;
    for (int n = 0; n < BW_SEARCH_ROUNDS && (now = game->turn(s->state)) != 0; n++) {
        for (int seat = 0; seat < game->role_count; seat++) {
            if (now >> seat & 1) give_random(s, seat, bw_fast_below(&s->fast, 4), NULL);
        }
        round_of(s);
    }
    for (int seat = 0; seat < game->role_count; seat++) {
        if (turn >> seat & 1) bw_search_add(s, &p->pool[seat][chosen[seat]].arm, game->score(s->state, seat));
    }
}

/* Drawn in proportion to the tries, among those tried more than once in twenty times: the mix is the answer. */
static uint32_t drawn(bw_search *s, const bw_search_arm *const *arms) {
    uint32_t sum = 0, chosen = 0;
    for (uint32_t i = 0; i < BW_SEARCH_POOL; i++) {
        uint32_t weight = arms[i]->tried;
        if (weight < s->done / 20) continue;
        sum += weight;
        if (weight && bw_fast_below(&s->fast, sum) < weight) chosen = i;
    }
    return sum ? chosen : bw_search_decide(s, arms, BW_SEARCH_POOL);
}

uint32_t bw_search_rounds(bw_search *s, void *actions, uint32_t cap) {
    const bw_game *game = s->game;
    pools *p = bw_search_take(s, sizeof *p);
    if (!p || game->role_count > BW_SEARCH_SEATS) return 0;
    memset(p, 0, sizeof *p);
    if (game->guess(s->state, s->view, s->config, s->seat, bw_fast_next(&s->fast)) < 0) return 0;
    for (int seat = 0; seat < game->role_count; seat++) {
        if (game->turn(s->state) >> seat & 1 && !fill(s, p, seat)) return 0;
    }
    while (bw_search_again(s)) iterate(s, p);
    const bw_search_arm *arms[BW_SEARCH_POOL];
    for (int i = 0; i < BW_SEARCH_POOL; i++) arms[i] = &p->pool[s->seat][i].arm;
    bool blunders = bw_fast_below(&s->fast, 100) < s->level->blunders;
    const orders *o = &p->pool[s->seat][blunders ? bw_search_decide(s, arms, BW_SEARCH_POOL) : drawn(s, arms)];
    uint32_t count = o->count < cap ? o->count : cap;
    if (count) memcpy(actions, o->actions, count * game->actions->size);
    return count;
}
