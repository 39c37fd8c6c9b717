#include "games/flooded_island/flooded_island.h"

#include "engine/json.h"

#include <string.h>

BW_NAMES(bw_island_field, BW_ISLAND_FIELDS);
BW_NAMES(bw_island_phase, BW_ISLAND_PHASES);
BW_NAMES(bw_island_seat_name, BW_ISLAND_SEATS);
BW_SCHEMA(bw_island_point, BW_ISLAND_POINT_FIELDS, "A square of the island.");
BW_SCHEMA(bw_island_config, BW_ISLAND_CONFIG_FIELDS, "Settings of Flooded Island.");
BW_SCHEMA(bw_island_configure_grid, BW_ISLAND_CONFIGURE_GRID_FIELDS, "Either size, or width and height.");
BW_UNION(bw_island_opening, BW_ISLAND_OPENINGS);
BW_SCHEMA(bw_island_view, BW_ISLAND_VIEW_FIELDS, "The island, as everybody sees it.");
BW_SCHEMA(bw_island_staged, BW_ISLAND_STAGED_FIELDS, "A staged choice: position or positions.");
BW_SCHEMA(bw_island_you, BW_ISLAND_YOU_FIELDS, "What only the seat knows.");
BW_SCHEMA(bw_island_stats, BW_ISLAND_STATS_FIELDS, "Figures of a finished game.");
BW_SCHEMA(bw_island_move, BW_ISLAND_MOVE_FIELDS, "The adventurer's move.");
BW_SCHEMA(bw_island_flood, BW_ISLAND_FLOOD_FIELDS, "The weather's flood.");
BW_SCHEMA(bw_island_moved, BW_ISLAND_MOVED_FIELDS, "The adventurer moved.");
BW_SCHEMA(bw_island_dried, BW_ISLAND_DRIED_FIELDS, "Squares beside the adventurer became dry.");
BW_SCHEMA(bw_island_drowned, BW_ISLAND_DROWNED_FIELDS, "Squares were flooded.");
BW_SCHEMA(bw_island_dawn, BW_ISLAND_DAWN_FIELDS, "A day begins.");
BW_UNION(bw_island_action, BW_ISLAND_ACTIONS);
BW_UNION(bw_island_event, BW_ISLAND_EVENTS);

#define SENTENCE(constant, sentence) sentence,
static const char *const refusals[] = {BW_ISLAND_REFUSALS(SENTENCE)};

static const bw_role roles[] = {
    {.id = "journeyman", .title = "Adventurer", .alias = "adventurer"},
    {.id = "weather", .title = "Weather"},
};

static const bw_island_config defaults = {
    .width = 10, .height = 10, .max_flood_count = 2, .has_days = true, .days = BW_ISLAND_DAYS};

static const bw_variant variants[] = {
    {"month", "A month", "Survive 30 days on 10 by 10 fields; the weather floods 2 a night.", 10,
     "{\"width\":10,\"height\":10,\"max_flood_count\":2,\"days\":30}"},
    {"quick", "A small island", "Survive 30 days on 6 by 6 fields; the weather floods 2 a night.", 5,
     "{\"width\":6,\"height\":6,\"max_flood_count\":2,\"days\":30}"},
    {"storm", "Storm", "Survive 30 days while the weather floods 3 fields a night.", 5,
     "{\"width\":10,\"height\":10,\"max_flood_count\":3,\"days\":30}"},
    {"year", "The whole year", "Survive 365 days; the weather floods 2 fields a night.", 60,
     "{\"width\":10,\"height\":10,\"max_flood_count\":2,\"days\":365}"},
};

bw_island_set bw_island_land(int width, int height) {
    uint64_t row = ((uint64_t)1 << width) - 1;
    bw_island_set land = {{0, 0}};
    for (int y = 0; y < height; y++) land.half[y / 5] |= row << (y % 5 * BW_ISLAND_SIDE_MAX);
    return land;
}

void bw_island_start(bw_island_state *state, const bw_island_config *config) {
    memset(state, 0, sizeof *state);
    state->width = config->width;
    state->height = config->height;
    state->max_flood_count = config->max_flood_count;
    state->days_less = config->has_days ? (uint16_t)(BW_ISLAND_DAYS - config->days) : 0;
    state->land = state->dry = bw_island_land(config->width, config->height);
}

static bw_island_point point_of(int square) {
    return (bw_island_point){.x = (int16_t)bw_island_x(square), .y = (int16_t)bw_island_y(square)};
}

static void put_move(bw_island_action *action, int square) {
    memset(action, 0, sizeof *action);
    action->type = BW_ISLAND_MOVE;
    action->as.move.has_position = true;
    action->as.move.position = point_of(square);
}

static void put_flood(bw_island_action *action, const uint8_t *squares, int count) {
    memset(action, 0, sizeof *action);
    action->type = BW_ISLAND_FLOOD;
    action->as.flood.positions_count = (uint16_t)count;
    for (int i = 0; i < count; i++) action->as.flood.positions[i] = point_of(squares[i]);
}

void bw_island_put(bw_island_action *action, int seat, int square, bw_island_set flood) {
    if (seat == BW_ISLAND_JOURNEYMAN) {
        put_move(action, square);
        return;
    }
    put_flood(action, NULL, 0);
    while (!bw_island_empty(flood)) {
        action->as.flood.positions[action->as.flood.positions_count++] = point_of(bw_island_take(&flood));
    }
}

static bool on_island(const bw_island_state *state, bw_island_point point) {
    return point.x >= 0 && point.x < state->width && point.y >= 0 && point.y < state->height;
}

static uint16_t day_of(const bw_island_state *state) {
    bool next = state->phase == BW_ISLAND_DAY && (!state->winner || state->resigned);
    return (uint16_t)(state->moves + (next ? 1 : 0));
}

/* ---- what is legal ---- */

static int check_seat(const bw_island_state *state, int seat) {
    if (state->winner) return BW_ISLAND_OVER;
    if (seat != (state->phase == BW_ISLAND_DAY ? BW_ISLAND_JOURNEYMAN : BW_ISLAND_WEATHER)) {
        return state->phase == BW_ISLAND_DAY ? BW_ISLAND_NOT_NIGHT : BW_ISLAND_NOT_DAY;
    }
    return 0;
}

static int check_move(const bw_island_state *state, bw_island_point to) {
    if (!on_island(state, to)) return BW_ISLAND_MOVE_OFF;
    int square = bw_island_square(to.x, to.y);
    if (square == state->square) return BW_ISLAND_MOVE_STAY;
    if (!bw_island_has(bw_island_king[state->square], square)) return BW_ISLAND_MOVE_FAR;
    if (!bw_island_has(state->dry, square)) return BW_ISLAND_MOVE_WET;
    return 0;
}

static int check_flood(const bw_island_state *state, const bw_island_flood *flood, bw_island_set *squares) {
    memset(squares, 0, sizeof *squares);
    if (flood->positions_count > state->max_flood_count) {
        static const int over[] = {BW_ISLAND_FLOOD_OVER_1, BW_ISLAND_FLOOD_OVER_2, BW_ISLAND_FLOOD_OVER_3};
        return over[state->max_flood_count - 1];
    }
    for (int i = 0; i < flood->positions_count; i++) {
        bw_island_point point = flood->positions[i];
        if (!on_island(state, point)) return BW_ISLAND_FLOOD_OFF;
        int square = bw_island_square(point.x, point.y);
        if (square == state->square) return BW_ISLAND_FLOOD_OWN;
        if (!bw_island_has(state->dry, square)) return BW_ISLAND_FLOOD_WET;
        if (bw_island_has(*squares, square)) return BW_ISLAND_FLOOD_TWICE;
        *squares = bw_island_or(*squares, bw_island_single(square));
    }
    return 0;
}

/* 0 if the action belongs to the seat and is legal now. */
static int check_action(const bw_island_state *state, int seat, const bw_island_action *action,
                        bw_island_set *squares) {
    int refusal = check_seat(state, seat);
    if (refusal) return refusal;
    switch (action->type) {
    case BW_ISLAND_MOVE:
        if (seat != BW_ISLAND_JOURNEYMAN) return BW_ISLAND_ONLY_FLOODS;
        return action->as.move.has_position ? check_move(state, action->as.move.position) : BW_ISLAND_MOVE_NONE;
    case BW_ISLAND_FLOOD:
        return seat == BW_ISLAND_WEATHER ? check_flood(state, &action->as.flood, squares) : BW_ISLAND_ONLY_MOVES;
    default: return BW_ISLAND_NOT_A_MOVE;
    }
}

static uint32_t turn(const void *memory) {
    const bw_island_state *state = memory;
    return state->winner ? 0 : 1u << (state->phase == BW_ISLAND_DAY ? BW_ISLAND_JOURNEYMAN : BW_ISLAND_WEATHER);
}

/* ---- playing ---- */

static void init(void *state, const void *config, uint32_t seats, const uint8_t seed[32]) {
    (void)seats; /* always both */
    (void)seed;  /* there is no luck in this game */
    bw_island_start(state, config);
}

static int apply(void *memory, int seat, const void *played, bw_events *events) {
    bw_island_state *state = memory;
    const bw_island_action *action = played;
    bw_island_set squares;
    int refusal = check_action(state, seat, action, &squares);
    if (refusal) return refusal;
    if (action->type == BW_ISLAND_MOVE) {
        bw_island_event *event = bw_event(events, BW_ISLAND_EVENT_MOVED);
        if (event) {
            event->as.moved = (bw_island_moved){.from = point_of(state->square), .to = action->as.move.position};
        }
        bw_island_set dried =
            bw_island_walk(state, bw_island_square(action->as.move.position.x, action->as.move.position.y));
        if (!bw_island_empty(dried) && (event = bw_event(events, BW_ISLAND_EVENT_DRIED)) != NULL) {
            while (!bw_island_empty(dried)) {
                event->as.dried.positions[event->as.dried.positions_count++] = point_of(bw_island_take(&dried));
            }
        }
        return 0;
    }
    int count = action->as.flood.positions_count;
    bw_island_drown(state, squares, count);
    bw_island_event *event;
    if (count > 0 && (event = bw_event(events, BW_ISLAND_EVENT_FLOODED)) != NULL) {
        event->as.flooded.positions_count = (uint16_t)count;
        for (int i = 0; i < count; i++) {
            event->as.flooded.positions[i] = action->as.flood.positions[i];
        }
    }
    if (!state->winner && (event = bw_event(events, BW_ISLAND_EVENT_DAY)) != NULL) {
        event->as.day.n = day_of(state);
    }
    return 0;
}

static int resign(void *memory, int seat, bw_events *events) {
    bw_island_state *state = memory;
    (void)events;
    if (state->winner) return BW_ISLAND_OVER;
    state->resigned = (uint8_t)(1 + seat);
    state->winner = (uint8_t)(1 + (seat == BW_ISLAND_JOURNEYMAN ? BW_ISLAND_WEATHER : BW_ISLAND_JOURNEYMAN));
    return 0;
}

/* ---- drafts ---- */

static int prepare(const void *memory, int seat, void *draft_memory, const void *wanted) {
    const bw_island_state *state = memory;
    const bw_island_action *action = wanted;
    bw_island_draft *draft = draft_memory;
    bw_island_set squares;
    bool takes_back = action->type == BW_ISLAND_MOVE && seat == BW_ISLAND_JOURNEYMAN && !action->as.move.has_position;
    int refusal = takes_back ? check_seat(state, seat) : check_action(state, seat, action, &squares);
    if (refusal) return refusal;
    memset(draft, 0, sizeof *draft);
    if (takes_back) return 0;
    if (action->type == BW_ISLAND_MOVE) {
        draft->count = 1;
        draft->squares[0] = (uint8_t)bw_island_square(action->as.move.position.x, action->as.move.position.y);
        return 0;
    }
    for (int i = 0; i < action->as.flood.positions_count; i++) {
        bw_island_point point = action->as.flood.positions[i];
        draft->squares[draft->count++] = (uint8_t)bw_island_square(point.x, point.y);
    }
    return 0;
}

static int commit(const void *memory, int seat, const void *draft_memory, void *played) {
    const bw_island_state *state = memory;
    const bw_island_draft *draft = draft_memory;
    bw_island_action *action = played;
    int refusal = check_seat(state, seat);
    if (refusal) return refusal;
    if (seat == BW_ISLAND_JOURNEYMAN && draft->count == 0) return BW_ISLAND_MOVE_NONE;
    if (seat == BW_ISLAND_JOURNEYMAN) put_move(action, draft->squares[0]);
    else put_flood(action, draft->squares, draft->count);
    return 0;
}

static bool draft_fits(const void *memory, int seat, const void *draft_memory) {
    const bw_island_state *state = memory;
    const bw_island_draft *draft = draft_memory;
    bw_island_set squares;
    if (draft->count > BW_ISLAND_FLOODS_MAX || (seat == BW_ISLAND_JOURNEYMAN && draft->count > 1)) return false;
    for (int i = 0; i < BW_ISLAND_FLOODS_MAX; i++) {
        if (i < draft->count ? draft->squares[i] >= BW_ISLAND_SQUARES : draft->squares[i] != 0) return false;
    }
    bw_island_action action;
    return draft->count == 0 ||
           (commit(state, seat, draft, &action) == 0 && check_action(state, seat, &action, &squares) == 0);
}

/* Every action ends the turn and discards what was staged. */
static void prune_draft(const void *state, int seat, void *draft) {
    (void)state;
    (void)seat;
    memset(draft, 0, sizeof(bw_island_draft));
}

static void show_draft(const void *state, int seat, const void *draft_memory, void *memory) {
    const bw_island_draft *draft = draft_memory;
    bw_island_you *you = memory;
    (void)state;
    memset(you, 0, sizeof *you);
    if (draft->count == 0) return;
    you->has_staged = true;
    if (seat == BW_ISLAND_JOURNEYMAN) {
        you->staged.has_position = true;
        you->staged.position = point_of(draft->squares[0]);
        return;
    }
    you->staged.has_positions = true;
    you->staged.positions_count = draft->count;
    for (int i = 0; i < draft->count; i++) you->staged.positions[i] = point_of(draft->squares[i]);
}

/* ---- listing ---- */

static uint32_t legal_floods(const bw_island_state *state, bw_island_action *actions, uint32_t cap) {
    uint8_t all[BW_ISLAND_SQUARES];
    int n = 0;
    for (bw_island_set left = bw_island_floodable(state); !bw_island_empty(left);) {
        all[n++] = (uint8_t)bw_island_take(&left);
    }
    uint32_t total = bw_island_choices((uint32_t)n, state->max_flood_count), at = 0;
    for (int size = 0; size <= state->max_flood_count && at < cap; size++) {
        int index[BW_ISLAND_FLOODS_MAX] = {0, 1, 2};
        while (size <= n && at < cap) {
            uint8_t squares[BW_ISLAND_FLOODS_MAX] = {0};
            for (int i = 0; i < size; i++) squares[i] = all[index[i]];
            put_flood(&actions[at++], squares, size);
            int last = size - 1; /* the next combination in lexical order */
            while (last >= 0 && index[last] == n - size + last) last--;
            if (last < 0) break;
            index[last]++;
            for (int i = last + 1; i < size; i++) index[i] = index[i - 1] + 1;
        }
    }
    return total;
}

static uint32_t legal(const void *memory, int seat, void *actions_memory, uint32_t cap) {
    const bw_island_state *state = memory;
    bw_island_action *actions = actions_memory;
    if (check_seat(state, seat)) return 0;
    if (seat == BW_ISLAND_WEATHER) return legal_floods(state, actions, cap);
    uint32_t count = 0;
    for (bw_island_set moves = bw_island_moves(state); !bw_island_empty(moves); count++) {
        int square = bw_island_take(&moves);
        if (count < cap) put_move(&actions[count], square);
    }
    return count;
}

static bool sample(const void *memory, int seat, bw_fast *fast, void *action) {
    const bw_island_state *state = memory;
    if (check_seat(state, seat)) return false;
    if (seat == BW_ISLAND_JOURNEYMAN) {
        put_move(action, bw_island_random_walk(state, fast));
        return true;
    }
    uint8_t squares[BW_ISLAND_FLOODS_MAX];
    int count = bw_island_random_flood(state, fast, squares);
    put_flood(action, squares, count);
    return true;
}

/* ---- seeing ---- */

static void view_of(const void *memory, int seat, void *view_memory) {
    const bw_island_state *state = memory;
    bw_island_view *view = view_memory;
    (void)seat; /* nothing is hidden */
    memset(view, 0, sizeof *view);
    view->width = state->width;
    view->height = state->height;
    view->has_grid_size = state->width == state->height;
    view->grid_size = view->has_grid_size ? state->width : 0;
    view->max_flood_count = state->max_flood_count;
    view->days = (uint16_t)bw_island_days(state);
    for (bw_island_set wet = bw_island_without(state->land, state->dry); !bw_island_empty(wet);) {
        int square = bw_island_take(&wet);
        view->grid[bw_island_y(square)][bw_island_x(square)] = BW_ISLAND_FLOODED; /* all other fields are 0: dry */
    }
    view->has_journeyman_position = true;
    view->journeyman_position = point_of(state->square);
    view->phase = state->phase;
    view->days_survived = state->moves;
    view->fields_flooded = state->fields_flooded;
    view->fields_dried = state->fields_dried;
    view->has_resigned = state->resigned != 0;
    view->resigned = state->resigned ? (uint8_t)(state->resigned - 1) : 0;
}

static int guess(void *memory, const void *view_memory, const void *config_memory, int seat, uint64_t seed) {
    bw_island_state *state = memory;
    const bw_island_view *view = view_memory;
    const bw_island_config *config = config_memory;
    (void)seat;
    (void)seed;
    bw_island_state guessed;
    bw_island_start(&guessed, config);
    if (!view->has_journeyman_position || !on_island(&guessed, view->journeyman_position) ||
        view->width != config->width || view->height != config->height ||
        view->days_survived > bw_island_days(&guessed)) {
        return BW_ISLAND_NO_POSITION;
    }
    memset(&guessed.dry, 0, sizeof guessed.dry);
    for (int y = 0; y < view->height; y++) {
        for (int x = 0; x < view->width; x++) {
            if (view->grid[y][x] == BW_ISLAND_DRY) {
                guessed.dry = bw_island_or(guessed.dry, bw_island_single(bw_island_square(x, y)));
            }
        }
    }
    guessed.square = (uint8_t)bw_island_square(view->journeyman_position.x, view->journeyman_position.y);
    if (!bw_island_has(guessed.dry, guessed.square)) return BW_ISLAND_NO_POSITION;
    guessed.phase = view->phase;
    guessed.moves = view->days_survived;
    guessed.fields_flooded = view->fields_flooded;
    guessed.fields_dried = view->fields_dried;
    if (guessed.moves == bw_island_days(&guessed)) guessed.winner = 1 + BW_ISLAND_JOURNEYMAN;
    else bw_island_judge(&guessed);
    if (view->has_resigned && !guessed.winner) {
        guessed.resigned = (uint8_t)(1 + view->resigned);
        guessed.winner =
            (uint8_t)(1 + (view->resigned == BW_ISLAND_JOURNEYMAN ? BW_ISLAND_WEATHER : BW_ISLAND_JOURNEYMAN));
    }
    *state = guessed;
    return 0;
}

static uint32_t current_turn(const void *state) { return day_of(state); }

static uint32_t winners(const void *memory) {
    const bw_island_state *state = memory;
    return state->winner ? 1u << (state->winner - 1) : 0;
}

static void stats_of(const void *memory, void *stats_memory) {
    const bw_island_state *state = memory;
    bw_island_stats *stats = stats_memory;
    memset(stats, 0, sizeof *stats);
    stats->days_survived = state->moves;
    stats->fields_flooded = state->fields_flooded;
    stats->fields_dried = state->fields_dried;
}

/* A heuristic for searches: room to move, dry land nearby, and days survived. */
static int32_t score(const void *memory, int seat) {
    const bw_island_state *state = memory;
    int32_t value;
    if (state->winner) {
        value = state->winner == 1 + BW_ISLAND_JOURNEYMAN ? 1000 : -1000;
    } else {
        bw_island_set near = bw_island_moves(state), around = near;
        value = 30 * bw_island_count(near) - 150;
        while (!bw_island_empty(near)) {
            around = bw_island_or(around, bw_island_king[bw_island_take(&near)]);
        }
        value += 8 * bw_island_count(bw_island_and(around, state->dry)) + state->moves;
    }
    return seat == BW_ISLAND_JOURNEYMAN ? value : -value;
}

/* ---- as text ---- */

static void write_heading(bw_out *out, const bw_island_view *view, const bw_island_state *state) {
    bw_out_format(out, "Day %d of %d. ", day_of(state), view->days);
    if (state->winner == 1 + BW_ISLAND_JOURNEYMAN) {
        bw_out_text(out, view->has_resigned ? "The weather gave up: the adventurer has won.\n"
                                            : "The adventurer has survived and won.\n");
    } else if (state->winner) {
        bw_out_text(out, view->has_resigned ? "The adventurer gave up: the weather has won.\n"
                                            : "The adventurer is trapped: the weather has won.\n");
    } else if (view->phase == BW_ISLAND_DAY) {
        bw_out_text(out, "The adventurer is to move.\n");
    } else {
        bw_out_text(out, view->max_flood_count == 1   ? "The weather may flood 1 field.\n"
                         : view->max_flood_count == 2 ? "The weather may flood up to 2 fields.\n"
                                                      : "The weather may flood up to 3 fields.\n");
    }
    bw_out_format(out, "The adventurer stands on column %d, row %d. Flooded so far %u, dried %u.\n",
                  view->journeyman_position.x + 1, view->journeyman_position.y + 1, view->fields_flooded,
                  view->fields_dried);
}

/* The number of a column or a row, in three characters. */
static void write_number(bw_out *out, int number) { bw_out_format(out, "%s%d", number < 10 ? "  " : " ", number); }

static void text(const void *view_memory, bw_out *out) {
    const bw_island_view *view = view_memory;
    bw_island_config config = {view->width, view->height, view->max_flood_count, true, view->days};
    bw_island_state state;
    if (view->width < BW_ISLAND_SIDE_MIN || view->width > BW_ISLAND_SIDE_MAX || view->height < BW_ISLAND_SIDE_MIN ||
        view->height > BW_ISLAND_SIDE_MAX || guess(&state, view, &config, BW_WATCHER, 0)) {
        bw_out_text(out, "No game has started.\n");
        return;
    }
    write_heading(out, view, &state);
    bw_out_text(out, "@ adventurer   . dry   ~ flooded\n   ");
    for (int x = 1; x <= view->width; x++) write_number(out, x);
    for (int y = 0; y < view->height; y++) {
        bw_out_text(out, "\n");
        write_number(out, y + 1);
        for (int x = 0; x < view->width; x++) {
            bw_out_text(out, bw_island_square(x, y) == state.square ? "  @"
                             : view->grid[y][x] == BW_ISLAND_DRY    ? "  ."
                                                                    : "  ~");
        }
    }
    bw_out_text(out, "\n");
}

static const char *open_message(const void *message, void *config) {
    const bw_island_configure_grid *wish = &((const bw_island_opening *)message)->as.configure_grid;
    bw_island_config *settings = config;
    if (wish->has_size ? wish->has_width || wish->has_height : !(wish->has_width && wish->has_height)) {
        return "Give either \"size\", or \"width\" and \"height\".";
    }
    settings->width = wish->has_size ? wish->size : wish->width;
    settings->height = wish->has_size ? wish->size : wish->height;
    if (wish->has_max_flood_count) settings->max_flood_count = wish->max_flood_count;
    return NULL;
}

const bw_game bw_flooded_island = {
    .id = "flooded_island",
    .title = "Flooded Island",
    .summary = "An adventurer walks an island that the weather floods: survive to the last day, or trap them sooner.",
    .rules_version = 1,
    .roles = roles,
    .role_count = 2,
    .seats_min = 2,
    .state_size = sizeof(bw_island_state),
    .draft_size = sizeof(bw_island_draft),
    .max_events = 2,
    .config = &bw_island_config_schema,
    .defaults = &defaults,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .view = &bw_island_view_schema,
    .you = &bw_island_you_schema,
    .stats = &bw_island_stats_schema,
    .actions = &bw_island_action_union,
    .openings = &bw_island_opening_union,
    .open = open_message,
    .events = &bw_island_event_union,
    .refusals = refusals,
    .refusal_count = BW_ISLAND_REFUSAL_COUNT,
    .init = init,
    .turn = turn,
    .apply = apply,
    .prepare = prepare,
    .commit = commit,
    .prune_draft = prune_draft,
    .show_draft = show_draft,
    .draft_fits = draft_fits,
    .legal = legal,
    .sample = sample,
    .flags = BW_GAME_SAME_VIEW,
    .view_of = view_of,
    .guess = guess,
    .current_turn = current_turn,
    .winners = winners,
    .stats_of = stats_of,
    .score = score,
    .resign = resign,
    .text = text,
};
