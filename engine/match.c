/* A game being played (match.h), and what game.h declares for all games. */
#include "engine/match.h"

#include <string.h>

static size_t aligned(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

enum {
    HEADER_BYTES = 40,     /* seed, seats, 4 bytes of padding */
    NOT_DECLARED = -32768, /* no game has this many refusals; bw_refusal has a sentence for it */
};

size_t bw_match_bytes(const bw_game *game) {
    return HEADER_BYTES + aligned(game->config->size) + aligned(game->state_size) +
           aligned((size_t)game->role_count * game->draft_size);
}

void bw_match_attach(bw_match *match, const bw_game *game, void *block) {
    match->game = game;
    match->block = block;
    match->seed = match->block;
    match->seats = (uint32_t *)(void *)(match->block + 32);
    match->config = match->block + HEADER_BYTES;
    match->state = match->block + HEADER_BYTES + aligned(game->config->size);
    match->drafts = match->block + HEADER_BYTES + aligned(game->config->size) + aligned(game->state_size);
}

int bw_match_start(bw_match *match, const void *config, uint32_t seats, const uint8_t seed[32]) {
    const bw_game *game = match->game;
    if (!bw_schema_fits(game->config, config)) return NOT_DECLARED;
    int refusal = game->check ? game->check(config) : 0;
    if (refusal < 0) return refusal;
    memset(match->block, 0, bw_match_bytes(game));
    memcpy(match->seed, seed, 32);
    *match->seats = seats;
    memcpy(match->config, config, game->config->size);
    game->init(match->state, config, seats, seed);
    return 0;
}

int bw_match_set_position(bw_match *match, const char *given) {
    if (!given) return 0;
    return match->game->set_position ? match->game->set_position(match->state, given) : NOT_DECLARED;
}

void *bw_match_draft(const bw_match *match, int seat) { return match->drafts + (size_t)seat * match->game->draft_size; }

/* A move may invalidate what other seats have prepared. */
static void prune_drafts(bw_match *match) {
    const bw_game *game = match->game;
    for (int seat = 0; game->draft_size > 0 && game->prune_draft && seat < game->role_count; seat++) {
        game->prune_draft(match->state, seat, bw_match_draft(match, seat));
    }
}

int bw_match_play(bw_match *match, int seat, const void *action, bw_events *events) {
    /* Values outside their declared bounds would index past the end of arrays. */
    bool seated = seat == BW_CLOCK || (seat >= 0 && seat < match->game->role_count);
    if (!seated || !bw_union_fits(match->game->actions, action)) return NOT_DECLARED;
    int refusal = match->game->apply(match->state, seat, action, events);
    if (refusal < 0) return refusal;
    prune_drafts(match);
    return 0;
}

int bw_match_resolve(const bw_match *match, int seat, const void *action, void *played) {
    const bw_game *game = match->game;
    if (seat < 0 || seat >= game->role_count || *(const uint8_t *)action >= game->actions->count) return NOT_DECLARED;
    uint32_t flags = game->actions->cases[*(const uint8_t *)action].flags;
    if (flags & BW_ACTION_DRAFT) return bw_union_fits(game->actions, action) ? BW_PREPARED : NOT_DECLARED;
    if (!(flags & BW_ACTION_COMMIT)) {
        memcpy(played, action, game->actions->size);
        return BW_PLAYED;
    }
    memset(played, 0, game->actions->size);
    int refusal = game->commit(match->state, seat, bw_match_draft(match, seat), played);
    return refusal < 0 ? refusal : BW_PLAYED;
}

int bw_match_submit(bw_match *match, int seat, const void *action, void *played, bw_events *events) {
    int outcome = bw_match_resolve(match, seat, action, played);
    if (outcome == BW_PREPARED) {
        return match->game->prepare(match->state, seat, bw_match_draft(match, seat), action);
    }
    int refusal = outcome < 0 ? outcome : bw_match_play(match, seat, played, events);
    return refusal < 0 ? refusal : BW_PLAYED;
}

void bw_match_collect(const bw_match *match, void *played) {
    memset(played, 0, match->game->actions->size);
    match->game->collect(match->state, match->drafts, played);
}

void bw_match_round(bw_match *match, void *played, bw_events *events) {
    bw_match_collect(match, played);
    bw_match_play(match, BW_CLOCK, played, events);
}

int bw_match_resign(bw_match *match, int seat, bw_events *events) {
    int refusal = match->game->resign(match->state, seat, events);
    if (refusal < 0) return refusal;
    prune_drafts(match);
    return 0;
}

/* ---- for all games ---- */

void *bw_event(bw_events *events, uint8_t type) {
    if (!events || events->count >= events->cap) return NULL;
    unsigned char *event = events->memory + (size_t)events->count++ * events->size;
    memset(event, 0, events->size);
    *event = type;
    return event;
}

const char *bw_refusal(const bw_game *game, int refusal) {
    int index = -refusal - 1;
    if (index < 0 || index >= game->refusal_count) {
        return "The rules of this game do not allow that now.";
    }
    return game->refusals[index];
}

bool bw_random_action(const bw_game *game, const void *state, int seat, bw_fast *fast, void *action) {
    if (game->sample) return game->sample(state, seat, fast, action);
    /* A game without `sample` may list at most this many bytes of legal actions. */
    uint64_t memory[8192 / sizeof(uint64_t)];
    uint32_t cap = (uint32_t)(sizeof memory / game->actions->size);
    uint32_t count = game->legal(state, seat, memory, cap);
    if (count == 0) return false;
    uint32_t pick = bw_fast_below(fast, count < cap ? count : cap);
    memcpy(action, (unsigned char *)memory + (size_t)pick * game->actions->size, game->actions->size);
    return true;
}
