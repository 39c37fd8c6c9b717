/* Flag War's players.
 *
 *   easy    orders one piece at a time, often anywhere
 *   normal  orders some of its pieces, by what looks best against a few replies
 *   hard    treats a round as what it is, a simultaneous choice: payoffs of its candidate orders against
 *           the enemy's come from playouts, and its orders are drawn from an equilibrium of that matrix
 *
 * Effort counts playouts, so that an answer is the same on every machine. */
#ifndef BW_FLAG_WAR_PLAYERS_H
#define BW_FLAG_WAR_PLAYERS_H

#include "bots/review.h"
#include "games/flag_war/flag_war.h"

extern const bw_bot *const bw_war_levels[3];
extern const bw_bot bw_war_hard;

/* The orders of a team's pieces on the board as actions: the last step of the easy and hard players. */
uint32_t bw_war_give(const bw_war_state *state, int team, const bw_war_orders *orders, void *actions, uint32_t cap);

extern const bw_insight bw_war_insight; /* for looking back at a game */

#endif
