/* Rebuilds a room from the journal: its snapshot, then the records after it.
 *
 * A long game takes a while, so it is read in slices, from a copy of the remaining data. The position is replayed
 * from the start. Stored data may be corrupt: the schema of a record checks types and ranges, record_fits asks the
 * game and the room so far, and bw_apply checks each move by the hash of its line, which covers the position after
 * it. A snapshot is checked by its sum, and by the hash of its last move.
 *
 * Of a room in use only the older moves are read, which it no longer has: they are decoded and not played. */
#include "rooms/room/room.h"

#include "engine/registry.h"
#include "engine/sha256.h"

typedef struct bw_rebuilding {
    const uint8_t *snapshot, *snapshot_end; /* the remaining data; NULL: none, or done */
    uint32_t snapshot_index;
    const bw_stored_record *records;
    size_t count, done;
    void *memory;     /* the copy; NULL: the shell's memory, which is only valid now */
    bool summed;      /* the snapshot's sum is correct */
    int32_t format;   /* format of the snapshot: from BW_SNAPSHOT_FORMAT on, it ends with its sum */
    bw_sha256 sum;    /* of its lines so far */
    int64_t last_seq; /* of its moves */
    uint8_t *drafts;  /* role_count x draft_size, from the snapshot; NULL: none */
    bool recalls;     /* only the moves are read, of a room in use */
    bw_buffer moves;
    bw_move_mark last_move;
    uint32_t move_count, record_count;
    int64_t seq; /* after the last record */
} bw_rebuilding;

static const char *const beside[] = {"type", "config", "given", "action", "block", "drafts", NULL};

/* The game whose settings are in a record: the room's, or the one that the record names. */
static const bw_game *game_of(const bw_room *room, const bw_record *record) {
    if (record->type == BW_RECORD_CREATED) {
        return bw_game_find_version(record->as.created.game, (unsigned)record->as.created.rules_version);
    }
    return room->game;
}

/* Settings that were added to the program later get their defaults, except optional ones: without them a room plays
 * as it did before, and its game file stays the same. */
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

static const void *read_config(bw_scratch *scratch, const bw_room *room, const bw_doc *doc, const bw_record *record,
                               bool *good) {
    int token = bw_doc_member(doc, 0, "config");
    const bw_game *game = game_of(room, record);
    bw_error_text why;
    if (token < 0) return NULL;
    void *config = scratch->config;
    *good = game != NULL;
    if (game) {
        begin_config(game, config);
        *good = bw_decode(game->config, doc, token, config, BW_DECODE_PARTIAL, NULL, &why) == 0;
    }
    return config;
}

static const void *read_action(bw_scratch *scratch, const bw_room *room, const bw_doc *doc, bool *good) {
    int token = bw_doc_member(doc, 0, "action");
    bw_error_text why;
    if (token < 0) return NULL;
    void *action = scratch->action;
    *good = *good && room->game && bw_decode_union(room->game->actions, doc, token, action, NULL, &why) == 0;
    return action;
}

static const char *read_given(const bw_doc *doc, char memory[BW_GIVEN_BYTES_MAX], bool *good) {
    int token = bw_doc_member(doc, 0, "given");
    if (token < 0) return NULL;
    *good = *good && bw_doc_text(doc, token, memory, BW_GIVEN_BYTES_MAX) >= 0;
    return memory;
}

/* Drafts, which are checked once the position has been reached. Older programs stored the whole position ("block"),
 * which ends with the drafts; if its layout was different, the drafts are lost. */
static bool read_drafts(bw_scratch *scratch, bw_room *room, const bw_doc *doc) {
    const bw_game *game = room->game;
    int token = bw_doc_member(doc, 0, "drafts"), block = bw_doc_member(doc, 0, "block");
    size_t bytes = (size_t)game->role_count * game->draft_size;
    if (bytes == 0 || (token < 0 && block < 0)) return true;
    if (!room->started_at || room->rebuilding->drafts) return false;
    room->rebuilding->drafts = bw_memory_new(&scratch->memory, bytes);
    if (token >= 0) {
        bw_raw text = bw_doc_raw(doc, token);
        return bw_hex_read(text.at, text.length, room->rebuilding->drafts, bytes);
    }
    bw_raw text = bw_doc_raw(doc, block);
    bw_match then;
    if (bw_hex_read(text.at, text.length, scratch->block, bw_match_bytes(game))) {
        bw_match_attach(&then, game, scratch->block);
        memcpy(room->rebuilding->drafts, then.drafts, bytes);
    }
    return true;
}

static bool sum_fits(bw_rebuilding *of, const bw_record_sum *record) {
    uint8_t digest[32];
    bw_sha256 sum = of->sum;
    bw_sha256_final(&sum, digest);
    of->summed = memcmp(digest, record->sha256, sizeof digest) == 0;
    return of->summed;
}

/* ---- is this record possible in this room? ---- */

enum { DEPTH = 12, REFUSAL_TOKENS = 64, BW_ROLES_ALL = (1 << BW_SEATS_MAX) - 1 };

static uint32_t roles_of(const bw_game *game) { return BW_ROLES_ALL >> (BW_SEATS_MAX - game->role_count); }

static bool is_role(const bw_game *game, int seat) { return seat >= 0 && seat < game->role_count; }

static bool config_fits(const bw_game *game, const void *config) {
    return bw_schema_fits(game->config, config) && (!game->check || game->check(config) >= 0);
}

static bool is_id(const char *text) {
    for (; *text; text++) {
        char c = *text;
        if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))) return false;
    }
    return true;
}

static bool start_fits(const bw_room *room, const bw_record_start *start) {
    const bw_game *game = room->game;
    int count = 0;
    for (int i = 0; i < game->role_count; i++) count += (int)(start->seats >> i & 1);
    int wanted = game->flags & BW_GAME_OPEN_SEATS ? game->seats_min : game->role_count;
    return !(start->seats & ~roles_of(game)) && count >= wanted && is_id(start->replay_id);
}

/* Was it that seat's turn, and is the action allowed? The same checks as for a line of a game file. */
static bool move_fits(const bw_room *room, const bw_record_move *move, const void *action) {
    const bw_game *game = room->game;
    int seat = move->seat;
    bool clock = seat == BW_CLOCK && action;
    if (move->has_by && !is_role(game, move->by)) return false;
    if (!clock && (!is_role(game, seat) || !(*bw_room_match(room)->seats >> seat & 1))) return false;
    if (move->has_known && !game->puzzle) return false;
    if (!action) return game->resign && !(room->resigned >> seat & 1);
    uint32_t flags = game->actions->cases[*(const uint8_t *)action].flags;
    if (flags & (BW_ACTION_COMMIT | BW_ACTION_WORDS) || clock != ((flags & BW_ACTION_CLOCK) != 0)) return false;
    return clock || flags & BW_ACTION_REOPENS || game->turn(bw_room_match(room)->state) >> seat & 1;
}

static bool draft_fits(const bw_room *room, const bw_record_draft *draft, const void *action) {
    return action && *bw_room_match(room)->seats >> draft->seat & 1 &&
           room->game->actions->cases[*(const uint8_t *)action].flags & BW_ACTION_DRAFT;
}

static bool offer_fits(const bw_room *room, const bw_record_offer *offer) {
    return !(offer->agreed & ~roles_of(room->game)) && (!offer->has_key || offer->has_by) &&
           (!offer->has_by || is_role(room->game, offer->by));
}

static bool rematch_fits(const bw_record_rematch *rematch) {
    char folded[BW_ROOM_ID_MAX + 1];
    return bw_room_id_fold(rematch->room, folded) && strcmp(folded, rematch->room) == 0;
}

/* A refusal is sent again unchanged. */
static bool answer_fits(const bw_record_answer *answer) {
    bw_token tokens[REFUSAL_TOKENS];
    bw_doc doc;
    if (!answer->has_refusal) return true;
    return bw_doc_parse(&doc, answer->refusal, strlen(answer->refusal), tokens, REFUSAL_TOKENS, 4, NULL) > 0 &&
           bw_doc_is_object(&doc, 0);
}

static bool record_fits(const bw_room *room, const bw_record *record, const void *config, const void *action,
                        bool in_snapshot) {
    const bw_game *game = room->game;
    bool started = room->started_at != 0;
    if (record->type == BW_RECORD_CREATED) {
        const bw_record_created *created = &record->as.created;
        game = bw_game_find_version(created->game, (unsigned)created->rules_version);
        return !room->game && game && (!config || config_fits(game, config));
    }
    if (!game || (config && !config_fits(game, config)) || (action && !bw_union_fits(game->actions, action))) {
        return false;
    }
    switch ((bw_record_type)record->type) {
    case BW_RECORD_CONFIG: return config && !started;
    case BW_RECORD_SEAT: return is_role(game, record->as.seat.seat);
    case BW_RECORD_NAME: return record->as.name.has_by && is_role(game, record->as.name.by);
    case BW_RECORD_READY:
        return started && game->ready_ms && (!record->as.ready.has_by || is_role(game, record->as.ready.by));
    case BW_RECORD_STAND_IN:
        return started && is_role(game, record->as.stand_in.seat) && bw_seat_at(room, record->as.stand_in.seat)->held;
    case BW_RECORD_LEFT: return is_role(game, record->as.left.seat);
    case BW_RECORD_BOT: return is_role(game, record->as.bot.seat);
    case BW_RECORD_START: return !started && start_fits(room, &record->as.start);
    case BW_RECORD_MOVE:
        return started && record->as.move.has_seq == in_snapshot && move_fits(room, &record->as.move, action);
    case BW_RECORD_DRAFT:
        return started && is_role(game, record->as.draft.seat) && draft_fits(room, &record->as.draft, action);
    case BW_RECORD_OFFER: return started && offer_fits(room, &record->as.offer);
    case BW_RECORD_REMATCH: return started && rematch_fits(&record->as.rematch);
    case BW_RECORD_ANSWER:
        return in_snapshot && is_role(game, record->as.answer.seat) && answer_fits(&record->as.answer);
    case BW_RECORD_HERE:
    case BW_RECORD_SUM: return in_snapshot;
    default: return false;
    }
}

/* ---- a line ---- */

static bool apply_line(bw_scratch *scratch, bw_room *room, const char *at, size_t length) {
    bw_rebuilding *of = room->rebuilding;
    bool in_snapshot = of->snapshot != NULL, good = true;
    char given[BW_GIVEN_BYTES_MAX];
    bw_change change;
    bw_doc doc;
    bw_error_text why;
    scratch->work += bw_cost_of_text(length);
    if (bw_doc_parse(&doc, at, length, scratch->tokens, scratch->token_cap, DEPTH, &why) < 0 ||
        !bw_doc_is_object(&doc, 0)) {
        return false;
    }
    memset(&change, 0, sizeof change);
    const bw_record *record = &change.record;
    if (bw_decode_union(&bw_record_union, &doc, 0, &change.record, beside, &why) < 0) return false;
    change.config = read_config(scratch, room, &doc, record, &good);
    change.given = read_given(&doc, given, &good);
    change.action = read_action(scratch, room, &doc, &good);
    if (!good || !record_fits(room, record, change.config, change.action, in_snapshot)) return false;
    if (bw_apply(scratch, room, &change, in_snapshot ? BW_HASH_TRUST : BW_HASH_CHECK, NULL) < 0) return false;
    if (!BW_PLANTED(FORGET_IDS_IN_A_CRASH)) bw_answer_cause(scratch, room, record, 0, 0);
    switch ((bw_record_type)record->type) {
    case BW_RECORD_CREATED: of->format = record->as.created.v; return true;
    case BW_RECORD_MOVE: {
        bool rises = !in_snapshot || record->as.move.seq > of->last_seq;
        of->last_seq = in_snapshot ? record->as.move.seq : 0;
        return rises;
    }
    case BW_RECORD_HERE: return read_drafts(scratch, room, &doc) && room->seq >= of->last_seq;
    case BW_RECORD_SUM: return sum_fits(of, &record->as.sum);
    default: return true;
    }
}

/* ---- a line, of which only a move is wanted ---- */

static bool recall_move(bw_scratch *scratch, const bw_room *room, const bw_doc *doc, const bw_record_move *record) {
    bw_rebuilding *of = room->rebuilding;
    bool good = true;
    bw_move move = {.seq = record->has_seq ? record->seq : of->seq, .at = record->at, .seat = record->seat};
    if (of->move_count == room->moves_before) return true;
    move.action = (void *)(uintptr_t)read_action(scratch, room, doc, &good);
    move.resigns = !move.action;
    good = good && (move.seat == BW_CLOCK || is_role(room->game, move.seat)) &&
           (move.resigns ? move.seat != BW_CLOCK : bw_union_fits(room->game->actions, move.action)) &&
           (!record->has_known || bw_solver_result_read(&record->known, &move.solver_result));
    if (!good) return false;
    memcpy(move.hash, record->hash, sizeof move.hash);
    of->move_count++;
    if (BW_PLANTED(RECALL_LOSES_A_MOVE) && of->move_count == 2) return true;
    bw_move_put(scratch, room, &of->moves, &of->last_move, &move, false);
    return true;
}

static bool recall_line(bw_scratch *scratch, const bw_room *room, const char *at, size_t length) {
    bw_rebuilding *of = room->rebuilding;
    bw_doc doc;
    bw_record record;
    bw_error_text why;
    scratch->work += 2 + bw_cost_of_text(length); /* parsed, decoded, packed */
    if (bw_doc_parse(&doc, at, length, scratch->tokens, scratch->token_cap, DEPTH, &why) < 0) return false;
    if (bw_decode_union(&bw_record_union, &doc, 0, &record, beside, &why) < 0) return false;
    of->seq += bw_record_origin(&record).is_public;
    switch ((bw_record_type)record.type) {
    case BW_RECORD_CREATED: of->format = record.as.created.v; return true;
    case BW_RECORD_MOVE: return recall_move(scratch, room, &doc, &record.as.move);
    case BW_RECORD_HERE: of->seq = record.as.here.seq; return true;
    case BW_RECORD_SUM: return sum_fits(of, &record.as.sum);
    default: return true;
    }
}

static bool read_line(bw_scratch *scratch, bw_room *room, const char *at, size_t length) {
    return room->rebuilding->recalls ? recall_line(scratch, room, at, length) : apply_line(scratch, room, at, length);
}

/* ---- the snapshot ---- */

static bool read_snapshot_line(bw_scratch *scratch, bw_room *room) {
    bw_rebuilding *of = room->rebuilding;
    const uint8_t *at = of->snapshot, *stop = memchr(at, '\n', (size_t)(of->snapshot_end - at));
    const uint8_t *next = stop ? stop + 1 : of->snapshot_end;
    stop = stop ? stop : of->snapshot_end;
    if (of->summed || (stop > at && !read_line(scratch, room, (const char *)at, (size_t)(stop - at)))) return false;
    bw_sha256_update(&of->sum, at, (size_t)(next - at));
    of->snapshot = next;
    return true;
}

static bool take_drafts(const bw_rebuilding *of, bw_room *room) {
    const bw_game *game = room->game;
    for (int seat = 0; of->drafts && seat < game->role_count; seat++) {
        const uint8_t *draft = of->drafts + (size_t)seat * game->draft_size;
        if (!game->draft_fits(bw_room_match(room)->state, seat, draft)) return false;
        memcpy(bw_match_draft(bw_room_match(room), seat), draft, game->draft_size);
    }
    return true;
}

/* Is the position that was reached the recorded one? */
static bool position_holds(bw_scratch *scratch, const bw_room *room) {
    bw_move_reader reader = bw_moves_of_base(room);
    bw_move last = {.action = scratch->played};
    bw_chain chain;
    bw_out out;
    if (room->move_count == 0) return true;
    while (bw_move_next(&reader, &last)) continue;
    do {
        chain = room->chain_before;
        out = bw_out_to(scratch->text, scratch->text_cap);
        bw_file_write_action(&out, &chain, bw_room_match(room), room->move_count, last.at - room->started_at, last.seat,
                             last.resigns ? NULL : last.action);
    } while (bw_grow(scratch, &out, &scratch->text, &scratch->text_cap));
    scratch->work += bw_cost_of_hash(room->game);
    return memcmp(chain.hash, room->chain.hash, sizeof chain.hash) == 0;
}

static bool leave_snapshot(bw_scratch *scratch, bw_room *room) {
    bw_rebuilding *of = room->rebuilding;
    of->snapshot = NULL;
    of->record_count = of->snapshot_index;
    if (!of->summed && of->format >= BW_SNAPSHOT_FORMAT) return false;
    if (of->recalls) return true;
    room->snapshot_index = of->snapshot_index;
    return room->game && take_drafts(of, room) && position_holds(scratch, room);
}

/* ---- the whole room ---- */

void bw_rebuild_begin(bw_scratch *scratch, bw_room *room, const bw_stored_room *stored) {
    bw_rebuilding *of = bw_memory_new(&scratch->memory, sizeof *of);
    bw_sha256_init(&of->sum);
    of->snapshot = stored->snapshot;
    of->snapshot_end = stored->snapshot ? stored->snapshot + stored->snapshot_length : NULL;
    of->snapshot_index = stored->snapshot_index;
    of->records = stored->records;
    of->count = stored->record_count;
    if (BW_PLANTED(LOSE_THE_LAST_RECORD) && of->count > 1) of->count--;
    of->recalls = room->game != NULL;
    of->last_move.at = room->started_at;
    room->rebuilding = of;
}

/* One line. 1: done; 0: there is more; -1: the data is damaged. */
static int step(bw_scratch *scratch, bw_room *room) {
    bw_rebuilding *of = room->rebuilding;
    if (of->snapshot) {
        if (of->snapshot < of->snapshot_end) return read_snapshot_line(scratch, room) ? 0 : -1;
        return leave_snapshot(scratch, room) ? 0 : -1;
    }
    if (of->done == of->count) return room->game ? 1 : -1;
    const bw_stored_record *record = &of->records[of->done++];
    if (record->index != of->record_count + 1 ||
        !read_line(scratch, room, (const char *)record->bytes, record->length)) {
        return -1;
    }
    of->record_count = record->index;
    return 0;
}

/* Copies the remaining data to our own memory. */
static void keep(bw_scratch *scratch, bw_rebuilding *of) {
    size_t left = of->count - of->done, lines = of->snapshot ? (size_t)(of->snapshot_end - of->snapshot) : 0;
    size_t bytes = left * sizeof(bw_stored_record) + lines;
    for (size_t i = 0; i < left; i++) bytes += of->records[of->done + i].length;
    bw_stored_record *records = bw_memory_new(&scratch->memory, bytes + 1);
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

int bw_rebuild_slice(bw_scratch *scratch, bw_room *room) {
    bw_rebuilding *of = room->rebuilding;
    uint64_t end = scratch->work + BW_SLICE;
    int outcome = 0;
    while (outcome == 0 && scratch->work < end) outcome = step(scratch, room);
    if (outcome == 0 && !of->memory) keep(scratch, of);
    if (!of->recalls) room->record_count = of->record_count;
    else if (outcome > 0 && of->move_count < room->moves_before) outcome = -1;
    else if (outcome > 0) bw_moves_complete(scratch, room, &of->moves);
    return outcome;
}

void bw_rebuild_end(bw_scratch *scratch, bw_room *room) {
    if (!room->rebuilding) return;
    bw_memory_free(&scratch->memory, room->rebuilding->memory);
    bw_memory_free(&scratch->memory, room->rebuilding->drafts);
    bw_buffer_clear(&scratch->memory, &room->rebuilding->moves);
    bw_memory_free(&scratch->memory, room->rebuilding);
    room->rebuilding = NULL;
}
