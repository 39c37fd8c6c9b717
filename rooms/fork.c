/* "Play on from here": a new room at a move of a finished game.
 *
 * The request waits for the replay's file, then for a free room id; then the room is made as the old one was:
 * its settings, seed and bots, and its plays up to that move, each checked by the reader of game files. People
 * take the seats anew. */
#include "engine/registry.h"
#include "rooms/internal.h"

/* Not journalled one by one: the room is stored at once, when it is whole. */
static void fold(bw_hall *hall, bw_room *room, bw_note *note, const void *config, const void *action) {
    bw_fold(hall, room, note, config, action, note->type == BW_NOTE_PLAY);
}

static void put_bots(bw_hall *hall, bw_room *room, const bw_doc *head) {
    int bots = bw_doc_member(head, 0, "bots");
    for (int i = 0; i < room->game->role_count; i++) {
        bw_note note = {.type = BW_NOTE_BOT};
        note.as.bot.seat = (int8_t)i;
        note.as.bot.has_level = true;
        int level = bw_doc_member(head, bots, room->game->roles[i].id);
        if (bw_doc_text(head, level, note.as.bot.level, sizeof note.as.bot.level) > 0 &&
            bw_bot_find(room->game, note.as.bot.level)) {
            fold(hall, room, &note, NULL, NULL);
        }
    }
}

static void begin(bw_hall *hall, bw_room *room, const bw_match *match) {
    const bw_bytes *file = room->forking->input.bytes;
    bw_note note = {.type = BW_NOTE_CREATED};
    bw_doc head;
    bw_note_created_for(hall, &note, match->game);
    fold(hall, room, &note, match->config, NULL);
    const char *stop = memchr(file->at, '\n', file->length);
    size_t length = stop ? (size_t)(stop - file->at) : file->length;
    if (bw_doc_parse(&head, file->at, length, hall->scratch.tokens, hall->scratch.token_cap, 8, NULL) > 0) {
        put_bots(hall, room, &head);
    }
    note = (bw_note){.type = BW_NOTE_START};
    note.as.start.at = hall->now.wall_ms;
    note.as.start.seats = *match->seats;
    bw_hex_write(note.as.start.seed, match->seed, BW_SEED_BYTES);
    bw_replay_id_draw(hall, note.as.start.replay_id);
    fold(hall, room, &note, match->config, NULL);
}

static void take_over(bw_hall *hall, bw_room *room, const bw_file_step *step) {
    bw_match *match = &room->match;
    bw_note note = {.type = BW_NOTE_PLAY};
    if (step->action) bw_match_play(match, step->seat, step->action, NULL);
    else bw_match_resign(match, step->seat, NULL);
    bw_note_play_for(hall, room, &note, step->seat, step->action);
    fold(hall, room, &note, NULL, step->action);
    bw_worked(hall, bw_cost_of_hash(room->game) + bw_cost_of_play(room->game) + bw_cost_of_puzzle(match));
}

/* A game that is over is nothing to play on from: the last move before that which left it open is the one. */
static bool looked_at(bw_forking *of, const bw_file_step *step) {
    if (step->result || step->seq > of->seq) return false;
    if (step->match->game->turn(step->match->state) != 0) {
        of->last = step->seq; /* also behind an end that an undo has opened again */
    }
    return true;
}

/* One line. 1: the room is whole; 0: there is more; negative: what the reader says of the file, which cannot be for
 * one that the hall has written itself. */
static int step(bw_hall *hall, bw_room *room) {
    bw_forking *of = room->forking;
    const bw_bytes *file = of->input.bytes;
    bool first = of->reading.at == NULL;
    int outcome = first ? bw_file_begin(&of->reading, file->at, file->length, &of->reader)
                        : bw_file_next(&of->reading, &of->reader);
    if (outcome < 0) return outcome;
    bw_worked(hall, first ? 64 : bw_cost_of_hash(of->reading.match.game) + bw_cost_of_play(of->reading.match.game));
    bool more = first || outcome > 0;
    bw_worked(hall, bw_cost_of_puzzle(&of->reading.match));
    if (of->taking) {
        if (!more || of->reading.step.result || of->reading.step.seq > of->last) return 1;
        if (first) begin(hall, room, of->reading.step.match);
        else take_over(hall, room, &of->reading.step);
    } else if (!more || !looked_at(of, &of->reading.step)) {
        of->taking = true;
        of->reading = (bw_file_reading){0};
    }
    return 0;
}

static bool prepare(bw_hall *hall, bw_forking *of, bw_complaint *why) {
    const bw_bytes *file = of->input.bytes;
    const bw_game *game = bw_file_game(file->at, file->length, why);
    if (!game) return false;
    bw_events events = bw_scratch_events(hall, game); /* of a step alone, as the tokens */
    of->reader = (bw_file_reader){.block = bw_memory_new(&hall->memory, bw_match_bytes(game)),
                                  .block_bytes = bw_match_bytes(game),
                                  .tokens = hall->scratch.tokens,
                                  .token_cap = hall->scratch.token_cap,
                                  .events = events.memory,
                                  .events_bytes = (size_t)events.cap * events.size,
                                  .action = bw_memory_new(&hall->memory, game->actions->size),
                                  .action_bytes = game->actions->size};
    return true;
}

void bw_fork_end(bw_hall *hall, bw_room *room) {
    bw_forking *of = room->forking;
    if (!of) return;
    bw_memory_free(&hall->memory, of->reader.block);
    bw_memory_free(&hall->memory, of->reader.action);
    bw_bytes_release(of->input.bytes);
    bw_memory_free(&hall->memory, of);
    room->forking = NULL;
}

/* Whole: stored as the note that it was made and a snapshot of the rest, so that a crash leaves nothing by halves
 * that anybody has heard of. */
static void store(bw_hall *hall, bw_room *room) {
    bw_note note = {.type = BW_NOTE_CREATED};
    bw_note_created_for(hall, &note, room->game);
    room->note_count = room->snapshot_index = 1;
    bw_append(hall, room, BW_ENTRY_RECORD, bw_encode_note(hall, room, &note, room->config, NULL), (bw_cause){0});
    bw_bytes *snapshot = bw_snapshot_end(hall, room);
    bw_limit_store(hall, room->payer, snapshot->length);
    bw_append(hall, room, BW_ENTRY_SNAPSHOT, snapshot, (bw_cause){0});
    bw_room_count(hall, room);
}

static void refuse(bw_hall *hall, uint64_t conn, const char *why) {
    bw_reply_error(hall, NULL, conn, 409, BW_ERROR_ILLEGAL, why);
}

static void end_share(bw_hall *hall, bw_room *room, int outcome) {
    bw_input input = room->forking->input;
    bw_complaint why = room->forking->reader.complaint;
    bw_bytes *file = bw_bytes_share(input.bytes);
    bw_fork_end(hall, room);
    if (outcome > 0) {
        bw_share_store(hall, room, file, input.conn);
        bw_idle_leave(hall, room);
        return;
    }
    bw_bytes_release(file);
    bw_share_refuse(hall, input.conn, outcome, why.text);
    bw_run_inputs(hall, room);
}

bool bw_fork_slice(bw_hall *hall, bw_room *room) {
    uint64_t conn = room->forking->input.conn, end = hall->figures.work_total + BW_SLICE;
    int outcome = room->snapshotting ? 1 : 0;
    bool shared = room->forking->input.kind == BW_INPUT_SHARE;
    while (outcome == 0 && hall->figures.work_total < end) {
        outcome = shared ? bw_share_step(hall, room->forking) : step(hall, room);
    }
    if (outcome == 0) return false;
    if (shared) {
        end_share(hall, room, outcome);
        return true;
    }
    if (outcome > 0 && !room->snapshotting) bw_snapshot_begin(hall, room);
    if (outcome > 0 && !bw_snapshot_slice(hall, room)) return false;
    bw_complaint why = room->forking->reader.complaint;
    bw_fork_end(hall, room);
    room->phase = BW_PHASE_LIVE;
    if (outcome > 0) {
        store(hall, room);
        bw_http_tell_created(hall, room, conn);
    } else {
        bw_room_forget_durable(hall, room);
        refuse(hall, conn, why.text);
    }
    bw_run_inputs(hall, room);
    return true;
}

void bw_fork_loaded(bw_hall *hall, uint64_t conn, const bw_wanted *wanted, const uint8_t *bytes, size_t length) {
    bw_room_for_new(hall, (bw_input){.kind = BW_INPUT_FORK,
                                     .conn = conn,
                                     .seq = wanted->seq,
                                     .address = wanted->address,
                                     .bytes = bw_bytes_new((const char *)bytes, length)});
}

void bw_fork_create(bw_hall *hall, bw_room *room, const bw_input *input) {
    bw_forking *of = bw_memory_new(&hall->memory, sizeof *of);
    bw_complaint why;
    of->input = *input;
    of->input.bytes = bw_bytes_share(input->bytes);
    of->seq = input->seq + BW_PLANTED(FORK_ONE_MORE);
    room->forking = of;
    room->payer = input->address;
    room->phase = BW_PHASE_LOADING; /* whoever comes meanwhile waits */
    if (!prepare(hall, of, &why)) {
        bw_fork_end(hall, room);
        room->phase = BW_PHASE_LIVE;
        if (input->kind == BW_INPUT_SHARE) bw_share_refuse(hall, input->conn, BW_FILE_FORMAT_UNKNOWN, why.text);
        else refuse(hall, input->conn, why.text);
    } else if (input->kind == BW_INPUT_SHARE || !bw_fork_slice(hall, room)) {
        bw_job_add(hall, room); /* a room that is never made must not end within what makes it */
    }
}
