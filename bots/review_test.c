/* Reviews of games: measurements are true, a wasted move costs what it wastes, a better move leaves its player
 * better off, and the same game has the same review. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bots/random.h"
#include "bots/review.h"
#include "engine/registry.h"
#include "games/flag_war/flag_war.h"
#include "games/flood_it/flood_it.h"
#include "games/flooded_island/flooded_island.h"
#include "games/monadungeon/monadungeon.h"
#include "tests/support/unit.h"

enum { STEPS = 400 };

typedef struct game {
    const bw_game *game;
    uint32_t seats, steps;
    void *blocks[STEPS], *actions[STEPS];
    int seat[STEPS];
    bw_match match;
    void *view, *arena;
    unsigned char *chosen;
} game;

static void *memory_of(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(memory);
    memset(memory, 0, bytes);
    return memory;
}

static void *copy_of(const void *from, size_t bytes) { return memcpy(memory_of(bytes), from, bytes); }

static void add(game *g, int seat, const void *action) {
    assert_true(g->steps < STEPS);
    g->blocks[g->steps] = copy_of(g->match.block, bw_match_bytes(g->game));
    g->actions[g->steps] = action ? copy_of(action, g->game->actions->size) : NULL;
    g->seat[g->steps++] = seat;
}

static game *begin(const bw_game *of, const void *config, uint32_t seats) {
    uint8_t seed[32] = {7};
    game *g = calloc(1, sizeof *g);
    assert_non_null(g);
    g->game = of;
    g->seats = seats;
    bw_match_attach(&g->match, of, memory_of(bw_match_bytes(of)));
    assert_int_equal(bw_match_start(&g->match, config, seats, seed), 0);
    g->view = memory_of(of->view->size);
    g->arena = memory_of(64 << 20);
    g->chosen = memory_of((size_t)BW_BOT_ACTIONS_MAX * of->actions->size);
    add(g, BW_WATCHER, NULL);
    return g;
}

static void end(game *g) {
    for (uint32_t i = 0; i < g->steps; i++) free(g->blocks[i]), free(g->actions[i]);
    free(g->match.block);
    free(g->view);
    free(g->arena);
    free(g->chosen);
    free(g);
}

static void play(game *g, int seat, const void *action) {
    assert_int_equal(bw_match_play(&g->match, seat, action, NULL), 0);
    add(g, seat, action);
}

static uint32_t ask(game *g, const bw_bot *bot, int seat, uint64_t seed) {
    bw_thinking thinking = {.seed = seed, .effort = 100, .arena = g->arena, .arena_bytes = bot->arena_bytes};
    g->game->view_of(g->match.state, seat, g->view);
    return bot->choose(bot, g->game, g->view, g->match.config, seat, &thinking, g->chosen, BW_BOT_ACTIONS_MAX);
}

/* Plays turns of bots, one bot for each seat, until the end or for `steps` steps. */
static void let_play(game *g, const bw_bot *const *bots, uint32_t steps) {
    for (uint64_t i = 0; g->steps < steps && g->game->turn(g->match.state); i++) {
        for (int seat = 0; seat < g->game->role_count; seat++) {
            if (!(g->game->turn(g->match.state) >> seat & 1) || g->steps == steps) continue;
            assert_true(ask(g, bots[seat], seat, i) > 0);
            play(g, seat, g->chosen);
        }
    }
}

static bw_review_step at(void *user, uint32_t index) {
    const game *g = user;
    return (bw_review_step){.block = g->blocks[index], .seat = g->seat[index], .action = g->actions[index]};
}

/* Reviews a game; if a step is reported twice, the later report counts. Returns the number of reports. */
static uint32_t review_of(game *g, uint32_t games, bw_reviewed found[STEPS], char *json, size_t cap) {
    bw_review_game of = {.game = g->game, .seats = g->seats, .steps = g->steps, .at = at, .user = g};
    bw_review_settings how = {.player = bw_bot_find(g->game, "normal"), .games = games};
    bw_review review;
    bw_reviewed one;
    uint32_t count = 0, done, slices;
    bw_out out = bw_out_to(json, cap);
    void *memory = memory_of(bw_review_bytes(&of, &how));
    memset(memory, 0xa5, bw_review_bytes(&of, &how));
    bw_review_begin(&review, &of, &how, memory);
    while (bw_review_next(&review, &one)) {
        assert_true(one.step < g->steps);
        bw_review_json(&review, &one, &out);
        found[one.step] = one;
        slices = bw_review_slices(&review, &done);
        assert_true(done <= slices);
        count++;
    }
    assert_true(count >= g->steps);
    assert_false(out.overflow);
    free(memory);
    return count;
}

static char json[1 << 20], again[1 << 20];

static game *board(void) {
    bw_floodit_config *config = copy_of(bw_flood_it.defaults, bw_flood_it.config->size);
    config->rows = config->cols = 7;
    config->colors = 5;
    config->move_limit = 0;
    game *g = begin(&bw_flood_it, config, 1);
    free(config);
    return g;
}

TEST(a_wasted_move_of_a_puzzle_costs_one) {
    game *g = board();
    const bw_bot *perfect = bw_bot_find(&bw_flood_it, "perfect");
    bw_reviewed found[STEPS];
    bw_floodit_action waste;
    assert_int_equal(ask(g, perfect, 0, 1), 1);
    play(g, 0, g->chosen);
    /* A colour that gains nothing: afterwards the best colour is still the same. */
    memset(&waste, 0, sizeof waste);
    waste.type = BW_FLOODIT_SELECT;
    const bw_floodit_state *state = g->match.state;
    for (uint8_t color = 0; color < 5; color++) {
        bw_floodit_plane plane = state->seats[0].territory;
        if (color == state->seats[0].color) continue;
        if (bw_floodit_select(&state->board, &plane, color) == state->seats[0].cells)
            waste.as.select_color.color = color;
    }
    play(g, 0, &waste);
    for (const bw_bot *bots[] = {perfect}; g->game->turn(g->match.state);) let_play(g, bots, STEPS);
    review_of(g, 1, found, json, sizeof json);
    assert_int_equal(found[1].cost, 0);
    assert_int_equal(found[2].cost, 1);
    assert_int_equal(found[2].better_count, 1);
    assert_int_equal(found[2].with_better.value + 1, found[2].after[0].value);
    for (uint32_t i = 3; i < g->steps; i++) {
        assert_true(found[i].counts);
        assert_int_equal(found[i].cost, 0);
        assert_true(found[i].after[0].exact);
    }
    assert_int_equal(found[g->steps - 1].after[0].value, 0);
    end(g);
}

TEST(undo_is_no_move) {
    game *g = board();
    bw_reviewed found[STEPS];
    const bw_bot *bots[] = {bw_bot_find(&bw_flood_it, "hard")};
    let_play(g, bots, 4);
    bw_floodit_action undo;
    memset(&undo, 0, sizeof undo);
    undo.type = BW_FLOODIT_UNDO;
    play(g, 0, &undo);
    let_play(g, bots, 6);
    review_of(g, 1, found, json, sizeof json);
    assert_false(found[4].counts);
    assert_int_equal(found[4].cost, 0);
    assert_int_equal(found[4].after[0].value, found[2].after[0].value);
    assert_int_equal(found[5].before[0].value, found[2].after[0].value);
    end(g);
}

static game *island(int width, int height, int floods) {
    bw_island_config config = {.width = (uint8_t)width, .height = (uint8_t)height, .max_flood_count = (uint8_t)floods};
    return begin(&bw_flooded_island, &config, 3);
}

/* The values of the table in docs/STRENGTH.md, where they are exact; with one flood nobody is ever trapped. */
TEST(an_island_is_worth_what_is_proven) {
    static const int table[][4] = {{3, 3, 2, 4},  {4, 4, 2, 7}, {5, 4, 2, 9},
                                   {5, 5, 2, 11}, {4, 4, 3, 4}, {10, 10, 3, 4}};
    bw_reviewed found[STEPS];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        game *g = island(table[i][0], table[i][1], table[i][2]);
        review_of(g, 1, found, json, sizeof json);
        assert_int_equal(found[0].after[0].value, table[i][3]);
        assert_true(found[0].after[0].exact || table[i][0] > 3);
        assert_false(found[0].after[0].open);
        end(g);
    }
    game *g = island(4, 4, 1);
    review_of(g, 1, found, json, sizeof json);
    assert_true(found[0].after[0].open && found[0].after[0].exact);
    end(g);
}

/* The review knows who lost how much in a game on the island: values fall only by what was lost. */
TEST(moves_on_an_island_cost_what_they_lose) {
    const bw_bot *perfect = bw_bot_find(&bw_flooded_island, "perfect"), *easy = bw_bot_find(&bw_flooded_island, "easy");
    const bw_bot *pairs[][2] = {{perfect, perfect}, {easy, perfect}, {perfect, easy}, {easy, easy}};
    bw_reviewed found[STEPS];
    for (size_t pair = 0; pair < 4; pair++) {
        game *g = island(4, 4, 2);
        let_play(g, pairs[pair], 60);
        review_of(g, 1, found, json, sizeof json);
        for (uint32_t i = 1; i < g->steps; i++) {
            const bw_worth *before = found[i].before, *after = found[i].after;
            int own = g->seat[i] == BW_ISLAND_JOURNEYMAN, lost = before->value - after->value - own;
            assert_int_equal(before->value, found[i - 1].after[0].value);
            if (g->seat[i] == BW_ISLAND_WEATHER) lost = -lost;
            assert_int_equal(found[i].cost, lost > 0 ? lost : 0);
            /* If both values are proven, nobody can gain by their own move. */
            if (before->exact && after->exact && !before->open && !after->open) assert_true(lost >= 0);
            if (pairs[pair][g->seat[i]] == perfect) assert_int_equal(found[i].cost, 0);
            assert_int_equal(found[i].better_count, found[i].cost > 0);
        }
        if (pair == 0) assert_int_equal(g->steps - 1, 2 * found[0].after[0].value);
        end(g);
    }
}

/* Plays the better move, and checks that the review of that game agrees. */
TEST(the_better_move_is_better) {
    const bw_bot *bots[] = {bw_bot_find(&bw_flooded_island, "easy"), bw_bot_find(&bw_flooded_island, "perfect")};
    bw_reviewed found[STEPS], other[STEPS];
    bw_review_settings how = {.player = bots[0], .games = 1};
    game *g = island(5, 4, 2);
    let_play(g, bots, 60);
    bw_review_game of = {.game = g->game, .seats = g->seats, .steps = g->steps, .at = at, .user = g};
    void *memory = memory_of(bw_review_bytes(&of, &how));
    uint32_t tried = 0;
    for (uint32_t i = 1; i < g->steps; i++) {
        bw_review review;
        bw_reviewed one;
        bw_review_begin(&review, &of, &how, memory);
        do assert_true(bw_review_next(&review, &one));
        while (one.step < i);
        found[i] = one;
        if (!one.better_count) continue;
        tried++;
        game *better = island(5, 4, 2);
        for (uint32_t k = 1; k < i; k++) play(better, g->seat[k], g->actions[k]);
        play(better, one.seat, one.better);
        review_of(better, 1, other, json, sizeof json);
        assert_int_equal(other[i].cost, 0);
        assert_int_equal(other[i].after[0].value, found[i].with_better.value);
        end(better);
    }
    assert_true(tried > 0);
    free(memory);
    end(g);
}

static void check_chances(game *g, const bw_reviewed *found) {
    for (uint32_t i = 0; i < g->steps; i++) {
        int32_t sum = 0;
        for (int seat = 0; seat < BW_SEATS_MAX; seat++) {
            int32_t chance = found[i].after[seat].value;
            assert_true(chance >= 0 && chance <= BW_REVIEW_WHOLE);
            sum += chance;
        }
        assert_true(sum <= BW_REVIEW_WHOLE); /* a win that several share is divided */
        if (!found[i].better_count) continue;
        assert_true(found[i].again);
        assert_true(found[i].with_better.value > found[i].after[found[i].seat].value);
    }
}

TEST(chances_of_a_dungeon) {
    const bw_bot *bots[BW_SEATS_MAX];
    static bw_reviewed found[STEPS];
    for (int i = 0; i < BW_SEATS_MAX; i++) bots[i] = i ? &bw_random : bw_bot_find(&bw_monadungeon, "normal");
    game *g = begin(&bw_monadungeon, bw_monadungeon.defaults, 3);
    let_play(g, bots, 60);
    uint32_t count = review_of(g, 4, found, json, sizeof json), between = 0;
    check_chances(g, found);
    /* Hidden cards are dealt at random: one position does not lead to one end only. */
    for (uint32_t i = 0; i < g->steps; i++) between += found[i].now[0].value % BW_REVIEW_WHOLE != 0;
    assert_true(between > g->steps / 4);
    assert_true(count > g->steps && count <= g->steps + 8);
    size_t length = strlen(json);
    memset(again, 0, sizeof again);
    review_of(g, 4, found, again, sizeof again);
    assert_memory_equal(json, again, length);
    end(g);
}

/* Rounds of Flag War in which red does nothing and blue fetches the flag: red loses by it, and is shown better
 * orders. */
TEST(chances_of_rounds) {
    bw_war_room config = *(const bw_war_room *)bw_flag_war.defaults;
    static bw_reviewed found[STEPS];
    bw_war_action round;
    uint32_t better = 0;
    config.width = config.height = 7;
    config.max_distance = 3;
    game *g = begin(&bw_flag_war, &config, 3);
    while (g->game->turn(g->match.state) && g->steps < 40) {
        uint32_t count = ask(g, bw_bot_find(&bw_flag_war, "hard"), 0, g->steps);
        for (uint32_t i = 0; i < count; i++) {
            void *order = g->chosen + i * g->game->actions->size;
            assert_int_equal(bw_match_submit(&g->match, 0, order, &round, NULL), BW_PREPARED);
        }
        bw_match_round(&g->match, &round, NULL);
        add(g, BW_CLOCK, &round);
    }
    assert_int_equal(g->game->winners(g->match.state), 1);
    review_of(g, 10, found, json, sizeof json);
    check_chances(g, found);
    assert_int_equal(found[g->steps - 1].after[0].value, BW_REVIEW_WHOLE);
    assert_true(found[g->steps - 1].after[0].exact);
    for (uint32_t i = 1; i < g->steps; i++) better += found[i].better_count > 0 && found[i].seat == 1;
    assert_true(better > 0);
    end(g);
}

/* Replacing one team's orders gives the same round that the clock would have collected. */
TEST(other_orders_of_one_team) {
    const bw_insight *insight = bw_insight_find(&bw_flag_war);
    bw_war_action round[3], given[2][BW_BOT_ACTIONS_MAX];
    uint32_t count[2];
    game *g = begin(&bw_flag_war, bw_flag_war.defaults, 3);
    for (int turn = 0; turn < 2; turn++) {
        bw_match m;
        void *block = copy_of(g->match.block, bw_match_bytes(g->game));
        bw_match_attach(&m, g->game, block);
        for (int seat = 0; seat < 2; seat++) {
            /* Blue's orders are the same in both turns, red's differ. */
            count[seat] = ask(g, bw_bot_find(&bw_flag_war, "normal"), seat, seat == 1 && turn ? 99 : 3);
            memcpy(given[seat], g->chosen, count[seat] * sizeof given[0][0]);
            for (uint32_t i = 0; i < count[seat]; i++) bw_match_submit(&m, seat, &given[seat][i], &round[2], NULL);
        }
        bw_match_round(&m, &round[turn], NULL);
        free(block);
    }
    insight->instead(g->match.state, 1, given[1], count[1], &round[0]);
    assert_memory_equal(&round[0], &round[1], sizeof round[0]);
    end(g);
}

static bool never(void *user) {
    (void)user;
    return false;
}

TEST(it_can_be_stopped) {
    game *g = begin(&bw_monadungeon, bw_monadungeon.defaults, 3);
    bw_review_game of = {.game = g->game, .seats = g->seats, .steps = g->steps, .at = at, .user = g};
    bw_review_settings how = {.player = bw_bot_find(g->game, "normal"), .games = 2, .keep_going = never};
    bw_review review;
    bw_reviewed one;
    void *memory = memory_of(bw_review_bytes(&of, &how));
    bw_review_begin(&review, &of, &how, memory);
    assert_false(bw_review_next(&review, &one));
    free(memory);
    end(g);
}

RUN_TESTS(NULL, NULL)
