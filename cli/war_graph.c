#include "cli/war_graph.h"
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- orders ---- */

/* Where a piece can be after its move; first where it stands. */
static int squares_of(const bw_war_state *state, int piece, bw_war_spot *squares) {
    const bw_war_config *config = &state->config;
    int team = bw_war_team_of(piece), count = 0;
    bw_war_spot from = bw_war_departs(state, piece);
    squares[count++] = from;
    if (from == BW_WAR_NOWHERE) return count;
    /* A rescuer drops the flag before it moves: by then the zone is active again. */
    int carrier = (int)state->carrier[team] - 1;
    bool zone = carrier < 0 || bw_war_is(state->rescuing, carrier);
    for (int y = 0; y < config->height; y++) {
        for (int x = 0; x < config->width; x++) {
            bw_war_spot to = bw_war_square(x, y);
            bool closed = zone && bw_war_guarded(config, team, to);
            if (to != from && !closed && bw_war_reaches(config, from, to)) squares[count++] = to;
        }
    }
    return count;
}

int war_graph_moves(const bw_war_state *state, int team, bw_war_orders *moves) {
    bw_war_spot squares[BW_WAR_SIDE_MAX * BW_WAR_SIDE_MAX];
    int count = 1;
    bw_war_orders_clear(&moves[0]);
    for (int index = 0; index < state->config.pieces; index++) {
        int piece = bw_war_piece(team, index), here = squares_of(state, piece, squares), before = count;
        if (before * here > WAR_GRAPH_MOVES) return WAR_GRAPH_MOVES + 1;
        count = before * here;
        for (int k = count; k-- > 0;) { /* from the end, so that what is copied is still as it was */
            moves[k] = moves[k / here];
            moves[k].to[piece] = squares[k % here];
        }
    }
    return count;
}

int war_graph_move_of(const bw_war_state *state, int team, const bw_war_orders *orders) {
    bw_war_spot squares[BW_WAR_SIDE_MAX * BW_WAR_SIDE_MAX];
    int move = 0;
    for (int index = 0; index < state->config.pieces; index++) {
        int piece = bw_war_piece(team, index), here = squares_of(state, piece, squares), which = 0;
        for (int k = 1; k < here; k++) which = squares[k] == orders->to[piece] ? k : which;
        move = move * here + which;
    }
    return move;
}

/* ---- positions ---- */

/* What a position does not depend on. */
static bw_war_state plain(const bw_war_state *state) {
    bw_war_state copy = *state;
    copy.round = copy.rescues = copy.jailings[0] = copy.jailings[1] = 0;
    return copy;
}

static uint32_t hash_of(const bw_war_state *state) {
    const unsigned char *bytes = (const unsigned char *)state;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = sizeof state->config; i < sizeof *state; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return (uint32_t)(hash ^ hash >> 32);
}

static uint32_t *slot_of(const war_graph *g, const bw_war_state *state) {
    uint32_t at = hash_of(state) & g->mask;
    while (g->table[at] && memcmp(&g->states[g->table[at] - 1], state, sizeof *state) != 0) at = (at + 1) & g->mask;
    return &g->table[at];
}

uint32_t war_graph_find(const war_graph *g, const bw_war_state *state) {
    bw_war_state copy = plain(state);
    uint32_t found = *slot_of(g, &copy);
    return found ? found - 1 : WAR_GRAPH_NOBODY;
}

static uint32_t enter(war_graph *g, const bw_war_state *state) {
    if (state->over) {
        return state->winners == 1 ? WAR_GRAPH_BLUE : state->winners == 2 ? WAR_GRAPH_RED : WAR_GRAPH_NOBODY;
    }
    bw_war_state copy = plain(state);
    uint32_t *slot = slot_of(g, &copy);
    if (*slot) return *slot - 1;
    if (g->count == g->cap) {
        g->cap *= 2;
        g->states = cli_more(g->states, g->cap * sizeof *g->states);
        g->first = cli_more(g->first, g->cap * sizeof *g->first);
        g->moves = cli_more(g->moves, g->cap * sizeof *g->moves);
    }
    g->states[g->count] = copy;
    *slot = ++g->count;
    return g->count - 1;
}

static bool expand(war_graph *g, uint32_t position) {
    bw_war_orders moves[BW_WAR_TEAMS][WAR_GRAPH_MOVES];
    const bw_war_state state = g->states[position];
    int count[BW_WAR_TEAMS];
    for (int team = 0; team < BW_WAR_TEAMS; team++) {
        count[team] = war_graph_moves(&state, team, moves[team]);
        if (count[team] > WAR_GRAPH_MOVES) return false;
        g->moves[position][team] = (uint8_t)count[team];
    }
    g->first[position] = g->next_count;
    if (g->next_count + WAR_GRAPH_MOVES * WAR_GRAPH_MOVES > g->next_cap) {
        g->next_cap = 2 * g->next_cap + WAR_GRAPH_MOVES * WAR_GRAPH_MOVES;
        g->next = cli_more(g->next, g->next_cap * sizeof *g->next);
    }
    for (int blue = 0; blue < count[BW_WAR_BLUE]; blue++) {
        for (int red = 0; red < count[BW_WAR_RED]; red++) {
            bw_war_state after = state;
            bw_war_orders both = moves[BW_WAR_BLUE][blue];
            memcpy(&both.to[BW_WAR_TEAM_MAX], &moves[BW_WAR_RED][red].to[BW_WAR_TEAM_MAX], sizeof both.to / 2);
            bw_war_round(&after, &both, NULL);
            if (g->count >= g->limit) return false;
            g->next[g->next_count++] = enter(g, &after);
        }
    }
    return true;
}

bool war_graph_build(war_graph *g, const bw_war_state *start, uint32_t limit) {
    *g = (war_graph){.cap = 1024, .limit = limit, .mask = 1023};
    while (g->mask < 2 * (uint64_t)limit) g->mask = 2 * g->mask + 1;
    g->table = cli_memory(((size_t)g->mask + 1) * sizeof *g->table);
    g->states = cli_memory(g->cap * sizeof *g->states);
    g->first = cli_memory(g->cap * sizeof *g->first);
    g->moves = cli_memory(g->cap * sizeof *g->moves);
    enter(g, start);
    for (uint32_t position = 0; position < g->count; position++) {
        if (!expand(g, position)) return false;
    }
    g->value = cli_memory(g->count * sizeof *g->value);
    return true;
}

void war_graph_free(war_graph *g) {
    free(g->states), free(g->table), free(g->first), free(g->moves), free(g->next), free(g->value);
    memset(g, 0, sizeof *g);
}

/* ---- values ---- */

static void payoffs(const war_graph *g, uint32_t position, double *payoff) {
    int pairs = g->moves[position][BW_WAR_BLUE] * g->moves[position][BW_WAR_RED];
    for (int k = 0; k < pairs; k++) payoff[k] = war_graph_worth(g->value, g->next[g->first[position] + (size_t)k]);
}

typedef struct desk {
    double payoff[WAR_GRAPH_MOVES * WAR_GRAPH_MOVES], work[(WAR_GRAPH_MOVES + 1) * (WAR_GRAPH_MOVES + 1)];
    double mix[BW_WAR_TEAMS][WAR_GRAPH_MOVES];
} desk;

/* Is there a pair of orders that neither side would leave? Then the value is its payoff: no need for mixing. */
static bool saddle(const double *payoff, int rows, int columns, double *value) {
    double low = -2, high = 2;
    for (int i = 0; i < rows; i++) {
        double least = 2;
        for (int j = 0; j < columns; j++) least = fmin(least, payoff[i * columns + j]);
        low = fmax(low, least);
    }
    for (int j = 0; j < columns; j++) {
        double most = -2;
        for (int i = 0; i < rows; i++) most = fmax(most, payoff[i * columns + j]);
        high = fmin(high, most);
    }
    *value = low;
    return low == high;
}

/* What blue gets at least by its mix, or at most against red's: however pivots are rounded, a guarantee holds. */
static double solve(const war_graph *g, uint32_t position, bool at_least, desk *d) {
    int rows = g->moves[position][BW_WAR_BLUE], columns = g->moves[position][BW_WAR_RED];
    double value, low = 0, high = 0;
    payoffs(g, position, d->payoff);
    if (saddle(d->payoff, rows, columns, &value)) return value;
    matrix_solve(d->payoff, rows, columns, d->work, d->mix[0], d->mix[1]);
    matrix_guarantees(d->payoff, rows, columns, d->mix[0], d->mix[1], &low, &high);
    return at_least ? low : high;
}

void war_graph_solve(war_graph *g, int rounds, double unfinished, bool at_least) {
    desk *d = cli_memory(sizeof *d);
    double *later = cli_memory(g->count * sizeof *later);
    double change = 1;
    for (uint32_t i = 0; i < g->count; i++) g->value[i] = unfinished;
    for (int round = 0; round < rounds && change > 0; round++) {
        change = 0;
        for (uint32_t i = 0; i < g->count; i++) {
            later[i] = solve(g, i, at_least, d);
            change = fmax(change, fabs(later[i] - g->value[i]));
        }
        double *kept = g->value;
        g->value = later, later = kept;
    }
    free(later);
    free(d);
}

void war_graph_mix(const war_graph *g, uint32_t position, int team, double mix[WAR_GRAPH_MOVES]) {
    desk *d = cli_memory(sizeof *d);
    payoffs(g, position, d->payoff);
    matrix_solve(d->payoff, g->moves[position][BW_WAR_BLUE], g->moves[position][BW_WAR_RED], d->work, d->mix[0],
                 d->mix[1]);
    memcpy(mix, d->mix[team], sizeof d->mix[team]);
    free(d);
}
