#include "engine/match.h"

#include <string.h>

static size_t aligned(size_t bytes) { return (bytes + 7) & ~(size_t)7; }

enum {
    HEADER_BYTES = 40,     /* seed, seats, 4 bytes of padding */
    NOT_DECLARED = -32768, /* no game has this many refusals; bw_refusal has a sentence for it */
};

/* Does the seat exist, and are all values within their declared bounds? Others would index past the end of arrays. */
static bool sound(const bw_match *match, int seat, const void *action) {
    return (seat == BW_CLOCK || (seat >= 0 && seat < match->game->role_count)) &&
           bw_union_fits(match->game->actions, action);
}

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

/* A move may invalidate what other seats have prepared. */
static void prune_drafts(bw_match *match) {
    const bw_game *game = match->game;
    for (int seat = 0; game->draft_size > 0 && game->prune_draft && seat < game->role_count; seat++) {
        game->prune_draft(match->state, seat, bw_match_draft(match, seat));
    }
}

int bw_match_play(bw_match *match, int seat, const void *action, bw_events *events) {
    if (!sound(match, seat, action)) return NOT_DECLARED;
    int refusal = match->game->apply(match->state, seat, action, events);
    if (refusal < 0) return refusal;
    prune_drafts(match);
    return 0;
}

int bw_match_resolve(const bw_match *match, int seat, const void *action, void *played) {
    const bw_game *game = match->game;
    if (seat < 0 || !sound(match, seat, action)) return NOT_DECLARED;
    uint32_t flags = game->actions->cases[*(const uint8_t *)action].flags;
    if (flags & BW_ACTION_DRAFT) return BW_PREPARED;
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
