/* What became of messages that carry an id: each is applied at most once, and asked again it is answered again. */
#include "rooms/internal.h"

/* An acknowledgement is a few bits against the one before it: both numbers mostly rise by one or two. */
struct bw_acks {
    int64_t id, seq; /* what the first one is told against */
    uint16_t count, length, cap;
    uint8_t bytes[];
};

/* ---- acknowledgements that stand ---- */

static void take_ack(const struct bw_acks *acks, size_t *offset, int64_t *id, int64_t *seq) {
    *id += bw_number_unsigned(bw_number_take(acks->bytes, offset));
    *seq += bw_number_unsigned(bw_number_take(acks->bytes, offset));
}

static void forget_oldest_ack(bw_answers *answers) {
    struct bw_acks *acks = answers->acks;
    size_t offset = 0;
    take_ack(acks, &offset, &acks->id, &acks->seq);
    acks->count--;
    acks->length = (uint16_t)(acks->length - offset);
    memmove(acks->bytes, acks->bytes + offset, acks->length);
    answers->forgotten = acks->id > answers->forgotten ? acks->id : answers->forgotten;
}

static void pack(bw_hall *hall, bw_answers *answers, const bw_answer *answer) {
    enum { SPARE = 16 };
    if (answers->acks && answers->acks->count == BW_ANSWERS_MAX) forget_oldest_ack(answers);
    struct bw_acks *acks = answers->acks;
    uint8_t packed[2 * BW_NUMBER_BYTES];
    int64_t id = acks ? acks->id : 0, seq = acks ? acks->seq : 0;
    for (size_t offset = 0; acks && offset < acks->length;) take_ack(acks, &offset, &id, &seq);
    size_t added = bw_number_put(packed, bw_number_signed(answer->id - id));
    added += bw_number_put(packed + added, bw_number_signed(answer->seq - seq));
    size_t length = (acks ? acks->length : 0) + added;
    if (!acks || acks->cap < length) {
        acks = bw_memory_grow(&hall->memory, acks, sizeof *acks + length + SPARE);
        acks->cap = (uint16_t)(length + SPARE);
        answers->acks = acks;
    }
    memcpy(acks->bytes + acks->length, packed, added);
    acks->length = (uint16_t)length;
    acks->count++;
}

/* ---- all ---- */

bool bw_answers_next(const bw_answers *answers, bw_answers_position *position, bw_answer *answer) {
    const struct bw_acks *acks = answers->acks;
    size_t count = acks ? acks->count : 0, index = position->index++;
    if (index < count) {
        position->id = index == 0 ? acks->id : position->id;
        position->seq = index == 0 ? acks->seq : position->seq;
        take_ack(acks, &position->offset, &position->id, &position->seq);
        *answer = (bw_answer){.id = position->id, .seq = position->seq};
        return true;
    }
    if (index - count < answers->list.count) {
        *answer = *(const bw_answer *)bw_queue_item(&answers->list, index - count);
        return true;
    }
    return false;
}

bool bw_answers_find(const bw_answers *answers, int64_t id, bw_answer *found) {
    bw_answers_position position = {0};
    bw_answer answer;
    bool there = false;
    while (bw_answers_next(answers, &position, &answer)) {
        if (answer.id == id) {
            *found = answer;
            there = true;
        }
    }
    return there;
}

/* What nothing can undo any more moves over. Returns how many refusals stay. */
static size_t settle(bw_hall *hall, bw_answers *answers) {
    size_t refusals = 0;
    for (size_t n = answers->list.count; n > 0; n--) {
        bw_answer answer = *(bw_answer *)bw_queue_front(&answers->list);
        bw_queue_drop(&answers->list);
        if (!answer.refusal && answer.ticket <= hall->durable) {
            pack(hall, answers, &answer);
        } else {
            *(bw_answer *)bw_queue_add(&hall->memory, &answers->list, sizeof answer) = answer;
            refusals += answer.refusal != NULL;
        }
    }
    return refusals;
}

void bw_answers_add(bw_hall *hall, bw_answers *answers, bw_answer answer) {
    size_t refusals = settle(hall, answers);
    if ((answer.refusal && refusals == BW_ANSWERS_MAX) || answers->list.count == 2 * BW_ANSWERS_MAX) {
        bw_answer *oldest = bw_queue_front(&answers->list);
        if (oldest->id > answers->forgotten) answers->forgotten = oldest->id;
        bw_bytes_release(oldest->refusal);
        bw_queue_drop(&answers->list);
    }
    *(bw_answer *)bw_queue_add(&hall->memory, &answers->list, sizeof answer) = answer;
}

void bw_answers_under_way(bw_answers *answers, uint64_t ticket) {
    bw_answer *last = answers->list.count ? bw_queue_item(&answers->list, answers->list.count - 1) : NULL;
    if (last && last->ticket == UINT64_MAX) last->ticket = ticket;
}

void bw_answers_rollback(bw_hall *hall, bw_answers *answers, uint64_t last_good) {
    bw_answers kept = {.acks = answers->acks, .forgotten = answers->forgotten};
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
    bw_memory_free(&hall->memory, answers->acks);
    *answers = (bw_answers){0};
}

bw_answers *bw_answers_of(bw_conn *conn) { return conn->seat >= 0 ? &bw_seat_of(conn)->answers : &conn->answers; }

static void send_ack(bw_hall *hall, bw_conn *conn, int64_t id, int64_t seq) {
    bw_server_message message = {.type = BW_TELL_ACK, .as.ack = {.id = id, .seq = seq}};
    bw_send_answer(hall, conn->room, conn->number, id, bw_message(hall, &message));
}

void bw_acknowledge(bw_hall *hall, bw_conn *conn, int64_t id) {
    if (id == 0) return;
    bw_answer answer;
    bool known = bw_answers_find(bw_answers_of(conn), id, &answer);
    if (!known) {
        bw_answers_add(hall, bw_answers_of(conn),
                       (bw_answer){.id = id, .seq = conn->room->seq, .ticket = conn->room->last_ticket});
    }
    send_ack(hall, conn, id, known ? answer.seq : conn->room->seq);
}

void bw_refuse_for_now(bw_hall *hall, bw_conn *conn, int64_t id, bw_error_code code, const char *sentence) {
    bw_send_answer(hall, conn->room, conn->number, id, bw_error_message(hall, code, sentence, id));
}

void bw_refuse(bw_hall *hall, bw_conn *conn, int64_t id, bw_error_code code, const char *sentence) {
    bw_bytes *bytes = bw_error_message(hall, code, sentence, id);
    if (id > 0) {
        bw_answers_add(hall, bw_answers_of(conn),
                       (bw_answer){.id = id, .refusal = bw_bytes_share(bytes), .ticket = conn->room->last_ticket});
    }
    bw_send_answer(hall, conn->room, conn->number, id, bytes);
}

bool bw_answer_again(bw_hall *hall, bw_conn *conn, int64_t id) {
    const bw_answers *answers = bw_answers_of(conn);
    bw_answer answer;
    bool known = bw_answers_find(answers, id, &answer) && !BW_PLANTED(FORGET_IDS);
    if (known && answer.refusal) {
        bw_send_answer(hall, conn->room, conn->number, id, bw_bytes_share(answer.refusal));
    } else if (known) {
        send_ack(hall, conn, id, answer.seq);
    } else if (id <= answers->forgotten) {
        bw_refuse_for_now(
            hall, conn, id, BW_ERROR_BAD_MESSAGE,
            "This id is too old to be known any more: each message needs an \"id\" above the last one's.");
    } else {
        return false;
    }
    return true;
}
