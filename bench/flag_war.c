/* Figures of Flag War:
 *
 *   bench_flag_war rounds [SECONDS]                random orders at 11x11, one core: rounds per second
 *   bench_flag_war ladder STRONG WEAK [GAMES] [EFFORT] [SETTING=VALUE ...]
 *                                                  games of two levels, sides swapped each game: won, drawn
 *                                                  and lost, the score with its standard error, decision times
 *
 * Settings: max_distance, diagonals, pieces, width, height, guard_distance. Games end after 200 rounds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bots/bots.h"
#include "games/flag_war/flag_war.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A straight move to anywhere on the board: a row or a column, and a square in it. */
static bw_war_spot random_order(const bw_war_state *state, int piece, bw_fast *fast) {
    bw_war_spot from = bw_war_departs(state, piece);
    if (from == BW_WAR_NOWHERE) return from;
    uint32_t draw = bw_fast_below(fast, 22);
    return draw < 11 ? bw_war_square((int)draw, bw_war_y(from)) : bw_war_square(bw_war_x(from), (int)draw - 11);
}

static int bench_rounds(double seconds) {
    enum { RUNS = 5, BATCH = 10000 };
    double rates[RUNS];
    for (int run = 0; run < RUNS; run++) {
        bw_war_state state;
        bw_war_orders orders;
        bw_fast fast = {(uint64_t)run};
        uint64_t rounds = 0;
        double start = now();
        bw_war_init(&state, bw_flag_war.defaults);
        bw_war_orders_clear(&orders);
        do {
            for (int n = 0; n < BATCH; n++, rounds++) {
                for (int index = 0; index < 3; index++) {
                    orders.to[index] = random_order(&state, index, &fast);
                    orders.to[BW_WAR_TEAM_MAX + index] = random_order(&state, BW_WAR_TEAM_MAX + index, &fast);
                }
                bw_war_round(&state, &orders, NULL);
                if (state.over) bw_war_init(&state, bw_flag_war.defaults);
            }
        } while (now() - start < seconds / RUNS);
        rates[run] = (double)rounds / (now() - start);
    }
    for (int i = 0; i < RUNS; i++) {
        for (int j = i + 1; j < RUNS; j++) {
            if (rates[j] < rates[i]) {
                double swap = rates[i];
                rates[i] = rates[j], rates[j] = swap;
            }
        }
    }
    printf("%.2f million rounds/s (median of %d runs, %.2f to %.2f)\n", rates[RUNS / 2] / 1e6, RUNS, rates[0] / 1e6,
           rates[RUNS - 1] / 1e6);
    return 0;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct ladder {
    const bw_bot *bots[2]; /* strong, weak */
    bw_war_config config;
    uint32_t effort;
    void *arena;
    double *times[2];
    size_t count[2];
} ladder;

enum { ROUNDS = 200, TIMES = 1 << 20 };

static void decide(ladder *l, const bw_war_state *state, int which, int team, uint64_t seed, bw_war_orders *orders) {
    bw_war_view view;
    bw_war_action actions[BW_BOT_ACTIONS_MAX];
    bw_thinking thinking = {
        .seed = seed, .effort = l->effort, .arena = l->arena, .arena_bytes = l->bots[which]->arena_bytes};
    bw_flag_war.view_of(state, team, &view);
    double start = now();
    uint32_t count = l->bots[which]->choose(l->bots[which], &bw_flag_war, &view, &l->config, team, &thinking, actions,
                                            BW_BOT_ACTIONS_MAX);
    if (l->count[which] < TIMES) l->times[which][l->count[which]++] = now() - start;
    for (uint32_t i = 0; i < count; i++) {
        const bw_war_command *command = &actions[i].as.command;
        orders->to[bw_war_piece(team, command->piece - 1)] = bw_war_square(command->to.x, command->to.y);
    }
}

/* 2 where the strong one wins, 1 for a draw, 0 where it loses. */
static int play(ladder *l, int game, int *rounds) {
    bw_war_state state;
    bw_war_init(&state, &l->config);
    for (int round = 0; round < ROUNDS && !state.over; round++, ++*rounds) {
        bw_war_orders orders;
        bw_war_orders_clear(&orders);
        for (int team = 0; team < BW_WAR_TEAMS; team++) {
            uint64_t seed = ((uint64_t)game << 20) + (uint64_t)(round * 2 + team);
            decide(l, &state, team ^ (game & 1), team, seed, &orders);
        }
        bw_war_round(&state, &orders, NULL);
    }
    int strong = game & 1;
    return !state.winners ? 1 : state.winners >> strong & 1 ? 2 : 0;
}

static void set(bw_war_config *config, const char *text) {
    const char *is = strchr(text, '=');
    size_t length = is ? (size_t)(is - text) : 0;
    uint8_t value = (uint8_t)(is ? strtoul(is + 1, NULL, 10) : 0);
    for (int i = 0; i < bw_war_config_schema.count; i++) {
        const bw_field *field = &bw_war_config_schema.fields[i];
        if (strlen(field->name) == length && memcmp(field->name, text, length) == 0 && field->item_size == 1) {
            ((uint8_t *)config)[field->offset] = value;
            return;
        }
    }
    fprintf(stderr, "there is no setting %s\n", text);
    exit(2);
}

static int bench_ladder(int argc, char **argv) {
    ladder l = {.config = *(const bw_war_config *)bw_flag_war.defaults};
    int games = argc > 4 ? (int)strtol(argv[4], NULL, 10) : 400, results[3] = {0}, rounds = 0;
    l.effort = argc > 5 ? (uint32_t)strtoul(argv[5], NULL, 10) : 20;
    for (int i = 6; i < argc; i++) set(&l.config, argv[i]);
    size_t arena = 64;
    for (int i = 0; i < 2; i++) {
        l.bots[i] = bw_bot_find(&bw_flag_war, argv[2 + i]);
        l.times[i] = malloc(TIMES * sizeof(double));
        if (!l.bots[i] || !l.times[i]) {
            fprintf(stderr, "there is no level %s\n", argv[2 + i]);
            return 2;
        }
        arena = l.bots[i]->arena_bytes > arena ? l.bots[i]->arena_bytes : arena;
    }
    l.arena = aligned_alloc(64, (arena + 63) / 64 * 64);
    for (int game = 0; game < games; game++) results[play(&l, game, &rounds)]++;
    double score = (results[2] + 0.5 * results[1]) / games;
    double squares = results[2] * (1 - score) * (1 - score) + results[1] * (0.5 - score) * (0.5 - score) +
                     results[0] * score * score;
    double spread = squares / games;
    printf(
        "%s against %s, %d games at effort %u: won %d, drawn %d, lost %d; score %.1f%% +- %.1f; %.1f rounds a game\n",
        argv[2], argv[3], games, l.effort, results[2], results[1], results[0], 100 * score, 100 * sqrt(spread / games),
        (double)rounds / games);
    for (int i = 0; i < 2; i++) {
        qsort(l.times[i], l.count[i], sizeof(double), by_size);
        printf("  %s: p50 %.2f ms, p99 %.2f ms, max %.2f ms\n", argv[2 + i], 1e3 * l.times[i][l.count[i] / 2],
               1e3 * l.times[i][l.count[i] * 99 / 100], 1e3 * l.times[i][l.count[i] - 1]);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc >= 2 && strcmp(argv[1], "rounds") == 0) {
        return bench_rounds(argc > 2 ? strtod(argv[2], NULL) : 5);
    }
    if (argc >= 4 && strcmp(argv[1], "ladder") == 0) return bench_ladder(argc, argv);
    fputs("usage: bench_flag_war rounds [SECONDS] | ladder STRONG WEAK [GAMES] [EFFORT] [SETTING=VALUE ...]\n", stderr);
    return 2;
}
