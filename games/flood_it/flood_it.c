#include "games/flood_it/flood_it.h"

#include <string.h>

#define SENTENCE(constant, sentence) sentence,
static const char *const refusals[] = {BW_FLOODIT_REFUSALS(SENTENCE)};

static const bw_role roles[] = {
    {.id = "player", .title = "Player 1"},  {.id = "player2", .title = "Player 2"},
    {.id = "player3", .title = "Player 3"}, {.id = "player4", .title = "Player 4"},
    {.id = "player5", .title = "Player 5"}, {.id = "player6", .title = "Player 6"},
    {.id = "player7", .title = "Player 7"}, {.id = "player8", .title = "Player 8"},
};

static const bw_floodit_room defaults = {
    .has_rows = true,
    .rows = 20,
    .has_cols = true,
    .cols = 20,
    .has_colors = true,
    .colors = 4,
    .has_move_limit = true,
    .move_limit = BW_FLOODIT_DEFAULT_LIMIT,
    .has_origin = true,
    .has_preset = true,
    .preset = BW_FLOODIT_CUSTOM,
    .has_daily = true,
    .has_hints = true,
};

/* Each sets a limit and `daily`: a preset alone would keep those of the previous variant. */
static const bw_variant variants[] = {
    {"normal", "Normal", "20 by 20 squares in 4 colours.", 3,
     "{\"preset\":\"normal\",\"daily\":false,\"move_limit\":\"classic\"}"},
    {"easy", "Easy", "10 by 10 squares in 4 colours.", 1,
     "{\"preset\":\"easy\",\"daily\":false,\"move_limit\":\"classic\"}"},
    {"hard", "Hard", "20 by 20 squares in 6 colours.", 4,
     "{\"preset\":\"hard\",\"daily\":false,\"move_limit\":\"classic\"}"},
    {"expert", "Expert", "28 by 28 squares in 8 colours, with 70 moves to flood them.", 8,
     "{\"preset\":\"expert\",\"daily\":false,\"move_limit\":70}"},
    {"daily", "Today's board", "The same board for everybody, all day long.", 3,
     "{\"daily\":true,\"preset\":\"normal\",\"move_limit\":\"classic\"}"},
    {"classic", "Classic", "20 by 20 squares in 4 colours, with 25 moves to flood them.", 3,
     "{\"rows\":20,\"cols\":20,\"colors\":4,\"daily\":false,\"move_limit\":25}"},
};

static const struct {
    uint8_t side, colors;
} presets[] = {[BW_FLOODIT_EASY] = {10, 4},
               [BW_FLOODIT_NORMAL] = {20, 4},
               [BW_FLOODIT_HARD] = {20, 6},
               [BW_FLOODIT_EXPERT] = {28, 8}};

/* ---- settings ---- */

static int two_digits(const char *text) { return (text[0] - '0') * 10 + text[1] - '0'; }

static bool is_date(const char *text) {
    for (int i = 0; i < 10; i++) {
        if (i == 4 || i == 7 ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
    }
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = two_digits(text) * 100 + two_digits(text + 2), month = two_digits(text + 5), day = two_digits(text + 8);
    if (month < 1 || month > 12) return false;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day >= 1 && day <= days[month - 1] + (month == 2 && leap);
}

static void apply_preset(bw_floodit_config *settings) {
    if (settings->preset >= BW_FLOODIT_CUSTOM) return;
    settings->rows = settings->cols = presets[settings->preset].side;
    settings->colors = presets[settings->preset].colors;
    if (settings->move_limit == BW_FLOODIT_DEFAULT_LIMIT) settings->move_limit = BW_FLOODIT_CLASSIC;
}

/* A given preset sets the sizes. Sizes given beside it or later override it, which makes the preset custom. */
static void lay_over(bw_floodit_config *next, const bw_floodit_config *given) {
    if (given->has_preset) {
        next->preset = given->preset;
        apply_preset(next);
    }
    if (given->has_rows || given->has_cols || given->has_colors) next->preset = BW_FLOODIT_CUSTOM;
    if (given->has_rows) next->rows = given->rows;
    if (given->has_cols) next->cols = given->cols;
    if (given->has_colors) next->colors = given->colors;
    if (given->has_move_limit) next->move_limit = given->move_limit;
    if (given->has_origin) next->origin = given->origin;
    if (given->has_seed) {
        next->has_seed = true;
        memcpy(next->seed, given->seed, sizeof next->seed);
    }
    if (given->has_date) {
        next->has_date = true;
        memcpy(next->date, given->date, sizeof next->date);
    }
    if (given->has_daily) next->daily = given->daily;
    if (next->daily) {
        if (next->preset == BW_FLOODIT_CUSTOM || (given->has_daily && !given->has_preset)) {
            next->preset = BW_FLOODIT_NORMAL;
        }
        apply_preset(next);
    } else if (given->has_move_limit && given->move_limit == BW_FLOODIT_DEFAULT_LIMIT) {
        next->preset = BW_FLOODIT_CUSTOM; /* an explicit default limit: with a preset it would be read as "not given" */
    }
}

enum { BOARD_BYTES = offsetof(bw_floodit_room, has_hints) }; /* the members after it belong to the room */
_Static_assert(sizeof(bw_floodit_config) >= BOARD_BYTES, "a room's settings open with those of its board");

void bw_floodit_board_of(const void *room, bw_floodit_config *board) {
    memset(board, 0, sizeof *board);
    memcpy(board, room, BOARD_BYTES);
}

static void configure(void *config, const void *given_settings) {
    bw_floodit_room *room = config;
    const bw_floodit_room *given = given_settings;
    bw_floodit_config next, wanted;
    bw_floodit_board_of(room, &next);
    bw_floodit_board_of(given, &wanted);
    lay_over(&next, &wanted);
    memcpy(room, &next, BOARD_BYTES);
    if (given->has_hints) {
        room->has_hints = true;
        room->hints = given->hints;
    }
}

int bw_floodit_resolve(bw_floodit_config *settings) {
    bw_floodit_config all;
    bw_floodit_board_of(&defaults, &all);
    if (settings->has_rows) all.rows = settings->rows;
    if (settings->has_cols) all.cols = settings->cols;
    if (settings->has_colors) all.colors = settings->colors;
    if (settings->has_move_limit) all.move_limit = settings->move_limit;
    if (settings->has_origin) all.origin = settings->origin;
    if (settings->has_preset) all.preset = settings->preset;
    all.daily = settings->has_daily && settings->daily;
    if (all.daily && all.preset == BW_FLOODIT_CUSTOM) all.preset = BW_FLOODIT_NORMAL;
    all.has_seed = settings->has_seed && settings->seed[0] != 0;
    if (all.has_seed) memcpy(all.seed, settings->seed, sizeof all.seed);
    all.has_date = settings->has_date;
    if (all.has_date) memcpy(all.date, settings->date, sizeof all.date);
    apply_preset(&all);
    if (all.has_date && !is_date(all.date)) return BW_FLOODIT_DATE;
    if (all.origin.row >= all.rows || all.origin.col >= all.cols) return BW_FLOODIT_ORIGIN;
    *settings = all;
    return 0;
}

static int check(const void *config) {
    bw_floodit_config settings;
    bw_floodit_board_of(config, &settings);
    return bw_floodit_resolve(&settings);
}

static void date_board(bw_floodit_config *board, const char *today) {
    if (!board->has_daily || !board->daily || board->has_date) return;
    board->has_date = true;
    memcpy(board->date, today, sizeof board->date);
}

static void set_date(const char *today, void *config, void *action) {
    bw_floodit_config board;
    if (config) {
        bw_floodit_board_of(config, &board);
        date_board(&board, today);
        memcpy(config, &board, BOARD_BYTES);
    } else if (((bw_floodit_action *)action)->type == BW_FLOODIT_NEW) {
        bw_floodit_new_game *fresh = &((bw_floodit_action *)action)->as.new_game;
        if (fresh->has_settings) date_board(&fresh->settings, today);
    }
}

/* The seed of a daily board; unchanged if the date is unknown. */
static void daily_word(bw_floodit_config *settings) {
    static const char prefix[] = "daily-";
    if (!settings->daily || !settings->has_date) return;
    memset(settings->seed, 0, sizeof settings->seed);
    memcpy(settings->seed, prefix, sizeof prefix - 1);
    memcpy(settings->seed + sizeof prefix - 1, settings->date, sizeof settings->date);
    settings->has_seed = true;
}

/* Eight characters that are hard to confuse and spell no words. */
static void draw_word(bw_rng *rng, bw_floodit_config *settings) {
    static const char letters[] = "bcdfghjkmnpqrstvwxz23456789";
    memset(settings->seed, 0, sizeof settings->seed);
    for (int i = 0; i < 8; i++) settings->seed[i] = letters[bw_rng_below(rng, sizeof letters - 1)];
    settings->has_seed = true;
}

/* ---- copies of the board ---- */

bw_floodit_outcome bw_floodit_outcome_of(const bw_floodit_state *state, const bw_floodit_seat *seat) {
    int limit = state->move_limit ? state->move_limit : BW_FLOODIT_MOVES_MAX;
    if (seat->won || state->racing == BW_FLOODIT_CLAIMED_BY + (seat - state->seats)) return BW_FLOODIT_WON;
    if (seat->resigned) return BW_FLOODIT_RESIGNED;
    return seat->history.cursor >= limit ? BW_FLOODIT_LOST : BW_FLOODIT_PLAYING;
}

void bw_floodit_replay(const bw_floodit_state *state, bw_floodit_seat *seat) {
    int cells = state->board.rows * state->board.cols;
    seat->color = (uint8_t)bw_floodit_begin(&state->board, &seat->territory);
    seat->cells = (uint16_t)bw_floodit_select(&state->board, &seat->territory, seat->color);
    for (int i = 0; i < seat->history.cursor; i++) {
        seat->color = seat->moves[i];
        seat->cells = (uint16_t)bw_floodit_select(&state->board, &seat->territory, seat->color);
    }
    seat->won = seat->cells == cells;
}

/* Puts every player at the start of the current board. */
static void begin(bw_floodit_state *state, int limit) {
    if (limit == BW_FLOODIT_CLASSIC) limit = bw_floodit_classic(&state->board);
    state->move_limit = (uint16_t)(limit < BW_FLOODIT_MOVES_MAX ? limit : BW_FLOODIT_MOVES_MAX);
    state->best_known = 0;
    state->proven = 0;
    state->finished = 0;
    for (int i = 0; i < BW_SEATS_MAX; i++) {
        bw_floodit_seat *seat = &state->seats[i];
        uint8_t taken = seat->taken;
        memset(seat, 0, sizeof *seat);
        seat->taken = taken;
        if (taken) bw_floodit_replay(state, seat);
    }
}

void bw_floodit_lay(bw_floodit_state *state, int limit) {
    bw_floodit_board *board = &state->board;
    memset(board, 0, sizeof *board);
    board->rows = state->settings.rows;
    board->cols = state->settings.cols;
    board->colors = state->settings.colors;
    board->origin_row = state->settings.origin.row;
    board->origin_col = state->settings.origin.col;
    bw_floodit_generate(board, state->settings.seed);
    state->given = 0;
    begin(state, limit);
}

int bw_floodit_set_position(bw_floodit_state *state, const char *cells, int limit) {
    if (!bw_floodit_read(&state->board, cells)) return BW_FLOODIT_CELLS;
    state->given = 1;
    begin(state, limit);
    return 0;
}

static int set_position(void *memory, const char *cells) {
    bw_floodit_state *state = memory;
    return bw_floodit_set_position(state, cells, state->settings.move_limit);
}

static void init(void *memory, const void *config, uint32_t seats, const uint8_t seed[32]) {
    bw_floodit_state *state = memory;
    memset(state, 0, sizeof *state);
    bw_floodit_board_of(config, &state->settings);
    bw_floodit_resolve(&state->settings); /* already checked */
    bw_rng_init(&state->rng, seed);
    daily_word(&state->settings);
    if (!state->settings.has_seed) draw_word(&state->rng, &state->settings);
    for (int i = 0; i < BW_SEATS_MAX; i++) state->seats[i].taken = seats >> i & 1;
    state->racing = (seats & (seats - 1)) != 0;
    bw_floodit_lay(state, state->settings.move_limit);
}

/* Hides the board even if its seed is known: otherwise a race could begin before its start. */
static const char *const *foresee(const void *config, uint32_t seats, void *view_memory) {
#define BOARD "grid", "controlled", "current_color", "controlled_count", "race", NULL
    static const char *const no_word[] = {"seed", BOARD};
    static const char *const neither[] = {"seed", "move_limit", BOARD}; /* the rest after the first: only the limit */
#undef BOARD
    bw_floodit_view *view = view_memory;
    (void)seats;
    memset(view, 0, sizeof *view);
    bw_floodit_board_of(config, &view->settings);
    bw_floodit_resolve(&view->settings); /* already checked */
    daily_word(&view->settings);
    const bw_floodit_config *settings = &view->settings;
    view->rows = settings->rows;
    view->cols = settings->cols;
    view->colors_count = settings->colors;
    for (uint8_t i = 0; i < settings->colors; i++) view->colors[i] = i;
    view->par = bw_floodit_par(settings->rows, settings->cols);
    if (settings->has_seed) memcpy(view->seed, settings->seed, sizeof view->seed);
    bool limited = settings->move_limit != BW_FLOODIT_CLASSIC;
    view->move_limit = (uint16_t)(limited ? settings->move_limit : 0);
    return settings->has_seed ? neither + 1 + limited : limited ? no_word : neither;
}

static uint32_t turn(const void *memory) {
    const bw_floodit_state *state = memory;
    uint32_t seats = 0;
    for (int i = 0; i < BW_SEATS_MAX; i++) {
        if (state->seats[i].taken && bw_floodit_outcome_of(state, &state->seats[i]) == BW_FLOODIT_PLAYING) {
            seats |= 1u << i;
        }
    }
    return seats;
}

/* ---- actions ---- */

static void *event_of(const bw_floodit_state *state, int seat, bw_events *events, uint8_t type) {
    bw_floodit_event *event = bw_event(events, type);
    if (event && state->racing && type != BW_FLOODIT_EVENT_NEW) {
        bool *has = type == BW_FLOODIT_EVENT_COLORED ? &event->as.colored.has_role : &event->as.undone.has_role;
        uint8_t *role = type == BW_FLOODIT_EVENT_COLORED ? &event->as.colored.role : &event->as.undone.role;
        *has = true;
        *role = (uint8_t)seat;
    }
    return event;
}

static void win(bw_floodit_state *state, bw_floodit_seat *seat) {
    seat->finished = ++state->finished;
    int moves = seat->history.cursor;
    if (state->best_known == 0 || moves < state->best_known) state->best_known = (uint16_t)moves;
    if (state->best_known == bw_floodit_at_least(&state->board)) state->proven = 1;
}

static int check_select(const bw_floodit_state *state, const bw_floodit_seat *seat, int color) {
    switch (bw_floodit_outcome_of(state, seat)) {
    case BW_FLOODIT_WON: return BW_FLOODIT_IS_WON;
    case BW_FLOODIT_RESIGNED: return BW_FLOODIT_GAVE_UP;
    case BW_FLOODIT_LOST: return BW_FLOODIT_IS_LOST;
    default: break;
    }
    if (color >= state->board.colors) return BW_FLOODIT_NO_COLOR;
    return color == seat->color ? BW_FLOODIT_SAME_COLOR : 0;
}

static int select_color(bw_floodit_state *state, int who, uint8_t color, bw_events *events) {
    bw_floodit_seat *seat = &state->seats[who];
    int refusal = check_select(state, seat, color), before = seat->cells;
    if (refusal) return refusal;
    bw_history_push(&seat->history, seat->moves, sizeof *seat->moves, BW_FLOODIT_MOVES_MAX, &color);
    seat->color = color;
    seat->cells = (uint16_t)bw_floodit_select(&state->board, &seat->territory, color);
    seat->won = seat->cells == state->board.rows * state->board.cols;
    if (seat->won) win(state, seat);
    bw_floodit_event *event = event_of(state, who, events, BW_FLOODIT_EVENT_COLORED);
    if (event) {
        event->as.colored.color = color;
        event->as.colored.absorbed = (uint16_t)(seat->cells - before);
    }
    return 0;
}

static int step(bw_floodit_state *state, int who, bool back, bw_events *events) {
    bw_floodit_seat *seat = &state->seats[who];
    if (seat->won) return back ? BW_FLOODIT_WON_UNDO : BW_FLOODIT_IS_WON;
    if (!(back ? bw_history_undo(&seat->history) : bw_history_redo(&seat->history))) {
        return back ? BW_FLOODIT_NO_UNDO : BW_FLOODIT_NO_REDO;
    }
    if (back) seat->undone = 1;
    bw_floodit_replay(state, seat);
    event_of(state, who, events, back ? BW_FLOODIT_EVENT_UNDONE : BW_FLOODIT_EVENT_REDONE);
    return 0;
}

static int reset(bw_floodit_state *state, int who, bw_events *events) {
    bw_floodit_seat *seat = &state->seats[who];
    if (state->racing && seat->won) return BW_FLOODIT_IS_WON;
    bw_history_clear(&seat->history, seat->moves, sizeof *seat->moves);
    seat->undone = 0;
    if (seat->finished) {
        seat->finished = 0;
        state->finished = 0; /* only a game for one can be reset after its end */
    }
    bw_floodit_replay(state, seat);
    event_of(state, who, events, BW_FLOODIT_EVENT_RESET);
    return 0;
}

/* The settings of the next board: the given ones override those of this board. */
static int next_settings(const bw_floodit_state *state, const bw_floodit_new_game *wanted, bw_floodit_config *next) {
    const bw_floodit_config *given = &wanted->settings;
    *next = state->settings;
    next->has_seed = next->daily = false;
    memset(next->seed, 0, sizeof next->seed);
    if (!wanted->has_settings) return 0;
    bool another = given->has_preset || given->has_rows || given->has_cols || given->has_colors;
    if (another && next->move_limit != 0) { /* the classic limit depends on the size */
        next->move_limit = BW_FLOODIT_CLASSIC;
    }
    lay_over(next, given);
    if (!given->has_origin && (next->origin.row >= next->rows || next->origin.col >= next->cols)) {
        memset(&next->origin, 0, sizeof next->origin);
    }
    if (next->daily && !next->has_date) return BW_FLOODIT_NO_DATE;
    return bw_floodit_resolve(next);
}

static int new_game(bw_floodit_state *state, const bw_floodit_new_game *wanted, bw_events *events) {
    bw_floodit_config next;
    if (state->racing) return BW_FLOODIT_RACE_NEW;
    int refusal = next_settings(state, wanted, &next);
    if (refusal) return refusal;
    daily_word(&next);
    if (!next.has_seed) draw_word(&state->rng, &next);
    state->settings = next;
    bw_floodit_lay(state, state->settings.move_limit);
    bw_floodit_event *event = bw_event(events, BW_FLOODIT_EVENT_NEW);
    if (event) memcpy(event->as.new_game.seed, next.seed, sizeof next.seed);
    return 0;
}

/* All others who are still racing give up. Players who have flooded the board keep their win. */
static int claimed(bw_floodit_state *state, int who, bw_events *events) {
    uint32_t racing = turn(state), others = racing & ~(1u << who);
    bool another_won = false;
    if (!state->racing || !state->seats[who].taken || state->seats[who].resigned || !others) return BW_FLOODIT_NO_CLAIM;
    for (int i = 0; i < BW_SEATS_MAX; i++) another_won = another_won || (i != who && state->seats[i].won);
    if (another_won && racing >> who & 1) return BW_FLOODIT_NO_CLAIM;
    for (int i = 0; i < BW_SEATS_MAX; i++) {
        if (others >> i & 1) state->seats[i].resigned = 1;
    }
    if (!another_won) state->racing = (uint8_t)(BW_FLOODIT_CLAIMED_BY + who);
    bw_floodit_event *event = bw_event(events, BW_FLOODIT_EVENT_CLAIMED);
    if (event) event->as.claimed.role = (uint8_t)who;
    return 0;
}

static int apply(void *memory, int who, const void *played, bw_events *events) {
    bw_floodit_state *state = memory;
    const bw_floodit_action *action = played;
    if (who == BW_CLOCK && action->type == BW_FLOODIT_CLAIM) return claimed(state, action->as.claimed.role, events);
    if (who < 0 || who >= BW_SEATS_MAX || !state->seats[who].taken) return BW_FLOODIT_NO_COPY;
    if (state->racing && turn(state) == 0) return BW_FLOODIT_RACE_OVER;
    if (state->seats[who].resigned) return BW_FLOODIT_GAVE_UP;
    switch (action->type) {
    case BW_FLOODIT_SELECT: return select_color(state, who, action->as.select_color.color, events);
    case BW_FLOODIT_UNDO:
    case BW_FLOODIT_REDO: return step(state, who, action->type == BW_FLOODIT_UNDO, events);
    case BW_FLOODIT_RESET: return reset(state, who, events);
    case BW_FLOODIT_NEW: return new_game(state, &action->as.new_game, events);
    default: return BW_FLOODIT_NO_CLAIM;
    }
}

static void claim(int who, void *action) {
    *(bw_floodit_action *)action = (bw_floodit_action){.type = BW_FLOODIT_CLAIM, .as.claimed.role = (uint8_t)who};
}

static int resign(void *memory, int who, bw_events *events) {
    bw_floodit_state *state = memory;
    (void)events;
    if (!state->racing) return BW_FLOODIT_ALONE;
    if (who < 0 || who >= BW_SEATS_MAX || !state->seats[who].taken) return BW_FLOODIT_NO_COPY;
    if (turn(state) == 0) return BW_FLOODIT_RACE_OVER;
    if (state->seats[who].won) return BW_FLOODIT_IS_WON;
    if (state->seats[who].resigned) return BW_FLOODIT_GAVE_UP;
    state->seats[who].resigned = 1;
    return 0;
}

static uint32_t legal(const void *memory, int who, void *actions_memory, uint32_t cap) {
    const bw_floodit_state *state = memory;
    bw_floodit_action *actions = actions_memory;
    uint32_t count = 0;
    if (who < 0 || who >= BW_SEATS_MAX || !state->seats[who].taken) return 0;
    for (int color = 0; color < state->board.colors; color++) {
        if (check_select(state, &state->seats[who], color)) continue;
        if (count < cap) {
            memset(&actions[count], 0, sizeof actions[count]);
            actions[count].type = BW_FLOODIT_SELECT;
            actions[count].as.select_color.color = (uint8_t)color;
        }
        count++;
    }
    return count;
}

/* ---- results ---- */

int bw_floodit_seen_seat(const bw_floodit_state *state, int viewer) {
    if (viewer >= 0 && viewer < BW_SEATS_MAX && state->seats[viewer].taken) return viewer;
    for (int i = 0; i < BW_SEATS_MAX; i++) {
        if (state->seats[i].taken) return i;
    }
    return 0;
}

/* The winner: in a race, the fewest moves, then the earliest finish; alone, the player if the board is flooded. -1:
 * nobody. */
static int winner_of(const bw_floodit_state *state) {
    int best = -1;
    for (int i = 0; i < BW_SEATS_MAX; i++) {
        const bw_floodit_seat *seat = &state->seats[i];
        const bw_floodit_seat *other = best >= 0 ? &state->seats[best] : NULL;
        if (seat->won && (!other || seat->history.cursor < other->history.cursor ||
                          (seat->history.cursor == other->history.cursor && seat->finished < other->finished))) {
            best = i;
        }
    }
    return best < 0 && state->racing >= BW_FLOODIT_CLAIMED_BY ? state->racing - BW_FLOODIT_CLAIMED_BY : best;
}

static uint32_t winners(const void *state) {
    int winner = winner_of(state);
    return winner >= 0 ? 1u << winner : 0;
}

static uint32_t current_turn(const void *memory) {
    const bw_floodit_state *state = memory;
    uint32_t most = 0;
    for (int i = 0; i < BW_SEATS_MAX; i++) {
        if (state->seats[i].history.cursor > most) most = state->seats[i].history.cursor;
    }
    return most;
}

static void stats_of(const void *memory, void *stats_memory) {
    const bw_floodit_state *state = memory;
    bw_floodit_stats *stats = stats_memory;
    int winner = winner_of(state);
    memset(stats, 0, sizeof *stats);
    stats->move_count = state->seats[winner >= 0 ? winner : bw_floodit_seen_seat(state, BW_WATCHER)].history.cursor;
    stats->par = bw_floodit_par(state->board.rows, state->board.cols);
    stats->has_best_known = state->best_known != 0;
    stats->best_known = state->best_known;
    stats->proven = state->proven;
    stats->has_by_absence = stats->by_absence = state->racing >= BW_FLOODIT_CLAIMED_BY;
}

static int32_t score(const void *memory, int who) {
    const bw_floodit_state *state = memory;
    if (who < 0 || who >= BW_SEATS_MAX || !state->seats[who].taken) return -1000;
    if (turn(state) == 0) return winner_of(state) == who ? 1000 : -1000;
    int32_t cells = state->board.rows * state->board.cols;
    return -900 + 1800 * state->seats[who].cells / cells;
}

const bw_game bw_flood_it = {
    .id = "flood_it",
    .title = "Flood-It",
    .summary = "Flood a board of colours from its corner in as few moves as you can, alone or in a race.",
    .rules_version = 1,
    .flags = BW_GAME_OPEN_SEATS | BW_GAME_KEEPS_TIME,
    .roles = roles,
    .role_count = BW_SEATS_MAX,
    .seats_min = 1,
    .state_size = sizeof(bw_floodit_state),
    .max_events = 1,
    .config = &bw_floodit_room_schema,
    .defaults = &defaults,
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .view = &bw_floodit_view_schema,
    .stats = &bw_floodit_stats_schema,
    .actions = &bw_floodit_action_union,
    .events = &bw_floodit_event_union,
    .refusals = refusals,
    .refusal_count = BW_FLOODIT_REFUSAL_COUNT,
    .configure = configure,
    .check = check,
    .set_date = set_date,
    .init = init,
    .foresee = foresee,
    .turn = turn,
    .apply = apply,
    .legal = legal,
    .view_of = bw_floodit_view_of,
    .guess = bw_floodit_guess,
    .set_position = set_position,
    .current_turn = current_turn,
    .winners = winners,
    .stats_of = stats_of,
    .score = score,
    .resign = resign,
    .claim = claim,
    .text = bw_floodit_text,
    .puzzle = bw_floodit_puzzle,
    .show_solver_result = bw_floodit_show_solver_result,
};
