/* A note's way: encoded, folded into the room, handed to the journal. And what happens where that fails. */
#include "rooms/internal.h"

bw_bytes *bw_encode_note(bw_hall *hall, const bw_room *room, const bw_note *note, const void *config,
                         const void *action) {
    bw_out out;
    do {
        out = bw_out_to(hall->scratch.text, hall->scratch.text_cap);
        bw_encode_union(&out, &bw_note_union, note);
        out.length -= out.length > 0; /* open again */
        if (config) {
            bw_out_text(&out, ",\"config\":");
            bw_encode(&out, room->game->config, config);
        }
        if (action) {
            bw_out_text(&out, ",\"action\":");
            bw_encode_union(&out, room->game->actions, action);
        }
        bw_out_text(&out, "}");
    } while (bw_grow_text(hall, &out));
    return bw_bytes_new(out.at, out.length);
}

static uint8_t status_letter(const bw_room *room) {
    static const char letters[] = "wcae";
    return (uint8_t)letters[bw_room_status(room)];
}

void bw_append(bw_hall *hall, bw_room *room, bw_entry_kind kind, bw_bytes *bytes, bw_cause cause) {
    bw_output *out = bw_emit(hall, BW_OUT_APPEND);
    bw_entry *entry = &out->entry;
    entry->kind = kind;
    entry->ticket = ++hall->tickets;
    memcpy(entry->room, room->id, sizeof entry->room);
    entry->index = room->note_count;
    entry->status = room->game ? status_letter(room) : 'w';
    entry->changed_at = room->ended_at ? room->ended_at : hall->now.wall_ms;
    if (kind == BW_ENTRY_REPLAY) memcpy(entry->replay_id, room->replay_id, sizeof entry->replay_id);
    out->bytes = bytes;
    entry->bytes = bytes ? (const uint8_t *)bytes->at : NULL;
    entry->length = bytes ? bytes->length : 0;
    room->last_ticket = entry->ticket;
    if (kind == BW_ENTRY_RECORD || kind == BW_ENTRY_REPLAY) {
        bw_limit_store(hall, room->payer, entry->length + BW_RECORD_BYTES);
    }
    bw_underway *underway = bw_queue_add(&hall->memory, &hall->underway, sizeof *underway);
    *underway = (bw_underway){.ticket = entry->ticket, .room = room, .kind = kind, .id = cause.id};
    underway->conn = cause.conn ? cause.conn->number : 0;
    memcpy(underway->name, room->id, sizeof underway->name);
}

void bw_commit(bw_hall *hall, bw_room *room, bw_note *note, const void *config, const void *action, bool played,
               bw_cause cause) {
    if (cause.conn) room->payer = cause.conn->address;
    bw_fold(hall, room, note, config, action, played);
    bool ends = room->ended_at && (note->type == BW_NOTE_PLAY || note->type == BW_NOTE_START);
    if (ends && !BW_PLANTED(REPLAY_AFTER_THE_END)) {
        /* Before the note, so that a room that has ended has its replay, whatever happens between the two. */
        bw_append(hall, room, BW_ENTRY_REPLAY, bw_file_so_far(hall, room), (bw_cause){0});
    }
    room->note_count++;
    bw_append(hall, room, BW_ENTRY_RECORD, bw_encode_note(hall, room, note, config, action), cause);
    if (ends && BW_PLANTED(REPLAY_AFTER_THE_END)) {
        bw_append(hall, room, BW_ENTRY_REPLAY, bw_file_so_far(hall, room), (bw_cause){0});
    }
    for (int i = 0; i < room->game->role_count; i++) {
        bw_answers_under_way(&room->seats[i].answers, room->last_ticket);
    }
    bw_room_count(hall, room);
    /* A play is one of at most 5,000; what else is noted may come again and again. */
    room->loose_notes += note->type != BW_NOTE_PLAY;
    if (room->loose_notes >= BW_LOOSE_NOTES) bw_snapshot_soon(hall, room);
}

/* Entries that the shell has not taken yet are lost with those that it has. */
static void drop_appends(bw_hall *hall, uint64_t last_good) {
    bw_queue kept = {0};
    for (size_t i = 0; i < hall->outputs.count; i++) {
        bw_output *out = bw_queue_item(&hall->outputs, i);
        if (out->kind == BW_OUT_APPEND && out->entry.ticket > last_good) {
            bw_bytes_release(out->bytes);
        } else {
            *(bw_output *)bw_queue_add(&hall->memory, &kept, sizeof *out) = *out;
        }
    }
    bw_queue_clear(&hall->memory, &hall->outputs);
    hall->outputs = kept;
}

static void tell_failed(bw_hall *hall, const bw_underway *failed, const char *reason) {
    bw_conn *conn = failed->conn ? bw_conn_find(hall, failed->conn) : NULL;
    if (conn && failed->id == 0 && failed->kind == BW_ENTRY_RECORD) {
        bw_output *out = bw_emit(hall, BW_OUT_SEND);
        out->conn = conn->number;
        out->bytes = bw_error_message(hall, BW_ERROR_STORAGE, reason, 0);
    }
}

/* A refusal is a promise that nothing comes of it; where that cannot be promised, it says so. */
static void word_failure(bw_complaint *told, const char *reason, bool in_doubt) {
    bool says = in_doubt && !BW_PLANTED(HIDE_DOUBT);
    bw_complain(told, reason,
                says ? " Whether this was stored is not known yet: send it again with the same id." : NULL, NULL);
}

void bw_commit_failed(bw_hall *hall, uint64_t last_good, const char *reason, bool in_doubt) {
    bw_complaint told;
    word_failure(&told, reason, in_doubt);
    bw_queue failed = hall->underway;
    hall->underway = (bw_queue){0};
    hall->durable = hall->tickets; /* nothing is under way any more */
    drop_appends(hall, last_good);
    for (size_t i = 0; i < failed.count; i++) {
        bw_underway *entry = bw_queue_item(&failed, i);
        bw_room *room = entry->room;
        room->last_ticket = 0;
        bw_drop_pending(hall, room, told.text);
        tell_failed(hall, entry, told.text);
    }
    for (size_t i = 0; i < failed.count; i++) {
        bw_underway *entry = bw_queue_item(&failed, i);
        if (bw_map_get(&hall->rooms, bw_key_of_text(entry->name)) == entry->room) {
            bw_room_roll_back(hall, entry->room, entry->kind, last_good);
        }
    }
    bw_queue_clear(&hall->memory, &failed);
}
