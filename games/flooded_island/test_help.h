/* Shared by the tests of Flooded Island: games made by hand. */
#ifndef BW_FLOODED_ISLAND_TEST_HELP_H
#define BW_FLOODED_ISLAND_TEST_HELP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "games/flooded_island/flooded_island.h"
#include "tests/support/unit.h"

#define GAME (&bw_flooded_island)
#define POINTS(...) (const int[][2]){__VA_ARGS__}, (int)(sizeof((const int[][2]){__VA_ARGS__}) / sizeof(int[2]))

static inline bw_island_state started(int width, int height, int floods) {
    bw_island_config config = {.width = (uint8_t)width, .height = (uint8_t)height, .max_flood_count = (uint8_t)floods};
    bw_island_state state;
    uint8_t seed[32] = {0};
    memset(&state, 0xaa, sizeof state);
    GAME->init(&state, &config, 3, seed);
    return state;
}

static inline bw_island_action move_to(int x, int y) {
    bw_island_action action;
    memset(&action, 0, sizeof action);
    action.type = BW_ISLAND_MOVE;
    action.as.move.has_position = true;
    action.as.move.position = (bw_island_point){(int16_t)x, (int16_t)y};
    return action;
}

static inline bw_island_action flood_of(const int (*points)[2], int count) {
    bw_island_action action;
    memset(&action, 0, sizeof action);
    action.type = BW_ISLAND_FLOOD;
    action.as.flood.positions_count = (uint16_t)count;
    for (int i = 0; i < count; i++) {
        action.as.flood.positions[i] = (bw_island_point){(int16_t)points[i][0], (int16_t)points[i][1]};
    }
    return action;
}

/* Plays, and checks that a refused action changes no byte. */
static inline int play(bw_island_state *state, int seat, bw_island_action action) {
    bw_island_state before = *state;
    int refusal = GAME->apply(state, seat, &action, NULL);
    if (refusal) assert_memory_equal(&before, state, sizeof before);
    return refusal;
}
static inline int walk(bw_island_state *state, int x, int y) {
    return play(state, BW_ISLAND_JOURNEYMAN, move_to(x, y));
}
static inline int drown(bw_island_state *state, const int (*points)[2], int count) {
    return play(state, BW_ISLAND_WEATHER, flood_of(points, count));
}
static inline int pass(bw_island_state *state) { return drown(state, NULL, 0); }

static inline bool is_dry(const bw_island_state *state, int x, int y) {
    bw_island_view view;
    GAME->view_of(state, BW_WATCHER, &view);
    return view.grid[y][x] == BW_ISLAND_DRY;
}

#endif
