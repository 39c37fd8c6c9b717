/* Shuffling a dungeon: the deck, the gates in it, and one token for each of its rooms. */
#include "games/monadungeon/rules.h"

#include <string.h>

static void swap(uint8_t *a, uint8_t *b) {
    uint8_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Moves `keep` random items of `count` to the front, in random order (Fisher-Yates; Durstenfeld 1964). */
static void shuffle(bw_rng *rng, uint8_t *items, uint32_t count, uint32_t keep) {
    for (uint32_t i = 0; i < keep && i + 1 < count; i++) {
        swap(&items[i], &items[i + bw_rng_below(rng, count - i)]);
    }
}

/* Swaps a tile from outside the deck into a random place of the deck that is not in `spared`. */
static void swap_in(bw_dungeon *dungeon, uint8_t *pool, uint32_t deck, uint32_t from, uint8_t spared_kind) {
    uint32_t place;
    do {
        place = bw_rng_below(&dungeon->rng, deck);
    } while (bw_dungeon_tile_types[pool[place]].kind == spared_kind);
    swap(&pool[place], &pool[from]);
}

static uint32_t rooms_in(const uint8_t *pool, uint32_t count) {
    uint32_t rooms = 0;
    for (uint32_t i = 0; i < count; i++) {
        rooms += bw_dungeon_tile_types[pool[i]].kind == BW_DUNGEON_ROOM;
    }
    return rooms;
}

static void shuffle_deck(bw_dungeon *dungeon, const bw_dungeon_config *config) {
    uint8_t pool[BW_DUNGEON_POOL];
    uint32_t count = 0, deck = config->quick ? BW_DUNGEON_QUICK_DECK : config->deck_size;
    for (uint8_t type = 0; type < BW_DUNGEON_TILE_TYPES; type++) {
        for (int i = 0; i < bw_dungeon_tile_types[type].count; i++) pool[count++] = type;
    }
    shuffle(&dungeon->rng, pool, count, deck);
    if (config->gates == BW_DUNGEON_GATES_ALWAYS) {
        for (uint32_t i = deck; i < count; i++) {
            if (bw_dungeon_tile_types[pool[i]].kind == BW_DUNGEON_GATE) {
                swap_in(dungeon, pool, deck, i, BW_DUNGEON_GATE);
            }
        }
    }
    /* Every dungeon has exactly one dragon, so the deck must have a room for it. */
    if (rooms_in(pool, deck) == 0) {
        uint32_t spare_rooms = rooms_in(pool, count), chosen = bw_rng_below(&dungeon->rng, spare_rooms), at = deck;
        for (;; at++) {
            if (bw_dungeon_tile_types[pool[at]].kind == BW_DUNGEON_ROOM && chosen-- == 0) break;
        }
        swap_in(dungeon, pool, deck, at, config->gates == BW_DUNGEON_GATES_ALWAYS ? BW_DUNGEON_GATE : BW_DUNGEON_NONE);
    }
    memcpy(dungeon->deck, pool, deck);
    dungeon->deck_left = (uint8_t)deck;
    dungeon->rooms_left = (uint8_t)rooms_in(pool, deck);
}

static void shuffle_tokens(bw_dungeon *dungeon) {
    uint8_t pool[BW_DUNGEON_TOKENS];
    uint32_t count = 0, keep = (uint32_t)dungeon->rooms_left - 1;
    for (uint8_t type = 0; type < BW_DUNGEON_DRAGON_TOKEN; type++) {
        for (int i = 0; i < bw_dungeon_token_types[type].count; i++) pool[count++] = type;
    }
    keep = keep < count ? keep : count;
    shuffle(&dungeon->rng, pool, count, keep);
    memcpy(dungeon->tokens, pool, keep);
    dungeon->tokens[keep] = BW_DUNGEON_DRAGON_TOKEN;
    dungeon->tokens_left = (uint8_t)(keep + 1);
    /* The others are in random order already, so one swap is enough to shuffle the dragon. */
    swap(&dungeon->tokens[keep], &dungeon->tokens[bw_rng_below(&dungeon->rng, keep + 1)]);
}

void bw_dungeon_init(bw_dungeon *dungeon, const bw_dungeon_config *config, uint32_t seats, const uint8_t seed[32]) {
    memset(dungeon, 0, sizeof *dungeon);
    bw_rng_init(&dungeon->rng, seed);
    dungeon->max_hp = config->max_hp;
    dungeon->actions = config->actions;
    dungeon->torch_turns = config->torch_turns;
    dungeon->torches = BW_DUNGEON_NO_TORCHES;
    dungeon->lit_by = BW_DUNGEON_NONE;
    dungeon->awaiting = BW_DUNGEON_NONE;
    dungeon->dragon = BW_DUNGEON_NONE;
    dungeon->slayer = BW_DUNGEON_NONE;
    dungeon->seats = dungeon->active = (uint8_t)(seats & 15);
    dungeon->over = dungeon->active == 0;
    dungeon->current = bw_dungeon_next_seat(dungeon->active, BW_DUNGEON_PLAYERS - 1);
    dungeon->turn_number = 1;
    dungeon->actions_left = config->actions;
    for (int seat = 0; seat < BW_DUNGEON_PLAYERS; seat++) {
        if (dungeon->seats >> seat & 1) dungeon->players[seat].hp = config->max_hp;
    }
    shuffle_deck(dungeon, config);
    shuffle_tokens(dungeon);
    bw_dungeon_lay(dungeon, 0, 0, 15, BW_DUNGEON_START, BW_DUNGEON_NONE, BW_DUNGEON_NONE);
}
