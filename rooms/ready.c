/* Getting ready: after the start of a game of rounds its clock waits until every person said `ready`, or gave an order,
 * and no longer than the setting allows. */
#include "rooms/internal.h"

static int64_t allowed_ms(const bw_room *room) {
    return room->game->ready_ms ? room->game->ready_ms(room->match.config) : 0;
}

bool bw_getting_ready(const bw_room *room) {
    return room->game->flags & BW_GAME_ROUNDS && bw_room_status(room) == BW_STATUS_ACTIVE && !room->clock_started_at;
}

uint32_t bw_ready_seats(const bw_room *room) {
    uint32_t ready = room->ready;
    for (int i = 0; i < room->game->role_count; i++) ready |= room->seats[i].level ? 1u << i : 0;
    return ready;
}

int64_t bw_ready_until(const bw_room *room) { return bw_getting_ready(room) ? room->started_at + allowed_ms(room) : 0; }

/* `seat` is ready (BW_WATCHER: the time is up), and with the last one the clock starts. */
static void note_ready(bw_hall *hall, bw_room *room, int seat, bw_cause cause) {
    bw_note note = {.type = BW_NOTE_READY};
    uint32_t ready = bw_ready_seats(room) | (seat >= 0 ? 1u << seat : 0);
    note.as.ready.has_by = seat >= 0;
    note.as.ready.by = (int8_t)(seat >= 0 ? seat : 0);
    note.as.ready.has_id = seat >= 0 && cause.id > 0;
    note.as.ready.id = cause.id;
    note.as.ready.has_clock_at = seat < 0 || (*room->match.seats & ~ready) == 0;
    note.as.ready.clock_at = note.as.ready.has_clock_at ? hall->now.wall_ms : 0;
    bw_commit(hall, room, &note, NULL, NULL, false, cause);
    if (!room->clock_started_at) return;
    room->ready_us = INT64_MAX;
    bw_clock_start(hall, room);
}

void bw_clock_wake(bw_hall *hall, bw_room *room, int64_t at_least_us) {
    if (!(room->game->flags & BW_GAME_ROUNDS) || bw_room_status(room) != BW_STATUS_ACTIVE ||
        room->round_us != INT64_MAX) {
        return;
    }
    if (room->clock_started_at) {
        bw_clock_start(hall, room);
        return;
    }
    /* By the clock on the wall, which goes on while a room sleeps; it may have been set since. */
    int64_t left_us = (bw_ready_until(room) - hall->now.wall_ms) * 1000, most_us = allowed_ms(room) * 1000;
    if ((*room->match.seats & ~bw_ready_seats(room)) == 0 || left_us < 0) left_us = 0;
    if (left_us > most_us) left_us = most_us;
    if (left_us < at_least_us) left_us = at_least_us;
    if (left_us == 0) {
        note_ready(hall, room, BW_WATCHER, (bw_cause){0});
    } else if (room->ready_us == INT64_MAX) {
        room->ready_us = hall->now.mono_us + left_us;
        bw_room_schedule(hall, room);
    }
}

void bw_ready_tick(bw_hall *hall, bw_room *room) {
    room->ready_us = INT64_MAX;
    if (!bw_getting_ready(room) || room->phase != BW_PHASE_LIVE) return;
    note_ready(hall, room, BW_WATCHER, (bw_cause){0});
    bw_tell_state(hall, room, NULL);
    bw_bots_think(hall, room);
}

void bw_ready_by_order(bw_hall *hall, bw_room *room, int seat) {
    if (!bw_getting_ready(room) || room->ready >> seat & 1) return;
    note_ready(hall, room, seat, (bw_cause){0});
    bw_tell_state(hall, room, NULL);
    bw_bots_think(hall, room);
}

void bw_on_ready(bw_hall *hall, const bw_asked *asked) {
    bw_conn *conn = asked->conn;
    bw_room *room = conn->room;
    if (!room->game->ready_ms) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_NOT_ALLOWED,
                  "Nobody gets ready in this game: it begins with the start.");
        return;
    }
    if (bw_room_status(room) != BW_STATUS_ACTIVE) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_WRONG_STATUS,
                  room->ended_at ? "The game is over: propose a rematch for another."
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
