/* What viewers are sent about a room: the whole state, changes, and missed updates. */
#include "engine/sha256.h"
#include "rooms/view/view.h"

bw_bytes *bw_message(bw_scratch *scratch, const bw_server_message *message) {
    bw_out out;
    do {
        out = bw_out_to(scratch->text, scratch->text_cap);
        bw_encode_union(&out, &bw_server_message_union, message);
    } while (bw_grow(scratch, &out, &scratch->text, &scratch->text_cap));
    scratch->work += bw_cost_of_text(out.length);
    return bw_bytes_new(out.at, out.length);
}

static void copy_text(char *to, size_t bytes, const char *from) {
    size_t length = strlen(from);
    length = length < bytes ? length : bytes - 1;
    memcpy(to, from, length);
    to[length] = 0;
}

static bw_raw piece_since(const bw_out *out, size_t start) { return (bw_raw){out->at + start, out->length - start}; }

/* ---- the room's own fields ---- */

static void fill_roles(const bw_room *room, bw_state *state) {
    for (int i = 0; i < room->game->role_count; i++) {
        const bw_seat *seat = bw_seat_at(room, i);
        const char *role = room->game->roles[i].id;
        bw_role_flag *flag = &state->players[state->players_count++];
        copy_text(flag->key, sizeof flag->key, role);
        flag->value = room->present >> i & 1;
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
    if (!match->block) return;
    uint32_t turn = room->game->turn(match->state);
    state->current_turn = room->game->current_turn(match->state);
    if (turn != 0 && (turn & (turn - 1)) == 0) {
        int seat = 0;
        while (!(turn >> seat & 1)) seat++;
        state->has_current_role = true;
        copy_text(state->current_role, sizeof state->current_role, room->game->roles[seat].id);
    }
}

/* What a move may change. */
static void fill_changing(const bw_room *room, const bw_match *match, bw_state *state) {
    state->game_status = (uint8_t)bw_room_status(room);
    state->paused = bw_room_paused(room);
    state->has_ended_at = room->ended_at != 0;
    state->ended_at = room->ended_at;
    fill_turn(room, match, state);
}

static void fill(const bw_room *room, bw_state *state) {
    memset(state, 0, sizeof *state);
    copy_text(state->room_id, sizeof state->room_id, room->id);
    copy_text(state->game, sizeof state->game, room->game->id);
    state->rules_version = room->game->rules_version;
    fill_roles(room, state);
    state->spectators = room->spectators;
    state->created_at = room->created_at;
    state->has_started_at = state->has_seed_hash = room->started_at != 0;
    state->started_at = room->started_at;
    if (room->started_at) bw_sha256_of(bw_room_match(room)->seed, BW_SEED_BYTES, state->seed_hash);
    fill_changing(room, bw_room_match(room), state);
}

/* ---- the game's fields ---- */

static bool is_named(const char *const *names, const char *name) {
    for (; names && *names; names++) {
        if (strcmp(*names, name) == 0) return true;
    }
    return false;
}

/* Before the start: the position that follows from the settings, with null for what is decided later. */
static void write_unstarted(bw_scratch *scratch, bw_out *out, const bw_room *room, bw_moment moment, int seat) {
    const bw_game *game = room->game;
    static const uint8_t no_seed[BW_SEED_BYTES];
    const char *const *later = NULL;
    void *view = scratch->views[1][BW_WATCHERS], *config = scratch->preview;
    uint32_t seats = 0;
    for (int i = 0; i < game->role_count; i++)
        seats |= bw_seat_at(room, i)->held || bw_seat_at(room, i)->level ? 1u << i : 0;
    memcpy(config, room->config, game->config->size);
    if (game->set_date) bw_set_date(game, config, NULL, moment.wall_ms);
    if (game->foresee) {
        later = game->foresee(config, seats, view);
    } else {
        bw_match match;
        bw_match_attach(&match, game, scratch->block);
        bw_match_start(&match, config, seats, no_seed); /* already checked */
        game->view_of(match.state, seat, view);
    }
    for (int i = 0; i < game->view->count; i++) {
        bw_schema one = *game->view;
        one.fields = &game->view->fields[i];
        one.count = 1;
        if (is_named(later, one.fields->name)) bw_out_format(out, ",\"%s\":null", one.fields->name);
        else bw_encode_members(out, &one, view, 1);
    }
}

/* A position as the viewer may see it, with the solver's result. */
static void view_of(const bw_room *room, const bw_match *match, int seat, void *view) {
    const bw_solver_result *result = room->game->puzzle ? bw_solver_result_of(room, match) : NULL;
    room->game->view_of(match->state, seat, view);
    if (result) room->game->show_solver_result(result, view, NULL);
}

static bw_state_clock clock_of(bw_moment moment) {
    return (bw_state_clock){.server_time = moment.wall_ms,
                            .has_next_round_at = moment.next_round_at != 0,
                            .next_round_at = moment.next_round_at};
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
static bw_raw write_state(bw_scratch *scratch, bw_out *out, const bw_room *room, bw_moment moment, int seat) {
    bw_state state;
    size_t start = out->length;
    fill(room, &state);
    bw_encode(out, room->game->config, room->config);
    state.config = piece_since(out, start);
    start = out->length;
    bw_encode_winner(out, room->game, room->ended_at ? room->game->winners(bw_room_match(room)->state) : 0);
    state.winner = piece_since(out, start);
    start = out->length;
    bw_out_text(out, "{");
    bw_encode_members(out, &bw_state_schema, &state, 0);
    if (room->started_at) {
        void *view = scratch->views[1][BW_WATCHERS];
        view_of(room, bw_room_match(room), seat, view);
        bw_encode_members(out, room->game->view, view, 1);
    } else {
        write_unstarted(scratch, out, room, moment, seat);
    }
    if (room->game->flags & BW_GAME_ROUNDS) {
        bw_state_clock time = clock_of(moment);
        bw_encode_members(out, &bw_state_clock_schema, &time, 1);
        bw_state_ready ready = ready_of(room);
        bw_encode_members(out, &bw_state_ready_schema, &ready, 1);
    }
    bw_out_text(out, "}");
    return piece_since(out, start);
}

/* What a seat has prepared, before a move (0) or now (1). */
static void show_draft(bw_scratch *scratch, const bw_match *match, int seat, int when) {
    if (seat < 0 || !match->block || match->game->draft_size == 0) return;
    match->game->show_draft(match->state, seat, bw_match_draft(match, seat), scratch->you[when][seat]);
}

/* The draft was shown before. `whole`: with what it does not change; NULL: the draft alone. */
static bw_raw write_you(bw_scratch *scratch, bw_out *out, const bw_room *room, int seat, const bw_moment *whole) {
    size_t start = out->length;
    bw_out_text(out, "{\"role\":");
    if (seat < 0 && BW_PLANTED(TOKEN_TO_ALL) && bw_seat_at(room, 0)->token_known) {
        bw_out_text(out, "null,\"token\":\"");
        bw_out_hex(out, bw_seat_at(room, 0)->token, BW_TOKEN_BYTES);
        bw_out_text(out, "\"");
    } else if (seat < 0) {
        bw_out_text(out, whole ? "null,\"token\":null" : "null");
    } else {
        bw_out_string(out, room->game->roles[seat].id);
        if (whole) {
            bw_out_text(out, ",\"token\":\"");
            bw_out_hex(out, bw_seat_at(room, seat)->token, BW_TOKEN_BYTES);
            bw_out_text(out, "\"");
        }
        if (whole && room->started_at) {
            bw_out_format(out, ",\"away_seconds\":%" PRId64, whole->away_ms / 1000);
        } else if (whole) {
            bw_out_text(out, bw_may_configure(room, seat) ? ",\"may_configure\":true" : ",\"may_configure\":false");
        }
        if (room->started_at && room->game->draft_size > 0) {
            bw_encode_members(out, room->game->you, scratch->you[1][seat], 1);
        }
    }
    bw_out_text(out, "}");
    return piece_since(out, start);
}

/* ---- whole ---- */

bw_bytes *bw_room_state_for(bw_scratch *scratch, const bw_room *room, bw_moment moment, int seat) {
    bw_server_message message = {.type = BW_TELL_ROOM_STATE};
    bw_out out;
    show_draft(scratch, bw_room_match(room), seat, 1);
    do {
        out = bw_out_to(scratch->pieces, scratch->pieces_cap);
        message.as.room_state.seq = room->seq;
        message.as.room_state.state = write_state(scratch, &out, room, moment, seat);
        message.as.room_state.you = write_you(scratch, &out, room, seat, &moment);
    } while (bw_grow(scratch, &out, &scratch->pieces, &scratch->pieces_cap));
    return bw_message(scratch, &message);
}

bw_bytes *bw_state_for_http(bw_scratch *scratch, const bw_room *room, bw_moment moment) {
    bw_out out;
    bw_raw state;
    do {
        out = bw_out_to(scratch->pieces, scratch->pieces_cap);
        state = write_state(scratch, &out, room, moment, BW_WATCHER);
    } while (bw_grow(scratch, &out, &scratch->pieces, &scratch->pieces_cap));
    return bw_bytes_new(state.at, state.length);
}

bw_bytes *bw_you_for(bw_scratch *scratch, const bw_room *room, int seat) {
    bw_server_message message = {.type = BW_TELL_GAME_UPDATE};
    bw_game_update *update = &message.as.game_update;
    bw_out out;
    show_draft(scratch, bw_room_match(room), seat, 1);
    do {
        out = bw_out_to(scratch->pieces, scratch->pieces_cap);
        *update = (bw_game_update){.seq = room->seq, .events = {"[]", 2}, .changes = {"{}", 2}, .has_you = true};
        update->you = write_you(scratch, &out, room, seat, NULL);
    } while (bw_grow(scratch, &out, &scratch->pieces, &scratch->pieces_cap));
    return bw_message(scratch, &message);
}

bw_bytes *bw_game_over_for(bw_scratch *scratch, const bw_room *room) {
    const bw_game *game = room->game;
    bw_server_message message = {.type = BW_TELL_GAME_OVER};
    bw_game_over *over = &message.as.game_over;
    bw_out out;
    memset(scratch->stats, 0, game->stats->size);
    game->stats_of(bw_room_match(room)->state, scratch->stats);
    if (bw_solver_result_of(room, bw_room_match(room))) {
        game->show_solver_result(bw_solver_result_of(room, bw_room_match(room)), NULL, scratch->stats);
    }
    do {
        out = bw_out_to(scratch->pieces, scratch->pieces_cap);
        over->seq = room->seq;
        bw_encode_winner(&out, game, game->winners(bw_room_match(room)->state));
        over->winner = piece_since(&out, 0);
        size_t start = out.length;
        bw_encode(&out, game->stats, scratch->stats);
        over->stats = piece_since(&out, start);
    } while (bw_grow(scratch, &out, &scratch->pieces, &scratch->pieces_cap));
    memcpy(over->seed, bw_room_match(room)->seed, sizeof over->seed);
    memcpy(over->replay_id, room->replay_id, sizeof over->replay_id);
    return bw_message(scratch, &message);
}

/* ---- changes ---- */

/* Where a viewer's view is in the scratch: all share one if the game shows everybody the same. */
static int place_of(const bw_room *room, int viewer) {
    return room->game->flags & BW_GAME_SAME_VIEW ? BW_WATCHERS : viewer;
}

static void look(bw_scratch *scratch, const bw_room *room, const bw_update *update, int when) {
    bool seen[BW_WATCHERS + 1] = {false};
    for (int v = 0; v <= BW_WATCHERS; v++) {
        if (!(update->viewers >> v & 1)) continue;
        int place = place_of(room, v), seat = v == BW_WATCHERS ? BW_WATCHER : v;
        if (!seen[place]) view_of(room, update->match, seat, scratch->views[when][place]);
        seen[place] = true;
        show_draft(scratch, update->match, seat, when);
    }
}

void bw_update_begin(bw_scratch *scratch, const bw_room *room, const bw_match *match, uint32_t viewers,
                     bw_update *update) {
    *update = (bw_update){.viewers = viewers, .match = match, .live = match == bw_room_match(room)};
    fill_changing(room, match, &update->before);
    look(scratch, room, update, 0);
}

void bw_update_end(bw_scratch *scratch, const bw_room *room, const bw_events *events, bw_update *update) {
    update->events = events;
    update->seq = room->seq;
    update->after = update->before;
    memset(update->after.current_role, 0, sizeof update->after.current_role);
    update->after.has_current_role = false;
    /* Recomputed: only the game's part is known for that time; other changes were already sent. */
    (update->live ? fill_changing : fill_turn)(room, update->match, &update->after);
    look(scratch, room, update, 1);
    for (int v = 0; update->live && room->game->draft_size > 0 && v < BW_WATCHERS; v++) {
        bool changed =
            update->viewers >> v & 1 && !bw_schema_same(room->game->you, scratch->you[0][v], scratch->you[1][v]);
        update->changed |= changed ? 1u << v : 0;
    }
}

static void write_changes(bw_scratch *scratch, bw_out *out, const bw_room *room, bw_moment moment,
                          const bw_update *update, int viewer) {
    int written = 0, place = place_of(room, viewer);
    bw_out_text(out, "{");
    written = bw_encode_changes(out, &bw_state_schema, &update->before, &update->after, written);
    written = bw_encode_changes(out, room->game->view, scratch->views[0][place], scratch->views[1][place], written);
    if (update->live && room->game->flags & BW_GAME_ROUNDS) {
        bw_state_clock time = clock_of(moment);
        bw_encode_members(out, &bw_state_clock_schema, &time, written);
    }
    bw_out_text(out, "}");
}

/* Did both see the same before, and do they now, apart from their drafts? */
static bool see_the_same(const bw_scratch *scratch, const bw_room *room, int one, int other) {
    int a = place_of(room, one), b = place_of(room, other);
    size_t bytes = room->game->view->size;
    return a == b || (memcmp(scratch->views[0][a], scratch->views[0][b], bytes) == 0 &&
                      memcmp(scratch->views[1][a], scratch->views[1][b], bytes) == 0);
}

/* Writes the part common to all who see the same: winner, events, changes. It stays in the pieces for the next
 * viewer. */
static bw_out write_shared(bw_scratch *scratch, const bw_room *room, bw_moment moment, bw_update *update, int viewer) {
    bw_out out = bw_out_to(scratch->pieces, scratch->pieces_cap);
    bw_state *after = &update->after;
    if (after->has_ended_at != update->before.has_ended_at) {
        bw_encode_winner(&out, room->game, after->has_ended_at ? room->game->winners(update->match->state) : 0);
        after->winner = piece_since(&out, 0);
    }
    update->events_at = out.length;
    bw_out_text(&out, "[");
    for (uint32_t i = 0; i < update->events->count; i++) {
        bw_out_text(&out, i > 0 ? "," : "");
        bw_encode_union(&out, room->game->events, update->events->memory + (size_t)i * update->events->size);
    }
    bw_out_text(&out, "]");
    update->changes_at = out.length;
    write_changes(scratch, &out, room, moment, update, viewer);
    update->shared_end = out.length;
    update->shared_by = viewer;
    return out;
}

static bw_bytes *write_update(bw_scratch *scratch, const bw_room *room, bw_moment moment, bw_update *update,
                              int viewer) {
    bw_server_message message = {.type = BW_TELL_GAME_UPDATE};
    bw_game_update *news = &message.as.game_update;
    bw_out out;
    bool written = update->shared_end > 0 && see_the_same(scratch, room, update->shared_by, viewer);
    do {
        if (written) {
            out = bw_out_to(scratch->pieces, scratch->pieces_cap);
            out.length = update->shared_end;
        } else {
            out = write_shared(scratch, room, moment, update, viewer);
        }
        news->seq = update->seq;
        news->events = (bw_raw){out.at + update->events_at, update->changes_at - update->events_at};
        news->changes = (bw_raw){out.at + update->changes_at, update->shared_end - update->changes_at};
        news->has_you = update->changed >> viewer & 1;
        if (news->has_you) news->you = write_you(scratch, &out, room, viewer, NULL);
        written = false;
    } while (bw_grow(scratch, &out, &scratch->pieces, &scratch->pieces_cap));
    return bw_message(scratch, &message);
}

bw_bytes *bw_update_for(bw_scratch *scratch, const bw_room *room, bw_moment moment, bw_update *update, int viewer) {
    bw_bytes **made = &update->made[viewer];
    /* The text of an earlier viewer, if neither has a changed draft and both see the same. */
    for (int u = 0; !*made && u < viewer && !(update->changed >> viewer & 1); u++) {
        if (!update->made[u] || update->changed >> u & 1 || !see_the_same(scratch, room, u, viewer)) continue;
        *made = bw_bytes_share(update->made[u]);
    }
    if (!*made) *made = write_update(scratch, room, moment, update, viewer);
    return *made;
}

void bw_update_free(bw_update *update) {
    for (int v = 0; v <= BW_WATCHERS; v++) {
        if (update->made[v]) bw_bytes_release(update->made[v]);
    }
}

/* ---- missed updates: recomputed from the moves ---- */

/* Were there only moves after `since`, and is the kept position older than them? */
static bool all_kept(bw_scratch *scratch, const bw_room *room, int64_t since) {
    bw_move_reader reader = bw_moves_of_base(room);
    bw_move move = {.action = scratch->action};
    int64_t first = 0, count = 0;
    while (bw_move_next(&reader, &move)) {
        if (move.seq > since) {
            first = first ? first : move.seq;
            count++;
        }
    }
    return first == since + 1 && count == room->seq - since;
}

/* Many updates of a large board are not worth their cost, and may exceed a reader's queue. */
static bool fits_at_once(bw_scratch *scratch, const bw_room *room, bw_moment moment, int64_t since) {
    bw_bytes *state = bw_state_for_http(scratch, room, moment);
    bool fits = (room->seq - since) * (int64_t)state->length <= BW_MISSED_BYTES;
    bw_bytes_release(state);
    return fits;
}

bool bw_missed_begin(bw_scratch *scratch, bw_room *room, bw_moment moment, int seat, int64_t since, bw_missed *missed) {
    if (!room->started_at || since >= room->seq || !all_kept(scratch, room, since) ||
        !fits_at_once(scratch, room, moment, since)) {
        return false;
    }
    *missed = (bw_missed){.room = room, .seat = seat, .since = since, .reader = bw_moves_of_base(room)};
    bw_match *match = &missed->match;
    bw_match_attach(match, room->game, scratch->block);
    if (!bw_match_at_base(room, match)) return false;
    /* After the last move it is the current one again. */
    room->solver_result = room->base[0] ? room->base[0]->solver_result : (bw_solver_result){0};
    return true;
}

bw_bytes *bw_missed_next(bw_scratch *scratch, bw_missed *missed) {
    bw_room *room = missed->room;
    bw_move move = {.action = scratch->action};
    while (bw_move_next(&missed->reader, &move)) {
        bw_events events = bw_scratch_events(scratch, room->game);
        bw_update update;
        bool shown = move.seq > missed->since && !(BW_PLANTED(GAP_IN_MISSED) && move.seq == missed->since + 1);
        if (shown) bw_update_begin(scratch, room, &missed->match, 1u << missed->seat, &update);
        bw_move_play(&missed->match, &move, shown ? &events : NULL);
        room->solver_result = move.solver_result.puzzle ? move.solver_result : room->solver_result;
        if (!shown) continue;
        bw_update_end(scratch, room, &events, &update);
        update.seq = move.seq;
        return bw_update_for(scratch, room, (bw_moment){0}, &update, missed->seat);
    }
    return NULL;
}
