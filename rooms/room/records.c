#include "rooms/room/records.h"

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
BW_SCHEMA(bw_record_play, BW_RECORD_PLAY_FIELDS, "an action or a round");
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

bool bw_record_is_public(const bw_record *record) {
    switch ((bw_record_type)record->type) {
    case BW_RECORD_CONFIG:
    case BW_RECORD_SEAT:
    case BW_RECORD_NAME:
    case BW_RECORD_READY:
    case BW_RECORD_LEFT:
    case BW_RECORD_BOT:
    case BW_RECORD_STAND_IN:
    case BW_RECORD_START:
    case BW_RECORD_PLAY:
    case BW_RECORD_OFFER:
    case BW_RECORD_REMATCH: return true;
    default: return false;
    }
}

int bw_record_about(const bw_record *record) {
    switch ((bw_record_type)record->type) {
    case BW_RECORD_SEAT: return record->as.seat.seat;
    case BW_RECORD_NAME: return record->as.name.by < 0 ? 0 : record->as.name.by;
    case BW_RECORD_READY: return record->as.ready.by < 0 ? 0 : record->as.ready.by;
    case BW_RECORD_LEFT: return record->as.left.seat;
    case BW_RECORD_BOT: return record->as.bot.seat;
    case BW_RECORD_STAND_IN: return record->as.stand_in.seat;
    case BW_RECORD_PLAY: return record->as.play.seat < 0 ? 0 : record->as.play.seat;
    case BW_RECORD_DRAFT: return record->as.draft.seat;
    case BW_RECORD_ANSWER: return record->as.answer.seat;
    default: return 0;
    }
}

int bw_record_sender(const bw_record *record, int64_t *id) {
    switch ((bw_record_type)record->type) {
    case BW_RECORD_SEAT: *id = record->as.seat.has_id ? record->as.seat.id : 0; return record->as.seat.seat;
    case BW_RECORD_PLAY:
        *id = record->as.play.has_id ? record->as.play.id : 0;
        return record->as.play.has_by ? record->as.play.by : record->as.play.seat;
    case BW_RECORD_DRAFT: *id = record->as.draft.has_id ? record->as.draft.id : 0; return record->as.draft.seat;
#define CAUSE(member)                                                                      \
    *id = record->as.member.has_by && record->as.member.has_id ? record->as.member.id : 0; \
    return record->as.member.by
    case BW_RECORD_CONFIG: CAUSE(config);
    case BW_RECORD_BOT: CAUSE(bot);
    case BW_RECORD_STAND_IN: CAUSE(stand_in);
    case BW_RECORD_NAME: CAUSE(name);
    case BW_RECORD_READY: CAUSE(ready);
    case BW_RECORD_START: CAUSE(start);
    case BW_RECORD_OFFER: CAUSE(offer);
#undef CAUSE
    default: *id = 0; return -1;
    }
}

/* ---- a solver's result ---- */

bool bw_solver_result_write(const bw_solver_result *known, bw_record_solver_result *record) {
    if (!known || !known->puzzle) return false;
    for (int i = 0; i < 8; i++) record->puzzle[i] = (uint8_t)(known->puzzle >> (56 - 8 * i));
    record->moves = known->moves;
    record->proven = known->proven;
    return true;
}

bool bw_solver_result_read(const bw_record_solver_result *record, bw_solver_result *known) {
    *known = (bw_solver_result){.moves = record->moves, .proven = record->proven};
    for (int i = 0; i < 8; i++) known->puzzle = known->puzzle << 8 | record->puzzle[i];
    return known->puzzle != 0;
}
