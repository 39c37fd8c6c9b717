/* Flag War: two teams, simultaneous rounds. Its rules for people: docs/rules/flag-war.md.
 *
 *   this file where things lie, and the three rules that a variant may replace (movement, zone, key)
 *   round.c   the start, and one round, concrete and quick: bw_war_round
 *   orders.c  a seat's queue of orders (the draft): prepare, collect, settle, legal
 *   wire.c    declarations of what goes over the wire, the view, guess, text
 *   game.c    `bw_flag_war`, the game as everything else sees it
 *
 * Bots call the concrete functions:
 *
 *   bw_war_orders orders;  bw_war_orders_clear(&orders);
 *   orders.to[bw_war_piece(BW_WAR_BLUE, 0)] = bw_war_square(5, 3);
 *   bw_war_round(&state, &orders, NULL);
 *
 * Limits: 7 pieces a team, boards up to 31x31, queues of 100 rounds. */
#ifndef BW_FLAG_WAR_H
#define BW_FLAG_WAR_H

#include "engine/game.h"

enum {
    BW_WAR_TEAMS = 2,
    BW_WAR_TEAM_MAX = 7,                            /* pieces per team */
    BW_WAR_PIECES = BW_WAR_TEAMS * BW_WAR_TEAM_MAX, /* a piece number is team * 7 + index, from 0 */
    BW_WAR_SIDE_MIN = 7,
    BW_WAR_SIDE_MAX = 31,
    BW_WAR_HORIZON_MAX = 100,
    BW_WAR_QUEUE_MAX = BW_WAR_HORIZON_MAX * BW_WAR_TEAM_MAX,
    BW_WAR_TEXT_MAX = 500,   /* code points of orders as text */
    BW_WAR_NOWHERE = 0xffff, /* no square: in jail, no order, no key */
    BW_WAR_EVENTS = 96,      /* more than one round can cause */
    BW_WAR_FAR = 1000000000, /* the largest number a client may send */
};
_Static_assert(BW_WAR_TEAM_MAX <= BW_WAR_SIDE_MIN, "the pieces of a team fit every permitted row");

/* ---- names on the wire ---- */

#define BW_WAR_TEAM_NAMES(E) \
    E(BW_WAR_BLUE, "blue")   \
    E(BW_WAR_RED, "red")
BW_ENUM(bw_war_team, BW_WAR_TEAM_NAMES);

#define BW_WAR_DIRECTIONS(E)         \
    E(BW_WAR_UP, "up")               \
    E(BW_WAR_DOWN, "down")           \
    E(BW_WAR_LEFT, "left")           \
    E(BW_WAR_RIGHT, "right")         \
    E(BW_WAR_UP_LEFT, "up_left")     \
    E(BW_WAR_UP_RIGHT, "up_right")   \
    E(BW_WAR_DOWN_LEFT, "down_left") \
    E(BW_WAR_DOWN_RIGHT, "down_right")
BW_ENUM(bw_war_direction, BW_WAR_DIRECTIONS);

/* In the order of piece numbers. */
#define BW_WAR_PIECE_NAMES(E)  \
    E(BW_WAR_BLUE_1, "blue-1") \
    E(BW_WAR_BLUE_2, "blue-2") \
    E(BW_WAR_BLUE_3, "blue-3") \
    E(BW_WAR_BLUE_4, "blue-4") \
    E(BW_WAR_BLUE_5, "blue-5") \
    E(BW_WAR_BLUE_6, "blue-6") \
    E(BW_WAR_BLUE_7, "blue-7") \
    E(BW_WAR_RED_1, "red-1")   \
    E(BW_WAR_RED_2, "red-2")   \
    E(BW_WAR_RED_3, "red-3")   \
    E(BW_WAR_RED_4, "red-4")   \
    E(BW_WAR_RED_5, "red-5")   \
    E(BW_WAR_RED_6, "red-6")   \
    E(BW_WAR_RED_7, "red-7")
BW_ENUM(bw_war_piece_name, BW_WAR_PIECE_NAMES);

#define BW_WAR_REASONS(E)                   \
    E(BW_WAR_BY_FLAG, "flag")               \
    E(BW_WAR_BY_ELIMINATION, "elimination") \
    E(BW_WAR_BY_MAX_ROUNDS, "max_rounds")   \
    E(BW_WAR_BY_RESIGNING, "resigned")
BW_ENUM(bw_war_reason, BW_WAR_REASONS);

/* Why a piece is back on its starting square. */
#define BW_WAR_RETURNS(E)                  \
    E(BW_WAR_AFTER_RESCUE, "rescue")       \
    E(BW_WAR_AFTER_COLLISION, "collision") \
    E(BW_WAR_OUT_OF_ZONE, "zone")
BW_ENUM(bw_war_return, BW_WAR_RETURNS);

/* Why an order was skipped. */
#define BW_WAR_SKIPS(E)             \
    E(BW_WAR_SKIP_JAILED, "jailed") \
    E(BW_WAR_SKIP_OUT_OF_REACH, "out_of_reach")
BW_ENUM(bw_war_skip, BW_WAR_SKIPS);

/* ---- settings ---- */

/* No gaps between the members: the state contains a config, and a state is hashed. */
#define BW_WAR_CONFIG_FIELDS(F, S)                                                                                \
    F(S, REQUIRED, INT, width, (uint8_t, BW_WAR_SIDE_MIN, BW_WAR_SIDE_MAX), "columns, an odd number", "Width",    \
      "squares")                                                                                                  \
    F(S, REQUIRED, INT, height, (uint8_t, BW_WAR_SIDE_MIN, BW_WAR_SIDE_MAX), "rows", "Height", "squares")         \
    F(S, REQUIRED, INT, pieces, (uint8_t, 1, BW_WAR_TEAM_MAX), "pieces of each team", "Pieces")                   \
    F(S, REQUIRED, INT, guard_distance, (uint8_t, 0, 3),                                                          \
      "a team may not guard within this many squares of its own flag", "No-guard zone")                           \
    F(S, REQUIRED, INT, round_ms, (uint32_t, 250, 60000), "the time to think between two moves", "A round lasts", \
      "ms")                                                                                                       \
    F(S, REQUIRED, BOOL, elimination, (), "a team with every piece in jail loses", "Lose if all are jailed")      \
    F(S, REQUIRED, BOOL, keys, (), "keys appear that free a team's jailed pieces", "Keys")                        \
    F(S, REQUIRED, BOOL, diagonals, (), "pieces may also move diagonally", "Diagonal moves")                      \
    F(S, REQUIRED, INT, max_distance, (uint8_t, 0, BW_WAR_SIDE_MAX), "squares in one move; 0: any number",        \
      "Longest move")                                                                                             \
    F(S, REQUIRED, INT, horizon, (uint32_t, 1, BW_WAR_HORIZON_MAX), "rounds ahead that orders may target",        \
      "Planning ahead")                                                                                           \
    F(S, REQUIRED, INT, max_rounds, (uint32_t, 0, 1000000), "rounds before the game is a draw; 0: no limit",      \
      "Longest game")
BW_STRUCT(bw_war_config, BW_WAR_CONFIG_FIELDS);
_Static_assert(sizeof(bw_war_config) == 20, "a config has no padding");

/* A room's settings: first those of the board, as above, then the time before the first round, which the rules do
 * not use. Rooms and files older than that setting have no `ready_ms`: their clock starts at once. */
#define BW_WAR_ROOM_FIELDS(F, S)                        \
    BW_WAR_CONFIG_FIELDS(F, S)                          \
    F(S, OPTIONAL, INT, ready_ms, (uint16_t, 0, 60000), \
      "the longest wait for players to get ready before the first round", "Get ready", "ms")
BW_STRUCT(bw_war_room, BW_WAR_ROOM_FIELDS);
_Static_assert(offsetof(bw_war_room, has_ready_ms) == sizeof(bw_war_config), "a room's settings open with the board's");

/* ---- squares ---- */

typedef uint16_t bw_war_spot; /* y * 32 + x, or BW_WAR_NOWHERE */

static inline bw_war_spot bw_war_square(int x, int y) { return (bw_war_spot)(y * 32 + x); }
static inline int bw_war_x(bw_war_spot square) { return square & 31; }
static inline int bw_war_y(bw_war_spot square) { return square >> 5; }
static inline bool bw_war_on_board(const bw_war_config *config, int64_t x, int64_t y) {
    return x >= 0 && y >= 0 && x < config->width && y < config->height;
}

static inline int bw_war_piece(int team, int index) { return team * BW_WAR_TEAM_MAX + index; }
static inline int bw_war_team_of(int piece) { return piece >= BW_WAR_TEAM_MAX; }
/* The bit set of one team's pieces. */
static inline uint32_t bw_war_team_bits(const bw_war_config *config, int team) {
    return ((1u << config->pieces) - 1) << (team * BW_WAR_TEAM_MAX);
}

/* Rows of one territory; the rows left in the middle are neutral. */
static inline int bw_war_territory_rows(const bw_war_config *config) { return (config->height - 1) / 2; }
/* The team that owns a row, or -1 for the neutral rows. */
static inline int bw_war_ground(const bw_war_config *config, bw_war_spot square) {
    int rows = bw_war_territory_rows(config), y = bw_war_y(square);
    return y < rows ? BW_WAR_RED : y >= config->height - rows ? BW_WAR_BLUE : -1;
}
static inline bw_war_spot bw_war_flag(const bw_war_config *config, int team) {
    return bw_war_square((config->width - 1) / 2, team == BW_WAR_BLUE ? config->height - 1 : 0);
}
/* Starting squares: one row in front of the zone, centred on the flag's column; an extra piece goes to the left. */
static inline bw_war_spot bw_war_start(const bw_war_config *config, int piece) {
    int team = bw_war_team_of(piece), index = piece - team * BW_WAR_TEAM_MAX;
    int y = team == BW_WAR_BLUE ? config->height - 2 - config->guard_distance : config->guard_distance + 1;
    return bw_war_square((config->width - 1) / 2 - config->pieces / 2 + index, y);
}

/* ---- the rules that a variant may replace ---- */

typedef struct bw_war_rules {
    /* Movement: may a piece go from one square to another in one round? Both are on the board. */
    bool (*reaches)(const bw_war_config *config, bw_war_spot from, bw_war_spot to);
    /* Zone: is the square in the team's no-guard zone (active or not)? */
    bool (*guarded)(const bw_war_config *config, int team, bw_war_spot square);
    /* Key: where a team's key appears; BW_WAR_NOWHERE: never. */
    bw_war_spot (*key)(const bw_war_config *config, int team);
} bw_war_rules;

/* The standard rules, here in the header so that the round and the bots can inline them. */
static inline int bw_war_apart(int a, int b) { return a < b ? b - a : a - b; }

static inline bool bw_war_reaches(const bw_war_config *config, bw_war_spot from, bw_war_spot to) {
    int columns = bw_war_apart(bw_war_x(from), bw_war_x(to)), rows = bw_war_apart(bw_war_y(from), bw_war_y(to));
    int distance = columns > rows ? columns : rows;
    bool straight = columns == 0 || rows == 0 || (config->diagonals && columns == rows);
    return straight && (config->max_distance == 0 || distance <= config->max_distance);
}

static inline bool bw_war_guarded(const bw_war_config *config, int team, bw_war_spot square) {
    bw_war_spot flag = bw_war_flag(config, team);
    return bw_war_apart(bw_war_x(square), bw_war_x(flag)) <= config->guard_distance &&
           bw_war_apart(bw_war_y(square), bw_war_y(flag)) <= config->guard_distance;
}

static inline bw_war_spot bw_war_key(const bw_war_config *config, int team) {
    if (!config->keys) return BW_WAR_NOWHERE;
    return team == BW_WAR_BLUE ? bw_war_square(config->width - 2, 1) : bw_war_square(1, config->height - 2);
}

extern const bw_war_rules bw_war_standard;
/* As far as the rules and the board allow in a direction, but at most `distance` squares. */
bw_war_spot bw_war_toward(const bw_war_config *config, bw_war_spot from, int direction, int64_t distance);

/* ---- the state ---- */

/* 76 bytes without gaps. A zone is active while no piece carries its flag. */
typedef struct bw_war_state {
    bw_war_config config;
    uint32_t round;                       /* the last round played; 0 before the first */
    bw_war_spot square[BW_WAR_PIECES];    /* BW_WAR_NOWHERE: in jail, or not in this game */
    uint16_t jailed, rescuing;            /* bit sets of pieces */
    uint8_t carrier[BW_WAR_TEAMS];        /* carrier of the team's flag: 0 nobody (at spawn), else piece + 1 */
    uint8_t key[BW_WAR_TEAMS];            /* the team's key is on the board */
    uint8_t over, winners, reason, spare; /* winners: bit set of teams */
    uint32_t rescues, jailings[BW_WAR_TEAMS];
} bw_war_state;
_Static_assert(sizeof(bw_war_state) == 76, "a state has no padding");

/* The orders of one round: the target square of each piece, or BW_WAR_NOWHERE without an order. */
typedef struct bw_war_orders {
    bw_war_spot to[BW_WAR_PIECES];
} bw_war_orders;

static inline void bw_war_orders_clear(bw_war_orders *orders) {
    for (int piece = 0; piece < BW_WAR_PIECES; piece++) orders->to[piece] = BW_WAR_NOWHERE;
}

static inline bool bw_war_is(uint32_t pieces, int piece) { return pieces >> piece & 1u; }
/* Where a piece will be when the next round's moves begin (a rescuer goes home first). */
static inline bw_war_spot bw_war_departs(const bw_war_state *state, int piece) {
    return bw_war_is(state->rescuing, piece) ? bw_war_start(&state->config, piece) : state->square[piece];
}

void bw_war_init(bw_war_state *state, const bw_war_config *config);
/* Plays one round of a game that is not over: steps 2 to 7 of the rules page. Every `to` is on the board. Orders of
 * pieces in jail, and orders that cannot be followed, are skipped. */
void bw_war_round(bw_war_state *state, const bw_war_orders *orders, bw_events *events);
/* The same with a variant's rules. */
void bw_war_round_by(const bw_war_rules *rules, bw_war_state *state, const bw_war_orders *orders, bw_events *events);
/* -1000 .. 1000 for a team: exact when over, else a heuristic from pieces, flags and distances. */
int32_t bw_war_score(const bw_war_state *state, int team);

/* ---- actions ---- */

#define BW_WAR_POINT_FIELDS(F, S)                                                         \
    F(S, REQUIRED, INDEX, x, (int32_t, -BW_WAR_FAR, BW_WAR_FAR), "column, from the left") \
    F(S, REQUIRED, INDEX, y, (int32_t, -BW_WAR_FAR, BW_WAR_FAR), "row, from the top")
BW_STRUCT(bw_war_point, BW_WAR_POINT_FIELDS);
static inline bw_war_point bw_war_point_at(bw_war_spot square) {
    return (bw_war_point){.x = bw_war_x(square), .y = bw_war_y(square)};
}

#define BW_WAR_COMMAND_FIELDS(F, S)                                                                            \
    F(S, REQUIRED, INT, piece, (int32_t, -BW_WAR_FAR, BW_WAR_FAR), "the number of an own piece, from 1")       \
    F(S, OPTIONAL, STRUCT, to, (bw_war_point), "the square to go to; the piece's own square is a hold")        \
    F(S, OPTIONAL, ENUM, direction, (bw_war_direction_names), "with `distance`, instead of `to`")              \
    F(S, OPTIONAL, INT, distance, (int32_t, 0, BW_WAR_FAR), "squares; a move past the edge stops at the edge") \
    F(S, OPTIONAL, INT, round, (int64_t, -BW_WAR_FAR, BW_WAR_FAR),                                             \
      "the round to play it in; absent, past or current: the next")
BW_STRUCT(bw_war_command, BW_WAR_COMMAND_FIELDS);

#define BW_WAR_CANCEL_FIELDS(F, S)                                                                       \
    F(S, REQUIRED, INT, piece, (int32_t, -BW_WAR_FAR, BW_WAR_FAR), "the number of an own piece, from 1") \
    F(S, OPTIONAL, INT, round, (int64_t, -BW_WAR_FAR, BW_WAR_FAR), "the round; absent, past or current: the next")
BW_STRUCT(bw_war_cancel, BW_WAR_CANCEL_FIELDS);

#define BW_WAR_WORDS_FIELDS(F, S)                                                               \
    F(S, REQUIRED, TEXT, text, (4 * BW_WAR_TEXT_MAX + 1, 1, BW_WAR_TEXT_MAX), "orders as text") \
    F(S, OPTIONAL, BOOL, suggest, (), "true: parse only, order nothing")                        \
    F(S, OPTIONAL, BASE, counts_from, (),                                                       \
      "the number of the first column and row in the text and the summary; 0 if left out")
BW_STRUCT(bw_war_words, BW_WAR_WORDS_FIELDS);

#define BW_WAR_ORDER_FIELDS(F, S)                                                   \
    F(S, REQUIRED, ENUM, role, (bw_war_team_names), "whose piece")                  \
    F(S, REQUIRED, INT, piece, (uint8_t, 1, BW_WAR_TEAM_MAX), "its number, from 1") \
    F(S, REQUIRED, STRUCT, to, (bw_war_point), "where it was ordered to")
BW_STRUCT(bw_war_order, BW_WAR_ORDER_FIELDS);

#define BW_WAR_ROUND_FIELDS(F, S) \
    F(S, REQUIRED, STRUCTS, orders, (bw_war_order, BW_WAR_PIECES), "all orders of the round, including skipped ones")
BW_STRUCT(bw_war_round_orders, BW_WAR_ROUND_FIELDS);

#define BW_WAR_ACTIONS(C)                                                                                          \
    C(BW_WAR_COMMAND, command, "command", bw_war_command, BW_ACTION_DRAFT, "orders a piece to go to a square")     \
    C(BW_WAR_CANCEL, cancel, "cancel", bw_war_cancel, BW_ACTION_DRAFT | BW_ACTION_OPEN, "cancels a waiting order") \
    C(BW_WAR_WORDS, orders, "orders", bw_war_words, BW_ACTION_WORDS | BW_ACTION_OPEN, "orders as text")            \
    C(BW_WAR_ROUND, round, "round", bw_war_round_orders, BW_ACTION_CLOCK | BW_ACTION_OPEN,                         \
      "plays a round with the orders that were due")
BW_TAGGED(bw_war_action, BW_WAR_ACTIONS);

/* ---- a seat's queue ---- */

/* By round: rounds state.round + 1 .. + 100 each have a slot. The round just played has one more, so that clearing
 * it twice does no harm. */
enum { BW_WAR_SLOTS = BW_WAR_HORIZON_MAX + 1 };
typedef struct bw_war_draft {
    uint16_t to[BW_WAR_SLOTS][BW_WAR_TEAM_MAX]; /* [round % slots][index]: 0 no order, else square + 1 */
} bw_war_draft;

#define BW_WAR_QUEUED_FIELDS(F, S)                                                  \
    F(S, REQUIRED, INT, round, (uint32_t, 1, UINT32_MAX), "the round it waits for") \
    F(S, REQUIRED, INT, piece, (uint8_t, 1, BW_WAR_TEAM_MAX), "its number, from 1") \
    F(S, REQUIRED, STRUCT, to, (bw_war_point), "where it will go")
BW_STRUCT(bw_war_queued, BW_WAR_QUEUED_FIELDS);

#define BW_WAR_YOU_FIELDS(F, S) \
    F(S, REQUIRED, STRUCTS, queue, (bw_war_queued, BW_WAR_QUEUE_MAX), "own orders waiting, by round and piece")
BW_STRUCT(bw_war_you, BW_WAR_YOU_FIELDS);

/* Where a piece will be when the moves of `round` (after the last one played) begin, following its queued orders;
 * orders that could not be followed are skipped. A piece in jail is planned from its starting square. */
bw_war_spot bw_war_planned(const bw_war_state *state, const bw_war_draft *draft, int piece, uint32_t round);
int bw_war_prepare(const void *state, int seat, void *draft, const void *action);
void bw_war_prune_draft(const void *state, int seat, void *draft);
void bw_war_show_draft(const void *state, int seat, const void *draft, void *you);
void bw_war_draft_text(const void *you, bw_out *out);
bool bw_war_draft_fits(const void *state, int seat, const void *draft);
void bw_war_collect(const void *state, const void *drafts, void *action);
uint32_t bw_war_legal(const void *state, int seat, void *actions, uint32_t cap);
bool bw_war_sample(const void *state, int seat, bw_fast *fast, void *action);

#define BW_WAR_REFUSALS(R)                                                                                            \
    R(BW_WAR_IS_OVER, "The game is over: orders are no longer accepted.")                                             \
    R(BW_WAR_NO_SUCH_PIECE,                                                                                           \
      "There is no such piece: your pieces are numbered from left to right, from 1 to the setting `pieces`.")         \
    R(BW_WAR_WHERE_TO, "Say where to go: either `to` with x and y, or `direction` with `distance`, but not both.")    \
    R(BW_WAR_OFF_BOARD, "That square is not on the board: choose a square of the board.")                             \
    R(BW_WAR_NOT_STRAIGHT,                                                                                            \
      "Pieces move in straight lines: choose a square in the same row or column as the piece will stand in.")         \
    R(BW_WAR_TOO_FAR, "That is further than the setting `max_distance` lets a piece go in one round.")                \
    R(BW_WAR_NO_DIAGONALS, "This game has no diagonal moves: the directions are up, down, left and right.")           \
    R(BW_WAR_BEYOND_HORIZON, "That round is too far ahead: orders may target the next `horizon` rounds.")             \
    R(BW_WAR_IN_JAIL, "That piece is in jail: it accepts no order for the next round, only for later rounds.")        \
    R(BW_WAR_NOTHING_WAITS, "That piece has no order for that round: there is nothing to cancel.")                    \
    R(BW_WAR_ONLY_CLOCK, "Only the clock plays rounds: send `command`, `cancel` or `orders`.")                        \
    R(BW_WAR_BAD_ROUND, "A round holds at most one order for each piece in the game, each to a square on the board.") \
    R(BW_WAR_EVEN_WIDTH, "`width` must be an odd number from 7 to 31, so that the flag has a column in the middle.")  \
    R(BW_WAR_NO_ROOM,                                                                                                 \
      "`guard_distance` is too large for this `height`: the starting row must stay inside the own territory "         \
      "(`guard_distance` + 2 rows, of (height - 1) / 2).")                                                            \
    R(BW_WAR_NO_POSITION, "That is not a position of this game: pieces, flags and keys contradict each other.")
#define BW_WAR_REFUSAL_NUMBER(constant, sentence) constant##_INDEX,
enum { BW_WAR_REFUSALS(BW_WAR_REFUSAL_NUMBER) BW_WAR_REFUSAL_COUNT };
/* Functions return these as negative numbers. */
#define BW_WAR_REFUSE(constant) (-(constant##_INDEX + 1))

/* ---- events ---- */

#define BW_WAR_MOVED_FIELDS(F, S)                                         \
    F(S, REQUIRED, ENUM, piece, (bw_war_piece_name_names), "which piece") \
    F(S, REQUIRED, STRUCT, from, (bw_war_point), "from here")             \
    F(S, REQUIRED, STRUCT, to, (bw_war_point), "to here")
BW_STRUCT(bw_war_moved, BW_WAR_MOVED_FIELDS);

#define BW_WAR_VOIDED_FIELDS(F, S)                                        \
    F(S, REQUIRED, ENUM, piece, (bw_war_piece_name_names), "which piece") \
    F(S, REQUIRED, STRUCT, to, (bw_war_point), "a square of its own active no-guard zone")
BW_STRUCT(bw_war_voided, BW_WAR_VOIDED_FIELDS);

#define BW_WAR_SKIPPED_FIELDS(F, S)                                       \
    F(S, REQUIRED, ENUM, piece, (bw_war_piece_name_names), "which piece") \
    F(S, REQUIRED, STRUCT, to, (bw_war_point), "where it was ordered to") \
    F(S, REQUIRED, ENUM, reason, (bw_war_skip_names), "why it could not be followed")
BW_STRUCT(bw_war_skipped, BW_WAR_SKIPPED_FIELDS);

#define BW_WAR_JAILED_FIELDS(F, S)                                        \
    F(S, REQUIRED, ENUM, piece, (bw_war_piece_name_names), "which piece") \
    F(S, REQUIRED, STRUCT, at, (bw_war_point), "where it was caught")
BW_STRUCT(bw_war_jailed, BW_WAR_JAILED_FIELDS);

#define BW_WAR_RETURNED_FIELDS(F, S)                                      \
    F(S, REQUIRED, ENUM, piece, (bw_war_piece_name_names), "which piece") \
    F(S, REQUIRED, STRUCT, from, (bw_war_point), "from here")             \
    F(S, REQUIRED, STRUCT, to, (bw_war_point), "its starting square")     \
    F(S, REQUIRED, ENUM, reason, (bw_war_return_names), "why")
BW_STRUCT(bw_war_returned, BW_WAR_RETURNED_FIELDS);

#define BW_WAR_CARRIED_FIELDS(F, S)                               \
    F(S, REQUIRED, ENUM, team, (bw_war_team_names), "whose flag") \
    F(S, REQUIRED, ENUM, piece, (bw_war_piece_name_names), "who carries or carried it")
BW_STRUCT(bw_war_carried, BW_WAR_CARRIED_FIELDS);

#define BW_WAR_SCORED_FIELDS(F, S)                                \
    F(S, REQUIRED, ENUM, team, (bw_war_team_names), "who scored") \
    F(S, REQUIRED, ENUM, piece, (bw_war_piece_name_names), "who brought the flag home")
BW_STRUCT(bw_war_scored, BW_WAR_SCORED_FIELDS);

#define BW_WAR_KEYED_FIELDS(F, S)                                \
    F(S, REQUIRED, ENUM, team, (bw_war_team_names), "whose key") \
    F(S, REQUIRED, STRUCT, at, (bw_war_point), "its square")
BW_STRUCT(bw_war_keyed, BW_WAR_KEYED_FIELDS);

#define BW_WAR_RESCUED_FIELDS(F, S)                                                \
    F(S, REQUIRED, ENUM, team, (bw_war_team_names), "whose pieces")                \
    F(S, REQUIRED, ENUM, piece, (bw_war_piece_name_names), "who stood on the key") \
    F(S, REQUIRED, ENUMS, freed, (bw_war_piece_name_names, BW_WAR_TEAM_MAX), "now on their starting squares")
BW_STRUCT(bw_war_rescued, BW_WAR_RESCUED_FIELDS);

#define BW_WAR_ZONED_FIELDS(F, S) F(S, REQUIRED, ENUM, team, (bw_war_team_names), "whose no-guard zone")
BW_STRUCT(bw_war_zoned, BW_WAR_ZONED_FIELDS);

#define BW_WAR_EVENT_CASES(C)                                                                                      \
    C(BW_WAR_MOVED, moved, "moved", bw_war_moved, 0, "a piece moved")                                              \
    C(BW_WAR_VOIDED, voided, "voided", bw_war_voided, 0, "a move into the own active zone: the piece holds")       \
    C(BW_WAR_SKIPPED, skipped, "skipped", bw_war_skipped, 0, "an order that could not be followed")                \
    C(BW_WAR_JAILED, jailed, "jailed", bw_war_jailed, 0, "a piece went to jail")                                   \
    C(BW_WAR_RETURNED, returned, "returned", bw_war_returned, 0, "a piece went back to its starting square")       \
    C(BW_WAR_FLAG_TAKEN, flag_taken, "flag_taken", bw_war_carried, 0, "a flag was picked up")                      \
    C(BW_WAR_FLAG_RETURNED, flag_returned, "flag_returned", bw_war_carried, 0,                                     \
      "a carrier lost the flag: it is at spawn")                                                                   \
    C(BW_WAR_SCORED, scored, "scored", bw_war_scored, 0, "a flag was brought home")                                \
    C(BW_WAR_KEY_APPEARED, key_appeared, "key_appeared", bw_war_keyed, 0, "a key is on the board")                 \
    C(BW_WAR_KEY_VANISHED, key_vanished, "key_vanished", bw_war_keyed, 0, "a key is gone")                         \
    C(BW_WAR_RESCUED, rescued, "rescued", bw_war_rescued, 0, "a piece on its key freed its team")                  \
    C(BW_WAR_ZONE_ACTIVE, zone_active, "zone_active", bw_war_zoned, 0, "the flag is home: its team may not enter") \
    C(BW_WAR_ZONE_INACTIVE, zone_inactive, "zone_inactive", bw_war_zoned, 0, "the flag is away: its team may enter")
BW_TAGGED(bw_war_event, BW_WAR_EVENT_CASES);

/* ---- the view ---- */

#define BW_WAR_PIECE_FIELDS(F, S)                                                       \
    F(S, REQUIRED, TEXT, key, (8, 5, 7), "blue-1 ...")                                  \
    F(S, NULLABLE, INDEX, x, (uint8_t, 0, BW_WAR_SIDE_MAX - 1), "column; null in jail") \
    F(S, NULLABLE, INDEX, y, (uint8_t, 0, BW_WAR_SIDE_MAX - 1), "row; null in jail")    \
    F(S, REQUIRED, BOOL, jailed, (), "in jail")                                         \
    F(S, REQUIRED, BOOL, carrying, (), "carries the other team's flag")                 \
    F(S, REQUIRED, BOOL, rescuing, (), "goes back to its starting square in the next round")
BW_STRUCT(bw_war_piece_view, BW_WAR_PIECE_FIELDS);

#define BW_WAR_FLAG_FIELDS(F, S)                                          \
    F(S, REQUIRED, INDEX, x, (uint8_t, 0, BW_WAR_SIDE_MAX - 1), "column") \
    F(S, REQUIRED, INDEX, y, (uint8_t, 0, BW_WAR_SIDE_MAX - 1), "row")    \
    F(S, NULLABLE, ENUM, carried_by, (bw_war_piece_name_names), "the carrier; null at spawn")
BW_STRUCT(bw_war_flag_view, BW_WAR_FLAG_FIELDS);
#define BW_WAR_FLAGS_FIELDS(F, S)                                   \
    F(S, REQUIRED, STRUCT, blue, (bw_war_flag_view), "blue's flag") \
    F(S, REQUIRED, STRUCT, red, (bw_war_flag_view), "red's flag")
BW_STRUCT(bw_war_flags_view, BW_WAR_FLAGS_FIELDS);

#define BW_WAR_KEYS_FIELDS(F, S)                                                         \
    F(S, NULLABLE, STRUCT, blue, (bw_war_point), "blue's key; null while there is none") \
    F(S, NULLABLE, STRUCT, red, (bw_war_point), "red's key; null while there is none")
BW_STRUCT(bw_war_keys_view, BW_WAR_KEYS_FIELDS);

#define BW_WAR_ZONES_FIELDS(F, S)                                    \
    F(S, REQUIRED, BOOL, blue, (), "blue's no-guard zone is active") \
    F(S, REQUIRED, BOOL, red, (), "red's no-guard zone is active")
BW_STRUCT(bw_war_zones_view, BW_WAR_ZONES_FIELDS);

#define BW_WAR_ROWS_FIELDS(F, S)                                                  \
    F(S, REQUIRED, INT, from, (uint8_t, 0, BW_WAR_SIDE_MAX - 1), "its first row") \
    F(S, REQUIRED, INT, to, (uint8_t, 0, BW_WAR_SIDE_MAX - 1), "its last row")
BW_STRUCT(bw_war_rows, BW_WAR_ROWS_FIELDS);
#define BW_WAR_TERRITORY_FIELDS(F, S)                               \
    F(S, REQUIRED, STRUCT, blue, (bw_war_rows), "blue's rows")      \
    F(S, REQUIRED, STRUCT, neutral, (bw_war_rows), "nobody's rows") \
    F(S, REQUIRED, STRUCT, red, (bw_war_rows), "red's rows")
BW_STRUCT(bw_war_territory, BW_WAR_TERRITORY_FIELDS);

#define BW_WAR_VIEW_FIELDS(F, S)                                                                       \
    F(S, REQUIRED, INT, width, (uint8_t, BW_WAR_SIDE_MIN, BW_WAR_SIDE_MAX), "columns")                 \
    F(S, REQUIRED, INT, height, (uint8_t, BW_WAR_SIDE_MIN, BW_WAR_SIDE_MAX), "rows")                   \
    F(S, REQUIRED, INT, round, (uint32_t, 0, UINT32_MAX), "the last round played; 0 before the first") \
    F(S, REQUIRED, MAP, pieces, (bw_war_piece_view, BW_WAR_PIECES), "every piece, by team and number") \
    F(S, REQUIRED, STRUCT, flags, (bw_war_flags_view), "the flags")                                    \
    F(S, REQUIRED, STRUCT, keys, (bw_war_keys_view), "the keys on the board")                          \
    F(S, REQUIRED, STRUCT, zones, (bw_war_zones_view), "which no-guard zones are active")              \
    F(S, REQUIRED, STRUCT, territory, (bw_war_territory), "whose rows are whose")
BW_STRUCT(bw_war_view, BW_WAR_VIEW_FIELDS);

#define BW_WAR_COUNTS_FIELDS(F, S)                                 \
    F(S, REQUIRED, INT, blue, (uint32_t, 0, UINT32_MAX), "blue's") \
    F(S, REQUIRED, INT, red, (uint32_t, 0, UINT32_MAX), "red's")
BW_STRUCT(bw_war_counts, BW_WAR_COUNTS_FIELDS);
#define BW_WAR_STATS_FIELDS(F, S)                                                       \
    F(S, REQUIRED, INT, rounds, (uint32_t, 0, UINT32_MAX), "rounds played")             \
    F(S, REQUIRED, ENUM, reason, (bw_war_reason_names), "how it ended")                 \
    F(S, REQUIRED, INT, rescues, (uint32_t, 0, UINT32_MAX), "times a key freed a team") \
    F(S, REQUIRED, STRUCT, jailed, (bw_war_counts), "times that pieces of a team were jailed")
BW_STRUCT(bw_war_stats, BW_WAR_STATS_FIELDS);

void bw_war_view_of(const void *state, int seat, void *view);
int bw_war_guess(void *state, const void *view, const void *config, int seat, uint64_t seed);
void bw_war_text(const void *view, bw_out *out);
/* "blue-1" and so on; never NULL for 0 .. 13. */
const char *bw_war_piece_id(int piece);

extern const bw_game bw_flag_war;

#endif
