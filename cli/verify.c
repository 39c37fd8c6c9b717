/* boardwalk verify: is this game file the game that was played? */
#include "cli/game_file.h"

#include <string.h>

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

int cli_verify(int argc, char **argv) {
    bool json = false;
    const cli_option options[] = {
        {"--json", CLI_FLAG, &json, NULL,
         "{\"valid\", \"game\", \"moves\", \"line\" (of the fault, or the last), \"finished\", \"error\", \"message\"}",
         0, 0}};
    const cli_usage usage = {
        .command = "verify",
        .operands = "FILE",
        .about = "Checks a game file (*.bw.jsonl, \"-\" for stdin): that the seed is the one whose hash was\n"
                 "published at the start, that every action was legal, that every line and every position\n"
                 "is the one that was hashed, and that the result is right. One changed byte is found, and\n"
                 "its line named. Exit status 0: all of it holds; 1: it does not.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .positional_min = 1,
        .positional_max = 1,
    };
    const char *path;
    int given = cli_parse(&usage, argc, argv, &path);
    if (given < 0) return cli_exit(given);
    cli_game_file file;
    if (!game_file_open(&file, path)) return CLI_USAGE;
    tally t = {0};
    file.reader.on_step = count;
    file.reader.user = &t;
    int error = file.game ? bw_file_verify(file.text, file.length, &file.reader) : BW_FILE_FORMAT_UNKNOWN;
    if (!file.game) file.reader.line = 1;
    if (error == BW_FILE_NO_SEED && game_file_has_result(&file)) {
        bw_complain(&file.reader.complaint, "Line 1: the game is over, but its seed is missing.", NULL);
    }
    if (json) {
        char memory[1024];
        bw_out out = bw_out_to(memory, sizeof memory);
        bw_out_format(&out, "{\"valid\":%s,\"game\":", error == 0 ? "true" : "false");
        if (file.game) bw_out_string(&out, file.game->id);
        else bw_out_text(&out, "null");
        bw_out_format(&out, ",\"moves\":%u,\"line\":%u,\"finished\":%s", t.moves, error ? file.reader.line : t.line,
                      t.result ? "true" : "false");
        if (error) {
            bw_out_format(&out, ",\"error\":\"%s\",\"message\":\"%s\"", game_file_error(error),
                          file.reader.complaint.text);
        }
        bw_out_text(&out, "}");
        cli_print(stdout, "%.*s\n", (int)out.length, memory);
    } else if (error) {
        cli_print(stdout, "%s does not verify: %s\n", path, file.reader.complaint.text);
    } else {
        cli_print(stdout, "%s holds: %s, %u moves, %s; the seed, every move and every hash are right.\n", path,
                  file.game->title, t.moves, t.result ? "finished" : "not finished");
    }
    game_file_close(&file);
    return error ? CLI_NO : CLI_OK;
}
