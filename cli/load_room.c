#include "cli/load_room.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TOKENS = 4096 };

typedef struct hearing {
    load_room *room;
    int side;
} hearing;

static bool in_rounds(const load_room *room) { return room->match.game->flags & BW_GAME_ROUNDS; }

static void say(load_room *room, int side, const char *text) { ws_send(&room->connections[side], text, strlen(text)); }

bool load_room_open(load_room *room, const bw_game *game, ws_url *url, const struct addrinfo *address, uint64_t seed) {
    static const char letters[] = "BCDFGHJKLMNPQRSTVWXZ23456789";
    char path[64], id[9] = "";
    uint8_t luck[32];
    room->fast.state = seed;
    for (int i = 0; i < 8; i++) id[i] = letters[bw_fast_below(&room->fast, sizeof letters - 1)];
    snprintf(path, sizeof path, "/ws/%s?game=%s", id, game->id);
    if (!room->block) {
        room->block = cli_memory(bw_match_bytes(game));
        room->action = cli_memory(game->actions->size);
    }
    cli_seed(seed, luck);
    bw_match_attach(&room->match, game, room->block);
    bw_match_start(&room->match, game->defaults, 3, luck);
    room->configured = false;
    for (int side = 0; side < 2; side++) {
        room->asked[side] = room->seated[side] = room->told[side] = false;
        room->next_id[side] = 1;
        if (!ws_open(&room->connections[side], url, address, path, &room->failure)) {
            if (side == 1) ws_free(&room->connections[0]);
            room->stage = LOAD_CLOSED;
            return false;
        }
    }
    room->stage = LOAD_SEATING;
    return true;
}

void load_room_close(load_room *room) {
    if (room->stage == LOAD_CLOSED) return;
    for (int side = 0; side < 2; side++) {
        ws_close(&room->connections[side]);
        ws_free(&room->connections[side]);
    }
    room->stage = LOAD_CLOSED;
}

void load_room_free(load_room *room) {
    load_room_close(room);
    free(room->block);
    free(room->action);
}

static bool holds(const char *text, size_t length, const char *part) {
    return memmem(text, length, part, strlen(part)) != NULL;
}

static void fail(load_room *room, const char *text, size_t length) {
    char said[240];
    snprintf(said, sizeof said, "%.*s", (int)(length < 200 ? length : 200), text);
    bw_fail(&room->failure, said, NULL);
    room->stage = LOAD_FAILED;
}

static int64_t number(const bw_doc *doc, int object, const char *key) {
    int64_t value = 0;
    int token = object >= 0 ? bw_doc_member(doc, object, key) : -1;
    return token >= 0 && bw_doc_int(doc, token, &value) ? value : 0;
}

/* All rounds are due by the clock announced at the start. */
static void set_clock(load_room *room, const bw_doc *doc) {
    int state = bw_doc_member(doc, 0, "state");
    room->round = number(doc, state, "current_turn");
    room->round_ms = room->match.game->round_ms(room->match.state);
    room->clock_ms = number(doc, state, "next_round_at") - (room->round + 1) * room->round_ms;
    room->drift_ms = 0;
}

static void on_round(load_room *room, const char *text, size_t length) {
    bw_token tokens[TOKENS];
    bw_error_text why;
    bw_doc doc;
    struct timespec now;
    if (bw_doc_parse(&doc, text, length, tokens, TOKENS, 12, &why) < 0) {
        fail(room, "the server sent an update that is not JSON", 42);
        return;
    }
    int changes = bw_doc_member(&doc, 0, "changes");
    int64_t round = number(&doc, changes, "current_turn"), next = number(&doc, changes, "next_round_at");
    if (!round || !room->times) return; /* it contained only this seat's own drafts */
    clock_gettime(CLOCK_REALTIME, &now);
    double late = (double)(now.tv_sec * 1000 - room->clock_ms - round * room->round_ms) + (double)now.tv_nsec * 1e-6;
    load_times_add(room->times, late);
    room->rounds += round > room->round;
    room->round = round;
    room->drift_ms = next - (round + 1) * room->round_ms - room->clock_ms;
}

/* `you.role` and `game_status` decide what is left to do before the first move. */
static void on_state(load_room *room, int side, const char *text, size_t length) {
    const char *own = room->match.game->roles[side].id;
    bw_token tokens[TOKENS];
    bw_error_text why;
    bw_doc doc;
    char role[24] = "";
    if (bw_doc_parse(&doc, text, length, tokens, TOKENS, 12, &why) < 0) {
        fail(room, "the server sent a state that is not JSON", 40);
        return;
    }
    int you = bw_doc_member(&doc, 0, "you");
    if (you >= 0 && bw_doc_is_object(&doc, you)) {
        bw_doc_text(&doc, bw_doc_member(&doc, you, "role"), role, sizeof role);
    }
    if (strcmp(role, own) == 0) room->seated[side] = true;
    if (!room->asked[side]) {
        char message[96];
        snprintf(message, sizeof message, "{\"type\":\"select_role\",\"role\":\"%s\"}", own);
        say(room, side, message);
        room->asked[side] = true;
    }
    if (room->seated[0] && room->seated[1] && !room->configured) {
        say(room, 0, "{\"type\":\"start\"}");
        room->configured = true;
    }
    if (holds(text, length, "\"game_status\":\"active\"")) {
        room->told[side] = true;
        if (in_rounds(room)) set_clock(room, &doc);
    }
    if (room->told[0] && room->told[1]) room->stage = LOAD_READY;
}

static void on_text(void *user, const char *text, size_t length) {
    hearing *heard = user;
    load_room *room = heard->room;
    size_t head = length < 64 ? length : 64;
    if (in_rounds(room) && holds(text, length, "\"code\":\"illegal\"")) {
        return; /* an order that was only legal at the start */
    }
    if (holds(text, head, "\"type\":\"error\"") || holds(text, head, "\"type\":\"room_closed\"")) {
        fail(room, text, length);
    } else if (room->stage == LOAD_SEATING && holds(text, head, "\"type\":\"room_state\"")) {
        on_state(room, heard->side, text, length);
    } else if (in_rounds(room) && holds(text, head, "\"type\":\"game_over\"")) {
        room->stage = LOAD_ENDED;
    } else if (in_rounds(room) && holds(text, head, "\"type\":\"game_update\"")) {
        on_round(room, text, length);
    } else if (room->stage == LOAD_WAITING && holds(text, head, "\"type\":\"game_update\"") &&
               holds(text, length, "\"events\":[{")) {
        room->told[heard->side] = true;
    }
}

void load_room_pump(load_room *room, int side) {
    hearing ear = {room, side};
    if (room->stage == LOAD_CLOSED) return;
    if (!ws_pump(&room->connections[side], on_text, &ear, &room->failure)) {
        if (room->stage != LOAD_ENDED && room->stage != LOAD_FAILED) room->stage = LOAD_FAILED;
        return;
    }
    if (room->stage != LOAD_WAITING || !room->told[0] || !room->told[1]) return;
    if (room->times) load_times_add(room->times, (cli_clock() - room->sent) * 1000);
    room->stage = room->match.game->turn(room->match.state) ? LOAD_READY : LOAD_ENDED;
}

/* Orders are drawn for the start position, since rounds are not followed here; so some are refused later. */
static void give_order(load_room *room) {
    const bw_game *game = room->match.game;
    char memory[512];
    bw_out out = bw_out_to(memory, sizeof memory);
    int side = (int)bw_fast_below(&room->fast, 2);
    if (!bw_random_action(game, room->match.state, side, &room->fast, room->action)) return;
    bw_encode_union(&out, game->actions, room->action);
    ws_send(&room->connections[side], memory, out.length);
}

/* The message that plays what was staged; NULL: moves need none. */
static const char *commit_of(const bw_game *game) {
    for (int i = 0; i < game->actions->count; i++) {
        if (game->actions->cases[i].flags & BW_ACTION_COMMIT) return game->actions->cases[i].name;
    }
    return NULL;
}

void load_room_move(load_room *room) {
    if (in_rounds(room)) {
        give_order(room);
        return;
    }
    const bw_game *game = room->match.game;
    char memory[512];
    void *action = room->action;
    bw_out out = bw_out_to(memory, sizeof memory);
    int side = game->turn(room->match.state) & 1 ? 0 : 1;
    if (!bw_random_action(game, room->match.state, side, &room->fast, action)) {
        fail(room, "no move is legal", 16);
        return;
    }
    bw_encode_union(&out, game->actions, action);
    const char *commit = commit_of(game);
    if (commit) {
        ws_send(&room->connections[side], memory, out.length);
        out.length =
            (size_t)snprintf(memory, sizeof memory, "{\"type\":\"%s\",\"id\":%u}", commit, room->next_id[side]++);
    }
    room->told[0] = room->told[1] = false;
    room->stage = LOAD_WAITING;
    bw_match_play(&room->match, side, action, NULL);
    room->sent = cli_clock();
    ws_send(&room->connections[side], memory, out.length);
}
