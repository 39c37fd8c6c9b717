/* What things are worth in a dungeon, to one seat: loot, battles by exact odds, hit points, the unknown.
 *
 * Worth is counted in hundredths of a victory point. A bw_dungeon_judge looks at one position for one
 * seat, is filled by bw_dungeon_judge_begin, and keeps what it has worked out about battles. */
#ifndef BW_DUNGEON_JUDGE_H
#define BW_DUNGEON_JUDGE_H

#include "games/monadungeon/monadungeon.h"

enum { BW_DUNGEON_NOT_JUDGED = INT32_MIN };

/* What a player makes of things, in hundredths of a victory point: T(name, sound, tuned). The sound numbers
 * were written down by reason; the tuned ones were found from them by self-play (bench_dungeon). */
#define BW_DUNGEON_TASTES(T)                                                  \
    T(winning, 1500, 815) /* to end the game ahead */                         \
    T(sharing, 500, 500)  /* to end it level */                               \
    T(idle, 8, 8)         /* a turn that came to nothing costs this */        \
    T(opening, 14, 14)    /* the labyrinth grows: ways, gates, the dragon */  \
    T(damage, 62, 167)    /* the first more damage by a weapon */             \
    T(damage_less, 6, 6)  /* each further one is worth so much less */        \
    T(fireball, 22, 107)                                                      \
    T(fireball_more, 3, 3) /* for each damage of the weapons */               \
    T(teleport, 12, 12)                                                       \
    T(portal, 26, 13)                                                         \
    T(key, 130, 105)       /* while a locked chest lies somewhere */          \
    T(key_early, 70, 70)   /* while none does */                              \
    T(chest, 220, 103)     /* two points, and a hand free for the next key */ \
    T(chest_found, 30, 51) /* without a key */                                \
    T(fallen, 200, 200)                                                       \
    T(clear, 6, 6)       /* a room without its monster is a way on */         \
    T(loss, 6, 6)        /* a hit point lost */                               \
    T(loss_near, 20, 20) /* divided by those left */                          \
    T(stun, 90, 44)      /* the last one lost */                              \
    T(heal, 7, 7)        /* each hit point back */                            \
    T(heal_two, 25, 32)  /* from two left */                                  \
    T(heal_one, 70, 70)  /* from the last one */                              \
    T(haste, 125, 291)   /* thousandths that each turn of delay takes */      \
    T(step, 2, 1)        /* each move of the way */
#define BW_DUNGEON_TASTE_FIELD(name, sound, tuned) int16_t name;
typedef struct bw_dungeon_taste {
    BW_DUNGEON_TASTES(BW_DUNGEON_TASTE_FIELD)
} bw_dungeon_taste;
extern const bw_dungeon_taste bw_dungeon_sound, bw_dungeon_tuned;

typedef struct bw_dungeon_judge {
    const bw_dungeon *dungeon;
    const bw_dungeon_player *me;
    const bw_dungeon_taste *taste;
    int seat;
    int bonus;                                 /* damage of the weapons carried */
    int fireballs;                             /* carried */
    int lead;                                  /* points ahead of the best of the others, after beating the dragon */
    int chests;                                /* locked ones that lie */
    int32_t fights[BW_DUNGEON_TOKEN_TYPES][2]; /* by token and whether a retreat leads onto a fountain */
} bw_dungeon_judge;

void bw_dungeon_judge_begin(bw_dungeon_judge *judge, const bw_dungeon *dungeon, int seat,
                            const bw_dungeon_taste *taste);

/* What a fireball is worth. */
int32_t bw_dungeon_fireball_worth(const bw_dungeon_judge *judge);

/* Of the 36 rolls of two dice, those with a sum above `sum`. */
int bw_dungeon_rolls_above(int sum);
/* What an item that lies somewhere is worth, with the best swap where the bag is full. `drop` receives what
 * to drop, BW_DUNGEON_NONE: nothing. A chest: what opening it is worth, 0 without a key. */
int32_t bw_dungeon_worth(const bw_dungeon_judge *judge, uint8_t item, uint8_t *drop);
/* What it costs to lose a battle. */
int32_t bw_dungeon_loss(const bw_dungeon_judge *judge, bool onto_fountain);
/* What entering a tile with this monster is worth, over all rolls, fireballs used as best. */
int32_t bw_dungeon_fight_worth(bw_dungeon_judge *judge, uint8_t monster, uint8_t loot, bool onto_fountain);
/* How many fireballs to use after a roll that made this damage; `gain` as of bw_dungeon_win_worth. */
int bw_dungeon_fireballs_for(const bw_dungeon_judge *judge, int damage, int hp, int32_t gain, int32_t loss);
/* What the win itself is worth. */
int32_t bw_dungeon_win_worth(const bw_dungeon_judge *judge, uint8_t monster, uint8_t loot);
/* What entering a tile that is not drawn yet is worth. */
int32_t bw_dungeon_unknown_worth(bw_dungeon_judge *judge, bool onto_fountain);
/* What it is worth to have all hit points back. */
int32_t bw_dungeon_healing_worth(const bw_dungeon_judge *judge);

#endif
