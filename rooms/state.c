/* What viewers are sent of a room: the whole state, and what changed in it. */
#include "engine/sha256.h"
#include "rooms/internal.h"

enum { WATCHERS = BW_SEATS_MAX }; /* the viewer's index of all who hold no seat */

static int seat_of(int viewer) { return viewer == WATCHERS ? BW_WATCHER : viewer; }

static void copy_text(char *to, size_t bytes, const char *from) {
    size_t length = strlen(from);
    length = length < bytes ? length : bytes - 1;
    memcpy(to, from, length);
    to[length] = 0;
}

static bool grow_pieces(bw_hall *hall, const bw_out *out) {
    if (!out->overflow) return false;
    hall->scratch.pieces_cap *= 2;
    hall->scratch.pieces = bw_memory_grow(&hall->memory, hall->scratch.pieces, hall->scratch.pieces_cap);
    return true;
}

static bw_raw piece_since(const bw_out *out, size_t start) { return (bw_raw){out->at + start, out->length - start}; }

/* ---- the room's own fields ---- */

static void fill_roles(const bw_room *room, bw_state *state) {
    for (int i = 0; i < room->game->role_count; i++) {
        const bw_seat *seat = &room->seats[i];
        const char *role = room->game->roles[i].id;
        bw_role_flag *flag = &state->players[state->players_count++];
        copy_text(flag->key, sizeof flag->key, role);
        flag->value = seat->conn != NULL;
        if (seat->name) {
            bw_role_name *name = &state->names[state->names_count++];
            copy_text(name->key, sizeof name->key, role);
            copy_text(name->value, sizeof name->value, seat->name);
        }
        if (seat->level) {
            bw_role_level *level = &state->bots[state->bots_count++];
            copy_text(level->key, sizeof level->key, role);
            copy_text(level->value, sizeof level->value, seat->level);
        }
    }
}

static void fill_turn(const bw_room *room, const bw_match *match, bw_state *state) {
    uint32_t turn = room->game->turn(match->state);
    state->current_turn = room->game->current_turn(match->state);
    if (turn != 0 && (turn & (turn - 1)) == 0) {
        int seat = 0;
        while (!(turn >> seat & 1)) seat++;
        state->has_current_role = true;
        copy_text(state->current_role, sizeof state->current_role, room->game->roles[seat].id);
    }
}

static void fill(const bw_room *room, const bw_match *match, bw_state *state) {
    memset(state, 0, sizeof *state);
    copy_text(state->room_id, sizeof state->room_id, room->id);
    copy_text(state->game, sizeof state->game, room->game->id);
    state->rules_version = room->game->rules_version;
    state->game_status = (uint8_t)bw_room_status(room);
    fill_roles(room, state);
    state->spectators = room->spectators;
    state->paused = bw_room_paused(room);
    state->created_at = room->created_at;
    state->has_started_at = match->block != NULL;
    state->started_at = room->started_at;
    state->has_ended_at = room->ended_at != 0;
    state->ended_at = room->ended_at;
    if (match->block) fill_turn(room, match, state);
}

/* It never changes in a game, so updates do without. */
static void fill_seed_hash(const bw_match *match, bw_state *state) {
    uint8_t digest[32];
    if (match->block) {
        bw_sha256_of(match->seed, BW_SEED_BYTES, digest);
        state->has_seed_hash = true;
        bw_hex_write(state->seed_hash, digest, sizeof digest);
    }
}

/* ---- the game's fields ---- */

static bool is_named(const char *const *names, const char *name) {
    for (; names && *names; names++) {
        if (strcmp(*names, name) == 0) return true;
    }
    return false;
}

/* Before the start: the position that the settings will give, and null for what is decided later. */
static void write_unstarted(bw_hall *hall, bw_out *out, const bw_room *room, int seat) {
    const bw_game *game = room->game;
    static const uint8_t no_seed[BW_SEED_BYTES];
    const char *const *later = NULL;
    void *view = hall->scratch.views[1][WATCHERS], *config = hall->scratch.preview;
    uint32_t seats = 0;
    for (int i = 0; i < game->role_count; i++) seats |= room->seats[i].held || room->seats[i].level ? 1u << i : 0;
    memcpy(config, room->config, game->config->size);
    bw_config_complete(hall, game, config);
    if (game->foresee) {
        later = game->foresee(config, seats, view);
    } else {
        bw_match match;
        bw_match_attach(&match, game, hall->scratch.block);
        bw_match_start(&match, config, seats, no_seed); /* checked when it was set */
        game->view_of(match.state, seat, view);
    }
    for (int i = 0; i < game->view->count; i++) {
        bw_schema one = *game->view;
        one.fields = &game->view->fields[i];
        one.count = 1;
        size_t start = out->length;
        bw_out_text(out, ",");
        if (is_named(later, one.fields->name)) {
            bw_out_text(out, "\"");
            bw_out_text(out, one.fields->name);
            bw_out_text(out, "\":null");
        } else if (bw_encode_members(out, &one, view) == 0 && !out->overflow) {
            out->length = start; /* an optional one that is not there */
        }
    }
}

/* A position as the viewer may know it, with what a solver knows. */
static void view_of(const bw_room *room, const bw_match *match, int seat, void *view) {
    const bw_known *known = bw_known_of(room, match);
    room->game->view_of(match->state, seat, view);
    if (known) room->game->show_known(known, view, NULL);
}

static bw_state_clock clock_of(const bw_hall *hall, const bw_room *room) {
    int64_t next = bw_next_round_at(hall, room);
    return (bw_state_clock){.server_time = hall->now.wall_ms, .has_next_round_at = next != 0, .next_round_at = next};
}

static bw_state_ready ready_of(const bw_room *room) {
    bw_state_ready ready = {.has_clock_started_at = room->clock_started_at != 0};
    ready.clock_started_at = room->clock_started_at;
    ready.ready_until = bw_ready_until(room);
    ready.has_ready_until = ready.ready_until != 0;
    uint32_t seats = bw_ready_seats(room);
    for (int i = 0; i < room->game->role_count; i++) {
        bw_role_flag *flag = &ready.ready[ready.ready_count++];
        copy_text(flag->key, sizeof flag->key, room->game->roles[i].id);
        flag->value = seats >> i & 1;
    }
    return ready;
}

/* Appends the pieces of a state; returns `state` itself. */
static bw_raw write_state(bw_hall *hall, bw_out *out, bw_room *room, int seat) {
    bw_state state;
    size_t start = out->length;
    fill(room, &room->match, &state);
    fill_seed_hash(&room->match, &state);
    bw_encode(out, room->game->config, room->config);
    state.config = piece_since(out, start);
    start = out->length;
    bw_encode_winner(out, room->game, room->ended_at ? room->game->winners(room->match.state) : 0);
    state.winner = piece_since(out, start);
    start = out->length;
    bw_out_text(out, "{");
    bw_encode_members(out, &bw_state_schema, &state);
    if (room->match.block) {
        void *view = hall->scratch.views[1][WATCHERS];
        view_of(room, &room->match, seat, view);
        bw_out_text(out, ",");
        size_t before = out->length;
        bw_encode_members(out, room->game->view, view);
        out->length -= out->length == before && !out->overflow;
    } else {
        write_unstarted(hall, out, room, seat);
    }
    if (room->game->flags & BW_GAME_ROUNDS) {
        bw_state_clock time = clock_of(hall, room);
        bw_out_text(out, ",");
        bw_encode_members(out, &bw_state_clock_schema, &time);
        bw_state_ready ready = ready_of(room);
        bw_out_text(out, ",");
        bw_encode_members(out, &bw_state_ready_schema, &ready);
    }
    bw_out_text(out, "}");
    return piece_since(out, start);
}

static void write_draft(bw_hall *hall, bw_out *out, const bw_room *room, int seat) {
    const bw_game *game = room->game;
    if (game->draft_size == 0 || !room->match.block) return;
    void *you = hall->scratch.you[1][seat];
    memset(you, 0, game->you->size);
    game->show_draft(room->match.state, seat, bw_match_draft(&room->match, seat), you);
    bw_out_text(out, ",");
    size_t before = out->length;
    bw_encode_members(out, game->you, you);
    out->length -= out->length == before && !out->overflow;
}

static bw_raw write_you(bw_hall *hall, bw_out *out, const bw_room *room, int seat, bool with_token) {
    size_t start = out->length;
    bw_out_text(out, "{\"role\":");
    if (seat < 0 && BW_PLANTED(TOKEN_TO_ALL) && room->seats[0].token_known) {
        bw_out_text(out, "null,\"token\":\"");
        bw_out_hex(out, room->seats[0].token, BW_TOKEN_BYTES);
        bw_out_text(out, "\"");
    } else if (seat < 0) {
        bw_out_text(out, with_token ? "null,\"token\":null" : "null");
    } else {
        bw_out_string(out, room->game->roles[seat].id);
        if (with_token) {
            bw_out_text(out, ",\"token\":\"");
            bw_out_hex(out, room->seats[seat].token, BW_TOKEN_BYTES);
            bw_out_text(out, "\"");
        }
        if (with_token && !room->match.block) {
            bw_out_text(out, bw_may_configure(room, seat) ? ",\"may_configure\":true" : ",\"may_configure\":false");
        }
        write_draft(hall, out, room, seat);
    }
    bw_out_text(out, "}");
    return piece_since(out, start);
}

/* ---- whole ---- */

bw_bytes *bw_room_state_for(bw_hall *hall, bw_room *room, int seat) {
    bw_server_message message = {.type = BW_TELL_ROOM_STATE};
    bw_out out;
    do {
        out = bw_out_to(hall->scratch.pieces, hall->scratch.pieces_cap);
        message.as.room_state.seq = room->seq;
        message.as.room_state.state = write_state(hall, &out, room, seat);
        message.as.room_state.you = write_you(hall, &out, room, seat, true);
    } while (grow_pieces(hall, &out));
    return bw_message(hall, &message);
}

bw_bytes *bw_state_for_http(bw_hall *hall, bw_room *room) {
    bw_out out;
    bw_raw state;
    do {
        out = bw_out_to(hall->scratch.pieces, hall->scratch.pieces_cap);
        state = write_state(hall, &out, room, BW_WATCHER);
    } while (grow_pieces(hall, &out));
    return bw_bytes_new(state.at, state.length);
}

void bw_tell_state(bw_hall *hall, bw_room *room, const bw_conn *but) {
    bw_bytes *watchers = NULL;
    for (bw_conn *conn = room->conns; conn; conn = conn->next) {
        if (!conn->attached || conn == but) continue;
        if (conn->seat >= 0) {
            bw_send(hall, room, conn->number, bw_room_state_for(hall, room, conn->seat));
        } else {
            watchers = watchers ? watchers : bw_room_state_for(hall, room, BW_WATCHER);
            bw_send(hall, room, conn->number, bw_bytes_share(watchers));
        }
    }
    bw_bytes_release(watchers);
    room->spectators_told = room->spectators;
    room->spectators_us = INT64_MAX;
    bw_room_count(hall, room);
    bw_room_schedule(hall, room);
}

void bw_tell_you(bw_hall *hall, bw_room *room, int seat) {
    bw_server_message message = {.type = BW_TELL_GAME_UPDATE};
    bw_game_update *update = &message.as.game_update;
    bw_out out;
    if (!room->seats[seat].conn) return;
    do {
        out = bw_out_to(hall->scratch.pieces, hall->scratch.pieces_cap);
        *update = (bw_game_update){.seq = room->seq, .events = {"[]", 2}, .changes = {"{}", 2}, .has_you = true};
        update->you = write_you(hall, &out, room, seat, false);
    } while (grow_pieces(hall, &out));
    if (BW_PLANTED(LEAK_STAGED)) {
        bw_bytes *leaked = bw_message(hall, &message);
        bw_broadcast(hall, room, leaked);
        bw_bytes_release(leaked);
        return;
    }
    bw_send(hall, room, room->seats[seat].conn->number, bw_message(hall, &message));
}

/* ---- changes ---- */

void bw_update_begin(bw_hall *hall, bw_room *room, const bw_match *match, uint32_t viewers, bw_before *before) {
    const bw_game *game = room->game;
    before->viewers = viewers;
    fill(room, match, &before->state);
    for (int v = 0; v <= WATCHERS; v++) {
        if (!(viewers >> v & 1)) continue;
        view_of(room, match, seat_of(v), hall->scratch.views[0][v]);
        if (v != WATCHERS && game->draft_size > 0) {
            memset(hall->scratch.you[0][v], 0, game->you->size);
            game->show_draft(match->state, v, bw_match_draft(match, v), hall->scratch.you[0][v]);
        }
    }
}

static void write_events(bw_out *out, const bw_game *game, const bw_events *events) {
    bw_out_text(out, "[");
    for (uint32_t i = 0; i < events->count; i++) {
        bw_out_text(out, i > 0 ? "," : "");
        bw_encode_union(out, game->events, events->memory + (size_t)i * events->size);
    }
    bw_out_text(out, "]");
}

static void write_changes(bw_hall *hall, bw_out *out, const bw_room *room, const bw_before *before,
                          const bw_state *after, int viewer, bool with_clock) {
    int written;
    bw_out_text(out, "{");
    written = bw_encode_changes(out, &bw_state_schema, &before->state, after);
    size_t start = out->length;
    if (written > 0) bw_out_text(out, ",");
    int more = bw_encode_changes(out, room->game->view, hall->scratch.views[0][viewer], hall->scratch.views[1][viewer]);
    if (more == 0 && !out->overflow) out->length = start;
    if (with_clock) {
        bw_state_clock time = clock_of(hall, room);
        bw_out_text(out, written + more > 0 ? "," : "");
        bw_encode_members(out, &bw_state_clock_schema, &time);
    }
    bw_out_text(out, "}");
}

bw_bytes *bw_update_for(bw_hall *hall, bw_room *room, const bw_match *match, const bw_before *before, int viewer,
                        const bw_events *events, int64_t seq, bool live) {
    bw_server_message message = {.type = BW_TELL_GAME_UPDATE};
    bw_game_update *update = &message.as.game_update;
    bw_state after;
    bw_out out;
    fill(room, match, &after);
    if (!live) {
        /* Made again: only the game's part is known of that time, and the rest has been told since. */
        after = before->state;
        after.has_current_role = false;
        fill_turn(room, match, &after);
    }
    view_of(room, match, seat_of(viewer), hall->scratch.views[1][viewer]);
    do {
        out = bw_out_to(hall->scratch.pieces, hall->scratch.pieces_cap);
        update->seq = seq;
        bw_encode_winner(&out, room->game, after.has_ended_at ? room->game->winners(match->state) : 0);
        after.winner = after.has_ended_at != before->state.has_ended_at ? piece_since(&out, 0) : before->state.winner;
        size_t start = out.length;
        write_events(&out, room->game, events);
        update->events = piece_since(&out, start);
        start = out.length;
        write_changes(hall, &out, room, before, &after, viewer, live && room->game->flags & BW_GAME_ROUNDS);
        update->changes = piece_since(&out, start);
        if (live && viewer != WATCHERS && room->game->draft_size > 0) {
            start = out.length;
            update->you = write_you(hall, &out, room, viewer, false);
            update->has_you =
                memcmp(hall->scratch.you[0][viewer], hall->scratch.you[1][viewer], room->game->you->size) != 0;
        }
    } while (grow_pieces(hall, &out));
    return bw_message(hall, &message);
}

uint32_t bw_viewers(const bw_room *room) {
    uint32_t viewers = room->spectators > 0 ? 1u << WATCHERS : 0;
    for (int i = 0; i < room->game->role_count; i++) viewers |= room->seats[i].conn ? 1u << i : 0;
    return viewers;
}

/* Has what the viewer prepared changed? Then its update is its own. */
static bool you_changed(bw_hall *hall, const bw_room *room, int viewer) {
    const bw_game *game = room->game;
    if (viewer == WATCHERS || game->draft_size == 0) return false;
    memset(hall->scratch.you[1][viewer], 0, game->you->size);
    game->show_draft(room->match.state, viewer, bw_match_draft(&room->match, viewer), hall->scratch.you[1][viewer]);
    return memcmp(hall->scratch.you[0][viewer], hall->scratch.you[1][viewer], game->you->size) != 0;
}

/* The update of an earlier viewer who saw, and sees, the same; NULL: there is none. */
static bw_bytes *shared_update(bw_hall *hall, bw_room *room, uint32_t viewers, int viewer, bw_bytes *const made[]) {
    size_t bytes = room->game->view->size;
    if (you_changed(hall, room, viewer)) return NULL;
    view_of(room, &room->match, seat_of(viewer), hall->scratch.views[1][viewer]);
    for (int u = 0; u < viewer; u++) {
        if (viewers >> u & 1 && made[u] && !you_changed(hall, room, u) &&
            memcmp(hall->scratch.views[0][u], hall->scratch.views[0][viewer], bytes) == 0 &&
            memcmp(hall->scratch.views[1][u], hall->scratch.views[1][viewer], bytes) == 0) {
            return bw_bytes_share(made[u]);
        }
    }
    return NULL;
}

void bw_update_tell(bw_hall *hall, bw_room *room, const bw_before *before, const bw_events *events) {
    bw_bytes *made[BW_SEATS_MAX + 1] = {0};
    for (int v = 0; v <= WATCHERS; v++) {
        if (before->viewers >> v & 1) {
            made[v] = shared_update(hall, room, before->viewers, v, made);
            made[v] = made[v] ? made[v] : bw_update_for(hall, room, &room->match, before, v, events, room->seq, true);
        }
    }
    for (bw_conn *conn = room->conns; conn; conn = conn->next) {
        int viewer = conn->seat >= 0 ? conn->seat : WATCHERS;
        if (conn->attached && made[viewer]) {
            bw_send(hall, room, conn->number, bw_bytes_share(made[viewer]));
        }
    }
    for (int v = 0; v <= WATCHERS; v++) bw_bytes_release(made[v]);
}

bw_bytes *bw_game_over_for(bw_hall *hall, bw_room *room) {
    const bw_game *game = room->game;
    bw_server_message message = {.type = BW_TELL_GAME_OVER};
    bw_game_over *over = &message.as.game_over;
    bw_out out;
    memset(hall->scratch.stats, 0, game->stats->size);
    game->stats_of(room->match.state, hall->scratch.stats);
    if (bw_known_of(room, &room->match)) {
        game->show_known(bw_known_of(room, &room->match), NULL, hall->scratch.stats);
    }
    do {
        out = bw_out_to(hall->scratch.pieces, hall->scratch.pieces_cap);
        over->seq = room->seq;
        bw_encode_winner(&out, game, game->winners(room->match.state));
        over->winner = piece_since(&out, 0);
        size_t start = out.length;
        bw_encode(&out, game->stats, hall->scratch.stats);
        over->stats = piece_since(&out, start);
    } while (grow_pieces(hall, &out));
    bw_hex_write(over->seed, room->match.seed, BW_SEED_BYTES);
    memcpy(over->replay_id, room->replay_id, sizeof over->replay_id);
    return bw_message(hall, &message);
}

bw_events bw_scratch_events(bw_hall *hall, const bw_game *game) {
    return (bw_events){.memory = hall->scratch.events, .size = game->events->size, .cap = BW_EVENTS_MAX};
}
