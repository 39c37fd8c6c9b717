/* A room as notes: what folding them gives again. */
#include "engine/sha256.h"
#include "rooms/internal.h"

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

static void put_plays(bw_hall *hall, bw_buffer *to, const bw_room *room) {
    bw_play_reader reader = {room, 0};
    bw_play play = {.action = hall->scratch.action};
    while (bw_play_next(&reader, &play)) {
        bw_note note = {.type = BW_NOTE_PLAY};
        note.as.play.at = play.at;
        note.as.play.seat = play.seat;
        note.as.play.has_seq = true;
        note.as.play.seq = play.seq;
        bw_hex_write(note.as.play.hash, play.hash, sizeof play.hash);
        note.as.play.has_known = bw_known_write(&play.known, &note.as.play.known);
        put(hall, to, room, &note, NULL, play.resigns ? NULL : play.action);
    }
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

static void put_sum(bw_hall *hall, bw_buffer *to, const bw_room *room) {
    bw_note note = {.type = BW_NOTE_SUM};
    uint8_t digest[32];
    bw_sha256_of(to->at, to->length, digest);
    bw_hex_write(note.as.sum.sha256, digest, sizeof digest);
    put(hall, to, room, &note, NULL, NULL);
}

bw_bytes *bw_snapshot(bw_hall *hall, bw_room *room) {
    bw_buffer to = {0};
    bw_note note = {.type = BW_NOTE_CREATED};
    note.as.created.v = BW_SNAPSHOT_FORMAT;
    note.as.created.rules_version = room->game->rules_version;
    note.as.created.at = room->created_at;
    memcpy(note.as.created.game, room->game->id, strlen(room->game->id) + 1);
    put(hall, &to, room, &note, room->config, NULL);
    if (room->match.block) {
        put_start(hall, &to, room);
        put_plays(hall, &to, room);
    }
    put_seats(hall, &to, room);
    if (room->match.block) put_ready(hall, &to, room);
    put_rematch(hall, &to, room);
    put_here(hall, &to, room);
    put_sum(hall, &to, room);
    bw_worked(hall, bw_cost_of_text(to.length));
    bw_bytes *bytes = bw_bytes_new(to.at, to.length);
    bw_buffer_clear(&hall->memory, &to);
    return bytes;
}
