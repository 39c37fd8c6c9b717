/* boardwalk review: where a game turned, and what would have been better.
 *
 * A puzzle is measured in moves: how many the strongest bot still needs before and after each of them. Every other game
 * is measured in chances: from each position a number of games is played on by bots, with the luck that the game really
 * had. The better action is what the strongest bot would have played. */
#include "cli/game_file.h"
#include "cli/phrase.h"
#include "cli/player.h"
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>

enum { PLAYS_MAX = 20000 };

/* What is known of one position. */
typedef struct value {
    double seats[BW_SEATS_MAX]; /* the share of games that the seat wins; of a puzzle, the moves that it still needs */
} value;

typedef struct played {
    uint32_t seq;
    int seat; /* BW_CLOCK: a round, in which all have moved */
    char *action, *better;
    double before[BW_SEATS_MAX], after[BW_SEATS_MAX];
} played;

typedef struct review {
    const bw_game *game;
    player player, strongest;
    bool puzzle, failed;
    int64_t games;
    uint32_t seats, lines, line;
    bw_match match;     /* games are played on in it */
    void *before_block; /* the position before the step */
    value before;
    void *round; /* what a round plays */
    unsigned char *actions;
    bw_out text;
    played *list;
    size_t count, cap;
    progress progress;
} review;

static bool takes_part(const review *r, int seat) { return r->seats >> seat & 1; }

static void copy_from(review *r, const void *block) { memcpy(r->match.block, block, bw_match_bytes(r->game)); }

static uint64_t luck_of(int64_t game, uint64_t move) {
    bw_fast fast = {(uint64_t)game * 0x9e3779b97f4a7c15u + move};
    return bw_fast_next(&fast);
}

/* ---- playing on ---- */

/* One seat's decision, played or queued. False: there was none, so the game stays as it is. */
static bool act(review *r, player *p, int seat, uint64_t seed) {
    const bw_game *game = r->game;
    bool rounds = game->flags & BW_GAME_ROUNDS;
    bw_complaint unused;
    int count = player_choose(p, &r->match, seat, seed, r->actions, BW_BOT_ACTIONS_MAX, &unused);
    for (int i = 0; i < count; i++) {
        const void *action = r->actions + (size_t)i * game->actions->size;
        int outcome = rounds ? bw_match_submit(&r->match, seat, action, r->round, NULL)
                             : bw_match_play(&r->match, seat, action, NULL);
        if (!rounds) return outcome >= 0;
    }
    return rounds;
}

static bool play_turn(review *r, player *p, uint32_t turn, int *last, uint64_t seed) {
    const bw_game *game = r->game;
    if (game->flags & BW_GAME_ROUNDS) {
        for (int seat = 0; seat < game->role_count; seat++) {
            if (turn >> seat & 1) act(r, p, seat, seed + (unsigned)seat);
        }
        bw_match_round(&r->match, r->round, NULL);
        return true;
    }
    do {
        *last = (*last + 1) % game->role_count;
    } while (!(turn >> *last & 1));
    return act(r, p, *last, seed);
}

/* To the end, or as far as bots go. */
static void play_on(review *r, int64_t game_number) {
    int last = r->game->role_count - 1;
    uint32_t turn;
    for (uint64_t move = 0; move < PLAYS_MAX && (turn = r->game->turn(r->match.state)) != 0; move++) {
        if (progress_interrupted() ||
            !play_turn(r, &r->player, turn, &last, luck_of(game_number, move * BW_SEATS_MAX))) {
            return;
        }
    }
}

static double moves_left(review *r, const void *block, int seat) {
    copy_from(r, block);
    double moves = 0;
    while (r->game->turn(r->match.state) >> seat & 1 && moves < PLAYS_MAX && !progress_interrupted()) {
        if (!act(r, &r->strongest, seat, 1)) break;
        moves++;
    }
    return moves;
}

static value value_of(review *r, const void *block) {
    value found = {{0}};
    for (int seat = 0; r->puzzle && seat < r->game->role_count; seat++) {
        if (takes_part(r, seat)) found.seats[seat] = moves_left(r, block, seat);
    }
    for (int64_t i = 0; !r->puzzle && i < r->games; i++) {
        copy_from(r, block);
        play_on(r, i);
        uint32_t winners = r->game->turn(r->match.state) == 0 ? r->game->winners(r->match.state) : 0;
        for (int seat = 0; seat < r->game->role_count; seat++) {
            found.seats[seat] += (double)(winners >> seat & 1) / (double)r->games;
        }
    }
    return found;
}

/* ---- the file, step by step ---- */

static char *text_of(review *r, const void *action) {
    r->text.length = 0;
    do {
        if (action) bw_encode_union(&r->text, r->game->actions, action);
        else bw_out_text(&r->text, "{\"type\":\"resign\"}");
    } while (cli_grow(&r->text));
    char *text = cli_memory(r->text.length + 1);
    memcpy(text, r->text.at, r->text.length);
    return text;
}

/* What the strongest bot plays in the position before; NULL where that is an action of another kind, or the same. */
static char *better_than(review *r, int seat, const void *action) {
    bw_complaint unused;
    copy_from(r, r->before_block);
    if (!action || player_choose(&r->strongest, &r->match, seat, 1, r->actions, BW_BOT_ACTIONS_MAX, &unused) < 1)
        return NULL;
    if (*(const uint8_t *)action != r->actions[0]) return NULL;
    char *mine = text_of(r, action), *bots = text_of(r, r->actions);
    bool same = strcmp(mine, bots) == 0;
    free(mine);
    if (!same) return bots;
    free(bots);
    return NULL;
}

/* Undo and the like are no moves of the puzzle: the strongest bot never plays them. */
static bool counts(review *r, const bw_file_step *step) {
    bw_complaint unused;
    if (!r->puzzle) return true;
    copy_from(r, r->before_block);
    return step->action && step->seat >= 0 &&
           player_choose(&r->strongest, &r->match, step->seat, 1, r->actions, BW_BOT_ACTIONS_MAX, &unused) > 0 &&
           *(const uint8_t *)step->action == r->actions[0];
}

static void note(review *r, const bw_file_step *step, const value *after) {
    if (!counts(r, step)) return;
    if (r->count == r->cap) r->list = cli_more(r->list, (r->cap = r->cap ? 2 * r->cap : 64) * sizeof *r->list);
    played *p = &r->list[r->count++];
    *p = (played){.seq = step->seq, .seat = step->seat, .action = step->seat >= 0 ? text_of(r, step->action) : NULL};
    memcpy(p->before, r->before.seats, sizeof p->before);
    memcpy(p->after, after->seats, sizeof p->after);
    if (step->seat >= 0) p->better = better_than(r, step->seat, step->action);
}

static bool on_step(void *user, const bw_file_step *step) {
    review *r = user;
    if (step->result) return true;
    if (progress_due(&r->progress)) {
        progress_tell(&r->progress, (double)r->line / r->lines, "%u of %u moves", r->line, r->lines);
    }
    r->line++;
    if (r->match.block == NULL) { /* the start */
        r->before_block = cli_memory(bw_match_bytes(r->game));
        bw_match_attach(&r->match, r->game, cli_memory(bw_match_bytes(r->game)));
        r->seats = *step->match->seats;
        int alone = 0;
        for (int seat = 0; seat < r->game->role_count; seat++) alone += (int)(r->seats >> seat & 1);
        r->puzzle = bw_solver_find(r->game) != NULL && alone > 0;
    }
    value now = value_of(r, step->match->block);
    if (step->seq > 0) note(r, step, &now);
    r->before = now;
    memcpy(r->before_block, step->match->block, bw_match_bytes(r->game));
    return !progress_interrupted();
}

/* ---- what comes out ---- */

/* How much worse it became for who moved: in shares of games, or in moves too many. */
static double cost_of(const review *r, const played *p) {
    if (p->seat < 0) return 0;
    double lost = r->puzzle ? p->after[p->seat] + 1 - p->before[p->seat] : p->before[p->seat] - p->after[p->seat];
    return lost > 0 ? lost : 0;
}

static const played *worst(const review *r) {
    const played *found = NULL;
    for (size_t i = 0; i < r->count; i++) {
        if (cost_of(r, &r->list[i]) > (found ? cost_of(r, found) : 0)) found = &r->list[i];
    }
    return found;
}

static void print_json(const review *r, const played *p) {
    cli_print(stdout, "{\"seq\":%u,\"role\":", p->seq);
    if (p->seat >= 0) cli_print(stdout, "\"%s\"", r->game->roles[p->seat].id);
    else cli_print(stdout, "null");
    cli_print(stdout, ",\"%s\":{", r->puzzle ? "moves_left" : "chances");
    for (int seat = 0, written = 0; seat < r->game->role_count; seat++) {
        if (!takes_part(r, seat)) continue;
        cli_print(stdout, "%s\"%s\":", written++ ? "," : "", r->game->roles[seat].id);
        cli_print(stdout, r->puzzle ? "[%.0f,%.0f]" : "[%.3f,%.3f]", p->before[seat], p->after[seat]);
    }
    cli_print(stdout, "},\"cost\":%.3f,\"action\":%s,\"better\":%s}\n", cost_of(r, p), p->action ? p->action : "null",
              p->better && cost_of(r, p) > 0 ? p->better : "null");
}

/* An action in words: columns and rows count from 1. */
static void print_told(const review *r, const char *before, const char *action) {
    const size_t length = strlen(action);
    bw_out words = cli_out(4 * length + 64);
    phrase_tell(r->game->actions, action, length, &words);
    cli_print(stdout, "%s%.*s", before, (int)words.length, words.at);
    free(words.at);
}

static void print_line(const review *r, const played *p) {
    cli_print(stdout, "%5u  %-10s ", p->seq, p->seat >= 0 ? r->game->roles[p->seat].id : "round");
    for (int seat = 0; seat < r->game->role_count; seat++) {
        if (!takes_part(r, seat) || (p->seat >= 0 && seat != p->seat)) continue;
        if (p->seat < 0) cli_print(stdout, " %s", r->game->roles[seat].id);
        if (r->puzzle) cli_print(stdout, " %3.0f left, then %3.0f", p->before[seat], p->after[seat]);
        else cli_print(stdout, " %3.0f %% -> %3.0f %%", p->before[seat] * 100, p->after[seat] * 100);
    }
    if (p->action) print_told(r, "  ", p->action);
    if (p->better && cost_of(r, p) > 0) print_told(r, "  better: ", p->better);
    cli_print(stdout, "\n");
}

static void print_turning_point(const review *r) {
    const played *p = worst(r);
    if (!p) {
        cli_print(stdout,
                  r->puzzle ? "\nNo move was one too many.\n" : "\nNo single move of a player turned the game.\n");
    } else if (r->puzzle) {
        cli_print(stdout, "\nThe dearest move was number %u: it cost %.0f.\n", p->seq, cost_of(r, p));
    } else {
        cli_print(
            stdout,
            "\nThe game turned most at move %u of %s: %.0f %% of the games were won before it, %.0f %% after it.\n",
            p->seq, r->game->roles[p->seat].id, p->before[p->seat] * 100, p->after[p->seat] * 100);
    }
}

static void print(const review *r, bool json) {
    if (!json) {
        cli_print(stdout, "%s, %zu moves. ", r->game->title, r->count);
        if (r->puzzle) cli_print(stdout, "For each: the moves that the strongest bot needs before and after it.\n\n");
        else
            cli_print(stdout,
                      "For each: how many of %lld games played on by %s bots its player wins before and after it.\n\n",
                      (long long)r->games, r->player.name);
    }
    for (size_t i = 0; i < r->count; i++) (json ? print_json : print_line)(r, &r->list[i]);
    if (!json) print_turning_point(r);
}

static const char *strongest_level(const bw_game *game) {
    const char *level = "random";
    for (int i = 0; bw_bot_at(game, i); i++) level = bw_bot_at(game, i)->level;
    return level;
}

/* As many as the file has lines of play, for the bar. */
static uint32_t lines_of(const cli_game_file *file) {
    uint32_t lines = 1;
    for (size_t i = 0; i < file->length; i++) lines += file->text[i] == '\n';
    return lines;
}

static int run(cli_game_file *file, int64_t games, const char *level, bool json) {
    review r = {.game = file->game, .games = games, .lines = lines_of(file), .text = cli_out(1024)};
    int status = CLI_USAGE, error = 0;
    if (player_open(&r.player, r.game, level, 1000) &&
        player_open(&r.strongest, r.game, strongest_level(r.game), 1000)) {
        r.round = cli_memory(r.game->actions->size);
        r.actions = cli_memory((size_t)BW_BOT_ACTIONS_MAX * r.game->actions->size);
        r.progress = progress_begin();
        file->reader.on_step = on_step;
        file->reader.user = &r;
        error = bw_file_verify(file->text, file->length, &file->reader);
        bool interrupted = progress_interrupted();
        progress_end(&r.progress);
        /* A game that is still played, or was cut off, is reviewed as far as it goes. */
        bool whole = error == 0 || error == BW_FILE_RESULT;
        if (whole || r.count > 0) print(&r, json);
        status = CLI_OK;
        if (interrupted) status = cli_failed("interrupted: the moves so far stand above.");
        else if (!whole) status = cli_failed("the file does not verify: %s", file->reader.complaint.text);
    }
    for (size_t i = 0; i < r.count; i++) free(r.list[i].action), free(r.list[i].better);
    free(r.list);
    free(r.before_block);
    free(r.match.block);
    free(r.round);
    free(r.actions);
    free(r.text.at);
    player_close(&r.player);
    player_close(&r.strongest);
    return status;
}

int cli_review(int argc, char **argv) {
    int64_t games = 20;
    const char *level = "normal", *path;
    bool json = false;
    const cli_option options[] = {
        {"--games", CLI_INT, &games, "N", "games played on from each position (20): more, and the chances are surer", 1,
         100000},
        {"--bot", CLI_TEXT, &level, "BOT", "who plays them: a level of the game (normal) or random", 0, 0},
        {"--json", CLI_FLAG, &json, NULL,
         "a line for each move: {\"seq\", \"role\", \"chances\" or \"moves_left\" (before and after, by role), \"cost\",\n"
         "                    \"action\", \"better\"}",
         0, 0},
    };
    const cli_usage usage = {
        .command = "review",
        .operands = "FILE",
        .about = "Shows where a game turned, and what would have been better. In a puzzle each move is measured by\n"
                 "the moves that are still needed, as exactly as the solver proves them. In every other game it is\n"
                 "measured by games that bots play on from there, with the luck that the game really had: an\n"
                 "estimate, which more games make surer. \"Better\" is what the strongest bot plays. Columns and\n"
                 "rows count from 1; with --json from 0.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .positional_min = 1,
        .positional_max = 1,
    };
    int given = cli_parse(&usage, argc, argv, &path);
    if (given < 0) return cli_exit(given);
    cli_game_file file;
    if (!game_file_open(&file, path)) return CLI_USAGE;
    int status = file.game ? run(&file, games, level, json)
                           : cli_failed("%s does not verify: %s", path, file.reader.complaint.text);
    game_file_close(&file);
    return status;
}
