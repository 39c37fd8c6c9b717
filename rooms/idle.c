/* Rooms nobody is in: they leave memory, and in time the journal. */
#include "rooms/internal.h"

enum { SNAPSHOT_NOTES = 32, LATER_US = 1000000 };

void bw_idle_begin(bw_hall *hall, bw_room *room) {
    bw_clock_stop(room);
    room->hibernating = false;
    room->spectators_us = INT64_MAX;
    room->spectators_told = 0;
    room->idle_us = hall->now.mono_us + hall->settings.hibernate_ms * 1000;
    bw_room_schedule(hall, room);
}

static bool has_refusals(const bw_room *room) {
    for (int i = 0; i < room->game->role_count; i++) {
        bw_answers_position position = {0};
        bw_answer answer;
        while (bw_answers_next(&room->seats[i].answers, &position, &answer)) {
            if (answer.refusal) return true;
        }
    }
    return false;
}

void bw_idle_leave(bw_hall *hall, bw_room *room) {
    room->idle_us = INT64_MAX;
    room->hibernating = false;
    room->phase = BW_PHASE_LEAVING;
    if (room->last_ticket <= hall->durable) bw_left(hall, room);
}

static void hibernate(bw_hall *hall, bw_room *room) {
    bw_bots_forget(hall, room);
    if (room->note_count - room->snapshot_index >= SNAPSHOT_NOTES || has_refusals(room)) {
        room->hibernating = true;
        room->idle_us = INT64_MAX;
        bw_snapshot_soon(hall, room);
        bw_room_schedule(hall, room);
        return;
    }
    if (!room->ended_at) bw_append(hall, room, BW_ENTRY_TOUCH, NULL, (bw_cause){0}); /* when somebody was last there */
    bw_idle_leave(hall, room);
}

void bw_idle_tick(bw_hall *hall, bw_room *room) {
    if (room->last_ticket > hall->durable || room->rematch_under_way || room->inputs.count > 0 ||
        room->snapshot_wanted) {
        room->idle_us = hall->now.mono_us + LATER_US;
        bw_room_schedule(hall, room);
        return;
    }
    hibernate(hall, room);
}

static void forget(bw_hall *hall, bw_room *room) {
    room->phase = BW_PHASE_LEAVING;
    room->forgetting = true;
    room->round_us = room->ready_us = room->idle_us = room->close_us = room->spectators_us = room->retry_us = INT64_MAX;
    bw_append(hall, room, BW_ENTRY_FORGET, NULL, (bw_cause){0});
    bw_room_schedule(hall, room);
}

void bw_close_tick(bw_hall *hall, bw_room *room) {
    bw_server_message message = {.type = BW_TELL_ROOM_CLOSED};
    static const char reason[] = "The game ended a while ago: this room is closed. Its replay stays.";
    memcpy(message.as.room_closed.reason, reason, sizeof reason);
    bw_bytes *news = bw_message(hall, &message);
    bw_broadcast(hall, room, news);
    bw_bytes_release(news);
    bw_bots_forget(hall, room);
    room->phase = BW_PHASE_LEAVING; /* nobody is told of the others' going */
    while (room->conns) bw_conn_close(hall, room->conns, 1000, "room_closed");
    forget(hall, room);
}

void bw_left(bw_hall *hall, bw_room *room) {
    if (room->inputs.count == 0 && BW_PLANTED(LEAK_ROOMS) && !room->forgetting) {
        room->phase = BW_PHASE_LIVE;
    } else if (room->inputs.count == 0) {
        bw_room_free(hall, room);
    } else if (room->forgetting) {
        bw_room_forget_durable(hall, room);
        room->forgetting = false;
        room->last_ticket = 0;
        bw_load_again(hall, room);
    } else {
        room->phase = BW_PHASE_LIVE;
        bw_run_inputs(hall, room);
    }
}

void bw_hall_swept(bw_hall *hall, bw_now now, const char (*rooms)[BW_ROOM_ID_MAX + 1], size_t count) {
    hall->now = now;
    for (size_t i = 0; i < count; i++) {
        if (!bw_room_find(hall, rooms[i])) forget(hall, bw_room_new(hall, rooms[i]));
    }
}

/* ---- draining ---- */

void bw_drain_check(bw_hall *hall) {
    if (!hall->draining || hall->closed_all || hall->underway.count > 0) return;
    hall->closed_all = true;
    while (hall->pong_list.pong_next != &hall->pong_list) {
        bw_conn *conn = hall->pong_list.pong_next;
        conn->room->phase = BW_PHASE_LEAVING; /* nobody is told of the others' going */
        bw_conn_close(hall, conn, 1012, "The server is restarting.");
    }
}

void bw_hall_drain(bw_hall *hall, bw_now now) {
    hall->now = now;
    hall->draining = true;
    bw_drain_check(hall);
}

bool bw_hall_drained(const bw_hall *hall) { return hall->closed_all && hall->outputs.count == 0; }
