/* HTTP as PROTOCOL has it, and the shell around a real hall, without sockets: net_memory and a journal in
 * memory. */
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/shell.h"
#include "tests/support/folder.h"
#include "tests/support/net_memory.h"
#include "tests/support/unit.h"

typedef struct fixture {
    bw_settings settings;
    bw_log log;
    bw_shell shell;
    bw_net_memory *net;
    int wake; /* an eventfd: something has arrived from the threads */
} fixture;

static void on_wake(void *user) {
    uint64_t one = 1;
    ssize_t written = write(((fixture *)user)->wake, &one, sizeof one);
    (void)written;
}
static void on_deadline(void *user, int64_t mono_us) { (void)user, (void)mono_us; }
static void release_bytes(void *owner) { bw_bytes_release(owner); }

static char folder[64];
static void write_file(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int set_up(void **state) {
    fixture *f = *state = calloc(1, sizeof *f);
    char problem[300], inner[128];
    bw_settings_problem wrong;
    bw_store_problem unopened;
    static const char *const none[] = {NULL};
    if (!make_folder(folder, sizeof folder, "api") || chdir(folder) != 0) return -1;
    snprintf(inner, sizeof inner, "%s/assets", folder);
    mkdir(inner, 0700);
    write_file("index.html", "<!doctype html>");
    write_file("assets/app-1a2b.js", "let a;");
    write_file("assets/app-1a2b.js.br", "BR");
    f->log.fd = -1;
    f->wake = eventfd(0, EFD_CLOEXEC);
    if (bw_settings_read(&f->settings, 0, none, getenv, &wrong) != BW_SETTINGS_READY) return -1;
    f->shell = (bw_shell){.settings = &f->settings, .log = &f->log, .set_deadline = on_deadline, .user = f};
    f->shell.journal = bw_journal_open(
        &(bw_journal_options){.path = ":memory:", .log = &f->log, .wake = on_wake, .release = release_bytes, .user = f},
        &unopened);
    f->shell.workers = bw_workers_open(&(bw_workers_options){.threads = 1, .wake = on_wake, .user = f});
    f->shell.assets = bw_assets_load(folder, problem, sizeof problem);
    f->net = bw_net_memory_open();
    f->shell.net = &f->net->net;
    f->net->handler = bw_shell_handler(&f->shell);
    static const uint8_t key[32] = {7};
    return f->shell.journal && f->shell.workers && f->shell.assets && bw_shell_init(&f->shell, key) ? 0 : -1;
}

static int tear_down(void **state) {
    fixture *f = *state;
    bw_net_memory_close(f->net);
    bw_workers_close(f->shell.workers);
    bw_journal_close(f->shell.journal);
    bw_shell_release(&f->shell);
    bw_assets_free(f->shell.assets);
    close(f->wake);
    free(f);
    static const char *const names[] = {"index.html", "assets/app-1a2b.js", "assets/app-1a2b.js.br"};
    for (size_t i = 0; i < 3; i++) unlink(names[i]);
    rmdir("assets");
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

/* Runs until `done`; fails if nothing more happens. */
static void pump_until(fixture *f, const bool *done) {
    while (!*done) {
        struct pollfd waiting = {.fd = f->wake, .events = POLLIN};
        uint64_t count;
        if (poll(&waiting, 1, 5000) != 1 || read(f->wake, &count, sizeof count) != sizeof count) {
            fail_msg("nothing happened any more");
        }
        bw_shell_journal_ready(&f->shell);
        bw_shell_workers_ready(&f->shell);
    }
}

/* Waits for a frame after those already seen. */
static void pump_frame(fixture *f, bw_net_memory_conn *conn, int beyond) {
    while (conn->frame_count <= beyond) {
        struct pollfd waiting = {.fd = f->wake, .events = POLLIN};
        uint64_t count;
        if (poll(&waiting, 1, 5000) != 1 || read(f->wake, &count, sizeof count) != sizeof count) {
            fail_msg("no frame came");
        }
        bw_shell_journal_ready(&f->shell);
        bw_shell_workers_ready(&f->shell);
    }
}

static bw_request request_of(bw_method method, const char *path, const char *body) {
    return (bw_request){.method = method,
                        .path = path,
                        .query = "",
                        .host = "localhost:8000",
                        .origin = "",
                        .accept_encoding = "",
                        .if_none_match = "",
                        .address = "192.0.2.1",
                        .body = body,
                        .length = strlen(body)};
}

static bw_net_memory_conn *ask(fixture *f, const bw_request *request) {
    bw_net_memory_conn *conn = bw_net_memory_request(f->net, request);
    pump_until(f, &conn->answered);
    return conn;
}

static bw_net_memory_conn *get(fixture *f, const char *path) {
    bw_request request = request_of(BW_GET, path, "");
    return ask(f, &request);
}

static void expect_header(const bw_net_memory_conn *conn, const char *line) {
    char text[400];
    snprintf(text, sizeof text, "%s\n", line);
    if (!strstr(conn->head, text)) fail_msg("no \"%s\" in:\n%s", line, conn->head);
}

static void expect_error(const bw_net_memory_conn *conn, int status, const char *code) {
    char text[80];
    snprintf(text, sizeof text, "\"code\":\"%s\"", code);
    assert_int_equal(conn->status, status);
    if (!strstr(conn->body, text) || !strstr(conn->body, "\"message\":\"")) {
        fail_msg("%s", conn->body);
    }
    expect_header(conn, "content-type: application/json");
}

TEST_WITH(test_pages, set_up, tear_down) {
    fixture *f = *state;
    static const char *const pages[] = {
        "/", "/game/ABCD", "/replay/x1", "/play/flood_it", "/local/K7RTQXBD", "/local/replay/K7RTQXBD", "/index.html"};
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        bw_net_memory_conn *conn = get(f, pages[i]);
        assert_int_equal(conn->status, 200);
        assert_string_equal(conn->body, "<!doctype html>");
        expect_header(conn, "cache-control: no-cache");
        expect_header(conn, "x-content-type-options: nosniff");
        expect_header(conn, "referrer-policy: no-referrer");
        expect_header(conn, "content-type: text/html; charset=utf-8");
        const char *policy = strstr(conn->head, "content-security-policy: ");
        assert_non_null(policy);
        static const char *const parts[] = {
            "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "frame-ancestors 'none'",
            "connect-src 'self' ws://localhost:8000 wss://localhost:8000;", "base-uri 'none'"};
        for (size_t k = 0; k < 5; k++) assert_non_null(strstr(policy, parts[k]));
        assert_null(strstr(policy, "unsafe-inline"));
    }
    assert_int_equal(get(f, "/game/")->status, 404);
    assert_int_equal(get(f, "/game/a/b")->status, 404);
    bw_net_memory_conn *lost = get(f, "/nothing");
    assert_int_equal(lost->status, 404);
    assert_string_equal(lost->body, "<!doctype html>"); /* in the client's own words */
    bw_request mistyped = request_of(BW_GET, "/", "");
    mistyped.mistyped = true;
    bw_net_memory_conn *page = ask(f, &mistyped);
    assert_int_equal(page->status, 400);
    assert_string_equal(page->body, "<!doctype html>");
    expect_header(page, "content-type: text/html; charset=utf-8");
    assert_int_equal(get(f, "/assets/gone-1.js")->status, 404);
    assert_non_null(strstr(get(f, "/robots.txt")->body, "Page not found."));
    bw_request strange = request_of(BW_GET, "/", "");
    strange.host = "evil; script-src *";
    bw_net_memory_conn *unnamed = ask(f, &strange);
    assert_null(strstr(unnamed->head, "evil"));
    assert_non_null(strstr(unnamed->head, "script-src 'self' 'wasm-unsafe-eval'"));
    assert_non_null(strstr(unnamed->head, "connect-src 'self'; worker-src 'self'"));
    strange.host = "[::1]:8000"; /* which browsers ignore here, with a warning */
    assert_non_null(strstr(ask(f, &strange)->head, "connect-src 'self'; worker-src 'self'"));
}

TEST_WITH(test_assets, set_up, tear_down) {
    fixture *f = *state;
    bw_request request = request_of(BW_GET, "/assets/app-1a2b.js", "");
    request.accept_encoding = "gzip, br";
    bw_net_memory_conn *conn = ask(f, &request);
    assert_string_equal(conn->body, "BR");
    expect_header(conn, "content-encoding: br");
    expect_header(conn, "vary: Accept-Encoding");
    expect_header(conn, "cache-control: public, max-age=31536000, immutable");
    char etag[40];
    assert_int_equal(sscanf(strstr(conn->head, "etag: "), "etag: %39s", etag), 1);
    request.if_none_match = etag;
    conn = ask(f, &request);
    assert_int_equal(conn->status, 304);
    assert_int_equal(conn->body_length, 0);
}

TEST_WITH(test_api, set_up, tear_down) {
    fixture *f = *state;
    bw_net_memory_conn *conn = get(f, "/api/games");
    assert_int_equal(conn->status, 200);
    assert_non_null(strstr(conn->body, "\"id\":\"flooded_island\""));
    const char *race = strstr(conn->body, "\"id\":\"flood_it\""),
               *dungeon = strstr(conn->body, "\"id\":\"monadungeon\"");
    assert_int_equal(strncmp(strstr(race, "\"any_starts\":"), "\"any_starts\":false", 18), 0);
    assert_int_equal(strncmp(strstr(dungeon, "\"any_starts\":"), "\"any_starts\":true", 17), 0);
    expect_header(conn, "cache-control: no-store");

    bw_request create = request_of(BW_POST, "/api/rooms", "{\"game\":\"flooded_island\"}");
    conn = ask(f, &create);
    assert_int_equal(conn->status, 201);
    char room[16], path[64];
    assert_int_equal(sscanf(strstr(conn->body, "\"room_id\":\""), "\"room_id\":\"%12[A-Z0-9]\"", room), 1);
    snprintf(path, sizeof path, "/api/rooms/%s", room);
    conn = get(f, path);
    assert_int_equal(conn->status, 200);
    assert_non_null(strstr(conn->body, "\"game_status\":\"waiting\""));
    for (char *c = path + 11; *c; c++) *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 0x20 : *c);
    assert_int_equal(get(f, path)->status, 200); /* ids are folded to upper case */

    create.body = "{\"game\":\"chess\"}";
    create.length = strlen(create.body);
    expect_error(ask(f, &create), 404, "no_such_game");
    create.body = "{";
    create.length = 1;
    expect_error(ask(f, &create), 400, "bad_json");
    create.method = BW_GET;
    conn = ask(f, &create);
    assert_int_equal(conn->status, 405);
    expect_header(conn, "allow: POST, OPTIONS");

    assert_int_equal(get(f, "/api/rooms/NOPE22")->status, 404);
    assert_int_equal(get(f, "/api/rooms/..")->status, 404);
    assert_int_equal(get(f, "/api/rooms/NOPE22/log")->status, 404);
    assert_int_equal(get(f, "/api/replays/nothere")->status, 404);
    assert_int_equal(get(f, "/api/else")->status, 404);
    bw_request wrong = request_of(BW_METHOD_OTHER, "/api/games", "");
    assert_int_equal(ask(f, &wrong)->status, 405);
    assert_int_equal(get(f, "/ws/ABCD")->status, 426);
}

TEST_WITH(test_origins, set_up, tear_down) {
    fixture *f = *state;
    bw_request request = request_of(BW_GET, "/api/games", "");
    request.origin = "http://localhost:5173";
    bw_net_memory_conn *conn = ask(f, &request);
    assert_int_equal(conn->status, 200);
    expect_header(conn, "access-control-allow-origin: http://localhost:5173");
    expect_header(conn, "vary: Origin");
    request.origin = "http://localhost:8000";
    conn = ask(f, &request);
    assert_int_equal(conn->status, 200);
    assert_null(strstr(conn->head, "access-control"));
    request.origin = "https://evil.example";
    conn = ask(f, &request);
    expect_error(conn, 403, "not_allowed");
    assert_null(strstr(conn->head, "access-control"));
    /* The client's files are for everybody: behind a proxy that passes a wrong Host, the page must be able to say
     * so. */
    static const char *const files[] = {"/", "/assets/app-1a2b.js", "/play/flood_it", "/index.html"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        request.path = files[i];
        conn = ask(f, &request);
        assert_int_equal(conn->status, 200);
        assert_null(strstr(conn->head, "access-control"));
    }

    bw_request preflight = request_of(BW_OPTIONS, "/api/rooms", "");
    preflight.origin = "http://localhost:5173";
    conn = ask(f, &preflight);
    assert_int_equal(conn->status, 204);
    expect_header(conn, "access-control-allow-origin: http://localhost:5173");
    expect_header(conn, "access-control-allow-methods: GET, POST, OPTIONS");
    expect_header(conn, "access-control-allow-headers: Content-Type");

    bw_request socket = request_of(BW_GET, "/ws/ABCD", "");
    socket.origin = "https://evil.example";
    expect_error(bw_net_memory_connect(f->net, &socket), 403, "not_allowed");
    socket.origin = "http://localhost:5173";
    assert_int_equal(bw_net_memory_connect(f->net, &socket)->status, 101);
}

/* DNS rebinding: names that other sites could point at this server are refused by everything that answers with data,
 * as GET and as a WebSocket. */
TEST_WITH(test_hosts, set_up, tear_down) {
    fixture *f = *state;
    static const char *const guarded[] = {"/api/games", "/api/rooms/ABCD", "/api/else", "/metrics", "/ws/ABCD"};
    bw_request request = request_of(BW_GET, "", "");
    request.host = "evil.example:8000";
    for (size_t i = 0; i < sizeof guarded / sizeof guarded[0]; i++) {
        request.path = guarded[i];
        request.origin = "";
        expect_error(ask(f, &request), 403, "not_allowed");
        request.origin = "http://evil.example:8000"; /* as the same host */
        expect_error(ask(f, &request), 403, "not_allowed");
    }
    expect_error(bw_net_memory_connect(f->net, &request), 403, "not_allowed");
    bw_request create = request_of(BW_POST, "/api/rooms", "{\"game\":\"flooded_island\"}");
    create.host = "evil.example:8000";
    expect_error(ask(f, &create), 403, "not_allowed");
    request.origin = "";
    static const char *const open[] = {"/", "/assets/app-1a2b.js", "/healthz", "/readyz"};
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
        request.path = open[i];
        assert_int_equal(ask(f, &request)->status, 200);
    }
    snprintf(f->settings.public_url, sizeof f->settings.public_url, "https://evil.example");
    for (size_t i = 0; i < 1; i++) {
        request.path = guarded[i];
        assert_int_equal(ask(f, &request)->status, 200);
    }
}

/* Every refusal is counted: by its code, and before it reaches a room also by its reason. */
TEST_WITH(test_refusals_are_counted, set_up, tear_down) {
    fixture *f = *state;
    bw_request foreign = request_of(BW_GET, "/ws/ABCD", ""), lost = request_of(BW_GET, "/ws/AB", "");
    bw_request renamed = foreign, room = request_of(BW_GET, "/ws/COUNT", "");
    foreign.origin = "https://evil.example";
    renamed.host = "evil.example";
    for (int i = 0; i < 3; i++) bw_net_memory_connect(f->net, &foreign);
    for (int i = 0; i < 2; i++) bw_net_memory_connect(f->net, &renamed);
    bw_net_memory_connect(f->net, &lost);
    get(f, "/ws/ABCD");
    bw_net_memory_conn *conn = bw_net_memory_connect(f->net, &room);
    pump_frame(f, conn, 0);
    bw_net_memory_say(f->net, conn, "{");
    bw_net_memory_say(f->net, conn, "{\"type\":\"end_turn\"}");
    bw_net_memory_say(f->net, conn, "{\"type\":\"nothing\"}");
    bw_net_memory_conn *metrics = get(f, "/metrics");
    static const char *const lines[] = {"\nboardwalk_connections_refused_total{reason=\"origin\"} 3\n",
                                        "\nboardwalk_connections_refused_total{reason=\"host\"} 2\n",
                                        "\nboardwalk_connections_refused_total{reason=\"no_room\"} 1\n",
                                        "\nboardwalk_connections_refused_total{reason=\"no_upgrade\"} 1\n",
                                        "\nboardwalk_connections_refused_total{reason=\"draining\"} 0\n",
                                        "\nboardwalk_connections_refused_total{reason=\"address_limit\"} 0\n",
                                        "\nboardwalk_refusals_total{code=\"not_allowed\"} 5\n",
                                        "\nboardwalk_refusals_total{code=\"bad_message\"} 1\n",
                                        "\nboardwalk_refusals_total{code=\"bad_json\"} 1\n",
                                        "\nboardwalk_refusals_total{code=\"no_seat\"} 1\n",
                                        "\nboardwalk_refusals_total{code=\"unknown_type\"} 1\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (!strstr(metrics->body, lines[i])) fail_msg("no \"%s\" in:\n%s", lines[i], metrics->body);
    }
    assert_int_equal(metrics->body[metrics->body_length - 1], '\n');
    assert_non_null(strstr(metrics->body, "\nprocess_resident_memory_bytes ")); /* the last line: complete */
}

static void expect_in(const char *body, const char *part) {
    if (!strstr(body, part)) fail_msg("no \"%s\" in:\n%s", part, body);
}

/* Link previews: absolute addresses, and the game's title and picture, for every page that has one, whatever the
 * address. Unknown addresses get the general page, and nothing of the request is inserted unescaped. */
TEST_WITH(test_previews, set_up, tear_down) {
    fixture *f = *state;
    write_file("index.html", "<head><!--preview--><title>old</title><!--/preview--><script></script></head>");
    write_file("assets/flood_it.png", "PNG");
    char share[100], problem[300];
    snprintf(share, sizeof share, "%s/share", folder);
    mkdir(share, 0700);
    write_file("share/boardwalk.png", "PNG");
    write_file("share/flag_war.png", "PNG");
    bw_assets_free(f->shell.assets);
    f->shell.assets = bw_assets_load(folder, problem, sizeof problem);
    assert_non_null(f->shell.assets);

    const char *home = get(f, "/")->body;
    expect_in(home, "<title>Boardwalk</title>");
    expect_in(home, "content=\"http://localhost:8000/share/boardwalk.png\"");
    expect_in(home, "<meta property=\"og:url\" content=\"http://localhost:8000/\" />");
    expect_in(home, "<script></script></head>");
    assert_null(strstr(home, "old"));
    assert_null(strstr(home, "preview"));

    bw_request create = request_of(BW_POST, "/api/rooms", "{\"game\":\"flag_war\"}");
    char room[16], path[64];
    assert_int_equal(sscanf(strstr(ask(f, &create)->body, "\"room_id\":\""), "\"room_id\":\"%12[A-Z0-9]\"", room), 1);
    snprintf(path, sizeof path, "/game/%s", room);
    bw_net_memory_conn *conn = get(f, path);
    assert_int_equal(conn->status, 200);
    expect_in(conn->body, "<title>Flag War");
    expect_in(conn->body, "<meta property=\"og:title\" content=\"Flag War\" />");
    expect_in(conn->body, "content=\"http://localhost:8000/share/flag_war.png\"");
    snprintf(path, sizeof path, "content=\"http://localhost:8000/game/%s\"", room);
    expect_in(conn->body, path);
    expect_in(get(f, "/play/flag_war")->body, "og:title\" content=\"Flag War\"");
    expect_in(get(f, "/rules/flag_war")->body, "og:title\" content=\"The rules of Flag War\"");
    const char *race = get(f, "/play/flood_it")->body; /* which has no picture */
    expect_in(race, "og:title\" content=\"Flood-It\"");
    expect_in(race, "/share/boardwalk.png");
    static const char *const general[] = {
        "/game/NOPE22",   "/game/a.b",    "/game/x",  "/replay/gone",
        "/play/blank",    "/play/chess",  "/rules/x", "/play/\"><script>alert(1)</script>",
        "/game/\"><b>\"", "/replay/<b>&'"};
    for (size_t i = 0; i < sizeof general / sizeof general[0]; i++) {
        conn = get(f, general[i]);
        if (strchr(general[i] + 1, '/') != strrchr(general[i], '/')) assert_int_equal(conn->status, 404);
        else assert_int_equal(conn->status, 200);
        expect_in(conn->body, "og:title\" content=\"Boardwalk\"");
        assert_null(strstr(conn->body, "alert"));
        assert_null(strstr(conn->body, "<b>"));
    }
    /* Another Host gives another address and tag; an odd one, or none, gives none. PUBLIC_URL overrides them. */
    bw_request request = request_of(BW_GET, "/", "");
    char etag[40];
    assert_int_equal(sscanf(strstr(get(f, "/")->head, "etag: "), "etag: %39s", etag), 1);
    request.if_none_match = etag;
    assert_int_equal(ask(f, &request)->status, 304);
    request.host = "192.168.1.7";
    conn = ask(f, &request);
    assert_int_equal(conn->status, 200);
    expect_in(conn->body, "content=\"http://192.168.1.7/share/boardwalk.png\"");
    static const char *const odd[] = {"a\"><script>", "a b", "", "a'", "x&y", "a/b", "a:0"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        request.host = odd[i];
        conn = ask(f, &request);
        expect_in(conn->body, "og:image\" content=\"/share/boardwalk.png\"");
        assert_null(strstr(conn->body, "og:url"));
    }
    snprintf(f->settings.public_url, sizeof f->settings.public_url, "https://games.example.org, http://b");
    conn = ask(f, &request);
    expect_in(conn->body, "content=\"https://games.example.org/share/boardwalk.png\"");

    unlink("share/boardwalk.png");
    unlink("share/flag_war.png");
    unlink("assets/flood_it.png");
    rmdir("share");
}

TEST_WITH(test_sockets, set_up, tear_down) {
    fixture *f = *state;
    bw_request request = request_of(BW_GET, "/ws/abcd", "");
    request.query = "x=1&game=flooded_island";
    bw_net_memory_conn *conn = bw_net_memory_connect(f->net, &request);
    assert_int_equal(conn->status, 101);
    pump_frame(f, conn, 0);
    assert_non_null(strstr(conn->frames[0], "\"type\":\"room_state\""));
    assert_non_null(strstr(conn->frames[0], "\"room_id\":\"ABCD\""));
    int seen = conn->frame_count;
    bw_net_memory_say(f->net, conn, "{\"type\":\"select_role\",\"role\":\"journeyman\",\"id\":1}");
    pump_frame(f, conn, seen);
    assert_non_null(strstr(conn->frames[seen], "\"token\":\""));
    f->net->handler.too_large(f->net->handler.user, bw_net_memory_number(f->net, conn));
    bw_net_memory_say(f->net, conn, "nonsense");
    assert_non_null(strstr(conn->frames[conn->frame_count - 1], "\"code\":\"bad_json\""));
    bw_net_memory_hang_up(f->net, conn);

    static const char *const bad[] = {"/ws/abc", "/ws/", "/ws/ABCDEFGHIJKLM", "/ws/AB-D", "/ws/ABCD/x", "/api/games"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        request.path = bad[i];
        assert_int_equal(bw_net_memory_connect(f->net, &request)->status, 404);
    }
}

/* A bot's turn goes to a thread and comes back as a move. */
TEST_WITH(test_bot, set_up, tear_down) {
    fixture *f = *state;
    bw_request request = request_of(BW_GET, "/ws/BOTS", "");
    bw_net_memory_conn *conn = bw_net_memory_connect(f->net, &request);
    pump_frame(f, conn, 0);
    bw_net_memory_say(f->net, conn, "{\"type\":\"select_role\",\"role\":\"weather\"}");
    bw_net_memory_say(f->net, conn, "{\"type\":\"add_bot\",\"role\":\"journeyman\",\"level\":\"easy\"}");
    bw_net_memory_say(f->net, conn, "{\"type\":\"start\"}");
    bool moved = false;
    for (int seen = 0; !moved; seen++) {
        pump_frame(f, conn, seen);
        moved = strstr(conn->frames[seen], "\"type\":\"moved\"") != NULL;
        if (strstr(conn->frames[seen], "\"type\":\"error\"")) fail_msg("%s", conn->frames[seen]);
    }
    bw_workers_figures figures;
    bw_workers_figures_of(f->shell.workers, &figures);
    assert_true(figures.turns_total >= 1);
}

TEST_WITH(test_health_and_metrics, set_up, tear_down) {
    fixture *f = *state;
    assert_int_equal(get(f, "/healthz")->status, 200);
    bw_net_memory_conn *conn = get(f, "/readyz");
    assert_int_equal(conn->status, 200);
    assert_non_null(strstr(conn->body, "\"ready\":true"));
    bw_request socket = request_of(BW_GET, "/ws/METR", "");
    bw_net_memory_conn *visitor = bw_net_memory_connect(f->net, &socket);
    pump_frame(f, visitor, 0);
    conn = get(f, "/metrics");
    expect_header(conn, "content-type: text/plain; version=0.0.4; charset=utf-8");
    static const char *const lines[] = {"\nboardwalk_connections 1\n",
                                        "\nboardwalk_rooms{status=\"waiting\"} 1\n",
                                        "\nboardwalk_rooms_in_memory 1\n",
                                        "\nboardwalk_moves_total 0\n",
                                        "\nboardwalk_refusals_total{code=\"illegal\"} 0\n",
                                        "\nboardwalk_commit_seconds_bucket{le=\"0.001\"} ",
                                        "\nboardwalk_commit_seconds_bucket{le=\"+Inf\"} ",
                                        "\nboardwalk_commit_seconds_sum ",
                                        "\nboardwalk_commit_seconds_count ",
                                        "\nboardwalk_round_lateness_seconds_bucket{le=\"5e-05\"} 0\n",
                                        "\nboardwalk_round_lateness_seconds_bucket{le=\"0.001\"} 0\n",
                                        "\nboardwalk_round_lateness_max_seconds 0\n",
                                        "\nboardwalk_round_lateness_seconds_count 0\n",
                                        "\nprocess_resident_memory_bytes "};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (!strstr(conn->body, lines[i])) fail_msg("no \"%s\" in:\n%s", lines[i], conn->body);
    }
}

TEST_WITH(test_drain, set_up, tear_down) {
    fixture *f = *state;
    bw_request socket = request_of(BW_GET, "/ws/DRAN", "");
    bw_net_memory_conn *conn = bw_net_memory_connect(f->net, &socket);
    pump_frame(f, conn, 0);
    bw_shell_drain(&f->shell);
    expect_error(get(f, "/readyz"), 503, "draining");
    assert_int_equal(get(f, "/healthz")->status, 200);
    bw_request create = request_of(BW_POST, "/api/rooms", "{\"game\":\"flooded_island\"}");
    expect_error(ask(f, &create), 503, "draining");
    expect_error(bw_net_memory_connect(f->net, &socket), 503, "draining");
    for (int i = 0; i < 100 && !bw_shell_drained(&f->shell); i++) {
        struct pollfd waiting = {.fd = f->wake, .events = POLLIN};
        poll(&waiting, 1, 50);
        bw_shell_journal_ready(&f->shell);
    }
    assert_true(bw_shell_drained(&f->shell));
    assert_int_equal(conn->close_code, 1012);
}

RUN_TESTS(NULL, NULL)
