#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/origin.h"
#include "server/shell.h"
#include "server/target.h"

/* ---- answers ---- */

/* Allows only what a page needs. connect-src names the WebSocket too, because older browsers do not count it as
 * 'self'. It is left out if no Host is known (HTTP/1.0). */
static const char page_policy[] =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'%s%s%s%s; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'";
static const char data_policy[] = "default-src 'none'; frame-ancestors 'none'";

typedef bw_answer_parts answer;

/* A Host that we can put in our header. Browsers ignore an IPv6 address there, with a warning each time. */
static bool plain_host(const char *host) {
    return *host && strlen(host) <= 100 &&
           strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:") == strlen(host);
}

static bw_origin_verdict judge(const bw_shell *shell, const bw_request *request) {
    return bw_origin_judge(request->origin, request->host, shell->settings->frontend_url, shell->settings->public_url);
}

void bw_api_add_common(answer *a, const bw_shell *shell, const bw_request *request, bool page) {
    bw_response *r = &a->response;
    bool named = plain_host(request->host);
    if (page) {
        snprintf(a->policy, sizeof a->policy, page_policy, named ? " ws://" : "", named ? request->host : "",
                 named ? " wss://" : "", named ? request->host : "");
    } else {
        snprintf(a->policy, sizeof a->policy, "%s", data_policy);
    }
    bw_response_header(r, "content-security-policy", a->policy);
    bw_response_header(r, "x-content-type-options", "nosniff");
    bw_response_header(r, "referrer-policy", "no-referrer");
    bw_response_header(r, "cross-origin-opener-policy", "same-origin");
    if (judge(shell, request) == BW_ORIGIN_FRONTEND) {
        bw_response_header(r, "access-control-allow-origin", request->origin);
        bw_response_header(r, "vary", "Origin");
    }
}

void bw_api_answer_with(bw_shell *shell, uint64_t conn, const bw_request *request, answer *a, int status,
                        const char *type, const void *body, size_t length, bw_bytes *owner) {
    a->response.status = status;
    a->response.body = body;
    a->response.length = length;
    a->response.owner = owner;
    bw_response_header(&a->response, "content-type", type);
    bw_response_header(&a->response, "cache-control", "no-store");
    bw_api_add_common(a, shell, request, false);
    bw_net_reply(shell->net, conn, &a->response);
}

/* `body` lives as long as the server. */
static void answer_json(bw_shell *shell, uint64_t conn, const bw_request *request, int status, const char *body,
                        size_t length) {
    answer a = {0};
    bw_api_answer_with(shell, conn, request, &a, status, "application/json", body, length, NULL);
}

/* The same shape as an error over a WebSocket. String constants, so that they need no memory. */
#define ERROR_JSON(code, message) "{\"type\":\"error\",\"code\":\"" code "\",\"message\":\"" message "\"}"
#define REFUSE(shell, conn, request, status, code, message) \
    (count(shell, code),                                    \
     answer_json(shell, conn, request, status, ERROR_JSON(code, message), sizeof ERROR_JSON(code, message) - 1))

/* Errors answered by the hall are counted there. */
static void count(bw_shell *shell, const char *code) {
    for (int i = 0; i < bw_error_code_names.count && i < BW_REFUSAL_CODES; i++) {
        if (strcmp(bw_error_code_names.names[i], code) == 0) shell->refusals[i]++;
    }
}

static void refuse_method(bw_shell *shell, uint64_t conn, const bw_request *request, const char *allowed) {
    static const char body[] =
        ERROR_JSON(BW_CODE_NOT_ALLOWED, "This address does not take that method; see the Allow header.");
    answer a = {0};
    count(shell, BW_CODE_NOT_ALLOWED);
    bw_response_header(&a.response, "allow", allowed);
    bw_api_answer_with(shell, conn, request, &a, 405, "application/json", body, sizeof body - 1, NULL);
}

static bool is_file_path(const char *path) {
    size_t length = strlen(path);
    return (strncmp(path, "/api/rooms/", 11) == 0 && length > 4 && strcmp(path + length - 4, "/log") == 0) ||
           strncmp(path, "/api/replays/", 13) == 0;
}

void bw_api_answer(bw_shell *shell, uint64_t conn, int status, bw_bytes *bytes) {
    const bw_request *request = bw_net_pending(shell->net, conn);
    if (!request) {
        if (bytes) bw_bytes_release(bytes);
        return;
    }
    if (bw_page_answer(shell, conn, request, bytes)) {
        if (bytes) bw_bytes_release(bytes);
        return;
    }
    bool file = status == 200 && is_file_path(request->path);
    answer a = {0};
    bw_api_answer_with(shell, conn, request, &a, status, file ? "application/x-ndjson" : "application/json",
                       bytes ? bytes->at : "", bytes ? bytes->length : 0, bytes);
}

/* ---- ids ---- */

/* A segment of lo..hi letters and digits, in upper case if asked, followed by `tail`. */
static bool read_id(const char *at, const char *tail, size_t lo, size_t hi, bool upper, char *id) {
    size_t length = 0;
    for (; (at[length] >= '0' && at[length] <= '9') || (at[length] >= 'A' && at[length] <= 'Z') ||
           (at[length] >= 'a' && at[length] <= 'z');
         length++) {
        if (length == hi) return false;
        char c = at[length];
        id[length] = (char)(upper && c >= 'a' && c <= 'z' ? c - 0x20 : c);
    }
    id[length] = '\0';
    return length >= lo && strcmp(at + length, tail) == 0;
}

static bool read_room(const char *at, const char *tail, char room[BW_ROOM_ID_MAX + 1]) {
    return read_id(at, tail, 4, BW_ROOM_ID_MAX, true, room);
}

bool bw_api_socket_target(const bw_request *request, char room[BW_ROOM_ID_MAX + 1], char *game, size_t cap,
                          bool *has_game) {
    if (strncmp(request->path, "/ws/", 4) != 0 || !read_room(request->path + 4, "", room)) {
        return false;
    }
    bw_query_found found = bw_query_value(request->query, "game", game, cap);
    *has_game = found == BW_QUERY_VALUE;
    return found != BW_QUERY_BROKEN;
}

bool bw_api_room_of(const bw_request *request, char room[BW_ROOM_ID_MAX + 1]) {
    static const struct {
        const char *start, *tail;
    } about[] = {{"/ws/", ""}, {"/api/rooms/", ""}, {"/api/rooms/", "/log"}, {"/game/", ""}};
    for (size_t i = 0; i < sizeof about / sizeof about[0]; i++) {
        size_t length = strlen(about[i].start);
        if (strncmp(request->path, about[i].start, length) == 0 &&
            read_room(request->path + length, about[i].tail, room))
            return true;
    }
    return false;
}

/* ---- who may send requests ---- */

#define FOREIGN_ORIGIN                                                                              \
    ERROR_JSON(BW_CODE_NOT_ALLOWED,                                                                 \
               "Pages of that origin may not talk to this server. Its operator allows the address " \
               "that people use with PUBLIC_URL, and a proxy must pass the Host header on.")
#define FOREIGN_HOST                                                                                             \
    ERROR_JSON(BW_CODE_NOT_ALLOWED, "This server does not answer to that name. Its operator allows the address " \
                                    "that people use with PUBLIC_URL.")

static bool begins_with(const char *path, const char *start) { return strncmp(path, start, strlen(start)) == 0; }

/* The client's files are the same for everybody. Behind a proxy that passes a wrong Host, the page must still load,
 * so that it can say so. Monitoring may use any name. */
static bool minds_host(const char *path) {
    return begins_with(path, "/api/") || begins_with(path, "/ws/") || begins_with(path, "/metrics");
}
static bool minds_origin(const char *path) {
    return minds_host(path) || begins_with(path, "/healthz") || begins_with(path, "/readyz");
}

/* NULL: allowed. */
static const char *refuse_foreign(bw_shell *shell, const bw_request *request) {
    if (minds_origin(request->path) && judge(shell, request) == BW_ORIGIN_FOREIGN) {
        bw_refused_note(shell, BW_REFUSED_ORIGIN, request);
        return FOREIGN_ORIGIN;
    }
    if (minds_host(request->path) &&
        !bw_host_is_ours(request->host, shell->settings->frontend_url, shell->settings->public_url)) {
        bw_refused_note(shell, BW_REFUSED_HOST, request);
        return FOREIGN_HOST;
    }
    return NULL;
}

/* ---- WebSocket ---- */

static bool refuse_upgrade(bw_shell *shell, bw_response *refusal, int status, const char *code, const char *body) {
    count(shell, code);
    *refusal = (bw_response){.status = status, .body = body, .length = strlen(body)};
    bw_response_header(refusal, "content-type", "application/json");
    bw_response_header(refusal, "x-content-type-options", "nosniff");
    bw_response_header(refusal, "referrer-policy", "no-referrer");
    return false;
}

bool bw_api_upgrade(bw_shell *shell, const bw_request *request, bw_response *refusal) {
    char room[BW_ROOM_ID_MAX + 1], game[64];
    bool has_game;
    const char *foreign = refuse_foreign(shell, request);
    if (foreign) return refuse_upgrade(shell, refusal, 403, BW_CODE_NOT_ALLOWED, foreign);
    if (shell->draining &&
        !shell->nodes.pass) { /* if another node passes it on, the visited room is handed over at once */
        bw_refused_note(shell, BW_REFUSED_DRAINING, request);
        return refuse_upgrade(shell, refusal, 503, BW_CODE_DRAINING,
                              ERROR_JSON(BW_CODE_DRAINING, "The server is restarting; come back in a moment."));
    }
    if (!bw_api_socket_target(request, room, game, sizeof game, &has_game)) {
        bw_refused_note(shell, BW_REFUSED_NO_ROOM, request);
        return refuse_upgrade(shell, refusal, 404, BW_CODE_NOT_FOUND,
                              ERROR_JSON(BW_CODE_NOT_FOUND, "WebSockets are at /ws/ and a room's id: 4 to 12 "
                                                            "letters and digits."));
    }
    return true;
}

void bw_api_refuse_route(bw_shell *shell, uint64_t conn, const char *why) {
    const bw_request *request = bw_net_pending(shell->net, conn);
    if (!request) return;
    if (why)
        REFUSE(shell, conn, request, 503, BW_CODE_STORAGE,
               "The server's database does not answer: come back in a moment.");
    else REFUSE(shell, conn, request, 503, BW_CODE_DRAINING, "This room is just moving: come back in a moment.");
}

void bw_api_refuse_newcomer(bw_shell *shell, uint64_t conn, const bw_request *request) {
    bw_refused_note(shell, BW_REFUSED_DRAINING, request);
    REFUSE(shell, conn, request, 503, BW_CODE_DRAINING, "The server is restarting; come back in a moment.");
}

/* ---- the API ---- */

static void serve_ready(bw_shell *shell, uint64_t conn, const bw_request *request) {
    if (shell->draining) {
        REFUSE(shell, conn, request, 503, BW_CODE_DRAINING, "The server is restarting; come back in a moment.");
        return;
    }
    bw_journal_figures figures;
    bw_journal_figures_of(shell->journal, &figures);
    /* If the disk fails, reading still works, so the server stays ready and reports the failure. */
    if (figures.detached) {
        static const char gone[] = "{\"ready\":false,\"journal\":\"gone\"}";
        answer_json(shell, conn, request, 503, gone, sizeof gone - 1);
        return;
    }
    if (shell->nodes.hang_up && !bw_journal_may_tell(shell->journal)) { /* other nodes may do better */
        static const char away[] = "{\"ready\":false,\"journal\":\"fails\"}";
        answer_json(shell, conn, request, 503, away, sizeof away - 1);
        return;
    }
    static const char works[] = "{\"ready\":true,\"journal\":\"works\"}",
                      fails[] = "{\"ready\":true,\"journal\":\"fails\"}";
    answer_json(shell, conn, request, 200, figures.failing ? fails : works,
                (figures.failing ? sizeof fails : sizeof works) - 1);
}

static void serve_metrics(bw_shell *shell, uint64_t conn, const bw_request *request) {
    size_t length;
    char *text = bw_metrics_text(shell, &length);
    bw_bytes *bytes = text ? malloc(sizeof *bytes + length) : NULL;
    if (bytes) {
        *bytes = (bw_bytes){.references = 1, .length = (uint32_t)length};
        memcpy(bytes->at, text, length);
        answer a = {0};
        bw_api_answer_with(shell, conn, request, &a, 200, "text/plain; version=0.0.4; charset=utf-8", bytes->at, length,
                           bytes);
    } else {
        REFUSE(shell, conn, request, 503, BW_CODE_STORAGE, "The server is out of memory.");
    }
    free(text);
}

static void serve_preflight(bw_shell *shell, uint64_t conn, const bw_request *request) {
    answer a = {.response = {.status = 204}};
    bw_response_header(&a.response, "access-control-allow-methods", "GET, POST, OPTIONS");
    bw_response_header(&a.response, "access-control-allow-headers", "Content-Type");
    bw_response_header(&a.response, "access-control-max-age", "600");
    bw_response_header(&a.response, "allow", "GET, HEAD, POST, OPTIONS");
    bw_api_add_common(&a, shell, request, false);
    bw_net_reply(shell->net, conn, &a.response);
}

static void serve_reads(bw_shell *shell, uint64_t conn, const bw_request *request) {
    const char *path = request->path;
    char room[BW_ROOM_ID_MAX + 1], replay[BW_REPLAY_ID_MAX + 1];
    bw_now now = bw_shell_now();
    if (strcmp(path, "/api/games") == 0) {
        answer_json(shell, conn, request, 200, shell->games, shell->games_length);
    } else if (strcmp(path, "/healthz") == 0) {
        answer_json(shell, conn, request, 200, "{\"ok\":true}", 11);
    } else if (strcmp(path, "/readyz") == 0) {
        serve_ready(shell, conn, request);
    } else if (strcmp(path, "/metrics") == 0) {
        serve_metrics(shell, conn, request);
    } else if (strncmp(path, "/api/rooms/", 11) == 0 && read_room(path + 11, "", room)) {
        bw_hall_http_state(shell->hall, now, conn, room, request->address);
    } else if (strncmp(path, "/api/rooms/", 11) == 0 && read_room(path + 11, "/log", room)) {
        bw_hall_http_log(shell->hall, now, conn, room, request->address);
    } else if (strncmp(path, "/api/replays/", 13) == 0 && read_id(path + 13, "", 1, BW_REPLAY_ID_MAX, false, replay)) {
        bw_hall_http_replay(shell->hall, now, conn, replay, request->address);
    } else if (strncmp(path, "/ws/", 4) == 0) {
        bw_refused_note(shell, BW_REFUSED_NO_UPGRADE, request);
        REFUSE(shell, conn, request, 426, BW_CODE_BAD_MESSAGE,
               "This address is for WebSockets. A proxy in between must pass the headers Upgrade and Connection on.");
    } else if (strncmp(path, "/api/", 5) == 0) {
        REFUSE(shell, conn, request, 404, BW_CODE_NOT_FOUND, "There is no such room, game or address in the API.");
    } else {
        bw_page_serve(shell, conn, request);
    }
}

void bw_api_request(bw_shell *shell, uint64_t conn, const bw_request *request) {
    const char *foreign = refuse_foreign(shell, request);
    if (foreign) {
        count(shell, BW_CODE_NOT_ALLOWED);
        answer_json(shell, conn, request, 403, foreign, strlen(foreign));
        return;
    }
    bool shares = strcmp(request->path, BW_NET_FILE_PATH) == 0,
         brings = strcmp(request->path, BW_NET_RUNNING_PATH) == 0;
    bool creates = shares || brings || strcmp(request->path, "/api/rooms") == 0;
    if (request->method == BW_OPTIONS) {
        serve_preflight(shell, conn, request);
    } else if (creates && request->method != BW_POST) {
        refuse_method(shell, conn, request, "POST, OPTIONS");
    } else if (creates && shell->draining) {
        REFUSE(shell, conn, request, 503, BW_CODE_DRAINING, "The server is restarting; come back in a moment.");
    } else if (shares) {
        bw_hall_http_share(shell->hall, bw_shell_now(), conn, request->body, request->length, request->address);
    } else if (brings) {
        bw_hall_http_bring(shell->hall, bw_shell_now(), conn, request->body, request->length, request->address);
    } else if (creates) {
        bw_hall_http_create(shell->hall, bw_shell_now(), conn, request->body, request->length, request->address);
    } else if (request->method != BW_GET && request->method != BW_HEAD) {
        refuse_method(shell, conn, request, "GET, HEAD, OPTIONS");
    } else {
        serve_reads(shell, conn, request);
    }
}
