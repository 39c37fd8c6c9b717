#include "tests/protocol/kill.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static kill_room *rooms;

kill_room *kill_room_of(const char *id, const bw_game *game) {
    for (kill_room *room = rooms; room; room = room->next) {
        if (strcmp(room->id, id) == 0) return room;
    }
    kill_room *room = calloc(1, sizeof *room);
    snprintf(room->id, sizeof room->id, "%s", id);
    room->game = game;
    room->next = rooms;
    rooms = room;
    kill_did.games++;
    return room;
}

/* ---- states and events, by seq ---- */

/* Of the text with sorted keys: FNV-1a (Fowler, Noll, Vo), 64 bits. */
static uint64_t digest(const json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    uint64_t sum = 0xcbf29ce484222325u;
    for (const char *at = text; *at; at++) sum = (sum ^ (unsigned char)*at) * 0x100000001b3u;
    free(text);
    return sum ? sum : 1;
}

static void same(const kill_room *room, uint64_t *known, int64_t seq, const json_t *value, const char *what) {
    if (seq < 0 || seq >= KILL_SEQS) {
        kill_fail("room %s: seq %lld exceeds the memory of this test", room->id, (long long)seq);
    }
    uint64_t now = digest(value);
    if (known[seq] && known[seq] != now) {
        char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS);
        kill_fail("room %s: %s of seq %lld differ from before: %s", room->id, what, (long long)seq, text);
    }
    known[seq] = now;
}

void kill_room_shows(kill_room *room, int seat, int64_t seq, const json_t *state) {
    static const char *const momentary[] = {"players",     "spectators",  "paused",
                                            "game_status", "server_time", "next_round_at"};
    json_t *lasting = json_copy((json_t *)(uintptr_t)state);
    for (size_t i = 0; i < sizeof momentary / sizeof momentary[0]; i++) {
        json_object_del(lasting, momentary[i]);
    }
    same(room, room->states[seat + 1], seq, lasting, "the fields");
    json_decref(lasting);
}

void kill_room_happened(kill_room *room, int64_t seq, const json_t *events) {
    if (json_array_size(events) > 0) same(room, room->events, seq, events, "the events");
}

void kill_room_ended(kill_room *room, const json_t *game_over) {
    json_t *result = json_pack("{s:O, s:O, s:O, s:O}", "winner", json_object_get(game_over, "winner"), "stats",
                               json_object_get(game_over, "stats"), "seed", json_object_get(game_over, "seed"),
                               "replay_id", json_object_get(game_over, "replay_id"));
    if (!result) kill_fail("room %s: game_over lacks winner, stats, seed or replay_id", room->id);
    if (room->result && !json_equal(room->result, result)) {
        kill_fail("room %s: two players were sent different results", room->id);
    }
    if (room->result) {
        json_decref(result);
        return;
    }
    room->result = result;
    room->over_at = kill_number(game_over, "seq");
    kill_did.over++;
}

void kill_room_rests(kill_room *room, int seat, const json_t *state) {
    if (!room->result || room->end) return;
    room->end = json_deep_copy(state);
    room->end_seat = seat;
}

/* ---- the log ---- */

/* The caller frees *body. */
static void get(const char *path, const char *id, const char *tail, char **body) {
    char whole[80];
    snprintf(whole, sizeof whole, "%s%s%s", path, id, tail);
    int status = client_request(kill_port(), "GET", whole, "", NULL, NULL, body);
    for (double until = kill_seconds() + kill_patience();
         status != 200 && kill_is_cluster() && kill_seconds() < until;) {
        free(*body);
        *body = NULL;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        status = client_request(kill_port(), "GET", whole, "", NULL, NULL, body);
    }
    if (status != 200) kill_fail("%s was answered with %d", whole, status);
}

/* Is the order in the round's line? */
static bool carried_out(const kill_room *room, const kill_order *order, const json_t *action) {
    size_t i;
    json_t *line;
    json_array_foreach(json_object_get(action, "orders"), i, line) {
        const json_t *to = json_object_get(line, "to");
        if (strcmp(kill_text(line, "role"), room->game->roles[order->seat].id) == 0 &&
            kill_number(line, "piece") == order->piece && kill_number(to, "x") == order->x &&
            kill_number(to, "y") == order->y) {
            return true;
        }
    }
    return false;
}

typedef struct reading {
    int moves[BW_SEATS_MAX];
    int64_t rounds;
    int lines;
} reading;

static void read_line(kill_room *room, const char *text, size_t length, reading *read) {
    json_t *line = json_loadb(text, length, 0, NULL), *action = json_object_get(line, "action");
    const char *role = json_string_value(json_object_get(line, "role"));
    if (kill_number(line, "seq") != ++read->lines || !action) {
        kill_fail("room %s: line %d of its log is %.*s", room->id, read->lines, (int)length, text);
    }
    for (int i = 0; role && i < room->game->role_count; i++) {
        read->moves[i] += strcmp(room->game->roles[i].id, role) == 0;
    }
    read->rounds += !role;
    for (int i = 0; !role && i < room->order_count; i++) {
        if (room->orders[i].round == read->rounds) {
            kill_did.orders++;
            if (!carried_out(room, &room->orders[i], action)) {
                kill_fail("room %s: %s ordered piece %d to %d,%d in round %lld, but it was not: %.*s", room->id,
                          room->game->roles[room->orders[i].seat].id, room->orders[i].piece, room->orders[i].x,
                          room->orders[i].y, (long long)read->rounds, (int)length, text);
            }
        }
    }
    json_decref(line);
}

/* Acknowledged moves are in the log, once; moves in flight may be. */
static void count_moves(const kill_room *room, const kill_player *p, const reading *read) {
    int unanswered = 0;
    for (int i = 0; i < p->pending_count; i++) {
        unanswered += p->pending[i].is_move && p->pending[i].tried;
    }
    int there = read->moves[p->seat];
    bool more = there > p->moves_acked + unanswered && !(room->bots_played >> p->seat & 1);
    if (there < p->moves_acked || more) {
        kill_fail("room %s: %d moves of %s were acknowledged and %d were in flight, but %d are in the log", room->id,
                  p->moves_acked, kill_role(p), unanswered, there);
    }
}

bool kill_room_has_role(const kill_room *room, const char *role) {
    char *log = NULL;
    size_t i;
    json_t *seat;
    bool found = false;
    get("/api/rooms/", room->id, "/log", &log);
    json_t *head = json_loadb(log, strcspn(log, "\n"), 0, NULL);
    json_array_foreach(json_object_get(head, "seats"), i, seat) {
        found = found || strcmp(json_string_value(seat), role) == 0;
    }
    json_decref(head);
    free(log);
    return found;
}

void kill_room_compare(kill_room *room, const kill_table *table) {
    bool started = false, ended = room->result != NULL;
    reading read = {0};
    for (int i = 0; i < table->count; i++) {
        started = started || (table->players[i].room == room && kill_number(table->players[i].state, "started_at") > 0);
    }
    if (!started) return;
    char *log = NULL;
    get("/api/rooms/", room->id, "/log", &log);
    char *moves = strchr(log, '\n') ? strchr(log, '\n') + 1 : log + strlen(log), *result = strstr(moves, "{\"result\"");
    if (ended && !result) kill_fail("room %s: it was over, but now its log has no end", room->id);
    if (result) *result = '\0';
    if (room->log && strncmp(room->log, moves, strlen(room->log)) != 0) {
        kill_fail("room %s: its log does not begin with the earlier log:\n%s\nnow:\n%s", room->id, room->log, moves);
    }
    for (const char *line = moves, *stop; (stop = strchr(line, '\n')); line = stop + 1) {
        read_line(room, line, (size_t)(stop - line), &read);
    }
    for (int i = 0; i < table->count; i++) {
        if (table->players[i].room == room && table->players[i].seat >= 0 && !(room->game->flags & BW_GAME_ROUNDS)) {
            count_moves(room, &table->players[i], &read);
        }
    }
    kill_did.lines += read.lines;
    free(room->log);
    room->log = strdup(moves);
    free(log);
}

/* ---- the replay ---- */

typedef struct watching {
    char *view; /* at the end */
    const kill_room *room;
} watching;

static bool on_step(void *user, const bw_file_step *step) {
    watching *watch = user;
    if (step->result) {
        enum { CAP = 1 << 18 };
        void *view = calloc(1, step->match->game->view->size);
        watch->view = malloc(CAP);
        bw_out out = bw_out_to(watch->view, CAP - 1);
        step->match->game->view_of(step->match->state, watch->room->end_seat, view);
        bw_encode(&out, step->match->game->view, view);
        watch->view[out.length] = '\0';
        free(view);
    }
    return true;
}

static void verify(const kill_room *room, const char *file, watching *watch) {
    enum { TOKENS = 1 << 16, EVENTS = 1 << 18 };
    bw_file_reader reader = {.block_bytes = bw_match_bytes(room->game),
                             .token_cap = TOKENS,
                             .events_bytes = EVENTS,
                             .action_bytes = room->game->actions->size,
                             .on_step = on_step,
                             .user = watch};
    reader.block = calloc(1, reader.block_bytes);
    reader.tokens = malloc(TOKENS * sizeof *reader.tokens);
    reader.events = malloc(EVENTS);
    reader.action = calloc(1, reader.action_bytes);
    if (bw_file_verify(file, strlen(file), &reader) != 0) {
        kill_fail("room %s: its replay does not verify: %s", room->id, reader.error.text);
    }
    free(reader.block);
    free(reader.tokens);
    free(reader.events);
    free(reader.action);
}

/* A solver's answer belongs to the room, and is no part of the game or its file. */
static void forget_solver(json_t *object) {
    json_object_del(object, "best_known");
    json_object_del(object, "proven");
}

/* The replay exists, passes the engine's check, and ends as the players saw it end. */
void kill_room_check_replay(kill_room *room) {
    watching watch = {.room = room};
    char *file = NULL;
    get("/api/replays/", kill_text(room->result, "replay_id"), "", &file);
    verify(room, file, &watch);
    json_t *head = json_loadb(file, strcspn(file, "\n"), 0, NULL),
           *view = json_loads(watch.view ? watch.view : "", 0, NULL);
    const char *at = strstr(file, "{\"result\"");
    json_t *last = at ? json_loadb(at, strcspn(at, "\n"), 0, NULL) : NULL, *result = json_object_get(last, "result"),
           *value;
    json_t *sent = json_deep_copy(json_object_get(room->result, "stats")), *stats = json_object_get(result, "stats");
    const char *key;
    forget_solver(sent);
    forget_solver(stats);
    forget_solver(view);
    if (strcmp(kill_text(head, "seed"), kill_text(room->result, "seed")) != 0) {
        kill_fail("room %s: the seed of its replay differs from the one that was sent", room->id);
    }
    if (!json_equal(json_object_get(result, "winner"), json_object_get(room->result, "winner")) ||
        !json_equal(stats, sent)) {
        kill_fail("room %s: the result of its replay differs from the one that was sent: %s", room->id, at);
    }
    if (!view || json_object_size(view) == 0) {
        kill_fail("room %s: its replay has no last position", room->id);
    }
    json_object_foreach(view, key, value)
        if (room->end && !json_equal(value, json_object_get(room->end, key))) {
            kill_fail("room %s: at the end of its replay \"%s\" differs from what its players saw", room->id, key);
        }
    json_decref(head);
    json_decref(sent);
    json_decref(view);
    json_decref(last);
    free(watch.view);
    free(file);
}

void kill_rooms_check_replays(void) {
    for (kill_room *room = rooms; room; room = room->next) {
        if (room->result) kill_room_check_replay(room);
    }
}

void kill_rooms_free(void) {
    for (kill_room *room = rooms, *next; room; room = next) {
        next = room->next;
        json_decref(room->result);
        json_decref(room->end);
        free(room->log);
        free(room);
    }
    rooms = NULL;
}
