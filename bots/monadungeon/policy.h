/* What to do next in a dungeon: goals within reach, their worth, and the action that leads there.
 *
 * A goal is a tile and what to do there. Distances are those of real passages and gates; a tile with a
 * living monster is an end of the way. Everything is bounded: at most one look at each tile. */
#ifndef BW_DUNGEON_POLICY_H
#define BW_DUNGEON_POLICY_H

#include "bots/monadungeon/judge.h"

typedef enum bw_dungeon_aim {
    BW_DUNGEON_AIM_ENTER,   /* fight there */
    BW_DUNGEON_AIM_EXPLORE, /* draw a tile from there */
    BW_DUNGEON_AIM_TAKE,    /* pick up */
    BW_DUNGEON_AIM_OPEN,    /* the chest */
    BW_DUNGEON_AIM_REST,    /* heal */
    BW_DUNGEON_AIM_WAIT,    /* end the turn */
} bw_dungeon_aim;

typedef struct bw_dungeon_goal {
    int32_t worth; /* by now: distance and turns are counted in */
    uint8_t aim, tile, distance, drop;
} bw_dungeon_goal;

typedef struct bw_dungeon_ways {
    uint8_t distance[BW_DUNGEON_TILES]; /* moves; BW_DUNGEON_NONE: out of reach */
    uint8_t before[BW_DUNGEON_TILES];   /* the tile one comes from */
    uint8_t order[BW_DUNGEON_TILES];    /* those within reach, nearest first */
    int count;
} bw_dungeon_ways;

/* Breadth first (Moore 1959) from a tile. */
void bw_dungeon_find_ways(const bw_dungeon *dungeon, uint8_t from, bw_dungeon_ways *ways);

enum { BW_DUNGEON_GOALS_MAX = 2 * BW_DUNGEON_TILES + 2 };

/* The goals of the seat to move, while nothing is awaited. Returns how many; there is always one. */
int bw_dungeon_find_goals(bw_dungeon_judge *judge, const bw_dungeon_ways *ways, bw_dungeon_goal *goals);
/* The best of them; where none is worth anything, the least harmful that goes on, until the torches burn. */
const bw_dungeon_goal *bw_dungeon_best_goal(const bw_dungeon *dungeon, const bw_dungeon_goal *goals, int count);
/* The action toward a goal. */
void bw_dungeon_pursue(const bw_dungeon *dungeon, const bw_dungeon_ways *ways, const bw_dungeon_goal *goal,
                       bw_dungeon_action *action);
/* The action where something is awaited (a tile, a battle, loot), or a spell that should be cast now.
 * false: neither; look for a goal. */
bool bw_dungeon_reflex(bw_dungeon_judge *judge, bw_dungeon_action *action);
/* Should the way to a goal be a teleport? Then that is the action. */
bool bw_dungeon_by_teleport(const bw_dungeon_judge *judge, const bw_dungeon_goal *goal, bw_dungeon_action *action);
/* How good it is to lay the waiting tile with a rotation; for comparison only. */
int bw_dungeon_fit(const bw_dungeon *dungeon, uint8_t rotation);

/* All of it: the action of the seat to move. */
void bw_dungeon_choose(const bw_dungeon *dungeon, const bw_dungeon_taste *taste, bw_dungeon_action *action);

#endif
