/* A room as notes: what folding them gives again. In slices (jobs.c), for a game may be long: its plays stay as they are
 * and new ones come behind them, and all that changes otherwise is written at the end, at once. */
#include "engine/sha256.h"
#include "rooms/internal.h"

struct bw_snapshotting {
    bw_buffer to;
    bw_sha256 sum; /* of its first `summed` bytes */
    size_t summed;
    size_t at; /* in the room's plays */
};

static void put(bw_hall *hall, bw_buffer *to, const bw_room *room, const bw_note *note, const void *config,
                const void *action) {
    bw_bytes *line = bw_encode_note(hall, room, note, config, action);
    bw_buffer_add(&hall->memory, to, line->at, line->length);
    bw_buffer_add(&hall->memory, to, "\n", 1);
    bw_bytes_release(line);
}

static void put_name(bw_note_seat *seat, const char *name) {
    seat->has_name = name != NULL;
    if (name) memcpy(seat->name, name, strlen(name) + 1);
}

static void put_bot(bw_hall *hall, bw_buffer *to, const bw_room *room, int index, const char *level) {
    bw_note note = {.type = BW_NOTE_BOT};
    note.as.bot.seat = (int8_t)index;
    note.as.bot.has_level = level != NULL;
    if (level) memcpy(note.as.bot.level, level, strlen(level) + 1);
    put(hall, to, room, &note, NULL, NULL);
}

static void put_stand_in(bw_hall *hall, bw_buffer *to, const bw_room *room, int index, const char *level) {
    bw_note note = {.type = BW_NOTE_STAND_IN};
    note.as.stand_in.seat = (int8_t)index;
    note.as.stand_in.has_level = true;
    memcpy(note.as.stand_in.level, level, strlen(level) + 1);
    put(hall, to, room, &note, NULL, NULL);
}

static void put_seat(bw_hall *hall, bw_buffer *to, const bw_room *room, int index, const bw_seat *seat,
                     const char *name) {
    bw_note note = {.type = BW_NOTE_SEAT};
    note.as.seat.seat = (int8_t)index;
    note.as.seat.reserve = seat->reserve;
    put_name(&note.as.seat, name);
    bw_hex_write(note.as.seat.token_hash, seat->token_hash, sizeof seat->token_hash);
    put(hall, to, room, &note, NULL, NULL);
}

/* Before the start note: names and bots as they stand in the game's file. */
static void put_start(bw_hall *hall, bw_buffer *to, const bw_room *room) {
    static const bw_seat nobody;
    bw_note note = {.type = BW_NOTE_START};
    for (int i = 0; i < room->game->role_count; i++) {
        const bw_seat *seat = &room->seats[i];
        if (seat->file_level) put_bot(hall, to, room, i, seat->file_level);
        else if (seat->file_name) put_seat(hall, to, room, i, &nobody, seat->file_name);
    }
    note.as.start.at = room->started_at;
    note.as.start.seats = *room->match.seats;
    bw_hex_write(note.as.start.seed, room->match.seed, BW_SEED_BYTES);
    memcpy(note.as.start.replay_id, room->replay_id, sizeof note.as.start.replay_id);
    put(hall, to, room, &note, room->match.config, NULL);
}

/* The next of them. false: there are no more. */
static bool put_play(bw_hall *hall, bw_room *room) {
    struct bw_snapshotting *of = room->snapshotting;
    bw_play_reader reader = {room, of->at};
    bw_play play = {.action = hall->scratch.action};
    if (!bw_play_next(&reader, &play)) return false;
    of->at = reader.at;
    bw_note note = {.type = BW_NOTE_PLAY};
    note.as.play.at = play.at;
    note.as.play.seat = play.seat;
    note.as.play.has_seq = true;
    note.as.play.seq = play.seq;
    bw_hex_write(note.as.play.hash, play.hash, sizeof play.hash);
    note.as.play.has_known = bw_known_write(&play.known, &note.as.play.known);
    put(hall, &of->to, room, &note, NULL, play.resigns ? NULL : play.action);
    return true;
}

static void put_seats(bw_hall *hall, bw_buffer *to, const bw_room *room) {
    for (int i = 0; i < room->game->role_count; i++) {
        const bw_seat *seat = &room->seats[i];
        if (!seat->held) put_bot(hall, to, room, i, seat->level);
        else put_seat(hall, to, room, i, seat, seat->name);
        if (seat->held && seat->level) put_stand_in(hall, to, room, i, seat->level);
        bw_answers_position position = {0};
        bw_answer answer;
        while (bw_answers_next(&seat->answers, &position, &answer)) {
            bw_note note = {.type = BW_NOTE_ANSWER};
            note.as.answer = (bw_note_answer){.seat = (int8_t)i, .id = answer.id, .forgotten = seat->answers.forgotten};
            note.as.answer.has_seq = answer.refusal == NULL;
            note.as.answer.seq = answer.seq;
            note.as.answer.has_refusal = answer.refusal && answer.refusal->length < sizeof note.as.answer.refusal;
            if (note.as.answer.has_refusal) {
                memcpy(note.as.answer.refusal, answer.refusal->at, answer.refusal->length);
            }
            put(hall, to, room, &note, NULL, NULL);
        }
    }
}

/* Behind the seats: a seat's new holder is not ready. */
static void put_ready(bw_hall *hall, bw_buffer *to, const bw_room *room) {
    for (int i = 0; i < room->game->role_count; i++) {
        if (!(room->ready >> i & 1)) continue;
        bw_note note = {.type = BW_NOTE_READY};
        note.as.ready.has_by = true;
        note.as.ready.by = (int8_t)i;
        put(hall, to, room, &note, NULL, NULL);
    }
    if (room->clock_started_at && room->clock_started_at != room->started_at) {
        bw_note note = {.type = BW_NOTE_READY};
        note.as.ready.has_clock_at = true;
        note.as.ready.clock_at = room->clock_started_at;
        put(hall, to, room, &note, NULL, NULL);
    }
}

static void put_rematch(bw_hall *hall, bw_buffer *to, const bw_room *room) {
    for (int i = 0; i < room->game->role_count; i++) {
        if (room->agreed >> i & 1) {
            bw_note note = {.type = BW_NOTE_OFFER};
            note.as.offer.agreed = room->agreed;
            note.as.offer.swap = room->swap;
            note.as.offer.has_by = note.as.offer.has_key = true;
            note.as.offer.by = (int8_t)i;
            bw_hex_write(note.as.offer.key, room->seats[i].next_hash, sizeof room->seats[i].next_hash);
            put(hall, to, room, &note, NULL, NULL);
        }
    }
    if (room->next_room[0]) {
        bw_note note = {.type = BW_NOTE_REMATCH};
        memcpy(note.as.rematch.room, room->next_room, sizeof note.as.rematch.room);
        put(hall, to, room, &note, NULL, NULL);
    }
}

/* Last, for it says what `seq` all of that has led to. */
static void put_here(bw_hall *hall, bw_buffer *to, const bw_room *room) {
    bw_note note = {.type = BW_NOTE_HERE};
    static const char open[] = ",\"drafts\":\"", shut[] = "\"}\n";
    size_t bytes = (size_t)room->game->role_count * room->game->draft_size;
    note.as.here.seq = room->seq;
    put(hall, to, room, &note, NULL, NULL);
    if (!room->match.block || bytes == 0) return;
    to->length -= 2; /* open again */
    bw_buffer_add(&hall->memory, to, open, sizeof open - 1);
    for (size_t i = 0; i < bytes; i++) {
        char digits[3];
        bw_hex_write(digits, room->match.drafts + i, 1);
        bw_buffer_add(&hall->memory, to, digits, 2);
    }
    bw_buffer_add(&hall->memory, to, shut, sizeof shut - 1);
}

/* Takes the text that was added since into the sum. */
static void sum_up(bw_hall *hall, struct bw_snapshotting *of) {
    bw_sha256_update(&of->sum, of->to.at + of->summed, of->to.length - of->summed);
    bw_worked(hall, bw_cost_of_text(of->to.length - of->summed));
    of->summed = of->to.length;
}

static void put_sum(bw_hall *hall, const bw_room *room) {
    struct bw_snapshotting *of = room->snapshotting;
    bw_note note = {.type = BW_NOTE_SUM};
    uint8_t digest[32];
    sum_up(hall, of);
    bw_sha256_final(&of->sum, digest);
    bw_hex_write(note.as.sum.sha256, digest, sizeof digest);
    put(hall, &of->to, room, &note, NULL, NULL);
}

/* What stands before the plays: of a game that has started it changes no more. */
void bw_snapshot_begin(bw_hall *hall, bw_room *room) {
    struct bw_snapshotting *of = room->snapshotting = bw_memory_new(&hall->memory, sizeof *of);
    bw_note note = {.type = BW_NOTE_CREATED};
    bw_sha256_init(&of->sum);
    note.as.created.v = BW_SNAPSHOT_FORMAT;
    note.as.created.rules_version = room->game->rules_version;
    note.as.created.at = room->created_at;
    memcpy(note.as.created.game, room->game->id, strlen(room->game->id) + 1);
    put(hall, &of->to, room, &note, room->config, NULL);
    if (room->match.block) put_start(hall, &of->to, room);
    sum_up(hall, of);
}

bool bw_snapshot_slice(bw_hall *hall, bw_room *room) {
    uint64_t end = hall->figures.work_total + BW_SLICE;
    while (hall->figures.work_total < end) {
        if (!put_play(hall, room)) return true;
        sum_up(hall, room->snapshotting);
    }
    return false;
}

bw_bytes *bw_snapshot_end(bw_hall *hall, bw_room *room) {
    bw_buffer *to = &room->snapshotting->to;
    put_seats(hall, to, room);
    if (room->match.block) put_ready(hall, to, room);
    put_rematch(hall, to, room);
    put_here(hall, to, room);
    put_sum(hall, room);
    bw_bytes *bytes = bw_bytes_new(to->at, to->length);
    bw_snapshot_drop(hall, room);
    return bytes;
}

void bw_snapshot_drop(bw_hall *hall, bw_room *room) {
    if (!room->snapshotting) return;
    bw_buffer_clear(&hall->memory, &room->snapshotting->to);
    bw_memory_free(&hall->memory, room->snapshotting);
    room->snapshotting = NULL;
}

/* ---- of a room that goes on meanwhile, or leaves then ---- */

void bw_snapshot_soon(bw_hall *hall, bw_room *room) {
    if (room->snapshot_wanted) return;
    room->snapshot_wanted = true;
    bw_job_add(hall, room);
}

bool bw_snapshot_job(bw_hall *hall, bw_room *room) {
    if (room->phase != BW_PHASE_LIVE) {
        bw_snapshot_drop(hall, room);
        room->snapshot_wanted = false;
        return true;
    }
    if (!room->snapshotting) bw_snapshot_begin(hall, room);
    if (!bw_snapshot_slice(hall, room)) return false;
    room->snapshot_wanted = false;
    bw_append(hall, room, BW_ENTRY_SNAPSHOT, bw_snapshot_end(hall, room), (bw_cause){0});
    room->snapshot_index = room->note_count;
    room->loose_notes = 0;
    if (room->hibernating && room->conn_count == 0 && room->inputs.count == 0) bw_idle_leave(hall, room);
    return true;
}
