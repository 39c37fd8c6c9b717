/* Connections: who is there, who looks on, who has fallen silent. */
#include "rooms/internal.h"

enum {
    PING_US = 10 * 1000000,
    SILENT_US = 25 * 1000000,
    STALL_US = 2 * 1000000, /* a tick that is later than that was not the network's fault */
};

/* Two rings in the order in which they fall due: every interval in a ring is the same, so the back is last. */
#define RING_ADD(ring, member, conn)                           \
    do {                                                       \
        (conn)->member##_next = (ring);                        \
        (conn)->member##_previous = (ring)->member##_previous; \
        (ring)->member##_previous->member##_next = (conn);     \
        (ring)->member##_previous = (conn);                    \
    } while (0)
#define RING_REMOVE(member, conn)                                             \
    do {                                                                      \
        (conn)->member##_previous->member##_next = (conn)->member##_next;     \
        (conn)->member##_next->member##_previous = (conn)->member##_previous; \
    } while (0)

bw_conn *bw_conn_find(const bw_hall *hall, uint64_t number) {
    return bw_map_get(&hall->conns, bw_key_of_number(number));
}

void bw_conns_init(bw_hall *hall) {
    hall->ping_list.ping_next = hall->ping_list.ping_previous = &hall->ping_list;
    hall->pong_list.pong_next = hall->pong_list.pong_previous = &hall->pong_list;
    hall->ping_list.ping_us = hall->pong_list.pong_us = INT64_MAX;
}

static void alive(bw_hall *hall, bw_conn *conn) {
    conn->pong_us = hall->now.mono_us + SILENT_US;
    RING_ADD(&hall->pong_list, pong, conn);
}

static void ping_later(bw_hall *hall, bw_conn *conn) {
    conn->ping_us = hall->now.mono_us + PING_US;
    RING_ADD(&hall->ping_list, ping, conn);
}

static bw_conn *make(bw_hall *hall, uint64_t number, bw_room *room, const char *address) {
    bw_conn *conn = bw_memory_new(&hall->memory, sizeof *conn);
    conn->number = number;
    conn->room = room;
    conn->seat = BW_WATCHER;
    conn->address = bw_address_key(address);
    bw_limit_init(hall, conn);
    conn->next = room->conns;
    if (room->conns) room->conns->previous = conn;
    room->conns = conn;
    room->conn_count++;
    room->idle_us = INT64_MAX;
    bw_map_put(&hall->memory, &hall->conns, bw_key_of_number(number), conn);
    hall->figures.connections++;
    alive(hall, conn);
    ping_later(hall, conn);
    return conn;
}

static void refuse_opening(bw_hall *hall, uint64_t number, bw_error_code code, const char *sentence, int close_code) {
    bw_send(hall, NULL, number, bw_error_message(hall, code, sentence, 0));
    bw_send_close(hall, NULL, number, close_code, bw_error_code_names.names[code]);
}

void bw_hall_opened(bw_hall *hall, bw_now now, uint64_t number, const char *id, const char *game_id,
                    const char *address) {
    char folded[BW_ROOM_ID_MAX + 1];
    const bw_game *game = bw_game_for_new_room(hall, game_id);
    hall->now = now;
    if (hall->draining) {
        refuse_opening(hall, number, BW_ERROR_DRAINING, "The server is restarting: try again in a moment.", 1012);
        return;
    }
    if (!bw_room_id_fold(id, folded)) {
        refuse_opening(hall, number, BW_ERROR_BAD_MESSAGE, "A room's id is 4 to 12 letters and digits.", 1008);
        return;
    }
    bw_room *room = bw_room_find(hall, folded);
    bw_key from = bw_address_key(address);
    bool known = room && room->payer.a == from.a && room->payer.b == from.b;
    if (!known && !bw_limit_look(hall, from)) {
        refuse_opening(hall, number, BW_ERROR_RATE_LIMITED,
                       "Too many look-ups from your address found nothing: try again in a minute.", 1013);
        return;
    }
    if (room && room->conn_count >= BW_ROOM_CONNECTIONS) {
        refuse_opening(hall, number, BW_ERROR_RATE_LIMITED, "This room is full: 10,000 are looking on already.", 1013);
        return;
    }
    if (!room && hall->rooms.count >= BW_ROOMS_MAX) {
        refuse_opening(hall, number, BW_ERROR_RATE_LIMITED,
                       "The server holds as many rooms as it can: try again later.", 1013);
        return;
    }
    room = room ? room : bw_room_load(hall, folded);
    bw_conn *conn = make(hall, number, room, address);
    if (room->phase == BW_PHASE_LIVE) bw_conn_attach(hall, conn);
    else bw_wait_input(hall, room, (bw_input){.kind = BW_INPUT_OPEN, .conn = number, .game = game});
}

void bw_conn_attach(bw_hall *hall, bw_conn *conn) {
    bw_room *room = conn->room;
    conn->attached = true;
    room->spectators++;
    room->idle_us = INT64_MAX;
    bw_send(hall, room, conn->number, bw_room_state_for(hall, room, BW_WATCHER));
    if (room->ended_at) {
        bw_send(hall, room, conn->number, bw_game_over_for(hall, room));
        bw_rematch_remind(hall, conn);
    }
    bw_spectators_changed(hall, room, conn);
    bw_room_schedule(hall, room);
}

void bw_spectators_changed(bw_hall *hall, bw_room *room, const bw_conn *but) {
    enum { MANY = 16, COALESCE_US = 1000000 };
    if (room->spectators == room->spectators_told || room->phase != BW_PHASE_LIVE) return;
    if (room->conn_count <= MANY) {
        bw_tell_state(hall, room, but);
    } else if (room->spectators_us == INT64_MAX) {
        room->spectators_us = hall->now.mono_us + COALESCE_US;
        bw_room_schedule(hall, room);
    }
}

void bw_conn_leave_seat(bw_hall *hall, bw_conn *conn) {
    bw_room *room = conn->room;
    /* A room that is being read again has its seats set aside. */
    bw_seat *seat = room->seats ? bw_seat_of(conn) : conn->seat < room->old_count ? &room->old_seats[conn->seat] : NULL;
    if (seat && (seat->conn == conn || BW_PLANTED(STALE_CLOSE_EVICTS))) {
        seat->conn = NULL;
        seat->gone_us = hall->now.mono_us;
    }
    conn->seat = BW_WATCHER;
    room->spectators += conn->attached;
}

void bw_conn_take_seat(bw_hall *hall, bw_conn *conn, int seat) {
    bw_room *room = conn->room;
    room->seats[seat].conn = conn;
    conn->seat = (int8_t)seat;
    room->spectators -= conn->attached;
    bw_answers_clear(hall, &conn->answers);
}

/* Out of every list; the memory too. */
static void unlink_conn(bw_hall *hall, bw_conn *conn) {
    bw_room *room = conn->room;
    RING_REMOVE(ping, conn);
    RING_REMOVE(pong, conn);
    if (conn->previous) conn->previous->next = conn->next;
    else room->conns = conn->next;
    if (conn->next) conn->next->previous = conn->previous;
    room->conn_count--;
    room->spectators -= conn->attached && conn->seat < 0;
    bw_map_take(&hall->memory, &hall->conns, bw_key_of_number(conn->number));
    hall->figures.connections--;
    bw_answers_clear(hall, &conn->answers);
    bw_memory_free(&hall->memory, conn);
}

void bw_conn_gone(bw_hall *hall, bw_conn *conn) {
    bw_room *room = conn->room;
    int seat = conn->seat;
    if (seat >= 0) bw_conn_leave_seat(hall, conn);
    unlink_conn(hall, conn);
    if (room->phase != BW_PHASE_LIVE) return;
    if (seat >= 0) bw_seat_is_away(hall, room, seat);
    else bw_spectators_changed(hall, room, NULL);
    if (room->conn_count == 0) bw_idle_begin(hall, room);
    bw_room_schedule(hall, room);
}

void bw_conn_close(bw_hall *hall, bw_conn *conn, int code, const char *reason) {
    bw_send_close(hall, conn->room, conn->number, code, reason);
    bw_conn_gone(hall, conn);
}

void bw_hall_closed(bw_hall *hall, bw_now now, uint64_t number) {
    bw_conn *conn = bw_conn_find(hall, number);
    hall->now = now;
    if (conn) bw_conn_gone(hall, conn);
}

void bw_hall_pong(bw_hall *hall, bw_now now, uint64_t number) {
    bw_conn *conn = bw_conn_find(hall, number);
    hall->now = now;
    if (conn) {
        RING_REMOVE(pong, conn);
        alive(hall, conn);
    }
}

int64_t bw_conns_deadline(const bw_hall *hall) {
    int64_t ping = hall->ping_list.ping_next->ping_us, pong = hall->pong_list.pong_next->pong_us;
    return ping < pong ? ping : pong;
}

/* Who was not listened to is not silent: after a stall of ours (the process stopped, the machine asleep) everybody
 * has the time again in which nobody looked. */
static void forgive_stall(bw_hall *hall) {
    int64_t late = hall->now.mono_us - bw_conns_deadline(hall);
    if (late < STALL_US) return;
    for (bw_conn *conn = hall->pong_list.pong_next; conn != &hall->pong_list; conn = conn->pong_next) {
        conn->pong_us += late;
    }
}

void bw_conns_tick(bw_hall *hall) {
    int64_t now = hall->now.mono_us;
    forgive_stall(hall);
    for (bw_conn *conn; (conn = hall->pong_list.pong_next)->pong_us <= now;) {
        bw_conn_close(hall, conn, 1001, "No sign of life.");
    }
    for (bw_conn *conn; (conn = hall->ping_list.ping_next)->ping_us <= now;) {
        bw_emit(hall, BW_OUT_PING)->conn = conn->number;
        RING_REMOVE(ping, conn);
        ping_later(hall, conn);
    }
}
