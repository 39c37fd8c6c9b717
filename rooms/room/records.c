/* Records: declared, written, and applied to a room. All changes of a room come this way: live, read from the journal, or copied
 * from an old game. */
#include "engine/registry.h"
#include "rooms/room/room.h"

BW_SCHEMA(bw_record_created, BW_RECORD_CREATED_FIELDS, "the room");
BW_SCHEMA(bw_record_config, BW_RECORD_CONFIG_FIELDS, "settings");
BW_SCHEMA(bw_record_seat, BW_RECORD_SEAT_FIELDS, "a seat's new holder");
BW_SCHEMA(bw_record_name, BW_RECORD_NAME_FIELDS, "another name");
BW_SCHEMA(bw_record_ready, BW_RECORD_READY_FIELDS, "who is ready");
BW_SCHEMA(bw_record_left, BW_RECORD_LEFT_FIELDS, "a seat given up");
BW_SCHEMA(bw_record_bot, BW_RECORD_BOT_FIELDS, "a bot");
BW_SCHEMA(bw_record_stand_in, BW_RECORD_STAND_IN_FIELDS, "a bot for an absent player");
BW_SCHEMA(bw_record_start, BW_RECORD_START_FIELDS, "the start");
BW_SCHEMA(bw_record_solver_result, BW_RECORD_SOLVER_RESULT_FIELDS, "what a solver found");
BW_SCHEMA(bw_record_move, BW_RECORD_MOVE_FIELDS, "an action or a round");
BW_SCHEMA(bw_record_draft, BW_RECORD_DRAFT_FIELDS, "something prepared");
BW_SCHEMA(bw_record_offer, BW_RECORD_OFFER_FIELDS, "who wants a rematch");
BW_SCHEMA(bw_record_rematch, BW_RECORD_REMATCH_FIELDS, "the next room");
BW_SCHEMA(bw_record_answer, BW_RECORD_ANSWER_FIELDS, "an answer");
BW_SCHEMA(bw_record_here, BW_RECORD_HERE_FIELDS, "the room's status");
BW_SCHEMA(bw_record_sum, BW_RECORD_SUM_FIELDS, "the end of a snapshot");
BW_UNION(bw_record, BW_RECORDS);
BW_NAMES(bw_status, BW_STATUSES);

void bw_change_write(bw_out *out, const bw_game *game, const bw_change *change) {
    bw_encode_union(out, &bw_record_union, &change->record);
    out->length -= out->length > 0; /* open again */
    if (change->config) {
        bw_out_text(out, ",\"config\":");
        bw_encode(out, game->config, change->config);
    }
    if (change->given) {
        bw_out_text(out, ",\"given\":");
        bw_out_string(out, change->given);
    }
    if (change->action) {
        bw_out_text(out, ",\"action\":");
        if (change->action_text.length > 0) bw_out_bytes(out, change->action_text.at, change->action_text.length);
        else bw_encode_union(out, game->actions, change->action);
    }
    bw_out_text(out, "}");
}

/* ---- the message behind a record ---- */

bw_origin bw_record_origin(const bw_record *record) {
#define BY(member, seat)                                                                    \
    return (bw_origin) {                                                                    \
        true, seat, record->as.member.by,                                                   \
            record->as.member.has_by && record->as.member.has_id ? record->as.member.id : 0 \
    }
    switch ((bw_record_type)record->type) {
    case BW_RECORD_SEAT: {
        const bw_record_seat *seat = &record->as.seat;
        return (bw_origin){true, seat->seat, seat->seat, seat->has_id ? seat->id : 0};
    }
    case BW_RECORD_MOVE: {
        const bw_record_move *move = &record->as.move;
        return (bw_origin){true, move->seat, move->has_by ? move->by : move->seat, move->has_id ? move->id : 0};
    }
    case BW_RECORD_DRAFT: {
        const bw_record_draft *draft = &record->as.draft;
        return (bw_origin){false, draft->seat, draft->seat, draft->has_id ? draft->id : 0};
    }
    case BW_RECORD_LEFT: return (bw_origin){true, record->as.left.seat, -1, 0};
    case BW_RECORD_ANSWER: return (bw_origin){false, record->as.answer.seat, -1, 0};
    case BW_RECORD_REMATCH: return (bw_origin){true, -1, -1, 0};
    case BW_RECORD_CONFIG: BY(config, -1);
    case BW_RECORD_NAME: BY(name, record->as.name.by);
    case BW_RECORD_READY: BY(ready, record->as.ready.by);
    case BW_RECORD_BOT: BY(bot, record->as.bot.seat);
    case BW_RECORD_STAND_IN: BY(stand_in, record->as.stand_in.seat);
    case BW_RECORD_START: BY(start, -1);
    case BW_RECORD_OFFER: BY(offer, -1);
    default: return (bw_origin){false, -1, -1, 0};
    }
#undef BY
}

/* ---- a solver's result ---- */

bool bw_solver_result_write(const bw_solver_result *result, bw_record_solver_result *record) {
    if (!result->puzzle) return false;
    for (int i = 0; i < 8; i++) record->puzzle[i] = (uint8_t)(result->puzzle >> (56 - 8 * i));
    record->moves = result->moves;
    record->proven = result->proven;
    return true;
}

bool bw_solver_result_read(const bw_record_solver_result *record, bw_solver_result *result) {
    *result = (bw_solver_result){.moves = record->moves, .proven = record->proven};
    for (int i = 0; i < 8; i++) result->puzzle = result->puzzle << 8 | record->puzzle[i];
    return result->puzzle != 0;
}

/* ---- applied ---- */

static void set_text(bw_scratch *scratch, char **to, const char *text) {
    bw_memory_free(&scratch->memory, *to);
    *to = text ? bw_memory_text(&scratch->memory, text) : NULL;
}

static void vacate(bw_scratch *scratch, bw_seat *seat) {
    seat->held = seat->reserve = seat->token_known = false;
    memset(seat->token_hash, 0, sizeof seat->token_hash);
    set_text(scratch, &seat->name, NULL);
    bw_answers_clear(&scratch->memory, &seat->answers);
}

static int created(bw_scratch *scratch, bw_room *room, const bw_record_created *record, const void *config) {
    const bw_game *game = bw_game_find_version(record->game, (unsigned)record->rules_version);
    if (room->game || !game || record->v > BW_SNAPSHOT_FORMAT) return BW_BROKEN;
    bw_room_set_game(scratch, room, game);
    if (config) memcpy(room->config, config, game->config->size);
    room->created_at = record->at;
    return 0;
}

static int configured(bw_room *room, const void *config) {
    if (!config || room->started_at) return BW_BROKEN;
    memcpy(room->config, config, room->game->config->size);
    return 0;
}

/* Another person has the seat now, who may neither see nor play what the previous holder had prepared. */
static void forget_prepared(bw_room *room, int seat) {
    if (!room->started_at) return;
    if (room->game->draft_size > 0) memset(bw_match_draft(bw_room_match(room), seat), 0, room->game->draft_size);
    if (!room->clock_started_at) room->ready &= ~(1u << seat);
}

static int seat_taken(bw_scratch *scratch, bw_room *room, const bw_record_seat *record) {
    bw_seat *seat = bw_seat_use(room, record->seat);
    bool keeps_hash = BW_PLANTED(OLD_TOKEN_OPENS) && seat->held;
    uint8_t former[32];
    memcpy(former, seat->token_hash, sizeof former);
    vacate(scratch, seat);
    seat->held = true;
    seat->reserve = record->reserve;
    memcpy(seat->token_hash, keeps_hash ? former : record->token_hash, sizeof seat->token_hash);
    set_text(scratch, &seat->level, NULL);
    set_text(scratch, &seat->name, record->has_name ? record->name : NULL);
    room->agreed &= ~(1u << record->seat);
    if (record->has_anew && record->anew) forget_prepared(room, record->seat);
    return 0;
}

static int seat_left(bw_scratch *scratch, bw_room *room, const bw_record_left *record) {
    bw_seat *seat = bw_seat_use(room, record->seat);
    if (record->vacated) vacate(scratch, seat);
    else seat->reserve = false;
    return 0;
}

static int bot_seated(bw_scratch *scratch, bw_room *room, const bw_record_bot *record) {
    bw_seat *seat = bw_seat_use(room, record->seat);
    vacate(scratch, seat);
    set_text(scratch, &seat->level, record->has_level ? record->level : NULL);
    return 0;
}

/* The seat still belongs to its holder. */
static int bot_stands_in(bw_scratch *scratch, bw_room *room, const bw_record_stand_in *record) {
    set_text(scratch, &bw_seat_use(room, record->seat)->level, record->has_level ? record->level : NULL);
    return 0;
}

static int renamed(bw_scratch *scratch, bw_room *room, const bw_record_name *record) {
    if (!record->has_by || record->by < 0) return BW_BROKEN;
    set_text(scratch, &bw_seat_use(room, record->by)->name, record->has_name ? record->name : NULL);
    return 0;
}

static int ready(bw_room *room, const bw_record_ready *record) {
    if (!room->started_at) return BW_BROKEN;
    if (record->has_by && record->by >= 0) room->ready |= 1u << record->by;
    if (record->has_from && !room->ready_from) room->ready_from = record->from;
    if (record->has_clock_at && !room->clock_started_at) room->clock_started_at = record->clock_at;
    return 0;
}

static int started(bw_scratch *scratch, bw_room *room, const bw_change *change) {
    const bw_record_start *record = &change->record.as.start;
    const void *config = change->config;
    const bw_game *game = room->game;
    if (room->started_at || record->at == 0) return BW_BROKEN;
    if (config) memcpy(room->config, config, game->config->size);
    bw_match *match = bw_room_begin_match(room);
    if (bw_match_start(match, room->config, record->seats, record->seed) < 0 ||
        bw_match_set_position(match, change->given) < 0) {
        bw_room_drop_match(room);
        return BW_BROKEN;
    }
    set_text(scratch, &room->given, change->given);
    room->started_at = record->at;
    bool vacant = record->has_vacant && record->vacant;
    room->ready_from = vacant ? 0 : record->at;
    room->clock_started_at = bw_clock_runs_from_start(room, vacant) ? record->at : 0;
    memcpy(room->replay_id, record->replay_id, sizeof room->replay_id);
    for (int i = 0; i < game->role_count; i++) {
        if (!(record->seats >> i & 1)) continue;
        bw_seat *seat = bw_seat_use(room, i);
        set_text(scratch, &seat->file_name, seat->name);
        set_text(scratch, &seat->file_level, seat->level);
    }
    bw_out out = bw_out_to(scratch->text, scratch->text_cap);
    bw_room_write_head(&out, room, false, &room->chain);
    room->ended_at = game->turn(match->state) == 0 ? record->at : 0;
    scratch->work += bw_cost_of_start(match, change->given != NULL);
    return out.overflow ? BW_BROKEN : 0;
}

/* Writes the game file's line for the move just played; its hash covers the position too. Returns its action. */
static bw_raw write_line(bw_scratch *scratch, const bw_room *room, const bw_move *move, bw_chain *chain) {
    bw_raw action;
    bw_out out;
    do {
        *chain = room->chain;
        out = bw_out_to(scratch->text, scratch->text_cap);
        action = bw_file_write_action(&out, chain, bw_room_match(room), room->move_count + 1,
                                      move->at - room->started_at, move->seat, move->resigns ? NULL : move->action);
    } while (bw_grow(scratch, &out, &scratch->text, &scratch->text_cap));
    scratch->work += bw_cost_of_hash(room->game);
    return action;
}

static void cover_drafts(const bw_room *room, bw_chain *chain) {
    const uint8_t *drafts = bw_room_match(room)->drafts;
    for (uint32_t i = 0; i < room->game->role_count * room->game->draft_size; i++) chain->hash[i % 16] ^= drafts[i];
}

enum { FILE_LINE = 160 }; /* bytes, approximately */

static int played(bw_scratch *scratch, bw_room *room, bw_change *change, bw_hashing hashing, bw_events *events) {
    bw_record_move *record = &change->record.as.move;
    bw_move move = {.at = record->at, .seat = record->seat, .resigns = !change->action, .action = scratch->played};
    bw_chain chain;
    if (!room->started_at) return BW_BROKEN;
    if (record->has_known && !bw_solver_result_read(&record->known, &move.solver_result)) return BW_BROKEN;
    if (change->action && change->action != move.action) {
        memcpy(move.action, change->action, room->game->actions->size);
    }
    bw_match *match = bw_room_match(room);
    int refusal = bw_move_play(match, &move, events);
    if (refusal < 0) return refusal;
    scratch->work += bw_cost_of_move(match);
    if (hashing != BW_HASH_TRUST) {
        change->action_text = write_line(scratch, room, &move, &chain);
        if (BW_PLANTED(HASH_COVERS_DRAFTS) && hashing == BW_HASH_MAKE) cover_drafts(room, &chain);
        if (hashing == BW_HASH_MAKE) memcpy(record->hash, chain.hash, sizeof record->hash);
        else if (memcmp(record->hash, chain.hash, sizeof record->hash) != 0) return BW_BROKEN;
    }
    memcpy(move.hash, record->hash, sizeof move.hash);
    room->chain_before = room->chain;
    memcpy(room->chain.hash, record->hash, sizeof room->chain.hash);
    move.seq = record->has_seq ? record->seq : room->seq + 1;
    if (move.resigns) room->resigned |= 1u << move.seat;
    if (move.solver_result.puzzle) room->solver_result = move.solver_result;
    bw_move_add(scratch, room, &move);
    room->ended_at = room->game->turn(match->state) == 0 ? record->at : 0;
    if (room->ended_at) room->replays_written += (uint64_t)FILE_LINE * room->move_count;
    return 0;
}

static int prepared(bw_room *room, const bw_record_draft *record, const void *action) {
    if (!room->started_at || !action || room->game->draft_size == 0) return BW_BROKEN;
    const bw_match *match = bw_room_match(room);
    int outcome = room->game->prepare(match->state, record->seat, bw_match_draft(match, record->seat), action);
    return outcome < 0 ? outcome : 0;
}

static int offered(bw_scratch *scratch, bw_room *room, const bw_record_offer *record) {
    if (record->has_key && (!record->has_by || record->by < 0)) return BW_BROKEN;
    room->agreed = record->agreed;
    room->swap = record->swap;
    if (record->has_key) {
        bw_seat *seat = bw_seat_use(room, record->by);
        if (!seat->next_hash) seat->next_hash = bw_memory_new(&scratch->memory, sizeof record->key);
        memcpy(seat->next_hash, record->key, sizeof record->key);
    }
    return 0;
}

static int answered(bw_scratch *scratch, bw_room *room, const bw_record_answer *record) {
    bw_answers *answers = &bw_seat_use(room, record->seat)->answers;
    bw_answer answer = {.id = record->id, .seq = record->seq};
    if (record->has_refusal) answer.refusal = bw_bytes_new(record->refusal, strlen(record->refusal));
    bw_answers_add(&scratch->memory, answers, answer, 0);
    /* More may be known than fit, as long as the journal has not stored them: then the first are forgotten here. */
    if (record->forgotten > answers->forgotten) answers->forgotten = record->forgotten;
    return 0;
}

int bw_apply(bw_scratch *scratch, bw_room *room, bw_change *change, bw_hashing hashing, bw_events *events) {
    const bw_record *record = &change->record;
    const bw_origin origin = bw_record_origin(record);
    int refusal = 0;
    if (record->type != BW_RECORD_CREATED && (!room->game || origin.seat >= room->game->role_count)) return BW_BROKEN;
    switch ((bw_record_type)record->type) {
    case BW_RECORD_CREATED: refusal = created(scratch, room, &record->as.created, change->config); break;
    case BW_RECORD_CONFIG: refusal = configured(room, change->config); break;
    case BW_RECORD_SEAT: refusal = seat_taken(scratch, room, &record->as.seat); break;
    case BW_RECORD_NAME: refusal = renamed(scratch, room, &record->as.name); break;
    case BW_RECORD_READY: refusal = ready(room, &record->as.ready); break;
    case BW_RECORD_LEFT: refusal = seat_left(scratch, room, &record->as.left); break;
    case BW_RECORD_BOT: refusal = bot_seated(scratch, room, &record->as.bot); break;
    case BW_RECORD_STAND_IN: refusal = bot_stands_in(scratch, room, &record->as.stand_in); break;
    case BW_RECORD_START: refusal = started(scratch, room, change); break;
    case BW_RECORD_MOVE: refusal = played(scratch, room, change, hashing, events); break;
    case BW_RECORD_DRAFT: refusal = prepared(room, &record->as.draft, change->action); break;
    case BW_RECORD_OFFER: refusal = offered(scratch, room, &record->as.offer); break;
    case BW_RECORD_REMATCH: memcpy(room->next_room, record->as.rematch.room, sizeof room->next_room); break;
    case BW_RECORD_ANSWER: refusal = answered(scratch, room, &record->as.answer); break;
    case BW_RECORD_HERE: room->seq = record->as.here.seq; break;
    case BW_RECORD_SUM: break;
    default: return BW_BROKEN;
    }
    if (refusal < 0) return refusal;
    room->seq += origin.is_public;
    return 0;
}

void bw_answer_cause(bw_scratch *scratch, bw_room *room, const bw_record *record, uint64_t ticket, uint64_t durable) {
    const bw_origin origin = bw_record_origin(record);
    if (origin.id == 0 || origin.sender < 0 || origin.sender >= room->game->role_count) return;
    bw_answer answer = {.id = origin.id, .seq = room->seq, .ticket = ticket};
    bw_answers_add(&scratch->memory, &bw_seat_use(room, origin.sender)->answers, answer, durable);
}
