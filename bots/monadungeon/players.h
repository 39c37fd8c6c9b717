/* Players of Monadungeon: easy, normal, hard.
 *
 *   easy     sees the same goals, values them as a beginner would, and sometimes just does something
 *   normal   goes for the best goal by exact odds and real distances (policy.h)
 *   hard     looks ahead (search.h)
 *
 * None of them ever waits where something can still be done, so games of bots end. */
#ifndef BW_DUNGEON_BOTS_H
#define BW_DUNGEON_BOTS_H

#include "bots/bots.h"

enum { BW_DUNGEON_BOTS = 3 };
extern const bw_bot *const bw_dungeon_levels[BW_DUNGEON_BOTS];

#endif
