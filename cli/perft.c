/* boardwalk perft: counts positions, to check a move generator and measure its speed.
 *
 * Turn games: the number of sequences of N legal actions from the start (leaves of the tree; positions that are
 * reached twice count twice, as in chess). If several seats may act, each of them is a branch. Games of rounds: a
 * ply is a round in which each seat gives one of its legal orders, or none. */
#include "cli/cli.h"
#include "cli/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, DEPTH_USUAL = 3, ROUNDS_USUAL = 2 };

typedef struct counting {
    const bw_game *game;
    void *blocks[DEPTH_MAX + 1]; /* a match for each ply */
    void *saved[DEPTH_MAX + 1];  /* rounds: the same with orders, before the round is played */
    unsigned char *actions[DEPTH_MAX + 1][BW_SEATS_MAX];
    uint32_t caps[DEPTH_MAX + 1][BW_SEATS_MAX];
    size_t block_bytes;
    void *played;
    bool refused; /* a listed action was not accepted */
    progress progress;
    int depth; /* the depth being counted */
    uint32_t visits;
    bool stopped;
} counting;

/* For the progress bar: the subtree at `ply` is the part of the tree from `from` on, `width` wide, by move numbers. */
typedef struct part {
    double from, width;
} part;

static part part_of(part whole, uint32_t index, uint32_t count) {
    double width = whole.width / count;
    return (part){whole.from + width * index, width};
}

static void look_up(counting *c, part at) {
    if (++c->visits % 256 || c->stopped) return;
    c->stopped = progress_interrupted();
    if (progress_due(&c->progress)) progress_tell(&c->progress, at.from, "depth %d", c->depth);
}

static uint32_t list(counting *c, int ply, int seat, const bw_match *match) {
    return cli_legal(match, seat, &c->actions[ply][seat], &c->caps[ply][seat]);
}

static void copy_down(counting *c, int ply, bw_match *below) {
    memcpy(c->blocks[ply + 1], c->blocks[ply], c->block_bytes);
    bw_match_attach(below, c->game, c->blocks[ply + 1]);
}

static const void *action_at(const counting *c, int ply, int seat, uint32_t i) {
    return c->actions[ply][seat] + (size_t)i * c->game->actions->size;
}

static uint64_t count_turns(counting *c, int ply, int depth, part whole) {
    bw_match match, below;
    bw_match_attach(&match, c->game, c->blocks[ply]);
    uint32_t turn = c->game->turn(match.state);
    uint64_t total = 0;
    uint32_t movers = 0, mover = 0;
    if (depth == 0) return 1;
    look_up(c, whole);
    for (uint32_t seats = turn; seats; seats &= seats - 1) movers++;
    for (int seat = 0; seat < c->game->role_count; seat++) {
        if (!(turn >> seat & 1)) continue;
        uint32_t count = depth == 1 ? c->game->legal(match.state, seat, NULL, 0) : list(c, ply, seat, &match);
        if (depth == 1) {
            total += count;
            continue;
        }
        part own = part_of(whole, mover++, movers);
        for (uint32_t i = 0; i < count && !c->stopped; i++) {
            copy_down(c, ply, &below);
            if (bw_match_play(&below, seat, action_at(c, ply, seat, i), NULL) != 0) {
                c->refused = true;
            } else {
                total += count_turns(c, ply + 1, depth - 1, part_of(own, i, count));
            }
        }
    }
    return total;
}

static uint64_t count_rounds(counting *c, int ply, int depth, part whole);

/* Orders of seats `seat`.. are still to be chosen for this round; the others are in the drafts of ply + 1. */
static uint64_t count_orders(counting *c, int ply, int depth, int seat, const uint32_t *counts, part whole) {
    const bw_game *game = c->game;
    bw_match below;
    bw_match_attach(&below, game, c->blocks[ply + 1]);
    if (seat == game->role_count) {
        memcpy(c->saved[ply + 1], c->blocks[ply + 1], c->block_bytes);
        bw_match_round(&below, c->played, NULL);
        uint64_t total = count_rounds(c, ply + 1, depth - 1, whole);
        memcpy(c->blocks[ply + 1], c->saved[ply + 1], c->block_bytes);
        return total;
    }
    uint64_t total = count_orders(c, ply, depth, seat + 1, counts, part_of(whole, 0, counts[seat] + 1));
    unsigned char *draft = bw_match_draft(&below, seat);
    for (uint32_t i = 0; i < counts[seat] && !c->stopped; i++) {
        memset(draft, 0, game->draft_size);
        if (bw_match_submit(&below, seat, action_at(c, ply, seat, i), c->played, NULL) < 0) {
            c->refused = true;
        } else {
            total += count_orders(c, ply, depth, seat + 1, counts, part_of(whole, i + 1, counts[seat] + 1));
        }
    }
    memset(draft, 0, game->draft_size);
    return total;
}

static uint64_t count_rounds(counting *c, int ply, int depth, part whole) {
    bw_match match, below;
    bw_match_attach(&match, c->game, c->blocks[ply]);
    uint32_t turn = c->game->turn(match.state);
    if (depth == 0) return 1;
    if (turn == 0) return 0;
    look_up(c, whole);
    uint32_t counts[BW_SEATS_MAX] = {0};
    uint64_t joint = 1;
    for (int seat = 0; seat < c->game->role_count; seat++) {
        if (turn >> seat & 1) counts[seat] = list(c, ply, seat, &match);
        joint *= counts[seat] + 1u;
    }
    if (depth == 1) return joint;
    copy_down(c, ply, &below);
    return count_orders(c, ply, depth, 0, counts, whole);
}

int cli_perft(int argc, char **argv) {
    int64_t depth = -1, seed = 1, seats = 0;
    const char *config_json = NULL;
    bool json = false;
    const cli_option options[] = {
        CLI_INT("--depth", &depth, "N", 0, DEPTH_MAX, "plies to count (3; 2 in a game of rounds)"),
        CLI_TEXT("--config", &config_json, "JSON", "the game's settings: '{\"SETTING\": VALUE, ...}'"),
        CLI_INT("--seats", &seats, "N", 1, BW_SEATS_MAX, "number of players (default: the minimum)"),
        CLI_INT("--seed", &seed, "S", 0, INT64_MAX, "seed of the game (1)"),
        CLI_FLAG("--json", &json, "{\"game\", \"depths\": [{\"depth\", \"positions\", \"seconds\"}]}"),
    };
    const cli_usage usage = {
        .command = "perft",
        .operands = "GAME",
        .about = "Counts the positions at each depth from the start. A position that is reached in two ways\n"
                 "counts twice. In a game of rounds a ply is a round in which each seat gives one of its\n"
                 "legal orders, or none. Ctrl-C stops it; the finished depths are printed.",
        CLI_OPTIONS(options),
        .positionals = {1, 1},
    };
    const char *id;
    int given = cli_parse(&usage, argc, argv, &id);
    if (given < 0) return cli_exit(given);
    const bw_game *game = cli_game(id);
    if (!game) return CLI_USAGE;
    if (seats > game->role_count) return cli_wrong("%s has %u seats.", game->id, game->role_count);
    void *config = cli_config(game, NULL, config_json);
    if (!config) return CLI_USAGE;
    bool rounds = game->flags & BW_GAME_ROUNDS;
    if (depth < 0) depth = rounds ? ROUNDS_USUAL : DEPTH_USUAL;

    counting c = {.game = game, .block_bytes = bw_match_bytes(game), .played = cli_memory(game->actions->size)};
    for (int ply = 0; ply <= depth; ply++) {
        c.blocks[ply] = cli_memory(c.block_bytes);
        c.saved[ply] = cli_memory(c.block_bytes);
    }
    bool open = game->flags & BW_GAME_OPEN_SEATS;
    int taken = seats ? (int)seats : open ? game->seats_min : game->role_count;
    uint8_t bytes[32];
    cli_seed((uint64_t)seed, bytes);
    bw_match start;
    bw_match_attach(&start, game, c.blocks[0]);
    bw_match_start(&start, config, (uint32_t)((1u << taken) - 1), bytes);

    if (json) printf("{\"game\":\"%s\",\"depths\":[", game->id);
    else printf("%5s %20s %12s %15s\n", "depth", "positions", "seconds", "positions/s");
    uint64_t count = 0;
    double begun, seconds = 0;
    c.progress = progress_begin();
    for (int d = 1; d <= depth; d++) {
        c.depth = d;
        begun = cli_clock();
        count = rounds ? count_rounds(&c, 0, d, (part){0, 1}) : count_turns(&c, 0, d, (part){0, 1});
        seconds = cli_clock() - begun;
        if (c.stopped) break;
        progress_clear(&c.progress);
        if (json) {
            printf("%s{\"depth\":%d,\"positions\":%" PRIu64 ",\"seconds\":%.6f}", d > 1 ? "," : "", d, count, seconds);
        } else {
            printf("%5d %20" PRIu64 " %12.3f %15.0f\n", d, count, seconds,
                   (double)count / (seconds > 0 ? seconds : 1e-9));
        }
        fflush(stdout);
    }
    progress_end(&c.progress);
    if (json) puts("]}");
    for (int ply = 0; ply <= depth; ply++) {
        free(c.blocks[ply]);
        free(c.saved[ply]);
        for (int seat = 0; seat < BW_SEATS_MAX; seat++) free(c.actions[ply][seat]);
    }
    free(c.played);
    free(config);
    if (c.stopped) {
        return cli_failed("interrupted at depth %d: %" PRIu64 " positions in %.1f s so far.", c.depth, count, seconds);
    }
    if (c.refused) return cli_failed("%s lists an action that it then refuses.", game->id);
    return CLI_OK;
}
