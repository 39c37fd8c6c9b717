#include "cli/load_room.h"

#include <stdlib.h>
#include <string.h>

static const char *const roles[2] = {"journeyman", "weather"};

typedef struct hearing {
    load_room *room;
    int side;
} hearing;

static void say(load_room *room, int side, const char *text) {
    ws_send(&room->connections[side], text, strlen(text));
}

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
    bw_complain(&room->failure, said, NULL);
    room->stage = LOAD_FAILED;
}

/* `you.role` and `game_status` decide what is still to be done before the first move. */
static void on_state(load_room *room, int side, const char *text, size_t length) {
    enum { TOKENS = 4096 };
    bw_token tokens[TOKENS];
    bw_complaint complaint;
    bw_doc doc;
    char role[24] = "";
    if (bw_doc_parse(&doc, text, length, tokens, TOKENS, 12, &complaint) < 0) {
        fail(room, "the server sent a state that is not JSON", 40);
        return;
    }
    int you = bw_doc_member(&doc, 0, "you");
    if (you >= 0 && bw_doc_is_object(&doc, you)) bw_doc_text(&doc, bw_doc_member(&doc, you, "role"), role, sizeof role);
    if (strcmp(role, roles[side]) == 0) room->seated[side] = true;
    if (!room->asked[side]) {
        char message[96];
        snprintf(message, sizeof message, "{\"type\":\"select_role\",\"role\":\"%s\"}", roles[side]);
        say(room, side, message);
        room->asked[side] = true;
    }
    if (room->seated[0] && room->seated[1] && !room->configured) {
        say(room, 0, "{\"type\":\"configure_grid\",\"size\":10}");
        room->configured = true;
    }
    if (holds(text, length, "\"game_status\":\"active\"")) room->told[side] = true;
    if (room->told[0] && room->told[1]) room->stage = LOAD_READY;
}

static void on_text(void *user, const char *text, size_t length) {
    hearing *heard = user;
    load_room *room = heard->room;
    size_t head = length < 64 ? length : 64;
    if (holds(text, head, "\"type\":\"error\"") || holds(text, head, "\"type\":\"room_closed\"")) {
        fail(room, text, length);
    } else if (room->stage == LOAD_SEATING && holds(text, head, "\"type\":\"room_state\"")) {
        on_state(room, heard->side, text, length);
    } else if (room->stage == LOAD_WAITING && holds(text, head, "\"type\":\"game_update\"") &&
               holds(text, length, "\"events\":[{")) {
        room->told[heard->side] = true;
    }
}

bool load_room_pump(load_room *room, int side) {
    hearing ear = {room, side};
    if (room->stage == LOAD_CLOSED) return false;
    if (!ws_pump(&room->connections[side], on_text, &ear, &room->failure)) {
        if (room->stage != LOAD_ENDED && room->stage != LOAD_FAILED) room->stage = LOAD_FAILED;
        return false;
    }
    if (room->stage != LOAD_WAITING || !room->told[0] || !room->told[1]) return false;
    room->latency = cli_clock() - room->sent;
    room->moves++;
    room->stage = LOAD_READY;
    if (room->match.game->turn(room->match.state) == 0) {
        room->games++;
        room->stage = LOAD_ENDED;
    }
    return true;
}

void load_room_move(load_room *room) {
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
    ws_send(&room->connections[side], memory, out.length);
    int length = snprintf(memory, sizeof memory, "{\"type\":\"end_turn\",\"id\":%u}", room->next_id[side]++);
    room->told[0] = room->told[1] = false;
    room->stage = LOAD_WAITING;
    bw_match_play(&room->match, side, action, NULL);
    room->sent = cli_clock();
    ws_send(&room->connections[side], memory, (size_t)length);
}
