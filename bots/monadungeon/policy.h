/* What to do next in a dungeon: goals within reach, their value, and the action that leads there.
 *
 * A goal is a tile and what to do there. Distances follow real passages and gates; a tile with a living monster is a
 * dead end. Everything is bounded: each tile is visited at most once. */
#ifndef BW_DUNGEON_POLICY_H
#define BW_DUNGEON_POLICY_H

#include "bots/monadungeon/evaluator.h"

typedef enum bw_dungeon_aim {
    BW_DUNGEON_AIM_ENTER,   /* fight there */
    BW_DUNGEON_AIM_EXPLORE, /* draw a tile from there */
    BW_DUNGEON_AIM_TAKE,    /* pick up */
    BW_DUNGEON_AIM_OPEN,    /* the chest */
    BW_DUNGEON_AIM_REST,    /* heal */
    BW_DUNGEON_AIM_WAIT,    /* end the turn */
} bw_dungeon_aim;

typedef struct bw_dungeon_goal {
    int32_t worth; /* current value, with distance and turns taken into account */
    uint8_t aim, tile, distance, drop;
} bw_dungeon_goal;

typedef struct bw_dungeon_ways {
    uint8_t distance[BW_DUNGEON_TILES]; /* moves; BW_DUNGEON_NONE: out of reach */
    uint8_t before[BW_DUNGEON_TILES];   /* the previous tile on the way */
    uint8_t order[BW_DUNGEON_TILES];    /* tiles within reach, nearest first */
    int count;
} bw_dungeon_ways;

/* Breadth-first search (Moore 1959) from a tile. */
void bw_dungeon_find_ways(const bw_dungeon *dungeon, uint8_t from, bw_dungeon_ways *ways);
/* The same, but only until it is known how to get to a tile. false: it is out of reach. */
bool bw_dungeon_find_way(const bw_dungeon *dungeon, uint8_t from, uint8_t to, bw_dungeon_ways *ways);

enum { BW_DUNGEON_GOALS_MAX = 2 * BW_DUNGEON_TILES + 2 };

/* The goals of the seat to move, if nothing is awaited. Returns how many; there is always one. */
int bw_dungeon_find_goals(bw_dungeon_evaluator *eval, const bw_dungeon_ways *ways, bw_dungeon_goal *goals);
/* The best goal. If none has a value, the least harmful one that makes progress, until the torches burn. */
const bw_dungeon_goal *bw_dungeon_best_goal(const bw_dungeon *dungeon, const bw_dungeon_goal *goals, int count);
/* The action toward a goal. */
void bw_dungeon_pursue(const bw_dungeon *dungeon, const bw_dungeon_ways *ways, const bw_dungeon_goal *goal,
                       bw_dungeon_action *action);
/* The action if something is awaited (a tile, a battle, loot), or a spell that should be cast now. false: neither;
 * look for a goal. */
bool bw_dungeon_reflex(bw_dungeon_evaluator *eval, bw_dungeon_action *action);
/* Should the player teleport towards a goal? Then this is the action. */
bool bw_dungeon_by_teleport(const bw_dungeon_evaluator *eval, const bw_dungeon_goal *goal, bw_dungeon_action *action);

/* All of the above: the action of the seat to move. It looks no further than where nothing better can be. */
void bw_dungeon_choose(const bw_dungeon *dungeon, const bw_dungeon_weights *weights, bw_dungeon_action *action);
/* The same, with an evaluator of the position for the seat to move. */
void bw_dungeon_choose_by(bw_dungeon_evaluator *eval, bw_dungeon_action *action);

#endif
