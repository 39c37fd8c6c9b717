/* A position that agrees with a view. What was not seen is dealt anew, as the view allows:
 *
 *   deck     the tiles of the box that do not lie, as many rooms among them as the view counts
 *   tokens   those of the box that were not seen; a monster that is gone is known by what it left,
 *            but for spells that were used: of those, some are drawn to be the ones
 *   dice     from the seed */
#include "games/monadungeon/rules.h"

#include <string.h>

static void shuffle(bw_fast *fast, uint8_t *items, uint32_t count) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = bw_fast_below(fast, i);
        uint8_t kept = items[i - 1];
        items[i - 1] = items[other];
        items[other] = kept;
    }
}

static uint8_t sides_of(const bool openings[4]) {
    return (uint8_t)(openings[0] | openings[1] << 1 | openings[2] << 2 | openings[3] << 3);
}

/* The type of tile in the box, whatever its rotation; BW_DUNGEON_NONE: not in the box. */
static uint8_t type_of(uint8_t sides, uint8_t kind) {
    for (uint8_t type = 0; type < BW_DUNGEON_TILE_TYPES; type++) {
        for (unsigned turn = 0; turn < 4 && bw_dungeon_tile_types[type].kind == kind; turn++) {
            if (bw_dungeon_turned(bw_dungeon_tile_types[type].sides, turn) == sides) return type;
        }
    }
    return BW_DUNGEON_NONE;
}

bool bw_dungeon_read_key(const char *key, bw_dungeon_cell *cell) {
    int32_t values[2] = {0, 0};
    for (int part = 0; part < 2; part++) {
        int sign = *key == '-' ? -1 : 1, digits = 0;
        key += *key == '-';
        for (; *key >= '0' && *key <= '9' && digits < 3; key++, digits++) {
            values[part] = values[part] * 10 + (*key - '0');
        }
        values[part] *= sign;
        if (digits == 0 || *key != (part ? '\0' : ',') || values[part] < -99 || values[part] > 99) {
            return false;
        }
        key++;
    }
    *cell = (bw_dungeon_cell){.x = values[0], .y = values[1]};
    return true;
}

typedef struct box {
    int tiles[BW_DUNGEON_TILE_TYPES];   /* not seen yet, by type */
    int tokens[BW_DUNGEON_TOKEN_TYPES]; /* likewise */
    int rooms, waiting_rooms;           /* placed; waiting to be placed */
    int taken;                          /* tokens whose type is known from what was seen */
    bool start;
} box;

/* Marks a token of the box as seen, `times` times. */
static bool seen(box *left, uint8_t monster, uint8_t loot, int times) {
    for (int type = 0; type < BW_DUNGEON_TOKEN_TYPES; type++) {
        if (bw_dungeon_token_types[type].loot == loot &&
            (monster == BW_DUNGEON_NONE || bw_dungeon_token_types[type].monster == monster)) {
            left->tokens[type] -= times;
            left->taken += times;
            return left->tokens[type] >= 0;
        }
    }
    return false;
}

static bool see_bag(box *left, const bw_dungeon_player *player) {
    bool right = true;
    for (uint8_t item = 0; item < BW_DUNGEON_ITEM_COUNT; item++) {
        int carried = player->bag[item];
        if (item == BW_DUNGEON_TREASURE) { /* a chest was opened with a key */
            right = right && seen(left, BW_DUNGEON_NONE, BW_DUNGEON_CHEST, carried) &&
                    seen(left, BW_DUNGEON_SKELETON_TURNKEY, BW_DUNGEON_KEY, carried);
        } else if (carried > 0) {
            right = right && seen(left, BW_DUNGEON_NONE, item, carried);
        }
    }
    return right;
}

static bool see_tile(bw_dungeon *dungeon, box *left, const bw_dungeon_tile_view *shown) {
    bw_dungeon_cell cell;
    uint8_t sides = sides_of(shown->openings);
    uint8_t monster = shown->has_monster ? shown->monster.name : BW_DUNGEON_NONE;
    uint8_t loot = shown->has_monster ? shown->guards : shown->has_loot ? shown->loot : BW_DUNGEON_NONE;
    if (!bw_dungeon_read_key(shown->key, &cell) || bw_dungeon_tile_at(dungeon, cell.x, cell.y) != BW_DUNGEON_NONE) {
        return false;
    }
    if (shown->kind == BW_DUNGEON_START) {
        if (left->start) return false;
        left->start = true;
    } else {
        uint8_t type = type_of(sides, shown->kind);
        if (type == BW_DUNGEON_NONE || --left->tiles[type] < 0) return false;
    }
    left->rooms += shown->kind == BW_DUNGEON_ROOM;
    if (loot != BW_DUNGEON_NONE && !seen(left, monster, loot, 1)) return false;
    bw_dungeon_lay(dungeon, cell.x, cell.y, sides, shown->kind, monster, loot);
    return true;
}

static bool see_player(bw_dungeon *dungeon, const bw_dungeon_info *shown) {
    int seat = shown->key[6] - '1';
    if (seat < 0 || seat >= BW_DUNGEON_PLAYERS || dungeon->seats >> seat & 1) return false;
    bw_dungeon_player *player = &dungeon->players[seat];
    player->at = bw_dungeon_tile_at(dungeon, shown->x, shown->y);
    player->hp = shown->hp;
    player->points = shown->points;
    player->stunned = shown->stunned;
    player->bag[BW_DUNGEON_KEY] = shown->keys;
    for (int i = 0; i < shown->weapons_count; i++) player->bag[shown->weapons[i]]++;
    for (int i = 0; i < shown->spells_count; i++) player->bag[shown->spells[i]]++;
    for (int i = 0; i < shown->treasures_count; i++) player->bag[shown->treasures[i]]++;
    dungeon->seats |= (uint8_t)(1u << seat);
    dungeon->active |= (uint8_t)((shown->resigned ? 0u : 1u) << seat);
    if (player->bag[BW_DUNGEON_RUBY_CHEST] > 0) dungeon->slayer = (uint8_t)seat;
    return player->at != BW_DUNGEON_NONE;
}

/* Draws `keep` of the remaining items of some types into `items`; false if there are not enough. */
static bool draw(bw_fast *fast, int *left, const uint8_t *types, int type_count, int keep, uint8_t *items) {
    uint8_t pool[BW_DUNGEON_POOL];
    int count = 0;
    for (int i = 0; i < type_count; i++) {
        for (int n = 0; n < left[types[i]]; n++) pool[count++] = types[i];
    }
    if (keep < 0 || keep > count) return false;
    shuffle(fast, pool, (uint32_t)count);
    for (int i = 0; i < keep; i++) {
        items[i] = pool[i];
        left[pool[i]]--;
    }
    return true;
}

static bool deal_deck(bw_dungeon *dungeon, box *left, bool gates_always, bw_fast *fast) {
    uint8_t rooms[BW_DUNGEON_TILE_TYPES], others[BW_DUNGEON_TILE_TYPES], gate_type = BW_DUNGEON_TILE_TYPES - 1;
    int room_count = 0, other_count = 0, rest = dungeon->deck_left - dungeon->rooms_left, gates = 0;
    for (uint8_t type = 0; type < BW_DUNGEON_TILE_TYPES; type++) {
        if (bw_dungeon_tile_types[type].kind == BW_DUNGEON_ROOM) rooms[room_count++] = type;
        else others[other_count++] = type;
    }
    if (gates_always) gates = left->tiles[gate_type] < rest ? left->tiles[gate_type] : rest;
    uint8_t *deck = dungeon->deck;
    if (rest < 0 || !draw(fast, left->tiles, &gate_type, 1, gates, deck) ||
        !draw(fast, left->tiles, others, other_count, rest - gates, deck + gates) ||
        !draw(fast, left->tiles, rooms, room_count, dungeon->rooms_left, deck + rest)) {
        return false;
    }
    shuffle(fast, deck, dungeon->deck_left);
    return true;
}

static bool deal_tokens(bw_dungeon *dungeon, box *left, bw_fast *fast) {
    static const uint8_t spells[] = {1, 2, 3}; /* the tokens whose loot can be used up */
    static const uint8_t all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    int rooms = left->rooms + left->waiting_rooms + dungeon->rooms_left;
    int total = rooms < BW_DUNGEON_TOKENS ? rooms : BW_DUNGEON_TOKENS;
    int placed = left->rooms < total ? left->rooms : total, hidden = total - placed;
    uint8_t used[BW_DUNGEON_POOL];
    if (!draw(fast, left->tokens, spells, 3, placed - left->taken, used)) return false;
    int dragon = left->tokens[BW_DUNGEON_DRAGON_TOKEN];
    if (!draw(fast, left->tokens, all, 9, hidden - dragon, dungeon->tokens)) return false;
    if (dragon) dungeon->tokens[hidden - 1] = BW_DUNGEON_DRAGON_TOKEN;
    dungeon->tokens_left = (uint8_t)hidden;
    shuffle(fast, dungeon->tokens, (uint32_t)hidden);
    return true;
}

/* Whose turn it is, and what must be settled first. */
static bool see_turn(bw_dungeon *dungeon, box *left, const bw_dungeon_view *view) {
    dungeon->over = !view->has_to_move;
    dungeon->current = view->has_to_move ? view->to_move : 0;
    dungeon->turn_number = view->turn_number;
    dungeon->actions_left = view->actions_left;
    dungeon->torches = view->has_torches ? view->torches : BW_DUNGEON_NO_TORCHES;
    dungeon->lit_by = view->has_lit_by ? view->lit_by : BW_DUNGEON_NONE;
    dungeon->awaiting = view->has_awaiting ? view->awaiting : BW_DUNGEON_NONE;
    dungeon->dragon = view->has_dragon ? bw_dungeon_tile_at(dungeon, view->dragon.x, view->dragon.y) : BW_DUNGEON_NONE;
    if (!dungeon->over && !(dungeon->active >> dungeon->current & 1)) return false;
    const bw_dungeon_tile *tile = &dungeon->tiles[dungeon->players[dungeon->current].at];
    if (dungeon->awaiting == BW_DUNGEON_AWAITS_PLACE) {
        int side = bw_dungeon_side_to(tile, view->waiting_tile.cell.x, view->waiting_tile.cell.y);
        dungeon->waiting = type_of(sides_of(view->waiting_tile.openings), view->waiting_tile.kind);
        if (!view->has_waiting_tile || side < 0 || !(tile->edges >> side & 1) || dungeon->waiting == BW_DUNGEON_NONE ||
            --left->tiles[dungeon->waiting] < 0) {
            return false;
        }
        dungeon->waiting_side = (uint8_t)side;
        dungeon->waiting_x = (int8_t)view->waiting_tile.cell.x;
        dungeon->waiting_y = (int8_t)view->waiting_tile.cell.y;
        left->waiting_rooms = view->waiting_tile.kind == BW_DUNGEON_ROOM;
    } else if (dungeon->awaiting == BW_DUNGEON_AWAITS_BATTLE) {
        dungeon->came_from = bw_dungeon_tile_at(dungeon, view->battle.from.x, view->battle.from.y);
        memcpy(dungeon->dice, view->battle.dice, 2);
        return view->has_battle && tile->monster != BW_DUNGEON_NONE && dungeon->came_from != BW_DUNGEON_NONE;
    } else if (dungeon->awaiting == BW_DUNGEON_AWAITS_LOOT) {
        return tile->loot != BW_DUNGEON_NONE && tile->monster == BW_DUNGEON_NONE;
    }
    return true;
}

int bw_dungeon_guess(bw_dungeon *dungeon, const bw_dungeon_view *view, const bw_dungeon_config *config, uint64_t seed) {
    bw_fast fast = {seed};
    box left = {0};
    uint8_t key[32];
    memset(dungeon, 0, sizeof *dungeon);
    for (int i = 0; i < BW_DUNGEON_TILE_TYPES; i++) left.tiles[i] = bw_dungeon_tile_types[i].count;
    for (int i = 0; i < BW_DUNGEON_TOKEN_TYPES; i++) {
        left.tokens[i] = bw_dungeon_token_types[i].count;
    }
    dungeon->max_hp = config->max_hp;
    dungeon->actions = config->actions;
    dungeon->torch_turns = config->torch_turns;
    dungeon->slayer = BW_DUNGEON_NONE;
    dungeon->deck_left = view->deck_left;
    dungeon->rooms_left = view->rooms_left;
    bool right = true;
    for (int i = 0; i < view->tiles_count && right; i++) {
        right = see_tile(dungeon, &left, &view->tiles[i]);
    }
    for (int i = 0; i < view->players_info_count && right; i++) {
        right = see_player(dungeon, &view->players_info[i]);
    }
    for (int seat = 0; seat < BW_DUNGEON_PLAYERS && right; seat++) {
        right = see_bag(&left, &dungeon->players[seat]);
    }
    /* The order matters: the waiting tile is taken from the box before the deck is dealt. */
    if (!right || view->tiles_count == 0 || !see_turn(dungeon, &left, view) ||
        !deal_deck(dungeon, &left, config->gates == BW_DUNGEON_GATES_ALWAYS, &fast) ||
        !deal_tokens(dungeon, &left, &fast)) {
        return BW_DUNGEON_REFUSES_BAD_VIEW;
    }
    for (int i = 0; i < 32; i += 8) {
        uint64_t word = bw_fast_next(&fast);
        memcpy(key + i, &word, 8);
    }
    bw_rng_init(&dungeon->rng, key);
    return 0;
}
