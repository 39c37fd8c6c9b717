/* boardwalk verify: are these files the games that were played? */
#include "cli/game_file.h"

#include <string.h>

enum { FILES_MAX = 4096 };

typedef struct tally {
    uint32_t moves, line;
    bool result;
} tally;

static bool count(void *user, const bw_file_step *step) {
    tally *t = user;
    t->line = step->line;
    if (step->result) t->result = true;
    else if (step->seq) t->moves = step->seq;
    return true;
}

static int verify(const char *path, bool json) {
    cli_game_file file;
    if (!game_file_open(&file, path)) return CLI_USAGE;
    tally t = {0};
    file.reader.on_step = count;
    file.reader.user = &t;
    int error = file.game ? bw_file_verify(file.text, file.length, &file.reader) : BW_FILE_FORMAT_UNKNOWN;
    if (!file.game) file.reader.line = 1;
    if (error == BW_FILE_NO_SEED && game_file_has_result(&file)) {
        bw_fail(&file.reader.error, "Line 1: the game is over, but its seed is missing.", NULL);
    }
    if (json) {
        char memory[1024];
        bw_out out = bw_out_to(memory, sizeof memory);
        bw_out_format(&out, "{\"valid\":%s,\"game\":", bw_true(error == 0));
        bw_out_string(&out, file.game ? file.game->id : NULL);
        bw_out_format(&out, ",\"moves\":%u,\"line\":%u,\"finished\":%s", t.moves, error ? file.reader.line : t.line,
                      bw_true(t.result));
        if (error) {
            bw_out_format(&out, ",\"error\":\"%s\",\"message\":\"%s\"", game_file_error(error), file.reader.error.text);
        }
        bw_out_text(&out, "}");
        cli_print(stdout, "%.*s\n", (int)out.length, memory);
    } else if (error) {
        cli_print(stdout, "%s does not verify: %s\n", path, file.reader.error.text);
    } else {
        cli_print(stdout, "%s is valid: %s, %u moves, %s; the seed, every move and every hash are right.\n", path,
                  file.game->title, t.moves, t.result ? "finished" : "not finished");
    }
    game_file_close(&file);
    return error ? CLI_NO : CLI_OK;
}

/* With several files: an unreadable file weighs most, then an invalid one. */
static int worse(int a, int b) { return a == CLI_USAGE || b == CLI_OK ? a : b; }

int cli_verify(int argc, char **argv) {
    bool json = false;
    const cli_option options[] = {CLI_FLAG(
        "--json", &json,
        "for each file a line: {\"valid\", \"game\", \"moves\", \"line\" (of the error, or the last), \"finished\", "
        "\"error\", \"message\"}")};
    const cli_usage usage = {
        .command = "verify",
        .operands = "FILE...",
        .about = "Checks game files (*.bw.jsonl, \"-\" for stdin): that the seed is the one whose hash was\n"
                 "published at the start, that every action was legal, that every line and every position\n"
                 "is the one that was hashed, and that the result is right. One changed byte is found, and its\n"
                 "line is reported. Exit status 0: all files are valid; 1: one is not.",
        CLI_OPTIONS(options),
        .positionals = {1, FILES_MAX},
    };
    const char *paths[FILES_MAX];
    int given = cli_parse(&usage, argc, argv, paths), status = CLI_OK;
    if (given < 0) return cli_exit(given);
    for (int i = 0; i < given; i++) status = worse(status, verify(paths[i], json));
    return status;
}
