/* Players of Flooded Island, for both seats: easy, normal, hard, perfect.
 *
 * All but easy think with patterns (patterns.h): how many days ahead, and how many patterns they keep, is
 * their strength. Perfect weather keeps to the winning line that the patterns prove from the start (10x10
 * with two floods: at most 23 moves of the adventurer); the perfect adventurer goes where it is trapped
 * last. Where no pattern decides, both go by how far the weather is from its nearest one. */
#ifndef BW_ISLAND_PLAYERS_H
#define BW_ISLAND_PLAYERS_H

#include "bots/review.h"

enum { BW_ISLAND_PLAYERS = 4 };
extern const bw_bot *const bw_island_levels[BW_ISLAND_PLAYERS];

extern const bw_insight bw_island_insight; /* for looking back at a game */

#endif
