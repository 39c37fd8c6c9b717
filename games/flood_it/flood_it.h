/* Flood-It: one player captures a board of colours from a corner; a race puts two to eight players on
 * copies of the same board.
 *
 * Every seat that is taken has a copy: its territory and its moves with a cursor (engine/history.h), so that
 * any number of steps can be undone and redone by playing the moves from the start. The board itself comes
 * from a seed word and is shared. The game has no clock: for a daily board the hall fills in `date`, and a
 * race is decided by fewer moves, then by the order in which the players finished. Nothing is hidden.
 *
 * Settings: a `preset` other than custom decides rows, cols and colors; with it, and for a daily board, the default
 * limit of 25 stands for "classic". `daily` decides the seed too, and is 20x20 with 4 colours unless a preset says
 * otherwise. Explicit sizes and limits override the preset. Limits: 2x2 to 64x64 squares, 2 to 10 colours, 1,000 moves
 * (a game without limit ends there as lost). */
#ifndef BW_FLOODIT_H
#define BW_FLOODIT_H

#include "engine/game.h"
#include "engine/history.h"
#include "games/flood_it/board.h"

enum {
    BW_FLOODIT_MOVES_MAX = 1000,
    BW_FLOODIT_CLASSIC = -1, /* of move_limit */
    BW_FLOODIT_DEFAULT_LIMIT = 25,
    BW_FLOODIT_WORD_BYTES = 161, /* 40 characters */
};

/* ---- names ---- */

#define BW_FLOODIT_COLORS(E)       \
    E(BW_FLOODIT_RED, "red")       \
    E(BW_FLOODIT_GREEN, "green")   \
    E(BW_FLOODIT_BLUE, "blue")     \
    E(BW_FLOODIT_YELLOW, "yellow") \
    E(BW_FLOODIT_ORANGE, "orange") \
    E(BW_FLOODIT_PURPLE, "purple") \
    E(BW_FLOODIT_CYAN, "cyan")     \
    E(BW_FLOODIT_PINK, "pink")     \
    E(BW_FLOODIT_BROWN, "brown")   \
    E(BW_FLOODIT_WHITE, "white")
BW_ENUM(bw_floodit_color, BW_FLOODIT_COLORS);

#define BW_FLOODIT_PRESETS(E)                \
    E(BW_FLOODIT_EASY, "easy", "Easy")       \
    E(BW_FLOODIT_NORMAL, "normal", "Normal") \
    E(BW_FLOODIT_HARD, "hard", "Hard")       \
    E(BW_FLOODIT_EXPERT, "expert", "Expert") \
    E(BW_FLOODIT_CUSTOM, "custom", "Own")
BW_ENUM(bw_floodit_preset, BW_FLOODIT_PRESETS);

#define BW_FLOODIT_OUTCOMES(E)       \
    E(BW_FLOODIT_PLAYING, "playing") \
    E(BW_FLOODIT_WON, "won")         \
    E(BW_FLOODIT_LOST, "lost")       \
    E(BW_FLOODIT_RESIGNED, "resigned")
BW_ENUM(bw_floodit_outcome, BW_FLOODIT_OUTCOMES);

#define BW_FLOODIT_ROLES(E)           \
    E(BW_FLOODIT_PLAYER, "player")    \
    E(BW_FLOODIT_PLAYER_2, "player2") \
    E(BW_FLOODIT_PLAYER_3, "player3") \
    E(BW_FLOODIT_PLAYER_4, "player4") \
    E(BW_FLOODIT_PLAYER_5, "player5") \
    E(BW_FLOODIT_PLAYER_6, "player6") \
    E(BW_FLOODIT_PLAYER_7, "player7") \
    E(BW_FLOODIT_PLAYER_8, "player8")
BW_ENUM(bw_floodit_role, BW_FLOODIT_ROLES);

#define BW_FLOODIT_LIMITS(E) E(BW_FLOODIT_LIMIT_CLASSIC, "classic", "Classic")
BW_ENUM(bw_floodit_limit, BW_FLOODIT_LIMITS);

/* ---- settings ---- */

#define BW_FLOODIT_CELL_FIELDS(F, S)                                             \
    F(S, REQUIRED, INDEX, row, (uint8_t, 0, 63), "from the top, 0 first", "Row") \
    F(S, REQUIRED, INDEX, col, (uint8_t, 0, 63), "from the left, 0 first", "Column")
BW_STRUCT(bw_floodit_cell, BW_FLOODIT_CELL_FIELDS);

/* Everything is optional: in `configure` an absent field keeps its value, in new_game that of the previous board. */
#define BW_FLOODIT_CONFIG_FIELDS(F, S)                                                                              \
    F(S, OPTIONAL, INT, rows, (uint8_t, 2, 64), "rows of the board", "Rows", "squares")                             \
    F(S, OPTIONAL, INT, cols, (uint8_t, 2, 64), "columns of the board", "Columns", "squares")                       \
    F(S, OPTIONAL, INT, colors, (uint8_t, 2, 10), "number of colours", "Colours")                                   \
    F(S, OPTIONAL, NAMED_INT, move_limit, (int16_t, 0, 1000, bw_floodit_limit_names),                               \
      "moves allowed; 0: no limit; classic: based on the board's size and colours", "Move limit")                   \
    F(S, OPTIONAL, WORD, seed, (161, 0, 40), "the same seed gives the same board; empty or absent: random", "Seed") \
    F(S, OPTIONAL, STRUCT, origin, (bw_floodit_cell), "where the territory begins", "Start")                        \
    F(S, OPTIONAL, ENUM, preset, (bw_floodit_preset_names), "rows, columns and colours at once", "Difficulty")      \
    F(S, OPTIONAL, BOOL, daily, (), "the same for everybody, all day long", "Today's board")                        \
    F(S, OPTIONAL, TEXT, date, (11, 10, 10), "the day (UTC) of a daily board, as 2026-11-27; filled in by the server")
BW_STRUCT(bw_floodit_config, BW_FLOODIT_CONFIG_FIELDS);

/* A room's settings: first those of its board, as above, then those that do not concern the board. Rooms and files
 * older than the setting have no `hints`: they play without. */
#define BW_FLOODIT_ROOM_FIELDS(F, S) \
    BW_FLOODIT_CONFIG_FIELDS(F, S)   \
    F(S, OPTIONAL, BOOL, hints, (), "in a race, players may ask for hints", "Hints in a race")
BW_STRUCT(bw_floodit_room, BW_FLOODIT_ROOM_FIELDS);
/* The settings from which a board is made. */
void bw_floodit_board_of(const void *room, bw_floodit_config *board);

/* ---- on the wire ---- */

#define BW_FLOODIT_RACE_FIELDS(F, S)                                                                      \
    F(S, REQUIRED, TEXT, key, (8, 1, 7), "the role")                                                      \
    F(S, REQUIRED, INT, move_count, (uint16_t, 0, 1000), "moves so far")                                  \
    F(S, REQUIRED, INT, controlled_count, (uint16_t, 1, 4096), "cells controlled")                        \
    F(S, REQUIRED, BOOL, done, (), "has stopped playing: won, lost or resigned")                          \
    F(S, REQUIRED, BOOL, won, (), "has flooded the board")                                                \
    F(S, NULLABLE, INT, finished, (uint8_t, 1, 8), "1: the first to flood the board, 2: the second, ...") \
    F(S, REQUIRED, ENUM, outcome, (bw_floodit_outcome_names), "how this copy stands")                     \
    F(S, REQUIRED, BOOL, undone, (), "a move was undone")                                                 \
    F(S, REQUIRED, INTS, moves, (uint8_t, 0, 9, 1000), "colour indices")
BW_STRUCT(bw_floodit_race, BW_FLOODIT_RACE_FIELDS);

#define BW_FLOODIT_VIEW_FIELDS(F, S)                                                                               \
    F(S, REQUIRED, INT, rows, (uint8_t, 2, 64), "rows of the board")                                               \
    F(S, REQUIRED, INT, cols, (uint8_t, 2, 64), "columns of the board")                                            \
    F(S, REQUIRED, ENUMS, colors, (bw_floodit_color_names, 10), "the palette; colour indices are positions in it") \
    F(S, REQUIRED, INT_GRID, grid, (uint8_t, 0, 9, 64, 64, rows, cols),                                            \
      "grid[r][c]: colour indices; null before the start")                                                         \
    F(S, REQUIRED, INT_GRID, controlled, (uint8_t, 0, 1, 64, 64, rows, cols),                                      \
      "controlled[r][c]: 1 for the territory; null before the start")                                              \
    F(S, REQUIRED, INT, move_count, (uint16_t, 0, 1000), "moves so far")                                           \
    F(S, REQUIRED, INT, move_limit, (uint16_t, 0, 1000),                                                           \
      "moves allowed; 0: no limit; null before the start if it is \"classic\"")                                    \
    F(S, REQUIRED, INT, par, (uint16_t, 3, 96), "floor(1.5 x size)")                                               \
    F(S, REQUIRED, INT, current_color, (uint8_t, 0, 9), "colour index of the territory; null before the start")    \
    F(S, REQUIRED, INT, controlled_count, (uint16_t, 1, 4096), "cells controlled; null before the start")          \
    F(S, REQUIRED, INTS, moves, (uint8_t, 0, 9, 1000), "colour indices")                                           \
    F(S, REQUIRED, INTS, redo, (uint8_t, 0, 9, 1000), "colour indices that redo would play, the next first")       \
    F(S, REQUIRED, TEXT, seed, (161, 0, 40), "the seed of the board; null before the start if it is drawn")        \
    F(S, OPTIONAL, TEXT, board, (4097, 4, 4096),                                                                   \
      "a custom board instead of the seed's (only where one plays alone): "                                        \
      "its initial cells in reading order, one digit each")                                                        \
    F(S, REQUIRED, BOOL, undone, (), "a move was undone; the score says so")                                       \
    F(S, REQUIRED, ENUM, outcome, (bw_floodit_outcome_names), "how this copy stands")                              \
    F(S, NULLABLE, INT, best_known, (uint16_t, 0, 1000),                                                           \
      "the shortest known solution, by players of this board or by the solver; the solver's "                      \
      "is included from the first move after it is found")                                                         \
    F(S, REQUIRED, BOOL, proven, (), "best_known is proven optimal")                                               \
    F(S, REQUIRED, STRUCT, settings, (bw_floodit_config), "of this board, with presets resolved")                  \
    F(S, REQUIRED, MAP, race, (bw_floodit_race, 8),                                                                \
      "all players of a race; empty in a game for one; null before the start")
BW_STRUCT(bw_floodit_view, BW_FLOODIT_VIEW_FIELDS);

#define BW_FLOODIT_STATS_FIELDS(F, S)                                                                   \
    F(S, REQUIRED, INT, move_count, (uint16_t, 0, 1000), "moves of the winner, or of the first player") \
    F(S, REQUIRED, INT, par, (uint16_t, 3, 96), "floor(1.5 x size)")                                    \
    F(S, NULLABLE, INT, best_known, (uint16_t, 0, 1000),                                                \
      "the shortest known solution, by players of this board or by the solver")                         \
    F(S, REQUIRED, BOOL, proven, (), "best_known is proven optimal")                                    \
    F(S, OPTIONAL, BOOL, by_absence, (), "who won because all others were away too long")
BW_STRUCT(bw_floodit_stats, BW_FLOODIT_STATS_FIELDS);

#define BW_FLOODIT_SELECT_FIELDS(F, S) \
    F(S, REQUIRED, ENUM, color, (bw_floodit_color_names), "a colour of the palette, but not that of the territory")
BW_STRUCT(bw_floodit_select_color, BW_FLOODIT_SELECT_FIELDS);
#define BW_FLOODIT_NEW_FIELDS(F, S)                       \
    F(S, OPTIONAL, STRUCT, settings, (bw_floodit_config), \
      "changes to the settings of the previous board; a seed that is absent is drawn")
BW_STRUCT(bw_floodit_new_game, BW_FLOODIT_NEW_FIELDS);

#define BW_FLOODIT_CLAIM_FIELDS(F, S) F(S, REQUIRED, ENUM, role, (bw_floodit_role_names), "who")
BW_STRUCT(bw_floodit_claim, BW_FLOODIT_CLAIM_FIELDS);

enum { BW_FLOODIT_ANY_TIME = BW_ACTION_REOPENS | BW_ACTION_OPEN };
#define BW_FLOODIT_ACTIONS(C)                                                                               \
    C(BW_FLOODIT_SELECT, select_color, "select_color", bw_floodit_select_color, 0, "floods with a colour")  \
    C(BW_FLOODIT_UNDO, undo, "undo", bw_nothing, BW_FLOODIT_ANY_TIME, "undoes the last move")               \
    C(BW_FLOODIT_REDO, redo, "redo", bw_nothing, BW_FLOODIT_ANY_TIME, "plays an undone move again")         \
    C(BW_FLOODIT_RESET, reset, "reset", bw_nothing, BW_FLOODIT_ANY_TIME, "starts the same board again")     \
    C(BW_FLOODIT_NEW, new_game, "new_game", bw_floodit_new_game, BW_FLOODIT_ANY_TIME, "starts a new board") \
    C(BW_FLOODIT_CLAIM, claimed, "claimed", bw_floodit_claim, BW_ACTION_CLOCK | BW_ACTION_OPEN,             \
      "the others were away too long: they give up, and the race is over")
BW_TAGGED(bw_floodit_action, BW_FLOODIT_ACTIONS);

#define BW_FLOODIT_WHO_FIELDS(F, S) F(S, OPTIONAL, ENUM, role, (bw_floodit_role_names), "whose copy, in a race")
BW_STRUCT(bw_floodit_who, BW_FLOODIT_WHO_FIELDS);
#define BW_FLOODIT_COLORED_FIELDS(F, S)                                        \
    F(S, REQUIRED, ENUM, color, (bw_floodit_color_names), "the colour played") \
    F(S, REQUIRED, INT, absorbed, (uint16_t, 0, 4096), "cells that joined")    \
    F(S, OPTIONAL, ENUM, role, (bw_floodit_role_names), "whose copy, in a race")
BW_STRUCT(bw_floodit_colored, BW_FLOODIT_COLORED_FIELDS);
#define BW_FLOODIT_FRESH_FIELDS(F, S) F(S, REQUIRED, TEXT, seed, (161, 0, 40), "the word of the new board")
BW_STRUCT(bw_floodit_fresh, BW_FLOODIT_FRESH_FIELDS);

#define BW_FLOODIT_EVENTS(C)                                                                           \
    C(BW_FLOODIT_EVENT_COLORED, colored, "colored", bw_floodit_colored, 0, "a move was played")        \
    C(BW_FLOODIT_EVENT_UNDONE, undone, "undone", bw_floodit_who, 0, "a move was taken back")           \
    C(BW_FLOODIT_EVENT_REDONE, redone, "redone", bw_floodit_who, 0, "an undone move was played again") \
    C(BW_FLOODIT_EVENT_RESET, reset, "reset", bw_floodit_who, 0, "the board is back at its start")     \
    C(BW_FLOODIT_EVENT_NEW, new_game, "new_game", bw_floodit_fresh, 0, "there is a new board")         \
    C(BW_FLOODIT_EVENT_CLAIMED, claimed, "claimed", bw_floodit_claim, 0,                               \
      "who won because all others were away too long")
BW_TAGGED(bw_floodit_event, BW_FLOODIT_EVENTS);

#define BW_FLOODIT_REFUSALS(R)                                                                                          \
    R(BW_FLOODIT_NO_COPY,                                                                                               \
      "Your seat has no board because it was empty when this game began. Watch, or join the next one.")                 \
    R(BW_FLOODIT_SAME_COLOR, "Your area already has that colour. Choose another colour of the palette.")                \
    R(BW_FLOODIT_NO_COLOR, "That colour is not on this board. Choose one of its palette, shown below it.")              \
    R(BW_FLOODIT_IS_WON, "The board is flooded and won. Reset it, or start a new game.")                                \
    R(BW_FLOODIT_IS_LOST, "No moves are left. Undo, reset the board, or start a new game.")                             \
    R(BW_FLOODIT_RACE_OVER, "The race is over. A rematch starts another one.")                                          \
    R(BW_FLOODIT_GAVE_UP, "You gave up in this race. A rematch starts another one.")                                    \
    R(BW_FLOODIT_NO_UNDO, "There is no move to undo. Choose a colour.")                                                 \
    R(BW_FLOODIT_WON_UNDO, "Nothing can be undone after a win. Reset the board, or start a new game.")                  \
    R(BW_FLOODIT_NO_REDO, "There is no undone move to redo. Choose a colour.")                                          \
    R(BW_FLOODIT_RACE_NEW, "A race keeps its board to the end. Reset your copy, or propose a rematch afterwards.")      \
    R(BW_FLOODIT_ALONE,                                                                                                 \
      "You are playing alone, so there is nobody to give up to. Reset the board, or start a new game.")                 \
    R(BW_FLOODIT_NO_CLAIM, "Nobody is holding this race up: play it to the end.")                                       \
    R(BW_FLOODIT_ORIGIN, "The origin must be a square of the board: row below rows, col below cols.")                   \
    R(BW_FLOODIT_DATE, "The date must be a day, written as 2026-11-27.")                                                \
    R(BW_FLOODIT_NO_DATE, "A daily board needs a date, written as 2026-11-27.")                                         \
    R(BW_FLOODIT_CELLS,                                                                                                 \
      "A custom board needs one digit per square: 0 for the first colour of the palette, 1 for the second, and so on.") \
    R(BW_FLOODIT_NO_POSITION, "This view is not a position of the game: its moves must lead to its board.")

#define BW_FLOODIT_REFUSAL_INDEX(constant, sentence) constant##_INDEX,
enum { BW_FLOODIT_REFUSALS(BW_FLOODIT_REFUSAL_INDEX) BW_FLOODIT_REFUSAL_COUNT };
#define BW_FLOODIT_REFUSAL_VALUE(constant, sentence) constant = -(constant##_INDEX + 1),
enum { BW_FLOODIT_REFUSALS(BW_FLOODIT_REFUSAL_VALUE) };

extern const bw_game bw_flood_it;

/* ---- the state ---- */

typedef struct bw_floodit_seat {
    bw_floodit_plane territory;
    bw_history history;
    uint16_t cells; /* cells of the territory */
    uint8_t color;  /* colour of the territory */
    uint8_t taken, won, undone, resigned;
    uint8_t finished; /* finishing rank, 1 = first; 0 = not finished */
    uint8_t moves[BW_FLOODIT_MOVES_MAX];
} bw_floodit_seat;

enum { BW_FLOODIT_CLAIMED_BY = 2 };

typedef struct bw_floodit_state {
    bw_floodit_board board;
    bw_floodit_seat seats[BW_SEATS_MAX];
    bw_floodit_config settings; /* presets resolved; all fields set, except perhaps the date */
    bw_rng rng;                 /* draws the seeds of future boards */
    uint16_t move_limit;        /* 0: none */
    uint16_t best_known;        /* 0: none */
    uint8_t proven, finished;
    uint8_t racing; /* BW_FLOODIT_CLAIMED_BY + the seat that won the race because the others were away */
    uint8_t given;  /* the board was entered as text, not made from the seed */
} bw_floodit_state;

static inline uint16_t bw_floodit_par(int rows, int cols) { return (uint16_t)(3 * (rows + cols) / 4); }
/* Resolves presets, daily and the origin. 0 or a refusal. Leaves the seed alone. */
int bw_floodit_resolve(bw_floodit_config *settings);
/* Makes the board of state->settings, for the taken seats. `limit` is the number of moves allowed (0: no limit), or
 * BW_FLOODIT_CLASSIC: computed for this board. */
void bw_floodit_lay(bw_floodit_state *state, int limit);
/* Replaces the board by one given as text (bw_floodit_read), of the same size. 0 or a refusal. */
int bw_floodit_set_position(bw_floodit_state *state, const char *cells, int limit);
/* The outcome of a copy. */
bw_floodit_outcome bw_floodit_outcome_of(const bw_floodit_state *state, const bw_floodit_seat *seat);
/* The copy that a viewer sees: its own, or the first one. */
int bw_floodit_seen_seat(const bw_floodit_state *state, int viewer);
/* Replays the moves before the cursor from the start. */
void bw_floodit_replay(const bw_floodit_state *state, bw_floodit_seat *seat);
/* view.c */
void bw_floodit_view_of(const void *state, int seat, void *view);
int bw_floodit_guess(void *state, const void *view, const void *config, int seat, uint64_t seed);
void bw_floodit_text(const void *view, bw_out *out);
uint64_t bw_floodit_puzzle(const void *state);
void bw_floodit_show_solver_result(const bw_solver_result *result, void *view, void *stats);

#endif
