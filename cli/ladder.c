/* boardwalk ladder: every bot of a game against every other, for one game or all, and their strength.
 *
 * A match is a pair of bots; its games come in pairs with the same luck and swapped sides. A pair of games is a
 * task, and threads take tasks: the first pair of every match, then the second, and so on, so that the table is fair
 * whenever it ends. Finished tasks are kept in a file, one per line, and a later run continues from there. */
#include "cli/arena.h"
#include "cli/elo.h"
#include "cli/pool.h"
#include "cli/recorder.h"
#include "cli/results.h"

#include "bots/search/search.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 32, MATCHES = GAMES * LADDER_PLAYERS * (LADDER_PLAYERS - 1) / 2, PAIRS_MAX = 50000 };

/* A line of the file. Points are half points of a, the first bot, so a pair of games has four. */
#define PAIR_FIELDS(F, S)                                                               \
    F(S, REQUIRED, TEXT, game, (32, 1, 31), "id")                                       \
    F(S, REQUIRED, TEXT, a, (32, 1, 31), "a player")                                    \
    F(S, REQUIRED, TEXT, b, (32, 1, 31), "its opponent")                                \
    F(S, REQUIRED, INT, seed, (int64_t, 0, INT64_MAX / 2048), "of the ladder")          \
    F(S, REQUIRED, INT, pair, (uint32_t, 0, PAIRS_MAX), "which pair of games, from 0")  \
    F(S, REQUIRED, INT, games, (uint8_t, 1, 2), "games; 1 if each plays a board alone") \
    F(S, REQUIRED, INT, half_points, (uint8_t, 0, 4), "half points of a: 2 for a win, 1 for a draw")
BW_STRUCT(ladder_pair, PAIR_FIELDS);
BW_SCHEMA(ladder_pair, PAIR_FIELDS, "A pair of games of a ladder.");

typedef struct contest { /* bots of one game */
    const bw_game *game;
    void *config;
    const char *names[LADDER_PLAYERS];
    ladder_results results;
    double seconds[LADDER_PLAYERS]; /* thinking time */
    uint64_t decisions[LADDER_PLAYERS];
} contest;

typedef struct match {
    contest *of;
    int a, b;
    unsigned char *finished; /* by pair */
    uint32_t next;           /* number of pairs not taken yet */
} match;

typedef struct ladder {
    contest contests[GAMES];
    match matches[MATCHES];
    int contest_count, match_count, at; /* the next match */
    uint32_t pairs;                     /* pairs of each match */
    uint64_t tasks, finished;
    int64_t seed;
    results file;
    const char *log;
    bool failed;
} ladder;

/* ---- players ---- */

static void add_contest(ladder *l, const bw_game *game) {
    static const char *const generals[] = {"random", "search-easy", "search-normal", "search-hard"};
    contest *c = &l->contests[l->contest_count++];
    bool own = bw_bot_at(game, 0) != bw_search_levels[0]; /* else its levels are those of the general search */
    int count = 0;
    c->game = game;
    c->config = cli_config(game, game->variant_count ? game->variants[0].id : NULL, NULL);
    for (int i = 0; i < (own ? 4 : 1); i++) c->names[count++] = generals[i];
    for (int i = 0; bw_bot_at(game, i) && count < LADDER_PLAYERS; i++) c->names[count++] = bw_bot_at(game, i)->level;
    c->results.players = count;
}

static void add_matches(ladder *l) {
    for (contest *c = l->contests; c < l->contests + l->contest_count; c++) {
        for (int b = 0; b < c->results.players; b++) {
            for (int a = b + 1; a < c->results.players; a++) {
                l->matches[l->match_count++] = (match){.of = c, .a = a, .b = b, .finished = cli_memory(l->pairs)};
            }
        }
    }
    l->tasks = (uint64_t)l->match_count * l->pairs;
}

/* ---- results ---- */

static void enter(ladder *l, match *m, const ladder_pair *r) {
    ladder_results *to = &m->of->results;
    if (m->finished[r->pair]) return;
    m->finished[r->pair] = 1;
    l->finished++;
    double points = r->half_points / 2.0;
    to->games[m->a][m->b] += r->games, to->games[m->b][m->a] += r->games;
    to->points[m->a][m->b] += points, to->points[m->b][m->a] += r->games - points;
}

static bool enter_line(void *user, const void *record, bw_error_text *why) {
    ladder *l = user;
    const ladder_pair *r = record;
    if (r->half_points > 2 * r->games) return bw_fail(why, "half_points is more than the games have", NULL);
    if (r->seed != l->seed || r->pair >= l->pairs) return true; /* from another run */
    for (int i = 0; i < l->match_count; i++) {
        match *m = &l->matches[i];
        if (strcmp(m->of->game->id, r->game) == 0 && strcmp(m->of->names[m->a], r->a) == 0 &&
            strcmp(m->of->names[m->b], r->b) == 0) {
            enter(l, m, r);
        }
    }
    return true;
}

/* ---- work ---- */

/* The next pair that nobody has played; NULL: all are taken. Called with the lock held. */
static match *take(ladder *l, uint32_t *pair) {
    for (int skipped = 0; skipped <= l->match_count;) {
        match *m = &l->matches[l->at];
        while (m->next < l->pairs && m->finished[m->next]) m->next++;
        l->at = (l->at + 1) % l->match_count;
        if (m->next == l->pairs) {
            skipped++;
            continue;
        }
        *pair = m->next++;
        return m;
    }
    return NULL;
}

/* Called without the lock; returns with it held. */
static bool play(pool *workers, ladder *l, const match *m, uint32_t pair, ladder_pair *r) {
    contest *c = m->of;
    const char *names[2] = {c->names[m->a], c->names[m->b]};
    arena a = {.game = c->game, .config = c->config, .many = true, .log = l->log};
    bool good = arena_open(&a, names, 2, 1000);
    uint64_t seed = (uint64_t)l->seed * 1000003u;
    for (uint64_t i = 0; good && i < (a.alone ? 1 : 2); i++)
        good = arena_game(&a, seed, a.alone ? pair : 2u * pair + i);
    *r = (ladder_pair){.seed = l->seed, .pair = pair, .games = (uint8_t)a.games};
    r->half_points = (uint8_t)(2 * a.wins[0] + a.draws);
    snprintf(r->game, sizeof r->game, "%s", c->game->id);
    snprintf(r->a, sizeof r->a, "%s", names[0]);
    snprintf(r->b, sizeof r->b, "%s", names[1]);
    pthread_mutex_lock(&workers->lock);
    for (int i = 0; i < 2; i++) {
        int who = i ? m->b : m->a;
        c->seconds[who] += a.seconds[i];
        c->decisions[who] += a.decisions[i];
    }
    if (a.stopped) l->failed = true;
    arena_close(&a);
    return good;
}

static void work(pool *workers, void *user) {
    ladder *l = user;
    match *m;
    uint32_t pair;
    ladder_pair r;
    while (!pool_ends(workers) && !l->failed && (m = take(l, &pair)) != NULL) {
        pthread_mutex_unlock(&workers->lock);
        if (!play(workers, l, m, pair, &r)) return;
        enter(l, m, &r);
        results_add(&l->file, &r);
        l->failed |= l->file.failed;
    }
}

static void tell(progress *shown, void *user) {
    const ladder *l = user;
    progress_tell(shown, (double)l->finished / (double)l->tasks, "%" PRIu64 " of %" PRIu64 " pairs of games",
                  l->finished, l->tasks);
}

/* ---- the table ---- */

static void print_contest(const contest *c, bool json) {
    ladder_rating ratings[LADDER_PLAYERS];
    int order[LADDER_PLAYERS], count = c->results.players;
    ladder_rate(&c->results, ratings);
    for (int i = 0; i < count; i++) { /* strongest first */
        int at = i;
        for (; at > 0 && ratings[order[at - 1]].elo < ratings[i].elo; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    if (!json) {
        printf("### %s\n\n| bot | Elo | games | score | ms a decision |\n|---|---:|---:|---:|---:|\n", c->game->title);
    }
    for (int i = 0; i < count; i++) {
        int who = order[i];
        double games = 0, points = 0;
        for (int k = 0; k < count; k++) games += c->results.games[who][k], points += c->results.points[who][k];
        double score = games > 0 ? 100 * points / games : 0;
        double ms = c->decisions[who] ? c->seconds[who] * 1000 / (double)c->decisions[who] : 0;
        if (games == 0) continue; /* no data */
        if (json) {
            printf("{\"game\":\"%s\",\"bot\":\"%s\",\"elo\":%.0f,\"error\":%.0f,\"games\":%.0f,\"score\":%.1f}\n",
                   c->game->id, c->names[who], ratings[who].elo, ratings[who].error, games, score);
        } else if (who == 0) {
            printf("| %s | 0 | %.0f | %.0f %% | %.2f |\n", c->names[who], games, score, ms);
        } else {
            printf("| %s | %+.0f ± %.0f | %.0f | %.0f %% | %.2f |\n", c->names[who], ratings[who].elo,
                   ratings[who].error, games, score, ms);
        }
    }
    if (!json) putchar('\n');
}

static void close_ladder(ladder *l) {
    for (int i = 0; i < l->contest_count; i++) free(l->contests[i].config);
    for (int i = 0; i < l->match_count; i++) free(l->matches[i].finished);
    free(l);
}

static int play_ladder(ladder *l, const char *path, int threads, double seconds, bool json) {
    if (l->log && !recorder_folder(l->log)) return CLI_USAGE;
    if (!results_open(&l->file, path, &ladder_pair_schema, enter_line, l)) return CLI_USAGE;
    pool workers = {.work = work, .tell = tell, .user = l, .seconds = seconds};
    pool_run(&workers, threads); /* games in progress are played to the end */
    for (int i = 0; i < l->contest_count; i++) print_contest(&l->contests[i], json);
    if (!results_close(&l->file)) l->failed = true;
    if (l->failed) return cli_failed("a file could not be written, or a bot could not play: the ladder is incomplete.");
    if (l->finished == l->tasks) return CLI_OK;
    return cli_failed("%" PRIu64 " of %" PRIu64 " pairs of games were played%s.", l->finished, l->tasks,
                      path ? "; the same command continues from there" : "; with --file a later run can continue");
}

int cli_ladder(int argc, char **argv) {
    int64_t games = 20, seed = 1, threads = 0, seconds = 0;
    const char *file = NULL, *log = NULL, *ids[GAMES];
    bool json = false;
    const cli_option options[] = {
        CLI_INT("--games", &games, "N", 2, 2 * (int64_t)PAIRS_MAX, "games per pair of bots (20)"),
        CLI_INT("--seed", &seed, "S", 0, 1000000000, "the same seed gives the same games (1)"),
        CLI_INT("--threads", &threads, "N", 1, POOL_MAX, "games at once (default: the number of processors)"),
        CLI_INT("--seconds", &seconds, "S", 0, 10000000, "start no more games after S seconds; 0: no limit (0)"),
        CLI_TEXT("--file", &file, "FILE", "keep results there, and continue from those of an earlier run"),
        CLI_TEXT("--log", &log, "FOLDER", "save each game there as a game file"),
        CLI_FLAG("--json", &json, "a line for each bot: game, bot, elo, error, games, score"),
    };
    const cli_usage usage = {
        .command = "ladder",
        .operands = "[GAME...]",
        .about =
            "Lets every bot of a game, the random player and the general search play each other, and prints how strong\n"
            "each is: Elo above the random player, with the 95 % interval. Without a GAME it plays all games, each with\n"
            "its first variant. Ctrl-C prints the table so far.",
        CLI_OPTIONS(options),
        .positionals = {0, GAMES},
    };
    int given = cli_parse(&usage, argc, argv, ids);
    if (given < 0) return cli_exit(given);
    ladder *l = cli_memory(sizeof *l);
    l->pairs = (uint32_t)(games + 1) / 2;
    l->seed = seed;
    l->log = log;
    int status = CLI_OK;
    for (int i = 0; i < given && status == CLI_OK; i++) {
        const bw_game *game = cli_game(ids[i]);
        for (int k = 0; k < i; k++) {
            if (game && l->contests[k].game == game) status = cli_wrong("%s is given twice.", ids[i]), game = NULL;
        }
        if (game) add_contest(l, game);
        else status = CLI_USAGE;
    }
    for (int i = 0; given == 0 && bw_game_at(i) && l->contest_count < GAMES; i++) {
        if (bw_game_listed(bw_game_at(i))) add_contest(l, bw_game_at(i));
    }
    if (status == CLI_OK) {
        add_matches(l);
        status = play_ladder(l, file, pool_size(threads), (double)seconds, json);
    }
    close_ladder(l);
    return status;
}
