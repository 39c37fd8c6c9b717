/* boardwalk arena: a match between two bots.
 *
 * Games come in pairs with the same luck and swapped sides. A pair of games is a task, and threads take tasks. Results
 * are counted in the order of the pairs, so that with the same seed the match is the same on any number of threads,
 * unless a bot is a program, which may do as it likes. A file keeps a line for each pair, so that a later run continues
 * from there. */
#include "cli/arena.h"
#include "cli/elo.h"
#include "cli/pool.h"
#include "cli/recorder.h"
#include "cli/results.h"
#include "engine/sha256.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AHEAD = 1024, GAMES_MAX = 100000000 };

/* A line of the file: a pair of games, or one board that both play alone. */
#define ROUND_FIELDS(F, S)                                                                       \
    F(S, REQUIRED, TEXT, game, (32, 1, 31), "id")                                                \
    F(S, REQUIRED, TEXT, match, (17, 16, 16), "hash of the settings, the players and the seats") \
    F(S, REQUIRED, INT, seed, (int64_t, 0, INT64_MAX / 2), "of the match")                       \
    F(S, REQUIRED, INT, pair, (uint32_t, 0, GAMES_MAX), "which pair of games, from 0")           \
    F(S, REQUIRED, INT, games, (uint8_t, 1, 2), "")                                              \
    F(S, REQUIRED, INT, wins_a, (uint8_t, 0, 2), "")                                             \
    F(S, REQUIRED, INT, wins_b, (uint8_t, 0, 2), "")                                             \
    F(S, REQUIRED, INT, faults_a, (uint8_t, 0, 2), "games that a lost by failing")               \
    F(S, REQUIRED, INT, faults_b, (uint8_t, 0, 2), "games that b lost by failing")               \
    F(S, REQUIRED, INT, moves, (uint64_t, 0, INT64_MAX), "of all games")                         \
    F(S, REQUIRED, INT, decisions_a, (uint64_t, 0, INT64_MAX), "")                               \
    F(S, REQUIRED, INT, decisions_b, (uint64_t, 0, INT64_MAX), "")                               \
    F(S, REQUIRED, INT, microseconds_a, (uint64_t, 0, INT64_MAX), "time of these decisions")     \
    F(S, REQUIRED, INT, microseconds_b, (uint64_t, 0, INT64_MAX), "")                            \
    F(S, REQUIRED, INT, slowest_a, (uint64_t, 0, INT64_MAX), "microseconds of the slowest")      \
    F(S, REQUIRED, INT, slowest_b, (uint64_t, 0, INT64_MAX), "")
BW_STRUCT(round_line, ROUND_FIELDS);
BW_SCHEMA(round_line, ROUND_FIELDS, "A pair of games of a match.");

typedef struct match {
    const bw_game *game;
    void *config;
    const char *names[2];
    int64_t seats, budget_ms, seed;
    const char *log, *path;
    double sprt;            /* Elo; 0: no test */
    uint64_t wanted, pairs; /* games; tasks */
    bool alone;
    char hash[17];
    results file;
    round_line *known; /* by pair, those of an earlier run: .games 0 is none */
    uint32_t known_count, next;
    uint32_t counted;          /* pairs whose results are in the sums below */
    round_line waiting[AHEAD]; /* finished before an earlier pair; by pair; .games 0 is none */
    uint64_t games, played, wins[2], draws, moves, faults[2], decisions[2];
    double seconds[2], slowest[2];
    int verdict; /* result of a sequential test: 1 a is stronger, -1 it is not, 0 undecided */
    int stopped; /* exit status if the match cannot go on */
    arena **arenas;
    int seated;
} match;

/* ---- results ---- */

static void count(match *m, const round_line *r) {
    const uint64_t wins[2] = {r->wins_a, r->wins_b}, faults[2] = {r->faults_a, r->faults_b};
    const uint64_t decisions[2] = {r->decisions_a, r->decisions_b};
    const uint64_t spent[2] = {r->microseconds_a, r->microseconds_b}, slowest[2] = {r->slowest_a, r->slowest_b};
    m->games += r->games;
    m->draws += (uint64_t)r->games - wins[0] - wins[1];
    m->moves += r->moves;
    for (int i = 0; i < 2; i++) {
        m->wins[i] += wins[i];
        m->faults[i] += faults[i];
        m->decisions[i] += decisions[i];
        m->seconds[i] += (double)spent[i] / 1e6;
        m->slowest[i] = fmax(m->slowest[i], (double)slowest[i] / 1e6);
    }
}

/* Counts what is finished, pair by pair, until the test is decided. */
static void count_in_order(match *m) {
    for (round_line *r; m->verdict == 0 && (r = &m->waiting[m->counted % AHEAD])->games > 0; m->counted++) {
        count(m, r);
        r->games = 0;
        const bool whole = m->alone || m->games % 2 == 0; /* neither player had the better side more often */
        if (m->sprt > 0 && whole) m->verdict = sprt_of(m->wins[0], m->draws, m->wins[1], m->sprt);
    }
}

/* The rest, when the match was interrupted. */
static void count_all(match *m) {
    for (uint32_t i = 0; i < AHEAD && m->verdict == 0; i++) {
        if (m->waiting[i].games) count(m, &m->waiting[i]);
    }
}

static bool enter(void *user, const void *record, bw_error_text *why) {
    match *m = user;
    const round_line *r = record;
    if (r->wins_a + r->wins_b > r->games) return bw_fail(why, "more wins than games", NULL);
    if (strcmp(r->match, m->hash) != 0 || r->seed != m->seed || r->pair >= m->pairs) return true; /* another match */
    if (r->games != (m->alone || (r->pair + 1ull) * 2 > m->wanted ? 1 : 2)) return true;          /* or a shorter one */
    if (r->pair >= m->known_count) {
        uint32_t before = m->known_count;
        m->known_count = r->pair + 1 + r->pair / 2;
        m->known = cli_more(m->known, m->known_count * sizeof *m->known);
        memset(m->known + before, 0, (m->known_count - before) * sizeof *m->known);
    }
    m->known[r->pair] = *r;
    return true;
}

/* What else decides the games: their settings, the players and how many seats they have. */
static void hash_match(match *m) {
    bw_out out = cli_out(4096);
    uint8_t digest[32];
    do {
        out.length = 0;
        bw_encode(&out, m->game->config, m->config);
        bw_out_text(&out, "\n");
        bw_out_format(&out, "%s\n%s\n%" PRId64, m->names[0], m->names[1], m->seats);
    } while (cli_grow(&out));
    bw_sha256_of(out.at, out.length, digest);
    for (int i = 0; i < 8; i++) snprintf(m->hash + 2 * i, 3, "%02x", digest[i]);
    free(out.at);
}

/* ---- work ---- */

/* The next pair to play; false: none is left, or it is too far ahead. Called with the lock. */
static bool take(match *m, uint32_t *pair) {
    while (m->next < m->pairs && m->next - m->counted < AHEAD && m->verdict == 0) {
        *pair = m->next++;
        if (*pair >= m->known_count || !m->known[*pair].games) return true;
        m->waiting[*pair % AHEAD] = m->known[*pair];
        count_in_order(m);
    }
    return false;
}

static bool play_pair(match *m, arena *a, uint32_t pair, round_line *r) {
    const uint64_t games = m->alone || (pair + 1ull) * 2 > m->wanted ? 1 : 2;
    a->games = a->wins[0] = a->wins[1] = a->draws = a->moves = a->faults[0] = a->faults[1] = 0;
    for (int i = 0; i < 2; i++) a->seconds[i] = a->slowest[i] = 0, a->decisions[i] = 0;
    for (uint64_t i = 0; i < games; i++) {
        if (!arena_game(a, (uint64_t)m->seed, m->alone ? pair : 2 * (uint64_t)pair + i)) return false;
    }
    *r = (round_line){.seed = m->seed,
                      .pair = pair,
                      .games = (uint8_t)games,
                      .wins_a = (uint8_t)a->wins[0],
                      .wins_b = (uint8_t)a->wins[1],
                      .faults_a = (uint8_t)a->faults[0],
                      .faults_b = (uint8_t)a->faults[1],
                      .moves = a->moves,
                      .decisions_a = a->decisions[0],
                      .decisions_b = a->decisions[1],
                      .microseconds_a = (uint64_t)(a->seconds[0] * 1e6),
                      .microseconds_b = (uint64_t)(a->seconds[1] * 1e6),
                      .slowest_a = (uint64_t)(a->slowest[0] * 1e6),
                      .slowest_b = (uint64_t)(a->slowest[1] * 1e6)};
    snprintf(r->game, sizeof r->game, "%s", m->game->id);
    memcpy(r->match, m->hash, sizeof r->match);
    return true;
}

/* Called with the lock. A thread that can take nothing, because an early pair takes long, waits. */
static void work(pool *p, void *user) {
    match *m = user;
    arena *a = m->arenas[m->seated++];
    uint32_t pair;
    round_line r;
    while (!pool_ends(p) && m->stopped == 0 && m->verdict == 0) {
        const bool got = take(m, &pair);
        if (!got && (m->next >= m->pairs || m->verdict != 0)) break;
        pthread_mutex_unlock(&p->lock);
        const bool good = got && play_pair(m, a, pair, &r);
        if (!got) usleep(5000);
        pthread_mutex_lock(&p->lock);
        if (!got) continue;
        if (a->stopped) m->stopped = a->stopped;
        if (!good) break;
        m->played += r.games;
        results_add(&m->file, &r);
        m->waiting[pair % AHEAD] = r;
        count_in_order(m);
    }
}

static void tell(progress *shown, void *user) {
    const match *m = user;
    const uint64_t move = m->seated ? atomic_load(&m->arenas[0]->move) : 0;
    progress_tell(shown, (double)m->games / (double)m->wanted,
                  "%" PRIu64 "/%" PRIu64 " games, a %" PRIu64 " b %" PRIu64 " drawn %" PRIu64 "; move %" PRIu64,
                  m->games, m->wanted, m->wins[0], m->wins[1], m->draws, move);
}

/* ---- the report ---- */

static void number(double value) {
    if (isinf(value)) printf("null");
    else printf("%.1f", value);
}

static void report(const match *m, double seconds, bool json) {
    elo e = elo_of(m->wins[0], m->draws, m->wins[1]);
    double speed = (double)m->played / (seconds > 0 ? seconds : 1e-9);
    double think[2];
    for (int i = 0; i < 2; i++) {
        think[i] = m->decisions[i] ? m->seconds[i] / (double)m->decisions[i] * 1000 : 0;
    }
    if (json) {
        printf("{\"game\":\"%s\",\"games\":%" PRIu64 ",\"a\":{\"wins\":%" PRIu64 ",\"faults\":%" PRIu64
               ",\"slowest_ms\":%.3f},\"b\":{\"wins\":%" PRIu64 ",\"faults\":%" PRIu64
               ",\"slowest_ms\":%.3f},\"draws\":%" PRIu64 ",\"score\":%.4f,\"elo\":",
               m->game->id, m->games, m->wins[0], m->faults[0], m->slowest[0] * 1000, m->wins[1], m->faults[1],
               m->slowest[1] * 1000, m->draws, e.score);
        number(e.difference);
        printf(",\"elo_low\":"), number(e.low);
        printf(",\"elo_high\":"), number(e.high);
        printf(",\"moves\":%" PRIu64 ",\"seconds\":%.3f,\"games_per_second\":%.2f}\n", m->moves, seconds, speed);
        return;
    }
    printf("%s, %" PRIu64 " games: %s %" PRIu64 " - %" PRIu64 " %s, %" PRIu64 " drawn\n", m->game->title, m->games,
           m->names[0], m->wins[0], m->wins[1], m->names[1], m->draws);
    printf("score of a   %.1f %%\n", e.score * 100);
    printf("Elo a - b    ");
    if (isinf(e.difference)) {
        printf("%s %.0f (95 %%)\n", e.difference > 0 ? "more than" : "less than", e.difference > 0 ? e.low : e.high);
    } else {
        printf("%+.0f, between %+.0f and %+.0f (95 %%)\n", e.difference, e.low, e.high);
    }
    for (int i = 0; i < 2; i++) {
        if (m->faults[i]) printf("%c failed in   %" PRIu64 " games\n", 'a' + i, m->faults[i]);
    }
    printf("speed        %.1f games/s; a decision took a %.2f ms and b %.2f ms, at most %.1f and %.1f ms\n", speed,
           think[0], think[1], m->slowest[0] * 1000, m->slowest[1] * 1000);
}

static void print_verdict(const match *m, int64_t difference) {
    static const char *const verdicts[] = {"a is not stronger than b", "undecided", "a is stronger than b"};
    printf("SPRT         %s (0 against %" PRId64 " Elo, 5 %% error each way)\n", verdicts[m->verdict + 1], difference);
}

/* One for each thread; false after an error message. Programs compete for the processors with each other, so that only
 * one match of theirs is played at once, unless more is asked for. */
static bool open_arenas(match *m, int *threads) {
    const bool chosen = *threads > 0;
    *threads = pool_size(*threads);
    if ((uint64_t)*threads > m->pairs) *threads = (int)m->pairs;
    m->arenas = cli_memory((size_t)*threads * sizeof *m->arenas);
    for (int i = 0; i < *threads; i++) {
        arena *a = m->arenas[i] = cli_memory(sizeof *a);
        *a = (arena){.game = m->game, .config = m->config, .log = m->log};
        if (!arena_open(a, m->names, m->seats, m->budget_ms)) return false;
        if (!chosen && (!a->players[0].bot || !a->players[1].bot)) *threads = 1;
    }
    return true;
}

static void close_arenas(match *m, int threads) {
    for (int i = 0; i < threads && m->arenas && m->arenas[i]; i++) {
        arena_close(m->arenas[i]);
        free(m->arenas[i]);
    }
    free(m->arenas);
}

static int play_match(match *m, int threads, bool json) {
    hash_match(m);
    if (!results_open(&m->file, m->path, &round_line_schema, enter, m)) return CLI_USAGE;
    signal(SIGPIPE, SIG_IGN);
    pool workers = {.work = work, .tell = tell, .user = m};
    double begun = cli_clock();
    pool_run(&workers, threads);
    double seconds = cli_clock() - begun;
    count_all(m);
    if (m->games) report(m, seconds, json);
    if (m->sprt > 0 && !json && m->games) print_verdict(m, (int64_t)m->sprt);
    if (!results_close(&m->file))
        return cli_failed("%s could not be written: the results there are incomplete.", m->path);
    if (m->stopped) return m->stopped;
    return m->games ? CLI_OK : cli_failed("interrupted before the end of the first pair of games.");
}

int cli_arena(int argc, char **argv) {
    const char *names[2] = {NULL, NULL}, *config_json = NULL, *log = NULL, *file = NULL, *id;
    int64_t games = 100, seed = 1, seats = 2, budget_ms = 1000, sprt = 0, threads = 0;
    bool json = false;
    const cli_option options[] = {
        CLI_TEXT("--a", &names[0], "BOT", "a level (easy, normal, hard, perfect), random, search, or a program"),
        CLI_TEXT("--b", &names[1], "BOT", "its opponent"),
        CLI_INT("--games", &games, "N", 1, GAMES_MAX, "number of games (100)"),
        CLI_INT("--threads", &threads, "N", 1, POOL_MAX,
                "games at once (default: the number of processors; with a program 1)"),
        CLI_TEXT("--file", &file, "FILE", "keep results there, and continue from those of an earlier run"),
        CLI_INT("--sprt", &sprt, "ELO", 1, 2000,
                "stop once it is clear whether a is ELO stronger than b, or not stronger"),
        CLI_INT("--seed", &seed, "S", 0, INT64_MAX / 2, "the same seed gives the same match (1)"),
        CLI_TEXT("--config", &config_json, "JSON", "the game's settings: '{\"SETTING\": VALUE, ...}'"),
        CLI_INT("--seats", &seats, "N", 1, BW_SEATS_MAX,
                "number of players, if the game leaves it open: a has the odd seats (2)"),
        CLI_INT("--budget-ms", &budget_ms, "MS", 1, 3600000, "time for each answer of a program (1000)"),
        CLI_TEXT("--log", &log, "FOLDER",
                 "save each game there as a game file; the folder is created if it is missing"),
        CLI_FLAG("--json", &json, "one object: wins, faults, score, elo, elo_low, elo_high, ..."),
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
        CLI_OPTIONS(options),
        .positionals = {1, 1},
    };
    int given = cli_parse(&usage, argc, argv, &id);
    if (given < 0) return cli_exit(given);
    const bw_game *game = cli_game(id);
    if (!game) return CLI_USAGE;
    if (!names[0] || !names[1]) {
        return cli_wrong("arena needs two bots: boardwalk arena %s --a hard --b easy", id);
    }
    if (log && !recorder_folder(log)) return CLI_USAGE;
    match *m = cli_memory(sizeof *m);
    m->game = game, m->names[0] = names[0], m->names[1] = names[1];
    m->log = log, m->path = file, m->seed = seed, m->seats = seats, m->budget_ms = budget_ms, m->sprt = (double)sprt;
    m->alone = game->role_count == 1 || (game->flags & BW_GAME_OPEN_SEATS && seats == 1);
    m->wanted = (uint64_t)games, m->pairs = m->alone ? m->wanted : (m->wanted + 1) / 2;
    m->config = cli_config(game, NULL, config_json);
    int status = CLI_USAGE, opened = (int)threads;
    if (m->config && open_arenas(m, &opened)) status = play_match(m, opened, json);
    close_arenas(m, opened);
    free(m->config);
    free(m->known);
    free(m);
    return status;
}
