/* boardwalk solve flag_war: the value of a small game, and how much a bot gives away against its best response.
 *
 * The best response: the bot is asked several times, with other seeds, in every position that may come up. Its answers
 * are taken for how it plays, and what is left is a game for one, solved by going back from the end (value iteration). How
 * good this reply really is, games against the bot show, with seeds that it was not asked with: so the result is
 * what the bot loses at least, whatever the samples were. */
#include "cli/cli.h"
#include "cli/player.h"
#include "cli/progress.h"
#include "cli/war_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLED = 40 }; /* the round in which bots are asked: none waits for beginners any more */

typedef struct solution {
    war_graph graph;
    int64_t rounds;
    double low, high;        /* for blue, if the game is drawn after so many rounds: between these */
    double forced, conceded; /* without a limit: what blue can force within them, and what red must concede */
} solution;

typedef struct response {
    const solution *solved;
    player bot;
    bw_match match;
    int team; /* the bot's */
    int64_t samples, seed;
    uint16_t *answers; /* by position and move */
    uint8_t *met;      /* by position: it may come up */
    uint8_t *reply;    /* the move, by rounds left after this one, and position */
    double *value;     /* by position, for the other team */
    progress progress;
} response;

/* ---- asking the bot ---- */

static int ask(response *r, uint64_t seed, bw_war_orders *orders) {
    static const size_t size = sizeof(bw_war_action);
    const bw_war_state *state = r->match.state;
    bw_war_action actions[BW_BOT_ACTIONS_MAX];
    bw_war_draft draft;
    bw_error_text why;
    memset(&draft, 0, sizeof draft);
    memset(actions, 0, size * BW_BOT_ACTIONS_MAX);
    bw_war_orders_clear(orders);
    int count = player_choose(&r->bot, &r->match, r->team, seed, actions, BW_BOT_ACTIONS_MAX, &why);
    for (int i = 0; i < count; i++) bw_war_prepare(state, r->team, &draft, &actions[i]);
    for (int index = 0; index < BW_WAR_TEAM_MAX; index++) {
        uint16_t to = draft.to[(state->round + 1) % BW_WAR_SLOTS][index];
        if (to) orders->to[bw_war_piece(r->team, index)] = (bw_war_spot)(to - 1);
    }
    return war_graph_move_of(state, r->team, orders);
}

static uint16_t *answers_in(const response *r, uint32_t position) {
    return &r->answers[(size_t)position * WAR_GRAPH_MOVES];
}

/* Fills `answers` for every position that the bot's answers and any orders of the other team lead to. */
static bool interview(response *r) {
    const war_graph *g = &r->solved->graph;
    bw_war_state *state = r->match.state;
    bw_war_orders orders;
    uint32_t *waiting = cli_memory(g->count * sizeof *waiting), count = 1, done = 0;
    r->met[0] = 1;
    for (; done < count && !progress_interrupted(); done++) {
        uint32_t position = waiting[done];
        uint16_t *answers = answers_in(r, position);
        *state = g->states[position];
        state->round = SETTLED;
        for (int64_t k = 0; k < r->samples; k++) answers[ask(r, (uint64_t)(r->seed + k), &orders)]++;
        int theirs = g->moves[position][r->team], ours = g->moves[position][1 - r->team];
        for (int k = 0; k < theirs * ours; k++) {
            int answer = k / ours, other = k % ours;
            if (!answers[answer]) continue;
            uint32_t next = r->team == BW_WAR_BLUE ? war_graph_next(g, position, answer, other)
                                                   : war_graph_next(g, position, other, answer);
            if (next >= WAR_GRAPH_BLUE || r->met[next]) continue;
            r->met[next] = 1;
            waiting[count++] = next;
        }
        if (progress_due(&r->progress)) {
            progress_tell(&r->progress, PROGRESS_UNKNOWN, "%s was asked in %u of %u positions", r->bot.name, done,
                          count);
        }
    }
    free(waiting);
    return done == count;
}

/* ---- the reply ---- */

static double worth_of(const response *r, uint32_t position, int move) {
    const war_graph *g = &r->solved->graph;
    const uint16_t *answers = answers_in(r, position);
    double sum = 0;
    for (int answer = 0; answer < g->moves[position][r->team]; answer++) {
        if (!answers[answer]) continue;
        uint32_t next = r->team == BW_WAR_BLUE ? war_graph_next(g, position, answer, move)
                                               : war_graph_next(g, position, move, answer);
        double value = war_graph_worth(r->value, next);
        bool blue_sees = next >= WAR_GRAPH_BLUE && r->team == BW_WAR_BLUE; /* the end is worth what it is for blue */
        sum += answers[answer] * (blue_sees ? -value : value);
    }
    return sum / (double)r->samples;
}

/* With one more round to go each time; at the end of time the game is drawn. */
static void respond(response *r) {
    const war_graph *g = &r->solved->graph;
    double *longer = cli_memory(g->count * sizeof *longer);
    for (int64_t left = 0; left < r->solved->rounds; left++) {
        for (uint32_t position = 0; position < g->count; position++) {
            double best = -2;
            for (int move = 0; r->met[position] && move < g->moves[position][1 - r->team]; move++) {
                double worth = worth_of(r, position, move);
                if (worth <= best) continue;
                best = worth;
                r->reply[(size_t)left * g->count + position] = (uint8_t)move;
            }
            longer[position] = best;
        }
        double *kept = r->value;
        r->value = longer, longer = kept;
    }
    free(longer);
}

/* ---- games ---- */

static int draw(const double *mix, int count, bw_fast *fast) {
    double at = (double)(bw_fast_next(fast) >> 11) / (double)(1ull << 53);
    for (int i = 0; i < count; i++) {
        at -= mix[i];
        if (at < 0) return i;
    }
    return count - 1;
}

/* The reply where it is known; elsewhere, after an answer that no sample had, perfect play. */
static int reply_in(const response *r, uint32_t position, int64_t left, bw_fast *fast) {
    double mix[WAR_GRAPH_MOVES];
    if (r->met[position]) return r->reply[(size_t)left * r->solved->graph.count + position];
    war_graph_mix(&r->solved->graph, position, 1 - r->team, mix);
    return draw(mix, r->solved->graph.moves[position][1 - r->team], fast);
}

/* 1: the reply wins; -1: the bot. */
static int play(response *r, uint64_t seed) {
    const war_graph *g = &r->solved->graph;
    bw_war_state *state = r->match.state;
    bw_war_orders moves[WAR_GRAPH_MOVES], orders;
    bw_fast fast = {seed};
    *state = g->states[0];
    for (int64_t left = r->solved->rounds; left-- > 0 && !state->over;) {
        int move = reply_in(r, war_graph_find(g, state), left, &fast);
        war_graph_moves(state, 1 - r->team, moves);
        ask(r, bw_fast_next(&fast), &orders);
        size_t ours = (size_t)(1 - r->team) * BW_WAR_TEAM_MAX;
        memcpy(&orders.to[ours], &moves[move].to[ours], sizeof orders.to / 2);
        bw_war_round(state, &orders, NULL);
    }
    return !state->over || !state->winners ? 0 : state->winners == 1 << r->team ? -1 : 1;
}

static bool begin(response *r, const solution *s, const void *config, const char *name, int team) {
    uint8_t seed[32] = {0};
    const war_graph *g = &s->graph;
    r->solved = s;
    r->team = team;
    if (!player_open(&r->bot, &bw_flag_war, name, 1000)) return false;
    bw_match_attach(&r->match, &bw_flag_war, cli_memory(bw_match_bytes(&bw_flag_war)));
    bw_match_start(&r->match, config, 3, seed);
    r->answers = cli_memory(g->count * WAR_GRAPH_MOVES * sizeof *r->answers);
    r->met = cli_memory(g->count);
    r->reply = cli_memory(g->count * (size_t)s->rounds);
    r->value = cli_memory(g->count * sizeof *r->value);
    return true;
}

static void end(response *r) {
    free(r->answers), free(r->met), free(r->reply), free(r->value), free(r->match.block);
    player_close(&r->bot);
}

/* The bot plays red in one half of the games and blue in the other. */
static int exploit(const solution *s, const void *config, const char *name, int64_t samples, int64_t games,
                   int64_t seed, bool json) {
    int64_t won[3] = {0}, played = 0;
    double expected = 0;
    for (int team = 0; team < BW_WAR_TEAMS; team++) {
        response r = {.samples = samples, .seed = seed, .progress = progress_begin()};
        if (!begin(&r, s, config, name, team)) return progress_end(&r.progress), CLI_USAGE;
        bool whole = interview(&r);
        if (whole) respond(&r);
        expected += r.value[0] / 2;
        for (int64_t n = team; whole && n < games && !progress_interrupted(); n += 2, played++) {
            won[1 + play(&r, (uint64_t)(seed + samples + n) * 0x9e3779b97f4a7c15u)]++;
        }
        progress_end(&r.progress);
        end(&r);
        if (!whole) return cli_failed("%s could not be asked in every position in this time.", name);
    }
    /* The interval of Agresti and Coull (1998): two more wins and two more losses, so that it is right near the ends. */
    double mean = (double)(won[2] - won[0]) / (double)played, n = (double)played + 4;
    double middle = (double)(won[2] - won[0]) / n, spread = (double)(won[2] + won[0] + 4) / n - middle * middle;
    double low = fmax(-1, middle - 1.96 * sqrt(spread / n)), high = fmin(1, middle + 1.96 * sqrt(spread / n));
    if (json) {
        printf("{\"bot\":\"%s\",\"samples\":%" PRId64 ",\"in_the_samples\":%.4f,\"games\":%" PRId64 ",\"won\":%" PRId64
               ",\"drawn\":%" PRId64 ",\"lost\":%" PRId64 ",\"mean\":%.4f,\"low\":%.4f,\"high\":%.4f}\n",
               name, samples, expected, played, won[2], won[1], won[0], mean, low, high);
        return CLI_OK;
    }
    cli_print(stdout, "%s loses %.3f to its best response, between %.3f and %.3f (95 %%)\n", name, mean, low, high);
    printf("  in %" PRId64 " games: %" PRId64 " won by the response, %" PRId64 " drawn, %" PRId64
           " lost; in the %" PRId64 " answers to a position %.3f\n",
           played, won[2], won[1], won[0], samples, expected);
    return CLI_OK;
}

/* ---- the command ---- */

static bool solve(solution *s, const bw_war_config *config, int64_t limit) {
    bw_war_state start;
    war_graph *g = &s->graph;
    bw_war_init(&start, config);
    if (!war_graph_build(g, &start, (uint32_t)limit)) return false;
    const struct {
        double unfinished, *value;
        bool at_least;
    } wanted[] = {{-1, &s->forced, true}, {1, &s->conceded, false}, {0, &s->low, true}, {0, &s->high, false}};
    for (int i = 0; i < 4; i++) {
        war_graph_solve(g, (int)s->rounds, wanted[i].unfinished, wanted[i].at_least);
        *wanted[i].value = g->value[0];
    }
    return true;
}

static void print(const solution *s, bool json) {
    if (json) {
        printf("{\"positions\":%u,\"pairs\":%zu,\"rounds\":%" PRId64
               ",\"low\":%.6f,\"high\":%.6f,\"forced\":%.6f,\"conceded\":%.6f}\n",
               s->graph.count, s->graph.next_count, s->rounds, s->low, s->high, s->forced, s->conceded);
        return;
    }
    printf("%u positions, %zu pairs of orders\n", s->graph.count, s->graph.next_count);
    printf("for blue, with a draw after %" PRId64 " rounds: between %+.6f and %+.6f\n", s->rounds, s->low, s->high);
    printf("for blue, without a limit: between %+.6f and %+.6f\n", s->forced, s->conceded);
}

int cli_solve_flag_war(int argc, char **argv) {
    int64_t width = 7, height = 7, pieces = 1, distance = 2, guard = 1;
    int64_t rounds = 100, limit = 200000, samples = 40, games = 1000, seed = 1;
    const char *bot = NULL;
    bool json = false;
    const cli_option options[] = {
        CLI_INT("--width", &width, "W", BW_WAR_SIDE_MIN, BW_WAR_SIDE_MAX, "columns (7)"),
        CLI_INT("--height", &height, "H", BW_WAR_SIDE_MIN, BW_WAR_SIDE_MAX, "rows (7)"),
        CLI_INT("--pieces", &pieces, "N", 1, BW_WAR_TEAM_MAX, "pieces of each team (1)"),
        CLI_INT("--max-distance", &distance, "N", 0, BW_WAR_SIDE_MAX, "squares in one move; 0: any number (2)"),
        CLI_INT("--guard-distance", &guard, "N", 0, 3, "the no-guard zone (1)"),
        CLI_INT("--rounds", &rounds, "N", 1, 1000, "a draw after so many rounds (100)"),
        CLI_INT("--positions", &limit, "N", 1, 100000000, "give up beyond so many (200000)"),
        CLI_TEXT("--against", &bot, "BOT", "what this bot loses to its best response"),
        CLI_INT("--samples", &samples, "N", 1, 60000, "with --against: answers of the bot in each position (40)"),
        CLI_INT("--games", &games, "N", 2, 10000000, "with --against: games that measure it (1000)"),
        CLI_INT("--seed", &seed, "S", 0, INT32_MAX, "with --against: the same seed asks and plays the same (1)"),
        CLI_FLAG("--json", &json, "print an object for the value, and one for the bot"),
    };
    const cli_usage usage = {
        .command = "solve flag_war",
        .operands = "[--width W] [--height H] [--max-distance N] [--against BOT]",
        .about = "Solves a small game of Flag War: its value for blue if both play perfectly (a win 1, a loss -1, a\n"
                 "draw 0), by going back from the end; each round is a matrix game. With --against, what a bot\n"
                 "loses to the best response to it, measured in games. BOT as in `boardwalk arena`.",
        CLI_OPTIONS(options),
    };
    const char *none[1];
    int parsed = cli_parse(&usage, argc, argv, none);
    if (parsed < 0) return cli_exit(parsed);
    bw_war_room config = *(const bw_war_room *)bw_flag_war.defaults;
    bw_war_config board;
    config.width = (uint8_t)width, config.height = (uint8_t)height, config.pieces = (uint8_t)pieces;
    config.max_distance = (uint8_t)distance, config.guard_distance = (uint8_t)guard;
    int refusal = bw_flag_war.check(&config), status = CLI_OK;
    if (refusal) return cli_wrong("%s", bw_refusal(&bw_flag_war, refusal));
    memcpy(&board, &config, sizeof board);
    solution s = {.rounds = rounds};
    if (!solve(&s, &board, limit)) {
        status = cli_failed("this game has more than %" PRId64 " positions, or too many orders in one.", limit);
    } else {
        print(&s, json);
        if (bot) status = exploit(&s, &config, bot, samples, games, seed, json);
    }
    war_graph_free(&s.graph);
    return status;
}
