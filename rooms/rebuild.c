/* A stored room, folded: its snapshot, then the notes behind it. */
#include "engine/registry.h"
#include "rooms/internal.h"

typedef struct bw_rebuilding {
    bw_hall *hall;
    bw_room *room;
    bool in_snapshot;
    bool fast;            /* the snapshot's position was taken over: its plays need not be played */
    const uint8_t *block; /* or it is of another build: compared, where it is the same */
    size_t block_length;
} bw_rebuilding;

static const char *const beside[] = {"type", "config", "action", "block", NULL};

/* The game whose settings stand in a note: the room's, or the one that is being named. */
static const bw_game *game_of(const bw_rebuilding *of, const bw_note *note) {
    if (note->type == BW_NOTE_CREATED) {
        return bw_game_find_version(note->as.created.game, (unsigned)note->as.created.rules_version);
    }
    return of->room->game;
}

static const void *read_config(const bw_rebuilding *of, const bw_doc *doc, const bw_note *note, bool *good) {
    int token = bw_doc_member(doc, 0, "config");
    const bw_game *game = game_of(of, note);
    bw_complaint why;
    if (token < 0) return NULL;
    void *config = of->hall->scratch.config;
    *good = game != NULL;
    if (game) {
        /* What settings this program has added since have their defaults. */
        memcpy(config, game->defaults, game->config->size);
        *good = bw_decode(game->config, doc, token, config, BW_DECODE_PARTIAL, NULL, &why) == 0;
    }
    return config;
}

static const void *read_action(const bw_rebuilding *of, const bw_doc *doc, bool *good) {
    int token = bw_doc_member(doc, 0, "action");
    bw_complaint why;
    if (token < 0) return NULL;
    void *action = of->hall->scratch.action;
    *good = of->room->game && bw_decode_union(of->room->game->actions, doc, token, action, NULL, &why) == 0;
    return action;
}

static void take_block(bw_rebuilding *of, const bw_doc *doc, const bw_note *note) {
    int token = bw_doc_member(doc, 0, "block");
    bw_room *room = of->room;
    if (token < 0 || !room->match.block) return;
    bw_raw text = bw_doc_raw(doc, token);
    size_t bytes = bw_match_bytes(room->game);
    if (!bw_hex_read(text.at, text.length, of->hall->scratch.block, bytes)) {
        return; /* of another layout: the plays are played instead */
    }
    if (strcmp(note->as.here.build, BW_BUILD) == 0) {
        memcpy(room->match.block, of->hall->scratch.block, bytes);
        of->fast = true;
        return;
    }
    of->block = (const uint8_t *)text.at;
    of->block_length = text.length;
}

static bool fold_line(bw_rebuilding *of, const char *at, size_t length) {
    bw_hall *hall = of->hall;
    bw_note note;
    bw_doc doc;
    bw_complaint why;
    bool good = true;
    if (bw_doc_parse(&doc, at, length, hall->scratch.tokens, hall->scratch.token_cap, 12, &why) < 0 ||
        !bw_doc_is_object(&doc, 0)) {
        return false;
    }
    memset(&note, 0, sizeof note);
    if (bw_decode_union(&bw_note_union, &doc, 0, &note, beside, &why) < 0) return false;
    const void *config = read_config(of, &doc, &note, &good);
    const void *action = read_action(of, &doc, &good);
    if (!good || !bw_fold(hall, of->room, &note, config, action, of->fast)) return false;
    if (note.type == BW_NOTE_HERE) take_block(of, &doc, &note);
    return true;
}

static bool fold_snapshot(bw_rebuilding *of, const char *at, size_t length) {
    const char *end = at + length;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (stop > at && !fold_line(of, at, (size_t)(stop - at))) return false;
        at = stop + 1;
    }
    return true;
}

/* The kept positions of a snapshot that was taken over are not those of its plays. */
static void leave_snapshot(bw_rebuilding *of) {
    bw_room *room = of->room;
    bw_hall *hall = of->hall;
    if (of->fast) {
        bw_memory_free(&hall->memory, room->base[0]);
        bw_memory_free(&hall->memory, room->base[1]);
        room->base[0] = room->base[1] = NULL;
        room->base_at[0] = room->base_at[1] = 0;
        of->fast = false;
    }
    if (of->block &&
        bw_hex_read((const char *)of->block, of->block_length, hall->scratch.block, bw_match_bytes(room->game))) {
        bw_match there;
        bw_match_attach(&there, room->game, hall->scratch.block);
        if (memcmp(there.state, room->match.state, room->game->state_size) == 0) {
            memcpy(room->match.block, hall->scratch.block, bw_match_bytes(room->game)); /* what was prepared, too */
        }
    }
    of->block = NULL;
}

/* Is the position that was reached the one that was recorded? */
static bool holds(bw_hall *hall, const bw_room *room) {
    bw_play_reader reader = {room, 0};
    bw_play play = {.action = hall->scratch.action};
    bw_chain chain = {{0}}, next;
    bw_out out = bw_out_to(hall->scratch.text, hall->scratch.text_cap);
    if (room->play_count == 0) return true;
    if (room->play_count == 1) chain = room->first_chain;
    for (uint32_t i = 1; bw_play_next(&reader, &play) && i < room->play_count; i++) {
        memcpy(chain.hash, play.hash, sizeof chain.hash);
    }
    next = chain;
    bw_file_write_action(&out, &next, &room->match, room->play_count, play.at - room->started_at, play.seat,
                         play.resigns ? NULL : play.action);
    return memcmp(next.hash, play.hash, sizeof play.hash) == 0;
}

bool bw_rebuild(bw_hall *hall, bw_room *room, const bw_stored_room *stored, const char **why) {
    bw_rebuilding of = {.hall = hall, .room = room, .in_snapshot = true};
    *why = "This room's record is damaged: it cannot be opened.";
    if (stored->snapshot) {
        if (!fold_snapshot(&of, (const char *)stored->snapshot, stored->snapshot_length)) {
            return false;
        }
        leave_snapshot(&of);
        room->note_count = room->snapshot_index = stored->snapshot_index;
    }
    size_t count = stored->record_count;
    if (BW_PLANTED(LOSE_THE_LAST_RECORD) && count > 1) count--;
    for (size_t i = 0; i < count; i++) {
        const bw_record *record = &stored->records[i];
        if (record->index != room->note_count + 1 || !fold_line(&of, (const char *)record->bytes, record->length)) {
            return false;
        }
        room->note_count = record->index;
    }
    return room->game != NULL && holds(hall, room);
}
