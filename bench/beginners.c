/* bench_beginners [GAMES] [GAME] [VARIANT]: how three beginners do against the easy and the normal bot in
 * each variant of each game, as a Markdown table (docs/FIRST_MINUTE.md).
 *
 *   idle      does nothing: gives no order, ends the turn. If the rules require a move, the game waits.
 *   rushing   makes any legal move, at once; in Flag War every piece runs for the flag.
 *   sensible  looks no further than its own move. Island and Flood-It: the move with the best game->score. Dungeon: the
 *             nearest useful thing, and only fights with at least an even chance. Flag War: one piece runs, another
 *             frees those in jail, the others go for the intruders.
 *
 * Seats are exchanged with every game, and both seats get the same luck; a game depends only on its number. */
#include "bots/bots.h"
#include "bots/flag_war/players.h"
#include "bots/flag_war/policy.h"
#include "bots/monadungeon/policy.h"
#include "engine/config.h"
#include "engine/match.h"
#include "engine/sha256.h"
#include "games/flood_it/flood_it.h"
#include "games/flooded_island/flooded_island.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 8192, DRAWN = 1000, LONGEST = 20000 };
typedef enum beginner { IDLE, RUSHING, SENSIBLE, BEGINNERS } beginner;
static const char *const beginners[BEGINNERS] = {"idle", "rushing", "sensible"};

typedef struct table {
    const bw_game *game;
    const bw_bot *bot;
    beginner who;
    void *config, *view, *arena, *block, *after, *actions, *played;
} table;

static void *memory(size_t bytes) {
    void *at = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!at) exit(1);
    memset(at, 0, bytes);
    return at;
}

static void *action_at(const table *t, uint32_t index) {
    return (char *)t->actions + (size_t)index * t->game->actions->size;
}

/* ---- Flag War ---- */

/* The team's piece nearest to a square, except those in `busy`; -1: none. */
static int nearest(const bw_war_state *state, int team, uint32_t busy, bw_war_spot to) {
    int best = -1, least = 1000;
    for (int piece = 0; piece < BW_WAR_PIECES; piece++) {
        if (!bw_war_is(bw_war_team_bits(&state->config, team) & ~(busy | state->jailed), piece)) continue;
        bw_war_spot from = bw_war_departs(state, piece);
        int far = bw_war_apart(bw_war_x(from), bw_war_x(to)) + bw_war_apart(bw_war_y(from), bw_war_y(to));
        if (far < least) least = far, best = piece;
    }
    return best;
}

static void send(const bw_war_state *state, bw_war_orders *orders, uint32_t *busy, int piece, bw_war_spot to) {
    if (piece < 0) return;
    *busy |= 1u << piece;
    orders->to[piece] = bw_war_head_for(&state->config, bw_war_departs(state, piece), to, false);
}

static uint32_t war(const table *t, const bw_war_state *state, int team) {
    const bw_war_config *config = &state->config;
    bw_war_orders orders;
    uint32_t busy = 0;
    bw_war_orders_clear(&orders);
    bw_war_spot flag = bw_war_flag(config, 1 - team);
    for (int piece = 0; t->who == RUSHING && piece < BW_WAR_PIECES; piece++) {
        if (!bw_war_is(bw_war_team_bits(config, team) & ~(uint32_t)state->jailed, piece)) continue;
        bool carries = state->carrier[1 - team] == piece + 1;
        send(state, &orders, &busy, piece, carries ? bw_war_start(config, piece) : flag);
    }
    if (t->who == SENSIBLE) {
        int carrier = state->carrier[1 - team] - 1;
        if (carrier >= 0) send(state, &orders, &busy, carrier, bw_war_start(config, carrier));
        for (int foe = 0; foe < BW_WAR_PIECES; foe++) { /* those on the own ground, a carrier included */
            if (!bw_war_is(bw_war_team_bits(config, 1 - team) & ~(uint32_t)state->jailed, foe)) continue;
            bw_war_spot at = state->square[foe];
            if (bw_war_ground(config, at) == team) send(state, &orders, &busy, nearest(state, team, busy, at), at);
        }
        if (carrier < 0) send(state, &orders, &busy, nearest(state, team, busy, flag), flag);
        bw_war_spot key = bw_war_key(config, team);
        if (state->key[team]) send(state, &orders, &busy, nearest(state, team, busy, key), key);
    }
    return bw_war_give(state, team, &orders, t->actions, BW_BOT_ACTIONS_MAX);
}

/* ---- Monadungeon ---- */

static bool dungeon(const bw_dungeon *state, int seat, bw_dungeon_action *action) {
    bw_dungeon_evaluator eval;
    bw_dungeon_ways ways;
    bw_dungeon_goal goals[BW_DUNGEON_GOALS_MAX], *best = NULL;
    bw_dungeon_evaluator_begin(&eval, state, seat, &bw_dungeon_sound);
    if (bw_dungeon_reflex(&eval, action)) return true;
    bw_dungeon_find_ways(state, eval.me->at, &ways);
    int count = bw_dungeon_find_goals(&eval, &ways, goals);
    for (int i = 0; i < count; i++) {
        uint8_t monster = state->tiles[goals[i].tile].monster;
        if (goals[i].aim == BW_DUNGEON_AIM_ENTER &&
            bw_dungeon_monster_hp[monster] >= 7 + bw_dungeon_weapon_damage(eval.me)) {
            continue;
        }
        if (goals[i].aim == BW_DUNGEON_AIM_REST && eval.me->hp > 1) continue;
        if (!best || best->aim == BW_DUNGEON_AIM_WAIT ||
            (goals[i].aim != BW_DUNGEON_AIM_WAIT && goals[i].distance < best->distance)) {
            best = &goals[i];
        }
    }
    if (best) bw_dungeon_pursue(state, &ways, best, action);
    return best != NULL;
}

/* ---- all games ---- */

/* The action whose position has the best score; ties are broken at random. If there are very many, only a sample. */
static void greedy(const table *t, const bw_match *match, int seat, bw_fast *fast) {
    uint32_t count = t->game->legal(match->state, seat, t->actions, LISTED), best = 0, ties = 0;
    int32_t most = INT32_MIN;
    bool drawn = count > LISTED;
    if (drawn) count = DRAWN;
    for (uint32_t i = 0; i < count; i++) {
        if (drawn) bw_random_action(t->game, match->state, seat, fast, action_at(t, i));
        bw_match copy;
        memcpy(t->after, match->block, bw_match_bytes(t->game));
        bw_match_attach(&copy, t->game, t->after);
        if (bw_match_play(&copy, seat, action_at(t, i), NULL) < 0) continue;
        int32_t value = t->game->score(copy.state, seat);
        if (value > most) most = value, ties = 0;
        if (value == most && bw_fast_below(fast, ++ties) == 0) best = i;
    }
    memmove(t->actions, action_at(t, best), t->game->actions->size);
}

/* Returns the number of actions in t->actions. */
static uint32_t begin(const table *t, const bw_match *match, int seat, bw_fast *fast) {
    if (t->game == &bw_flag_war) return war(t, match->state, seat);
    if (t->who == RUSHING) return bw_random_action(t->game, match->state, seat, fast, t->actions);
    if (t->who == SENSIBLE && t->game == &bw_monadungeon) return dungeon(match->state, seat, t->actions);
    if (t->who == SENSIBLE) return greedy(t, match, seat, fast), 1;
    memset(t->actions, 0, t->game->actions->size);
    if (t->game == &bw_monadungeon) ((bw_dungeon_action *)t->actions)->type = BW_DUNGEON_END_TURN;
    else if (t->game == &bw_flooded_island) ((bw_island_action *)t->actions)->type = BW_ISLAND_FLOOD;
    else return 0;
    return 1;
}

typedef struct result {
    bool over;
    uint32_t winners, turns;
} result;

static result play(const table *t, uint64_t number, int seat) {
    const bw_game *g = t->game;
    bw_match match;
    bw_fast fast = {number * 2 + 1};
    uint8_t luck[32];
    bw_sha256_of(&number, sizeof number, luck);
    bw_match_attach(&match, g, t->block);
    bw_match_start(&match, t->config, 3, luck);
    uint32_t turn;
    int last = -1;
    for (int moves = 0; moves < LONGEST && (turn = g->turn(match.state)) != 0; moves++) {
        bool rounds = g->flags & BW_GAME_ROUNDS, moved = false;
        do last = (last + 1) % 2;
        while (!(turn >> last & 1));
        for (int who = 0; who < 2; who++) {
            if (!rounds && who != last) continue;
            uint32_t count;
            if (who == seat) {
                count = begin(t, &match, who, &fast);
            } else {
                bw_thinking thinking = {
                    .seed = bw_fast_next(&fast), .effort = 100, .arena = t->arena, .arena_bytes = t->bot->arena_bytes};
                g->view_of(match.state, who, t->view);
                count =
                    t->bot->choose(t->bot, g, t->view, match.config, who, &thinking, t->actions, BW_BOT_ACTIONS_MAX);
            }
            for (uint32_t i = 0; rounds && i < count; i++)
                bw_match_submit(&match, who, action_at(t, i), t->played, NULL);
            if (!rounds) moved = count > 0 && bw_match_play(&match, who, t->actions, NULL) == 0;
        }
        if (rounds) bw_match_round(&match, t->played, NULL);
        else if (!moved) break;
    }
    bool over = g->turn(match.state) == 0;
    return (result){over, over ? g->winners(match.state) : 0, g->current_turn(match.state)};
}

static int by_size(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The 95 % confidence interval of the share (Wilson 1927), in per cent. */
static void interval(char text[32], int wins, int games) {
    double z = 1.96, p = (double)wins / games, n = games, low, high;
    double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    double half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    low = middle - half, high = middle + half;
    snprintf(text, 32, "%.0f (%.0f to %.0f)", 100 * p, 100 * fabs(low), 100 * high);
}

/* A row for each pair. `only`: the beginner's seat, if the seats differ; -1: both in turn. */
static void row(table *t, const bw_variant *variant, int games, int only) {
    printf("| %s%s%s | %s |", variant->title, only < 0 ? "" : ", as ", only < 0 ? "" : t->game->roles[only].title,
           beginners[t->who]);
    for (int level = 0; level < 2; level++) {
        uint32_t *turns = memory((size_t)games * sizeof *turns);
        int won = 0, drawn = 0, over = 0;
        char share[32];
        t->bot = bw_bot_find(t->game, level ? "normal" : "easy");
        t->arena = memory(t->bot->arena_bytes + 64);
        for (int i = 0; i < games; i++) {
            int seat = only < 0 ? i & 1 : only;
            result r = play(t, (uint64_t)i / 2, seat);
            turns[over] = r.turns;
            over += r.over;
            won += r.over && r.winners == 1u << seat;
            drawn += r.over && (r.winners == 0 || r.winners == 3);
        }
        free(t->arena);
        if (over < games) {
            printf(" %s | | |", over ? "often without an end" : "the game waits");
        } else {
            qsort(turns, (size_t)games, sizeof *turns, by_size);
            interval(share, won, games);
            printf(" %s | %.0f | %u |", share, 100.0 * drawn / games, turns[games / 2]);
        }
        free(turns);
    }
    printf("\n");
    fflush(stdout);
}

static void variant(const bw_game *game, const bw_variant *v, int games) {
    bw_token tokens[64];
    bw_doc doc;
    bw_error_text why;
    table t = {.game = game, .config = memory(game->config->size), .view = memory(game->view->size)};
    t.block = memory(bw_match_bytes(game)), t.after = memory(bw_match_bytes(game));
    t.actions = memory((size_t)LISTED * game->actions->size), t.played = memory(game->actions->size);
    memcpy(t.config, game->defaults, game->config->size);
    if (bw_doc_parse(&doc, v->settings, strlen(v->settings), tokens, 64, 8, &why) < 0 ||
        bw_config_read(game, &doc, 0, t.config, NULL, &why) != 0) {
        exit(1);
    }
    if (game->set_date) game->set_date("2026-01-01", t.config, NULL);
    for (int who = 0; who < BEGINNERS; who++) {
        t.who = (beginner)who;
        if (game != &bw_flooded_island) row(&t, v, games, -1);
        for (int seat = 0; game == &bw_flooded_island && seat < 2; seat++) row(&t, v, games, seat);
    }
    free(t.config), free(t.view), free(t.block), free(t.after), free(t.actions), free(t.played);
}

int main(int argc, char **argv) {
    static const bw_game *const all[] = {&bw_flooded_island, &bw_flood_it, &bw_monadungeon, &bw_flag_war};
    static const char *const lengths[] = {"days", "moves", "turns", "rounds"};
    int games = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 200;
    for (int i = 0; games > 0 && i < 4; i++) {
        if (argc > 2 && strcmp(argv[2], all[i]->id) != 0) continue;
        printf("\n| %s | beginner | easy: won %% | drawn %% | %s | normal: won %% | drawn %% | %s |\n"
               "|---|---|--:|--:|--:|--:|--:|--:|\n",
               all[i]->title, lengths[i], lengths[i]);
        for (int v = 0; v < all[i]->variant_count; v++) {
            if (argc > 3 && strcmp(argv[3], all[i]->variants[v].id) != 0) continue;
            variant(all[i], &all[i]->variants[v], games);
        }
    }
    return games > 0 ? 0 : 2;
}
