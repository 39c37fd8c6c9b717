/* The box of tiles and tokens, and placing a tile. */
#include "games/monadungeon/rules.h"

enum {
    TOP = 1,
    RIGHT = 2,
    BOTTOM = 4,
    LEFT = 8,
    CROSS = TOP | RIGHT | BOTTOM | LEFT,
    FORK = TOP | RIGHT | LEFT,
    CORNER = TOP | RIGHT,
    STRAIGHT = TOP | BOTTOM,
};

/* One line per shape. */
/* clang-format off */
const bw_dungeon_tile_type bw_dungeon_tile_types[BW_DUNGEON_TILE_TYPES] = {
    {CROSS, BW_DUNGEON_ROOM, 16},    {CROSS, BW_DUNGEON_CORRIDOR, 11},
    {FORK, BW_DUNGEON_ROOM, 17},     {FORK, BW_DUNGEON_CORRIDOR, 5},
    {CORNER, BW_DUNGEON_ROOM, 15},   {CORNER, BW_DUNGEON_CORRIDOR, 4},   {CORNER, BW_DUNGEON_FOUNTAIN, 2},
    {STRAIGHT, BW_DUNGEON_ROOM, 13}, {STRAIGHT, BW_DUNGEON_CORRIDOR, 14}, {STRAIGHT, BW_DUNGEON_GATE, 2},
};
/* clang-format on */

const bw_dungeon_token_type bw_dungeon_token_types[BW_DUNGEON_TOKEN_TYPES] = {
    {BW_DUNGEON_GIANT_RAT, BW_DUNGEON_DAGGER, 8},
    {BW_DUNGEON_GIANT_SPIDER, BW_DUNGEON_TELEPORT, 2},
    {BW_DUNGEON_GIANT_SPIDER, BW_DUNGEON_PORTAL_OF_HEALING, 2},
    {BW_DUNGEON_MUMMY, BW_DUNGEON_FIREBALL, 8},
    {BW_DUNGEON_SKELETON_TURNKEY, BW_DUNGEON_KEY, 12},
    {BW_DUNGEON_SKELETON_WARRIOR, BW_DUNGEON_SWORD, 5},
    {BW_DUNGEON_SKELETON_KING, BW_DUNGEON_AXE, 3},
    {BW_DUNGEON_FALLEN, BW_DUNGEON_FALLENS_TREASURE, 2},
    {BW_DUNGEON_NONE, BW_DUNGEON_CHEST, 10},
    {BW_DUNGEON_DRAGON, BW_DUNGEON_RUBY_CHEST, 1},
};

const uint8_t bw_dungeon_monster_hp[BW_DUNGEON_DRAGON + 1] = {
    [BW_DUNGEON_GIANT_RAT] = 5,        [BW_DUNGEON_GIANT_SPIDER] = 6,     [BW_DUNGEON_MUMMY] = 7,
    [BW_DUNGEON_SKELETON_TURNKEY] = 8, [BW_DUNGEON_SKELETON_WARRIOR] = 9, [BW_DUNGEON_SKELETON_KING] = 10,
    [BW_DUNGEON_FALLEN] = 12,          [BW_DUNGEON_DRAGON] = 15,
};

const uint8_t bw_dungeon_item_damage[BW_DUNGEON_ITEM_COUNT] = {
    [BW_DUNGEON_DAGGER] = 1,
    [BW_DUNGEON_SWORD] = 2,
    [BW_DUNGEON_AXE] = 3,
    [BW_DUNGEON_FIREBALL] = 1,
};

const uint8_t bw_dungeon_item_points[BW_DUNGEON_ITEM_COUNT] = {
    [BW_DUNGEON_TREASURE] = 2,
    [BW_DUNGEON_FALLENS_TREASURE] = 2,
    [BW_DUNGEON_RUBY_CHEST] = 3,
};

const int8_t bw_dungeon_dx[BW_DUNGEON_SIDES] = {0, 1, 0, -1};
const int8_t bw_dungeon_dy[BW_DUNGEON_SIDES] = {-1, 0, 1, 0};

uint8_t bw_dungeon_tile_at(const bw_dungeon *dungeon, int x, int y) {
    for (int i = 0; i < dungeon->tile_count; i++) {
        if (dungeon->tiles[i].x == x && dungeon->tiles[i].y == y) return (uint8_t)i;
    }
    return BW_DUNGEON_NONE;
}

int bw_dungeon_rotations(uint8_t sides, int side, uint8_t rotations[4]) {
    unsigned toward_player = 1u << ((side + 2) % BW_DUNGEON_SIDES);
    int count = 0;
    for (unsigned turn = 0; turn < 4; turn++) {
        if (bw_dungeon_turned(sides, turn) & toward_player) rotations[count++] = (uint8_t)turn;
    }
    return count;
}

/* Connects a new tile with its neighbour on one side. */
static void join(bw_dungeon *dungeon, uint8_t at, int side, uint8_t neighbour) {
    bw_dungeon_tile *tile = &dungeon->tiles[at], *other = &dungeon->tiles[neighbour];
    int back = side ^ 2;
    if (other->sides >> back & 1) {
        other->edges = (uint8_t)(other->edges & ~(1u << back));
        dungeon->clear_edges = (uint16_t)(dungeon->clear_edges - (other->monster == BW_DUNGEON_NONE));
        if (tile->sides >> side & 1) {
            tile->next[side] = neighbour;
            other->next[back] = at;
        }
    }
    tile->edges = (uint8_t)(tile->edges & ~(1u << side));
}

uint8_t bw_dungeon_lay(bw_dungeon *dungeon, int x, int y, uint8_t sides, uint8_t kind, uint8_t monster, uint8_t loot) {
    uint8_t at = dungeon->tile_count++;
    bw_dungeon_tile *tile = &dungeon->tiles[at];
    *tile = (bw_dungeon_tile){.x = (int8_t)x,
                              .y = (int8_t)y,
                              .sides = sides,
                              .kind = kind,
                              .monster = monster,
                              .loot = loot,
                              .edges = sides,
                              .next = {BW_DUNGEON_NONE, BW_DUNGEON_NONE, BW_DUNGEON_NONE, BW_DUNGEON_NONE}};
    for (int i = 0; i < at; i++) {
        int side = bw_dungeon_side_to(&dungeon->tiles[i], x, y);
        if (side >= 0) join(dungeon, at, side ^ 2, (uint8_t)i);
    }
    if (monster == BW_DUNGEON_NONE) {
        dungeon->clear_edges = (uint16_t)(dungeon->clear_edges + bw_dungeon_count_sides(tile->edges));
    } else if (monster == BW_DUNGEON_DRAGON) {
        dungeon->dragon = at;
    }
    if (kind == BW_DUNGEON_GATE) dungeon->gates[dungeon->gate_count++] = at;
    else if (bw_dungeon_is_fountain(kind)) dungeon->fountains[dungeon->fountain_count++] = at;
    return at;
}

void bw_dungeon_show_sides(bool openings[4], uint16_t *count, uint8_t sides) {
    *count = BW_DUNGEON_SIDES;
    for (int side = 0; side < BW_DUNGEON_SIDES; side++) openings[side] = sides >> side & 1;
}
