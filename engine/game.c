#include "engine/game.h"

#include <string.h>

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
