#include "tests/support/any_game.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *zeroed(size_t bytes) {
    void *memory = calloc(1, bytes + 8);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

void bw_any_open(bw_any *any, const bw_game *game) {
    memset(any, 0, sizeof *any);
    any->block = zeroed(bw_match_bytes(game));
    any->config = zeroed(game->config->size);
    any->played = zeroed(game->actions->size);
    any->events = (bw_events){.size = game->events->size, .cap = game->max_events};
    any->events.memory = zeroed((size_t)game->max_events * game->events->size);
    bw_match_attach(&any->match, game, any->block);
}

void bw_any_close(bw_any *any) {
    free(any->block);
    free(any->config);
    free(any->played);
    free(any->events.memory);
}

static int64_t random_int(const bw_field *field, bw_fast *fast) {
    int64_t lo = field->lo, hi = field->hi;
    if (field->names && bw_fast_below(fast, 4) == 0) {
        return -1 - (int64_t)bw_fast_below(fast, field->names->count);
    }
    if (bw_fast_below(fast, 8) > 0) { /* mostly values that matter on a small board */
        lo = lo < -2 ? -2 : lo;
        hi = hi > lo + 14 ? lo + 14 : hi;
    }
    uint64_t span = (uint64_t)(hi - lo) + 1;
    return lo + (int64_t)(bw_fast_next(fast) % span);
}

static void random_item(const bw_field *field, bw_fast *fast, unsigned char *item) {
    switch (field->kind) {
    case BW_KIND_INT: {
        int64_t number = random_int(field, fast);
        memcpy(item, &number, field->item_size);
        break;
    }
    case BW_KIND_BOOL: *item = (unsigned char)bw_fast_below(fast, 2); break;
    case BW_KIND_ENUM: *item = (unsigned char)bw_fast_below(fast, field->names->count); break;
    case BW_KIND_TEXT: {
        int64_t most = field->hi < 12 ? field->hi : 12;
        int64_t length = field->lo + (int64_t)bw_fast_below(fast, (uint32_t)(most - field->lo + 1));
        for (int64_t i = 0; i < length; i++) {
            item[i] = (unsigned char)('a' + bw_fast_below(fast, 26));
        }
        item[length] = 0;
        break;
    }
    case BW_KIND_BYTES:
        for (uint32_t i = 0; i < field->item_size; i++) item[i] = (unsigned char)bw_fast_below(fast, 256);
        break;
    case BW_KIND_STRUCT: bw_any_random_struct(field->schema, fast, item); break;
    case BW_KIND_RAW: break;
    }
}

void bw_any_random_struct(const bw_schema *schema, bw_fast *fast, void *value) {
    unsigned char *bytes = value;
    memset(value, 0, schema->size);
    for (int f = 0; f < schema->count; f++) {
        const bw_field *field = &schema->fields[f];
        if (field->presence != BW_PRESENCE_REQUIRED) {
            bytes[field->has_offset] = (unsigned char)bw_fast_below(fast, 2);
            if (!bytes[field->has_offset]) continue;
        }
        if (field->shape == BW_SHAPE_ONE) {
            random_item(field, fast, bytes + field->offset);
        } else if (field->shape == BW_SHAPE_ARRAY) {
            uint16_t count = (uint16_t)bw_fast_below(fast, (field->cap < 4 ? field->cap : 4) + 1);
            memcpy(bytes + field->count_offset, &count, sizeof count);
            for (uint32_t i = 0; i < count; i++) {
                random_item(field, fast, bytes + field->offset + (size_t)i * field->item_size);
            }
        }
    }
}

void bw_any_random_action(const bw_game *game, bw_fast *fast, void *action) {
    memset(action, 0, game->actions->size);
    uint8_t which = (uint8_t)bw_fast_below(fast, game->actions->count);
    *(uint8_t *)action = which;
    bw_any_random_struct(game->actions->cases[which].schema, fast,
                         (unsigned char *)action + game->actions->body_offset);
}

void bw_any_random_config(const bw_game *game, bw_fast *fast, void *config) {
    for (int tries = 0; tries < 10000 && bw_fast_below(fast, 5) > 0; tries++) {
        bw_any_random_struct(game->config, fast, config);
        if (!game->check || game->check(config) == 0) return;
    }
    memcpy(config, game->defaults, game->config->size);
}

uint32_t bw_any_random_seats(const bw_game *game, bw_fast *fast) {
    uint32_t all = (1u << game->role_count) - 1;
    if (!(game->flags & BW_GAME_OPEN_SEATS)) return all;
    for (;;) {
        uint32_t seats = bw_fast_below(fast, all) + 1;
        int taken = 0;
        for (int i = 0; i < game->role_count; i++) taken += (int)(seats >> i & 1);
        if (taken >= game->seats_min) return seats;
    }
}

void bw_any_start(bw_any *any, bw_fast *fast, bool plain) {
    const bw_game *game = any->match.game;
    for (int i = 0; i < 32; i++) any->seed[i] = (uint8_t)bw_fast_next(fast);
    any->seats = (1u << game->role_count) - 1;
    memcpy(any->config, game->defaults, game->config->size);
    if (!plain) {
        bw_any_random_config(game, fast, any->config);
        any->seats = bw_any_random_seats(game, fast);
    }
    if (bw_match_start(&any->match, any->config, any->seats, any->seed) < 0) {
        fprintf(stderr, "%s does not start with settings that it accepted\n", game->id);
        exit(1);
    }
}

static int round_step(bw_any *any, bw_fast *fast) {
    const bw_game *game = any->match.game;
    if (game->turn(any->match.state) == 0) return BW_WATCHER;
    for (int seat = 0; seat < game->role_count; seat++) {
        for (int n = 0; n < 3; n++) {
            if (bw_random_action(game, any->match.state, seat, fast, any->played)) {
                bw_match_submit(&any->match, seat, any->played, any->played, NULL);
            }
        }
    }
    bw_match_round(&any->match, any->played, &any->events);
    return BW_CLOCK;
}

int bw_any_step(bw_any *any, bw_fast *fast) {
    const bw_game *game = any->match.game;
    any->events.count = 0;
    if (game->flags & BW_GAME_ROUNDS) return round_step(any, fast);
    uint32_t turn = game->turn(any->match.state);
    int seat = (int)bw_fast_below(fast, game->role_count);
    for (int i = 0; i < game->role_count; i++, seat = (seat + 1) % game->role_count) {
        if (turn >> seat & 1 && bw_random_action(game, any->match.state, seat, fast, any->played)) {
            int refusal = bw_match_play(&any->match, seat, any->played, &any->events);
            if (refusal < 0) {
                fprintf(stderr, "%s refuses an action that it lists: %s\n", game->id, bw_refusal(game, refusal));
                exit(1);
            }
            return seat;
        }
    }
    return BW_WATCHER;
}

char *bw_any_read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return NULL;
    }
    size_t cap = 1 << 16, count;
    char *text = malloc(cap);
    *length = 0;
    while (text && (count = fread(text + *length, 1, cap - *length - 1, file)) > 0) {
        *length += count;
        if (cap - *length < 2) {
            char *more = realloc(text, cap *= 2);
            if (!more) free(text);
            text = more;
        }
    }
    fclose(file);
    if (text) text[*length] = 0;
    return text;
}
