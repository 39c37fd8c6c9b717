/* boardwalk arena: a match between two bots.
 *
 * Games come in pairs with the same luck and swapped sides. With the same seed the same match is played every time,
 * unless a bot is a program, which may do as it likes. */
#include "cli/arena.h"
#include "cli/elo.h"
#include "cli/recorder.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOVES_MAX = 100000 }; /* longer games count as draws */

typedef struct outcome {
    int fault;        /* the player who failed; -1: none */
    uint32_t winners; /* seats */
    uint64_t moves;
} outcome;

static uint64_t mixed(uint64_t seed, uint64_t game, uint64_t move) {
    bw_fast fast = {seed};
    fast.state ^= bw_fast_next(&fast) + game;
    fast.state ^= bw_fast_next(&fast) + move;
    return bw_fast_next(&fast);
}

/* Plays one seat's answer (turns), or makes it its orders (rounds). False: the player failed. */
static bool act(arena *a, bw_match *match, recorder *record, int who, int seat, uint64_t seed, uint64_t game) {
    bw_complaint complaint = {{0}};
    player *p = &a->players[who];
    double begun = cli_clock();
    int count = player_choose(p, match, seat, seed, a->actions, BW_BOT_ACTIONS_MAX, &complaint);
    double took = cli_clock() - begun;
    if (!player_starting(p)) {
        a->seconds[who] += took;
        a->decisions[who]++;
        if (took > a->slowest[who]) a->slowest[who] = took;
    }
    bool rounds = a->game->flags & BW_GAME_ROUNDS;
    for (int i = 0; i < count; i++) {
        const void *action = a->actions + (size_t)i * a->game->actions->size;
        int refusal =
            rounds ? bw_match_submit(match, seat, action, a->played, NULL) : bw_match_play(match, seat, action, NULL);
        if (refusal < 0) {
            bw_complain(&complaint, bw_refusal(a->game, refusal), NULL);
            count = -1;
        } else if (!rounds) {
            if (record) recorder_add(record, match, 0, seat, action);
            return true;
        }
    }
    if (count == 0 && !rounds) {
        bw_complain(&complaint, "no action was chosen", NULL);
        count = -1;
    }
    if (count >= 0) return true;
    player_failed(p);
    if (progress_interrupted()) return false; /* which perhaps ended the program too */
    if (player_never_started(p)) a->stopped = CLI_USAGE;
    cli_print(stderr, "boardwalk: game %" PRIu64 ": %c (%s), as %s: %s\n", game + 1, 'a' + who, p->name,
              a->game->roles[seat].id, complaint.text);
    return false;
}

/* Which player has which seat: one the even seats, the other the odd seats; swapped in every second game. */
static int player_of(const arena *a, int seat, uint64_t game) {
    return a->alone ? (int)(game & 1) : (int)((unsigned)seat + game) & 1;
}

static void tell(arena *a, uint64_t move) {
    if (!a->quiet && progress_due(&a->progress)) {
        progress_tell(&a->progress, (double)a->games / (double)a->wanted,
                      "%" PRIu64 "/%" PRIu64 " games, a %" PRIu64 " b %" PRIu64 " drawn %" PRIu64 "; move %" PRIu64,
                      a->games, a->wanted, a->wins[0], a->wins[1], a->draws, move);
    }
}

static outcome play(arena *a, uint64_t seed, uint64_t game) {
    const bw_game *g = a->game;
    outcome result = {.fault = -1};
    const char *bots[BW_SEATS_MAX] = {0};
    uint8_t luck[32];
    bw_match match;
    recorder record;
    cli_seed(seed + game / 2, luck);
    bw_match_attach(&match, g, a->block);
    bw_match_start(&match, a->config, a->seats, luck);
    for (int seat = 0; seat < g->role_count; seat++) {
        if (a->seats >> seat & 1) bots[seat] = a->players[player_of(a, seat, game)].name;
    }
    if (a->log) recorder_start(&record, &match, NULL, bots, 0);
    int last = g->role_count - 1;
    uint32_t turn;
    while (result.fault < 0 && (turn = g->turn(match.state)) != 0 && result.moves < MOVES_MAX &&
           !progress_interrupted()) {
        tell(a, result.moves + 1);
        if (g->flags & BW_GAME_ROUNDS) {
            for (int seat = 0; seat < g->role_count && result.fault < 0; seat++) {
                if (turn >> seat & 1 && !act(a, &match, a->log ? &record : NULL, player_of(a, seat, game), seat,
                                             mixed(seed, game, result.moves * BW_SEATS_MAX + (unsigned)seat), game)) {
                    result.fault = player_of(a, seat, game);
                }
            }
            bw_match_round(&match, a->played, NULL);
            if (a->log) recorder_add(&record, &match, 0, BW_CLOCK, a->played);
        } else {
            do {
                last = (last + 1) % g->role_count; /* if several may act, one after another */
            } while (!(turn >> last & 1));
            if (!act(a, &match, a->log ? &record : NULL, player_of(a, last, game), last,
                     mixed(seed, game, result.moves), game)) {
                result.fault = player_of(a, last, game);
            }
        }
        result.moves++;
    }
    result.winners = g->turn(match.state) == 0 ? g->winners(match.state) : 0;
    if (a->log && result.fault < 0 && !progress_interrupted()) {
        char path[4096];
        if (g->turn(match.state) == 0) recorder_finish(&record, &match, 0);
        if (a->quiet) { /* one of many matches */
            snprintf(path, sizeof path, "%s/%s-%s-%s-%04" PRIu64 ".bw.jsonl", a->log, g->id, a->players[0].name,
                     a->players[1].name, game + 1);
        } else {
            snprintf(path, sizeof path, "%s/%s-%04" PRIu64 ".bw.jsonl", a->log, g->id, game + 1);
        }
        if (!recorder_save(&record, path)) a->stopped = CLI_NO;
    }
    if (a->log) recorder_free(&record);
    return result;
}

static void count(arena *a, uint64_t game, const outcome *result) {
    a->games++;
    a->moves += result->moves;
    if (result->fault >= 0) {
        a->faults[result->fault]++;
        a->wins[1 - result->fault]++;
        return;
    }
    bool won[2] = {false, false};
    for (int seat = 0; seat < a->game->role_count; seat++) {
        if (result->winners >> seat & 1) won[player_of(a, seat, game)] = true;
    }
    if (won[0] == won[1]) a->draws++;
    else a->wins[won[1]]++;
}

/* Both have played the same board alone: a win beats a loss, then fewer moves. */
static void count_alone(arena *a, const outcome results[2]) {
    a->games++;
    a->moves += results[0].moves + results[1].moves;
    uint64_t rank[2];
    for (int i = 0; i < 2; i++) {
        if (results[i].fault >= 0) a->faults[i]++;
        rank[i] = results[i].fault >= 0 ? UINT64_MAX : results[i].winners ? results[i].moves : MOVES_MAX + 1;
    }
    if (rank[0] == rank[1]) a->draws++;
    else a->wins[rank[1] < rank[0]]++;
}

static void number(double value) {
    if (isinf(value)) printf("null");
    else printf("%.1f", value);
}

static void report(const arena *a, double seconds, bool json) {
    elo e = elo_of(a->wins[0], a->draws, a->wins[1]);
    double speed = (double)a->games / (seconds > 0 ? seconds : 1e-9);
    double think[2];
    for (int i = 0; i < 2; i++) {
        think[i] = a->decisions[i] ? a->seconds[i] / (double)a->decisions[i] * 1000 : 0;
    }
    if (json) {
        printf("{\"game\":\"%s\",\"games\":%" PRIu64 ",\"a\":{\"wins\":%" PRIu64 ",\"faults\":%" PRIu64
               ",\"slowest_ms\":%.3f},\"b\":{\"wins\":%" PRIu64 ",\"faults\":%" PRIu64
               ",\"slowest_ms\":%.3f},\"draws\":%" PRIu64 ",\"score\":%.4f,\"elo\":",
               a->game->id, a->games, a->wins[0], a->faults[0], a->slowest[0] * 1000, a->wins[1], a->faults[1],
               a->slowest[1] * 1000, a->draws, e.score);
        number(e.difference);
        printf(",\"elo_low\":"), number(e.low);
        printf(",\"elo_high\":"), number(e.high);
        printf(",\"moves\":%" PRIu64 ",\"seconds\":%.3f,\"games_per_second\":%.2f}\n", a->moves, seconds, speed);
        return;
    }
    printf("%s, %" PRIu64 " games: %s %" PRIu64 " - %" PRIu64 " %s, %" PRIu64 " drawn\n", a->game->title, a->games,
           a->players[0].name, a->wins[0], a->wins[1], a->players[1].name, a->draws);
    printf("score of a   %.1f %%\n", e.score * 100);
    printf("Elo a - b    ");
    if (isinf(e.difference)) {
        printf("%s %.0f (95 %%)\n", e.difference > 0 ? "more than" : "less than", e.difference > 0 ? e.low : e.high);
    } else {
        printf("%+.0f, between %+.0f and %+.0f (95 %%)\n", e.difference, e.low, e.high);
    }
    for (int i = 0; i < 2; i++) {
        if (a->faults[i]) printf("%c failed in   %" PRIu64 " games\n", 'a' + i, a->faults[i]);
    }
    printf("speed        %.1f games/s; a decision took a %.2f ms and b %.2f ms, at most %.1f and %.1f ms\n", speed,
           think[0], think[1], a->slowest[0] * 1000, a->slowest[1] * 1000);
}

/* A game interrupted by Ctrl-C does not count. */
bool arena_game(arena *a, uint64_t seed, uint64_t index) {
    outcome one = play(a, seed, a->alone ? 2 * index : index), both[2] = {one};
    if (a->alone && !a->stopped) both[1] = play(a, seed, 2 * index + 1);
    if (progress_interrupted() || a->stopped) return false;
    if (a->alone) count_alone(a, both);
    else count(a, index, &one);
    return true;
}

static void run(arena *a, uint64_t seed, double sprt) {
    a->progress = progress_begin();
    while (a->games < a->wanted && arena_game(a, seed, a->games)) {
        bool pair =
            a->alone || a->games % 2 == 0; /* both sides were played: neither player had the better one more often */
        if (sprt > 0 && pair) a->verdict = sprt_of(a->wins[0], a->draws, a->wins[1], sprt);
        if (a->verdict != 0) break;
    }
    progress_end(&a->progress);
}

bool arena_open(arena *a, const char *const names[2], int64_t seats, int64_t budget_ms) {
    bool open = a->game->flags & BW_GAME_OPEN_SEATS;
    if (!open && a->game->role_count > 1) seats = a->game->role_count;
    if (a->game->role_count == 1) seats = 1;
    if (seats > a->game->role_count || seats < a->game->seats_min) {
        cli_wrong("%s takes %u to %u players.", a->game->id, a->game->seats_min, a->game->role_count);
        return false;
    }
    a->alone = seats == 1;
    a->seats = (1u << seats) - 1;
    if (!player_open(&a->players[0], a->game, names[0], budget_ms) ||
        !player_open(&a->players[1], a->game, names[1], budget_ms)) {
        return false;
    }
    a->block = cli_memory(bw_match_bytes(a->game));
    a->played = cli_memory(a->game->actions->size);
    a->actions = cli_memory((size_t)BW_BOT_ACTIONS_MAX * a->game->actions->size);
    return true;
}

void arena_close(arena *a) {
    free(a->block);
    free(a->played);
    free(a->actions);
    player_close(&a->players[0]);
    player_close(&a->players[1]);
}

static void print_verdict(const arena *a, int64_t difference) {
    static const char *const verdicts[] = {"a is not stronger than b", "undecided", "a is stronger than b"};
    printf("SPRT         %s (0 against %" PRId64 " Elo, 5 %% error each way)\n", verdicts[a->verdict + 1], difference);
}

int cli_arena(int argc, char **argv) {
    const char *names[2] = {NULL, NULL}, *config_json = NULL, *log = NULL, *id;
    int64_t games = 100, seed = 1, seats = 2, budget_ms = 1000, sprt = 0;
    bool json = false;
    const cli_option options[] = {
        {"--a", CLI_TEXT, &names[0], "BOT", "a level (easy, normal, hard, perfect), random, search, or a program", 0,
         0},
        {"--b", CLI_TEXT, &names[1], "BOT", "its opponent", 0, 0},
        {"--games", CLI_INT, &games, "N", "number of games (100)", 1, 100000000},
        {"--sprt", CLI_INT, &sprt, "ELO", "stop once it is clear whether a is ELO stronger than b, or not stronger", 1,
         2000},
        {"--seed", CLI_INT, &seed, "S", "the same seed gives the same match (1)", 0, INT64_MAX / 2},
        {"--config", CLI_TEXT, &config_json, "JSON", "the game's settings: '{\"SETTING\": VALUE, ...}'", 0, 0},
        {"--seats", CLI_INT, &seats, "N", "number of players, if the game leaves it open: a has the odd seats (2)", 1,
         BW_SEATS_MAX},
        {"--budget-ms", CLI_INT, &budget_ms, "MS", "time for each answer of a program (1000)", 1, 3600000},
        {"--log", CLI_TEXT, &log, "FOLDER",
         "save each game there as a game file; the folder is created if it is missing", 0, 0},
        {"--json", CLI_FLAG, &json, NULL, "one object: wins, faults, score, elo, elo_low, elo_high, ...", 0, 0},
    };
    const cli_usage usage = {
        .command = "arena",
        .operands = "GAME --a BOT --b BOT",
        .about =
            "A match between two bots: score, Elo difference with its 95 % interval, games per second. Every\n"
            "game is played twice with the same luck and swapped sides. A program gets a JSON line on stdin for\n"
            "each of its turns, {\"type\":\"turn\",\"role\",\"state\",\"legal\",\"budget_ms\"}, and answers with a line on\n"
            "stdout: one action. An answer that is late, malformed or illegal loses the game and is reported; the\n"
            "program is then restarted. The first answer after a start may take 10 s longer. docs/PROTOCOL.md has\n"
            "the details, and docs/bots/ has two bots.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .positional_min = 1,
        .positional_max = 1,
    };
    int given = cli_parse(&usage, argc, argv, &id);
    if (given < 0) return cli_exit(given);
    arena a = {.game = cli_game(id), .log = log, .wanted = (uint64_t)games};
    if (!a.game) return CLI_USAGE;
    if (!names[0] || !names[1]) {
        return cli_wrong("arena needs two bots: boardwalk arena %s --a hard --b easy", id);
    }
    if (log && !recorder_folder(log)) return CLI_USAGE;
    a.config = cli_config(a.game, NULL, config_json);
    if (!a.config) return CLI_USAGE;
    int status = CLI_USAGE;
    if (arena_open(&a, names, seats, budget_ms)) {
        signal(SIGPIPE, SIG_IGN);
        double begun = cli_clock();
        run(&a, (uint64_t)seed, (double)sprt);
        double seconds = cli_clock() - begun;
        if (a.games) report(&a, seconds, json);
        if (sprt && !json && a.games) print_verdict(&a, sprt);
        if (a.stopped) status = a.stopped;
        else status = a.games ? CLI_OK : cli_failed("interrupted before the end of the first game.");
    }
    arena_close(&a);
    free(a.config);
    return status;
}
