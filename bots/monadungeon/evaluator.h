/* The value of things in a dungeon to one seat: loot, battles by exact odds, hit points, the unknown.
 *
 * Values are in hundredths of a victory point. A bw_dungeon_evaluator evaluates one position for one seat;
 * bw_dungeon_evaluator_begin fills it. It caches what it finds out about battles and items, and
 * bw_dungeon_evaluator_again keeps that for a later position if it depends on nothing that has changed. */
#ifndef BW_DUNGEON_EVALUATOR_H
#define BW_DUNGEON_EVALUATOR_H

#include "games/monadungeon/monadungeon.h"

enum { BW_DUNGEON_NOT_EVALUATED = INT32_MIN };

/* A player's weights, in hundredths of a victory point: T(name, sound, tuned). The sound numbers were chosen by
 * hand; the tuned ones were found from them by self-play (bench_dungeon). */
#define BW_DUNGEON_WEIGHTS(T)                                                  \
    T(winning, 1500, 815) /* ending the game ahead */                          \
    T(sharing, 500, 500)  /* ending the game level */                          \
    T(idle, 8, 8)         /* the cost of a wasted turn */                      \
    T(opening, 14, 14)    /* growing the labyrinth: ways, gates, the dragon */ \
    T(damage, 62, 167)    /* the first additional damage by a weapon */        \
    T(damage_less, 6, 6)  /* how much less each further one is worth */        \
    T(fireball, 22, 107)                                                       \
    T(fireball_more, 3, 3) /* for each point of weapon damage */               \
    T(teleport, 12, 12)                                                        \
    T(portal, 26, 13)                                                          \
    T(key, 130, 105)       /* while there is a locked chest */                 \
    T(key_early, 70, 70)   /* while there is none */                           \
    T(chest, 220, 103)     /* two points, and room for the next key */         \
    T(chest_found, 30, 51) /* without a key */                                 \
    T(fallen, 200, 200)                                                        \
    T(clear, 6, 6)       /* a room without a monster is a way on */            \
    T(loss, 6, 6)        /* losing a hit point */                              \
    T(loss_near, 20, 20) /* divided by the hit points left */                  \
    T(stun, 90, 44)      /* losing the last one */                             \
    T(heal, 7, 7)        /* each restored hit point */                         \
    T(heal_two, 25, 32)  /* from two hit points */                             \
    T(heal_one, 70, 70)  /* from the last hit point */                         \
    T(haste, 125, 291)   /* thousandths lost per turn of delay */              \
    T(step, 2, 1)        /* each move on the way */
#define BW_DUNGEON_WEIGHT_FIELD(name, sound, tuned) int16_t name;
typedef struct bw_dungeon_weights {
    BW_DUNGEON_WEIGHTS(BW_DUNGEON_WEIGHT_FIELD)
} bw_dungeon_weights;
extern const bw_dungeon_weights bw_dungeon_sound, bw_dungeon_tuned;

/* What the values of items and battles depend on, apart from the weights. */
typedef struct bw_dungeon_stand {
    uint8_t bag[BW_DUNGEON_ITEM_COUNT];
    uint8_t hp;
    bool chests, tokens; /* there are locked chests on the map; tokens to come */
    int8_t lead;         /* the sign of `lead` below */
    bool known;
} bw_dungeon_stand;

typedef struct bw_dungeon_evaluator {
    const bw_dungeon *dungeon;
    const bw_dungeon_player *me;
    const bw_dungeon_weights *weights;
    int seat;
    int bonus;                                 /* damage of carried weapons */
    int fireballs;                             /* carried */
    int lead;                                  /* points ahead of the best of the others after beating the dragon */
    uint32_t monsters, items;                  /* on the map: types of tokens with a living monster, and lying items */
    bool odd;                                  /* a monster on the map is that of no token */
    bw_dungeon_stand stand;                    /* to which what follows belongs */
    int32_t fights[BW_DUNGEON_TOKEN_TYPES][2]; /* by token, and whether a retreat leads onto a fountain */
    int32_t worths[BW_DUNGEON_ITEM_COUNT];
    uint8_t drops[BW_DUNGEON_ITEM_COUNT];
} bw_dungeon_evaluator;

void bw_dungeon_evaluator_begin(bw_dungeon_evaluator *eval, const bw_dungeon *dungeon, int seat,
                                const bw_dungeon_weights *weights);
/* The same seat and weights, another position. */
void bw_dungeon_evaluator_again(bw_dungeon_evaluator *eval, const bw_dungeon *dungeon);

/* The value of a fireball. */
int32_t bw_dungeon_fireball_worth(const bw_dungeon_evaluator *eval);

/* The number of rolls of two dice, of 36, with a sum above `sum`. */
int bw_dungeon_rolls_above(int sum);
/* The value of an item on the map, with the best swap if the bag is full. `drop` receives what to drop,
 * BW_DUNGEON_NONE: nothing. A chest: the value of opening it, 0 without a key. */
int32_t bw_dungeon_worth(bw_dungeon_evaluator *eval, uint8_t item, uint8_t *drop);
/* The cost of losing a battle. */
int32_t bw_dungeon_loss(const bw_dungeon_evaluator *eval, bool onto_fountain);
/* The value of entering a tile with this monster, over all rolls, with the best use of fireballs. */
int32_t bw_dungeon_fight_worth(bw_dungeon_evaluator *eval, uint8_t monster, uint8_t loot, bool onto_fountain);
/* How many fireballs to use after a roll with this damage; `gain` as from bw_dungeon_win_worth. */
int bw_dungeon_fireballs_for(const bw_dungeon_evaluator *eval, int damage, int hp, int32_t gain, int32_t loss);
/* The value of winning. */
int32_t bw_dungeon_win_worth(bw_dungeon_evaluator *eval, uint8_t monster, uint8_t loot);
/* The value of entering a tile that is not drawn yet. */
int32_t bw_dungeon_unknown_worth(bw_dungeon_evaluator *eval, bool onto_fountain);
/* The value of restoring all hit points. */
int32_t bw_dungeon_healing_worth(const bw_dungeon_evaluator *eval);
/* No living monster and no lying item on the map is worth more than this, nor is an undrawn tile or a fountain. */
int32_t bw_dungeon_most_worth(bw_dungeon_evaluator *eval);
/* Whether the seat could beat a monster, and wants to. Ending the game behind means losing it; and a player who tries
 * the impossible may try it for ever. */
bool bw_dungeon_worth_trying(const bw_dungeon_evaluator *eval, uint8_t monster);

#endif
