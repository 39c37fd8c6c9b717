/* Shared by the tests of Flood-It: settings and moves made by hand. */
#ifndef BW_FLOOD_IT_TEST_HELP_H
#define BW_FLOOD_IT_TEST_HELP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/flood_it/flood_it.h"
#include "tests/support/unit.h"

#define GAME (&bw_flood_it)

static inline bw_floodit_config settings_of(int rows, int cols, int colors, int limit, const char *seed) {
    bw_floodit_config config = *(const bw_floodit_config *)GAME->defaults;
    config.rows = (uint8_t)rows, config.cols = (uint8_t)cols, config.colors = (uint8_t)colors;
    config.move_limit = (int16_t)limit;
    config.has_seed = seed != NULL;
    if (seed) snprintf(config.seed, sizeof config.seed, "%s", seed);
    return config;
}

/* State and view are large, so all tests, which run one after another, share one. */
typedef struct desk {
    bw_floodit_state state, before;
    bw_floodit_view view;
} desk;

static inline desk *open_desk(const bw_floodit_config *config, uint32_t seats, uint8_t key) {
    desk *d = malloc(sizeof *d);
    uint8_t seed[32];
    assert_non_null(d);
    memset(d, 0xaa, sizeof *d);
    memset(seed, key, sizeof seed);
    assert_int_equal(GAME->check(config), 0);
    GAME->init(&d->state, config, seats, seed);
    GAME->view_of(&d->state, BW_WATCHER, &d->view);
    return d;
}

static inline int play_as(desk *d, int seat, const bw_floodit_action *action) {
    d->before = d->state;
    int refusal = GAME->apply(&d->state, seat, action, NULL);
    if (refusal) assert_memory_equal(&d->before, &d->state, sizeof d->state);
    GAME->view_of(&d->state, seat, &d->view);
    return refusal;
}
static inline int color_as(desk *d, int seat, int color) {
    bw_floodit_action action;
    memset(&action, 0, sizeof action);
    action.type = BW_FLOODIT_SELECT;
    action.as.select_color.color = (uint8_t)color;
    return play_as(d, seat, &action);
}
static inline int color(desk *d, int c) { return color_as(d, 0, c); }
static inline int simple(desk *d, int seat, uint8_t type) {
    bw_floodit_action action;
    memset(&action, 0, sizeof action);
    action.type = type;
    return play_as(d, seat, &action);
}

static inline int other_color(const desk *d, int than) {
    return than == 0 ? 1 : d->state.board.colors > 2 && than == 1 ? 2 : 0;
}

/* Wins by always playing the colour that absorbs most. Returns the number of moves. */
static inline int win_as(desk *d, int seat) {
    int moves = 0;
    for (; d->state.seats[seat].cells < d->view.rows * d->view.cols; moves++) {
        int best = -1, most = -1;
        for (int c = 0; c < d->state.board.colors; c++) {
            bw_floodit_plane plane = d->state.seats[seat].territory;
            int cells = bw_floodit_select(&d->state.board, &plane, c);
            if (c != d->state.seats[seat].color && cells > most) most = cells, best = c;
        }
        assert_int_equal(color_as(d, seat, best), 0);
    }
    return moves;
}

#endif
