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
