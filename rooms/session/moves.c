/* Game actions, the end of a game, and the clock of games of rounds.
 *
 * Round r of such a game is due at its start + r intervals, whenever the previous one was played. After the start
 * the clock waits until every person has said `ready` or has given an order, but no longer than the setting allows.
 * If the seats of a running game are taken anew, that time starts when the last one is taken, so nobody loses rounds
 * while waiting for a friend. */
#include "rooms/session/session.h"

/* ---- the clock starts ---- */

static int64_t interval_us(const bw_room *room) {
    return (int64_t)room->game->round_ms(bw_room_match(room)->state) * 1000;
}

static void clock_start(bw_hall *hall, bw_room *room) {
    if (room->move_count >= BW_MOVES_MAX) return;
    int64_t left = interval_us(room), phase = room->session->phase_us;
    if (phase && hall->now.mono_us < room->session->phase_until_us) {
        left = (phase - hall->now.mono_us) % interval_us(room);
        left += left <= 0 ? interval_us(room) : 0;
    }
    room->session->phase_us = 0;
    room->session->round_us = hall->now.mono_us + left;
    room->session->round_wall_ms = hall->now.wall_ms + left / 1000;
    bw_room_schedule(hall, room);
}

void bw_clock_rest(bw_hall *hall, bw_room *room) {
    if (room->session->round_us != INT64_MAX) {
        room->session->phase_us = room->session->round_us;
        room->session->phase_until_us = hall->now.mono_us + interval_us(room);
    }
    bw_clock_stop(room);
}

void bw_clock_stop(bw_room *room) { room->session->round_us = room->session->ready_us = INT64_MAX; }

static int64_t allowed_ms(const bw_room *room) {
    return room->game->ready_ms ? room->game->ready_ms(bw_room_match(room)->config) : 0;
}

/* `seat` is ready (BW_WATCHER: the time is up); when all are, the clock starts. */
static void note_ready(bw_hall *hall, bw_room *room, int seat, bw_cause cause) {
    bw_change change = {.record.type = BW_RECORD_READY};
    uint32_t ready = bw_ready_seats(room) | (seat >= 0 ? 1u << seat : 0);
    change.record.as.ready.has_by = seat >= 0;
    change.record.as.ready.by = (int8_t)(seat >= 0 ? seat : 0);
    change.record.as.ready.has_id = seat >= 0 && cause.id > 0;
    change.record.as.ready.id = cause.id;
    change.record.as.ready.has_clock_at = seat < 0 || (*bw_room_match(room)->seats & ~ready) == 0;
    change.record.as.ready.clock_at = change.record.as.ready.has_clock_at ? hall->now.wall_ms : 0;
    bw_commit(hall, room, &change, cause, NULL);
    if (!room->clock_started_at) return;
    room->session->ready_us = INT64_MAX;
    clock_start(hall, room);
}

void bw_clock_wake(bw_hall *hall, bw_room *room, int64_t at_least_us) {
    if (!(room->game->flags & BW_GAME_ROUNDS) || bw_room_status(room) != BW_STATUS_ACTIVE ||
        room->session->round_us != INT64_MAX) {
        return;
    }
    if (room->clock_started_at) {
        clock_start(hall, room);
        return;
    }
    if (!room->ready_from) {
        if (!bw_seats_taken(room)) return;
        bw_change change = {.record.type = BW_RECORD_READY};
        change.record.as.ready.has_from = true;
        change.record.as.ready.from = hall->now.wall_ms;
        bw_commit(hall, room, &change, (bw_cause){0}, NULL);
    }
    /* Uses the wall clock, which goes on while a room sleeps; it may have been set meanwhile. */
    int64_t left_us = (bw_ready_until(room) - hall->now.wall_ms) * 1000, most_us = allowed_ms(room) * 1000;
    if ((*bw_room_match(room)->seats & ~bw_ready_seats(room)) == 0 || left_us < 0) left_us = 0;
    if (left_us > most_us) left_us = most_us;
    if (left_us < at_least_us) left_us = at_least_us;
    if (left_us == 0) {
        note_ready(hall, room, BW_WATCHER, (bw_cause){0});
    } else if (room->session->ready_us == INT64_MAX) {
        room->session->ready_us = hall->now.mono_us + left_us;
        bw_room_schedule(hall, room);
    }
}

static void ready_tick(bw_hall *hall, bw_room *room) {
    room->session->ready_us = INT64_MAX;
    if (!bw_getting_ready(room) || room->session->phase != BW_PHASE_LIVE) return;
    note_ready(hall, room, BW_WATCHER, (bw_cause){0});
    bw_tell_state(hall, room, NULL);
    bw_bots_think(hall, room);
}

static void ready_by_order(bw_hall *hall, bw_room *room, int seat) {
    if (!bw_getting_ready(room) || room->ready >> seat & 1) return;
    note_ready(hall, room, seat, (bw_cause){0});
    bw_tell_state(hall, room, NULL);
    bw_bots_think(hall, room);
}

/* ---- moves ---- */

static void tell_update(bw_hall *hall, bw_room *room, bw_update *update) {
    bw_moment moment = bw_moment_of(hall, room);
    for (bw_conn *conn = room->session->conns; conn; conn = conn->next) {
        int viewer = conn->seat >= 0 ? conn->seat : BW_WATCHERS;
        if (!conn->attached || !(update->viewers >> viewer & 1)) continue;
        bw_bytes *bytes = bw_update_for(&hall->scratch, room, moment, update, viewer);
        bw_send(hall, room, conn->id, bw_bytes_share(bytes));
    }
    bw_update_free(update);
}

void bw_after_move(bw_hall *hall, bw_room *room, bool was_over) {
    if (room->ended_at) {
        bw_bytes *news = bw_game_over_for(&hall->scratch, room);
        bw_broadcast(hall, room, news, NULL);
        bw_bots_forget(hall, room);
        bw_clock_stop(room);
        room->session->close_us = hall->now.mono_us + hall->settings.room_cleanup_ms * 1000;
    } else {
        room->session->close_us = INT64_MAX;
    }
    if ((room->ended_at != 0) != was_over) bw_tell_state(hall, room, NULL);
    if (room->game->puzzle || bw_bot_seats(room)) bw_bots_think(hall, room);
    bw_room_schedule(hall, room);
}

/* The change for a move. */
static bw_change move_change(const bw_hall *hall, const bw_room *room, int seat, const void *action, bw_cause cause) {
    bw_change change = {.record.type = BW_RECORD_MOVE, .action = action};
    bw_record_move *move = &change.record.as.move;
    move->at = hall->now.wall_ms;
    move->seat = (int8_t)seat;
    move->has_by = cause.conn && cause.conn->seat != seat;
    move->has_id = cause.id > 0 && !(BW_PLANTED(CLAIM_LOSES_ID) && move->has_by);
    move->id = cause.id;
    move->by = (int8_t)(move->has_by ? cause.conn->seat : 0);
    move->has_known = room->game->puzzle && bw_solver_result_news(room, &move->known);
    return change;
}

int bw_make_move(bw_hall *hall, bw_room *room, int seat, const void *action, bw_cause cause) {
    bw_events events = bw_scratch_events(&hall->scratch, room->game);
    bw_change change = move_change(hall, room, seat, action, cause);
    bool was_over = room->ended_at != 0;
    uint32_t viewers = room->present | (room->spectators > 0 ? 1u << BW_WATCHERS : 0);
    bw_update update;
    bw_update_begin(&hall->scratch, room, bw_room_match(room), viewers, &update);
    int refusal = bw_commit(hall, room, &change, cause, &events);
    if (refusal < 0) return refusal;
    hall->figures.moves_total++;
    bw_update_end(&hall->scratch, room, &events, &update);
    tell_update(hall, room, &update);
    if (cause.conn) bw_acknowledge(hall, cause.conn, cause.id);
    bw_after_move(hall, room, was_over);
    return 0;
}

static int prepare(bw_hall *hall, bw_room *room, int seat, const void *action, bw_cause cause) {
    bw_change change = {.record.type = BW_RECORD_DRAFT, .action = action};
    change.record.as.draft.seat = (int8_t)seat;
    change.record.as.draft.has_id = cause.id > 0;
    change.record.as.draft.id = cause.id;
    int refusal = BW_PLANTED(FORGET_DRAFTS) ? bw_apply(&hall->scratch, room, &change, BW_HASH_MAKE, NULL)
                                            : bw_commit(hall, room, &change, cause, NULL);
    if (refusal < 0) return refusal;
    bw_tell_you(hall, room, seat);
    if (cause.conn) bw_acknowledge(hall, cause.conn, cause.id);
    ready_by_order(hall, room, seat);
    return BW_PREPARED;
}

int bw_submit(bw_hall *hall, bw_room *room, int seat, const void *action, bw_cause cause) {
    int outcome = bw_match_resolve(bw_room_match(room), seat, action, hall->scratch.played);
    if (outcome < 0) return outcome;
    if (outcome == BW_PREPARED) return prepare(hall, room, seat, action, cause);
    int refusal = bw_make_move(hall, room, seat, hall->scratch.played, cause);
    return refusal < 0 ? refusal : BW_PLAYED;
}

/* ---- rounds ---- */

const int64_t bw_lateness_bounds_us[BW_LATENESS_BUCKETS - 1] = {
    50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000, 5000000};

static void measure(bw_hall *hall, int64_t late_us) {
    int bucket = 0;
    while (bucket < BW_LATENESS_BUCKETS - 1 && late_us > bw_lateness_bounds_us[bucket]) bucket++;
    if (late_us > hall->figures.lateness_max_us) hall->figures.lateness_max_us = late_us;
    hall->figures.lateness[bucket]++;
    hall->figures.lateness_sum_seconds += (double)late_us / 1e6;
}

static void put_off(bw_room *room, int64_t us) {
    room->session->round_us += us;
    room->session->round_wall_ms += us / 1000;
}

static void round_tick(bw_hall *hall, bw_room *room) {
    int64_t late = hall->now.mono_us - room->session->round_us, interval = interval_us(room);
    if (late < 0) return;
    if (room->move_count >= BW_MOVES_MAX) { /* the clock stays stopped until somebody gives up */
        bw_clock_stop(room);
        bw_tell_state(hall, room, NULL);
        return;
    }
    if (late > interval && !BW_PLANTED(BURST)) {
        /* After a stall (a suspended machine), whole intervals are skipped instead of playing a burst of rounds.
         * Each room keeps its phase within the interval, so rooms that stalled together do not tick together for
         * ever. */
        put_off(room, (late / interval + 1) * interval);
        bw_tell_state(hall, room, NULL);
        return;
    }
    measure(hall, late);
    put_off(room, interval + (BW_PLANTED(DRIFT) ? late : 0));
    bw_match_collect(bw_room_match(room), hall->scratch.played);
    bw_make_move(hall, room, BW_CLOCK, hall->scratch.played, (bw_cause){0});
    bw_room_schedule(hall, room);
}

void bw_clock_tick(bw_hall *hall, bw_room *room) {
    if (room->session->ready_us <= hall->now.mono_us) ready_tick(hall, room);
    if (room->session->round_us <= hall->now.mono_us) round_tick(hall, room);
}

/* ---- from players ---- */

bool bw_may_act(bw_hall *hall, const bw_asked *asked, uint32_t flags) {
    const bw_room *room = asked->conn->room;
    bw_status status = bw_room_status(room);
    if (status != BW_STATUS_ACTIVE && !(status == BW_STATUS_ENDED && flags & BW_ACTION_REOPENS)) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_WRONG_STATUS,
                  status == BW_STATUS_ENDED ? "The game is over: propose a rematch to play again."
                                            : "The game has not started yet.");
        return false;
    }
    if (bw_room_paused(room)) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_PAUSED, "The game is paused until every player is back.");
        return false;
    }
    if (!(flags & BW_ACTION_REOPENS) && !(room->game->turn(bw_room_match(room)->state) >> asked->conn->seat & 1)) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NOT_YOUR_TURN, "It is not your turn: wait for the others.");
        return false;
    }
    if (status == BW_STATUS_ENDED && room->replays_written > BW_REPLAYS_MAX) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NOT_ALLOWED,
                  "This game has ended and been resumed too often: make a new room to play on.");
        return false;
    }
    if (room->move_count >= BW_MOVES_MAX) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NOT_ALLOWED,
                  "This game has reached the limit of 5,000 moves: make a new room to play on.");
        return false;
    }
    return true;
}

void bw_on_action(bw_hall *hall, const bw_asked *asked, void *action) {
    bw_room *room = asked->conn->room;
    const bw_game *game = room->game;
    const bw_case *kind = &game->actions->cases[*(const uint8_t *)action];
    if (!bw_may_act(hall, asked, kind->flags)) return;
    if (game->set_date) bw_set_date(game, NULL, action, hall->now.wall_ms);
    int outcome = bw_submit(hall, room, asked->conn->seat, action, (bw_cause){asked->conn, asked->id});
    if (outcome < 0) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_ILLEGAL, bw_refusal(game, outcome));
    }
}

void bw_on_resign(bw_hall *hall, const bw_asked *asked) {
    bw_conn *conn = asked->conn;
    bw_room *room = conn->room;
    if (bw_room_status(room) != BW_STATUS_ACTIVE) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_WRONG_STATUS, "Only a running game can be resigned.");
        return;
    }
    uint32_t seats = *bw_room_match(room)->seats;
    if (!room->game->resign || (seats & (seats - 1)) == 0) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_NOT_ALLOWED,
                  "A game for one cannot be resigned: leave it, or start it again.");
        return;
    }
    int refusal = bw_make_move(hall, room, conn->seat, NULL, (bw_cause){conn, asked->id});
    if (refusal < 0) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_ILLEGAL, bw_refusal(room->game, refusal));
    }
}

void bw_on_ready(bw_hall *hall, const bw_asked *asked) {
    bw_conn *conn = asked->conn;
    bw_room *room = conn->room;
    if (!room->game->ready_ms) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_NOT_ALLOWED,
                  "Players need not get ready in this game: it begins at the start.");
        return;
    }
    if (bw_room_status(room) != BW_STATUS_ACTIVE) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_WRONG_STATUS,
                  room->ended_at ? "The game is over: propose a rematch to play again."
                                 : "The game has not started yet: get ready after the start.");
        return;
    }
    if (bw_getting_ready(room) && !(room->ready >> conn->seat & 1)) {
        note_ready(hall, room, conn->seat, (bw_cause){conn, asked->id});
        bw_tell_state(hall, room, NULL);
        bw_bots_think(hall, room);
    }
    bw_acknowledge(hall, conn, asked->id);
}
