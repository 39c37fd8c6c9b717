/* boardwalk solve flooded_island: who wins from the start, and after how many moves of the adventurer. */
#include "bots/flooded_island/proof.h"
#include "cli/cli.h"
#include "cli/pool.h"

#include <inttypes.h>

typedef struct solving {
    double started, deadline; /* seconds; deadline 0: none */
    progress progress;
    bw_island_value value;
} solving;

static void take(void *user, const bw_island_value *value) { ((solving *)user)->value = *value; }

static bool keep_going(void *user) {
    solving *s = user;
    if (progress_due(&s->progress)) {
        progress_tell(&s->progress, PROGRESS_UNKNOWN, "between %d and %d moves, %.0f s", s->value.lower, s->value.upper,
                      cli_clock() - s->started);
    }
    return !progress_interrupted() && (s->deadline == 0 || cli_clock() < s->deadline);
}

static void print_words(const bw_island_config *config, const bw_island_value *value) {
    printf("%dx%d, up to %d flood%s a night: ", config->width, config->height, config->max_flood_count,
           config->max_flood_count == 1 ? "" : "s");
    if (!value->decided) {
        printf("not decided in this time; the adventurer completes at least %d moves.\n", value->lower);
    } else if (value->winner == BW_ISLAND_JOURNEYMAN) {
        puts("the adventurer survives all 365 days.");
    } else if (value->exact) {
        printf("the weather wins, after %d moves of the adventurer.\n", value->upper);
    } else {
        printf("the weather wins, after %d to %d moves of the adventurer (exact value not found in this time).\n",
               value->lower, value->upper);
    }
}

static void print_json(const bw_island_value *value) {
    const char *winner = value->winner == BW_ISLAND_JOURNEYMAN ? "\"journeyman\"" : "\"weather\"";
    printf("{\"winner\":%s,\"moves\":%d,\"exact\":%s,\"lower\":%d,\"upper\":%d}\n", value->decided ? winner : "null",
           value->upper, value->exact ? "true" : "false", value->lower, value->upper);
}

/* ---- certificates ---- */

static void write_bytes(void *user, const char *bytes, size_t length) { fwrite(bytes, 1, length, user); }

typedef struct certifying {
    bw_island_proof proof;
    double started, seconds;
    progress progress;
} certifying;

static bool keep_proving(void *user) {
    certifying *c = user;
    double spent = cli_clock() - c->started;
    if (progress_due(&c->progress))
        progress_tell(&c->progress, PROGRESS_UNKNOWN, "writing the certificate, %.0f s", spent);
    return !progress_interrupted() && (c->seconds == 0 || spent < c->seconds);
}

/* Writes a certificate of both bounds, or, if that takes too much, of one of them. */
static int certify(const bw_island_config *config, const bw_island_value *value, const char *path, double seconds,
                   void *memory, size_t bytes) {
    int upper = value->decided ? value->upper : BW_ISLAND_DAYS;
    int claims[][2] = {{value->lower, upper}, {0, upper}, {value->lower, BW_ISLAND_DAYS}};
    certifying c = {.seconds = seconds, .progress = progress_begin()};
    bool made = false, written = true;
    int claim = 0;
    for (; claim < 3 && !made && written && !progress_interrupted(); claim++) {
        FILE *file = fopen(path, "wb");
        if (!file) break;
        c.started = cli_clock();
        c.proof = (bw_island_proof){.config = *config,
                                    .at_least = claims[claim][0],
                                    .at_most = claims[claim][1],
                                    .keep_going = keep_proving,
                                    .write_bytes = write_bytes,
                                    .write_user = file,
                                    .user = &c};
        made = bw_island_prove(&c.proof, memory, bytes);
        written = !ferror(file);
        written = fclose(file) == 0 && written;
        if (!made || !written) remove(path);
    }
    progress_end(&c.progress);
    if (!written || (!made && claim == 0)) return cli_failed("%s cannot be written.", path);
    if (!made) return cli_failed("no certificate could be made within this time and memory.");
    cli_print(stderr, "%s: %u positions of the weather's strategy, %u of the adventurer's\n", path, c.proof.night_nodes,
              c.proof.day_nodes);
    if (claim == 1) return CLI_OK;
    return cli_failed("the %s bound is missing in it: it needs more time (--seconds) or memory (--memory).",
                      claim == 2 ? "lower" : "upper");
}

int cli_solve_flooded_island(int argc, char **argv) {
    int64_t width = 0, height = 0, floods = 0, seconds = 10, megabytes = 1024, threads = 0; /* 0: not given */
    const char *file = NULL, *certificate = NULL;
    bool all = false, json = false;
    const cli_option options[] = {
        CLI_INT("--width", &width, "W", 3, 10, "columns, 3 to 10 (10)"),
        CLI_INT("--height", &height, "H", 3, 10, "rows, 3 to 10 (10)"),
        CLI_INT("--max-flood-count", &floods, "K", 1, 3, "floods per night, 1 to 3 (2)"),
        CLI_FLAG("--all", &all, "every grid and number of floods, as three tables"),
        CLI_INT("--threads", &threads, "N", 1, POOL_MAX,
                "with --all: grids at once (default: the number of processors)"),
        CLI_TEXT("--file", &file, "FILE", "with --all: keep results there, and continue from those of an earlier run"),
        CLI_INT("--seconds", &seconds, "S", 0, 1000000,
                "stop a grid after S seconds with bounds; 0: only when it is exact (10)"),
        CLI_INT("--memory", &megabytes, "MB", 16, 65536, "maximum memory in MiB (1024)"),
        CLI_TEXT("--certificate", &certificate, "FILE", "write a proof of the value there, for `boardwalk check`"),
        CLI_FLAG("--json", &json, "print {\"winner\",\"moves\",\"exact\",\"lower\",\"upper\"}"),
    };
    const cli_usage usage = {
        .command = "solve flooded_island",
        .operands = "[--width W] [--height H] [--max-flood-count K] | --all",
        .about = "Finds who wins Flooded Island from the start under perfect play, and after how many moves that\n"
                 "the adventurer completes. If time runs out (or at Ctrl-C) it prints the bounds found so far;\n"
                 "`moves` is then the upper bound, within which the weather is known to win. With --all and --json\n"
                 "each line is {\"width\",\"height\",\"max_flood_count\",\"lower\",\"upper\",\"milliseconds\"}.",
        CLI_OPTIONS(options),
    };
    const char *none[1];
    int parsed = cli_parse(&usage, argc, argv, none);
    if (parsed < 0) return cli_exit(parsed);
    if (all) {
        if (width || height || floods)
            return cli_wrong("--all solves every grid: leave out --width, --height and --max-flood-count.");
        if (certificate) return cli_wrong("--certificate is for one grid: leave out --all.");
        threads = pool_size(threads);
        if (megabytes / threads < 16)
            return cli_wrong("--memory must be 16 MiB or more for each of %" PRId64 " threads.", threads);
        return cli_solve_islands((double)seconds, megabytes, threads, file, json);
    }
    if (threads || file) return cli_wrong("%s requires --all.", threads ? "--threads" : "--file");
    width = width ? width : 10, height = height ? height : 10, floods = floods ? floods : 2;
    size_t bytes = (size_t)megabytes << 20;
    void *memory = cli_map(bytes);
    if (!memory) {
        return cli_failed("cannot allocate %" PRId64 " MiB; use a smaller --memory.", megabytes);
    }
    bw_island_config config = {.width = (uint8_t)width, .height = (uint8_t)height, .max_flood_count = (uint8_t)floods};
    solving s = {.started = cli_clock(), .progress = progress_begin()};
    s.deadline = seconds ? s.started + (double)seconds : 0;
    bw_island_watch watch = {.keep_going = keep_going, .progress = take, .user = &s};
    bw_island_value value;
    bw_island_solve(&config, memory, bytes, &watch, &value);
    progress_end(&s.progress);
    if (json) print_json(&value);
    else print_words(&config, &value);
    int status = CLI_OK;
    if (certificate) status = certify(&config, &value, certificate, (double)seconds, memory, bytes);
    cli_unmap(memory, bytes);
    return status;
}
