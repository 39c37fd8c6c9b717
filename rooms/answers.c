/* What became of messages that carry an id: each is applied at most once, and asked again it is answered again. */
#include "rooms/internal.h"

const bw_answer *bw_answers_find(const bw_answers *answers, int64_t id) {
    for (size_t i = answers->list.count; i-- > 0;) {
        const bw_answer *answer = bw_queue_item(&answers->list, i);
        if (answer->id == id) {
            return answer;
        }
    }
    return NULL;
}

void bw_answers_add(bw_hall *hall, bw_answers *answers, bw_answer answer) {
    if (answers->list.count == BW_ANSWERS_MAX) {
        bw_answer *oldest = bw_queue_front(&answers->list);
        if (oldest->id > answers->forgotten) {
            answers->forgotten = oldest->id;
        }
        bw_bytes_release(oldest->refusal);
        bw_queue_drop(&answers->list);
    }
    *(bw_answer *)bw_queue_add(&hall->memory, &answers->list, sizeof answer) = answer;
}

void bw_answers_under_way(bw_answers *answers, uint64_t ticket) {
    bw_answer *last = answers->list.count ? bw_queue_item(&answers->list, answers->list.count - 1) : NULL;
    if (last && last->ticket == UINT64_MAX) {
        last->ticket = ticket;
    }
}

void bw_answers_rollback(bw_hall *hall, bw_answers *answers, uint64_t last_good) {
    bw_answers kept = {.forgotten = answers->forgotten};
    for (size_t i = 0; i < answers->list.count; i++) {
        bw_answer *answer = bw_queue_item(&answers->list, i);
        if (answer->ticket > last_good && !BW_PLANTED(KEEP_ANSWERS_OF_FAILED)) {
            bw_bytes_release(answer->refusal);
        } else {
            *(bw_answer *)bw_queue_add(&hall->memory, &kept.list, sizeof *answer) = *answer;
        }
    }
    bw_queue_clear(&hall->memory, &answers->list);
    *answers = kept;
}

void bw_answers_clear(bw_hall *hall, bw_answers *answers) {
    for (size_t i = 0; i < answers->list.count; i++) {
        bw_bytes_release(((bw_answer *)bw_queue_item(&answers->list, i))->refusal);
    }
    bw_queue_clear(&hall->memory, &answers->list);
    answers->forgotten = 0;
}

bw_answers *bw_answers_of(bw_conn *conn) {
    return conn->seat >= 0 ? &bw_seat_of(conn)->answers : &conn->answers;
}

static void send_ack(bw_hall *hall, bw_conn *conn, int64_t id, int64_t seq) {
    bw_server_message message = {.type = BW_TELL_ACK, .as.ack = {.id = id, .seq = seq}};
    bw_send_answer(hall, conn->room, conn->number, id, bw_message(hall, &message));
}

void bw_acknowledge(bw_hall *hall, bw_conn *conn, int64_t id) {
    if (id == 0) {
        return;
    }
    const bw_answer *known = bw_answers_find(bw_answers_of(conn), id);
    if (!known) {
        bw_answers_add(hall, bw_answers_of(conn),
                       (bw_answer){.id = id, .seq = conn->room->seq, .ticket = conn->room->last_ticket});
    }
    send_ack(hall, conn, id, known ? known->seq : conn->room->seq);
}

void bw_refuse_for_now(bw_hall *hall, bw_conn *conn, int64_t id, bw_error_code code, const char *sentence) {
    hall->figures.refusals_total[code]++;
    bw_send_answer(hall, conn->room, conn->number, id, bw_error_message(hall, code, sentence, id));
}

void bw_refuse(bw_hall *hall, bw_conn *conn, int64_t id, bw_error_code code, const char *sentence) {
    hall->figures.refusals_total[code]++;
    bw_bytes *bytes = bw_error_message(hall, code, sentence, id);
    if (id > 0) {
        bw_answers_add(hall, bw_answers_of(conn),
                       (bw_answer){.id = id, .refusal = bw_bytes_share(bytes), .ticket = conn->room->last_ticket});
    }
    bw_send_answer(hall, conn->room, conn->number, id, bytes);
}

bool bw_answer_again(bw_hall *hall, bw_conn *conn, int64_t id) {
    const bw_answers *answers = bw_answers_of(conn);
    const bw_answer *answer = BW_PLANTED(FORGET_IDS) ? NULL : bw_answers_find(answers, id);
    if (answer && answer->refusal) {
        bw_send_answer(hall, conn->room, conn->number, id, bw_bytes_share(answer->refusal));
    } else if (answer) {
        send_ack(hall, conn, id, answer->seq);
    } else if (id <= answers->forgotten) {
        bw_refuse_for_now(hall, conn, id, BW_ERROR_BAD_MESSAGE,
                          "This id is too old to be known any more: each message needs an \"id\" above the last one's.");
    } else {
        return false;
    }
    return true;
}
