/* The hall itself: creation and destruction, inputs, deadlines, outputs. */
#include "engine/registry.h"
#include "rooms/hall/loading.h"

enum {
    SWEEP_US = 60 * 1000000,
    SWEPT_AT_ONCE = 32,
    SWEEP_AGAIN_US = 100000,
    QUEUE_KEPT = 1024,
    ROOMS_A_TICK = 8,
    SNAPSHOT_RECORDS = 32, /* with fewer, reading the records is as fast as a snapshot */
    LATER_US = 1000000,
    RECORD_US = 20, /* more than the journal needs to delete one, with its share of the commit */
};

bw_hall *bw_hall_new(const bw_hall_settings *settings, const uint8_t key[32]) {
    bw_hall *hall = calloc(1, sizeof *hall);
    if (!hall) return NULL;
    hall->settings = *settings;
    memcpy(hall->key, key, 32);
    uint64_t secrets[8];
    bw_draw(hall, (uint8_t *)secrets, sizeof secrets);
    bw_map *const maps[] = {&hall->rooms, &hall->conns, &hall->wanted, &hall->works, &hall->questions};
    for (int i = 0; i < 5; i++) {
        maps[i]->secret[0] = secrets[i];
        maps[i]->secret[1] = secrets[i + 1];
    }
    hall->addresses_secret = secrets[7];
    bw_conns_init(hall);
    bw_scratch_init(&hall->scratch);
    hall->sweep_us = 0; /* at once */
    hall->move_us = INT64_MAX;
    return hall;
}

static void free_room(bw_hall *hall, bw_room *room) {
    while (room->session->conns) {
        room->session->phase = BW_PHASE_LEAVING;
        bw_conn_gone(hall, room->session->conns);
    }
    for (size_t i = 0; i < room->session->pending.count; i++) {
        bw_bytes_release(((bw_pending *)bw_queue_item(&room->session->pending, i))->bytes);
    }
    for (size_t i = 0; i < room->session->inputs.count; i++) {
        bw_bytes_release(((bw_input *)bw_queue_item(&room->session->inputs, i))->bytes);
    }
    bw_old_seats_drop(hall, room);
    bw_fork_end(hall, room);
    bw_room_free(hall, room);
}

void bw_hall_free(bw_hall *hall) {
    bw_room *room;
    bw_wanted *wanted;
    if (!hall) return;
    while ((room = bw_map_any(&hall->rooms))) free_room(hall, room);
    bw_output out;
    while (bw_hall_next(hall, &out)) bw_bytes_release(out.bytes);
    bw_limits_clear(hall);
    bw_map_clear(&hall->scratch.memory, &hall->rooms);
    bw_map_clear(&hall->scratch.memory, &hall->conns);
    bw_map_clear(&hall->scratch.memory, &hall->works);
    while ((wanted = bw_map_any(&hall->wanted))) {
        bw_memory_free(&hall->scratch.memory,
                       bw_map_take(&hall->scratch.memory, &hall->wanted, bw_key_of_number(wanted->conn)));
    }
    bw_map_clear(&hall->scratch.memory, &hall->wanted);
    bw_map_clear(&hall->scratch.memory, &hall->questions);
    bw_queue_clear(&hall->scratch.memory, &hall->outputs);
    bw_queue_clear(&hall->scratch.memory, &hall->in_flight);
    bw_queue_clear(&hall->scratch.memory, &hall->jobs);
    bw_memory_free(&hall->scratch.memory, hall->heap);
    bw_scratch_clear(&hall->scratch);
    free(hall);
}

/* ---- sockets ---- */

static void refuse_opening(bw_hall *hall, uint64_t number, bw_error_code code, const char *sentence, int close_code) {
    bw_send(hall, NULL, number, bw_error_message(hall, code, sentence, 0));
    bw_send_close(hall, NULL, number, close_code, bw_error_code_names.names[code]);
}

void bw_hall_opened(bw_hall *hall, bw_now now, uint64_t number, const char *id, const char *game_id,
                    const char *address) {
    char folded[BW_ROOM_ID_MAX + 1];
    const bw_game *game = bw_game_for_new_room(hall, game_id);
    hall->now = now;
    if (hall->draining && !hall->moving) {
        refuse_opening(hall, number, BW_ERROR_DRAINING, "The server is restarting: try again in a moment.", 1012);
        return;
    }
    if (!bw_room_id_fold(id, folded)) {
        refuse_opening(hall, number, BW_ERROR_BAD_MESSAGE, "A room's id has 4 to 12 letters and digits.", 1008);
        return;
    }
    bw_room *room = bw_room_find(hall, folded);
    bw_key from = bw_address_key(address);
    bool known = room && room->session->payer.a == from.a && room->session->payer.b == from.b;
    if (!known && !bw_limit_look(hall, from)) {
        refuse_opening(hall, number, BW_ERROR_RATE_LIMITED,
                       "Too many look-ups from your address found nothing: try again in a minute.", 1013);
        return;
    }
    if (!room && !bw_may_begin_work(hall, from)) {
        refuse_opening(hall, number, BW_ERROR_RATE_LIMITED, bw_too_much_work, 1013);
        return;
    }
    if (room && room->session->conn_count >= BW_ROOM_CONNECTIONS) {
        refuse_opening(hall, number, BW_ERROR_RATE_LIMITED, "This room is full: it already has 10,000 spectators.",
                       1013);
        return;
    }
    if (!room && hall->rooms.count >= BW_ROOMS_MAX) {
        refuse_opening(hall, number, BW_ERROR_RATE_LIMITED, "The server is full: try again later.", 1013);
        return;
    }
    if (hall->moving) {
        bw_hand_over_visited(hall, number, folded, from);
        return;
    }
    bw_visit(hall, room ? room : bw_room_load(hall, folded), number, from, game);
}

bool bw_hall_may_make(bw_hall *hall, bw_now now, const char *game_id, const char *address) {
    bw_key from = bw_address_key(address);
    hall->now = now;
    return !hall->draining && !hall->storage_full && hall->rooms.count < BW_ROOMS_MAX &&
           bw_game_for_new_room(hall, game_id) && bw_limit_look(hall, from) && bw_limit_has_room(hall, from);
}

void bw_message_for(bw_hall *hall, bw_conn *conn, const char *bytes, size_t length) {
    bw_room *room = conn->room;
    const bw_key address = conn->address; /* its address pays for the work even if the connection is gone by the end */
    const uint64_t before = hall->scratch.work;
    bw_dispatch(hall, conn, bytes, length);
    bw_limit_dear(hall, address, hall->scratch.work - before);
    if (room->agreed && room->session->retry_us == INT64_MAX) bw_rematch_check(hall, room);
}

void bw_hall_message(bw_hall *hall, bw_now now, uint64_t number, const char *bytes, size_t length) {
    bw_conn *conn = bw_conn_find(hall, number);
    hall->now = now;
    if (!conn || !bw_within_limits(hall, conn)) return;
    if (!bw_is_open(conn->room)) {
        bw_wait_message(hall, conn, bytes, length);
        return;
    }
    bw_message_for(hall, conn, bytes, length);
}

void bw_hall_leaving(bw_hall *hall, uint64_t number) {
    bw_conn *conn = bw_conn_find(hall, number);
    if (conn) conn->leaving = true;
}

void bw_hall_message_too_large(bw_hall *hall, bw_now now, uint64_t number) {
    bw_conn *conn = bw_conn_find(hall, number);
    hall->now = now;
    if (!conn || !bw_within_limits(hall, conn)) return;
    if (!bw_is_open(conn->room)) {
        bw_wait_input(hall, conn->room, (bw_input){.kind = BW_INPUT_TOO_LARGE, .conn = number});
        return;
    }
    bw_dispatch_too_large(hall, conn);
}

void bw_hall_closed(bw_hall *hall, bw_now now, uint64_t number) {
    bw_conn *conn = bw_conn_find(hall, number);
    hall->now = now;
    if (conn) bw_conn_gone(hall, conn);
}

void bw_hall_pong(bw_hall *hall, bw_now now, uint64_t number) {
    bw_conn *conn = bw_conn_find(hall, number);
    hall->now = now;
    if (conn) bw_conn_pong(hall, conn);
}

void bw_hall_storage_full(bw_hall *hall, bool full) { hall->storage_full = full; }

/* ---- rooms without visitors leave memory, and later the journal ---- */

static void left(bw_hall *hall, bw_room *room) {
    if (room->session->moving) {
        bw_hand_over_stored(hall, room);
    } else if (room->session->inputs.count == 0 && BW_PLANTED(LEAK_ROOMS) && !room->session->forgetting) {
        room->session->phase = BW_PHASE_LIVE;
    } else if (room->session->inputs.count == 0) {
        bw_room_free(hall, room);
    } else if (room->session->forgetting) {
        bw_room_forget_durable(hall, room);
        room->session->forgetting = false;
        room->session->last_ticket = 0;
        bw_load_again(hall, room);
    } else {
        room->session->phase = BW_PHASE_LIVE;
        bw_run_inputs(hall, room);
    }
}

static bool has_refusals(const bw_room *room) {
    for (int i = 0; i < room->game->role_count; i++) {
        bw_answers_position position = {0};
        bw_answer answer;
        while (bw_answers_next(&bw_seat_at(room, i)->answers, &position, &answer)) {
            if (answer.refusal) return true;
        }
    }
    return false;
}

void bw_sleep_now(bw_hall *hall, bw_room *room) {
    room->session->idle_us = INT64_MAX;
    room->session->hibernating = false;
    room->session->phase = BW_PHASE_LEAVING;
    if (room->session->last_ticket <= hall->durable) left(hall, room);
}

/* Putting a room away makes the journal delete its records, and everybody's moves wait for that. So rooms that were left
 * together take turns. true: the room's is later, at *due. */
static bool waits_for_turn(bw_hall *hall, bw_room *room, int64_t *due) {
    if (room->session->has_turn) return false;
    room->session->has_turn = true;
    *due = hall->put_away_us > hall->now.mono_us ? hall->put_away_us : hall->now.mono_us;
    hall->put_away_us = *due + (int64_t)(room->record_count - room->snapshot_index) * RECORD_US;
    if (*due > hall->now.mono_us) bw_room_schedule(hall, room);
    return *due > hall->now.mono_us;
}

static void hibernate(bw_hall *hall, bw_room *room) {
    bw_bots_forget(hall, room);
    if (room->record_count - room->snapshot_index >= SNAPSHOT_RECORDS || has_refusals(room)) {
        room->session->hibernating = true;
        room->session->idle_us = INT64_MAX;
        bw_snapshot_soon(hall, room);
        bw_room_schedule(hall, room);
        return;
    }
    if (!room->ended_at) bw_append(hall, room, BW_ENTRY_TOUCH, NULL, (bw_cause){0}); /* when the last visitor left */
    bw_sleep_now(hall, room);
}

static void idle_tick(bw_hall *hall, bw_room *room) {
    if (room->session->last_ticket > hall->durable || room->session->rematch_under_way ||
        room->session->inputs.count > 0 || room->session->snapshot_wanted || room->session->recalling) {
        room->session->idle_us = hall->now.mono_us + LATER_US;
        bw_room_schedule(hall, room);
        return;
    }
    if (!waits_for_turn(hall, room, &room->session->idle_us)) hibernate(hall, room);
}

static void forget(bw_hall *hall, bw_room *room) {
    room->session->phase = BW_PHASE_LEAVING;
    room->session->forgetting = true;
    room->session->round_us = room->session->ready_us = room->session->idle_us = room->session->close_us =
        room->session->spectators_us = room->session->retry_us = INT64_MAX;
    bw_append(hall, room, BW_ENTRY_FORGET, NULL, (bw_cause){0});
    bw_room_schedule(hall, room);
}

static void close_room(bw_hall *hall, bw_room *room) {
    if (room->session->recalling) {
        room->session->close_us = hall->now.mono_us + LATER_US;
        bw_room_schedule(hall, room);
        return;
    }
    if (waits_for_turn(hall, room, &room->session->close_us)) return;
    bw_server_message message = {.type = BW_TELL_ROOM_CLOSED};
    static const char reason[] = "The game ended a while ago and this room is closed. The replay is still available.";
    memcpy(message.as.room_closed.reason, reason, sizeof reason);
    bw_bytes *news = bw_message(&hall->scratch, &message);
    bw_broadcast(hall, room, news, NULL);
    bw_bots_forget(hall, room);
    room->session->phase = BW_PHASE_LEAVING; /* nobody is told that the others leave */
    while (room->session->conns) bw_conn_close(hall, room->session->conns, 1000, "room_closed");
    forget(hall, room);
}

void bw_hall_swept(bw_hall *hall, bw_now now, const char (*rooms)[BW_ROOM_ID_MAX + 1], size_t count) {
    hall->now = now;
    int forgotten = 0;
    for (size_t i = 0; i < count; i++) {
        if (bw_room_find(hall, rooms[i])) continue;
        if (forgotten++ == SWEPT_AT_ONCE) { /* hundreds in one commit would hold up everybody's moves */
            hall->sweep_us = now.mono_us + SWEEP_AGAIN_US;
            return;
        }
        forget(hall, bw_room_new(hall, rooms[i]));
    }
}

/* ---- draining ---- */

void bw_drain_check(bw_hall *hall) {
    bw_hand_over_next(hall);
    if (!hall->draining || hall->moving || hall->closed_all || hall->in_flight.count > 0 || hall->ending > 0) {
        return;
    }
    hall->closed_all = true;
    while (hall->pong_list.pong_next != &hall->pong_list) {
        bw_conn *conn = hall->pong_list.pong_next;
        conn->room->session->phase = BW_PHASE_LEAVING; /* nobody is told that the others leave */
        bw_conn_close(hall, conn, 1012, "The server is restarting.");
    }
}

void bw_hall_drain(bw_hall *hall, bw_now now) {
    hall->now = now;
    hall->draining = true;
    bw_drain_check(hall);
}

bool bw_hall_drained(const bw_hall *hall) { return hall->closed_all && hall->outputs.count == 0; }

/* ---- jobs ---- */

/* Long jobs are done in slices, with a pause between slices that is as long as one, so that messages and rounds get
 * their turn: loading a long game, snapshotting it, forking it. Rooms take turns. */

static bool snapshot_job(bw_hall *hall, bw_room *room) {
    if (room->session->phase != BW_PHASE_LIVE) {
        bw_snapshot_drop(&hall->scratch, room);
        room->session->snapshot_wanted = false;
        bw_recall_done(hall, room);
        return true;
    }
    if (!bw_recall(hall, room, room->session->payer)) return true; /* it goes on when the moves are there */
    if (!room->snapshotting) bw_snapshot_begin(&hall->scratch, room);
    if (!bw_snapshot_slice(&hall->scratch, room)) return false;
    room->session->snapshot_wanted = false;
    bw_append(hall, room, BW_ENTRY_SNAPSHOT, bw_snapshot_end(&hall->scratch, room), (bw_cause){0});
    room->snapshot_index = room->record_count;
    room->session->loose_records = 0;
    bw_recall_done(hall, room);
    if (room->session->hibernating && room->session->conn_count == 0 && room->session->inputs.count == 0)
        bw_sleep_now(hall, room);
    return true;
}

/* The address that pays for the next slice. */
static bw_key worker(const bw_room *room) {
    if (room->session->forking) return room->session->forking->input.address;
    return room->session->snapshot_wanted && !room->rebuilding ? room->session->payer : room->session->waker;
}

/* true: the job has ended, with or without success. */
static bool slice(bw_hall *hall, bw_room *room) {
    if (room->session->forking && bw_overworked(hall, worker(room))) return bw_fork_stop(hall, room), true;
    if (room->session->forking) return bw_fork_slice(hall, room);
    if (room->session->recalling && room->rebuilding) return bw_recall_slice(hall, room);
    if (room->session->snapshot_wanted) return snapshot_job(hall, room);
    if (room->rebuilding && bw_overworked(hall, worker(room)) && !bw_wake_for_another(hall, room)) return true;
    int outcome = room->rebuilding ? bw_rebuild_slice(&hall->scratch, room) : -1;
    if (outcome != 0) bw_room_rebuilt(hall, room, outcome > 0);
    return outcome != 0;
}

static void jobs_tick(bw_hall *hall) {
    if (hall->jobs.count == 0 || hall->jobs_us > hall->now.mono_us) return;
    bw_key key = *(const bw_key *)bw_queue_front(&hall->jobs);
    bw_room *room = bw_map_get(&hall->rooms, key);
    bw_queue_drop(&hall->jobs);
    hall->jobs_us = hall->now.mono_us + BW_PACE_US;
    if (!room || !(room->session->forking || room->rebuilding || room->session->snapshot_wanted)) return;
    const bw_key whose = worker(room);
    const uint64_t before = hall->scratch.work;
    const bool done = slice(hall, room);
    bw_limit_work(hall, whose, hall->scratch.work - before);
    if (done) return;
    *(bw_key *)bw_queue_add(&hall->scratch.memory, &hall->jobs, sizeof key) = key;
}

static int64_t jobs_deadline(const bw_hall *hall) { return hall->jobs.count > 0 ? hall->jobs_us : INT64_MAX; }

bool bw_hall_busy(const bw_hall *hall) { return hall->jobs.count > 0; }

/* ---- time ---- */

static void tick_room(bw_hall *hall, bw_room *room) {
    int64_t now = hall->now.mono_us;
    if (room->session->retry_us <= now) {
        room->session->retry_us = INT64_MAX;
        if (room->session->phase == BW_PHASE_LOADING) {
            bw_load_again(hall, room);
        } else if (room->session->phase == BW_PHASE_LIVE && bw_is_ending(room)) {
            if (room->session->loads == 0 && !room->rebuilding) bw_load(hall, room);
        } else if (room->session->phase == BW_PHASE_LIVE) {
            bw_rematch_check(hall, room);
            bw_bots_think(hall, room);
        }
    }
    if (room->session->spectators_us <= now) {
        room->session->spectators_us = INT64_MAX;
        bw_tell_state(hall, room, NULL);
    }
    bw_clock_tick(hall, room);
    bw_room_schedule(hall, room);
    /* Each of these may free the room, so it comes last. */
    if (room->session->close_us <= now) close_room(hall, room);
    else if (room->session->idle_us <= now) idle_tick(hall, room);
}

static void sweep(bw_hall *hall) {
    bw_output *out = bw_emit(hall, BW_OUT_SWEEP);
    out->ended_before = hall->now.wall_ms - hall->settings.room_cleanup_ms;
    out->unstarted_before = hall->now.wall_ms - hall->settings.forget_ms;
    hall->sweep_us = hall->now.mono_us + SWEEP_US;
}

void bw_hall_tick(bw_hall *hall, bw_now now) {
    hall->now = now;
    if (hall->sweep_us <= now.mono_us) sweep(hall);
    bw_conns_tick(hall);
    jobs_tick(hall);
    if (hall->move_us <= now.mono_us) bw_hand_over_next(hall);
    for (int i = 0; i < ROOMS_A_TICK && hall->heap_count > 0 && hall->heap[1]->session->deadline_us <= now.mono_us;
         i++) {
        tick_room(hall, hall->heap[1]);
    }
}

int64_t bw_hall_deadline(const bw_hall *hall) {
    int64_t due = bw_conns_deadline(hall);
    if (hall->heap_count > 0 && hall->heap[1]->session->deadline_us < due) due = hall->heap[1]->session->deadline_us;
    if (jobs_deadline(hall) < due) due = jobs_deadline(hall);
    if (hall->move_us < due) due = hall->move_us;
    return hall->sweep_us < due ? hall->sweep_us : due;
}

/* ---- the journal's answers ---- */

void bw_hall_journalled(bw_hall *hall, bw_now now, uint64_t ticket) {
    bw_in_flight *front;
    hall->now = now;
    hall->durable = ticket > hall->durable ? ticket : hall->durable;
    while ((front = bw_queue_front(&hall->in_flight)) && front->ticket <= ticket) {
        bw_room *room = front->room;
        bool last = front->ticket == room->session->last_ticket;
        bw_queue_drop(&hall->in_flight);
        bw_release_pending(hall, room);
        if (last && room->session->phase == BW_PHASE_LEAVING) left(hall, room);
    }
    if (hall->draining) bw_drain_check(hall);
}

void bw_hall_journal_failed(bw_hall *hall, bw_now now, uint64_t last_good, const char *reason, bool in_doubt) {
    if (last_good > hall->durable) bw_hall_journalled(hall, now, last_good);
    hall->now = now;
    /* What was once reported as durable stays durable, wherever the shell starts counting. */
    bw_commit_failed(hall, last_good > hall->durable ? last_good : hall->durable, reason, in_doubt);
    bw_drain_check(hall);
}

/* ---- out ---- */

bool bw_hall_next(bw_hall *hall, bw_output *out) {
    const bw_output *front = bw_queue_front(&hall->outputs);
    if (!front) return false;
    *out = *front;
    bw_queue_drop(&hall->outputs);
    if (hall->outputs.count == 0 && hall->outputs.cap > QUEUE_KEPT) {
        bw_queue_clear(&hall->scratch.memory, &hall->outputs); /* after a burst */
    }
    return true;
}

void bw_hall_figures_of(const bw_hall *hall, bw_hall_figures *figures) {
    *figures = hall->figures;
    figures->rooms_in_memory = hall->rooms.count;
    figures->journal_waiting = hall->in_flight.count;
    figures->bytes = hall->scratch.memory.bytes;
    figures->work_total = hall->scratch.work;
}
