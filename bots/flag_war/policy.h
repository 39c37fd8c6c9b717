/* What a piece might sensibly do next, quickly: the moves that Flag War's players think with.
 *
 *   to = bw_war_idea(&state, piece, &fast);          // an idea for one piece
 *   bw_war_ideas(&state, team, &orders, &fast);      // for a team, avoiding its own collisions
 *   value = bw_war_playout(&state, rounds, &fast);   // both teams by ideas; for blue
 *
 * An idea is drawn at random: carriers go home, others go for the enemy's flag, for their key, after
 * intruders, or anywhere. Every idea can be followed, and none leads into the own active zone. */
#ifndef BW_FLAG_WAR_POLICY_H
#define BW_FLAG_WAR_POLICY_H

#include "games/flag_war/flag_war.h"

/* One move towards a target: all the way if the rules allow, else along one axis. */
bw_war_spot bw_war_head_for(const bw_war_config *config, bw_war_spot from, bw_war_spot target, bool rows_first);

/* BW_WAR_NOWHERE for a piece in jail. */
bw_war_spot bw_war_idea(const bw_war_state *state, int piece, bw_fast *fast);
/* A random square that the piece reaches and may enter. */
bw_war_spot bw_war_random_move(const bw_war_state *state, int piece, bw_fast *fast);
/* Fills the orders of one team and leaves those of the other unchanged. On average `random_of_16` of 16 moves are random. */
void bw_war_ideas(const bw_war_state *state, int team, uint32_t random_of_16, bw_war_orders *orders, bw_fast *fast);
/* Plays at most that many rounds; -1000 .. 1000 for blue, earlier ends weigh more. Changes `state`. */
int32_t bw_war_playout(bw_war_state *state, int rounds, bw_fast *fast);

#endif
