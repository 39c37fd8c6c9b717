/* Real kills: kill_test PROGRAM [KILLS] [SEED]
 *
 * Many rooms are played over real sockets while the real server is killed with SIGKILL at random instants
 * and started again on the same database. Each client keeps what it saw: the moves, the sequence numbers,
 * what was acknowledged. After each restart the room's log must begin with exactly the moves that were
 * seen, nothing acknowledged may be missing, and nothing may be there twice. */
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/client.h"
#include "tests/support/process.h"

enum { ROOMS = 24, SEATS = 2, SIZE = 8, MOVES_MAX = 1000, PENDING_MAX = 2 };

typedef struct pending {
    int id;
    char text[256];
    bool sent, ends_turn;
} pending;

typedef struct player {
    client c;
    struct room *room;
    int seat;
    char token[64];
    int next_id, seq;
    bool connected, paused;
    json_t *state;
    pending pending[PENDING_MAX];
    int pending_count;
    char *seen[MOVES_MAX]; /* the moves of the game, in order */
    int seen_count;
    int turns_acked;
    double rests_until; /* 20 messages a second are allowed */
} player;

typedef struct room {
    char id[24];
    int number;
    player players[SEATS];
    bool over;
} room;

static struct {
    process server;
    const char *program;
    char folder[64], database[96], log[96];
    room rooms[ROOMS];
    int room_numbers;
    uint64_t dice;
    long moves, acks, resent, compared, games;
    double downtime_max;
} test;

static const char *const roles[SEATS] = {"journeyman", "weather"};

static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("FAILED: ", stdout);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n(the database and the server's log are in %s)\n", test.folder);
    kill(test.server.pid, SIGKILL);
    exit(1);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint32_t roll(uint32_t below) {
    test.dice = test.dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(test.dice >> 33) % below;
}

/* ---- what a client says ---- */

static void flush_pending(player *p) {
    for (int i = 0; i < p->pending_count && p->connected && !p->paused; i++)
        if (!p->pending[i].sent) {
            p->pending[i].sent = true;
            client_send(&p->c, p->pending[i].text);
        }
}

static void plan(player *p, bool ends_turn, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void plan(player *p, bool ends_turn, const char *format, ...) {
    pending *next = &p->pending[p->pending_count++];
    *next = (pending){.id = p->next_id++, .ends_turn = ends_turn};
    char body[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(body, sizeof body, format, arguments);
    va_end(arguments);
    snprintf(next->text, sizeof next->text, "{\"id\":%d,%s}", next->id, body);
}

static bool is_dry(const player *p, int x, int y) {
    json_t *row = json_array_get(json_object_get(p->state, "grid"), (size_t)y);
    const char *cell = x < 0 || y < 0 ? NULL : json_string_value(json_array_get(row, (size_t)x));
    return cell && strcmp(cell, "dry") == 0;
}

static void plan_turn(player *p) {
    json_t *at = json_object_get(p->state, "journeyman_position");
    int x = (int)json_integer_value(json_object_get(at, "x")), y = (int)json_integer_value(json_object_get(at, "y"));
    if (p->seat == 0) {
        int to_x, to_y, tries = 0;
        do {
            to_x = x + (int)roll(3) - 1;
            to_y = y + (int)roll(3) - 1;
            if (++tries > 500)
                return; /* trapped: the server says so as well */
        } while ((to_x == x && to_y == y) || !is_dry(p, to_x, to_y));
        plan(p, false, "\"type\":\"move\",\"position\":{\"x\":%d,\"y\":%d}", to_x, to_y);
    } else {
        int fx = (int)roll(SIZE), fy = (int)roll(SIZE);
        if (roll(3) == 0 && is_dry(p, fx, fy) && (fx != x || fy != y))
            plan(p, false, "\"type\":\"flood\",\"positions\":[{\"x\":%d,\"y\":%d}]", fx, fy);
    }
    plan(p, true, "\"type\":\"end_turn\"");
}

static void act(player *p) {
    const char *status = json_string_value(json_object_get(p->state, "game_status"));
    const char *turn = json_string_value(json_object_get(p->state, "current_role"));
    bool mine = status && strcmp(status, "active") == 0 && turn && strcmp(turn, roles[p->seat]) == 0;
    if (mine && p->pending_count == 0 && seconds() >= p->rests_until) {
        plan_turn(p);
        p->rests_until = seconds() + 0.13;
    }
    flush_pending(p);
}

/* ---- what a client hears ---- */

static void merge(json_t *into, json_t *changes) {
    const char *key;
    json_t *value;
    json_object_foreach(changes, key, value) {
        json_t *old = json_object_get(into, key);
        if (json_is_object(value) && json_is_object(old))
            merge(old, value);
        else
            json_object_set_new(into, key, json_deep_copy(value));
    }
}

/* A move as it stands in a game file, from an action or from the events of an update. */
static char *describe(json_t *move) {
    char text[160] = "";
    const char *type = json_string_value(json_object_get(move, "type"));
    json_t *to = json_object_get(move, strcmp(type, "moved") == 0 ? "to" : "position");
    if (strcmp(type, "move") == 0 || strcmp(type, "moved") == 0) {
        snprintf(text, sizeof text, "to %d,%d", (int)json_integer_value(json_object_get(to, "x")),
                 (int)json_integer_value(json_object_get(to, "y")));
    } else {
        size_t at = (size_t)snprintf(text, sizeof text, "flood"), i;
        json_t *position;
        json_array_foreach(json_object_get(move, "positions"), i, position)
            at += (size_t)snprintf(text + at, sizeof text - at, " %d,%d", (int)json_integer_value(json_object_get(position, "x")),
                                   (int)json_integer_value(json_object_get(position, "y")));
    }
    return strdup(text);
}

static void on_events(player *p, json_t *events) {
    size_t i;
    json_t *event;
    char *move = NULL;
    json_array_foreach(events, i, event) {
        const char *type = json_string_value(json_object_get(event, "type"));
        if (strcmp(type, "moved") == 0 || strcmp(type, "flooded") == 0) {
            free(move);
            move = describe(event);
        }
    }
    bool nothing_flooded = !move && json_array_size(events) > 0; /* a night without a flood: "day n" alone */
    if (nothing_flooded)
        move = strdup("flood");
    if (move && p->seen_count < MOVES_MAX)
        p->seen[p->seen_count++] = move;
    else
        free(move);
}

static void on_answer(player *p, int id, bool acked) {
    for (int i = 0; i < p->pending_count; i++)
        if (p->pending[i].id == id) {
            test.acks += acked;
            p->turns_acked += acked && p->pending[i].ends_turn;
            memmove(&p->pending[i], &p->pending[i + 1], (size_t)(p->pending_count - i - 1) * sizeof p->pending[0]);
            p->pending_count--;
            return;
        }
}

static void on_error(player *p, json_t *message) {
    const char *code = json_string_value(json_object_get(message, "code"));
    if (code && (strcmp(code, "paused") == 0 || strcmp(code, "draining") == 0)) {
        p->pending_count = 0; /* refused for good: planned anew, with new ids */
        p->paused = true;
        return;
    }
    char *text = json_dumps(message, 0);
    die("room %s, %s was refused: %s", p->room->id, roles[p->seat], text);
}

static void set_seq(player *p, json_t *message) {
    int seq = (int)json_integer_value(json_object_get(message, "seq"));
    if (seq < p->seq)
        die("room %s: seq fell from %d to %d", p->room->id, p->seq, seq);
    p->seq = seq;
}

static void on_text(player *p) {
    json_t *message = json_loads(p->c.text, 0, NULL);
    const char *type = json_string_value(json_object_get(message, "type"));
    if (!type)
        die("room %s: not a message: %.200s", p->room->id, p->c.text);
    if (strcmp(type, "room_state") == 0) {
        set_seq(p, message);
        json_decref(p->state);
        p->state = json_incref(json_object_get(message, "state"));
        const char *token = json_string_value(json_object_get(json_object_get(message, "you"), "token"));
        if (token)
            snprintf(p->token, sizeof p->token, "%s", token);
    } else if (strcmp(type, "game_update") == 0) {
        set_seq(p, message);
        merge(p->state, json_object_get(message, "changes"));
        on_events(p, json_object_get(message, "events"));
        test.moves++;
    } else if (strcmp(type, "ack") == 0) {
        on_answer(p, (int)json_integer_value(json_object_get(message, "id")), true);
    } else if (strcmp(type, "error") == 0) {
        on_error(p, message);
    } else if (strcmp(type, "game_over") == 0) {
        set_seq(p, message);
        p->room->over = true;
    }
    json_decref(message);
    p->paused = json_is_true(json_object_get(p->state, "paused"));
}

/* Takes in everything that has come. */
static void listen_to(player *p) {
    int got = 0;
    while (p->connected && (got = client_receive(&p->c, 0)) > 0)
        if (got == CLIENT_TEXT)
            on_text(p);
    if (got < 0)
        p->connected = false;
}

static void poll_all(int wait_ms) {
    struct pollfd fds[ROOMS * SEATS];
    int count = 0;
    for (int i = 0; i < ROOMS * SEATS; i++) {
        player *p = &test.rooms[i / SEATS].players[i % SEATS];
        if (p->connected)
            fds[count++] = (struct pollfd){.fd = p->c.fd, .events = POLLIN};
    }
    poll(fds, (nfds_t)count, wait_ms);
    for (int i = 0; i < ROOMS * SEATS; i++)
        listen_to(&test.rooms[i / SEATS].players[i % SEATS]);
}

static bool wait_for(bool (*done)(void *), void *what, double limit) {
    double until = seconds() + limit;
    while (!done(what)) {
        if (seconds() > until)
            return false;
        poll_all(20);
    }
    return true;
}

/* ---- rooms ---- */

static bool has_state(void *p) { return ((player *)p)->state != NULL; }
static bool has_token(void *p) { return ((player *)p)->token[0] != '\0'; }
static bool is_active(void *r) {
    const char *status = json_string_value(json_object_get(((room *)r)->players[0].state, "game_status"));
    return status && strcmp(status, "active") == 0;
}

static void connect_player(player *p) {
    char path[40];
    snprintf(path, sizeof path, "/ws/%s", p->room->id);
    if (client_upgrade(&p->c, test.server.port, path, "") != 101)
        die("room %s: no WebSocket", p->room->id);
    p->connected = true;
}

static void leave_room(room *r) {
    for (int seat = 0; seat < SEATS; seat++) {
        player *p = &r->players[seat];
        if (p->c.buffer)
            client_close(&p->c);
        json_decref(p->state);
        for (int i = 0; i < p->seen_count; i++)
            free(p->seen[i]);
    }
    memset(r, 0, sizeof *r);
}

static void open_room(room *r) {
    leave_room(r);
    r->number = ++test.room_numbers;
    snprintf(r->id, sizeof r->id, "KILL%04d", r->number);
    for (int seat = 0; seat < SEATS; seat++) {
        player *p = &r->players[seat];
        *p = (player){.room = r, .seat = seat, .next_id = 1};
        connect_player(p);
        char text[120];
        snprintf(text, sizeof text, "{\"type\":\"select_role\",\"role\":\"%s\",\"reserve\":true}", roles[seat]);
        if (!wait_for(has_state, p, 5) || !client_send(&p->c, text) || !wait_for(has_token, p, 5))
            die("room %s: no seat", r->id);
    }
    char text[80];
    snprintf(text, sizeof text, "{\"type\":\"configure_grid\",\"size\":%d}", SIZE);
    client_send(&r->players[0].c, text);
    if (!wait_for(is_active, r, 5))
        die("room %s did not start", r->id);
    test.games++;
}

/* ---- after a kill ---- */

/* The room's log as the server tells it now: moves in order; returns how many. */
static int read_log(const room *r, char **moves, int by_seat[SEATS]) {
    char path[64], *body = NULL;
    snprintf(path, sizeof path, "/api/rooms/%s/log", r->id);
    int status = client_request(test.server.port, "GET", path, "", NULL, NULL, &body), count = 0;
    if (status != 200)
        die("room %s: its log is answered with %d", r->id, status);
    by_seat[0] = by_seat[1] = 0;
    for (char *line = body, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        json_t *entry = json_loads(line, 0, NULL), *action = json_object_get(entry, "action");
        const char *role = json_string_value(json_object_get(entry, "role"));
        if (action && role && count < MOVES_MAX) {
            by_seat[strcmp(role, roles[0]) == 0 ? 0 : 1]++;
            moves[count++] = describe(action);
        }
        json_decref(entry);
    }
    free(body);
    return count;
}

/* What the clients saw against what came back. From here on they know the whole log. */
static void compare(room *r) {
    char *moves[MOVES_MAX];
    int by_seat[SEATS], count = read_log(r, moves, by_seat);
    for (int seat = 0; seat < SEATS; seat++) {
        player *p = &r->players[seat];
        if (p->seen_count > count)
            die("room %s: %s saw %d moves, %d came back", r->id, roles[seat], p->seen_count, count);
        for (int i = 0; i < p->seen_count; i++)
            if (strcmp(p->seen[i], moves[i]) != 0)
                die("room %s: %s saw move %d as \"%s\", it came back as \"%s\"", r->id, roles[seat], i + 1, p->seen[i], moves[i]);
        int unanswered = 0; /* sent, and perhaps applied */
        for (int i = 0; i < p->pending_count; i++)
            unanswered += p->pending[i].ends_turn && p->pending[i].sent;
        if (by_seat[seat] < p->turns_acked || by_seat[seat] > p->turns_acked + unanswered)
            die("room %s: %d turns of %s were acknowledged and %d were under way, %d are in the log", r->id,
                p->turns_acked, roles[seat], unanswered, by_seat[seat]);
        for (int i = p->seen_count; i < count; i++)
            p->seen[i] = strdup(moves[i]);
        p->seen_count = count;
        test.compared += count;
    }
    for (int i = 0; i < count; i++)
        free(moves[i]);
}

static bool heard_again(void *p) { return ((player *)p)->state != NULL; }

static void come_back(player *p) {
    client_close(&p->c);
    json_decref(p->state);
    p->state = NULL;
    connect_player(p);
    char text[160];
    snprintf(text, sizeof text, "{\"type\":\"resume\",\"token\":\"%s\"}", p->token);
    client_send(&p->c, text);
}

static bool is_seated(void *what) {
    player *p = what;
    return json_is_true(json_object_get(json_object_get(p->state, "players"), roles[p->seat]));
}

static void start_server(void) {
    const char *const arguments[] = {"--port", "0", "--database", test.database, "--max-sockets-per-address", "0",
                                     "--max-rooms-per-address-per-minute", "0", "--seat-grace-seconds", "600",
                                     "--log-level", "warn", NULL};
    if (!process_start(&test.server, test.program, arguments, test.log))
        die("the server did not start");
}

static void everybody_acts(void) {
    for (int i = 0; i < ROOMS; i++) {
        if (test.rooms[i].over)
            open_room(&test.rooms[i]);
        for (int seat = 0; seat < SEATS; seat++)
            act(&test.rooms[i].players[seat]);
    }
}

/* Every other kill meets messages that have arrived and were not read yet, however quick the machine is; the
 * rest come at whatever instant it is. */
static void kill_and_return(bool unread) {
    if (unread) {
        kill(test.server.pid, SIGSTOP);
        for (int i = 0; i < ROOMS * SEATS; i++) /* nobody rests from the last move, or all might */
            test.rooms[i / SEATS].players[i % SEATS].rests_until = 0;
        everybody_acts();
    }
    kill(test.server.pid, SIGKILL);
    double start = seconds();
    process_wait(&test.server, 5000);
    for (int i = 0; i < ROOMS * SEATS; i++) { /* what had left the server was seen */
        player *p = &test.rooms[i / SEATS].players[i % SEATS];
        while (p->connected)
            listen_to(p);
    }
    start_server();
    for (int i = 0; i < ROOMS; i++)
        compare(&test.rooms[i]);
    for (int i = 0; i < ROOMS * SEATS; i++)
        come_back(&test.rooms[i / SEATS].players[i % SEATS]);
    for (int i = 0; i < ROOMS * SEATS; i++) {
        player *p = &test.rooms[i / SEATS].players[i % SEATS];
        if (!wait_for(heard_again, p, 5) || !wait_for(is_seated, p, 5))
            die("room %s: %s does not get the seat back", p->room->id, roles[p->seat]);
        for (int k = 0; k < p->pending_count; k++) {
            test.resent += p->pending[k].sent;
            p->pending[k].sent = false;
        }
    }
    double downtime = seconds() - start;
    if (downtime > test.downtime_max)
        test.downtime_max = downtime;
}

static void play_for(double duration) {
    for (double until = seconds() + duration; seconds() < until;) {
        everybody_acts();
        poll_all(5);
    }
}

static void remove_folder(void) {
    static const char *const tails[] = {"", "-wal", "-shm"};
    char path[128];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", test.database, tails[i]);
        unlink(path);
    }
    unlink(test.log);
    rmdir(test.folder);
}

int main(int argc, char **argv) {
    int kills = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 50;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 20260131;
    if (argc < 2)
        return 2;
    test.program = argv[1];
    test.dice = seed;
    snprintf(test.folder, sizeof test.folder, "/tmp/boardwalk-kill-XXXXXX");
    if (!mkdtemp(test.folder))
        return 1;
    snprintf(test.database, sizeof test.database, "%s/b.db", test.folder);
    snprintf(test.log, sizeof test.log, "%s/log", test.folder);
    signal(SIGPIPE, SIG_IGN);
    printf("%d rooms, %d kills, seed %llu\n", ROOMS, kills, (unsigned long long)seed);
    start_server();
    for (int i = 0; i < ROOMS; i++)
        open_room(&test.rooms[i]);
    for (int i = 0; i < kills; i++) {
        play_for(0.02 + roll(400) / 1000.0);
        kill_and_return(i % 2 == 0);
    }
    play_for(0.3);
    for (int i = 0; i < ROOMS; i++)
        leave_room(&test.rooms[i]);
    int status = process_end(&test.server, SIGTERM, 5000);
    if (status != 0)
        die("the server ended with %d", status);
    remove_folder();
    if (test.moves < kills * 20 || test.resent < kills / 2)
        die("too little happened to prove anything: %ld moves seen, %ld messages sent again", test.moves, test.resent);
    printf("%ld games, %ld updates seen, %ld acknowledged, %ld sent again after a kill, %ld moves compared; "
           "back within %.2f s\n",
           test.games, test.moves, test.acks, test.resent, test.compared, test.downtime_max);
    return 0;
}
