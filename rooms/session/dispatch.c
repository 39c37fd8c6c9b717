/* Dispatches a message to its handler. If several refusals apply, the first of these is sent: rate_limited,
 * too_large, bad_json, bad_message or unknown_type, draining, no_seat, wrong_status, paused, not_your_turn, illegal. */
#include "rooms/session/session.h"

/* ---- messages ---- */

enum { DEPTH = 8 };

static const char *const envelope[] = {"type", "id", NULL};

static bool always(bw_hall *hall, const bw_asked *asked) {
    (void)hall, (void)asked;
    return true;
}

/* How each message of the rooms is handled: is it well-formed, does the sender have the seat, and what it does. */
typedef struct bw_handler {
    bool (*valid)(bw_hall *hall, const bw_asked *asked);
    void (*handle)(bw_hall *hall, const bw_asked *asked);
    bool seated,
        while_draining; /* while_draining: also served while draining, and to addresses that have stored too much */
} bw_handler;

static const bw_handler handlers[] = {
    [BW_SAY_RESUME] = {.valid = always, .handle = bw_on_resume, .while_draining = true},
    [BW_SAY_SELECT_ROLE] = {.valid = bw_valid_select_role, .handle = bw_on_select_role},
    [BW_SAY_LEAVE_ROLE] = {.valid = always, .handle = bw_on_leave_role, .seated = true},
    [BW_SAY_CONFIGURE] = {.valid = bw_valid_configure, .handle = bw_on_configure, .seated = true},
    [BW_SAY_START] = {.valid = always, .handle = bw_on_start, .seated = true},
    [BW_SAY_ADD_BOT] = {.valid = bw_valid_add_bot, .handle = bw_on_add_bot, .seated = true},
    [BW_SAY_REMOVE_BOT] = {.valid = bw_valid_remove_bot, .handle = bw_on_remove_bot, .seated = true},
    [BW_SAY_RESIGN] = {.valid = always, .handle = bw_on_resign, .seated = true},
    [BW_SAY_REMATCH] = {.valid = always, .handle = bw_on_rematch, .seated = true},
    [BW_SAY_STAND_IN] = {.valid = bw_valid_stand_in, .handle = bw_on_stand_in, .seated = true},
    [BW_SAY_CLAIM] = {.valid = always, .handle = bw_on_claim, .seated = true},
    [BW_SAY_REACT] = {.valid = always, .handle = bw_on_react, .seated = true},
    [BW_SAY_RENAME] = {.valid = always, .handle = bw_on_rename, .seated = true},
    [BW_SAY_READY] = {.valid = always, .handle = bw_on_ready, .seated = true},
    [BW_SAY_PING] = {.valid = always, .handle = bw_on_ping, .while_draining = true},
};

void bw_on_ping(bw_hall *hall, const bw_asked *asked) {
    bw_server_message message = {.type = BW_TELL_PONG};
    message.as.pong = (bw_pong){.t = asked->message->as.ping.t, .server_time = hall->now.wall_ms};
    bw_send(hall, asked->conn->room, asked->conn->id, bw_message(&hall->scratch, &message));
    bw_acknowledge(hall, asked->conn, asked->id);
}

static bool may_pass(bw_hall *hall, const bw_asked *asked, bool while_draining, bool seated) {
    if (hall->draining && !hall->moving && !while_draining) {
        bw_refuse_for_now(hall, asked->conn, asked->id, BW_ERROR_DRAINING,
                          "The server is restarting: send this again in a moment.");
        return false;
    }
    if (!while_draining && !bw_limit_stored(hall, asked->conn->address)) {
        bw_refuse_for_now(
            hall, asked->conn, asked->id, BW_ERROR_RATE_LIMITED,
            "The server has stored as much from your address as it does in an hour: send this again in a few minutes.");
        return false;
    }
    /* This includes returning players: sending what they missed may be expensive. */
    bool cheap = asked->message && asked->message->type == BW_SAY_PING;
    if (!cheap && bw_overworked(hall, asked->conn->address)) {
        bw_refuse_for_now(hall, asked->conn, asked->id, BW_ERROR_RATE_LIMITED, bw_too_much_work);
        return false;
    }
    if (seated && asked->conn->seat < 0) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NO_SEAT,
                  "You have no role here: choose one with select_role.");
        return false;
    }
    return true;
}

static void unknown_type(bw_hall *hall, const bw_asked *asked) {
    const bw_union *actions = asked->conn->room->game->actions;
    const bw_union *openings = asked->conn->room->game->openings;
    char sentence[BW_SENTENCE];
    bw_out out = bw_out_to(sentence, sizeof sentence - 1);
    bw_out_text(&out, "\"type\" must be one of ");
    for (int i = 0; i < bw_client_message_union.count; i++) {
        bw_out_format(&out, "%s, ", bw_client_message_union.cases[i].name);
    }
    for (int i = 0; openings && i < openings->count; i++) {
        bw_out_format(&out, "%s, ", openings->cases[i].name);
    }
    bw_out_text(&out, "or of this game's actions:");
    for (int i = 0; i < actions->count; i++) {
        if (!(actions->cases[i].flags & BW_ACTION_CLOCK)) {
            bw_out_text(&out, i > 0 ? ", " : " ");
            bw_out_text(&out, actions->cases[i].name);
        }
    }
    bw_out_text(&out, ".");
    sentence[out.length] = 0;
    bw_refuse(hall, asked->conn, asked->id, BW_ERROR_UNKNOWN_TYPE, sentence);
}

static void for_the_room(bw_hall *hall, bw_asked *asked, int type) {
    bw_client_message message = {.type = (uint8_t)type};
    bw_error_text why;
    /* `configure` contains the game's settings, which the game checks. */
    if (type != BW_SAY_CONFIGURE &&
        bw_decode_case(&bw_client_message_union, type, asked->doc, 0, &message, envelope, &why) < 0) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_BAD_MESSAGE, why.text);
        return;
    }
    asked->message = &message;
    const bw_handler *handler = &handlers[type];
    if (handler->valid(hall, asked) && may_pass(hall, asked, handler->while_draining, handler->seated)) {
        handler->handle(hall, asked);
    }
}

static void for_the_game(bw_hall *hall, bw_asked *asked, int type) {
    const bw_union *actions = asked->conn->room->game->actions;
    bw_error_text why;
    if (bw_decode_case(actions, type, asked->doc, 0, hall->scratch.action, envelope, &why) < 0) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_BAD_MESSAGE, why.text);
    } else if (may_pass(hall, asked, false, true)) {
        if (actions->cases[type].flags & BW_ACTION_WORDS) {
            bw_on_words(hall, asked, hall->scratch.action);
        } else {
            bw_on_action(hall, asked, hall->scratch.action);
        }
    }
}

/* Reads the message's id; false: the id is invalid. */
static bool read_id(const bw_doc *doc, int64_t *id) {
    int token = bw_doc_member(doc, 0, "id");
    *id = 0;
    if (token < 0 || (bw_doc_int(doc, token, id) && *id > 0)) return true;
    *id = 0;
    return false;
}

static void dispatch_doc(bw_hall *hall, bw_conn *conn, const bw_doc *doc) {
    bw_asked asked = {.conn = conn, .doc = doc};
    char type[BW_MESSAGE_MAX + 1]; /* any valid type fits, so a longer text is none */
    if (!bw_doc_is_object(doc, 0)) {
        bw_refuse(hall, conn, 0, BW_ERROR_BAD_MESSAGE, "A message is an object with a \"type\".");
        return;
    }
    if (!read_id(doc, &asked.id)) {
        bw_refuse(hall, conn, 0, BW_ERROR_BAD_MESSAGE,
                  "\"id\" must be a whole number from 1, larger than the last one.");
        return;
    }
    if (asked.id > 0 && bw_answer_again(hall, conn, asked.id)) return;
    int token = bw_doc_member(doc, 0, "type");
    if (bw_doc_text(doc, token, type, sizeof type) < 0) {
        bw_refuse(hall, conn, asked.id, BW_ERROR_BAD_MESSAGE,
                  token >= 0 ? "\"type\" must be the name of a message."
                             : "\"type\" is missing: it must be the name of a message.");
        return;
    }
    bw_error_text why;
    if (!bw_doc_is_plain(doc, "name", &why)) {
        bw_refuse(hall, conn, asked.id, BW_ERROR_BAD_MESSAGE, why.text);
        return;
    }
    const bw_game *game = conn->room->game;
    int message = bw_case_find(&bw_client_message_union, type), action = bw_case_find(game->actions, type);
    if (message >= 0) {
        for_the_room(hall, &asked, message);
    } else if (game->openings && bw_case_find(game->openings, type) >= 0) {
        if (bw_valid_opening(hall, &asked) && may_pass(hall, &asked, false, true)) bw_on_opening(hall, &asked);
    } else if (action >= 0 && !(game->actions->cases[action].flags & BW_ACTION_CLOCK)) {
        for_the_game(hall, &asked, action);
    } else {
        unknown_type(hall, &asked);
    }
}

int64_t bw_id_of(bw_hall *hall, const char *bytes, size_t length) {
    bw_doc doc;
    bw_error_text why;
    int64_t id = 0;
    if (length > BW_MESSAGE_MAX) return 0;
    if (bw_doc_parse(&doc, bytes, length, hall->scratch.tokens, hall->scratch.token_cap, DEPTH, &why) < 0) {
        return bw_json_id(bytes, length);
    }
    return bw_doc_is_object(&doc, 0) && read_id(&doc, &id) ? id : 0;
}

void bw_dispatch_too_large(bw_hall *hall, bw_conn *conn) {
    bw_refuse_for_now(hall, conn, 0, BW_ERROR_TOO_LARGE, "A message may have at most 4096 bytes.");
}

void bw_dispatch(bw_hall *hall, bw_conn *conn, const char *bytes, size_t length) {
    bw_doc doc;
    bw_error_text why;
    if (length > BW_MESSAGE_MAX) {
        bw_dispatch_too_large(hall, conn);
        return;
    }
    int count = bw_doc_parse(&doc, bytes, length, hall->scratch.tokens, hall->scratch.token_cap, DEPTH, &why);
    if (count < 0) {
        int64_t id = bw_json_id(bytes, length);
        if (id > 0 && bw_answer_again(hall, conn, id)) return;
        bw_refuse(hall, conn, id, count == BW_JSON_UNHELD ? BW_ERROR_BAD_MESSAGE : BW_ERROR_BAD_JSON, why.text);
        return;
    }
    dispatch_doc(hall, conn, &doc);
}
