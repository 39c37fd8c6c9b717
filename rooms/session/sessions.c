/* Rooms in memory: created, found, freed; their deadlines and connections. */
#include "rooms/session/session.h"

#include "engine/registry.h"

/* ---- secret randomness ---- */

void bw_draw(bw_hall *hall, uint8_t *bytes, size_t count) {
    uint32_t block[16];
    bw_chacha_block(block, hall->key, hall->drawn++, 0, 20);
    memcpy(bytes, block, count < sizeof block ? count : sizeof block);
}

static void draw_text(bw_hall *hall, char *id, size_t wanted) {
    /* No vowels, so no words; no characters that are easily confused (0 O, 1 I L, 2 Z, 5 S, 8 B). */
    static const char alphabet[] = "CDFGHJKMNPQRTVWXY34679";
    enum { LETTERS = sizeof alphabet - 1 };
    uint8_t bytes[64];
    size_t length = 0;
    while (length < wanted) {
        bw_draw(hall, bytes, sizeof bytes);
        for (size_t i = 0; i < sizeof bytes && length < wanted; i++) {
            if (bytes[i] < 256 / LETTERS * LETTERS) id[length++] = alphabet[bytes[i] % LETTERS];
        }
    }
    id[length] = 0;
}

void bw_room_id_draw(bw_hall *hall, char id[BW_ROOM_ID_MAX + 1]) { draw_text(hall, id, 8); }

void bw_replay_id_draw(bw_hall *hall, char id[BW_REPLAY_ID_MAX + 1]) { draw_text(hall, id, 12); }

/* ---- deadlines: a binary heap ---- */

static void heap_set(bw_hall *hall, size_t at, bw_room *room) {
    hall->heap[at] = room;
    room->session->heap_at = at;
}

static void heap_settle(bw_hall *hall, bw_room *room) {
    size_t at = room->session->heap_at;
    while (at > 1 && hall->heap[at / 2]->session->deadline_us > room->session->deadline_us) {
        heap_set(hall, at, hall->heap[at / 2]);
        at /= 2;
    }
    for (;;) {
        size_t child = at * 2;
        if (child < hall->heap_count &&
            hall->heap[child + 1]->session->deadline_us < hall->heap[child]->session->deadline_us) {
            child++;
        }
        if (child > hall->heap_count || hall->heap[child]->session->deadline_us >= room->session->deadline_us) break;
        heap_set(hall, at, hall->heap[child]);
        at = child;
    }
    heap_set(hall, at, room);
}

static void heap_remove(bw_hall *hall, bw_room *room) {
    size_t at = room->session->heap_at;
    if (at == 0) return;
    bw_room *last = hall->heap[hall->heap_count--];
    room->session->heap_at = 0;
    if (last != room) {
        heap_set(hall, at, last);
        heap_settle(hall, last);
    }
}

static int64_t sooner(int64_t a, int64_t b) { return a < b ? a : b; }

void bw_room_schedule(bw_hall *hall, bw_room *room) {
    int64_t due = sooner(sooner(room->session->round_us, room->session->idle_us),
                         sooner(room->session->close_us, room->session->spectators_us));
    due = sooner(due, sooner(room->session->retry_us, room->session->ready_us));
    if (due == INT64_MAX) {
        heap_remove(hall, room);
        room->session->deadline_us = due;
        return;
    }
    if (room->session->heap_at != 0 && due == room->session->deadline_us) return;
    room->session->deadline_us = due;
    if (room->session->heap_at == 0) {
        if (hall->heap_count + 2 > hall->heap_cap) {
            hall->heap_cap = hall->heap_cap ? hall->heap_cap * 2 : 64;
            hall->heap = bw_memory_grow(&hall->scratch.memory, hall->heap, hall->heap_cap * sizeof(bw_room *));
        }
        heap_set(hall, ++hall->heap_count, room);
    }
    heap_settle(hall, room);
}

/* ---- jobs ---- */

void bw_load(bw_hall *hall, bw_room *room) {
    room->session->loads++;
    memcpy(bw_emit(hall, BW_OUT_LOAD)->room, room->id, sizeof room->id);
}

void bw_job_add(bw_hall *hall, bw_room *room) {
    if (hall->jobs.count == 0) hall->jobs_us = hall->now.mono_us + BW_PACE_US;
    *(bw_key *)bw_queue_add(&hall->scratch.memory, &hall->jobs, sizeof(bw_key)) = bw_key_of_text(room->id);
}

void bw_snapshot_soon(bw_hall *hall, bw_room *room) {
    if (room->session->snapshot_wanted) return;
    room->session->snapshot_wanted = true;
    bw_job_add(hall, room);
}

/* ---- rooms ---- */

bw_room *bw_room_find(const bw_hall *hall, const char *id) { return bw_map_get(&hall->rooms, bw_key_of_text(id)); }

bool bw_is_ending(const bw_room *room) { return room->session->recalling && room->session->recalling->held.count > 0; }

bool bw_is_open(const bw_room *room) {
    return room->session->phase == BW_PHASE_LIVE && room->session->inputs.count == 0 && !bw_is_ending(room);
}

bw_room *bw_room_new(bw_hall *hall, const char *id) {
    bw_room *room = bw_memory_new(&hall->scratch.memory, sizeof *room);
    memcpy(room->id, id, strlen(id) + 1);
    room->session = bw_memory_new(&hall->scratch.memory, sizeof *room->session);
    room->scratch = &hall->scratch;
    room->session->phase = BW_PHASE_LOADING;
    bw_session *session = room->session;
    session->round_us = session->ready_us = session->idle_us = session->close_us = INT64_MAX;
    session->spectators_us = session->retry_us = session->deadline_us = INT64_MAX;
    bw_map_put(&hall->scratch.memory, &hall->rooms, bw_key_of_text(id), room);
    return room;
}

void bw_chairs_set(bw_hall *hall, bw_room *room) {
    bw_session *session = room->session;
    if (session->chair_count == room->game->role_count) return;
    bw_memory_free(&hall->scratch.memory, session->chairs);
    session->chair_count = room->game->role_count;
    session->chairs = bw_memory_new(&hall->scratch.memory, (size_t)session->chair_count * sizeof *session->chairs);
}

void bw_room_forget_durable(bw_hall *hall, bw_room *room) {
    bw_session *session = room->session;
    session->snapshot_wanted = session->hibernating = session->rematch_under_way = false;
    session->loose_records = 0;
    session->round_us = session->ready_us = INT64_MAX;
    bw_recall_forget(hall, room);
    if (room->game) bw_bots_forget(hall, room);
    for (int i = 0; i < session->chair_count; i++) bw_question_forget(hall, &session->chairs[i]);
    bw_room_clear(&hall->scratch, room);
}

void bw_room_free(bw_hall *hall, bw_room *room) {
    bw_room_forget_durable(hall, room);
    bw_room_count(hall, room);
    heap_remove(hall, room);
    bw_queue_clear(&hall->scratch.memory, &room->session->pending);
    bw_queue_clear(&hall->scratch.memory, &room->session->inputs);
    bw_map_take(&hall->scratch.memory, &hall->rooms, bw_key_of_text(room->id));
    bw_memory_free(&hall->scratch.memory, room->session->chairs);
    bw_memory_free(&hall->scratch.memory, room->session);
    bw_memory_free(&hall->scratch.memory, room);
}

void bw_room_count(bw_hall *hall, bw_room *room) {
    uint8_t status = room->game ? (uint8_t)(bw_room_status(room) + 1) : 0;
    if (status == room->session->counted) return;
    if (room->session->counted) hall->figures.rooms[room->session->counted - 1]--;
    if (status) hall->figures.rooms[status - 1]++;
    room->session->counted = status;
}

void bw_room_idle(bw_hall *hall, bw_room *room) {
    bw_clock_rest(hall, room);
    room->session->hibernating = room->session->has_turn = false;
    room->session->spectators_us = INT64_MAX;
    room->session->spectators_told = 0;
    room->session->idle_us = hall->now.mono_us + hall->settings.hibernate_ms * 1000;
    bw_room_schedule(hall, room);
}

/* ---- connections ---- */

enum {
    PING_US = 10 * 1000000,
    SILENT_US = 25 * 1000000,
    STALL_US = 2 * 1000000, /* a later tick means that we stalled, not the network */
};

/* Two rings in order of their deadlines: all intervals in a ring are equal, so a new one goes to the back. */
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

bw_conn *bw_conn_find(const bw_hall *hall, uint64_t id) { return bw_map_get(&hall->conns, bw_key_of_number(id)); }

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

bw_conn *bw_conn_new(bw_hall *hall, uint64_t id, bw_room *room, bw_key address) {
    bw_conn *conn = bw_memory_new(&hall->scratch.memory, sizeof *conn);
    conn->id = id;
    conn->room = room;
    conn->seat = BW_WATCHER;
    conn->address = address;
    conn->bucket_us = hall->now.mono_us;
    conn->next = room->session->conns;
    if (room->session->conns) room->session->conns->previous = conn;
    room->session->conns = conn;
    room->session->conn_count++;
    room->session->idle_us = INT64_MAX;
    bw_map_put(&hall->scratch.memory, &hall->conns, bw_key_of_number(id), conn);
    hall->figures.connections++;
    alive(hall, conn);
    ping_later(hall, conn);
    return conn;
}

void bw_conn_attach(bw_hall *hall, bw_conn *conn) {
    bw_room *room = conn->room;
    conn->attached = true;
    room->spectators++;
    room->session->idle_us = INT64_MAX;
    bw_send(hall, room, conn->id, bw_room_state_for(&hall->scratch, room, bw_moment_of(hall, room), BW_WATCHER));
    if (room->ended_at) {
        bw_send(hall, room, conn->id, bw_game_over_for(&hall->scratch, room));
        bw_rematch_remind(hall, conn);
    }
    bw_tell_spectators(hall, room, conn);
    bw_room_schedule(hall, room);
}

void bw_conn_leave_seat(bw_hall *hall, bw_conn *conn) {
    bw_room *room = conn->room;
    bw_chair *chair = conn->seat < room->session->chair_count ? &room->session->chairs[conn->seat] : NULL;
    if (chair && (chair->conn == conn || BW_PLANTED(STALE_CLOSE_EVICTS))) {
        chair->conn = NULL;
        chair->gone_us = hall->now.mono_us;
        chair->untold |= chair->taken > hall->durable;
        if (conn->pong_us - SILENT_US > chair->outcome_us) { /* heard from since the result was sent */
            bw_bytes_release(chair->outcome);
            chair->outcome = NULL;
        }
        room->present &= ~(1u << conn->seat);
    }
    conn->seat = BW_WATCHER;
    room->spectators += conn->attached;
}

static void drop_answers(bw_hall *hall, bw_conn *conn) {
    if (conn->answers) bw_answers_clear(&hall->scratch.memory, conn->answers);
    bw_memory_free(&hall->scratch.memory, conn->answers);
    conn->answers = NULL;
}

void bw_conn_take_seat(bw_hall *hall, bw_conn *conn, int seat) {
    bw_room *room = conn->room;
    room->session->chairs[seat].conn = conn;
    room->session->chairs[seat].untold = false;
    room->present |= 1u << seat;
    conn->seat = (int8_t)seat;
    room->spectators -= conn->attached;
    drop_answers(hall, conn);
}

/* Removes it from all lists and frees it. */
static void unlink_conn(bw_hall *hall, bw_conn *conn) {
    bw_room *room = conn->room;
    RING_REMOVE(ping, conn);
    RING_REMOVE(pong, conn);
    if (conn->previous) conn->previous->next = conn->next;
    else room->session->conns = conn->next;
    if (conn->next) conn->next->previous = conn->previous;
    room->session->conn_count--;
    room->spectators -= conn->attached && conn->seat < 0;
    bw_map_take(&hall->scratch.memory, &hall->conns, bw_key_of_number(conn->id));
    hall->figures.connections--;
    drop_answers(hall, conn);
    bw_memory_free(&hall->scratch.memory, conn);
}

void bw_conn_gone(bw_hall *hall, bw_conn *conn) {
    bw_room *room = conn->room;
    int seat = conn->seat;
    if (seat >= 0) bw_conn_leave_seat(hall, conn);
    unlink_conn(hall, conn);
    if (room->session->phase != BW_PHASE_LIVE) return;
    if (seat >= 0) bw_seat_is_away(hall, room, seat);
    else bw_tell_spectators(hall, room, NULL);
    if (room->session->conn_count == 0) bw_room_idle(hall, room);
    bw_room_schedule(hall, room);
}

void bw_conn_close(bw_hall *hall, bw_conn *conn, int code, const char *reason) {
    bw_send_close(hall, conn->room, conn->id, code, reason);
    bw_conn_gone(hall, conn);
}

void bw_conn_pong(bw_hall *hall, bw_conn *conn) {
    RING_REMOVE(pong, conn);
    alive(hall, conn);
}

int64_t bw_conns_deadline(const bw_hall *hall) {
    int64_t ping = hall->ping_list.ping_next->ping_us, pong = hall->pong_list.pong_next->pong_us;
    return ping < pong ? ping : pong;
}

/* After a stall (the process was stopped, the machine asleep) nobody was listened to, so everybody gets that time
 * again. */
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
        bw_emit(hall, BW_OUT_PING)->conn = conn->id;
        RING_REMOVE(ping, conn);
        ping_later(hall, conn);
    }
}
