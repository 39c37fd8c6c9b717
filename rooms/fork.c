/* "Play on from here": a new room at a move of a finished game.
 *
 * The request waits for the replay's file, then for a free room id; then the room is made as the old one was:
 * its settings, seed and bots, and its plays up to that move, each checked by the reader of game files. People
 * take the seats anew. */
#include "engine/registry.h"
#include "rooms/internal.h"

void bw_fork_ask(bw_hall *hall, uint64_t conn, const char *replay_id, int64_t seq) {
    *(bw_fork *)bw_queue_add(&hall->memory, &hall->forks, sizeof(bw_fork)) = (bw_fork){conn, seq};
    bw_output *out = bw_emit(hall, BW_OUT_REPLAY);
    out->conn = conn;
    memcpy(out->room, replay_id, strlen(replay_id) + 1);
}

/* Takes the request of `conn` off the list; false: it asked for the file alone. */
static bool take_fork(bw_hall *hall, uint64_t conn, bw_fork *found) {
    bool there = false;
    for (size_t n = hall->forks.count; n > 0; n--) {
        bw_fork fork = *(bw_fork *)bw_queue_front(&hall->forks);
        bw_queue_drop(&hall->forks);
        if (!there && fork.conn == conn) {
            *found = fork;
            there = true;
        } else {
            *(bw_fork *)bw_queue_add(&hall->memory, &hall->forks, sizeof fork) = fork;
        }
    }
    return there;
}

typedef struct bw_forking {
    bw_hall *hall;
    bw_room *room;
    int64_t seq;  /* the play that was asked for */
    int64_t last; /* the last one that is taken over */
    const bw_doc *head;
} bw_forking;

static void put_bots(const bw_forking *of) {
    bw_room *room = of->room;
    int bots = bw_doc_member(of->head, 0, "bots");
    for (int i = 0; i < room->game->role_count; i++) {
        bw_note note = {.type = BW_NOTE_BOT};
        note.as.bot.seat = (int8_t)i;
        note.as.bot.has_level = true;
        int level = bw_doc_member(of->head, bots, room->game->roles[i].id);
        if (bw_doc_text(of->head, level, note.as.bot.level, sizeof note.as.bot.level) > 0 &&
            bw_bot_find(room->game, note.as.bot.level)) {
            bw_commit(of->hall, room, &note, NULL, NULL, false, (bw_cause){0});
        }
    }
}

static void begin(const bw_forking *of, const bw_match *match) {
    bw_hall *hall = of->hall;
    bw_note note = {.type = BW_NOTE_START};
    bw_room_create(hall, of->room, match->game, match->config);
    put_bots(of);
    note.as.start.at = hall->now.wall_ms;
    note.as.start.seats = *match->seats;
    bw_hex_write(note.as.start.seed, match->seed, BW_SEED_BYTES);
    bw_replay_id_draw(hall, note.as.start.replay_id);
    bw_commit(hall, of->room, &note, match->config, NULL, false, (bw_cause){0});
}

/* A game that is over is nothing to play on from: the last move before that which left it open is the one. */
static bool find_last(void *user, const bw_file_step *step) {
    bw_forking *of = user;
    if (step->result || step->seq > of->seq) return false;
    if (step->match->game->turn(step->match->state) != 0) {
        of->last = step->seq; /* also behind an end that an undo has opened again */
    }
    return true;
}

static bool take_over(void *user, const bw_file_step *step) {
    const bw_forking *of = user;
    if (step->result || step->seq > of->last) return false;
    if (step->line == 1) {
        begin(of, step->match);
        return true;
    }
    bw_match *match = &of->room->match;
    if (step->action) bw_match_play(match, step->seat, step->action, NULL);
    else bw_match_resign(match, step->seat, NULL);
    bw_record_play(of->hall, of->room, step->seat, step->action, (bw_cause){0});
    return true;
}

/* 0, or what the reader says of the file: that cannot be for one that the hall has written itself. */
static int read_into(bw_forking *of, const bw_bytes *file, bw_complaint *why) {
    bw_hall *hall = of->hall;
    const bw_game *game = bw_file_game(file->at, file->length, why);
    if (!game) return BW_FILE_NO_GAME;
    bw_events events = bw_scratch_events(hall, game);
    bw_doc head;
    size_t first = 0;
    while (first < file->length && file->at[first] != '\n') first++;
    size_t head_tokens = first / 2 + 2;
    bw_token *tokens = bw_memory_new(&hall->memory, head_tokens * sizeof *tokens);
    unsigned char *action = bw_memory_new(&hall->memory, game->actions->size);
    int error = bw_doc_parse(&head, file->at, first, tokens, (int)head_tokens, 8, why);
    if (error > 0) {
        of->head = &head;
        bw_file_reader reader = {.block = hall->scratch.block,
                                 .block_bytes = bw_match_bytes(game),
                                 .tokens = hall->scratch.tokens,
                                 .token_cap = hall->scratch.token_cap,
                                 .events = events.memory,
                                 .events_bytes = (size_t)events.cap * events.size,
                                 .action = action,
                                 .action_bytes = game->actions->size,
                                 .on_step = find_last,
                                 .user = of};
        error = bw_file_verify(file->at, file->length, &reader);
        reader.on_step = take_over;
        error = error < 0 ? error : bw_file_verify(file->at, file->length, &reader);
        *why = reader.complaint;
    }
    bw_memory_free(&hall->memory, tokens);
    bw_memory_free(&hall->memory, action);
    return error < 0 ? error : 0;
}

bool bw_fork_loaded(bw_hall *hall, uint64_t conn, const uint8_t *bytes, size_t length) {
    bw_fork fork;
    if (!take_fork(hall, conn, &fork)) return false;
    if (!bytes) {
        bw_reply_error(hall, NULL, conn, 404, BW_ERROR_BAD_MESSAGE, "There is no such replay: it may be too old.");
    } else {
        bw_room_for_new(hall, (bw_input){.kind = BW_INPUT_FORK,
                                         .conn = conn,
                                         .seq = fork.seq,
                                         .bytes = bw_bytes_new((const char *)bytes, length)});
    }
    return true;
}

void bw_fork_create(bw_hall *hall, bw_room *room, const bw_input *input) {
    bw_forking of = {.hall = hall, .room = room, .seq = input->seq + BW_PLANTED(FORK_ONE_MORE)};
    bw_complaint why;
    int error = read_into(&of, input->bytes, &why);
    if (error < 0 && !room->game) {
        bw_reply_error(hall, room, input->conn, 409, BW_ERROR_ILLEGAL, why.text);
        return;
    }
    bw_http_tell_created(hall, room, input->conn);
}
