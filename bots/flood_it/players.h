/* Players of Flood-It, for the seats of a race: easy, normal, hard, perfect.
 *
 * easy takes any colour that absorbs something, normal the one that absorbs most, hard the first move of a
 * narrow beam, perfect the first move of the solver's line (proven optimal on everyday boards, else the
 * best that its budget finds). Each decision is made anew from the board as it stands. */
#ifndef BW_FLOOD_IT_PLAYERS_H
#define BW_FLOOD_IT_PLAYERS_H

#include "bots/review.h"

enum { BW_FLOODIT_PLAYERS = 4 };
extern const bw_bot *const bw_floodit_levels[BW_FLOODIT_PLAYERS];

extern const bw_insight bw_floodit_insight; /* for looking back at a game */

#endif
