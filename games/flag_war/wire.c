/* Wire format: the tables, the view, the state from a view, and the position in words. */
#include "games/flag_war/flag_war.h"

#include <string.h>

BW_NAMES(bw_war_team, BW_WAR_TEAM_NAMES);
BW_NAMES(bw_war_direction, BW_WAR_DIRECTIONS);
BW_NAMES(bw_war_piece_name, BW_WAR_PIECE_NAMES);
BW_NAMES(bw_war_reason, BW_WAR_REASONS);
BW_NAMES(bw_war_return, BW_WAR_RETURNS);
BW_NAMES(bw_war_skip, BW_WAR_SKIPS);

BW_SCHEMA(bw_war_config, BW_WAR_CONFIG_FIELDS, "Flag War: settings of the board");
BW_SCHEMA(bw_war_room, BW_WAR_ROOM_FIELDS, "Flag War: settings");

BW_SCHEMA(bw_war_point, BW_WAR_POINT_FIELDS, "a square");
BW_SCHEMA(bw_war_command, BW_WAR_COMMAND_FIELDS, "an order for one piece; the last one for a round stands");
BW_SCHEMA(bw_war_cancel, BW_WAR_CANCEL_FIELDS, "cancels a waiting order");
BW_SCHEMA(bw_war_words, BW_WAR_WORDS_FIELDS, "orders as text; answered by orders_result");
BW_SCHEMA(bw_war_order, BW_WAR_ORDER_FIELDS, "one order of a round");
BW_SCHEMA(bw_war_round_orders, BW_WAR_ROUND_FIELDS, "a round, as in a game file");
BW_UNION(bw_war_action, BW_WAR_ACTIONS);

BW_SCHEMA(bw_war_queued, BW_WAR_QUEUED_FIELDS, "an order that waits for its round");
BW_SCHEMA(bw_war_you, BW_WAR_YOU_FIELDS, "Flag War: what only the seat knows");

BW_SCHEMA(bw_war_moved, BW_WAR_MOVED_FIELDS, "a piece moved");
BW_SCHEMA(bw_war_voided, BW_WAR_VOIDED_FIELDS, "a move into the own active zone");
BW_SCHEMA(bw_war_skipped, BW_WAR_SKIPPED_FIELDS, "an order that could not be followed");
BW_SCHEMA(bw_war_jailed, BW_WAR_JAILED_FIELDS, "a piece went to jail");
BW_SCHEMA(bw_war_returned, BW_WAR_RETURNED_FIELDS, "a piece went back to its starting square");
BW_SCHEMA(bw_war_carried, BW_WAR_CARRIED_FIELDS, "a flag and its carrier");
BW_SCHEMA(bw_war_scored, BW_WAR_SCORED_FIELDS, "a flag was brought home");
BW_SCHEMA(bw_war_keyed, BW_WAR_KEYED_FIELDS, "a key");
BW_SCHEMA(bw_war_rescued, BW_WAR_RESCUED_FIELDS, "a team was freed");
BW_SCHEMA(bw_war_zoned, BW_WAR_ZONED_FIELDS, "a no-guard zone");
BW_UNION(bw_war_event, BW_WAR_EVENT_CASES);

BW_SCHEMA(bw_war_piece_view, BW_WAR_PIECE_FIELDS, "a piece");
BW_SCHEMA(bw_war_flag_view, BW_WAR_FLAG_FIELDS, "a flag: at spawn, or where its carrier is");
BW_SCHEMA(bw_war_flags_view, BW_WAR_FLAGS_FIELDS, "both flags");
BW_SCHEMA(bw_war_keys_view, BW_WAR_KEYS_FIELDS, "both keys");
BW_SCHEMA(bw_war_zones_view, BW_WAR_ZONES_FIELDS, "both no-guard zones");
BW_SCHEMA(bw_war_rows, BW_WAR_ROWS_FIELDS, "rows from one to another, both included");
BW_SCHEMA(bw_war_territory, BW_WAR_TERRITORY_FIELDS, "whose rows are whose");
BW_SCHEMA(bw_war_view, BW_WAR_VIEW_FIELDS, "Flag War: the public state");
BW_SCHEMA(bw_war_counts, BW_WAR_COUNTS_FIELDS, "a number for each team");
BW_SCHEMA(bw_war_stats, BW_WAR_STATS_FIELDS, "Flag War: statistics of a finished game");

const char *bw_war_piece_id(int piece) { return bw_war_piece_name_names.names[piece]; }

/* ---- the view ---- */

static bw_war_rows rows_from(int from, int to) { return (bw_war_rows){.from = (uint8_t)from, .to = (uint8_t)to}; }

static void show_flag(const bw_war_state *state, int team, bw_war_flag_view *flag) {
    int carrier = state->carrier[team] - 1;
    bw_war_spot square = carrier < 0 ? bw_war_flag(&state->config, team) : state->square[carrier];
    flag->x = (uint8_t)bw_war_x(square);
    flag->y = (uint8_t)bw_war_y(square);
    flag->has_carried_by = carrier >= 0;
    flag->carried_by = (uint8_t)(carrier < 0 ? 0 : carrier);
}

static bool show_key(const bw_war_state *state, int team, bw_war_point *key) {
    if (!state->key[team]) return false;
    *key = bw_war_point_at(bw_war_key(&state->config, team));
    return true;
}

void bw_war_view_of(const void *state_, int seat, void *view_) {
    (void)seat; /* everything on the board is public; queues are not part of the state */
    const bw_war_state *state = state_;
    bw_war_view *view = view_;
    memset(view, 0, sizeof *view);
    view->width = state->config.width;
    view->height = state->config.height;
    view->round = state->round;
    for (int piece = 0; piece < BW_WAR_PIECES; piece++) {
        if (!bw_war_is(bw_war_team_bits(&state->config, bw_war_team_of(piece)), piece)) continue;
        bw_war_piece_view *shown = &view->pieces[view->pieces_count++];
        const char *id = bw_war_piece_id(piece);
        for (int at = 0; id[at]; at++) shown->key[at] = id[at];
        shown->jailed = bw_war_is(state->jailed, piece);
        shown->has_x = shown->has_y = !shown->jailed;
        if (!shown->jailed) {
            shown->x = (uint8_t)bw_war_x(state->square[piece]);
            shown->y = (uint8_t)bw_war_y(state->square[piece]);
        }
        shown->carrying = state->carrier[1 - bw_war_team_of(piece)] == piece + 1;
        shown->rescuing = bw_war_is(state->rescuing, piece);
    }
    show_flag(state, BW_WAR_BLUE, &view->flags.blue);
    show_flag(state, BW_WAR_RED, &view->flags.red);
    view->keys.has_blue = show_key(state, BW_WAR_BLUE, &view->keys.blue);
    view->keys.has_red = show_key(state, BW_WAR_RED, &view->keys.red);
    view->zones.blue = !state->carrier[BW_WAR_BLUE];
    view->zones.red = !state->carrier[BW_WAR_RED];
    int rows = bw_war_territory_rows(&state->config), height = state->config.height;
    view->territory.red = rows_from(0, rows - 1);
    view->territory.neutral = rows_from(rows, height - rows - 1);
    view->territory.blue = rows_from(height - rows, height - 1);
}

/* ---- the state from a view ---- */

/* The piece number of "blue-1", or -1. */
static int piece_number(const char *id) {
    for (int piece = 0; piece < BW_WAR_PIECES; piece++) {
        const char *name = bw_war_piece_id(piece);
        int at = 0;
        while (name[at] && name[at] == id[at]) at++;
        if (!name[at] && !id[at]) return piece;
    }
    return -1;
}

/* When the game is over and the board alone shows how it ended, restores the end too. */
static void notice_the_end(bw_war_state *state) {
    const bw_war_config *config = &state->config;
    uint32_t scorers = 0, alive = 0;
    for (int team = 0; team < BW_WAR_TEAMS; team++) {
        int carrier = state->carrier[1 - team] - 1;
        if (carrier >= 0 && bw_war_ground(config, state->square[carrier]) == team) {
            scorers |= 1u << team;
        }
        if (bw_war_team_bits(config, team) & ~(uint32_t)state->jailed) alive |= 1u << team;
    }
    bool eliminated = config->elimination && alive != 3;
    bool out_of_time = config->max_rounds && state->round >= config->max_rounds;
    if (!scorers && !eliminated && !out_of_time) return;
    state->over = 1;
    state->winners = (uint8_t)(scorers ? (scorers == 3 ? 0 : scorers) : eliminated ? alive : 0);
    state->reason = (uint8_t)(scorers ? BW_WAR_BY_FLAG : eliminated ? BW_WAR_BY_ELIMINATION : BW_WAR_BY_MAX_ROUNDS);
}

int bw_war_guess(void *state_, const void *view_, const void *config, int seat, uint64_t seed) {
    (void)seat;
    (void)seed; /* nothing is hidden */
    const bw_war_view *view = view_;
    bw_war_state state;
    bw_war_init(&state, config);
    if (view->width != state.config.width || view->height != state.config.height ||
        view->pieces_count != 2 * state.config.pieces) {
        return BW_WAR_REFUSE(BW_WAR_NO_POSITION);
    }
    state.round = view->round;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < view->pieces_count; i++) {
        const bw_war_piece_view *shown = &view->pieces[i];
        int piece = piece_number(shown->key);
        if (piece < 0 || !bw_war_is(bw_war_team_bits(&state.config, bw_war_team_of(piece)), piece) ||
            bw_war_is(seen, piece) || shown->has_x == shown->jailed || shown->has_y == shown->jailed ||
            (shown->jailed && (shown->carrying || shown->rescuing)) ||
            (!shown->jailed && !bw_war_on_board(&state.config, shown->x, shown->y))) {
            return BW_WAR_REFUSE(BW_WAR_NO_POSITION);
        }
        seen |= 1u << piece;
        state.square[piece] = shown->jailed ? BW_WAR_NOWHERE : bw_war_square(shown->x, shown->y);
        state.jailed = (uint16_t)(state.jailed | (uint32_t)shown->jailed << piece);
        state.rescuing = (uint16_t)(state.rescuing | (uint32_t)shown->rescuing << piece);
        if (!shown->carrying) continue;
        if (state.carrier[1 - bw_war_team_of(piece)]) return BW_WAR_REFUSE(BW_WAR_NO_POSITION);
        state.carrier[1 - bw_war_team_of(piece)] = (uint8_t)(piece + 1);
    }
    state.key[BW_WAR_BLUE] = view->keys.has_blue;
    state.key[BW_WAR_RED] = view->keys.has_red;
    notice_the_end(&state);
    bw_war_view again;
    bw_war_view_of(&state, BW_WATCHER, &again);
    if (memcmp(&again.flags, &view->flags, sizeof again.flags) || memcmp(&again.keys, &view->keys, sizeof again.keys) ||
        memcmp(&again.zones, &view->zones, sizeof again.zones)) {
        return BW_WAR_REFUSE(BW_WAR_NO_POSITION);
    }
    memcpy(state_, &state, sizeof state);
    return 0;
}

/* ---- the position in words ---- */

/* The contents of a square, in two characters: a piece before a flag before a key. */
static void write_square(bw_out *out, const bw_war_view *view, int x, int y) {
    const bw_war_piece_view *found = NULL;
    int count = 0;
    for (uint32_t i = 0; i < view->pieces_count; i++) {
        const bw_war_piece_view *piece = &view->pieces[i];
        if (!piece->has_x || piece->x != x || piece->y != y) continue;
        found = piece;
        count++;
    }
    const bw_war_flag_view *blue = &view->flags.blue, *red = &view->flags.red;
    if (count) {
        bw_out_bytes(out, found->key, 1);
        bw_out_bytes(out, count > 1 ? "+" : found->key + (found->key[0] == 'b' ? 5 : 4), 1);
    } else if (blue->x == x && blue->y == y) {
        bw_out_text(out, "BF");
    } else if (red->x == x && red->y == y) {
        bw_out_text(out, "RF");
    } else if (view->keys.has_blue && view->keys.blue.x == x && view->keys.blue.y == y) {
        bw_out_text(out, "BK");
    } else if (view->keys.has_red && view->keys.red.x == x && view->keys.red.y == y) {
        bw_out_text(out, "RK");
    } else {
        bw_out_text(out, y >= view->territory.neutral.from && y <= view->territory.neutral.to ? " -" : " .");
    }
}

static void write_piece(bw_out *out, const bw_war_piece_view *piece) {
    if (piece->jailed) bw_out_format(out, "%s in jail", piece->key);
    else bw_out_format(out, "%s %d,%d", piece->key, piece->x + 1, piece->y + 1);
    if (piece->carrying) bw_out_format(out, ", carries the %s flag", piece->key[0] == 'b' ? "red" : "blue");
    bw_out_text(out, piece->rescuing ? ", goes home next round\n" : "\n");
}

static void write_side(bw_out *out, const char *name, bool home, bool has_key, const bw_war_point *key) {
    bw_out_format(out, "%s: flag %s", name, home ? "home, zone closed to its own team" : "away, zone open");
    if (has_key) bw_out_format(out, ", key at %d,%d", key->x + 1, key->y + 1);
    bw_out_text(out, "\n");
}

/* For people, columns and rows count from 1. */
void bw_war_text(const void *view_, bw_out *out) {
    const bw_war_view *view = view_;
    bw_out_format(out, "round %u\n   ", view->round);
    for (int x = 1; x <= view->width; x++) bw_out_format(out, " %d", x % 10);
    bw_out_text(out, "\n");
    for (int y = 0; y < view->height; y++) {
        bw_out_format(out, "%s%d ", y + 1 < 10 ? " " : "", y + 1);
        for (int x = 0; x < view->width; x++) write_square(out, view, x, y);
        bw_out_text(out, "\n");
    }
    write_side(out, "blue", view->zones.blue, view->keys.has_blue, &view->keys.blue);
    write_side(out, "red", view->zones.red, view->keys.has_red, &view->keys.red);
    for (uint32_t i = 0; i < view->pieces_count; i++) write_piece(out, &view->pieces[i]);
}

void bw_war_draft_text(const void *you_, bw_out *out) {
    const bw_war_you *you = you_;
    bw_out_text(out, you->queue_count ? "Ordered: " : "No orders are waiting.");
    for (int i = 0; i < you->queue_count; i++) {
        const bw_war_queued *order = &you->queue[i];
        bw_out_format(out, "%sround %u: %d to %d,%d", i > 0 ? "; " : "", order->round, order->piece, order->to.x + 1,
                      order->to.y + 1);
    }
}
