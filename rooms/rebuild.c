/* A stored room, folded: its snapshot, then the notes behind it.
 *
 * A long game takes a while, so it is read in slices (jobs.c), from a copy of what is left. The position is played again
 * from the start. Every line is checked (check.c), and so is what it leads to: a play among the notes by the hash of its
 * line, which covers the position behind it; a snapshot by its sum, and by the hash of its last play. */
#include "engine/registry.h"
#include "engine/sha256.h"
#include "rooms/internal.h"

struct bw_rebuilding {
    const uint8_t *snapshot, *snapshot_end; /* what is left of it; NULL: none, or it is done */
    uint32_t snapshot_index;
    const bw_record *records;
    size_t count, done;
    void *memory;     /* the copy; NULL: the shell's, valid only now */
    bool summed;      /* the snapshot's sum was right */
    int32_t format;   /* of the snapshot: from BW_SNAPSHOT_FORMAT on it ends with its sum */
    bw_sha256 sum;    /* of its lines so far */
    int64_t last_seq; /* of its plays */
    uint8_t *drafts;  /* role_count x draft_size, as they stood there; NULL: none */
};

static const char *const beside[] = {"type", "config", "action", "block", "drafts", NULL};

/* The game whose settings stand in a note: the room's, or the one that is being named. */
static const bw_game *game_of(const bw_room *room, const bw_note *note) {
    if (note->type == BW_NOTE_CREATED) {
        return bw_game_find_version(note->as.created.game, (unsigned)note->as.created.rules_version);
    }
    return room->game;
}

/* What settings this program has added since have their defaults, but for those that may be absent: without them a room
 * plays as it did before there were such settings, and its file stays the one that it was. */
static void begin_config(const bw_game *game, uint8_t *config) {
    memcpy(config, game->defaults, game->config->size);
    for (int i = 0; i < game->config->count; i++) {
        const bw_field *field = &game->config->fields[i];
        if (field->presence == BW_PRESENCE_OPTIONAL) {
            config[field->has_offset] = 0;
            memset(config + field->offset, 0, field->item_size);
        }
    }
}

static const void *read_config(bw_hall *hall, const bw_room *room, const bw_doc *doc, const bw_note *note, bool *good) {
    int token = bw_doc_member(doc, 0, "config");
    const bw_game *game = game_of(room, note);
    bw_complaint why;
    if (token < 0) return NULL;
    void *config = hall->scratch.config;
    *good = game != NULL;
    if (game) {
        begin_config(game, config);
        *good = bw_decode(game->config, doc, token, config, BW_DECODE_PARTIAL, NULL, &why) == 0;
    }
    return config;
}

static const void *read_action(bw_hall *hall, const bw_room *room, const bw_doc *doc, bool *good) {
    int token = bw_doc_member(doc, 0, "action");
    bw_complaint why;
    if (token < 0) return NULL;
    void *action = hall->scratch.action;
    *good = *good && room->game && bw_decode_union(room->game->actions, doc, token, action, NULL, &why) == 0;
    return action;
}

/* What was prepared: checked when the position is there again. A program of before kept the whole position ("block"),
 * in which the drafts stand last; where its layout was another, they are not known. */
static bool read_drafts(bw_hall *hall, bw_room *room, const bw_doc *doc) {
    const bw_game *game = room->game;
    int token = bw_doc_member(doc, 0, "drafts"), block = bw_doc_member(doc, 0, "block");
    size_t bytes = (size_t)game->role_count * game->draft_size;
    if (bytes == 0 || (token < 0 && block < 0)) return true;
    if (!room->match.block || room->rebuilding->drafts) return false;
    room->rebuilding->drafts = bw_memory_new(&hall->memory, bytes);
    if (token >= 0) {
        bw_raw text = bw_doc_raw(doc, token);
        return bw_hex_read(text.at, text.length, room->rebuilding->drafts, bytes);
    }
    bw_raw text = bw_doc_raw(doc, block);
    bw_match then;
    if (bw_hex_read(text.at, text.length, hall->scratch.block, bw_match_bytes(game))) {
        bw_match_attach(&then, game, hall->scratch.block);
        memcpy(room->rebuilding->drafts, then.drafts, bytes);
    }
    return true;
}

static bool sum_fits(bw_rebuilding *of, const bw_note_sum *note) {
    uint8_t digest[32], told[32];
    bw_sha256 sum = of->sum;
    bw_sha256_final(&sum, digest);
    of->summed =
        bw_hex_read(note->sha256, strlen(note->sha256), told, sizeof told) && memcmp(digest, told, sizeof digest) == 0;
    return of->summed;
}

/* Is the hash of a play the one of its line, behind `before`? */
static bool hash_fits(bw_hall *hall, const bw_room *room, bw_chain before, const bw_play *play) {
    bw_chain next;
    bw_out out;
    do {
        out = bw_out_to(hall->scratch.text, hall->scratch.text_cap);
        next = before;
        bw_file_write_action(&out, &next, &room->match, room->play_count, play->at - room->started_at, play->seat,
                             play->resigns ? NULL : play->action);
    } while (bw_grow_text(hall, &out));
    bw_worked(hall, bw_cost_of_hash(room->game));
    return memcmp(next.hash, play->hash, sizeof play->hash) == 0;
}

static bool play_held(bw_hall *hall, bw_room *room, const bw_note_play *note, const void *action, bw_chain before) {
    bw_play play = {.at = note->at, .seat = note->seat, .resigns = !action, .action = hall->scratch.played};
    memcpy(play.hash, room->chain.hash, sizeof play.hash);
    return hash_fits(hall, room, before, &play);
}

static bool fold_line(bw_hall *hall, bw_room *room, const char *at, size_t length) {
    bw_rebuilding *of = room->rebuilding;
    bool in_snapshot = of->snapshot != NULL, good = true;
    bw_note note;
    bw_doc doc;
    bw_complaint why;
    bw_worked(hall, bw_cost_of_text(length));
    if (bw_doc_parse(&doc, at, length, hall->scratch.tokens, hall->scratch.token_cap, 12, &why) < 0 ||
        !bw_doc_is_object(&doc, 0)) {
        return false;
    }
    memset(&note, 0, sizeof note);
    if (bw_decode_union(&bw_note_union, &doc, 0, &note, beside, &why) < 0) return false;
    const void *config = read_config(hall, room, &doc, &note, &good);
    const void *action = read_action(hall, room, &doc, &good);
    if (!good || !bw_note_fits(room, &note, config, action, in_snapshot)) return false;
    bw_chain before = room->chain;
    if (!bw_fold(hall, room, &note, config, action, false)) return false;
    if (note.type == BW_NOTE_PLAY) {
        bw_worked(hall, bw_cost_of_play(room->game) + bw_cost_of_puzzle(&room->match));
        if (!in_snapshot) return play_held(hall, room, &note.as.play, action, before);
        bool rises = note.as.play.seq > of->last_seq;
        of->last_seq = note.as.play.seq;
        return rises;
    }
    if (note.type == BW_NOTE_CREATED) of->format = note.as.created.v;
    if (note.type == BW_NOTE_SUM) return sum_fits(of, &note.as.sum);
    return note.type != BW_NOTE_HERE || (read_drafts(hall, room, &doc) && room->seq >= of->last_seq);
}

/* ---- the snapshot ---- */

static bool fold_snapshot_line(bw_hall *hall, bw_room *room) {
    bw_rebuilding *of = room->rebuilding;
    const uint8_t *at = of->snapshot, *stop = memchr(at, '\n', (size_t)(of->snapshot_end - at));
    const uint8_t *next = stop ? stop + 1 : of->snapshot_end;
    stop = stop ? stop : of->snapshot_end;
    if (of->summed || (stop > at && !fold_line(hall, room, (const char *)at, (size_t)(stop - at)))) return false;
    bw_sha256_update(&of->sum, at, (size_t)(next - at));
    of->snapshot = next;
    return true;
}

static bool take_drafts(const bw_rebuilding *of, bw_room *room) {
    const bw_game *game = room->game;
    for (int seat = 0; of->drafts && seat < game->role_count; seat++) {
        const uint8_t *draft = of->drafts + (size_t)seat * game->draft_size;
        if (!game->draft_fits(room->match.state, seat, draft)) return false;
        memcpy(bw_match_draft(&room->match, seat), draft, game->draft_size);
    }
    return true;
}

/* Is the position that was reached the one that was recorded? */
static bool position_holds(bw_hall *hall, const bw_room *room) {
    bw_play_reader reader = {room, 0};
    bw_play play = {.action = hall->scratch.played};
    bw_chain before = {{0}};
    if (room->play_count == 0) return true;
    if (room->play_count == 1) before = room->first_chain;
    for (uint32_t i = 1; bw_play_next(&reader, &play) && i < room->play_count; i++) {
        memcpy(before.hash, play.hash, sizeof before.hash);
    }
    return hash_fits(hall, room, before, &play);
}

static bool leave_snapshot(bw_hall *hall, bw_room *room) {
    bw_rebuilding *of = room->rebuilding;
    of->snapshot = NULL;
    room->note_count = room->snapshot_index = of->snapshot_index;
    return room->game && (of->summed || of->format < BW_SNAPSHOT_FORMAT) && take_drafts(of, room) &&
           position_holds(hall, room);
}

/* ---- all of it ---- */

void bw_rebuild_begin(bw_hall *hall, bw_room *room, const bw_stored_room *stored) {
    bw_rebuilding *of = bw_memory_new(&hall->memory, sizeof *of);
    bw_sha256_init(&of->sum);
    of->snapshot = stored->snapshot;
    of->snapshot_end = stored->snapshot ? stored->snapshot + stored->snapshot_length : NULL;
    of->snapshot_index = stored->snapshot_index;
    of->records = stored->records;
    of->count = stored->record_count;
    if (BW_PLANTED(LOSE_THE_LAST_RECORD) && of->count > 1) of->count--;
    room->rebuilding = of;
}

/* One line. 1: all is done; 0: there is more; -1: it does not hold. */
static int step(bw_hall *hall, bw_room *room) {
    bw_rebuilding *of = room->rebuilding;
    if (of->snapshot) {
        if (of->snapshot < of->snapshot_end) return fold_snapshot_line(hall, room) ? 0 : -1;
        return leave_snapshot(hall, room) ? 0 : -1;
    }
    if (of->done == of->count) return room->game ? 1 : -1;
    const bw_record *record = &of->records[of->done++];
    if (record->index != room->note_count + 1 || !fold_line(hall, room, (const char *)record->bytes, record->length)) {
        return -1;
    }
    room->note_count = record->index;
    return 0;
}

/* What is left, in memory of our own. */
static void keep(bw_hall *hall, bw_rebuilding *of) {
    size_t left = of->count - of->done, lines = of->snapshot ? (size_t)(of->snapshot_end - of->snapshot) : 0;
    size_t bytes = left * sizeof(bw_record) + lines;
    for (size_t i = 0; i < left; i++) bytes += of->records[of->done + i].length;
    bw_record *records = bw_memory_new(&hall->memory, bytes + 1);
    uint8_t *at = (uint8_t *)(records + left);
    for (size_t i = 0; i < left; i++) {
        records[i] = of->records[of->done + i];
        memcpy(at, records[i].bytes, records[i].length);
        records[i].bytes = at;
        at += records[i].length;
    }
    if (of->snapshot) {
        memcpy(at, of->snapshot, lines);
        of->snapshot = at;
        of->snapshot_end = at + lines;
    }
    of->records = records;
    of->count = left;
    of->done = 0;
    of->memory = records;
}

int bw_rebuild_slice(bw_hall *hall, bw_room *room) {
    uint64_t end = hall->figures.work_total + BW_SLICE;
    int outcome = 0;
    while (outcome == 0 && hall->figures.work_total < end) outcome = step(hall, room);
    if (outcome == 0 && !room->rebuilding->memory) keep(hall, room->rebuilding);
    return outcome;
}

void bw_rebuild_end(bw_hall *hall, bw_room *room) {
    if (!room->rebuilding) return;
    bw_memory_free(&hall->memory, room->rebuilding->memory);
    bw_memory_free(&hall->memory, room->rebuilding->drafts);
    bw_memory_free(&hall->memory, room->rebuilding);
    room->rebuilding = NULL;
}
