/* Every position that a game of Flag War can reach, and its value when both sides play perfectly.
 *
 * Positions are found by playing every pair of orders with the real rules (bw_war_round), without the number of the
 * round: so `max_rounds` must be 0. This suits small games: one piece a side on 7x7 has some thousand positions, two
 * pieces tens of millions with thousands of pairs of orders each, which is too much for it.
 *
 *   war_graph_build(&g, &config, limit)       false: more positions than the limit, or too many orders
 *   war_graph_solve(&g, rounds, unfinished, at_least)   g.value: for blue, a win 1, a loss -1, nobody 0
 *   war_graph_free(&g)
 *
 * A value is rounded down (at_least) or up, so that the true one is in between. A game that is not over after `rounds` more
 * rounds counts as `unfinished`: with 0 it is drawn then; -1 and 1 give bounds of the game without a limit, for blue. */
#ifndef BW_CLI_WAR_GRAPH_H
#define BW_CLI_WAR_GRAPH_H

#include "cli/matrix_game.h"
#include "games/flag_war/flag_war.h"

/* Instead of a position: the game is over. */
enum {
    WAR_GRAPH_BLUE = INT32_MAX - 2,
    WAR_GRAPH_RED,
    WAR_GRAPH_NOBODY,
    WAR_GRAPH_MOVES = MATRIX_MAX, /* a side's orders in a position, at most */
};

typedef struct war_graph {
    bw_war_state *states; /* 0: the start */
    uint32_t count, cap, limit;
    uint32_t *table, mask; /* by hash: index + 1 */
    size_t *first;         /* by position: where its pairs begin in `next` */
    uint8_t (*moves)[BW_WAR_TEAMS];
    uint32_t *next; /* blue's orders x red's orders: the position that follows, or how the game ends */
    size_t next_count, next_cap;
    double *value;
} war_graph;

bool war_graph_build(war_graph *g, const bw_war_state *start, uint32_t limit);
void war_graph_free(war_graph *g);
void war_graph_solve(war_graph *g, int rounds, double unfinished, bool at_least);
/* How a side plays best in a position, by the values of the last solution. */
void war_graph_mix(const war_graph *g, uint32_t position, int team, double mix[WAR_GRAPH_MOVES]);

/* The position's index, whatever its round; WAR_GRAPH_NOBODY: it is not in the graph. */
uint32_t war_graph_find(const war_graph *g, const bw_war_state *state);
static inline uint32_t war_graph_next(const war_graph *g, uint32_t position, int blue, int red) {
    return g->next[g->first[position] + (size_t)blue * g->moves[position][BW_WAR_RED] + (size_t)red];
}
static inline double war_graph_worth(const double *values, uint32_t position) {
    if (position < WAR_GRAPH_BLUE) return values[position];
    return position == WAR_GRAPH_BLUE ? 1 : position == WAR_GRAPH_RED ? -1 : 0;
}
/* The orders of a side that differ from one another. Returns how many; more than WAR_GRAPH_MOVES: too many. */
int war_graph_moves(const bw_war_state *state, int team, bw_war_orders *moves);
/* Which of them some orders amount to. */
int war_graph_move_of(const bw_war_state *state, int team, const bw_war_orders *orders);

#endif
