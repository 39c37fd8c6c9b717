/* Rooms that are being read from the journal, and who waits for them. */
#include "engine/registry.h"
#include "rooms/internal.h"

enum { RETRY_US = 1000000 };

const bw_game *bw_game_for_new_room(const bw_hall *hall, const char *id) {
    const bw_game *game = id && id[0] ? bw_game_find(id) : bw_game_default();
    return game && (bw_game_listed(game) || hall->settings.unlisted_games) ? game : NULL;
}

void bw_wait_input(bw_hall *hall, bw_room *room, bw_input input) {
    *(bw_input *)bw_queue_add(&hall->memory, &room->inputs, sizeof input) = input;
}

void bw_wait_message(bw_hall *hall, bw_conn *conn, const char *bytes, size_t length) {
    conn->waiting_bytes += (uint32_t)length;
    if (conn->waiting_bytes > BW_INPUTS_MAX) {
        bw_conn_close(hall, conn, 1008, "rate_limited");
        return;
    }
    bw_input input = {.kind = BW_INPUT_MESSAGE, .conn = conn->number, .bytes = bw_bytes_new(bytes, length)};
    bw_wait_input(hall, conn->room, input);
}

/* ---- a new room ---- */

void bw_note_created_for(const bw_hall *hall, bw_note *note, const bw_game *game) {
    note->as.created.v = BW_NOTE_FORMAT;
    note->as.created.rules_version = game->rules_version;
    note->as.created.at = hall->now.wall_ms;
    memcpy(note->as.created.game, game->id, strlen(game->id) + 1);
}

void bw_room_create(bw_hall *hall, bw_room *room, const bw_game *game, const void *config) {
    bw_note note = {.type = BW_NOTE_CREATED};
    bw_note_created_for(hall, &note, game);
    bw_commit(hall, room, &note, config, NULL, false, (bw_cause){0});
}

static void open_in_new(bw_hall *hall, bw_room *room, bw_conn *conn, const bw_game *game) {
    bw_error_code code = BW_ERROR_RATE_LIMITED;
    const char *sentence = NULL;
    if (!game) {
        code = BW_ERROR_NO_SUCH_GAME;
        sentence = "There is no such game: GET /api/games lists them.";
        bw_limit_missed(hall, conn->address); /* else it would tell which rooms there are, as often as asked */
    } else if ((sentence = bw_no_new_room(hall, conn->address, &code))) {
        bw_limit_missed(hall, conn->address);
    }
    if (sentence) {
        bw_refuse_for_now(hall, conn, 0, code, sentence);
        bw_conn_close(hall, conn, code == BW_ERROR_STORAGE ? 1013 : 1008, bw_error_code_names.names[code]);
    } else {
        room->payer = conn->address;
        bw_room_create(hall, room, game, game->defaults);
    }
}

/* ---- inputs that waited ---- */

static void run_for_conn(bw_hall *hall, bw_room *room, const bw_input *input) {
    bw_conn *conn = bw_conn_find(hall, input->conn);
    if (!conn || conn->room != room) {
        return; /* gone meanwhile */
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
        bw_dispatch(hall, conn, input->bytes->at, input->bytes->length);
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
    case BW_INPUT_FORK: /* goes on as a job of the room, for which what came behind it waits */
        bw_http_created(hall, room, input);
        break;
    case BW_INPUT_REMATCH: bw_rematch_create(hall, room, input->origin); break;
    }
    bw_bytes_release(input->bytes);
}

/* The room is there (or, without a game, free to be made): what waited goes on, in order. */
static void run_inputs(bw_hall *hall, bw_room *room) {
    bw_input *front;
    room->phase = BW_PHASE_LIVE;
    while ((front = bw_queue_front(&room->inputs))) {
        bw_input input = *front;
        bw_queue_drop(&room->inputs);
        run_input(hall, room, &input);
        if (room->forking) return;
    }
    bw_queue_clear(&hall->memory, &room->inputs);
    if (!room->game) {
        bw_room_free(hall, room);
        return;
    }
    if (room->conn_count == 0) bw_idle_begin(hall, room);
    bw_room_schedule(hall, room);
}

void bw_run_inputs(bw_hall *hall, bw_room *room) { run_inputs(hall, room); }

static void refuse_input(bw_hall *hall, bw_input *input, const char *reason) {
    bw_conn *conn;
    switch (input->kind) {
    case BW_INPUT_STATE:
    case BW_INPUT_LOG:
    case BW_INPUT_CREATE:
    case BW_INPUT_SHARE:
    case BW_INPUT_FORK: bw_reply_error(hall, NULL, input->conn, 503, BW_ERROR_STORAGE, reason); break;
    case BW_INPUT_REMATCH: bw_rematch_failed(hall, input->origin); break;
    default:
        conn = bw_conn_find(hall, input->conn);
        if (conn && input->kind == BW_INPUT_OPEN) {
            bw_refuse_for_now(hall, conn, 0, BW_ERROR_STORAGE, reason);
            bw_conn_close(hall, conn, 1013, "storage");
        } else if (conn) {
            conn->waiting_bytes = 0;
            int64_t id =
                input->bytes && !BW_PLANTED(LOSE_THE_ID) ? bw_id_of(hall, input->bytes->at, input->bytes->length) : 0;
            bw_refuse_for_now(hall, conn, id, BW_ERROR_STORAGE, reason);
        }
    }
    bw_bytes_release(input->bytes);
}

/* It cannot be read: who waits is told. Players who are in it stay, and it is read again in a moment. */
static void unreadable(bw_hall *hall, bw_room *room, const char *reason) {
    bw_input *front;
    while ((front = bw_queue_front(&room->inputs))) {
        bw_input input = *front;
        bw_queue_drop(&room->inputs);
        refuse_input(hall, &input, reason);
    }
    bw_queue_clear(&hall->memory, &room->inputs);
    if (room->conn_count == 0) {
        bw_seats_drop(hall, room);
        bw_room_free(hall, room);
        return;
    }
    room->retry_us = hall->now.mono_us + RETRY_US;
    bw_room_schedule(hall, room);
}

void bw_load_again(bw_hall *hall, bw_room *room) {
    room->phase = BW_PHASE_LOADING;
    room->retry_us = INT64_MAX;
    memcpy(bw_emit(hall, BW_OUT_LOAD)->room, room->id, sizeof room->id);
}

/* ---- after a failure of the journal ---- */

void bw_seats_drop(bw_hall *hall, bw_room *room) {
    for (int i = 0; i < room->old_count; i++) bw_answers_clear(hall, &room->old_seats[i].answers);
    bw_memory_free(&hall->memory, room->old_seats);
    room->old_seats = NULL;
    room->old_count = 0;
}

void bw_room_roll_back(bw_hall *hall, bw_room *room, bw_entry_kind kind, uint64_t last_good) {
    if (room->phase == BW_PHASE_LOADING || (BW_PLANTED(KEEP_AFTER_FAILURE) && room->phase == BW_PHASE_LIVE)) {
        return; /* under way already */
    }
    if (kind != BW_ENTRY_RECORD && kind != BW_ENTRY_FORGET) {
        if (room->phase == BW_PHASE_LEAVING) { /* its snapshot was not stored: it stays a while */
            room->phase = BW_PHASE_LIVE;
            bw_run_inputs(hall, room);
        }
        return;
    }
    if (room->phase == BW_PHASE_LEAVING && room->conn_count == 0 && room->inputs.count == 0) {
        bw_room_free(hall, room); /* it is still in the journal; the next sweep finds it */
        return;
    }
    /* Who sits where, and what they were answered, outlives the rebuilding. */
    if (room->game) {
        room->old_count = room->game->role_count;
        room->old_seats = bw_memory_new(&hall->memory, (size_t)room->old_count * sizeof *room->old_seats);
        for (int i = 0; i < room->old_count; i++) {
            room->old_seats[i] = room->seats[i];
            bw_answers_rollback(hall, &room->old_seats[i].answers, last_good);
            room->seats[i].answers = (bw_answers){0};
        }
    }
    for (bw_conn *conn = room->conns; conn; conn = conn->next) {
        bw_answers_rollback(hall, &conn->answers, last_good);
    }
    bw_room_forget_durable(hall, room);
    bw_room_count(hall, room);
    room->forgetting = false;
    room->idle_us = room->close_us = room->spectators_us = INT64_MAX;
    bw_load_again(hall, room);
    bw_room_schedule(hall, room);
}

/* Players whose seat is still theirs stay in it; the others look on. */
static void reseat(bw_hall *hall, bw_room *room) {
    for (int i = 0; i < room->game->role_count; i++) {
        bw_seat *seat = &room->seats[i];
        bw_seat *old = i < room->old_count ? &room->old_seats[i] : NULL;
        seat->gone_us = hall->now.mono_us;
        if (old && seat->held && memcmp(old->token_hash, seat->token_hash, sizeof seat->token_hash) == 0) {
            bw_answers_clear(hall, &seat->answers);
            seat->answers = old->answers;
            old->answers = (bw_answers){0};
            seat->token_known = old->token_known;
            memcpy(seat->token, old->token, sizeof seat->token);
            seat->gone_us = old->conn ? seat->gone_us : old->gone_us;
            seat->conn = old->conn;
        }
    }
    bw_seats_drop(hall, room);
    room->spectators = 0;
    for (bw_conn *conn = room->conns; conn; conn = conn->next) {
        if (conn->seat >= 0 && (conn->seat >= room->game->role_count || room->seats[conn->seat].conn != conn)) {
            conn->seat = BW_WATCHER;
        }
        room->spectators += conn->attached && conn->seat < 0;
    }
}

/* ---- read ---- */

static void awake(bw_hall *hall, bw_room *room) {
    bool after_failure = room->old_seats != NULL;
    reseat(hall, room);
    if (room->ended_at) {
        int64_t left_ms = room->ended_at + hall->settings.room_cleanup_ms - hall->now.wall_ms;
        room->close_us = hall->now.mono_us + (left_ms > 0 ? left_ms * 1000 : 0);
    }
    room->phase = BW_PHASE_LIVE;
    for (int i = 0; i < room->game->role_count; i++) {
        if (room->seats[i].conn) bw_clock_wake(hall, room, after_failure ? RETRY_US : 0);
    }
    bw_tell_state(hall, room, NULL);
    if (after_failure) {
        room->retry_us = hall->now.mono_us + RETRY_US; /* what is tried again by itself waits for a better disk */
    } else {
        bw_rematch_check(hall, room);
        bw_bots_think(hall, room);
    }
    bw_run_inputs(hall, room);
}

void bw_room_rebuilt(bw_hall *hall, bw_room *room, bool good) {
    bw_rebuild_end(hall, room);
    if (good) {
        awake(hall, room);
        return;
    }
    bw_room_forget_durable(hall, room);
    unreadable(hall, room, "This room's record is damaged: it cannot be opened.");
}

void bw_hall_loaded(bw_hall *hall, bw_now now, const char *id, const bw_stored_room *stored, const char *failed) {
    bw_room *room = bw_room_find(hall, id);
    hall->now = now;
    if (!room || room->phase != BW_PHASE_LOADING || room->rebuilding || room->forking) return;
    if (failed) {
        bw_room_forget_durable(hall, room);
        unreadable(hall, room, failed);
        return;
    }
    if (stored) {
        bw_rebuild_begin(hall, room, stored);
        int outcome = bw_rebuild_slice(hall, room);
        if (outcome == 0) bw_job_add(hall, room);
        else bw_room_rebuilt(hall, room, outcome > 0);
        return;
    }
    /* Not in the journal. Who is in it already (its creation was never stored) has to come again. */
    bw_seats_drop(hall, room);
    for (bw_conn *conn = room->conns, *next; conn; conn = next) {
        next = conn->next;
        if (conn->attached) bw_conn_close(hall, conn, 1013, "storage");
    }
    bw_run_inputs(hall, room);
}
