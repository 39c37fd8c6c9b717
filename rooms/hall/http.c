/* HTTP requests: creating rooms, looking at them, replays. */
#include "engine/config.h"
#include "engine/registry.h"
#include "rooms/hall/loading.h"

#define BW_CREATE_FIELDS(F, S)                                                                                 \
    F(S, REQUIRED, TEXT, game, (32, 1, 31), "which game")                                                      \
    F(S, OPTIONAL, TEXT, replay_id, (BW_REPLAY_ID_MAX + 1, 1, BW_REPLAY_ID_MAX), "play on from this old game") \
    F(S, OPTIONAL, INT, seq, (int64_t, 0, BW_ID_MAX), "after its move of this number")
BW_STRUCT(bw_create, BW_CREATE_FIELDS);
BW_SCHEMA(bw_create, BW_CREATE_FIELDS, "a new room");

/* ---- POST /api/rooms ---- */

void bw_room_for_new(bw_hall *hall, bw_input input) {
    char id[BW_ROOM_ID_MAX + 1];
    do {
        bw_room_id_draw(hall, id);
    } while (bw_room_find(hall, id));
    bw_wait_input(hall, bw_room_load(hall, id), input);
}

static const bw_game *read_create(bw_hall *hall, const char *body, size_t length, bw_create *wish, void *config,
                                  int *status, bw_error_code *code, bw_error_text *why) {
    static const char *const beside[] = {"config", NULL};
    bw_doc doc;
    *status = 400;
    *code = BW_ERROR_BAD_JSON;
    if (length > BW_MESSAGE_MAX) {
        *status = 413;
        *code = BW_ERROR_TOO_LARGE;
        bw_fail(why, "A request may have at most 4096 bytes.", NULL);
        return NULL;
    }
    int count = bw_doc_parse(&doc, body, length, hall->scratch.tokens, hall->scratch.token_cap, 8, why);
    if (count >= 0 || count == BW_JSON_UNHELD) *code = BW_ERROR_BAD_MESSAGE;
    if (count < 0) return NULL;
    if (!bw_doc_is_object(&doc, 0)) {
        bw_fail(why, "A request must be an object with a \"game\" and perhaps a \"config\".", NULL);
        return NULL;
    }
    if (!bw_doc_is_plain(&doc, NULL, why)) return NULL;
    if (bw_decode(&bw_create_schema, &doc, 0, wish, 0, beside, why) < 0) return NULL;
    const bw_game *game = bw_game_for_new_room(hall, wish->game);
    if (!game) {
        *status = 404;
        *code = BW_ERROR_NO_SUCH_GAME;
        bw_fail(why, "There is no game \"", wish->game, "\": GET /api/games lists them.", NULL);
        return NULL;
    }
    int settings = bw_doc_member(&doc, 0, "config");
    if (wish->has_replay_id && settings >= 0) {
        bw_fail(why, "A game that is played on keeps its settings: leave \"config\" out.", NULL);
        return NULL;
    }
    if (wish->has_seq && !wish->has_replay_id) {
        bw_fail(why, "\"seq\" counts the moves of an old game: give its \"replay_id\" too.", NULL);
        return NULL;
    }
    memcpy(config, game->defaults, game->config->size);
    if (settings >= 0 && !bw_doc_is_object(&doc, settings)) {
        bw_fail(why, "\"config\" must be an object with settings of the game.", NULL);
        return NULL;
    }
    if (settings >= 0 && bw_config_read(game, &doc, settings, config, NULL, why) < 0) return NULL;
    int refusal = game->check ? game->check(config) : 0;
    if (refusal < 0) {
        *code = BW_ERROR_ILLEGAL;
        bw_fail(why, bw_refusal(game, refusal), NULL);
        return NULL;
    }
    return game;
}

static void want_replay(bw_hall *hall, uint64_t conn, const char *replay_id, bw_wanted what);

void bw_hall_http_create(bw_hall *hall, bw_now now, uint64_t conn, const char *body, size_t length,
                         const char *address) {
    int status;
    bw_create wish;
    bw_error_code code;
    bw_error_text why;
    bw_key from = bw_address_key(address);
    const char *refusal;
    hall->now = now;
    if (hall->draining) {
        bw_reply_error(hall, NULL, conn, 503, BW_ERROR_DRAINING, "The server is restarting: try again in a moment.");
        return;
    }
    const bw_game *game = read_create(hall, body, length, &wish, hall->scratch.config, &status, &code, &why);
    if (!game) {
        bw_reply_error(hall, NULL, conn, status, code, why.text);
    } else if (hall->rooms.count >= BW_ROOMS_MAX) {
        bw_reply_error(hall, NULL, conn, 503, BW_ERROR_RATE_LIMITED, "The server is full: try again later.");
    } else if ((refusal = bw_no_new_room(hall, from, &code))) {
        bw_reply_error(hall, NULL, conn, code == BW_ERROR_STORAGE ? 503 : 429, code, refusal);
    } else if (wish.has_replay_id && !bw_may_begin_work(hall, from)) {
        bw_reply_error(hall, NULL, conn, 429, BW_ERROR_RATE_LIMITED, bw_too_much_work);
    } else if (wish.has_replay_id) {
        want_replay(hall, conn, wish.replay_id,
                    (bw_wanted){.for_room = true, .seq = wish.has_seq ? wish.seq : 0, .address = from});
    } else {
        bw_room_for_new(hall, (bw_input){.kind = BW_INPUT_CREATE,
                                         .conn = conn,
                                         .game = game,
                                         .address = from,
                                         .bytes = bw_bytes_new(hall->scratch.config, game->config->size)});
    }
}

void bw_http_created(bw_hall *hall, bw_room *room, const bw_input *input) {
    if (room->game) { /* the id turned out to be taken: try another */
        bw_input again = *input;
        again.bytes = bw_bytes_share(input->bytes);
        bw_room_for_new(hall, again);
    } else if (input->kind == BW_INPUT_FORK || input->kind == BW_INPUT_SHARE || input->kind == BW_INPUT_BRING) {
        bw_fork_create(hall, room, input);
    } else {
        room->session->payer = input->address;
        bw_change change = bw_created(hall, input->game, input->bytes->at);
        bw_commit(hall, room, &change, (bw_cause){0}, NULL);
        bw_http_tell_created(hall, room, input->conn);
    }
}

void bw_http_tell_created(bw_hall *hall, bw_room *room, uint64_t conn) {
    char text[128];
    bw_out out = bw_out_to(text, sizeof text);
    bw_out_format(&out, "{\"room_id\":\"%s\",\"game\":\"%s\",\"url\":\"/game/%s\"}", room->id, room->game->id,
                  room->id);
    bw_reply(hall, room, conn, 201, bw_bytes_new(out.at, out.length));
}

/* ---- GET ---- */

static const char guessing[] = "Too many look-ups from your address found nothing: try again in a minute.";

/* An address that was in a room lately is not guessing. */
static bool may_look(bw_hall *hall, const bw_room *room, uint64_t conn, bw_key address) {
    bool known = room && room->session->payer.a == address.a && room->session->payer.b == address.b;
    if (known || bw_limit_look(hall, address)) return true;
    bw_reply_error(hall, NULL, conn, 429, BW_ERROR_RATE_LIMITED, guessing);
    return false;
}

static void not_there(bw_hall *hall, uint64_t conn, bw_key address, const char *sentence) {
    if (bw_limit_missed(hall, address)) bw_reply_error(hall, NULL, conn, 404, BW_ERROR_NOT_FOUND, sentence);
    else bw_reply_error(hall, NULL, conn, 429, BW_ERROR_RATE_LIMITED, guessing);
}

static void look(bw_hall *hall, uint64_t conn, const char *id, bw_input_kind kind, bw_key address) {
    char folded[BW_ROOM_ID_MAX + 1];
    if (!bw_room_id_fold(id, folded)) {
        bw_reply_error(hall, NULL, conn, 404, BW_ERROR_NOT_FOUND, "A room's id has 4 to 12 letters and digits.");
        return;
    }
    bw_room *room = bw_room_find(hall, folded);
    if (!may_look(hall, room, conn, address)) return;
    bw_input input = {.kind = kind, .conn = conn, .address = address};
    if (room && bw_is_open(room)) {
        (kind == BW_INPUT_STATE ? bw_http_state_now : bw_http_log_now)(hall, room, &input);
        return;
    }
    if (!room && hall->rooms.count >= BW_ROOMS_MAX) {
        bw_reply_error(hall, NULL, conn, 503, BW_ERROR_RATE_LIMITED, "The server is full: try again later.");
        return;
    }
    if (!room && !bw_may_begin_work(hall, address)) {
        bw_reply_error(hall, NULL, conn, 429, BW_ERROR_RATE_LIMITED, bw_too_much_work);
        return;
    }
    bw_wait_input(hall, room ? room : bw_room_load(hall, folded), input);
}

void bw_hall_http_state(bw_hall *hall, bw_now now, uint64_t conn, const char *room, const char *address) {
    hall->now = now;
    look(hall, conn, room, BW_INPUT_STATE, bw_address_key(address));
}

void bw_hall_http_log(bw_hall *hall, bw_now now, uint64_t conn, const char *room, const char *address) {
    hall->now = now;
    look(hall, conn, room, BW_INPUT_LOG, bw_address_key(address));
}

static bool exists(bw_hall *hall, bw_room *room, const bw_input *input) {
    if (!room->game) not_there(hall, input->conn, input->address, "There is no such room.");
    return room->game != NULL;
}

void bw_http_state_now(bw_hall *hall, bw_room *room, const bw_input *input) {
    if (exists(hall, room, input))
        bw_reply(hall, room, input->conn, 200, bw_state_for_http(&hall->scratch, room, bw_moment_of(hall, room)));
}

void bw_http_log_now(bw_hall *hall, bw_room *room, const bw_input *input) {
    if (!exists(hall, room, input)) return;
    if (!room->started_at) {
        bw_reply_error(hall, room, input->conn, 404, BW_ERROR_NOT_FOUND,
                       "The game has not started: there is no log yet.");
        return;
    }
    if (!bw_may_begin_work(hall, input->address)) {
        bw_reply_error(hall, room, input->conn, 429, BW_ERROR_RATE_LIMITED, bw_too_much_work);
        return;
    }
    if (!bw_recall(hall, room, input->address)) {
        bw_queue *readers = &room->session->recalling->readers;
        *(bw_input *)bw_queue_add(&hall->scratch.memory, readers, sizeof *input) = *input;
        return;
    }
    const uint64_t before = hall->scratch.work;
    bw_reply(hall, room, input->conn, 200, bw_room_file(&hall->scratch, room, hall->settings.own_device));
    bw_limit_dear(hall, input->address, hall->scratch.work - before);
}

/* ---- replays ---- */

static void want_replay(bw_hall *hall, uint64_t conn, const char *replay_id, bw_wanted what) {
    if (!may_look(hall, NULL, conn, what.address)) return;
    bw_memory_free(&hall->scratch.memory, bw_map_take(&hall->scratch.memory, &hall->wanted, bw_key_of_number(conn)));
    bw_wanted *wanted = bw_memory_new(&hall->scratch.memory, sizeof *wanted);
    *wanted = what;
    wanted->conn = conn;
    bw_map_put(&hall->scratch.memory, &hall->wanted, bw_key_of_number(conn), wanted);
    bw_output *out = bw_emit(hall, BW_OUT_REPLAY);
    out->conn = conn;
    memcpy(out->room, replay_id, strlen(replay_id) + 1);
}

void bw_hall_http_replay(bw_hall *hall, bw_now now, uint64_t conn, const char *replay_id, const char *address) {
    size_t length = strlen(replay_id);
    hall->now = now;
    if (length == 0 || length > BW_REPLAY_ID_MAX) {
        bw_reply_error(hall, NULL, conn, 404, BW_ERROR_NOT_FOUND, "There is no such replay.");
        return;
    }
    want_replay(hall, conn, replay_id, (bw_wanted){.address = bw_address_key(address)});
}

void bw_hall_replay_loaded(bw_hall *hall, bw_now now, uint64_t conn, const uint8_t *bytes, size_t length) {
    bw_wanted *found = bw_map_take(&hall->scratch.memory, &hall->wanted, bw_key_of_number(conn)), wanted;
    hall->now = now;
    if (!found) return;
    wanted = *found;
    bw_memory_free(&hall->scratch.memory, found);
    if (!bytes)
        not_there(hall, conn, wanted.address, "There is no such replay. It may have been deleted because of its age.");
    else if (wanted.for_room) bw_fork_loaded(hall, conn, &wanted, bytes, length);
    else bw_reply(hall, NULL, conn, 200, bw_bytes_new(bytes, length));
}
