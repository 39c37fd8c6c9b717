#include "cli/arena.h"
#include "cli/recorder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    bw_error_text why = {{0}};
    player *p = &a->players[who];
    bool good = player_play(p, match, seat, seed, a->played, NULL, &why);
    if (!player_starting(p)) {
        a->seconds[who] += p->took;
        a->decisions[who]++;
        if (p->took > a->slowest[who]) a->slowest[who] = p->took;
    }
    if (good && record && !(a->game->flags & BW_GAME_ROUNDS)) recorder_add(record, match, 0, seat, p->actions);
    if (good) return true;
    if (progress_interrupted()) return false; /* which perhaps ended the program too */
    if (player_never_started(p)) a->stopped = CLI_USAGE;
    cli_print(stderr, "boardwalk: game %" PRIu64 ": %c (%s), as %s: %s\n", game + 1, 'a' + who, p->name,
              a->game->roles[seat].id, why.text);
    return false;
}

/* Which player has which seat: one the even seats, the other the odd seats; swapped in every second game. */
static int player_of(const arena *a, int seat, uint64_t game) {
    return a->alone ? (int)(game & 1) : (int)((unsigned)seat + game) & 1;
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
        atomic_store(&a->move, result.moves + 1);
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
        if (a->many) {
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

/* A game interrupted by Ctrl-C does not count. */
bool arena_game(arena *a, uint64_t seed, uint64_t index) {
    outcome one = play(a, seed, a->alone ? 2 * index : index), both[2] = {one};
    if (a->alone && !a->stopped) both[1] = play(a, seed, 2 * index + 1);
    if (progress_interrupted() || a->stopped) return false;
    if (a->alone) count_alone(a, both);
    else count(a, index, &one);
    return true;
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
    return true;
}

void arena_close(arena *a) {
    free(a->block);
    free(a->played);
    player_close(&a->players[0]);
    player_close(&a->players[1]);
}
