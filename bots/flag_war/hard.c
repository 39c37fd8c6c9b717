/* The hard player: a round as a matrix game.
 *
 * 1. For each side, a pool of joint orders: ideas, ideas mixed with random moves, and standing still.
 * 2. A tournament of the pools by playouts keeps the most promising of each side.
 * 3. Every pair of those is played out equally often; regret matching finds an equilibrium.
 * 4. The rest of each pool is tried against the enemy's mix; the best replies join the matrix, and step 3 is
 *    repeated (a double oracle: McMahan, Gordon, Blum 2003).
 * 5. The orders are drawn from the side's own mix, without its very rare choices. */
#include <string.h>

#include "bots/flag_war/players.h"
#include "bots/flag_war/policy.h"
#include "bots/flag_war/regret.h"

enum {
    POOL = 96,  /* joint orders considered for each side */
    FIRST = 14, /* that enter the matrix first */
    JOIN = 3,   /* best replies that join at each step */
    STEPS = 4,  /* of the double oracle */
    AHEAD = 9,  /* rounds of a playout */
    ITERATIONS = 600,
    RARE = BW_REGRET_ONE / 25,
};

typedef struct candidate {
    bw_war_orders orders;
    int64_t sum; /* sum of playouts in the tournament, for its own side */
    int32_t count;
    bool chosen;
} candidate;

typedef struct mind {
    bw_war_state state;
    bw_thinking *thinking;
    bw_fast fast;
    bool hurry;
    uint32_t until_asked;
    int pool_count[BW_WAR_TEAMS], count[BW_WAR_TEAMS];
    candidate pool[BW_WAR_TEAMS][POOL];
    int chosen[BW_WAR_TEAMS][BW_REGRET_MAX];   /* indices into the pools */
    int64_t sum[BW_REGRET_MAX][BW_REGRET_MAX]; /* sum of playouts, for blue */
    int32_t plays[BW_REGRET_MAX][BW_REGRET_MAX];
    int32_t payoff[BW_REGRET_MAX][BW_REGRET_MAX];
    bw_mix mix[BW_WAR_TEAMS];
} mind;
_Static_assert(FIRST + JOIN * STEPS <= BW_REGRET_MAX, "the matrix has room");

/* Value for blue; asks now and then whether to go on. */
static int32_t play_out(mind *m, const bw_war_orders *blue, const bw_war_orders *red) {
    bw_war_state after = m->state;
    bw_war_orders both = *blue;
    memcpy(&both.to[BW_WAR_TEAM_MAX], &red->to[BW_WAR_TEAM_MAX], sizeof both.to / 2);
    bw_war_round(&after, &both, NULL);
    if (m->until_asked-- == 0) {
        m->until_asked = 255;
        m->hurry = m->hurry || (m->thinking->keep_going && !m->thinking->keep_going(m->thinking->user));
    }
    /* The immediate gain of a round is not random; including part of it reduces the variance. */
    int32_t now = bw_war_score(&after, BW_WAR_BLUE);
    return (7 * bw_war_playout(&after, AHEAD, &m->fast) + now) / 8;
}

/* ---- 1. pools ---- */

static void add(mind *m, int team, const bw_war_orders *orders) {
    for (int i = 0; i < m->pool_count[team]; i++) {
        if (memcmp(&m->pool[team][i].orders, orders, sizeof *orders) == 0) return;
    }
    m->pool[team][m->pool_count[team]++] = (candidate){.orders = *orders};
}

static void fill_pool(mind *m, int team) {
    bw_war_orders orders;
    bw_war_orders_clear(&orders);
    for (int piece = team * BW_WAR_TEAM_MAX, i = 0; i < m->state.config.pieces; i++) {
        orders.to[piece + i] = bw_war_departs(&m->state, piece + i);
    }
    add(m, team, &orders); /* all hold */
    for (int tries = 0; tries < 3 * POOL && m->pool_count[team] < POOL; tries++) {
        static const uint32_t random_of_16[] = {0, 3, 0, 9};
        bw_war_orders_clear(&orders);
        bw_war_ideas(&m->state, team, random_of_16[tries % 4], &orders, &m->fast);
        add(m, team, &orders);
    }
}

/* ---- 2. the tournament ---- */

static void compete(mind *m, int playouts) {
    for (int n = 0; n < playouts && !m->hurry; n++) {
        candidate *blue = &m->pool[BW_WAR_BLUE][n % m->pool_count[BW_WAR_BLUE]];
        candidate *red = &m->pool[BW_WAR_RED][bw_fast_below(&m->fast, (uint32_t)m->pool_count[BW_WAR_RED])];
        int32_t value = play_out(m, &blue->orders, &red->orders);
        blue->sum += value, blue->count++;
        red->sum -= value, red->count++;
    }
}

static int32_t mean(const candidate *c) { return c->count ? (int32_t)(c->sum / c->count) : -1001; }

static void join(mind *m, int team, int index) {
    m->pool[team][index].chosen = true;
    m->chosen[team][m->count[team]++] = index;
}

/* The best candidates not chosen yet, by the results of the tournament or the replies. */
static void join_best(mind *m, int team, int how_many) {
    for (; how_many > 0; how_many--) {
        int best = -1;
        for (int i = 0; i < m->pool_count[team]; i++) {
            const candidate *c = &m->pool[team][i];
            if (!c->chosen && (best < 0 || mean(c) > mean(&m->pool[team][best]))) best = i;
        }
        if (best < 0) return;
        join(m, team, best);
    }
}

/* ---- 3. the matrix ---- */

static void fill_matrix(mind *m, int plays) {
    for (int round = 0; round < plays && !m->hurry; round++) {
        for (int i = 0; i < m->count[BW_WAR_BLUE] && !m->hurry; i++) {
            for (int j = 0; j < m->count[BW_WAR_RED]; j++) {
                if (m->plays[i][j] > round) continue;
                m->sum[i][j] += play_out(m, &m->pool[BW_WAR_BLUE][m->chosen[BW_WAR_BLUE][i]].orders,
                                         &m->pool[BW_WAR_RED][m->chosen[BW_WAR_RED][j]].orders);
                m->plays[i][j]++;
            }
        }
    }
}

static void solve(mind *m) {
    for (int i = 0; i < m->count[BW_WAR_BLUE]; i++) {
        for (int j = 0; j < m->count[BW_WAR_RED]; j++) {
            m->payoff[i][j] = m->plays[i][j] ? (int32_t)(m->sum[i][j] * 16 / m->plays[i][j]) : 0;
        }
    }
    bw_regret_solve(m->payoff, m->count[BW_WAR_BLUE], m->count[BW_WAR_RED], ITERATIONS, &m->mix[BW_WAR_BLUE],
                    &m->mix[BW_WAR_RED]);
}

/* ---- 4. replies ---- */

static int draw(const bw_mix *mix, int count, bw_fast *fast) {
    int32_t at = (int32_t)bw_fast_below(fast, BW_REGRET_ONE);
    for (int i = 0; i < count; i++) {
        at -= mix->weight[i];
        if (at < 0) return i;
    }
    return 0;
}

static void try_replies(mind *m, int team, int plays) {
    for (int i = 0; i < m->pool_count[team]; i++) {
        candidate *mine = &m->pool[team][i];
        mine->sum = mine->count = 0;
        for (int n = 0; n < plays && !mine->chosen && !m->hurry; n++) {
            int enemy = 1 - team, reply = m->chosen[enemy][draw(&m->mix[enemy], m->count[enemy], &m->fast)];
            const bw_war_orders *other = &m->pool[enemy][reply].orders;
            int32_t value = team == BW_WAR_BLUE ? play_out(m, &mine->orders, other) : play_out(m, other, &mine->orders);
            mine->sum += team == BW_WAR_BLUE ? value : -value;
            mine->count++;
        }
    }
}

/* ---- 5. the choice ---- */

static const bw_war_orders *decide(mind *m, int team) {
    bw_mix mix = m->mix[team];
    int32_t total = 0;
    for (int i = 0; i < m->count[team]; i++) {
        mix.weight[i] = mix.weight[i] < RARE ? 0 : mix.weight[i];
        total += mix.weight[i];
    }
    int32_t at = total ? (int32_t)bw_fast_below(&m->fast, (uint32_t)total) : 0;
    for (int i = 0; i < m->count[team]; i++) {
        at -= mix.weight[i];
        if (at < 0) return &m->pool[team][m->chosen[team][i]].orders;
    }
    return &m->pool[team][m->chosen[team][0]].orders;
}

static uint32_t choose_hard(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                            bw_thinking *thinking, void *actions, uint32_t cap) {
    mind *m = thinking->arena;
    if (thinking->arena_bytes < bot->arena_bytes) return 0;
    memset(m, 0, sizeof *m);
    m->thinking = thinking;
    m->fast.state = thinking->seed;
    if (game->guess(&m->state, view, config, seat, thinking->seed) < 0 || m->state.over) return 0;
    if (!(bw_war_team_bits(&m->state.config, seat) & ~(uint32_t)m->state.jailed)) return 0;
    /* A playout takes longer with more pieces, so their number is reduced to keep the time constant. */
    int effort = thinking->effort < 10000 ? (int)thinking->effort : 10000;
    effort = effort * 3 / (m->state.config.pieces > 3 ? m->state.config.pieces : 3);
    for (int team = 0; team < BW_WAR_TEAMS; team++) fill_pool(m, team);
    compete(m, 1 + 40 * effort);
    for (int team = 0; team < BW_WAR_TEAMS; team++) join_best(m, team, FIRST);
    for (int step = 0; step <= STEPS && !m->hurry; step++) {
        fill_matrix(m, 1 + 20 * effort / 100);
        solve(m);
        for (int team = 0; team < BW_WAR_TEAMS && step < STEPS; team++) {
            try_replies(m, team, 1 + 8 * effort / 100);
            join_best(m, team, JOIN);
        }
    }
    if (m->hurry) solve(m);
    return bw_war_give(&m->state, seat, decide(m, seat), actions, cap);
}

const bw_bot bw_war_hard = {.game = "flag_war", .level = "hard", .arena_bytes = sizeof(mind), .choose = choose_hard};
