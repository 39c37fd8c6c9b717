/* Monadungeon: a labyrinth drawn tile by tile, monsters, two dice, and a dragon.
 *
 * Rules for people: docs/rules/monadungeon.md. This header is for hot code (bots, playouts, benchmarks), which works on
 * the position itself; all other code goes through `bw_monadungeon` and engine/game.h.
 *
 * A tile is named by its index in the order of placing; tile 0 is the start. Sides are numbered
 * top, right, bottom, left = 0..3, and sets of sides are bit masks of them. A room that still has its
 * monster is a leaf: nobody ever walked on from there, so every other tile can be reached from every
 * other without a battle.
 *
 * The state is 1.6 kB of plain bytes; what it hides is the order of `deck` and `tokens`, and `rng`. */
#ifndef BW_MONADUNGEON_H
#define BW_MONADUNGEON_H

#include "engine/game.h"
#include "games/monadungeon/wire.h"

enum {
    BW_DUNGEON_SIDES = 4,
    BW_DUNGEON_FOUNTAINS = 3,  /* the start, and two more */
    BW_DUNGEON_LEGAL_MAX = 24, /* an upper bound of legal actions */
    BW_DUNGEON_TILE_TYPES = 10,
    BW_DUNGEON_TOKEN_TYPES = 10,
    BW_DUNGEON_QUICK_DECK = 40,
    BW_DUNGEON_NO_TORCHES = 0xffff, /* something is left to explore, or there is no limit */
};

/* A kind of tile in the box, and of token; the tables of the rules page. */
typedef struct bw_dungeon_tile_type {
    uint8_t sides, kind, count;
} bw_dungeon_tile_type;
extern const bw_dungeon_tile_type bw_dungeon_tile_types[BW_DUNGEON_TILE_TYPES];

typedef struct bw_dungeon_token_type {
    uint8_t monster, loot, count; /* monster or loot may be BW_DUNGEON_NONE */
} bw_dungeon_token_type;
extern const bw_dungeon_token_type bw_dungeon_token_types[BW_DUNGEON_TOKEN_TYPES];
enum { BW_DUNGEON_DRAGON_TOKEN = BW_DUNGEON_TOKEN_TYPES - 1 };

/* By item: the first and one past the last item of the same category; how many of them may be carried. */
typedef struct bw_dungeon_category {
    uint8_t first, end, limit;
} bw_dungeon_category;
extern const bw_dungeon_category bw_dungeon_categories[BW_DUNGEON_ITEM_COUNT];

extern const uint8_t bw_dungeon_monster_hp[BW_DUNGEON_DRAGON + 1];
extern const uint8_t bw_dungeon_item_damage[BW_DUNGEON_ITEM_COUNT]; /* weapons and fireball */
extern const uint8_t bw_dungeon_item_points[BW_DUNGEON_ITEM_COUNT];

typedef struct bw_dungeon_tile {
    int8_t x, y;
    uint8_t sides; /* open sides */
    uint8_t kind;
    uint8_t monster; /* living, or BW_DUNGEON_NONE */
    uint8_t loot;    /* lying here, or what the monster guards, or BW_DUNGEON_NONE */
    uint8_t edges;   /* open sides onto empty cells */
    uint8_t spare;
    uint8_t next[BW_DUNGEON_SIDES]; /* the tile through a passage, or BW_DUNGEON_NONE */
} bw_dungeon_tile;

typedef struct bw_dungeon_player {
    uint8_t at; /* tile */
    uint8_t hp;
    uint8_t stunned, cursed;
    uint8_t points;
    uint8_t bag[BW_DUNGEON_ITEM_COUNT]; /* number of each item */
    uint16_t hp_lost;
    uint16_t spare;
} bw_dungeon_player;

typedef struct bw_dungeon {
    bw_rng rng;
    uint32_t turn_number;
    uint16_t clear_edges;                         /* open sides onto empty cells, of tiles without a living monster */
    uint16_t torches;                             /* turns left of `lit_by` after this one, or BW_DUNGEON_NO_TORCHES */
    uint8_t max_hp, actions, torch_turns, lit_by; /* lit_by: seat, or BW_DUNGEON_NONE */
    uint8_t seats, active;                        /* bit sets: seats that play, seats that have not left */
    uint8_t current, over;                        /* over: 2 if the win was claimed */
    uint8_t actions_left, awaiting;               /* awaiting: bw_dungeon_awaiting or BW_DUNGEON_NONE */
    uint8_t tile_count, deck_left, tokens_left, rooms_left;
    uint8_t waiting; /* tile type, while AWAITS_PLACE */
    int8_t waiting_x, waiting_y;
    uint8_t waiting_side; /* the side of the player's tile on which it will go */
    uint8_t came_from;    /* tile, while AWAITS_BATTLE */
    uint8_t dice[2];
    uint8_t gates[2], fountains[BW_DUNGEON_FOUNTAINS], gate_count, fountain_count;
    uint8_t dragon, slayer; /* tile and seat, or BW_DUNGEON_NONE */
    uint8_t spare[6];
    bw_dungeon_player players[BW_DUNGEON_PLAYERS];
    bw_dungeon_tile tiles[BW_DUNGEON_TILES];
    uint8_t deck[BW_DUNGEON_POOL];     /* the next one is deck[deck_left - 1] */
    uint8_t tokens[BW_DUNGEON_TOKENS]; /* likewise */
    uint8_t spare_too[4];
} bw_dungeon;
_Static_assert(sizeof(bw_dungeon) == 1584, "no padding: the bytes are hashed");

extern const bw_game bw_monadungeon;

/* The concrete functions behind bw_monadungeon; see engine/game.h for what each promises. */
void bw_dungeon_init(bw_dungeon *dungeon, const bw_dungeon_config *config, uint32_t seats, const uint8_t seed[32]);
int bw_dungeon_apply(bw_dungeon *dungeon, int seat, const bw_dungeon_action *action, bw_events *events);
uint32_t bw_dungeon_legal(const bw_dungeon *dungeon, int seat, bw_dungeon_action *actions, uint32_t cap);
bool bw_dungeon_sample(const bw_dungeon *dungeon, int seat, bw_fast *fast, bw_dungeon_action *action);
int bw_dungeon_resign(bw_dungeon *dungeon, int seat, bw_events *events);
/* All others give up and the game is over: `seat` has won. */
int bw_dungeon_claim(bw_dungeon *dungeon, int seat, bw_events *events);
void bw_dungeon_view_of(const bw_dungeon *dungeon, bw_dungeon_view *view);
int bw_dungeon_guess(bw_dungeon *dungeon, const bw_dungeon_view *view, const bw_dungeon_config *config, uint64_t seed);
uint32_t bw_dungeon_winners(const bw_dungeon *dungeon);
void bw_dungeon_text(const void *view, bw_out *out);

/* ---- queries ---- */

extern const int8_t bw_dungeon_dx[BW_DUNGEON_SIDES], bw_dungeon_dy[BW_DUNGEON_SIDES];

/* The tile on a cell, or BW_DUNGEON_NONE. */
uint8_t bw_dungeon_tile_at(const bw_dungeon *dungeon, int x, int y);
/* The rotations that make a tile on `side` of another open toward it; returns how many. */
int bw_dungeon_rotations(uint8_t sides, int side, uint8_t rotations[4]);

static inline bool bw_dungeon_is_fountain(uint8_t kind) {
    return kind == BW_DUNGEON_FOUNTAIN || kind == BW_DUNGEON_START;
}

/* Where a gate leads; BW_DUNGEON_NONE if it is not a gate or the other one is undiscovered. */
static inline uint8_t bw_dungeon_other_gate(const bw_dungeon *dungeon, uint8_t at) {
    if (dungeon->gate_count < 2 || dungeon->tiles[at].kind != BW_DUNGEON_GATE) {
        return BW_DUNGEON_NONE;
    }
    return dungeon->gates[dungeon->gates[0] == at];
}

/* Is the bag full for the item's category? */
static inline bool bw_dungeon_bag_full(const bw_dungeon_player *player, uint8_t item) {
    const bw_dungeon_category *category = &bw_dungeon_categories[item];
    int carried = 0;
    for (int i = category->first; i < category->end; i++) carried += player->bag[i];
    return carried >= category->limit;
}

static inline int bw_dungeon_count_sides(unsigned sides) { return (int)((0x4332322132212110u >> (sides * 4)) & 15); }

static inline int bw_dungeon_weapon_damage(const bw_dungeon_player *player) {
    return player->bag[BW_DUNGEON_DAGGER] + 2 * player->bag[BW_DUNGEON_SWORD] + 3 * player->bag[BW_DUNGEON_AXE];
}

static inline uint8_t bw_dungeon_turned(uint8_t sides, unsigned quarter_turns) {
    return (uint8_t)(((sides << quarter_turns) | (sides >> (4 - quarter_turns))) & 15);
}

#endif
