/* A message's way to its handler, and how much is too much. Where several refusals apply, the first of: rate_limited, too_large, bad_json,
 * bad_message or unknown_type, draining, no_seat, wrong_status, paused, not_your_turn, illegal. */
#include "engine/sha256.h"
#include "rooms/session/session.h"

/* ---- limits: messages of a connection; rooms, misses, stored bytes and questions of an address ---- */

/* A leaky bucket, as the time at which it is empty (Turner 1986, "generic cell rate algorithm"). */
enum { MESSAGE_US = 1000000 / 20, BURST_US = 60 * MESSAGE_US, MINUTE_US = 60 * 1000000, ADDRESSES = 4096, WAYS = 8 };
static const int64_t HOUR_US = (int64_t)60 * MINUTE_US;

/* A fixed table, eight places for those that fall together: whoever comes from ever new addresses displaces the one
 * that has least to wait for, and gets no memory for it. */
typedef struct bw_address {
    bw_key key;
    int64_t rooms_us, misses_us, bytes_us, questions_us; /* when each bucket is empty */
} bw_address;

static bool pour(int64_t *empty_us, int64_t now, int64_t one_us, int64_t burst_us) {
    int64_t level = *empty_us > now ? *empty_us : now;
    if (level + one_us > now + burst_us) return false;
    *empty_us = level + one_us;
    return true;
}

bw_key bw_address_key(const char *address) {
    uint8_t digest[32];
    bw_key key;
    if (!address || !address[0]) {
        return (bw_key){0, 0};
    }
    bw_sha256_of(address, strlen(address), digest);
    memcpy(&key.a, digest, sizeof key.a);
    memcpy(&key.b, digest + 8, sizeof key.b);
    return key;
}

static int64_t latest(const bw_address *address) {
    int64_t rooms = address->rooms_us, misses = address->misses_us, bytes = address->bytes_us;
    int64_t later = rooms > misses ? rooms : misses;
    later = later > bytes ? later : bytes;
    return later > address->questions_us ? later : address->questions_us;
}

/* NULL: no address, for which nothing is limited. */
static bw_address *address_of(bw_hall *hall, bw_key key) {
    if (key.a == 0 && key.b == 0) return NULL;
    if (!hall->addresses) hall->addresses = bw_memory_new(&hall->scratch.memory, ADDRESSES * sizeof(bw_address));
    uint64_t place = (key.a ^ hall->addresses_secret) * 0xd6e8feb86659fd93u;
    bw_address *set = hall->addresses + (place >> 32) % (ADDRESSES / WAYS) * WAYS, *idlest = set;
    for (int i = 0; i < WAYS; i++) {
        if (set[i].key.a == key.a && set[i].key.b == key.b) return &set[i];
        if (latest(&set[i]) < latest(idlest)) idlest = &set[i];
    }
    *idlest = (bw_address){.key = key};
    return idlest;
}

bool bw_limit_question(bw_hall *hall, bw_key key) {
    uint32_t each = hall->settings.questions_per_address_per_minute, all = hall->settings.questions_per_minute;
    bw_address *address = address_of(hall, key);
    if (each && address && !pour(&address->questions_us, hall->now.mono_us, MINUTE_US / each, MINUTE_US)) return false;
    return all == 0 || pour(&hall->questions_us, hall->now.mono_us, MINUTE_US / all, MINUTE_US);
}

bool bw_limit_room(bw_hall *hall, bw_key key) {
    uint32_t per_minute = hall->settings.rooms_per_address_per_minute;
    bw_address *address = address_of(hall, key);
    if (!address) return true;
    return bw_limit_stored(hall, key) &&
           (per_minute == 0 || pour(&address->rooms_us, hall->now.mono_us, MINUTE_US / per_minute, MINUTE_US));
}

const char *bw_no_new_room(bw_hall *hall, bw_key key, bw_error_code *code) {
    *code = BW_ERROR_STORAGE;
    if (hall->storage_full) return "The server has no room to keep new games: try again later.";
    *code = BW_ERROR_RATE_LIMITED;
    return bw_limit_room(hall, key) ? NULL : "Too many new rooms from your address: try again in a minute.";
}

/* Two marks on one bucket: above the first, which takes half a minute's, a miss is refused; above the second, which
 * takes two minutes', whoever goes on guessing learns nothing more, for nothing is looked up. */
bool bw_limit_missed(bw_hall *hall, bw_key key) {
    uint32_t per_minute = hall->settings.misses_per_address_per_minute;
    bw_address *address = address_of(hall, key);
    if (!address || per_minute == 0) return true;
    bool soft = address->misses_us + MINUTE_US / per_minute <= hall->now.mono_us + MINUTE_US / 2;
    pour(&address->misses_us, hall->now.mono_us, MINUTE_US / per_minute, 2 * MINUTE_US);
    return soft;
}

bool bw_limit_look(bw_hall *hall, bw_key key) {
    uint32_t per_minute = hall->settings.misses_per_address_per_minute;
    const bw_address *address = address_of(hall, key);
    return !address || per_minute == 0 ||
           address->misses_us + MINUTE_US / per_minute <= hall->now.mono_us + 2 * MINUTE_US;
}

/* What is written is written: it is counted above the limit, too, and takes the longer to run out. */
void bw_limit_store(bw_hall *hall, bw_key key, size_t bytes) {
    int64_t per_hour = (int64_t)hall->settings.stored_mb_per_address_per_hour << 20;
    bw_address *address = address_of(hall, key);
    if (!address || per_hour == 0) return;
    int64_t level = address->bytes_us > hall->now.mono_us ? address->bytes_us : hall->now.mono_us;
    address->bytes_us = level + (int64_t)bytes * HOUR_US / per_hour;
}

bool bw_limit_stored(bw_hall *hall, bw_key key) {
    const bw_address *address = address_of(hall, key);
    return !address || hall->settings.stored_mb_per_address_per_hour == 0 ||
           address->bytes_us <= hall->now.mono_us + HOUR_US;
}

void bw_limits_clear(bw_hall *hall) {
    bw_memory_free(&hall->scratch.memory, hall->addresses);
    hall->addresses = NULL;
}

/* ---- messages ---- */

enum { DEPTH = 8 };

static const char *const envelope[] = {"type", "id", NULL};

static bool always(bw_hall *hall, const bw_asked *asked) {
    (void)hall, (void)asked;
    return true;
}

/* How each message of the rooms is handled: first whether it is well formed, then the seat, then the deed. */
typedef struct bw_handler {
    bool (*valid)(bw_hall *hall, const bw_asked *asked);
    void (*handle)(bw_hall *hall, const bw_asked *asked);
    bool seated, harmless; /* harmless: served while draining too, and to whom has stored too much */
} bw_handler;

static const bw_handler handlers[] = {
    [BW_SAY_RESUME] = {.valid = always, .handle = bw_on_resume, .harmless = true},
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
    [BW_SAY_PING] = {.valid = always, .handle = bw_on_ping, .harmless = true},
};

void bw_on_ping(bw_hall *hall, const bw_asked *asked) {
    bw_server_message message = {.type = BW_TELL_PONG};
    message.as.pong = (bw_pong){.t = asked->message->as.ping.t, .server_time = hall->now.wall_ms};
    bw_send(hall, asked->conn->room, asked->conn->id, bw_message(&hall->scratch, &message));
    bw_acknowledge(hall, asked->conn, asked->id);
}

static bool may_pass(bw_hall *hall, const bw_asked *asked, bool harmless, bool seated) {
    if (hall->draining && !harmless) {
        bw_refuse_for_now(hall, asked->conn, asked->id, BW_ERROR_DRAINING,
                          "The server is restarting: send this again in a moment.");
        return false;
    }
    if (!harmless && !bw_limit_stored(hall, asked->conn->address)) {
        bw_refuse_for_now(hall, asked->conn, asked->id, BW_ERROR_RATE_LIMITED,
                          "The server keeps no more from your address in an hour: send this again in some minutes.");
        return false;
    }
    if (seated && asked->conn->seat < 0) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NO_SEAT,
                  "You hold no role here: choose one with select_role.");
        return false;
    }
    return true;
}

static int case_named(const bw_union *u, const char *name) {
    for (int i = 0; i < u->count; i++) {
        if (strcmp(u->cases[i].name, name) == 0) return i;
    }
    return -1;
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
    bw_complaint why;
    const bw_schema *schema = bw_client_message_union.cases[type].schema;
    /* `configure` holds the game's settings, which its own check reads. */
    if (type != BW_SAY_CONFIGURE && bw_decode(schema, asked->doc, 0, &message.as, 0, envelope, &why) < 0) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_BAD_MESSAGE, why.text);
        return;
    }
    asked->message = &message;
    const bw_handler *handler = &handlers[type];
    if (handler->valid(hall, asked) && may_pass(hall, asked, handler->harmless, handler->seated)) {
        handler->handle(hall, asked);
    }
}

static void for_the_game(bw_hall *hall, bw_asked *asked, int type) {
    const bw_union *actions = asked->conn->room->game->actions;
    bw_complaint why;
    if (bw_decode_union(actions, asked->doc, 0, hall->scratch.action, envelope, &why) < 0) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_BAD_MESSAGE, why.text);
    } else if (may_pass(hall, asked, false, true)) {
        if (actions->cases[type].flags & BW_ACTION_WORDS) {
            bw_on_words(hall, asked, hall->scratch.action);
        } else {
            bw_on_action(hall, asked, hall->scratch.action);
        }
    }
}

/* The message's id; false: it has one that is not one. */
static bool read_id(const bw_doc *doc, int64_t *id) {
    int token = bw_doc_member(doc, 0, "id");
    *id = 0;
    if (token < 0 || (bw_doc_int(doc, token, id) && *id > 0)) return true;
    *id = 0;
    return false;
}

static void dispatch_doc(bw_hall *hall, bw_conn *conn, const bw_doc *doc) {
    bw_asked asked = {.conn = conn, .doc = doc};
    char type[BW_MESSAGE_MAX + 1]; /* any text fits, so what does not is none */
    if (!bw_doc_is_object(doc, 0)) {
        bw_refuse(hall, conn, 0, BW_ERROR_BAD_MESSAGE, "A message is an object with a \"type\".");
        return;
    }
    if (!read_id(doc, &asked.id)) {
        bw_refuse(hall, conn, 0, BW_ERROR_BAD_MESSAGE,
                  "\"id\" must be a whole number from 1, each above the last one.");
        return;
    }
    if (asked.id > 0 && bw_answer_again(hall, conn, asked.id)) return;
    if (bw_doc_text(doc, bw_doc_member(doc, 0, "type"), type, sizeof type) < 0) {
        bool text = bw_doc_member(doc, 0, "type") >= 0;
        bw_refuse(hall, conn, asked.id, BW_ERROR_BAD_MESSAGE,
                  text ? "\"type\" must be the name of a message." : "\"type\" is missing: it names the message.");
        return;
    }
    bw_complaint why;
    if (!bw_doc_is_plain(doc, "name", &why)) {
        bw_refuse(hall, conn, asked.id, BW_ERROR_BAD_MESSAGE, why.text);
        return;
    }
    const bw_game *game = conn->room->game;
    int known = case_named(&bw_client_message_union, type), action = case_named(game->actions, type);
    if (known >= 0) {
        for_the_room(hall, &asked, known);
    } else if (game->openings && case_named(game->openings, type) >= 0) {
        if (bw_valid_opening(hall, &asked) && may_pass(hall, &asked, false, true)) bw_on_opening(hall, &asked);
    } else if (action >= 0 && !(game->actions->cases[action].flags & BW_ACTION_CLOCK)) {
        for_the_game(hall, &asked, action);
    } else {
        unknown_type(hall, &asked);
    }
}

bool bw_within_limits(bw_hall *hall, bw_conn *conn) {
    if (pour(&conn->bucket_us, hall->now.mono_us, MESSAGE_US, BURST_US)) return true;
    bw_refuse_for_now(hall, conn, 0, BW_ERROR_RATE_LIMITED,
                      "Too many messages: at most 20 a second, and 60 at once. The connection is closed.");
    bw_conn_close(hall, conn, 1008, "rate_limited");
    return false;
}

int64_t bw_id_of(bw_hall *hall, const char *bytes, size_t length) {
    bw_doc doc;
    bw_complaint why;
    int64_t id = 0;
    bool object = length <= BW_MESSAGE_MAX &&
                  bw_doc_parse(&doc, bytes, length, hall->scratch.tokens, hall->scratch.token_cap, DEPTH, &why) > 0 &&
                  bw_doc_is_object(&doc, 0);
    return object && read_id(&doc, &id) ? id : 0;
}

void bw_dispatch_too_large(bw_hall *hall, bw_conn *conn) {
    bw_refuse_for_now(hall, conn, 0, BW_ERROR_TOO_LARGE, "A message is at most 4096 bytes long.");
}

void bw_dispatch(bw_hall *hall, bw_conn *conn, const char *bytes, size_t length) {
    bw_doc doc;
    bw_complaint why;
    if (length > BW_MESSAGE_MAX) {
        bw_dispatch_too_large(hall, conn);
        return;
    }
    int count = bw_doc_parse(&doc, bytes, length, hall->scratch.tokens, hall->scratch.token_cap, DEPTH, &why);
    if (count < 0) {
        bw_refuse_for_now(hall, conn, 0, BW_ERROR_BAD_JSON, why.text);
        return;
    }
    dispatch_doc(hall, conn, &doc);
}
