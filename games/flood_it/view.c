/* What Flood-It shows: the view, a position from a view, and the board in letters. */
#include "engine/json.h"
#include "games/flood_it/flood_it.h"

#include <string.h>

BW_NAMES(bw_floodit_color, BW_FLOODIT_COLORS);
BW_NAMES(bw_floodit_preset, BW_FLOODIT_PRESETS);
BW_NAMES(bw_floodit_outcome, BW_FLOODIT_OUTCOMES);
BW_NAMES(bw_floodit_role, BW_FLOODIT_ROLES);
BW_NAMES(bw_floodit_limit, BW_FLOODIT_LIMITS);
BW_SCHEMA(bw_floodit_cell, BW_FLOODIT_CELL_FIELDS, "A cell of the board.");
BW_SCHEMA(bw_floodit_config, BW_FLOODIT_CONFIG_FIELDS, "Settings of a board of Flood-It.");
BW_SCHEMA(bw_floodit_room, BW_FLOODIT_ROOM_FIELDS, "Settings of Flood-It.");
BW_SCHEMA(bw_floodit_race, BW_FLOODIT_RACE_FIELDS, "A player's progress in a race.");
BW_SCHEMA(bw_floodit_view, BW_FLOODIT_VIEW_FIELDS, "The viewer's own copy of the board, else the first player's.");
BW_SCHEMA(bw_floodit_stats, BW_FLOODIT_STATS_FIELDS, "Figures of a finished game.");
BW_SCHEMA(bw_floodit_select_color, BW_FLOODIT_SELECT_FIELDS, "A move.");
BW_SCHEMA(bw_floodit_new_game, BW_FLOODIT_NEW_FIELDS, "A fresh board.");
BW_SCHEMA(bw_floodit_who, BW_FLOODIT_WHO_FIELDS, "Whose copy.");
BW_SCHEMA(bw_floodit_claim, BW_FLOODIT_CLAIM_FIELDS, "who has claimed a race");
BW_SCHEMA(bw_floodit_colored, BW_FLOODIT_COLORED_FIELDS, "A move was played.");
BW_SCHEMA(bw_floodit_fresh, BW_FLOODIT_FRESH_FIELDS, "A new board.");
BW_UNION(bw_floodit_action, BW_FLOODIT_ACTIONS);
BW_UNION(bw_floodit_event, BW_FLOODIT_EVENTS);

static void put_text(char *to, const char *from) {
    while ((*to++ = *from++) != 0) continue;
}

/* ---- the view ---- */

static void put_race(const bw_floodit_state *state, bw_floodit_view *view) {
    for (int i = 0; i < BW_SEATS_MAX && state->racing; i++) {
        const bw_floodit_seat *seat = &state->seats[i];
        if (!seat->taken) continue;
        bw_floodit_race *entry = &view->race[view->race_count++];
        put_text(entry->key, bw_floodit_role_names.names[i]);
        entry->move_count = entry->moves_count = seat->history.cursor;
        memcpy(entry->moves, seat->moves, seat->history.cursor);
        entry->controlled_count = seat->cells;
        entry->outcome = (uint8_t)bw_floodit_outcome_of(state, seat);
        entry->done = entry->outcome != BW_FLOODIT_PLAYING;
        entry->won = seat->won;
        entry->has_finished = seat->finished != 0;
        entry->finished = seat->finished;
        entry->undone = seat->undone;
    }
}

static void put_board(const bw_floodit_state *state, const bw_floodit_seat *seat, bw_floodit_view *view) {
    for (int r = 0; r < view->rows; r++) {
        for (int c = 0; c < view->cols; c++) {
            bool own = seat->territory.row[r] >> c & 1;
            view->controlled[r][c] = own;
            view->grid[r][c] = own ? seat->color : (uint8_t)bw_floodit_color_at(&state->board, r, c);
        }
    }
}

void bw_floodit_view_of(const void *memory, int viewer, void *view_memory) {
    const bw_floodit_state *state = memory;
    const bw_floodit_seat *seat = &state->seats[bw_floodit_seen_seat(state, viewer)];
    bw_floodit_view *view = view_memory;
    memset(view, 0, sizeof *view);
    view->rows = state->board.rows;
    view->cols = state->board.cols;
    view->colors_count = state->board.colors;
    for (uint8_t i = 0; i < state->board.colors; i++) view->colors[i] = i;
    put_board(state, seat, view);
    view->move_count = view->moves_count = seat->history.cursor;
    memcpy(view->moves, seat->moves, seat->history.cursor);
    view->redo_count = (uint16_t)(seat->history.count - seat->history.cursor);
    memcpy(view->redo, seat->moves + seat->history.cursor, view->redo_count);
    view->move_limit = state->move_limit;
    view->par = bw_floodit_par(view->rows, view->cols);
    view->current_color = seat->color;
    view->controlled_count = seat->cells;
    put_text(view->seed, state->settings.seed);
    view->has_board = state->given;
    if (state->given) bw_floodit_write(&state->board, view->board);
    view->undone = seat->undone;
    view->outcome = (uint8_t)bw_floodit_outcome_of(state, seat);
    view->has_best_known = state->best_known != 0;
    view->best_known = state->best_known;
    view->proven = state->proven;
    view->settings = state->settings;
    put_race(state, view);
}

/* ---- the solver's result ---- */

/* FNV-1a (Fowler, Noll, Vo) over everything that the board is made from. */
uint64_t bw_floodit_puzzle(const void *memory) {
    const bw_floodit_state *state = memory;
    const bw_floodit_board *board = &state->board;
    const uint8_t shape[] = {board->rows, board->cols, board->colors, board->origin_row, board->origin_col};
    char cells[BW_FLOODIT_CELLS_MAX + 1];
    const char *word = state->settings.seed;
    if (state->given) {
        bw_floodit_write(board, cells);
        word = cells;
    }
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof shape; i++) hash = (hash ^ shape[i]) * 0x100000001b3u;
    for (size_t i = 0; word[i]; i++) hash = (hash ^ (uint8_t)word[i]) * 0x100000001b3u;
    return hash | 1;
}

void bw_floodit_show_solver_result(const bw_solver_result *result, void *view_memory, void *stats_memory) {
    bw_floodit_view *view = view_memory;
    bw_floodit_stats *stats = stats_memory;
    if (result->moves == 0) return;
    if (view && (!view->has_best_known || result->moves <= view->best_known)) {
        view->proven = result->proven || (view->proven && view->best_known == result->moves);
        view->has_best_known = true;
        view->best_known = result->moves;
    }
    if (stats && (!stats->has_best_known || result->moves <= stats->best_known)) {
        stats->proven = result->proven || (stats->proven && stats->best_known == result->moves);
        stats->has_best_known = true;
        stats->best_known = result->moves;
    }
}

/* ---- a position from a view ---- */

static bool put_moves(const bw_floodit_state *state, bw_floodit_seat *seat, const uint8_t *moves, int played,
                      const uint8_t *redo, int undone) {
    if (played + undone > BW_FLOODIT_MOVES_MAX) return false;
    memcpy(seat->moves, moves, (size_t)played);
    memcpy(seat->moves + played, redo, (size_t)undone);
    seat->history.cursor = (uint16_t)played;
    seat->history.count = (uint16_t)(played + undone);
    for (int i = 0; i < played + undone; i++) {
        if (seat->moves[i] >= state->board.colors) return false;
    }
    bw_floodit_replay(state, seat);
    return true;
}

static bool put_entry(bw_floodit_state *state, const bw_floodit_view *view, const bw_floodit_race *entry, int own) {
    int role = bw_names_find(&bw_floodit_role_names, entry->key);
    if (role < 0) return false;
    bw_floodit_seat *seat = &state->seats[role];
    seat->taken = 1;
    seat->undone = entry->undone;
    seat->resigned = entry->outcome == BW_FLOODIT_RESIGNED;
    if (entry->outcome == BW_FLOODIT_WON && !entry->won) state->racing = (uint8_t)(BW_FLOODIT_CLAIMED_BY + role);
    seat->finished = entry->has_finished ? entry->finished : 0;
    if (seat->finished > state->finished) state->finished = seat->finished;
    return put_moves(state, seat, entry->moves, entry->moves_count, view->redo, role == own ? view->redo_count : 0);
}

int bw_floodit_guess(void *memory, const void *view_memory, const void *config, int viewer, uint64_t seed) {
    bw_floodit_state *state = memory;
    const bw_floodit_view *view = view_memory;
    uint8_t key[32];
    bw_fast fast = {seed};
    (void)config; /* new_game may have changed them: the view has this board's settings */
    memset(state, 0, sizeof *state);
    for (int i = 0; i < 32; i++) key[i] = (uint8_t)bw_fast_next(&fast);
    bw_rng_init(&state->rng, key);
    state->settings = view->settings;
    if (bw_floodit_resolve(&state->settings) < 0 || !state->settings.has_seed) {
        return BW_FLOODIT_NO_POSITION;
    }
    state->racing = view->race_count > 0;
    bw_floodit_lay(state, view->move_limit);
    if (view->has_board && bw_floodit_set_position(state, view->board, view->move_limit) < 0) {
        return BW_FLOODIT_NO_POSITION;
    }
    state->best_known = view->has_best_known ? view->best_known : 0;
    state->proven = view->proven;
    bool whole = true;
    if (state->racing) {
        int own = viewer; /* like bw_floodit_seen_seat: a spectator sees the first player */
        bool seated = false;
        for (int i = 0; i < view->race_count; i++) {
            seated = seated || (viewer >= 0 && bw_names_find(&bw_floodit_role_names, view->race[i].key) == viewer);
        }
        if (!seated) own = bw_names_find(&bw_floodit_role_names, view->race[0].key);
        for (int i = 0; i < view->race_count && whole; i++) {
            whole = put_entry(state, view, &view->race[i], own);
        }
    } else {
        bw_floodit_seat *seat = &state->seats[viewer >= 0 && viewer < BW_SEATS_MAX ? viewer : 0];
        seat->taken = 1;
        seat->undone = view->undone;
        whole = put_moves(state, seat, view->moves, view->moves_count, view->redo, view->redo_count);
        seat->finished = state->finished = seat->won;
    }
    const bw_floodit_seat *seen = &state->seats[bw_floodit_seen_seat(state, viewer)];
    if (!whole || seen->cells != view->controlled_count || state->board.rows != view->rows ||
        state->board.cols != view->cols || seen->history.cursor != view->move_count) {
        return BW_FLOODIT_NO_POSITION;
    }
    return 0;
}

/* ---- as text ---- */

static void write_heading(bw_out *out, const bw_floodit_view *view) {
    static const char *const ends[] = {"", " The board is flooded!", " No moves are left.", " Given up."};
    bw_out_format(out, "%d", view->move_count);
    if (view->move_limit) bw_out_format(out, " of %d", view->move_limit);
    bw_out_format(out, " move%s, %d of %d squares, %s.%s%s\n", view->move_count == 1 && !view->move_limit ? "" : "s",
                  view->controlled_count, view->rows * view->cols, bw_floodit_color_names.names[view->current_color],
                  ends[view->outcome], view->undone ? " (with undo)" : "");
    bw_out_format(out, "Board %s, par %d", view->seed, view->par);
    if (view->has_best_known) {
        bw_out_format(out, ", %s %d", view->proven ? "optimum" : "best known", view->best_known);
    }
    bw_out_text(out, ".\n");
}

void bw_floodit_text(const void *view_memory, bw_out *out) {
    static const char inside[] = "RGBYOPCKNW", outside[] = "rgbyopcknw";
    const bw_floodit_view *view = view_memory;
    if (view->rows == 0 || view->cols == 0) {
        bw_out_text(out, "There is no board yet.\n");
        return;
    }
    write_heading(out, view);
    for (int r = 0; r < view->rows; r++) {
        for (int c = 0; c < view->cols; c++) {
            bw_out_bytes(out, (view->controlled[r][c] ? inside : outside) + view->grid[r][c], 1);
        }
        bw_out_text(out, "\n");
    }
    bw_out_text(out, "Capital letters are your area:");
    for (int i = 0; i < view->colors_count; i++) {
        bw_out_text(out, i == 5 ? "\n " : " ");
        bw_out_bytes(out, inside + i, 1);
        bw_out_format(out, " %s", bw_floodit_color_names.names[i]);
    }
    bw_out_text(out, "\n");
    for (int i = 0; i < view->race_count; i++) {
        const bw_floodit_race *entry = &view->race[i];
        bw_out_format(out, "%s: %d moves, %d squares, %s\n", entry->key, entry->move_count, entry->controlled_count,
                      bw_floodit_outcome_names.names[entry->outcome]);
    }
}
