/* boardwalk replay: shows a game file, move by move. */
#include "cli/game_file.h"
#include "cli/phrase.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct showing {
    const bw_game *game;
    bool json, positions;
    int64_t stop; /* show only the position after this move; -1: the whole game */
    bool stopped;
    void *view;
    bw_out out, words; /* the output; the JSON of what is printed as text */
} showing;

/* A line is bounded by the size of the game's view; if it does not fit, more memory is allocated. */
static void encode(showing *show, void (*write)(showing *, const bw_file_step *), const bw_file_step *step) {
    do write(show, step);
    while (cli_grow(&show->out));
    cli_put(stdout, show->out.at, show->out.length, true);
    putchar('\n');
    show->out.length = 0;
}

static const char *who(const bw_game *game, int seat) { return seat >= 0 ? game->roles[seat].id : "clock"; }

static void write_action(showing *show, const bw_file_step *step) {
    bw_out *out = &show->out;
    if (step->action) bw_encode_union(out, show->game->actions, step->action);
    else bw_out_text(out, step->result || step->seq == 0 ? "null" : "{\"type\":\"resign\"}");
}

static void write_json(showing *show, const bw_file_step *step) {
    bw_out *out = &show->out;
    bw_out_format(out, "{\"line\":%u,\"seq\":%u,\"t\":%" PRId64 ",\"role\":", step->line, step->seq, step->t);
    bw_out_string(out, step->seat >= 0 ? show->game->roles[step->seat].id : NULL);
    bw_out_text(out, ",\"action\":");
    write_action(show, step);
    bw_out_text(out, ",\"events\":");
    if (step->events) bw_encode_unions(out, show->game->events, step->events->memory, step->events->count);
    else bw_out_text(out, "[]");
    bw_out_text(out, ",\"state\":");
    bw_encode(out, show->game->view, show->view);
    if (step->result) {
        bw_out_text(out, ",\"winner\":");
        bw_encode_winner(out, show->game, show->game->winners(step->match->state));
    }
    bw_out_text(out, "}");
}

/* Prints an action or an event as text; columns and rows count from 1, as on the boards. */
static void write_told(showing *show, const bw_union *cases, const void *value) {
    show->words.length = 0;
    do bw_encode_union(&show->words, cases, value);
    while (cli_grow(&show->words));
    phrase_tell(cases, show->words.at, show->words.length, &show->out);
}

static void write_line(showing *show, const bw_file_step *step) {
    bw_out *out = &show->out;
    char left[96];
    snprintf(left, sizeof left, "%4u  %7.1f s  %-10s ", step->seq, (double)step->t / 1000, who(show->game, step->seat));
    bw_out_text(out, left);
    if (step->action) write_told(show, show->game->actions, step->action);
    else bw_out_text(out, "resign");
    for (uint32_t i = 0; step->events && i < step->events->count; i++) {
        bw_out_text(out, "\n                           - ");
        write_told(show, show->game->events, step->events->memory + (size_t)i * step->events->size);
    }
}

static void write_result(showing *show, const bw_file_step *step) {
    uint32_t winners = show->game->winners(step->match->state);
    bw_out_text(&show->out, "\nWinner: ");
    if (!winners) bw_out_text(&show->out, "nobody");
    else bw_encode_winner(&show->out, show->game, winners);
}

static void write_position(showing *show, const bw_file_step *step) {
    (void)step;
    show->game->text(show->view, &show->out);
}

static bool show_step(void *user, const bw_file_step *step) {
    showing *show = user;
    show->game->view_of(step->match->state, BW_WATCHER, show->view);
    if (show->json) {
        encode(show, write_json, step);
    } else if (show->stop >= 0) {
        if (step->seq == show->stop && !step->result) encode(show, write_position, step);
    } else {
        if (step->seq && !step->result) encode(show, write_line, step);
        if (show->positions && !step->result) encode(show, write_position, step);
        if (step->result) {
            if (!show->positions) putchar('\n'), encode(show, write_position, step);
            encode(show, write_result, step);
        }
    }
    show->stopped = show->stop >= 0 && step->seq == show->stop;
    return !show->stopped;
}

/* ---- a game in progress ---- */

/* Its seed is secret, so there are no positions, only the moves as written. */
static void show_written(const cli_game_file *file, const char *line, size_t length) {
    char role[40] = "clock";
    int64_t seq = 0, t = 0;
    bw_doc doc;
    int count = bw_doc_parse(&doc, line, length, file->reader.tokens, file->reader.token_cap, 16, NULL);
    int action = count > 0 ? bw_doc_member(&doc, 0, "action") : -1;
    if (action < 0 || !bw_doc_int(&doc, bw_doc_member(&doc, 0, "seq"), &seq) ||
        !bw_doc_int(&doc, bw_doc_member(&doc, 0, "t"), &t)) {
        cli_put(stdout, line, length, false);
        putchar('\n');
        return;
    }
    bw_doc_text(&doc, bw_doc_member(&doc, 0, "role"), role, sizeof role);
    bw_raw raw = bw_doc_raw(&doc, action);
    printf("%4" PRId64 "  %7.1f s  ", seq, (double)t / 1000);
    cli_put(stdout, role, strlen(role), false);
    printf("%*s ", strlen(role) < 10 ? (int)(10 - strlen(role)) : 0, "");
    bw_out words = cli_out(4 * raw.length + 64);
    phrase_tell(file->game->actions, raw.at, raw.length, &words);
    cli_put(stdout, words.at, words.length, false);
    free(words.at);
    putchar('\n');
}

static void show_unchecked(const cli_game_file *file, bool json) {
    const char *at = file->text, *end = at + file->length;
    for (bool first = true; at < end; first = false) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        if (!first && length && json) cli_put(stdout, at, length, false), putchar('\n');
        else if (!first && length) show_written(file, at, length);
        at += length + (stop != NULL);
    }
}

/* A finished game without a seed: it was published, so somebody has removed it. */
static int unchecked(const cli_game_file *file, const char *path) {
    if (game_file_has_result(file)) {
        return cli_failed("%s: the game is over, but its seed is missing: nothing could be checked.", path);
    }
    cli_failed("%s: the game is not over, so its seed is secret and nothing could be checked.", path);
    return CLI_OK;
}

int cli_replay(int argc, char **argv) {
    showing show = {.stop = -1};
    const cli_option options[] = {
        CLI_FLAG("--json", &show.json, "a line of JSON for the start and for each move: action, events, state"),
        CLI_FLAG("--positions", &show.positions, "also the position after each move"),
        CLI_INT("--step", &show.stop, "N", 0, UINT32_MAX, "only the position after move N (0: the start)"),
    };
    const cli_usage usage = {
        .command = "replay",
        .operands = "FILE",
        .about = "Shows a game file (*.bw.jsonl, \"-\" for stdin): every move and its effects. Columns and rows count\n"
                 "from 1; with --json, from 0 as in the file. The file is checked while it is read; if it is invalid,\n"
                 "the line number is printed and the exit status is 1. While a game is not over its seed is secret:\n"
                 "then the moves are shown as written, unchecked.",
        CLI_OPTIONS(options),
        .positionals = {1, 1},
    };
    const char *path;
    int given = cli_parse(&usage, argc, argv, &path);
    if (given < 0) return cli_exit(given);
    cli_game_file file;
    if (!game_file_open(&file, path)) return CLI_USAGE;
    int status = CLI_OK;
    if (!file.game) {
        status = cli_failed("%s: %s", path, file.reader.error.text);
    } else {
        show.game = file.game;
        show.view = cli_memory(file.game->view->size);
        show.out = cli_out(1 << 16);
        show.words = cli_out(1 << 12);
        if (!show.json && show.stop < 0) {
            printf("%s, rules version %u\n\n", file.game->title, file.game->rules_version);
        }
        file.reader.on_step = show_step;
        file.reader.user = &show;
        int error = bw_file_verify(file.text, file.length, &file.reader);
        if (error == BW_FILE_NO_SEED && show.stop < 0) {
            show_unchecked(&file, show.json);
            fflush(stdout);
            status = unchecked(&file, path);
        } else if (error) {
            status = cli_failed("%s: %s", path, file.reader.error.text);
        } else if (show.stop >= 0 && !show.stopped) {
            status = cli_wrong("%s has no move %" PRId64 ".", path, show.stop);
        }
        free(show.view);
        free(show.out.at);
        free(show.words.at);
    }
    game_file_close(&file);
    return status;
}
