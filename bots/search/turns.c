/* Turn games: a tree of actions over guesses of what is hidden. */
#include "bots/search/internal.h"

#include <string.h>

enum { DEPTH = 64, NOWHERE = -1 };

typedef struct node {
    bw_search_arm arm; /* results for the seat whose action leads here */
    uint64_t key;      /* of the action that leads here */
    int32_t child, next;
    uint32_t children;
    uint32_t seen; /* the iteration in which the action was last legal */
    uint8_t seat;
} node;

typedef struct tree {
    bw_search *search;
    node *nodes;
    unsigned char *actions; /* by node */
    int32_t count, cap;
    int32_t path[DEPTH + 1];
    int length;
} tree;

static uint64_t key_of(const void *action, size_t size) {
    uint64_t key = 0x9e3779b97f4a7c15u, word;
    const unsigned char *at = action;
    for (; size >= 8; size -= 8, at += 8) {
        memcpy(&word, at, 8);
        key = (key ^ word) * 0xbf58476d1ce4e5b9u;
        key ^= key >> 29;
    }
    for (; size > 0; size--) key = (key ^ *at++) * 0x94d049bb133111ebu;
    return key ^ key >> 32;
}

/* Only actions that make progress: undoing the game or starting it anew does not. */
static bool counts(const bw_game *game, const void *action) {
    uint32_t flags = game->actions->cases[*(const uint8_t *)action].flags;
    return !(flags & (BW_ACTION_REOPENS | BW_ACTION_COMMIT | BW_ACTION_CLOCK | BW_ACTION_WORDS));
}

/* If several seats may act, they do so one after another. */
static int next_seat(const bw_game *game, const void *state, int last) {
    uint32_t turn = game->turn(state);
    if (turn == 0) return NOWHERE;
    int seat = last;
    do {
        seat = (seat + 1) % game->role_count;
    } while (!(turn >> seat & 1));
    return seat;
}

static bool draw(bw_search *s, int seat, void *action) {
    for (int tries = 0; tries < 8; tries++) {
        if (!bw_random_action(s->game, s->state, seat, &s->fast, action)) return false;
        if (counts(s->game, action)) return true;
    }
    return false;
}

static int32_t add_child(tree *t, int32_t parent, int seat, const void *action, uint64_t key) {
    size_t size = t->search->game->actions->size;
    if (t->count == t->cap) return NOWHERE;
    t->nodes[t->count] = (node){.key = key, .child = NOWHERE, .next = t->nodes[parent].child, .seat = (uint8_t)seat};
    memcpy(t->actions + (size_t)t->count * size, action, size);
    t->nodes[parent].child = t->count;
    t->nodes[parent].children++;
    return t->count++;
}

static int32_t child_of(const tree *t, int32_t parent, int seat, uint64_t key) {
    int32_t at = t->nodes[parent].child;
    while (at != NOWHERE && (t->nodes[at].key != key || t->nodes[at].seat != seat)) at = t->nodes[at].next;
    return at;
}

/* Of the children that are legal in this guess, the one with the largest urge. */
static int32_t strongest(tree *t, int32_t parent, int seat, bool all) {
    int32_t best = NOWHERE;
    int64_t urge = 0;
    for (int32_t at = t->nodes[parent].child; at != NOWHERE; at = t->nodes[at].next) {
        node *n = &t->nodes[at];
        if (n->seat != seat || !(all || n->seen == t->search->done)) continue;
        n->arm.offered++;
        int64_t other = bw_search_urge(t->search, &n->arm);
        if (best == NOWHERE || other > urge) best = at, urge = other;
    }
    return best;
}

/* A child to continue with, of `count` listed actions: untried ones first, in random order. */
static int32_t by_list(tree *t, int32_t parent, int seat, uint32_t count, bool *made) {
    bw_search *s = t->search;
    size_t size = s->game->actions->size;
    uint32_t fresh = 0, chosen = 0;
    for (uint32_t i = 0; i < count; i++) {
        const void *action = s->listed + i * size;
        if (!counts(s->game, action)) continue;
        int32_t child = child_of(t, parent, seat, key_of(action, size));
        if (child != NOWHERE) t->nodes[child].seen = s->done;
        else if (bw_fast_below(&s->fast, ++fresh) == 0) chosen = i;
    }
    *made = fresh > 0 && t->count < t->cap;
    if (!*made) return strongest(t, parent, seat, false);
    const void *action = s->listed + chosen * size;
    return add_child(t, parent, seat, action, key_of(action, size));
}

/* The same if there are too many to list: more visits, more children. */
static int32_t by_drawing(tree *t, int32_t parent, int seat, bool *made) {
    bw_search *s = t->search;
    uint32_t children = t->nodes[parent].children, visits = t->nodes[parent].arm.tried;
    *made = false;
    if (children < 4 || children * children < 4 * visits) {
        if (!draw(s, seat, s->action)) return NOWHERE;
        uint64_t key = key_of(s->action, s->game->actions->size);
        int32_t child = child_of(t, parent, seat, key);
        if (child != NOWHERE) return child;
        *made = t->count < t->cap;
        if (*made) return add_child(t, parent, seat, s->action, key);
    }
    return strongest(t, parent, seat, true);
}

static int32_t step(tree *t, int32_t parent, int seat, bool *made) {
    bw_search *s = t->search;
    uint32_t count = s->game->legal(s->state, seat, s->listed, BW_SEARCH_LISTED);
    return count <= BW_SEARCH_LISTED ? by_list(t, parent, seat, count, made) : by_drawing(t, parent, seat, made);
}

static void play_on(bw_search *s, int last) {
    for (int ply = 0; ply < BW_SEARCH_PLIES; ply++) {
        int seat = next_seat(s->game, s->state, last);
        if (seat == NOWHERE || !draw(s, seat, s->action) || s->game->apply(s->state, seat, s->action, NULL) < 0) return;
        last = seat;
    }
}

/* Walks down the tree, adds a position and scores it. false: nothing can be played. */
static bool iterate(tree *t) {
    bw_search *s = t->search;
    int seat = s->seat; /* the first seat to act, even if others may too */
    int last = seat;
    bool made = false;
    t->length = 1;
    t->path[0] = 0;
    while (!made && t->length <= DEPTH && seat != NOWHERE) {
        int32_t child = step(t, t->path[t->length - 1], seat, &made);
        if (child == NOWHERE) break;
        /* A drawn action may be illegal in another guess: then this walk ends here. */
        if (s->game->apply(s->state, seat, t->actions + (size_t)child * s->game->actions->size, NULL) < 0) break;
        t->path[t->length++] = child;
        last = seat;
        seat = next_seat(s->game, s->state, last);
    }
    play_on(s, last);
    t->nodes[0].arm.tried++;
    for (int i = 1; i < t->length; i++) {
        node *n = &t->nodes[t->path[i]];
        bw_search_add(s, &n->arm, s->game->score(s->state, n->seat));
    }
    return t->length > 1;
}

uint32_t bw_search_turns(bw_search *s, void *actions) {
    size_t size = s->game->actions->size;
    tree t = {.search = s};
    size_t cap = s->rest_bytes / (sizeof(node) + size + 16);
    t.cap = (int32_t)(cap < s->iterations + 2 ? cap : s->iterations + 2);
    t.nodes = bw_search_take(s, (size_t)t.cap * sizeof(node));
    t.actions = bw_search_take(s, (size_t)t.cap * size);
    if (t.cap < 2 || !t.nodes || !t.actions) return 0;
    t.nodes[t.count++] = (node){.child = NOWHERE};
    while (bw_search_again(s)) {
        uint32_t turn = s->game->turn(s->state);
        if (!(turn >> s->seat & 1) || !iterate(&t)) break;
    }
    const bw_search_arm *arms[1024];
    int32_t at[1024];
    uint32_t count = 0;
    for (int32_t child = t.nodes[0].child; child != NOWHERE && count < 1024; child = t.nodes[child].next) {
        arms[count] = &t.nodes[child].arm;
        at[count++] = child;
    }
    if (count > 0) {
        memcpy(actions, t.actions + (size_t)at[bw_search_decide(s, arms, count)] * size, size);
        return 1;
    }
    if (s->failed) return 0;
    return bw_random_action(s->game, s->state, s->seat, &s->fast, actions); /* only undo and new game */
}
