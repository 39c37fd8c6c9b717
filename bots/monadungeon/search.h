/* Looking ahead: what comes of each choice, over positions that agree with what is seen.
 *
 * Determinised search (as Ginsberg 2001 for bridge): for each of many guesses of what is hidden, every
 * choice is tried and played on by the policy, for everybody, some turns far; the choice with the best mean
 * is taken. All choices meet the same guesses, so luck that they share cancels out. After every round the
 * worse half of the choices is dropped (sequential halving, Karnin, Koren, Somekh 2013). */
#ifndef BW_DUNGEON_SEARCH_H
#define BW_DUNGEON_SEARCH_H

#include "bots/bots.h"
#include "bots/monadungeon/policy.h"

typedef struct bw_dungeon_lookout {
    int guesses; /* rollouts of the first round; each later one has as many */
    int turns;   /* length of a rollout, in turns of each player */
} bw_dungeon_lookout;

enum { BW_DUNGEON_CHOICES_MAX = 8 };

/* The action of the seat to move; deterministic in the view and thinking->seed. false: the view is not a position,
 * or nothing is legal. */
bool bw_dungeon_search(const bw_dungeon_view *view, const bw_dungeon_config *config, int seat,
                       const bw_dungeon_lookout *lookout, bw_thinking *thinking, bw_dungeon_action *action);

#endif
