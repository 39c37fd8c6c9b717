/* The real program over real sockets: serve_test PROGRAM
 *
 * How it starts and refuses to start, a game between two clients that know only the seed's protocol, what a crowd of
 * bad clients does to it, how it shuts down, and what its log does not contain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/client.h"
#include "tests/support/folder.h"
#include "tests/support/process.h"

static const char *program;
static char folder[64], database[96], log_path[96];

static int set_up(void **state) {
    (void)state;
    if (!make_folder(folder, sizeof folder, "serve") || chdir(folder) != 0) return -1;
    snprintf(database, sizeof database, "%s/b.db", folder);
    snprintf(log_path, sizeof log_path, "%s/log", folder);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    static const char *const names[] = {"b.db", "b.db-wal", "b.db-shm", "log", ".env", "copy.db"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) unlink(names[i]);
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

static char *read_log(void) {
    static char text[64 * 1024];
    FILE *file = fopen(log_path, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[length] = '\0';
    return text;
}

static void start(process *p, const char *const *more) {
    const char *arguments[32] = {"--port", "0", "--database", database, "--max-sockets-per-address", "0"};
    int count = 6;
    for (; more && *more; more++) arguments[count++] = *more;
    if (!process_start(p, program, arguments, log_path)) {
        fail_msg("the server did not start:\n%s", read_log());
    }
}

static void refuses(const char *const *arguments, int status, const char *sentence) {
    process p;
    unlink(log_path);
    assert_false(process_start(&p, program, arguments, log_path));
    assert_int_equal(process_wait(&p, 5000), status);
    if (!strstr(read_log(), sentence)) fail_msg("not \"%s\" but:\n%s", sentence, read_log());
}

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_refusals_to_start(void **state) {
    (void)state;
    refuses(ARGUMENTS("--port", "80000"), 2,
            "BACKEND_PORT is \"80000\" (from the flag), but it must be a whole number from 0 to 65535.");
    refuses(ARGUMENTS("--colour", "red"), 2, "is not a flag of boardwalk serve");
    refuses(ARGUMENTS("--web", "/nowhere", "--database", database), 2, "/nowhere cannot be read as the client");
    refuses(ARGUMENTS("--database", "/nowhere/b.db"), 1,
            "DATABASE: /nowhere/b.db cannot be opened for writing: its folder does not exist");
    FILE *file = fopen(".env", "w");
    fputs("ROOM_CLEANUP_MINUTES=often\n", file);
    fclose(file);
    refuses(ARGUMENTS("--port", "0"), 2,
            "ROOM_CLEANUP_MINUTES is \"often\" (from .env, line 1), but it must be a number from 0 to 525600.");
    unlink(".env");

    process p;
    char port[16], bind_problem[80];
    start(&p, NULL);
    snprintf(port, sizeof port, "%d", p.port);
    snprintf(bind_problem, sizeof bind_problem, "Cannot listen on port %d of 127.0.0.1: another program uses that port",
             p.port);
    refuses(ARGUMENTS("--port", "0", "--database", database), 1, "is in use by another Boardwalk server");
    refuses(ARGUMENTS("--port", port, "--database", ":memory:"), 1, bind_problem);
    assert_int_equal(process_end(&p, SIGTERM, 5000), 0);
}

/* ---- a game, with what the seed knows and no more ---- */

static json_t *hear(client *c) {
    assert_int_equal(client_receive(c, CLIENT_WAIT_MS), CLIENT_TEXT);
    json_t *message = json_loads(c->text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(message);
    return message;
}

static bool is_type(const json_t *message, const char *type) {
    const char *found = json_string_value(json_object_get(message, "type"));
    return found && strcmp(found, type) == 0;
}

/* Skips messages until one of that type; the caller releases it. */
static json_t *hear_type(client *c, const char *type) {
    for (int i = 0; i < 50; i++) {
        json_t *message = hear(c);
        if (is_type(message, type)) return message;
        if (is_type(message, "error") && strcmp(type, "error") != 0) fail_msg("%s", c->text);
        json_decref(message);
    }
    fail_msg("no %s came", type);
    return NULL;
}

static const char *status_of(const json_t *message) {
    return json_string_value(json_object_get(json_object_get(message, "state"), "game_status"));
}

static void join(client *c, int port, const char *path) {
    assert_int_equal(client_upgrade(c, port, path, ""), 101);
    json_decref(hear_type(c, "room_state"));
}

static void wait_status(client *c, const char *status) {
    for (;;) {
        json_t *message = hear_type(c, "room_state");
        bool there = strcmp(status_of(message), status) == 0;
        json_decref(message);
        if (there) return;
    }
}

static void test_seed_client(void **state) {
    (void)state;
    process p;
    client walker, weather;
    start(&p, NULL);
    join(&walker, p.port, "/ws/SEED01");
    join(&weather, p.port, "/ws/SEED01");
    client_send(&walker, "{\"type\":\"select_role\",\"role\":\"journeyman\"}");
    client_send(&weather, "{\"type\":\"select_role\",\"role\":\"weather\"}");
    wait_status(&walker, "configuring");
    wait_status(&weather, "configuring");
    client_send(&walker, "{\"type\":\"configure_grid\",\"size\":3}");
    wait_status(&walker, "active");
    wait_status(&weather, "active");
    /* Corner (0,0) of a 3x3 island: the adventurer goes back and forth between two fields there, the weather floods. */
    bool over = false;
    for (int day = 0; day < 365 && !over; day++) {
        char text[120];
        snprintf(text, sizeof text, "{\"type\":\"move\",\"position\":{\"x\":%d,\"y\":%d}}", day % 2 ? 0 : 1,
                 day % 2 ? 0 : 1);
        client_send(&walker, text);
        client_send(&walker, "{\"type\":\"end_turn\"}");
        json_t *message;
        do { /* night has come, or the game is over */
            message = hear(&weather);
            over = is_type(message, "game_over");
            const char *role = json_string_value(json_object_get(json_object_get(message, "changes"), "current_role"));
            bool night = role && strcmp(role, "weather") == 0;
            json_decref(message);
            if (night) break;
        } while (!over);
        if (over) break;
        client_send(&weather, "{\"type\":\"flood\",\"positions\":[]}");
        client_send(&weather, "{\"type\":\"end_turn\"}");
        bool day_again = false;
        while (!day_again && !over) {
            message = hear(&walker);
            over = is_type(message, "game_over");
            json_t *role = json_object_get(json_object_get(message, "changes"), "current_role");
            day_again = json_is_string(role) && strcmp(json_string_value(role), "journeyman") == 0;
            if (is_type(message, "error") && !strstr(walker.text, "rate_limited")) {
                fail_msg("day %d: %s", day, walker.text);
            }
            json_decref(message);
        }
        if (day % 10 == 9) { /* 20 messages a second are allowed */
            nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 100000000}, NULL);
        }
        if (day == 29) break; /* a month is enough; rooms/ and the bots test the rest */
    }
    /* The weather's player leaves: the game pauses, and continues when the role is taken again. */
    client_close(&weather);
    json_decref(hear_type(&walker, "player_disconnected"));
    join(&weather, p.port, "/ws/SEED01");
    client_send(&weather, "{\"type\":\"select_role\",\"role\":\"weather\"}");
    json_decref(hear_type(&walker, "player_reconnected"));
    client_close(&walker);
    client_close(&weather);
    assert_int_equal(process_end(&p, SIGTERM, 5000), 0);
}

/* ---- a puzzle: the solver's answer comes with one of the first moves, and stays until the end ---- */

static json_t *flood(client *c, const char *color) {
    char text[80];
    snprintf(text, sizeof text, "{\"type\":\"select_color\",\"color\":\"%s\"}", color);
    client_send(c, text);
    for (;;) { /* the update, or the refusal of the colour that the area already has */
        json_t *message = hear(c);
        if (is_type(message, "game_update") || is_type(message, "error")) return message;
        json_decref(message);
    }
}

static void test_puzzle(void **state) {
    (void)state;
    static const char *const colors[] = {"red", "green", "blue"};
    process p;
    client c;
    start(&p, NULL);
    assert_int_equal(client_upgrade(&c, p.port, "/ws/PUZZLE?game=flood_it", ""), 101);
    client_send(&c, "{\"type\":\"select_role\",\"role\":\"player\"}");
    client_send(&c, "{\"type\":\"configure\",\"rows\":6,\"cols\":6,\"colors\":3,\"move_limit\":0,\"seed\":\"wire\"}");
    client_send(&c, "{\"type\":\"start\"}");
    wait_status(&c, "active");
    long best = 0;
    for (int tries = 0; tries < 1000 && !best;
         tries++) { /* two of the colours never win, however long the solver takes */
        json_t *message = flood(&c, colors[tries % 2]), *changes = json_object_get(message, "changes");
        best = (long)json_integer_value(json_object_get(changes, "best_known"));
        assert_true(!best || json_is_true(json_object_get(changes, "proven")));
        json_decref(message);
        if (!best && tries % 6 == 5) client_send(&c, "{\"type\":\"reset\"}");
        nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
    }
    assert_true(best >= 2 && best <= 12);
    json_t *over = NULL;
    for (int i = 0; i < 60 && !over; i++) {
        char text[80];
        snprintf(text, sizeof text, "{\"type\":\"select_color\",\"color\":\"%s\"}", colors[i % 3]);
        client_send(&c, text);
        client_send(&c, "{\"type\":\"ping\",\"t\":1}");
        for (bool ponged = false; !ponged;) {
            json_t *message = hear(&c);
            ponged = is_type(message, "pong");
            if (is_type(message, "game_over") && !over) over = json_incref(message);
            json_decref(message);
        }
        nanosleep(&(struct timespec){.tv_nsec = 110000000}, NULL);
    }
    json_t *stats = json_object_get(over, "stats");
    assert_int_equal(json_integer_value(json_object_get(stats, "best_known")), best);
    assert_true(json_is_true(json_object_get(stats, "proven")));
    assert_true(json_integer_value(json_object_get(stats, "move_count")) >= best);
    json_decref(over);
    client_close(&c);
    assert_int_equal(process_end(&p, SIGTERM, 5000), 0);
}

/* ---- shutdown ---- */

static void test_drain(void **state) {
    (void)state;
    process p;
    client c;
    start(&p, NULL);
    join(&c, p.port, "/ws/DRAIN");
    kill(p.pid, SIGTERM);
    int got = client_receive(&c, CLIENT_WAIT_MS);
    while (got == CLIENT_TEXT) got = client_receive(&c, CLIENT_WAIT_MS);
    assert_int_equal(got, CLIENT_CLOSE);
    assert_int_equal(c.close_code, 1012);
    client_send_frame(&c, CLIENT_CLOSE, true, "\x03\xf4", 2);
    assert_int_equal(process_wait(&p, 5000), 0);
    client_close(&c);

    /* A client that does not answer the close frame delays the exit by one second at most; a second signal ends it
     * at once. */
    start(&p, NULL);
    join(&c, p.port, "/ws/DRAIN");
    c.no_pong = true;
    assert_int_equal(process_end(&p, SIGINT, 4500), 0);
    client_close(&c);
    start(&p, NULL);
    join(&c, p.port, "/ws/DRAIN");
    kill(p.pid, SIGTERM);
    do got = client_receive(&c, CLIENT_WAIT_MS);
    while (got == CLIENT_TEXT);
    assert_int_equal(got, CLIENT_CLOSE); /* it waits for the answer */
    assert_int_equal(process_end(&p, SIGTERM, 1000), 1);
    client_close(&c);
}

/* What one server acknowledged is still there for the next one on the same database. */
static void test_restart(void **state) {
    (void)state;
    process p;
    client c;
    start(&p, NULL);
    join(&c, p.port, "/ws/AGAIN");
    client_send(&c, "{\"type\":\"select_role\",\"role\":\"weather\",\"reserve\":true,\"id\":1}");
    json_t *message = hear_type(&c, "room_state");
    char token[80], text[160];
    snprintf(token, sizeof token, "%s", json_string_value(json_object_get(json_object_get(message, "you"), "token")));
    json_decref(message);
    json_decref(hear_type(&c, "ack"));
    assert_int_equal(process_end(&p, SIGKILL, 5000), -SIGKILL);
    client_close(&c);
    start(&p, NULL);
    join(&c, p.port, "/ws/AGAIN");
    snprintf(text, sizeof text, "{\"type\":\"resume\",\"token\":\"%s\"}", token);
    client_send(&c, text);
    message = hear_type(&c, "room_state");
    json_t *you = json_object_get(message, "you");
    assert_string_equal(json_string_value(json_object_get(you, "role")), "weather");
    json_decref(message);
    client_close(&c);
    assert_int_equal(process_end(&p, SIGTERM, 5000), 0);
    /* No token and no seed in the log, at any level. */
    assert_null(strstr(read_log(), token));
}

static void test_log_keeps_secrets(void **state) {
    (void)state;
    process p;
    client c;
    static const char *const loud[] = {"--log-level", "debug", "--orders-llm-key", "sk-quite-secret", NULL};
    unlink(log_path);
    start(&p, loud);
    join(&c, p.port, "/ws/SECRET");
    client_send(&c, "{\"type\":\"select_role\",\"role\":\"weather\"}");
    json_t *message = hear_type(&c, "room_state");
    const char *token = json_string_value(json_object_get(json_object_get(message, "you"), "token"));
    assert_non_null(token);
    client_send(&c, "{\"type\":\"resume\",\"token\":\"0123456789abcdef0123456789abcdef\"}");
    client_send(&c, "{\"type\":\"nonsense\"}");
    json_decref(hear_type(&c, "error"));
    client_close(&c);
    assert_int_equal(process_end(&p, SIGTERM, 5000), 0);
    const char *log = read_log();
    assert_non_null(strstr(log, "event=started"));
    assert_non_null(strstr(log, "event=ended"));
    assert_null(strstr(log, token));
    assert_null(strstr(log, "0123456789abcdef"));
    assert_null(strstr(log, "sk-quite-secret"));
    assert_null(strstr(log, "seed"));
    json_decref(message);
}

/* A crowd of misbehaving clients does not stop the server, and leaves no trace. */
static void test_crowd(void **state) {
    (void)state;
    process p;
    client good;
    start(&p, NULL);
    join(&good, p.port, "/ws/CALM");
    static char large[70000];
    memset(large, '[', sizeof large);
    for (int i = 0; i < 60; i++) {
        client bad;
        char path[32];
        snprintf(path, sizeof path, "/ws/BAD%d", i % 7 + 10);
        if (client_upgrade(&bad, p.port, path, "") == 101) {
            switch (i % 6) {
            case 0: client_send_frame(&bad, CLIENT_TEXT, true, large, sizeof large); break;
            case 1: client_send_frame(&bad, CLIENT_BINARY, true, large, 100); break;
            case 2: client_send_frame(&bad, CLIENT_TEXT, true, "\xff\xfe\x00", 3); break;
            case 3:
                for (int k = 0; k < 100; k++) client_send(&bad, "{\"type\":\"ping\",\"t\":1}");
                break;
            case 4: client_write(&bad, "\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff", 10); break;
            case 5: client_send_frame(&bad, CLIENT_TEXT, true, large, 4000); break;
            }
            client_receive(&bad, 10);
        }
        client_close(&bad);
    }
    client_send(&good, "{\"type\":\"ping\",\"t\":5}");
    json_t *pong = hear_type(&good, "pong");
    assert_int_equal(json_integer_value(json_object_get(pong, "t")), 5);
    json_decref(pong);
    char *metrics = NULL;
    for (int i = 0; i < 100; i++) {
        free(metrics);
        assert_int_equal(client_request(p.port, "GET", "/metrics", "", NULL, NULL, &metrics), 200);
        if (strstr(metrics, "\nboardwalk_connections 1\n")) break;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    assert_non_null(strstr(metrics, "\nboardwalk_connections 1\n"));
    free(metrics);
    client_close(&good);
    assert_int_equal(process_end(&p, SIGTERM, 5000), 0);
}

/* A flood of messages is answered with rate_limited and 1008, and too many rooms with 429. */
static void test_limits(void **state) {
    (void)state;
    process p;
    client c;
    static const char *const few[] = {"--max-rooms-per-address-per-minute", "3", NULL};
    start(&p, few);
    join(&c, p.port, "/ws/LIMIT");
    for (int i = 0; i < 200 && client_send(&c, "{\"type\":\"ping\",\"t\":1}"); i++)
        ;
    int got;
    bool limited = false;
    while ((got = client_receive(&c, CLIENT_WAIT_MS)) == CLIENT_TEXT) {
        limited |= strstr(c.text, "rate_limited") != NULL;
    }
    assert_true(limited);
    assert_int_equal(got, CLIENT_CLOSE);
    assert_int_equal(c.close_code, 1008);
    client_close(&c);
    int status = 0, made = 0;
    for (; made < 10 && status != 429; made++) {
        status = client_request(p.port, "POST", "/api/rooms", "", "{\"game\":\"flooded_island\"}", NULL, NULL);
    }
    assert_int_equal(status, 429);
    assert_true(made <= 4);
    assert_int_equal(process_end(&p, SIGTERM, 5000), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(int argc, char **argv) {
    if (argc < 2) return 2;
    program = realpath(argv[1], NULL); /* the tests change the folder */
    if (!program) return 2;
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        TEST(test_refusals_to_start), TEST(test_seed_client),       TEST(test_puzzle), TEST(test_drain),
        TEST(test_restart),           TEST(test_log_keeps_secrets), TEST(test_crowd),  TEST(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
