/* What leaves the hall, and what waits. A client of a room is sent nothing before everything that the room
 * had given to the journal until then is durable: so nobody sees what a crash could undo. */
#include "rooms/internal.h"

bw_output *bw_emit(bw_hall *hall, bw_out_kind kind) {
    bw_output *out = bw_queue_add(&hall->memory, &hall->outputs, sizeof *out);
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
    if (!room || room->last_ticket <= hall->durable || BW_PLANTED(SEND_BEFORE_COMMIT)) {
        leave(hall, &pending);
        return;
    }
    pending.ticket = room->last_ticket;
    *(bw_pending *)bw_queue_add(&hall->memory, &room->pending, sizeof pending) = pending;
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

void bw_broadcast(bw_hall *hall, bw_room *room, bw_bytes *bytes) {
    for (bw_conn *conn = room->conns; conn; conn = conn->next) {
        if (conn->attached) bw_send(hall, room, conn->number, bw_bytes_share(bytes));
    }
}

void bw_release_pending(bw_hall *hall, bw_room *room) {
    bw_pending *pending;
    while ((pending = bw_queue_front(&room->pending)) && pending->ticket <= hall->durable) {
        leave(hall, pending);
        bw_queue_drop(&room->pending);
    }
    if (room->pending.count == 0 && room->pending.cap > 0) {
        bw_queue_clear(&hall->memory, &room->pending);
    }
}

void bw_drop_pending(bw_hall *hall, bw_room *room, const char *reason) {
    bw_pending *pending;
    while ((pending = bw_queue_front(&room->pending))) {
        bw_pending dropped = *pending;
        bw_queue_drop(&room->pending);
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
    bw_queue_clear(&hall->memory, &room->pending);
}

bool bw_grow_text(bw_hall *hall, const bw_out *out) {
    if (!out->overflow) return false;
    hall->scratch.text_cap *= 2;
    hall->scratch.text = bw_memory_grow(&hall->memory, hall->scratch.text, hall->scratch.text_cap);
    return true;
}

bw_bytes *bw_message(bw_hall *hall, const bw_server_message *message) {
    bw_out out;
    do {
        out = bw_out_to(hall->scratch.text, hall->scratch.text_cap);
        bw_encode_union(&out, &bw_server_message_union, message);
    } while (bw_grow_text(hall, &out));
    bw_worked(hall, bw_cost_of_text(out.length));
    return bw_bytes_new(out.at, out.length);
}

/* Every error passes here, and is counted here. */
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
    return bw_message(hall, &message);
}
