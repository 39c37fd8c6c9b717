/* Rooms that are being read from the journal, and the inputs that wait for them. */
#include "rooms/hall/loading.h"
#include "engine/registry.h"

const bw_game *bw_game_for_new_room(const bw_hall *hall, const char *id) {
    const bw_game *game = id && id[0] ? bw_game_find(id) : bw_game_default();
    return game && (bw_game_listed(game) || hall->settings.unlisted_games) ? game : NULL;
}

static bw_key asker(bw_hall *hall, const bw_input *input) {
    const bw_conn *conn = bw_conn_find(hall, input->conn);
    return conn ? conn->address : input->address;
}

void bw_wait_input(bw_hall *hall, bw_room *room, bw_input input) {
    if (room->session->inputs.count == 0) room->session->waker = asker(hall, &input);
    *(bw_input *)bw_queue_add(&hall->scratch.memory, &room->session->inputs, sizeof input) = input;
}

void bw_visit(bw_hall *hall, bw_room *room, uint64_t number, bw_key address, const bw_game *game) {
    bw_conn *conn = bw_conn_new(hall, number, room, address);
    if (room->session->phase == BW_PHASE_LIVE && !bw_is_ending(room)) bw_conn_attach(hall, conn);
    else bw_wait_input(hall, room, (bw_input){.kind = BW_INPUT_OPEN, .conn = number, .game = game});
}

void bw_wait_message(bw_hall *hall, bw_conn *conn, const char *bytes, size_t length) {
    conn->waiting_bytes += (uint32_t)length;
    if (conn->waiting_bytes > BW_INPUTS_MAX) {
        bw_conn_close(hall, conn, 1008, BW_CODE_RATE_LIMITED);
        return;
    }
    bw_input input = {.kind = BW_INPUT_MESSAGE, .conn = conn->id, .bytes = bw_bytes_new(bytes, length)};
    bw_wait_input(hall, conn->room, input);
}

/* ---- a new room ---- */

bw_change bw_created(const bw_hall *hall, const bw_game *game, const void *config) {
    bw_change change = {.record.type = BW_RECORD_CREATED, .config = config};
    bw_record_created *created = &change.record.as.created;
    created->v = BW_RECORD_FORMAT;
    created->rules_version = game->rules_version;
    created->at = hall->now.wall_ms;
    memcpy(created->game, game->id, strlen(game->id) + 1);
    return change;
}

static void open_in_new(bw_hall *hall, bw_room *room, bw_conn *conn, const bw_game *game) {
    bw_error_code code = BW_ERROR_RATE_LIMITED;
    const char *sentence = NULL;
    if (!game) {
        code = BW_ERROR_NO_SUCH_GAME;
        sentence = "There is no such game: GET /api/games lists them.";
        bw_limit_missed(hall, conn->address); /* otherwise the answer would reveal which rooms exist, without limit */
    } else if ((sentence = bw_no_new_room(hall, conn->address, &code))) {
        bw_limit_missed(hall, conn->address);
    }
    if (sentence) {
        bw_refuse_for_now(hall, conn, 0, code, sentence);
        bw_conn_close(hall, conn, code == BW_ERROR_STORAGE ? 1013 : 1008, bw_error_code_names.names[code]);
    } else {
        room->session->payer = conn->address;
        bw_change change = bw_created(hall, game, game->defaults);
        bw_commit(hall, room, &change, (bw_cause){0}, NULL);
    }
}

/* ---- inputs ---- */

static void run_for_conn(bw_hall *hall, bw_room *room, const bw_input *input) {
    bw_conn *conn = bw_conn_find(hall, input->conn);
    if (!conn || conn->room != room) {
        return; /* disconnected meanwhile */
    }
    if (input->kind == BW_INPUT_OPEN && !room->game) {
        open_in_new(hall, room, conn, input->game);
        conn = bw_conn_find(hall, input->conn);
    }
    if (!conn || !room->game) return;
    if (input->kind == BW_INPUT_OPEN) {
        bw_conn_attach(hall, conn);
    } else if (input->kind == BW_INPUT_TOO_LARGE) {
        bw_dispatch_too_large(hall, conn);
    } else {
        conn->waiting_bytes -= input->bytes->length;
        bw_message_for(hall, conn, input->bytes->at, input->bytes->length);
    }
}

static void run_input(bw_hall *hall, bw_room *room, bw_input *input) {
    switch (input->kind) {
    case BW_INPUT_OPEN:
    case BW_INPUT_MESSAGE:
    case BW_INPUT_TOO_LARGE: run_for_conn(hall, room, input); break;
    case BW_INPUT_STATE: bw_http_state_now(hall, room, input); break;
    case BW_INPUT_LOG: bw_http_log_now(hall, room, input); break;
    case BW_INPUT_CREATE:
    case BW_INPUT_SHARE:
    case BW_INPUT_BRING:
    case BW_INPUT_FORK: /* continues as a job of the room; later inputs wait for it */
        bw_http_created(hall, room, input);
        break;
    case BW_INPUT_REMATCH: bw_rematch_create(hall, room, input->origin); break;
    }
    bw_bytes_release(input->bytes);
}

/* The room is loaded (or, without a game, free to be created): processes the waiting inputs in order. */
void bw_run_inputs(bw_hall *hall, bw_room *room) {
    bw_input *front;
    room->session->phase = BW_PHASE_LIVE;
    while ((front = bw_queue_front(&room->session->inputs))) {
        bw_input input = *front;
        bw_queue_drop(&room->session->inputs);
        run_input(hall, room, &input);
        if (room->session->forking || bw_is_ending(room)) return;
    }
    bw_queue_clear(&hall->scratch.memory, &room->session->inputs);
    if (!room->game) {
        bw_room_free(hall, room);
        return;
    }
    if (room->session->conn_count == 0) bw_room_idle(hall, room);
    bw_room_schedule(hall, room);
}

static void refuse_input(bw_hall *hall, bw_input *input, bw_error_code code, const char *reason) {
    bw_conn *conn;
    switch (input->kind) {
    case BW_INPUT_STATE:
    case BW_INPUT_LOG:
    case BW_INPUT_CREATE:
    case BW_INPUT_SHARE:
    case BW_INPUT_BRING:
    case BW_INPUT_FORK:
        bw_reply_error(hall, NULL, input->conn, code == BW_ERROR_STORAGE ? 503 : 429, code, reason);
        break;
    case BW_INPUT_REMATCH: bw_rematch_failed(hall, input->origin); break;
    default:
        conn = bw_conn_find(hall, input->conn);
        if (conn && input->kind == BW_INPUT_OPEN) {
            bw_refuse_for_now(hall, conn, 0, code, reason);
            bw_conn_close(hall, conn, 1013, bw_error_code_names.names[code]);
        } else if (conn) {
            conn->waiting_bytes = 0;
            int64_t id =
                input->bytes && !BW_PLANTED(LOSE_THE_ID) ? bw_id_of(hall, input->bytes->at, input->bytes->length) : 0;
            bw_refuse_for_now(hall, conn, id, code, reason);
        }
    }
    bw_bytes_release(input->bytes);
}

/* The room cannot be read: pending requests get an error. Players in the room stay, and reading is retried in a
 * moment. */
static void unreadable(bw_hall *hall, bw_room *room, bw_error_code code, const char *reason) {
    bw_input *front;
    while ((front = bw_queue_front(&room->session->inputs))) {
        bw_input input = *front;
        bw_queue_drop(&room->session->inputs);
        refuse_input(hall, &input, code, reason);
    }
    bw_queue_clear(&hall->scratch.memory, &room->session->inputs);
    if (room->session->conn_count == 0) {
        bw_old_seats_drop(hall, room);
        bw_room_free(hall, room);
        return;
    }
    room->session->retry_us = hall->now.mono_us + BW_RETRY_US;
    bw_room_schedule(hall, room);
}

bw_room *bw_room_load(bw_hall *hall, const char *id) {
    bw_room *room = bw_room_new(hall, id);
    bw_load_again(hall, room);
    return room;
}

void bw_load_again(bw_hall *hall, bw_room *room) {
    room->session->phase = BW_PHASE_LOADING;
    room->session->retry_us = INT64_MAX;
    room->session->waker = (bw_key){0, 0};
    bw_load(hall, room);
}

/* ---- after a failure of the journal ---- */

void bw_old_seats_drop(bw_hall *hall, bw_room *room) {
    for (int i = 0; i < room->session->old_count; i++)
        bw_answers_clear(&hall->scratch.memory, &room->session->old_seats[i].answers);
    bw_memory_free(&hall->scratch.memory, room->session->old_seats);
    room->session->old_seats = NULL;
    room->session->old_count = 0;
}

void bw_roll_back(bw_hall *hall, bw_room *room, bw_entry_kind kind, uint64_t last_good) {
    if (room->session->phase == BW_PHASE_LOADING ||
        (BW_PLANTED(KEEP_AFTER_FAILURE) && room->session->phase == BW_PHASE_LIVE)) {
        return; /* already loading */
    }
    bw_hand_over_stop(hall, room);
    /* A room that continues another game is its first snapshot; a later one only repeats what is stored. */
    bool is_all = kind == BW_ENTRY_SNAPSHOT && room->snapshot_index == 1;
    if (kind != BW_ENTRY_RECORD && kind != BW_ENTRY_FORGET && !is_all) {
        if (room->session->phase == BW_PHASE_LEAVING) { /* its snapshot was not stored, so it stays in memory for now */
            room->session->phase = BW_PHASE_LIVE;
            bw_run_inputs(hall, room);
        }
        return;
    }
    if (room->session->phase == BW_PHASE_LEAVING && room->session->conn_count == 0 &&
        room->session->inputs.count == 0) {
        bw_room_free(hall, room); /* it is still in the journal, where the next sweep finds it */
        return;
    }
    /* Seats and answers must survive the rebuild. */
    if (room->game) {
        room->session->old_count = room->game->role_count;
        room->session->old_seats =
            bw_memory_new(&hall->scratch.memory, (size_t)room->session->old_count * sizeof *room->session->old_seats);
        for (int i = 0; i < room->session->old_count; i++) {
            bw_seat *seat = room->seats[i], *old = &room->session->old_seats[i];
            if (!seat) continue;
            *old = (bw_seat){.answers = seat->answers, .token_known = seat->token_known};
            memcpy(old->token_hash, seat->token_hash, sizeof old->token_hash);
            memcpy(old->token, seat->token, sizeof old->token);
            bw_answers_rollback(&hall->scratch.memory, &old->answers, last_good);
            seat->answers = (bw_answers){0};
        }
    }
    for (int i = 0; i < room->session->chair_count; i++) { /* messages waiting to be sent were dropped */
        bw_chair *chair = &room->session->chairs[i];
        chair->untold |= chair->taken > last_good;
        chair->taken = 0;
    }
    for (bw_conn *conn = room->session->conns; conn; conn = conn->next) {
        if (conn->answers) bw_answers_rollback(&hall->scratch.memory, conn->answers, last_good);
    }
    bw_room_forget_durable(hall, room);
    bw_room_count(hall, room);
    room->session->forgetting = false;
    room->session->idle_us = room->session->close_us = room->session->spectators_us = INT64_MAX;
    bw_load_again(hall, room);
    bw_room_schedule(hall, room);
}

/* Entries still in the output queue are dropped as well. */
static void drop_appends(bw_hall *hall, uint64_t last_good) {
    bw_queue kept = {0};
    for (size_t i = 0; i < hall->outputs.count; i++) {
        bw_output *out = bw_queue_item(&hall->outputs, i);
        if (out->kind == BW_OUT_APPEND && out->entry.ticket > last_good) {
            bw_bytes_release(out->bytes);
        } else {
            *(bw_output *)bw_queue_add(&hall->scratch.memory, &kept, sizeof *out) = *out;
        }
    }
    bw_queue_clear(&hall->scratch.memory, &hall->outputs);
    hall->outputs = kept;
}

static void tell_failed(bw_hall *hall, const bw_in_flight *failed, const char *reason) {
    bw_conn *conn = failed->conn ? bw_conn_find(hall, failed->conn) : NULL;
    if (conn && failed->id == 0 && failed->kind == BW_ENTRY_RECORD) {
        bw_output *out = bw_emit(hall, BW_OUT_SEND);
        out->conn = conn->id;
        out->bytes = bw_error_message(hall, BW_ERROR_STORAGE, reason, 0);
    }
}

/* An error promises that nothing was stored. If that is in doubt, the message says so. */
static void word_failure(bw_error_text *why, const char *reason, bool in_doubt) {
    bool says = in_doubt && !BW_PLANTED(HIDE_DOUBT);
    bw_fail(why, reason, says ? " It is not known yet whether this was stored: send it again with the same id." : NULL,
            NULL);
}

void bw_commit_failed(bw_hall *hall, uint64_t last_good, const char *reason, bool in_doubt) {
    bw_error_text why;
    word_failure(&why, reason, in_doubt);
    bw_queue failed = hall->in_flight;
    hall->in_flight = (bw_queue){0};
    hall->durable = hall->tickets; /* nothing is in flight any more */
    drop_appends(hall, last_good);
    for (size_t i = 0; i < failed.count; i++) {
        bw_in_flight *entry = bw_queue_item(&failed, i);
        bw_room *room = entry->room;
        room->session->last_ticket = 0;
        bw_drop_pending(hall, room, why.text);
        tell_failed(hall, entry, why.text);
    }
    for (size_t i = 0; i < failed.count; i++) {
        bw_in_flight *entry = bw_queue_item(&failed, i);
        if (bw_map_get(&hall->rooms, bw_key_of_text(entry->name)) == entry->room) {
            bw_roll_back(hall, entry->room, bw_is_ending(entry->room) ? BW_ENTRY_RECORD : entry->kind, last_good);
        }
    }
    bw_queue_clear(&hall->scratch.memory, &failed);
}

/* Answers given to a seat survive the rebuild. A message that was refused in doubt and was stored after all gets its
 * answer from the journal only. */
static void keep_answers(bw_hall *hall, bw_seat *seat, bw_seat *old) {
    bw_answers_position position = {0};
    bw_answer answer, known;
    while (bw_answers_next(&seat->answers, &position, &answer)) {
        if (answer.refusal || answer.id <= old->answers.forgotten) continue;
        if (bw_answers_find(&old->answers, answer.id, &known)) continue;
        bw_answers_add(&hall->scratch.memory, &old->answers, answer, hall->durable);
    }
    bw_answers_clear(&hall->scratch.memory, &seat->answers);
    seat->answers = old->answers;
    old->answers = (bw_answers){0};
}

/* Players who still hold their seat stay seated; the others become spectators. */
static void reseat(bw_hall *hall, bw_room *room) {
    bw_chairs_set(hall, room);
    room->present = 0;
    for (int i = 0; i < room->game->role_count; i++) {
        bw_seat *seat = room->seats[i];
        bw_seat *old = i < room->session->old_count ? &room->session->old_seats[i] : NULL;
        bw_chair *chair = &room->session->chairs[i];
        if (old && seat && seat->held && memcmp(old->token_hash, seat->token_hash, sizeof seat->token_hash) == 0) {
            keep_answers(hall, seat, old);
            seat->token_known = old->token_known;
            memcpy(seat->token, old->token, sizeof seat->token);
            if (chair->conn) chair->gone_us = hall->now.mono_us;
            chair->untold &= chair->conn == NULL; /* tells players again who is there */
            room->present |= chair->conn ? 1u << i : 0;
        } else {
            *chair = (bw_chair){.gone_us = hall->now.mono_us};
        }
    }
    bw_old_seats_drop(hall, room);
    room->spectators = 0;
    for (bw_conn *conn = room->session->conns; conn; conn = conn->next) {
        if (conn->seat >= 0 &&
            (conn->seat >= room->game->role_count || room->session->chairs[conn->seat].conn != conn)) {
            conn->seat = BW_WATCHER;
        }
        room->spectators += conn->attached && conn->seat < 0;
    }
}

/* ---- read ---- */

static void awake(bw_hall *hall, bw_room *room) {
    bool after_failure = room->session->old_seats != NULL;
    reseat(hall, room);
    if (room->ended_at) {
        int64_t left_ms = room->ended_at + hall->settings.room_cleanup_ms - hall->now.wall_ms;
        room->session->close_us = hall->now.mono_us + (left_ms > 0 ? left_ms * 1000 : 0);
    }
    room->session->phase = BW_PHASE_LIVE;
    for (int i = 0; i < room->game->role_count; i++) {
        if (room->present >> i & 1) bw_clock_wake(hall, room, after_failure ? BW_RETRY_US : 0);
    }
    bw_tell_state(hall, room, NULL);
    if (after_failure) {
        room->session->retry_us = hall->now.mono_us + BW_RETRY_US; /* the automatic retry waits for a better disk */
    } else {
        bw_rematch_check(hall, room);
        bw_bots_think(hall, room);
    }
    bw_run_inputs(hall, room);
}

void bw_room_rebuilt(bw_hall *hall, bw_room *room, bool good) {
    bw_rebuild_end(&hall->scratch, room);
    if (good) {
        awake(hall, room);
        return;
    }
    bw_room_forget_durable(hall, room);
    unreadable(hall, room, BW_ERROR_STORAGE, "This room's record is damaged, so it cannot be opened.");
}

bool bw_wake_for_another(bw_hall *hall, bw_room *room) {
    for (size_t i = 0; i < room->session->inputs.count; i++) {
        const bw_key other = asker(hall, bw_queue_item(&room->session->inputs, i));
        if (bw_overworked(hall, other)) continue;
        room->session->waker = other;
        return true;
    }
    bw_rebuild_end(&hall->scratch, room);
    bw_room_forget_durable(hall, room);
    unreadable(hall, room, BW_ERROR_RATE_LIMITED, bw_too_much_work);
    return false;
}

void bw_hall_loaded(bw_hall *hall, bw_now now, const char *id, const bw_stored_room *stored, const char *failed) {
    bw_room *room = bw_room_find(hall, id);
    hall->now = now;
    if (!room) return;
    if (room->session->loads > 0 && --room->session->loads > 0) return; /* a later answer knows more */
    if (room->session->recalling) {
        bw_recall_loaded(hall, room, stored, failed);
        return;
    }
    if (room->session->phase != BW_PHASE_LOADING || room->rebuilding || room->session->forking) return;
    if (failed) {
        bw_room_forget_durable(hall, room);
        unreadable(hall, room, BW_ERROR_STORAGE, failed);
        return;
    }
    room->session->phase_us = stored && !BW_PLANTED(CLOCK_NOT_HANDED) ? stored->round_us : 0;
    room->session->phase_until_us = INT64_MAX;
    if (stored) {
        const bw_key waker = room->session->waker;
        const uint64_t before = hall->scratch.work;
        bw_rebuild_begin(&hall->scratch, room, stored);
        int outcome = bw_rebuild_slice(&hall->scratch, room);
        bw_limit_work(hall, waker, hall->scratch.work - before);
        if (outcome == 0) bw_job_add(hall, room);
        else bw_room_rebuilt(hall, room, outcome > 0);
        return;
    }
    /* Not in the journal. If its creation was never stored, connections to it are closed and have to reconnect. */
    bw_old_seats_drop(hall, room);
    for (bw_conn *conn = room->session->conns, *next; conn; conn = next) {
        next = conn->next;
        if (!conn->attached) continue;
        bw_refuse_for_now(hall, conn, 0, BW_ERROR_STORAGE, "This room could not be stored: try again in a moment.");
        bw_conn_close(hall, conn, 1013, BW_CODE_STORAGE);
    }
    bw_run_inputs(hall, room);
}
