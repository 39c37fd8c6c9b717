/* Writes a room as records that recreate it when applied in order. A game may be long, so its moves are written in
 * slices: they never change, and new ones are appended. Everything that may change is written at the end, in one
 * piece. */
#include "engine/sha256.h"
#include "rooms/room/room.h"

struct bw_snapshotting {
    bw_buffer to;
    bw_sha256 sum; /* sum of its first `summed` bytes */
    size_t summed;
    bw_move_reader moves;
};

static void put_change(bw_scratch *scratch, bw_buffer *to, const bw_room *room, const bw_change *change) {
    bw_out out;
    do {
        out = bw_out_to(scratch->text, scratch->text_cap);
        bw_change_write(&out, room->game, change);
        bw_out_text(&out, "\n");
    } while (bw_grow(scratch, &out, &scratch->text, &scratch->text_cap));
    bw_buffer_add(&scratch->memory, to, out.at, out.length);
}

static void put(bw_scratch *scratch, bw_buffer *to, const bw_room *room, const bw_record *record, const void *config,
                const void *action) {
    bw_change change = {.record = *record, .config = config, .action = action};
    put_change(scratch, to, room, &change);
}

static void put_name(bw_record_seat *seat, const char *name) {
    seat->has_name = name != NULL;
    if (name) memcpy(seat->name, name, strlen(name) + 1);
}

static void put_bot(bw_scratch *scratch, bw_buffer *to, const bw_room *room, int index, const char *level) {
    bw_record record = {.type = BW_RECORD_BOT};
    record.as.bot.seat = (int8_t)index;
    record.as.bot.has_level = level != NULL;
    if (level) memcpy(record.as.bot.level, level, strlen(level) + 1);
    put(scratch, to, room, &record, NULL, NULL);
}

static void put_stand_in(bw_scratch *scratch, bw_buffer *to, const bw_room *room, int index, const char *level) {
    bw_record record = {.type = BW_RECORD_STAND_IN};
    record.as.stand_in.seat = (int8_t)index;
    record.as.stand_in.has_level = true;
    memcpy(record.as.stand_in.level, level, strlen(level) + 1);
    put(scratch, to, room, &record, NULL, NULL);
}

static void put_seat(bw_scratch *scratch, bw_buffer *to, const bw_room *room, int index, const bw_seat *seat,
                     const char *name) {
    bw_record record = {.type = BW_RECORD_SEAT};
    record.as.seat.seat = (int8_t)index;
    record.as.seat.reserve = seat->reserve;
    put_name(&record.as.seat, name);
    memcpy(record.as.seat.token_hash, seat->token_hash, sizeof record.as.seat.token_hash);
    put(scratch, to, room, &record, NULL, NULL);
}

/* Does the start record have its seats still to be taken? If the last one was taken in the millisecond of the start, it need
 * not. */
static bool is_vacant_start(const bw_room *room) { return room->ready_from != room->started_at; }

/* Before the start record: names and bots as in the game's file. */
static void put_start(bw_scratch *scratch, bw_buffer *to, const bw_room *room) {
    static const bw_seat nobody;
    bw_change change = {.record.type = BW_RECORD_START, .config = bw_room_match(room)->config, .given = room->given};
    bw_record_start *start = &change.record.as.start;
    for (int i = 0; i < room->game->role_count; i++) {
        const bw_seat *seat = bw_seat_at(room, i);
        if (seat->file_level) put_bot(scratch, to, room, i, seat->file_level);
        else if (seat->file_name) put_seat(scratch, to, room, i, &nobody, seat->file_name);
    }
    start->at = room->started_at;
    start->seats = *bw_room_match(room)->seats;
    start->has_vacant = start->vacant = is_vacant_start(room);
    memcpy(start->seed, bw_room_match(room)->seed, sizeof start->seed);
    memcpy(start->replay_id, room->replay_id, sizeof start->replay_id);
    put_change(scratch, to, room, &change);
}

/* Writes the next one. false: there are no more. */
static bool put_play(bw_scratch *scratch, bw_room *room) {
    struct bw_snapshotting *of = room->snapshotting;
    bw_move move = {.action = scratch->action};
    if (!bw_move_next(&of->moves, &move)) return false;
    bw_record record = {.type = BW_RECORD_MOVE};
    record.as.move.at = move.at;
    record.as.move.seat = move.seat;
    record.as.move.has_seq = true;
    record.as.move.seq = move.seq;
    memcpy(record.as.move.hash, move.hash, sizeof record.as.move.hash);
    record.as.move.has_known = bw_solver_result_write(&move.solver_result, &record.as.move.known);
    put(scratch, &of->to, room, &record, NULL, move.resigns ? NULL : move.action);
    return true;
}

static void put_seats(bw_scratch *scratch, bw_buffer *to, const bw_room *room) {
    for (int i = 0; i < room->game->role_count; i++) {
        const bw_seat *seat = bw_seat_at(room, i);
        if (!seat->held) put_bot(scratch, to, room, i, seat->level);
        else put_seat(scratch, to, room, i, seat, seat->name);
        if (seat->held && seat->level) put_stand_in(scratch, to, room, i, seat->level);
        bw_answers_position position = {0};
        bw_answer answer;
        while (bw_answers_next(&seat->answers, &position, &answer)) {
            bw_record record = {.type = BW_RECORD_ANSWER};
            record.as.answer =
                (bw_record_answer){.seat = (int8_t)i, .id = answer.id, .forgotten = seat->answers.forgotten};
            record.as.answer.has_seq = answer.refusal == NULL;
            record.as.answer.seq = answer.seq;
            record.as.answer.has_refusal = answer.refusal && answer.refusal->length < sizeof record.as.answer.refusal;
            if (record.as.answer.has_refusal) {
                memcpy(record.as.answer.refusal, answer.refusal->at, answer.refusal->length);
            }
            put(scratch, to, room, &record, NULL, NULL);
        }
    }
}

/* Whatever does not follow from the start record. After the seats, because a new holder of a seat is not ready. */
static void put_ready(bw_scratch *scratch, bw_buffer *to, const bw_room *room) {
    for (int i = 0; i < room->game->role_count; i++) {
        if (!(room->ready >> i & 1)) continue;
        bw_record record = {.type = BW_RECORD_READY};
        record.as.ready.has_by = true;
        record.as.ready.by = (int8_t)i;
        put(scratch, to, room, &record, NULL, NULL);
    }
    if (room->ready_from && is_vacant_start(room)) {
        bw_record record = {.type = BW_RECORD_READY};
        record.as.ready.has_from = true;
        record.as.ready.from = room->ready_from;
        put(scratch, to, room, &record, NULL, NULL);
    }
    /* Everybody may be ready in the millisecond of the start, so equal times do not mean that the clock ran from the start. */
    if (room->clock_started_at && !BW_PLANTED(SNAPSHOT_STOPS_THE_CLOCK) &&
        !bw_clock_runs_from_start(room, is_vacant_start(room))) {
        bw_record record = {.type = BW_RECORD_READY};
        record.as.ready.has_clock_at = true;
        record.as.ready.clock_at = room->clock_started_at;
        put(scratch, to, room, &record, NULL, NULL);
    }
}

static void put_rematch(bw_scratch *scratch, bw_buffer *to, const bw_room *room) {
    for (int i = 0; i < room->game->role_count; i++) {
        if (room->agreed >> i & 1) {
            bw_record record = {.type = BW_RECORD_OFFER};
            record.as.offer.agreed = room->agreed;
            record.as.offer.swap = room->swap;
            record.as.offer.has_by = record.as.offer.has_key = true;
            record.as.offer.by = (int8_t)i;
            const uint8_t *key = bw_seat_at(room, i)->next_hash;
            if (key) memcpy(record.as.offer.key, key, sizeof record.as.offer.key);
            put(scratch, to, room, &record, NULL, NULL);
        }
    }
    if (room->next_room[0]) {
        bw_record record = {.type = BW_RECORD_REMATCH};
        memcpy(record.as.rematch.room, room->next_room, sizeof record.as.rematch.room);
        put(scratch, to, room, &record, NULL, NULL);
    }
}

/* Last, because it has the `seq` after all of that. */
static void put_here(bw_scratch *scratch, bw_buffer *to, const bw_room *room) {
    bw_record record = {.type = BW_RECORD_HERE};
    size_t bytes = (size_t)room->game->role_count * room->game->draft_size;
    bw_out out;
    record.as.here.seq = room->seq;
    put(scratch, to, room, &record, NULL, NULL);
    if (!room->started_at || bytes == 0) return;
    to->length -= 2; /* open again */
    do {
        out = bw_out_to(scratch->text, scratch->text_cap);
        bw_out_text(&out, ",\"drafts\":\"");
        bw_out_hex(&out, bw_room_match(room)->drafts, bytes);
        bw_out_text(&out, "\"}\n");
    } while (bw_grow(scratch, &out, &scratch->text, &scratch->text_cap));
    bw_buffer_add(&scratch->memory, to, out.at, out.length);
}

/* Adds the new text to the sum. */
static void sum_up(bw_scratch *scratch, struct bw_snapshotting *of) {
    bw_sha256_update(&of->sum, of->to.at + of->summed, of->to.length - of->summed);
    scratch->work += bw_cost_of_text(of->to.length - of->summed);
    of->summed = of->to.length;
}

static void put_sum(bw_scratch *scratch, const bw_room *room) {
    struct bw_snapshotting *of = room->snapshotting;
    bw_record record = {.type = BW_RECORD_SUM};
    sum_up(scratch, of);
    bw_sha256_final(&of->sum, record.as.sum.sha256);
    put(scratch, &of->to, room, &record, NULL, NULL);
}

/* The part before the moves, which no longer changes once a game has started. */
void bw_snapshot_begin(bw_scratch *scratch, bw_room *room) {
    struct bw_snapshotting *of = room->snapshotting = bw_memory_new(&scratch->memory, sizeof *of);
    bw_record record = {.type = BW_RECORD_CREATED};
    bw_sha256_init(&of->sum);
    of->moves = bw_moves_all(room);
    room->keeps_all = true;
    record.as.created.v = BW_SNAPSHOT_FORMAT;
    record.as.created.rules_version = room->game->rules_version;
    record.as.created.at = room->created_at;
    memcpy(record.as.created.game, room->game->id, strlen(room->game->id) + 1);
    put(scratch, &of->to, room, &record, room->config, NULL);
    if (room->started_at) put_start(scratch, &of->to, room);
    sum_up(scratch, of);
}

bool bw_snapshot_slice(bw_scratch *scratch, bw_room *room) {
    uint64_t end = scratch->work + BW_SLICE;
    while (scratch->work < end) {
        if (!put_play(scratch, room)) return true;
        sum_up(scratch, room->snapshotting);
    }
    return false;
}

bw_bytes *bw_snapshot_end(bw_scratch *scratch, bw_room *room) {
    bw_buffer *to = &room->snapshotting->to;
    put_seats(scratch, to, room);
    if (room->started_at) put_ready(scratch, to, room);
    put_rematch(scratch, to, room);
    put_here(scratch, to, room);
    put_sum(scratch, room);
    bw_bytes *bytes = bw_bytes_new(to->at, to->length);
    bw_snapshot_drop(scratch, room);
    return bytes;
}

void bw_snapshot_drop(bw_scratch *scratch, bw_room *room) {
    if (!room->snapshotting) return;
    bw_buffer_clear(&scratch->memory, &room->snapshotting->to);
    bw_memory_free(&scratch->memory, room->snapshotting);
    room->snapshotting = NULL;
}
