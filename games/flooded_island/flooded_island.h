/* Flooded Island: an adventurer (by day) walks an island that the weather (by night) floods.
 *
 * The adventurer moves one square in any of eight directions, onto dry land only, and dries the four squares beside the
 * one it reaches. Then the weather floods up to max_flood_count squares. An adventurer without a dry neighbour at the
 * start of a day is trapped; one who completes the last day (365, or the setting `days`) has survived.
 *
 * The island is a pair of 64-bit words, whatever its size: square s = 10 y + x (x the column, y the row,
 * both from the top left corner) is bit s % 50 of half s / 50. The inline functions below are the rules
 * without checks, for bots, solvers and playouts; bw_flooded_island (flooded_island.c) is the same behind
 * the common interface, checked. Limits: 3 to 10 columns and rows, 1 to 3 floods a night, 10 to 365 days. */
#ifndef BW_FLOODED_ISLAND_H
#define BW_FLOODED_ISLAND_H

#include "engine/game.h"

enum {
    BW_ISLAND_SIDE_MIN = 3,
    BW_ISLAND_SIDE_MAX = 10,
    BW_ISLAND_SQUARES = BW_ISLAND_SIDE_MAX * BW_ISLAND_SIDE_MAX,
    BW_ISLAND_HALF = 50,
    BW_ISLAND_FLOODS_MAX = 3,
    BW_ISLAND_DAYS = 365, /* the most */
    BW_ISLAND_DAYS_MIN = 10,
    BW_ISLAND_MESSAGE_CAP = 128, /* in a message: far more than are legal, so that the rules refuse them */
};

typedef enum bw_island_seat { BW_ISLAND_JOURNEYMAN, BW_ISLAND_WEATHER } bw_island_seat;

/* ---- on the wire ---- */

#define BW_ISLAND_FIELDS(E) \
    E(BW_ISLAND_DRY, "dry") \
    E(BW_ISLAND_FLOODED, "flooded")
BW_ENUM(bw_island_field, BW_ISLAND_FIELDS);
#define BW_ISLAND_PHASES(E) \
    E(BW_ISLAND_DAY, "day") \
    E(BW_ISLAND_NIGHT, "night")
BW_ENUM(bw_island_phase, BW_ISLAND_PHASES);
#define BW_ISLAND_SEATS(E)                     \
    E(BW_ISLAND_SEAT_JOURNEYMAN, "journeyman") \
    E(BW_ISLAND_SEAT_WEATHER, "weather")
BW_ENUM(bw_island_seat_name, BW_ISLAND_SEATS);

/* Wider than any grid, so that the rules refuse a field off the island, with their own sentence. */
#define BW_ISLAND_POINT_FIELDS(F, S)                                                   \
    F(S, REQUIRED, INDEX, x, (int16_t, -1000, 1000), "column, from the left, 0 first") \
    F(S, REQUIRED, INDEX, y, (int16_t, -1000, 1000), "row, from the top, 0 first")
BW_STRUCT(bw_island_point, BW_ISLAND_POINT_FIELDS);

#define BW_ISLAND_CONFIGURE_GRID_FIELDS(F, S)                               \
    F(S, OPTIONAL, INT, size, (uint8_t, 3, 10), "width and height at once") \
    F(S, OPTIONAL, INT, width, (uint8_t, 3, 10), "columns")                 \
    F(S, OPTIONAL, INT, height, (uint8_t, 3, 10), "rows")                   \
    F(S, OPTIONAL, INT, max_flood_count, (uint8_t, 1, 3), "the most squares that may be flooded in a night")
BW_STRUCT(bw_island_configure_grid, BW_ISLAND_CONFIGURE_GRID_FIELDS);
#define BW_ISLAND_OPENINGS(C)                                                                  \
    C(BW_ISLAND_CONFIGURE_GRID, configure_grid, "configure_grid", bw_island_configure_grid, 0, \
      "sets the grid and starts: either `size`, or `width` and `height`")
BW_TAGGED(bw_island_opening, BW_ISLAND_OPENINGS);

/* Rooms and files older than the setting have no `days`: they play 365. */
#define BW_ISLAND_CONFIG_FIELDS(F, S)                                                                                  \
    F(S, REQUIRED, INT, width, (uint8_t, 3, 10), "columns of the island", "Width", "fields")                           \
    F(S, REQUIRED, INT, height, (uint8_t, 3, 10), "rows of the island", "Height", "fields")                            \
    F(S, REQUIRED, INT, max_flood_count, (uint8_t, 1, 3), "squares that the weather may flood in a night",             \
      "Floods a night")                                                                                                \
    F(S, OPTIONAL, INT, days, (uint16_t, BW_ISLAND_DAYS_MIN, BW_ISLAND_DAYS), "days that the adventurer must survive", \
      "Days")
BW_STRUCT(bw_island_config, BW_ISLAND_CONFIG_FIELDS);

#define BW_ISLAND_VIEW_FIELDS(F, S)                                                                                    \
    F(S, REQUIRED, INT, width, (uint8_t, 3, 10), "columns")                                                            \
    F(S, REQUIRED, INT, height, (uint8_t, 3, 10), "rows")                                                              \
    F(S, NULLABLE, INT, grid_size, (uint8_t, 3, 10), "the side of a square grid; null where width and height differ")  \
    F(S, REQUIRED, INT, max_flood_count, (uint8_t, 1, 3), "squares that the weather may flood in a night")             \
    F(S, REQUIRED, INT, days, (uint16_t, BW_ISLAND_DAYS_MIN, BW_ISLAND_DAYS), "days that the adventurer must survive") \
    F(S, REQUIRED, ENUM_GRID, grid, (bw_island_field_names, 10, 10, height, width), "grid[y][x]")                      \
    F(S, NULLABLE, STRUCT, journeyman_position, (bw_island_point), "where the adventurer stands")                      \
    F(S, REQUIRED, ENUM, phase, (bw_island_phase_names), "day: the adventurer moves; night: the weather floods")       \
    F(S, REQUIRED, INT, days_survived, (uint16_t, 0, 365), "moves that the adventurer has completed")                  \
    F(S, REQUIRED, INT, fields_flooded, (uint32_t, 0, 1095), "squares flooded so far, each time counted")              \
    F(S, REQUIRED, INT, fields_dried, (uint32_t, 0, 1460), "flooded squares dried so far, each time counted")          \
    F(S, NULLABLE, ENUM, resigned, (bw_island_seat_name_names), "who gave up")
BW_STRUCT(bw_island_view, BW_ISLAND_VIEW_FIELDS);

#define BW_ISLAND_STAGED_FIELDS(F, S)                                                   \
    F(S, OPTIONAL, STRUCT, position, (bw_island_point), "the adventurer's next square") \
    F(S, OPTIONAL, STRUCTS, positions, (bw_island_point, 3), "the squares that the weather will flood")
BW_STRUCT(bw_island_staged, BW_ISLAND_STAGED_FIELDS);

#define BW_ISLAND_YOU_FIELDS(F, S) \
    F(S, NULLABLE, STRUCT, staged, (bw_island_staged), "what end_turn would play; null if nothing is staged")
BW_STRUCT(bw_island_you, BW_ISLAND_YOU_FIELDS);

#define BW_ISLAND_STATS_FIELDS(F, S)                                                               \
    F(S, REQUIRED, INT, days_survived, (uint16_t, 0, 365), "moves that the adventurer completed")  \
    F(S, REQUIRED, INT, fields_flooded, (uint32_t, 0, 1095), "squares flooded, each time counted") \
    F(S, REQUIRED, INT, fields_dried, (uint32_t, 0, 1460), "flooded squares dried, each time counted")
BW_STRUCT(bw_island_stats, BW_ISLAND_STATS_FIELDS);

#define BW_ISLAND_MOVE_FIELDS(F, S) \
    F(S, NULLABLE, STRUCT, position, (bw_island_point), "a dry neighbouring square; null withdraws the choice")
BW_STRUCT(bw_island_move, BW_ISLAND_MOVE_FIELDS);

#define BW_ISLAND_FLOOD_FIELDS(F, S)                           \
    F(S, REQUIRED, STRUCTS, positions, (bw_island_point, 128), \
      "up to max_flood_count dry squares; an empty list withdraws the choice")
BW_STRUCT(bw_island_flood, BW_ISLAND_FLOOD_FIELDS);

#define BW_ISLAND_ACTIONS(C)                                                                                 \
    C(BW_ISLAND_MOVE, move, "move", bw_island_move, BW_ACTION_DRAFT, "stages the adventurer's move")         \
    C(BW_ISLAND_FLOOD, flood, "flood", bw_island_flood, BW_ACTION_DRAFT, "stages the squares to be flooded") \
    C(BW_ISLAND_END_TURN, end_turn, "end_turn", bw_nothing, BW_ACTION_COMMIT, "plays what is staged")
BW_TAGGED(bw_island_action, BW_ISLAND_ACTIONS);

#define BW_ISLAND_MOVED_FIELDS(F, S)                                                       \
    F(S, REQUIRED, STRUCT, from, (bw_island_point), "the square that the adventurer left") \
    F(S, REQUIRED, STRUCT, to, (bw_island_point), "the square it reached")
BW_STRUCT(bw_island_moved, BW_ISLAND_MOVED_FIELDS);
#define BW_ISLAND_DRIED_FIELDS(F, S) \
    F(S, REQUIRED, STRUCTS, positions, (bw_island_point, 4), "squares that were flooded and are dry now")
BW_STRUCT(bw_island_dried, BW_ISLAND_DRIED_FIELDS);
#define BW_ISLAND_DROWNED_FIELDS(F, S) \
    F(S, REQUIRED, STRUCTS, positions, (bw_island_point, 3), "squares that are flooded now")
BW_STRUCT(bw_island_drowned, BW_ISLAND_DROWNED_FIELDS);
#define BW_ISLAND_DAWN_FIELDS(F, S) F(S, REQUIRED, INT, n, (uint16_t, 1, 365), "the day that begins")
BW_STRUCT(bw_island_dawn, BW_ISLAND_DAWN_FIELDS);

#define BW_ISLAND_EVENTS(C)                                                                             \
    C(BW_ISLAND_EVENT_MOVED, moved, "moved", bw_island_moved, 0, "the adventurer moved")                \
    C(BW_ISLAND_EVENT_DRIED, dried, "dried", bw_island_dried, 0, "squares beside it became dry")        \
    C(BW_ISLAND_EVENT_FLOODED, flooded, "flooded", bw_island_drowned, 0, "the weather flooded squares") \
    C(BW_ISLAND_EVENT_DAY, day, "day", bw_island_dawn, 0, "a new day begins")
BW_TAGGED(bw_island_event, BW_ISLAND_EVENTS);

#define BW_ISLAND_REFUSALS(R)                                                                                         \
    R(BW_ISLAND_NOT_DAY, "It is night: the weather is to move. Wait for the next day.")                               \
    R(BW_ISLAND_NOT_NIGHT, "It is day: the adventurer is to move. Wait for the night.")                               \
    R(BW_ISLAND_OVER, "The game is over. A rematch starts a new one.")                                                \
    R(BW_ISLAND_ONLY_MOVES, "The adventurer moves and does not flood: send move with a dry field next to it.")        \
    R(BW_ISLAND_ONLY_FLOODS, "The weather floods and does not move: send flood with dry fields.")                     \
    R(BW_ISLAND_MOVE_OFF, "That field is off the island. Choose a dry field next to the adventurer.")                 \
    R(BW_ISLAND_MOVE_STAY, "The adventurer must move every day. Choose a dry field next to it.")                      \
    R(BW_ISLAND_MOVE_FAR, "That field is too far away. Choose a dry field next to the adventurer.")                   \
    R(BW_ISLAND_MOVE_WET, "That field is flooded. Choose a dry field next to the adventurer.")                        \
    R(BW_ISLAND_MOVE_NONE, "No move is chosen. Choose a dry field next to the adventurer first, then end the turn.")  \
    R(BW_ISLAND_FLOOD_OFF, "A field is off the island. Choose dry fields of the island.")                             \
    R(BW_ISLAND_FLOOD_OWN, "The adventurer stands on one of these fields. Choose other dry fields.")                  \
    R(BW_ISLAND_FLOOD_WET, "A field is already flooded. Choose dry fields only.")                                     \
    R(BW_ISLAND_FLOOD_TWICE, "A field is named twice. Name each field once.")                                         \
    R(BW_ISLAND_FLOOD_OVER_1, "That is too many: at most 1 field may be flooded in a night.")                         \
    R(BW_ISLAND_FLOOD_OVER_2, "That is too many: at most 2 fields may be flooded in a night.")                        \
    R(BW_ISLAND_FLOOD_OVER_3, "That is too many: at most 3 fields may be flooded in a night.")                        \
    R(BW_ISLAND_NOT_A_MOVE, "end_turn plays what is staged and is not an action itself: give the move or the flood.") \
    R(BW_ISLAND_NO_POSITION,                                                                                          \
      "This view is not a position of the game: the adventurer must stand on dry land, and the counts must agree.")

#define BW_ISLAND_REFUSAL_INDEX(constant, sentence) constant##_INDEX,
enum { BW_ISLAND_REFUSALS(BW_ISLAND_REFUSAL_INDEX) BW_ISLAND_REFUSAL_COUNT };
#define BW_ISLAND_REFUSAL_VALUE(constant, sentence) constant = -(constant##_INDEX + 1),
enum { BW_ISLAND_REFUSALS(BW_ISLAND_REFUSAL_VALUE) };

extern const bw_game bw_flooded_island;

/* ---- the rules on bit boards ---- */

typedef struct bw_island_set {
    uint64_t half[2];
} bw_island_set;

typedef struct bw_island_state {
    bw_island_set land; /* the squares of the grid */
    bw_island_set dry;
    uint32_t fields_flooded, fields_dried;
    uint16_t moves; /* completed by the adventurer */
    uint8_t width, height, max_flood_count;
    uint8_t square;   /* of the adventurer */
    uint8_t phase;    /* bw_island_phase; after the end, the last phase */
    uint8_t winner;   /* 0: none yet, else 1 + bw_island_seat */
    uint8_t resigned; /* 0, else 1 + bw_island_seat */
    uint8_t zero;
    uint16_t days_less; /* 365 minus the days to survive; 0 before the setting existed, as old hashes say */
    uint8_t zeros[4];
} bw_island_state;
_Static_assert(sizeof(bw_island_state) == 56, "a state has no padding");

/* What a seat has staged. */
typedef struct bw_island_draft {
    uint8_t count; /* squares: 0 or 1 for the adventurer, 0 to 3 for the weather */
    uint8_t squares[BW_ISLAND_FLOODS_MAX];
} bw_island_draft;

extern const bw_island_set bw_island_king[BW_ISLAND_SQUARES];  /* the eight neighbours, on 10x10 */
extern const bw_island_set bw_island_cross[BW_ISLAND_SQUARES]; /* the four neighbours on the sides */

static inline int bw_island_count_half(uint64_t w) {
#if defined(__POPCNT__) || defined(__wasm__) || defined(__aarch64__)
    return __builtin_popcountll(w);
#else /* without that instruction the compiler would call a library function, and the rules may not import any */
    w -= (w >> 1) & 0x5555555555555555u;
    w = (w & 0x3333333333333333u) + ((w >> 2) & 0x3333333333333333u);
    w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)((w * 0x0101010101010101u) >> 56);
#endif
}
static inline int bw_island_count(bw_island_set s) {
    return bw_island_count_half(s.half[0]) + bw_island_count_half(s.half[1]);
}
static inline bool bw_island_empty(bw_island_set s) { return (s.half[0] | s.half[1]) == 0; }
static inline bw_island_set bw_island_and(bw_island_set a, bw_island_set b) {
    return (bw_island_set){{a.half[0] & b.half[0], a.half[1] & b.half[1]}};
}
static inline bw_island_set bw_island_or(bw_island_set a, bw_island_set b) {
    return (bw_island_set){{a.half[0] | b.half[0], a.half[1] | b.half[1]}};
}
static inline bw_island_set bw_island_without(bw_island_set a, bw_island_set b) {
    return (bw_island_set){{a.half[0] & ~b.half[0], a.half[1] & ~b.half[1]}};
}
static inline bw_island_set bw_island_single(int square) {
    uint64_t bit = (uint64_t)1 << (square < BW_ISLAND_HALF ? square : square - BW_ISLAND_HALF);
    return (bw_island_set){{square < BW_ISLAND_HALF ? bit : 0, square < BW_ISLAND_HALF ? 0 : bit}};
}
static inline bool bw_island_has(bw_island_set s, int square) {
    return ((square < BW_ISLAND_HALF ? s.half[0] >> square : s.half[1] >> (square - BW_ISLAND_HALF)) & 1) != 0;
}
/* The lowest square of a nonempty set. */
static inline int bw_island_first(bw_island_set s) {
    return s.half[0] ? __builtin_ctzll(s.half[0]) : BW_ISLAND_HALF + __builtin_ctzll(s.half[1]);
}
/* Removes that square from the set and returns it. */
static inline int bw_island_take(bw_island_set *s) {
    if (s->half[0]) {
        int square = __builtin_ctzll(s->half[0]);
        s->half[0] &= s->half[0] - 1;
        return square;
    }
    int square = BW_ISLAND_HALF + __builtin_ctzll(s->half[1]);
    s->half[1] &= s->half[1] - 1;
    return square;
}
static inline int bw_island_square(int x, int y) { return y * BW_ISLAND_SIDE_MAX + x; }
static inline int bw_island_x(int square) { return square % BW_ISLAND_SIDE_MAX; }
static inline int bw_island_y(int square) { return square / BW_ISLAND_SIDE_MAX; }

/* The squares of a grid. */
bw_island_set bw_island_land(int width, int height);
/* A new game; all dry, the adventurer in the top left corner, day 1. */
void bw_island_start(bw_island_state *state, const bw_island_config *config);
/* The seat's action: a move to that square, or that flood. */
void bw_island_put(bw_island_action *action, int seat, int square, bw_island_set flood);

/* The number of days to survive. */
static inline int bw_island_days(const bw_island_state *state) { return BW_ISLAND_DAYS - state->days_less; }
static inline bw_island_set bw_island_moves(const bw_island_state *state) {
    return bw_island_and(bw_island_king[state->square], state->dry);
}
static inline bw_island_set bw_island_floodable(const bw_island_state *state) {
    return bw_island_without(state->dry, bw_island_single(state->square));
}

/* Ends the game if the adventurer starts a day without a dry neighbour. */
static inline void bw_island_judge(bw_island_state *state) {
    if (state->phase == BW_ISLAND_DAY && bw_island_empty(bw_island_moves(state))) {
        state->winner = 1 + BW_ISLAND_WEATHER;
    }
}

/* The day's move, to one of bw_island_moves. Returns the squares it dried. */
static inline bw_island_set bw_island_walk(bw_island_state *state, int square) {
    bw_island_set dried = bw_island_without(bw_island_and(bw_island_cross[square], state->land), state->dry);
    state->square = (uint8_t)square;
    if (!bw_island_empty(dried)) {
        state->dry = bw_island_or(state->dry, dried);
        state->fields_dried += (uint32_t)bw_island_count(dried);
    }
    state->moves++;
    if (state->moves >= bw_island_days(state)) state->winner = 1 + BW_ISLAND_JOURNEYMAN;
    else state->phase = BW_ISLAND_NIGHT;
    return dried;
}

/* The night's flood: `count` squares of bw_island_floodable. */
static inline void bw_island_drown(bw_island_state *state, bw_island_set squares, int count) {
    state->dry = bw_island_without(state->dry, squares);
    state->fields_flooded += (uint32_t)count;
    state->phase = BW_ISLAND_DAY;
    bw_island_judge(state);
}

/* How many sets of 0 to `floods` squares `n` squares have. */
static inline uint32_t bw_island_choices(uint32_t n, int floods) {
    uint32_t count = 1 + n;
    if (floods >= 2) count += n * (n - 1) / 2;
    if (floods >= 3) count += n * (n - 1) * (n - 2) / 6;
    return count;
}

/* A random move of an adventurer who is not trapped, all equally likely. */
static inline int bw_island_random_walk(const bw_island_state *state, bw_fast *fast) {
    bw_island_set moves = bw_island_moves(state);
    for (uint32_t skip = bw_fast_below(fast, (uint32_t)bw_island_count(moves)); skip > 0; skip--) {
        bw_island_take(&moves);
    }
    return bw_island_first(moves);
}
/* A random flood, all equally likely: writes its squares and returns their number. */
static inline int bw_island_random_flood(const bw_island_state *state, bw_fast *fast, uint8_t squares[3]) {
    bw_island_set left = bw_island_floodable(state);
    uint32_t n = (uint32_t)bw_island_count(left), size = 0;
    uint32_t draw = bw_fast_below(fast, bw_island_choices(n, state->max_flood_count)), below = 1;
    while (draw >= below) { /* sets are numbered by size, smaller ones first */
        below = bw_island_choices(n, (int)++size);
    }
    for (uint32_t i = 0; i < size; i++) {
        int square;
        if (n - i >= 16) { /* many are left: draw until one fits */
            do {
                /* Two statements: the order in which a call's arguments are evaluated is unspecified, and the
                 * browser and the server must play the same game. */
                int y = (int)bw_fast_below(fast, state->height), x = (int)bw_fast_below(fast, state->width);
                square = bw_island_square(x, y);
            } while (!bw_island_has(left, square));
        } else {
            bw_island_set rest = left;
            for (uint32_t skip = bw_fast_below(fast, n - i); skip > 0; skip--) {
                bw_island_take(&rest);
            }
            square = bw_island_first(rest);
        }
        left = bw_island_without(left, bw_island_single(square));
        squares[i] = (uint8_t)square;
    }
    return (int)size;
}
/* A random legal move of the seat to move, all equally likely. false: the game is over. */
static inline bool bw_island_random_step(bw_island_state *state, bw_fast *fast) {
    if (state->winner) return false;
    if (state->phase == BW_ISLAND_DAY) {
        bw_island_walk(state, bw_island_random_walk(state, fast));
        return true;
    }
    uint8_t squares[3];
    int count = bw_island_random_flood(state, fast, squares);
    bw_island_set set = {{0, 0}};
    for (int i = 0; i < count; i++) set = bw_island_or(set, bw_island_single(squares[i]));
    bw_island_drown(state, set, count);
    return true;
}

#endif
