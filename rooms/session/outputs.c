/* What leaves the hall. Nothing is sent to a client of a room before everything the room has given to the journal
 * until then is durable, so nobody sees what a crash could undo. The room has one queue for all that waits, in
 * order, whoever it is for; a room with nothing in flight has no queue. */
#include "rooms/session/session.h"

bw_output *bw_emit(bw_hall *hall, bw_out_kind kind) {
    bw_output *out = bw_queue_add(&hall->scratch.memory, &hall->outputs, sizeof *out);
    out->kind = kind;
    return out;
}

static void leave(bw_hall *hall, const bw_pending *pending) {
    bw_output *out = bw_emit(hall, pending->kind);
    out->conn = pending->conn;
    out->code = pending->code;
    out->reason = pending->reason;
    out->bytes = pending->bytes;
}

static void hold(bw_hall *hall, bw_room *room, bw_pending pending) {
    if (!room || room->session->last_ticket <= hall->durable || BW_PLANTED(SEND_BEFORE_COMMIT)) {
        leave(hall, &pending);
        return;
    }
    pending.ticket = room->session->last_ticket;
    /* Large enough for the output of one move; freed when empty. */
    if (!room->session->pending.cap)
        bw_queue_reserve(&hall->scratch.memory, &room->session->pending, sizeof pending, 4);
    *(bw_pending *)bw_queue_add(&hall->scratch.memory, &room->session->pending, sizeof pending) = pending;
}

void bw_send(bw_hall *hall, bw_room *room, uint64_t conn, bw_bytes *bytes) {
    hold(hall, room, (bw_pending){.kind = BW_OUT_SEND, .conn = conn, .bytes = bytes});
}

void bw_send_answer(bw_hall *hall, bw_room *room, uint64_t conn, int64_t id, bw_bytes *bytes) {
    hold(hall, room, (bw_pending){.kind = BW_OUT_SEND, .conn = conn, .id = id, .bytes = bytes, .answer = true});
}

void bw_send_close(bw_hall *hall, bw_room *room, uint64_t conn, int code, const char *reason) {
    hold(hall, room, (bw_pending){.kind = BW_OUT_CLOSE, .conn = conn, .code = code, .reason = reason});
}

void bw_reply(bw_hall *hall, bw_room *room, uint64_t conn, int status, bw_bytes *bytes) {
    hold(hall, room, (bw_pending){.kind = BW_OUT_REPLY, .conn = conn, .code = status, .bytes = bytes, .answer = true});
}

void bw_reply_error(bw_hall *hall, bw_room *room, uint64_t conn, int status, bw_error_code code, const char *message) {
    bw_reply(hall, room, conn, status, bw_error_message(hall, code, message, 0));
}

void bw_broadcast(bw_hall *hall, bw_room *room, bw_bytes *bytes, const bw_conn *but) {
    for (bw_conn *conn = room->session->conns; conn; conn = conn->next) {
        if (conn->attached && conn != but) bw_send(hall, room, conn->id, bw_bytes_share(bytes));
    }
    bw_bytes_release(bytes);
}

void bw_release_pending(bw_hall *hall, bw_room *room) {
    bw_pending *pending;
    while ((pending = bw_queue_front(&room->session->pending)) && pending->ticket <= hall->durable) {
        leave(hall, pending);
        bw_queue_drop(&room->session->pending);
    }
    if (room->session->pending.count == 0 && room->session->pending.cap > 0) {
        bw_queue_clear(&hall->scratch.memory, &room->session->pending);
    }
}

void bw_drop_pending(bw_hall *hall, bw_room *room, const char *reason) {
    bw_pending *pending;
    while ((pending = bw_queue_front(&room->session->pending))) {
        bw_pending dropped = *pending;
        bw_queue_drop(&room->session->pending);
        if (dropped.kind == BW_OUT_CLOSE) {
            leave(hall, &dropped);
        } else if (dropped.answer) {
            bw_bytes_release(dropped.bytes);
            dropped.bytes = bw_error_message(hall, BW_ERROR_STORAGE, reason, dropped.id);
            dropped.code = dropped.kind == BW_OUT_REPLY ? 503 : 0;
            leave(hall, &dropped);
        } else {
            bw_bytes_release(dropped.bytes);
        }
    }
    bw_queue_clear(&hall->scratch.memory, &room->session->pending);
}

/* All errors are sent, and counted, here. */
bw_bytes *bw_error_message(bw_hall *hall, bw_error_code code, const char *sentence, int64_t id) {
    hall->figures.refusals_total[code]++;
    bw_server_message message = {.type = BW_TELL_ERROR};
    bw_error *error = &message.as.error;
    error->code = (uint8_t)code;
    size_t length = strlen(sentence);
    length = length < sizeof error->message ? length : sizeof error->message - 1;
    memcpy(error->message, sentence, length);
    error->has_id = id > 0;
    error->id = id;
    return bw_message(&hall->scratch, &message);
}

/* ---- to the journal ---- */

bw_bytes *bw_change_bytes(bw_hall *hall, const bw_room *room, const bw_change *change) {
    bw_out out;
    do { /* next to the text, which may already contain the action */
        out = bw_out_to(hall->scratch.pieces, hall->scratch.pieces_cap);
        bw_change_write(&out, room->game, change);
    } while (bw_grow(&hall->scratch, &out, &hall->scratch.pieces, &hall->scratch.pieces_cap));
    return bw_bytes_new(out.at, out.length);
}

bw_held bw_held_of(const bw_hall *hall, const bw_room *room, bw_entry_kind kind, bw_bytes *bytes, bw_cause cause) {
    static const char letters[] = "wcae"; /* of bw_status */
    bw_held held = {.bytes = bytes, .conn = cause.conn ? cause.conn->id : 0, .id = cause.id};
    bw_entry *entry = &held.entry;
    entry->kind = kind;
    memcpy(entry->room, room->id, sizeof entry->room);
    entry->index = room->record_count;
    entry->status = (uint8_t)letters[room->game ? bw_room_status(room) : BW_STATUS_WAITING];
    entry->changed_at = room->ended_at ? room->ended_at : hall->now.wall_ms;
    if (kind == BW_ENTRY_REPLAY) memcpy(entry->replay_id, room->replay_id, sizeof entry->replay_id);
    return held;
}

void bw_give(bw_hall *hall, bw_room *room, bw_held *held) {
    bw_output *out = bw_emit(hall, BW_OUT_APPEND);
    bw_entry *entry = &out->entry;
    *entry = held->entry;
    entry->ticket = ++hall->tickets;
    out->bytes = held->bytes;
    entry->bytes = out->bytes ? (const uint8_t *)out->bytes->at : NULL;
    entry->length = out->bytes ? out->bytes->length : 0;
    room->session->last_ticket = entry->ticket;
    if (entry->kind == BW_ENTRY_RECORD || entry->kind == BW_ENTRY_REPLAY) {
        bw_limit_store(hall, room->session->payer, entry->length + BW_RECORD_BYTES);
    }
    bw_in_flight *in_flight = bw_queue_add(&hall->scratch.memory, &hall->in_flight, sizeof *in_flight);
    *in_flight =
        (bw_in_flight){.ticket = entry->ticket, .room = room, .kind = entry->kind, .conn = held->conn, .id = held->id};
    memcpy(in_flight->name, room->id, sizeof in_flight->name);
}

void bw_append(bw_hall *hall, bw_room *room, bw_entry_kind kind, bw_bytes *bytes, bw_cause cause) {
    bw_held held = bw_held_of(hall, room, kind, bytes, cause);
    if (bw_is_ending(room)) {
        *(bw_held *)bw_queue_add(&hall->scratch.memory, &room->session->recalling->held, sizeof held) = held;
    } else {
        bw_give(hall, room, &held);
    }
}

static void append_file(bw_hall *hall, bw_room *room) {
    if (bw_recall(hall, room, room->session->payer)) {
        bw_append(hall, room, BW_ENTRY_REPLAY, bw_room_file(&hall->scratch, room, false), (bw_cause){0});
    } else if (!BW_PLANTED(END_WITHOUT_FILE)) {
        bw_end_later(hall, room);
    }
}

int bw_commit(bw_hall *hall, bw_room *room, bw_change *change, bw_cause cause, bw_events *events) {
    const bw_record *record = &change->record;
    int refusal = bw_apply(&hall->scratch, room, change, BW_HASH_MAKE, events);
    if (refusal < 0) return refusal;
    if (cause.conn) room->session->payer = cause.conn->address;
    bw_bytes *bytes = bw_change_bytes(hall, room, change);
    bool ends = room->ended_at && (record->type == BW_RECORD_MOVE || record->type == BW_RECORD_START);
    if (ends && !BW_PLANTED(REPLAY_AFTER_THE_END)) {
        /* Before the record, so that a room whose game has ended always has its replay, even after a crash in
         * between. */
        append_file(hall, room);
    }
    room->record_count++;
    bw_append(hall, room, BW_ENTRY_RECORD, bytes, cause);
    if (ends && BW_PLANTED(REPLAY_AFTER_THE_END)) append_file(hall, room);
    bw_answer_cause(&hall->scratch, room, record, room->session->last_ticket, hall->durable);
    if (record->type == BW_RECORD_CREATED) bw_chairs_set(hall, room);
    bw_room_count(hall, room);
    /* There are at most 5,000 moves; anything else may be recorded any number of times. */
    room->session->loose_records += record->type != BW_RECORD_MOVE;
    if (room->session->loose_records >= BW_LOOSE_RECORDS) bw_snapshot_soon(hall, room);
    return 0;
}

/* ---- answers to messages ---- */

bw_answers *bw_answers_of(bw_hall *hall, bw_conn *conn) {
    if (conn->seat >= 0) return &bw_seat_use(conn->room, conn->seat)->answers;
    if (!conn->answers) conn->answers = bw_memory_new(&hall->scratch.memory, sizeof *conn->answers);
    return conn->answers;
}

static void send_ack(bw_hall *hall, bw_conn *conn, int64_t id, int64_t seq) {
    bw_server_message message = {.type = BW_TELL_ACK, .as.ack = {.id = id, .seq = seq}};
    bw_send_answer(hall, conn->room, conn->id, id, bw_message(&hall->scratch, &message));
}

void bw_acknowledge(bw_hall *hall, bw_conn *conn, int64_t id) {
    if (id == 0) return;
    bw_answer answer;
    bool answered = bw_answers_find(bw_answers_of(hall, conn), id, &answer);
    if (!answered) {
        bw_answers_add(&hall->scratch.memory, bw_answers_of(hall, conn),
                       (bw_answer){.id = id, .seq = conn->room->seq, .ticket = conn->room->session->last_ticket},
                       hall->durable);
    }
    send_ack(hall, conn, id, answered ? answer.seq : conn->room->seq);
}

void bw_refuse_for_now(bw_hall *hall, bw_conn *conn, int64_t id, bw_error_code code, const char *sentence) {
    bw_send_answer(hall, conn->room, conn->id, id, bw_error_message(hall, code, sentence, id));
}

void bw_refuse(bw_hall *hall, bw_conn *conn, int64_t id, bw_error_code code, const char *sentence) {
    bw_bytes *bytes = bw_error_message(hall, code, sentence, id);
    if (id > 0) {
        bw_answers_add(
            &hall->scratch.memory, bw_answers_of(hall, conn),
            (bw_answer){.id = id, .refusal = bw_bytes_share(bytes), .ticket = conn->room->session->last_ticket},
            hall->durable);
    }
    bw_send_answer(hall, conn->room, conn->id, id, bytes);
}

bool bw_answer_again(bw_hall *hall, bw_conn *conn, int64_t id) {
    const bw_answers *answers = bw_answers_of(hall, conn);
    bw_answer answer;
    bool answered = bw_answers_find(answers, id, &answer) && !BW_PLANTED(FORGET_IDS);
    if (answered && answer.refusal) {
        bw_send_answer(hall, conn->room, conn->id, id, bw_bytes_share(answer.refusal));
    } else if (answered) {
        send_ack(hall, conn, id, answer.seq);
    } else if (id <= answers->forgotten) {
        bw_refuse_for_now(hall, conn, id, BW_ERROR_BAD_MESSAGE,
                          "This id is too old: the \"id\" of each message must be larger than the last one.");
    } else {
        return false;
    }
    return true;
}

/* ---- to everybody in a room ---- */

bw_moment bw_moment_of(const bw_hall *hall, const bw_room *room) {
    const bw_session *session = room->session;
    bw_moment moment = {.wall_ms = hall->now.wall_ms, .away_ms = hall->settings.away_ms};
    if (session->round_us == INT64_MAX || room->ended_at) return moment;
    /* Rounds are announced as start + r intervals, to the millisecond. If the wall clock was set in between, the
     * time is computed from now instead, or the countdown would be wrong. */
    int64_t from_here = hall->now.wall_ms + (session->round_us - hall->now.mono_us) / 1000;
    int64_t off = from_here - session->round_wall_ms;
    moment.next_round_at = off >= -2 && off <= 2 ? session->round_wall_ms : from_here;
    return moment;
}

void bw_tell_state(bw_hall *hall, bw_room *room, const bw_conn *but) {
    bw_bytes *watchers = NULL;
    for (bw_conn *conn = room->session->conns; conn; conn = conn->next) {
        if (!conn->attached || conn == but) continue;
        if (conn->seat >= 0) {
            bw_send(hall, room, conn->id,
                    bw_room_state_for(&hall->scratch, room, bw_moment_of(hall, room), conn->seat));
        } else {
            watchers =
                watchers ? watchers : bw_room_state_for(&hall->scratch, room, bw_moment_of(hall, room), BW_WATCHER);
            bw_send(hall, room, conn->id, bw_bytes_share(watchers));
        }
    }
    bw_bytes_release(watchers);
    room->session->spectators_told = room->spectators;
    room->session->spectators_us = INT64_MAX;
    bw_room_count(hall, room);
    bw_room_schedule(hall, room);
}

void bw_tell_you(bw_hall *hall, bw_room *room, int seat) {
    const bw_conn *conn = room->session->chairs[seat].conn;
    if (!conn) return;
    bw_bytes *bytes = bw_you_for(&hall->scratch, room, seat);
    if (BW_PLANTED(LEAK_STAGED)) bw_broadcast(hall, room, bytes, NULL);
    else bw_send(hall, room, conn->id, bytes);
}

void bw_tell_spectators(bw_hall *hall, bw_room *room, const bw_conn *but) {
    enum { MANY = 16, COALESCE_US = 1000000 };
    if (room->spectators == room->session->spectators_told || room->session->phase != BW_PHASE_LIVE) return;
    if (room->session->conn_count <= MANY) {
        bw_tell_state(hall, room, but);
    } else if (room->session->spectators_us == INT64_MAX) {
        room->session->spectators_us = hall->now.mono_us + COALESCE_US;
        bw_room_schedule(hall, room);
    }
}

void bw_tell_role(bw_hall *hall, bw_room *room, bw_server_message_type type, int seat, const bw_conn *but) {
    bw_server_message message = {.type = (uint8_t)type};
    const char *role = room->game->roles[seat].id;
    memcpy(message.as.player_disconnected.role, role, strlen(role) + 1);
    bw_broadcast(hall, room, bw_message(&hall->scratch, &message), but);
}

void bw_seat_is_away(bw_hall *hall, bw_room *room, int seat) {
    bw_tell_role(hall, room, BW_TELL_DISCONNECTED, seat, NULL);
    bw_tell_state(hall, room, NULL);
}
