/* A node that ends hands its rooms over to other nodes, a few at a time, and at a pace that the others can follow: they load
 * each of them for the clients that come at once.
 *
 * A room is played on until its turn. Then it stops (LEAVING), waits until its entries in the journal are stored, and is
 * handed over. Even if that fails, this node gives the room up: it closes the connections with 1012, and the clients
 * reconnect to the node that owns the room according to the database. So a player waits for one commit and for the new
 * owner to load the room, however many rooms are still to be moved. */
#include "rooms/hall/loading.h"

enum {
    AT_ONCE = 16,        /* rooms handed over at the same time */
    PACE_US = 40 * 1000, /* between those and the next ones */
    LOOK_US = 10 * 1000  /* between looks for rooms that were busy */
};

static const char moved[] = "room_moved";

/* A rematch or a long job ends first. */
static bool may_move(const bw_room *room) {
    const bw_session *session = room->session;
    return session->phase == BW_PHASE_LIVE && !session->rematch_under_way && !session->snapshot_wanted &&
           !session->forking && !session->recalling && session->inputs.count == 0;
}

static void hand_over(bw_hall *hall, bw_room *room) {
    bw_output *out = bw_emit(hall, BW_OUT_HAND_OVER);
    memcpy(out->room, room->id, sizeof room->id);
    out->round_us = room->session->phase_us;
}

static void begin(bw_hall *hall, bw_room *room) {
    bw_session *session = room->session;
    session->phase = BW_PHASE_LEAVING;
    session->moving = true;
    hall->moving_count++;
    if (session->round_us != INT64_MAX) session->phase_us = session->round_us;
    else if (session->phase_until_us < hall->now.mono_us) session->phase_us = 0;
    session->round_us = session->ready_us = session->idle_us = session->close_us = session->spectators_us =
        session->retry_us = INT64_MAX;
    if (room->game) bw_bots_forget(hall, room);
    for (int i = 0; i < session->chair_count; i++) bw_question_forget(hall, &session->chairs[i]);
    bw_room_schedule(hall, room);
    if (session->last_ticket <= hall->durable || BW_PLANTED(HAND_OVER_EARLY)) hand_over(hall, room);
}

void bw_hand_over_stored(bw_hall *hall, bw_room *room) {
    if (!BW_PLANTED(HAND_OVER_EARLY)) hand_over(hall, room);
}

void bw_hand_over_stop(bw_hall *hall, bw_room *room) {
    if (!room->session->moving) return;
    room->session->moving = false;
    hall->moving_count--;
    room->session->round_us = room->session->phase_us ? room->session->phase_us : INT64_MAX;
    room->session->phase_us = 0;
}

void bw_hand_over_visited(bw_hall *hall, uint64_t number, const char *id, bw_key address) {
    if (hall->closed_all) { /* in a moment the room can be taken from this node, for it has ended */
        bw_send_close(hall, NULL, number, 1012, moved);
        return;
    }
    bw_room *room = bw_room_find(hall, id);
    bool asleep = !room;
    if (asleep) {
        room = bw_room_new(hall, id); /* handed over without loading it */
        room->session->phase = BW_PHASE_LIVE;
    }
    if (!room->session->moving && room->session->phase != BW_PHASE_LIVE) { /* being loaded or put away */
        bw_send_close(hall, NULL, number, 1012, moved);
        return;
    }
    if (may_move(room)) begin(hall, room);
    if (BW_PLANTED(VISITORS_UNTOLD)) bw_conn_new(hall, number, room, address);
    else
        bw_visit(hall, room, number, address,
                 NULL); /* closed as soon as the room has moved, and served if that takes time */
}

static void refuse_inputs(bw_hall *hall, bw_room *room) {
    bw_input *front;
    while ((front = bw_queue_front(&room->session->inputs))) {
        bw_input input = *front;
        bw_queue_drop(&room->session->inputs);
        bool http = input.kind == BW_INPUT_STATE || input.kind == BW_INPUT_LOG;
        if (http) {
            bw_reply_error(hall, NULL, input.conn, 503, BW_ERROR_DRAINING,
                           "This room is just moving: try again in a moment.");
        }
        bw_bytes_release(input.bytes); /* a message has no answer yet, so its client sends it again */
    }
}

void bw_hall_handed_over(bw_hall *hall, bw_now now, const char *id) {
    bw_room *room = bw_room_find(hall, id);
    hall->now = now;
    if (!room || !room->session->moving) return;
    if (BW_PLANTED(KEEP_WHAT_MOVED)) {
        bw_hand_over_stop(hall, room);
        room->session->phase = BW_PHASE_LIVE;
        bw_run_inputs(hall, room);
        return;
    }
    hall->moving_count--;
    room->session->moving = false;
    refuse_inputs(hall, room);
    while (room->session->conns) bw_conn_close(hall, room->session->conns, 1012, moved);
    if (room->session->last_ticket <= hall->durable) bw_room_free(hall, room); /* else as soon as that is so */
    bw_hand_over_next(hall);
}

/* If a room cannot be loaded, its connections wait for nothing. */
static bool is_stuck(const bw_room *room) {
    return room->session->phase == BW_PHASE_LOADING && room->session->retry_us != INT64_MAX;
}

static void end(bw_hall *hall) {
    hall->closed_all = true;
    hall->move_us = INT64_MAX;
    while (hall->pong_list.pong_next != &hall->pong_list) {
        bw_conn *conn = hall->pong_list.pong_next;
        conn->room->session->phase = BW_PHASE_LEAVING; /* sends no news of those who leave */
        bw_conn_close(hall, conn, 1012, moved);
    }
}

void bw_hand_over_next(bw_hall *hall) {
    if (!hall->moving || hall->closed_all) return;
    bool all = true, anybody = hall->pong_list.pong_next != &hall->pong_list;
    if (anybody && hall->now.mono_us < hall->next_move_us) {
        hall->move_us = hall->next_move_us;
        return;
    }
    hall->move_us = hall->now.mono_us + LOOK_US;
    const uint32_t before = hall->moving_count;
    const bw_conn *next;
    /* It stops at the first rooms that can move: this runs for each room that has moved. */
    for (const bw_conn *conn = hall->pong_list.pong_next; conn != &hall->pong_list && hall->moving_count < AT_ONCE;
         conn = next) {
        next = conn->pong_next;
        bw_room *room = conn->room;
        if (may_move(room)) begin(hall, room);
        all = all && is_stuck(room);
    }
    if (hall->moving_count > before) hall->next_move_us = hall->now.mono_us + PACE_US;
    if (all && hall->moving_count == 0 && hall->in_flight.count == 0) end(hall);
}

void bw_hall_move_out(bw_hall *hall, bw_now now) {
    hall->now = now;
    hall->draining = hall->moving = true;
    bw_hand_over_next(hall);
}
