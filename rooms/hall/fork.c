/* Rooms made from others.
 *
 * "Play on from here" forks a room at a move of a finished game. The request waits for the replay's file, then for a
 * free room id. Then the room is made like the old one: its settings, seed and bots, and its moves up to that one,
 * each checked by the reader of game files. The seats are free for new people.
 *
 * A rematch: everybody has agreed, and in the new room everybody already has a seat. */
#include "engine/registry.h"
#include "rooms/hall/loading.h"

/* Not journalled one by one, because the finished room is stored at once. */
static void apply(bw_hall *hall, bw_room *room, bw_change *change) {
    bw_apply(&hall->scratch, room, change, BW_HASH_MAKE, NULL);
}

/* A player who brings a game wants to play it with a friend: if bots have all other seats, the first of those is
 * freed. */
static int kept_for_a_friend(const bw_room *room, const bw_match *match, const bw_doc *head, int bots) {
    int first = -1, people = 0;
    if (room->session->forking->input.kind != BW_INPUT_BRING) return -1;
    for (int i = room->game->role_count - 1; i >= 0; i--) {
        if (!(*match->seats >> i & 1)) continue;
        if (bw_doc_member(head, bots, room->game->roles[i].id) >= 0) first = i;
        else people++;
    }
    return people > 1 ? -1 : first;
}

static void put_bots(bw_hall *hall, bw_room *room, const bw_match *match, const bw_doc *head) {
    int bots = bw_doc_member(head, 0, "bots"), left_out = kept_for_a_friend(room, match, head, bots);
    for (int i = 0; i < room->game->role_count; i++) {
        bw_change change = {.record.type = BW_RECORD_BOT};
        change.record.as.bot.seat = (int8_t)i;
        change.record.as.bot.has_level = true;
        int level = bw_doc_member(head, bots, room->game->roles[i].id);
        if (i != left_out &&
            bw_doc_text(head, level, change.record.as.bot.level, sizeof change.record.as.bot.level) > 0 &&
            bw_bot_find(room->game, change.record.as.bot.level)) {
            apply(hall, room, &change);
        }
    }
}

static void begin(bw_hall *hall, bw_room *room, const bw_match *match) {
    const bw_bytes *file = room->session->forking->input.bytes;
    bw_change change = bw_created(hall, match->game, match->config);
    bw_doc head;
    apply(hall, room, &change);
    room->keeps_all = true; /* nothing is stored yet */
    const char *stop = memchr(file->at, '\n', file->length);
    size_t length = stop ? (size_t)(stop - file->at) : file->length;
    char given[BW_GIVEN_BYTES_MAX];
    bool read = bw_doc_parse(&head, file->at, length, hall->scratch.tokens, hall->scratch.token_cap, 8, NULL) > 0;
    if (read) put_bots(hall, room, match, &head);
    change = (bw_change){.record.type = BW_RECORD_START, .config = match->config};
    change.given = read ? bw_head_given(&head, given) : NULL;
    bw_record_start *start = &change.record.as.start;
    start->at = hall->now.wall_ms;
    start->seats = *match->seats;
    start->has_vacant = start->vacant = match->game->flags & BW_GAME_ROUNDS;
    memcpy(start->seed, match->seed, sizeof start->seed);
    bw_replay_id_draw(hall, start->replay_id);
    apply(hall, room, &change);
}

static void take_over(bw_hall *hall, bw_room *room, const bw_file_step *step) {
    bw_change change = {.record.type = BW_RECORD_MOVE, .action = step->action};
    change.record.as.move.at = hall->now.wall_ms;
    change.record.as.move.seat = (int8_t)step->seat;
    apply(hall, room, &change);
}

/* Nobody can play on from a game that is over, so the last move after which it was not over is used. */
static bool looked_at(bw_forking *of, const bw_file_step *step) {
    if (step->result || step->seq > of->seq) return false;
    if (step->match->game->turn(step->match->state) != 0) {
        of->last = step->seq; /* also after an end that was undone */
    }
    return true;
}

/* One line. 1: the room is complete; 0: there is more; negative: the reader's error, which is impossible for a file
 * written by the hall itself. */
static int step(bw_hall *hall, bw_room *room) {
    bw_forking *of = room->session->forking;
    const bw_bytes *file = of->input.bytes;
    bool first = of->reading.at == NULL;
    int outcome = first ? bw_file_begin(&of->reading, file->at, file->length, &of->reader)
                        : bw_file_next(&of->reading, &of->reader);
    if (outcome < 0) return outcome;
    const bw_match *match = &of->reading.match;
    hall->scratch.work +=
        first ? 64 + bw_cost_of_start(match, of->reader.given) : bw_cost_of_hash(match->game) + bw_cost_of_move(match);
    bool more = first || outcome > 0;
    if (of->taking) {
        if (first) begin(hall, room, of->reading.step.match);
        else take_over(hall, room, &of->reading.step);
        return of->reading.step.seq >= of->last;
    } else if (!more || !looked_at(of, &of->reading.step)) {
        of->taking = true;
        of->reading = (bw_file_reading){0};
    }
    return 0;
}

/* 0, or a bw_file_error with an error text. */
static int prepare(bw_hall *hall, bw_forking *of, bw_error_text *why) {
    const bw_bytes *file = of->input.bytes;
    int error;
    if (of->input.kind != BW_INPUT_FORK && !bw_share_may_begin(file, why)) return BW_FILE_FORMAT_UNKNOWN;
    const bw_game *game = bw_file_game(file->at, file->length, &error, why);
    if (!game) return error;
    bw_events events = bw_scratch_events(&hall->scratch, game); /* events of one step only; the same for the tokens */
    of->reader = (bw_file_reader){.block = bw_memory_new(&hall->scratch.memory, bw_match_bytes(game)),
                                  .block_bytes = bw_match_bytes(game),
                                  .tokens = hall->scratch.tokens,
                                  .token_cap = hall->scratch.token_cap,
                                  .events = events.memory,
                                  .events_bytes = (size_t)events.cap * events.size,
                                  .action = bw_memory_new(&hall->scratch.memory, game->actions->size),
                                  .action_bytes = game->actions->size};
    return 0;
}

void bw_fork_end(bw_hall *hall, bw_room *room) {
    bw_forking *of = room->session->forking;
    if (!of) return;
    bw_memory_free(&hall->scratch.memory, of->reader.block);
    bw_memory_free(&hall->scratch.memory, of->reader.action);
    bw_bytes_release(of->input.bytes);
    bw_memory_free(&hall->scratch.memory, of);
    room->session->forking = NULL;
}

/* The room is complete. It is stored as a creation record plus a snapshot, so that a crash never leaves a half-made
 * room that somebody knows about. */
static void store(bw_hall *hall, bw_room *room) {
    bw_chairs_set(hall, room);
    bw_change change = bw_created(hall, room->game, room->config);
    room->record_count = room->snapshot_index = 1;
    bw_append(hall, room, BW_ENTRY_RECORD, bw_change_bytes(hall, room, &change), (bw_cause){0});
    bw_bytes *snapshot = bw_snapshot_end(&hall->scratch, room);
    bw_recall_done(hall, room);
    bw_limit_store(hall, room->session->payer, snapshot->length);
    bw_append(hall, room, BW_ENTRY_SNAPSHOT, snapshot, (bw_cause){0});
    bw_room_count(hall, room);
}

static void refuse(bw_hall *hall, uint64_t conn, const char *why) {
    bw_reply_error(hall, NULL, conn, 409, BW_ERROR_ILLEGAL, why);
}

static void end_share(bw_hall *hall, bw_room *room, int outcome) {
    bw_input input = room->session->forking->input;
    bw_error_text why = room->session->forking->reader.error;
    bw_bytes *file = bw_bytes_share(input.bytes);
    bw_fork_end(hall, room);
    if (outcome > 0) {
        bw_share_store(hall, room, file, input.conn);
        bw_sleep_now(hall, room);
        return;
    }
    bw_bytes_release(file);
    bw_share_refuse(hall, input.conn, outcome, why.text);
    bw_run_inputs(hall, room);
}

/* Bringing a running game: first checks the file, then copies it up to its last move. */
static int bring_step(bw_hall *hall, bw_room *room) {
    bw_forking *of = room->session->forking;
    if (of->taking) return step(hall, room);
    int outcome = bw_share_step(hall, of);
    if (outcome <= 0) return outcome;
    of->last = of->number;
    of->taking = true;
    of->reading = (bw_file_reading){0};
    return 0;
}

static int forking_step(bw_hall *hall, bw_room *room) {
    switch (room->session->forking->input.kind) {
    case BW_INPUT_SHARE: return bw_share_step(hall, room->session->forking);
    case BW_INPUT_BRING: return bring_step(hall, room);
    default: return step(hall, room);
    }
}

bool bw_fork_slice(bw_hall *hall, bw_room *room) {
    uint64_t conn = room->session->forking->input.conn, end = hall->scratch.work + BW_SLICE;
    int outcome = room->snapshotting ? 1 : 0;
    bw_input_kind kind = room->session->forking->input.kind;
    while (outcome == 0 && hall->scratch.work < end) outcome = forking_step(hall, room);
    if (outcome == 0) return false;
    if (kind == BW_INPUT_SHARE) {
        end_share(hall, room, outcome);
        return true;
    }
    if (outcome > 0 && !room->snapshotting) bw_snapshot_begin(&hall->scratch, room);
    if (outcome > 0 && !bw_snapshot_slice(&hall->scratch, room)) return false;
    bw_error_text why = room->session->forking->reader.error;
    bw_fork_end(hall, room);
    room->session->phase = BW_PHASE_LIVE;
    if (outcome > 0) {
        store(hall, room);
        bw_http_tell_created(hall, room, conn);
    } else {
        bw_room_forget_durable(hall, room);
        if (kind == BW_INPUT_BRING) bw_share_refuse(hall, conn, outcome, why.text);
        else refuse(hall, conn, why.text);
    }
    bw_run_inputs(hall, room);
    return true;
}

void bw_fork_stop(bw_hall *hall, bw_room *room) {
    uint64_t conn = room->session->forking->input.conn;
    if (room->snapshotting) bw_snapshot_drop(&hall->scratch, room);
    bw_fork_end(hall, room);
    room->session->phase = BW_PHASE_LIVE;
    bw_room_forget_durable(hall, room);
    bw_reply_error(hall, NULL, conn, 429, BW_ERROR_RATE_LIMITED, bw_too_much_work);
    bw_run_inputs(hall, room);
}

void bw_fork_loaded(bw_hall *hall, uint64_t conn, const bw_wanted *wanted, const uint8_t *bytes, size_t length) {
    bw_room_for_new(hall, (bw_input){.kind = BW_INPUT_FORK,
                                     .conn = conn,
                                     .seq = wanted->seq,
                                     .address = wanted->address,
                                     .bytes = bw_bytes_new((const char *)bytes, length)});
}

void bw_fork_create(bw_hall *hall, bw_room *room, const bw_input *input) {
    bw_forking *of = bw_memory_new(&hall->scratch.memory, sizeof *of);
    bw_error_text why;
    of->input = *input;
    of->input.bytes = bw_bytes_share(input->bytes);
    of->seq = input->seq + BW_PLANTED(FORK_ONE_MORE);
    room->session->forking = of;
    room->session->payer = input->address;
    room->session->phase = BW_PHASE_LOADING; /* visitors who arrive meanwhile wait */
    int error = prepare(hall, of, &why);
    if (error < 0) {
        bw_fork_end(hall, room);
        room->session->phase = BW_PHASE_LIVE;
        if (input->kind == BW_INPUT_FORK) refuse(hall, input->conn, why.text);
        else bw_share_refuse(hall, input->conn, error, why.text);
    } else {
        bw_job_add(hall, room); /* end the job later: freeing the room here would pull it from under its own creation */
    }
}

/* ---- a rematch ---- */

void bw_rematch_check(bw_hall *hall, bw_room *room) {
    char id[BW_ROOM_ID_MAX + 1];
    if (!room->ended_at || room->next_room[0] || room->session->rematch_under_way || !bw_rematch_agreed(room) ||
        hall->draining) {
        return;
    }
    do {
        bw_room_id_draw(hall, id);
    } while (bw_room_find(hall, id));
    bw_input input = {.kind = BW_INPUT_REMATCH};
    memcpy(input.origin, room->id, sizeof input.origin);
    room->session->rematch_under_way = true;
    bw_wait_input(hall, bw_room_load(hall, id), input);
}

void bw_rematch_failed(bw_hall *hall, const char *origin) {
    bw_room *room = bw_room_find(hall, origin);
    if (room && room->session->phase == BW_PHASE_LIVE && room->session->rematch_under_way) {
        room->session->rematch_under_way = false;
        room->session->retry_us = hall->now.mono_us + BW_RETRY_US;
        bw_room_schedule(hall, room);
    }
}

/* Those who played; and who holds a seat, was left out at the start, and wants to play now. */
static bool comes_along(const bw_room *room, int seat) {
    return *bw_room_match(room)->seats >> seat & 1 || (room->agreed >> seat & 1 && bw_seat_at(room, seat)->held);
}

static void seat_players(bw_hall *hall, bw_room *room, const bw_room *origin) {
    for (int i = 0; i < origin->game->role_count; i++) {
        const bw_seat *from = bw_seat_at(origin, i);
        int to = bw_rematch_seat(origin, i);
        if (!comes_along(origin, i)) continue;
        bw_change change = {.record.type = from->level ? BW_RECORD_BOT : BW_RECORD_SEAT};
        if (from->level) {
            bw_record_bot *bot = &change.record.as.bot;
            bot->seat = (int8_t)to;
            bot->has_level = true;
            memcpy(bot->level, from->level, strlen(from->level) + 1);
        } else {
            bw_record_seat *seat = &change.record.as.seat;
            seat->seat = (int8_t)to;
            seat->reserve = true;
            seat->has_name = from->name != NULL;
            if (from->name) memcpy(seat->name, from->name, strlen(from->name) + 1);
            if (from->next_hash) memcpy(seat->token_hash, from->next_hash, sizeof seat->token_hash);
        }
        bw_commit(hall, room, &change, (bw_cause){0}, NULL);
        room->session->chairs[to].gone_us = hall->now.mono_us;
    }
}

void bw_rematch_create(bw_hall *hall, bw_room *room, const char *origin_id) {
    bw_room *origin = bw_room_find(hall, origin_id);
    if (!origin || origin->session->phase != BW_PHASE_LIVE || !origin->session->rematch_under_way) return;
    origin->session->rematch_under_way = false;
    if (room->game || !bw_rematch_agreed(origin)) {
        bw_rematch_check(hall, origin); /* the id was taken after all: another */
        return;
    }
    const bw_game *newest = bw_game_find(origin->game->id);
    const bw_game *game = newest && newest->config == origin->game->config ? newest : origin->game;
    room->session->payer = origin->session->payer;
    bw_change change = bw_created(hall, game, origin->config);
    bw_commit(hall, room, &change, (bw_cause){0}, NULL);
    seat_players(hall, room, origin);
    change = (bw_change){.record.type = BW_RECORD_REMATCH};
    memcpy(change.record.as.rematch.room, room->id, sizeof change.record.as.rematch.room);
    bw_commit(hall, origin, &change, (bw_cause){0}, NULL);
    for (bw_conn *conn = origin->session->conns; conn; conn = conn->next) {
        if (conn->attached) bw_rematch_tell(hall, conn);
    }
}
