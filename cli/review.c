/* boardwalk review: where a game turned, and what would have been better. bots/review.h says how that is found out; here
 * the file is read and the answer printed. */
#include "bots/review.h"
#include "cli/game_file.h"
#include "cli/phrase.h"
#include "cli/player.h"
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>

/* A step of the file, kept. */
typedef struct kept {
    uint32_t seq;
    int seat;
    void *block, *action; /* action NULL: the start, or a resignation */
    bw_reviewed found;    /* `better` is text then */
    char *json, *better;
} kept;

typedef struct history {
    const bw_game *game;
    kept *steps;
    uint32_t count, cap;
    uint32_t seats;
} history;

static void *copy_of(const void *bytes, size_t count) {
    void *copy = cli_memory(count);
    return memcpy(copy, bytes, count);
}

static bool keep(void *user, const bw_file_step *step) {
    history *g = user;
    if (step->result) return true;
    if (g->count == g->cap) g->steps = cli_more(g->steps, (g->cap = g->cap ? 2 * g->cap : 64) * sizeof *g->steps);
    kept *k = &g->steps[g->count++];
    *k = (kept){.seq = step->seq, .seat = step->seat};
    k->block = copy_of(step->match->block, bw_match_bytes(g->game));
    if (step->action) k->action = copy_of(step->action, g->game->actions->size);
    g->seats = *step->match->seats;
    return true;
}

static bw_review_step at(void *user, uint32_t index) {
    const kept *k = &((const history *)user)->steps[index];
    return (bw_review_step){.block = k->block, .seat = k->seat, .action = k->action};
}

static bool goes_on(void *user) {
    (void)user;
    return !progress_interrupted();
}

/* ---- what comes out ---- */

static char *text_of(bw_review *r, const bw_reviewed *found, bool better) {
    bw_out out = cli_out(1024);
    do {
        out.length = 0;
        if (!better) bw_review_json(r, found, &out);
        for (uint32_t i = 0; better && i < found->better_count; i++) {
            if (i) bw_out_text(&out, "\n");
            bw_encode_union(&out, r->of.game->actions,
                            (const char *)found->better + (size_t)i * r->of.game->actions->size);
        }
        bw_out_bytes(&out, "", 1);
    } while (cli_grow(&out));
    return out.at;
}

static void note(bw_review *r, history *g, const bw_reviewed *found) {
    kept *k = &g->steps[found->step];
    free(k->json);
    free(k->better);
    k->found = *found;
    k->json = text_of(r, found, false);
    k->better = found->better_count ? text_of(r, found, true) : NULL;
}

static void print_json(const kept *k) { cli_print(stdout, "{\"seq\":%u,%s}\n", k->seq, k->json); }

/* Actions in words, a line each: columns and rows count from 1. */
static void print_told(const bw_game *game, const char *before, const char *actions) {
    for (const char *line = actions; *line; before = ", ") {
        const size_t length = strcspn(line, "\n");
        bw_out words = cli_out(4 * length + 64);
        phrase_tell(game->actions, line, length, &words);
        cli_print(stdout, "%s%.*s", before, (int)words.length, words.at);
        free(words.at);
        line += length + (line[length] == '\n');
    }
}

static void print_worth(const bw_review *r, const bw_worth *worth) {
    if (worth->open) cli_print(stdout, " no end seen");
    else if (r->measured) cli_print(stdout, " %3d%s", worth->value, worth->exact ? "" : "?");
    else cli_print(stdout, " %3d %%", (worth->value + 5) / 10);
}

static void print_line(bw_review *r, const kept *k) {
    const bw_game *game = r->of.game;
    cli_print(stdout, "%5u  %-10s ", k->seq, k->seat >= 0 ? game->roles[k->seat].id : "round");
    for (int seat = 0; seat < game->role_count; seat++) {
        if (!(r->of.seats >> seat & 1) || (k->seat >= 0 && seat != k->seat)) continue;
        if (k->seat < 0) cli_print(stdout, " %s", game->roles[seat].id);
        print_worth(r, &k->found.before[seat]);
        cli_print(stdout, " ->");
        print_worth(r, &k->found.after[seat]);
    }
    if (k->seat >= 0 && k->action) {
        bw_out text = cli_out(1024);
        do {
            text.length = 0;
            bw_encode_union(&text, game->actions, k->action);
            bw_out_bytes(&text, "", 1);
        } while (cli_grow(&text));
        print_told(game, "  ", text.at);
        free(text.at);
    }
    if (k->better) {
        cli_print(stdout, "  better");
        if (k->seat < 0) cli_print(stdout, " for %s", game->roles[k->found.seat].id);
        print_told(game, ": ", k->better);
        if (k->found.again) {
            cli_print(stdout, " (%d %%)", (k->found.with_better.value + 5) / 10);
        }
    }
    cli_print(stdout, "\n");
}

/* The dearest: of chances only moves that were looked at twice, where there are such. */
static const kept *worst(const history *g) {
    const kept *found = NULL;
    for (uint32_t i = 0; i < g->count; i++) {
        const kept *k = &g->steps[i];
        if (!k->json || !k->found.cost || (found && found->found.again && !k->found.again)) continue;
        if (!found || k->found.cost > found->found.cost || (k->found.again && !found->found.again)) found = k;
    }
    return found;
}

static void print_turning_point(const bw_review *r, const history *g) {
    const kept *k = worst(g);
    if (!k) {
        cli_print(stdout,
                  r->measured ? "\nNo move was one too many.\n" : "\nNo single move of a player turned the game.\n");
    } else if (r->measured) {
        cli_print(stdout, "\nThe dearest move was number %u: it cost %d.\n", k->seq, k->found.cost);
    } else {
        cli_print(stdout,
                  "\nThe game turned most at move %u of %s: %d %% of the games were won before it, %d %% after it.\n",
                  k->seq, r->of.game->roles[k->found.seat].id, (k->found.before[k->found.seat].value + 5) / 10,
                  (k->found.after[k->found.seat].value + 5) / 10);
    }
}

static void print(bw_review *r, const history *g, const char *level, bool json) {
    uint32_t moves = 0;
    for (uint32_t i = 0; i < g->count; i++) moves += g->steps[i].json && g->steps[i].found.counts;
    if (!json) {
        cli_print(stdout, "%s, %u moves. ", r->of.game->title, moves);
        if (r->measured) {
            cli_print(stdout,
                      "For each: the moves that are left before and after it when all play best.\n"
                      "Where there is a question mark, a solver has found no better, but has not proven it.\n\n");
        } else {
            cli_print(stdout,
                      "For each: how many of %u games played on by %s bots its player wins before and after it;\n"
                      "of the dearest moves, of %u. What was hidden is dealt anew each time. It is an estimate.\n\n",
                      r->how.games, level, r->how.games * 4);
        }
    }
    for (uint32_t i = 0; i < g->count; i++) {
        if (!g->steps[i].json || !g->steps[i].found.counts) continue;
        if (json) print_json(&g->steps[i]);
        else print_line(r, &g->steps[i]);
    }
    if (!json) print_turning_point(r, g);
}

/* ---- the command ---- */

static void look_back(history *g, const bw_bot *bot, int64_t games, bool json) {
    bw_review_game of = {.game = g->game, .seats = g->seats, .steps = g->count, .at = at, .user = g};
    bw_review_settings how = {.player = bot, .games = (uint32_t)games, .keep_going = goes_on};
    bw_review review;
    bw_reviewed found;
    void *memory = NULL;
    if (posix_memalign(&memory, 64, bw_review_bytes(&of, &how)) != 0) {
        cli_failed("out of memory.");
        exit(CLI_NO);
    }
    progress p = progress_begin();
    bw_review_begin(&review, &of, &how, memory);
    while (bw_review_next(&review, &found)) {
        note(&review, g, &found);
        uint32_t done, slices = bw_review_slices(&review, &done);
        if (progress_due(&p)) progress_tell(&p, (double)done / slices, "%u of %u moves", review.next, g->count);
    }
    progress_end(&p);
    print(&review, g, bot->level, json);
    free(memory);
}

static int run(cli_game_file *file, const bw_bot *bot, int64_t games, bool json) {
    history g = {.game = file->game};
    file->reader.on_step = keep;
    file->reader.user = &g;
    int error = bw_file_verify(file->text, file->length, &file->reader), status = CLI_OK;
    /* A game that is still played, or was cut off, is reviewed as far as it goes. */
    bool whole = error == 0 || error == BW_FILE_RESULT;
    if (g.count > 0 && (whole || g.count > 1)) look_back(&g, bot, games, json);
    if (progress_interrupted()) status = cli_failed("interrupted: the moves so far stand above.");
    else if (!whole) status = cli_failed("the file does not verify: %s", file->reader.error.text);
    for (uint32_t i = 0; i < g.count; i++) {
        kept *k = &g.steps[i];
        free(k->block), free(k->action), free(k->json), free(k->better);
    }
    free(g.steps);
    return status;
}

int cli_review(int argc, char **argv) {
    int64_t games = 20;
    const char *level = "normal", *path;
    bool json = false;
    const cli_option options[] = {
        CLI_INT("--games", &games, "N", 1, 100000,
                "games played on from each position (20): more, and the chances are surer"),
        CLI_TEXT("--bot", &level, "BOT", "who plays them: a level of the game (normal) or random"),
        CLI_FLAG(
            "--json", &json,
            "a line for each move: {\"seq\", \"role\", \"of\", \"chances\" or \"moves_left\" (before and after, by role; null:\n"
            "                    no end is seen), \"exact\", \"cost\", \"again\", \"action\", \"better\", \"with_better\"}"),
    };
    const cli_usage usage = {
        .command = "review",
        .operands = "FILE",
        .about = "Shows where a game turned, and what would have been better. Where a game has a solver, each\n"
                 "move is measured by the moves that are left when all play best, as exactly as the solver proves\n"
                 "them. In every other game it is measured by games that bots play on from there, each time with\n"
                 "other luck: an estimate, which more games make surer. The moves that cost most are looked at\n"
                 "again, with four times as many games, beside what the strongest bot would have played.\n"
                 "Columns and rows count from 1; with --json from 0.",
        CLI_OPTIONS(options),
        .positionals = {1, 1},
    };
    int given = cli_parse(&usage, argc, argv, &path);
    if (given < 0) return cli_exit(given);
    cli_game_file file;
    player bots;
    if (!game_file_open(&file, path)) return CLI_USAGE;
    int status = CLI_USAGE;
    if (!file.game) {
        status = cli_failed("%s does not verify: %s", path, file.reader.error.text);
    } else if (player_open(&bots, file.game, level, 1000)) {
        status = bots.bot ? run(&file, bots.bot, games, json)
                          : cli_wrong("--bot must be a level of the game, or random: programs are not asked here.");
        player_close(&bots);
    }
    game_file_close(&file);
    return status;
}
