#include "games/_blank/blank.h"

#include <string.h>

BW_SCHEMA(bw_blank_config, BW_BLANK_CONFIG_FIELDS, "settings of Blank");
BW_NAMES(bw_blank_mark, BW_BLANK_MARKS);
BW_SCHEMA(bw_blank_view, BW_BLANK_VIEW_FIELDS, "a position of Blank");
BW_SCHEMA(bw_blank_square, BW_BLANK_SQUARE_FIELDS, "a square");
BW_UNION(bw_blank_action, BW_BLANK_ACTIONS);
BW_UNION(bw_blank_event, BW_BLANK_EVENTS);
BW_SCHEMA(bw_blank_stats, BW_BLANK_STATS_FIELDS, "figures of a finished game");

static const char *const refusals[] = {BW_BLANK_REFUSALS(BW_ENUM_NAME)};

static int refuse(int why) { return -(why + 1); }

int bw_blank_play(bw_blank_state *state, int x, int y, bw_events *events) {
    if (bw_blank_over(state)) return refuse(BW_BLANK_IS_OVER);
    if (x < 0 || y < 0 || x >= state->width || y >= state->height) return refuse(BW_BLANK_OFF_GRID);
    if (state->grid[y][x] != BW_BLANK_FREE) return refuse(BW_BLANK_TAKEN);
    state->grid[y][x] = (uint8_t)(state->marks % 2 == 0 ? BW_BLANK_FIRST : BW_BLANK_SECOND);
    state->marks++;
    bw_blank_event *event = bw_event(events, BW_BLANK_MARKED);
    if (event) event->as.marked = (bw_blank_square){(int16_t)x, (int16_t)y};
    return 0;
}

static int check(const void *config) {
    const bw_blank_config *settings = config;
    return settings->width * settings->height < 2 ? refuse(BW_BLANK_TOO_SMALL) : 0;
}

static void init(void *state, const void *config, uint32_t seats, const uint8_t seed[32]) {
    const bw_blank_config *settings = config;
    bw_blank_state *blank = state;
    (void)seats, (void)seed;
    memset(blank, 0, sizeof *blank);
    blank->width = settings->width;
    blank->height = settings->height;
}

static uint32_t turn(const void *state) {
    const bw_blank_state *blank = state;
    return bw_blank_over(blank) ? 0 : 1u << blank->marks % 2;
}

static int apply(void *state, int seat, const void *action, bw_events *events) {
    const bw_blank_action *chosen = action;
    (void)seat;
    return bw_blank_play(state, chosen->as.mark.x, chosen->as.mark.y, events);
}

static uint32_t legal(const void *state, int seat, void *actions, uint32_t cap) {
    const bw_blank_state *blank = state;
    bw_blank_action *list = actions;
    uint32_t count = 0;
    if (!(turn(state) >> seat & 1)) return 0;
    for (int16_t y = 0; y < blank->height; y++) {
        for (int16_t x = 0; x < blank->width; x++) {
            if (blank->grid[y][x] != BW_BLANK_FREE) continue;
            if (count < cap) {
                memset(&list[count], 0, sizeof *list);
                list[count].type = BW_BLANK_MARK;
                list[count].as.mark = (bw_blank_square){x, y};
            }
            count++;
        }
    }
    return count;
}

static void view_of(const void *state, int seat, void *view) {
    const bw_blank_state *blank = state;
    bw_blank_view *seen = view;
    (void)seat; /* nothing is hidden */
    memset(seen, 0, sizeof *seen);
    seen->width = blank->width;
    seen->height = blank->height;
    memcpy(seen->grid, blank->grid, sizeof seen->grid);
}

static int guess(void *state, const void *view, const void *config, int seat, uint64_t seed) {
    const bw_blank_view *seen = view;
    bw_blank_state *blank = state;
    (void)config, (void)seat, (void)seed;
    memset(blank, 0, sizeof *blank);
    blank->width = seen->width;
    blank->height = seen->height;
    memcpy(blank->grid, seen->grid, sizeof blank->grid);
    int firsts = 0;
    for (int y = 0; y < seen->height; y++) {
        for (int x = 0; x < seen->width; x++) {
            blank->marks = (uint8_t)(blank->marks + (seen->grid[y][x] != BW_BLANK_FREE));
            firsts += seen->grid[y][x] == BW_BLANK_FIRST;
        }
    }
    return firsts == (blank->marks + 1) / 2 ? 0 : refuse(BW_BLANK_BAD_VIEW);
}

static uint32_t current_turn(const void *state) { return ((const bw_blank_state *)state)->marks + 1u; }

static uint32_t winners(const void *state) {
    const bw_blank_state *blank = state;
    if (blank->resigned) return 1u << (2 - blank->resigned);
    return 1u << (blank->marks + 1) % 2; /* who marked a square last */
}

static void stats_of(const void *state, void *stats) {
    bw_blank_stats *figures = stats;
    memset(figures, 0, sizeof *figures);
    figures->marks = ((const bw_blank_state *)state)->marks;
}

static int32_t score(const void *state, int seat) {
    if (!bw_blank_over(state)) return 0;
    return winners(state) >> seat & 1 ? 1000 : -1000;
}

static int resign(void *state, int seat, bw_events *events) {
    bw_blank_state *blank = state;
    (void)events;
    if (bw_blank_over(blank)) return refuse(BW_BLANK_IS_OVER);
    blank->resigned = (uint8_t)(seat + 1);
    return 0;
}

static void text(const void *view, bw_out *out) {
    const bw_blank_view *seen = view;
    for (int y = 0; y < seen->height; y++) {
        for (int x = 0; x < seen->width; x++) bw_out_bytes(out, &".12"[seen->grid[y][x] % 3], 1);
        bw_out_text(out, "\n");
    }
}

static const bw_role roles[] = {
    {.id = "first", .title = "First"},
    {.id = "second", .title = "Second"},
};

static const bw_blank_config defaults = {.width = 3, .height = 3};

/* The members that both versions of the rules share. */
#define COMMON                                                                                                        \
    .id = "blank", .title = "Blank", .summary = "Mark the last square.", .flags = BW_GAME_UNLISTED, .roles = roles,   \
    .role_count = BW_BLANK_SEATS, .seats_min = BW_BLANK_SEATS, .state_size = sizeof(bw_blank_state), .max_events = 1, \
    .config = &bw_blank_config_schema, .defaults = &defaults, .view = &bw_blank_view_schema,                          \
    .stats = &bw_blank_stats_schema, .actions = &bw_blank_action_union, .events = &bw_blank_event_union,              \
    .refusals = refusals, .refusal_count = BW_BLANK_REFUSAL_COUNT, .check = check, .init = init, .turn = turn,        \
    .apply = apply, .legal = legal, .view_of = view_of, .guess = guess, .current_turn = current_turn,                 \
    .stats_of = stats_of, .resign = resign, .text = text

const bw_game bw_blank = {COMMON, .rules_version = 2, .winners = winners, .score = score};
/* older rules: begin */

static uint32_t winners_v1(const void *state) {
    const bw_blank_state *blank = state;
    return blank->resigned ? winners(state) : winners(state) ^ 3u;
}

static int32_t score_v1(const void *state, int seat) {
    if (!bw_blank_over(state)) return 0;
    return winners_v1(state) >> seat & 1 ? 1000 : -1000;
}

const bw_game bw_blank_v1 = {COMMON, .rules_version = 1, .winners = winners_v1, .score = score_v1};
/* older rules: end */
