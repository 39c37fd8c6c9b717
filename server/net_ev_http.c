#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/errors.h"
#include "server/net_ev_private.h"

enum { HEAD_MAX = 4096 };

/* ---- queued bodies ---- */

/* From here on the body waits for its reader. If others wait for an equal copy of it, one of the two is freed. */
static void share_body(bw_conn *conn) {
    bw_net_ev *net = conn->net;
    bw_exchange *x = conn->exchange;
    bw_body *same = x->owner->length >= BW_SHARED_BODY_MIN && x->answer == x->owner->at ? net->bodies : NULL;
    while (same && same->bytes != x->owner &&
           (same->bytes->length != x->owner->length || memcmp(same->bytes->at, x->owner->at, x->owner->length) != 0)) {
        same = same->next;
    }
    if (!same) {
        same = malloc(sizeof *same);
        if (!same) return; /* then it is not counted */
        *same = (bw_body){.bytes = x->owner, .next = net->bodies};
        net->bodies = same;
        net->figures.answer_bytes += x->owner->length;
    } else if (same->bytes != x->owner) {
        same->bytes->references++;
        x->answer = same->bytes->at;
        bw_bytes_release(x->owner);
        x->owner = same->bytes;
    }
    same->readers++;
    x->body = same;
}

static void leave_body(bw_conn *conn) {
    bw_net_ev *net = conn->net;
    bw_body *body = conn->exchange->body, **at = &net->bodies;
    if (!body || --body->readers > 0) return;
    net->figures.answer_bytes -= body->bytes->length;
    while (*at != body) at = &(*at)->next;
    *at = body->next;
    free(body);
}

/* The reader that has been stuck for the longest; of several, the one with the oldest request. */
static bw_conn *slowest(const bw_net_ev *net) {
    bw_conn *found = NULL;
    for (bw_conn *conn = net->deadlines; conn; conn = conn->later) {
        bool waits = !conn->cut && conn->exchange && conn->exchange->body;
        if (waits && (!found || conn->exchange->progress <= found->exchange->progress)) found = conn;
    }
    return found;
}

/* A cut connection keeps its place until its event comes, so its memory is freed here. */
static void make_room(bw_net_ev *net) {
    for (bw_conn *conn; net->figures.answer_bytes > BW_NET_ANSWERS_MAX && (conn = slowest(net));) {
        net->figures.slow_readers_total++;
        leave_body(conn);
        conn->exchange->body = NULL;
        bw_bytes_release(conn->exchange->owner);
        conn->exchange->owner = NULL;
        bw_ev_cut(conn);
    }
}

/* ---- long bodies ---- */

static bool enter_large(bw_conn *conn) {
    bw_net_ev *net = conn->net;
    if (net->file_count >= BW_NET_LARGE_BODIES ||
        bw_addresses_count(&net->files, conn->address) >= BW_NET_LARGE_BODIES_PER_ADDRESS ||
        bw_addresses_add(&net->files, conn->address) == 0) {
        return false;
    }
    net->file_count++;
    conn->exchange->large = true;
    bw_ev_set_deadline(conn, BW_NET_LARGE_SECONDS);
    return true;
}

static void leave_large(bw_conn *conn) {
    if (!conn->exchange->large) return;
    bw_addresses_remove(&conn->net->files, conn->address);
    conn->net->file_count--;
}

void bw_ev_exchange_free(bw_conn *conn) {
    bw_exchange *x = conn->exchange;
    if (!x) return;
    leave_body(conn);
    if (x->asked) conn->net->figures.requests--;
    leave_large(conn);
    if (x->owner) bw_bytes_release(x->owner);
    bw_http_free(x->http);
    free(x->head);
    free(x);
    conn->exchange = NULL;
}

/* ---- the answer ---- */

static const char *reason_phrase(int status) {
    static const struct {
        int status;
        const char *phrase;
    } known[] = {{101, "Switching Protocols"},
                 {200, "OK"},
                 {201, "Created"},
                 {204, "No Content"},
                 {304, "Not Modified"},
                 {400, "Bad Request"},
                 {403, "Forbidden"},
                 {404, "Not Found"},
                 {405, "Method Not Allowed"},
                 {409, "Conflict"},
                 {413, "Content Too Large"},
                 {414, "URI Too Long"},
                 {417, "Expectation Failed"},
                 {421, "Misdirected Request"},
                 {426, "Upgrade Required"},
                 {429, "Too Many Requests"},
                 {431, "Request Header Fields Too Large"},
                 {500, "Internal Server Error"},
                 {501, "Not Implemented"},
                 {503, "Service Unavailable"},
                 {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].status == status) return known[i].phrase;
    }
    return "Answered";
}

/* A value may come from a request, so characters that could end its line are dropped. */
static bool is_line(const char *text) { return text[strcspn(text, "\r\n")] == '\0'; }

static size_t write_head(char head[HEAD_MAX], const bw_exchange *x, const bw_response *response) {
    size_t at =
        (size_t)snprintf(head, HEAD_MAX, "HTTP/1.1 %d %s\r\n", response->status, reason_phrase(response->status));
    for (int i = 0; i < response->header_count; i++) {
        const bw_header *header = &response->headers[i];
        if (at >= HEAD_MAX || !is_line(header->value)) return 0;
        at += (size_t)snprintf(head + at, HEAD_MAX - at, "%s: %s\r\n", header->name, header->value);
    }
    if (at >= HEAD_MAX) return 0;
    if (response->status != 204 && response->status != 304) {
        at += (size_t)snprintf(head + at, HEAD_MAX - at, "content-length: %zu\r\n", response->length);
    }
    const char *connection = x->close ? "connection: close\r\n" : x->http->one_zero ? "connection: keep-alive\r\n" : "";
    if (at < HEAD_MAX) at += (size_t)snprintf(head + at, HEAD_MAX - at, "%s\r\n", connection);
    return at < HEAD_MAX ? at : 0;
}

static bool is_written(const bw_exchange *x) { return x->answered && x->sent == x->head_length + x->answer_length; }

static void write_some(bw_conn *conn) {
    bw_exchange *x = conn->exchange;
    size_t head = x->sent < x->head_length ? x->head_length - x->sent : 0;
    size_t before = x->sent - (x->head_length - head);
    size_t left = x->answer_length - before;
    struct iovec parts[2] = {
        {x->head + x->head_length - head, head},
        {(char *)(uintptr_t)(x->answer + before), left < BW_WRITE_AT_ONCE ? left : BW_WRITE_AT_ONCE}};
    ssize_t written = bw_ev_write(conn, parts, 2);
    if (written <= 0) return;
    x->sent += (size_t)written;
    x->progress = bw_ev_seconds();
    if (!is_written(x)) {
        conn->blocked = true;
        bw_ev_again(conn);
    }
}

void bw_ev_http_reply(bw_conn *conn, const bw_response *response) {
    bw_exchange *x = conn->exchange;
    char head[HEAD_MAX];
    x->answered = true;
    x->owner = response->owner;
    x->close |= response->close || !x->http->keep_alive || conn->net->leaving || conn->ended;
    x->head_length = write_head(head, x, response);
    x->head = malloc(x->head_length + 1);
    if (!x->head || !x->head_length) {
        bw_ev_cut(conn);
        return;
    }
    memcpy(x->head, head, x->head_length);
    bool bodiless = response->status == 204 || response->status == 304 || x->http->request.method == BW_HEAD;
    x->answer = bodiless || !response->body ? "" : response->body;
    x->answer_length = bodiless ? 0 : response->length;
    if (bodiless && x->owner) {
        bw_bytes_release(x->owner);
        x->owner = NULL;
    }
    x->progress = bw_ev_seconds();
    bw_ev_set_deadline(conn, BW_NET_ANSWER_SECONDS);
    write_some(conn);
    if (!conn->cut && !is_written(x) && x->owner) {
        share_body(conn);
        make_room(conn->net);
    }
    bw_ev_again(conn);
}

/* The next request, or the end. */
static void end_answer(bw_conn *conn) {
    bool close = conn->exchange->close;
    bw_ev_exchange_free(conn);
    if (close) bw_ev_linger(conn);
    else bw_ev_set_deadline(conn, BW_NET_IDLE_SECONDS);
}

void bw_ev_http_write(bw_conn *conn) {
    bw_exchange *x = conn->exchange;
    if (!x || !x->answered) return;
    if (!is_written(x)) write_some(conn);
    if (!conn->cut && is_written(x)) end_answer(conn);
}

/* ---- the request ---- */

/* If a proxy on this machine forwards for a client, the client's address counts. */
static void find_address(bw_conn *conn) {
    char counted[BW_ADDRESS_MAX];
    memcpy(conn->address, conn->peer, sizeof conn->address);
    if (conn->passed) return;
    bool local = strncmp(conn->peer, "127.", 4) == 0 || strcmp(conn->peer, "::") == 0;
    if (!local) return;
    bw_address_forwarded(counted, conn->exchange->http->forwarded_for);
    if (counted[0]) memcpy(conn->address, counted, sizeof counted);
}

static void ask(bw_conn *conn) {
    conn->exchange->asked = true;
    conn->net->figures.requests++;
    bw_ev_new_number(conn);
    bw_ev_set_deadline(conn, BW_NET_ANSWER_SECONDS);
}

static void refuse(bw_conn *conn, int status, const char *code, const char *sentence) {
    char body[400];
    int length = snprintf(body, sizeof body, "{\"type\":\"error\",\"code\":\"%s\",\"message\":\"%s\"}", code, sentence);
    bw_bytes *bytes = malloc(sizeof *bytes + (size_t)length);
    if (!bytes) {
        bw_ev_cut(conn);
        return;
    }
    *bytes = (bw_bytes){.references = 1, .length = (uint32_t)length};
    memcpy(bytes->at, body, (size_t)length);
    bw_response response = {
        .status = status, .body = bytes->at, .length = (size_t)length, .owner = bytes, .close = true};
    bw_response_header(&response, "content-type", "application/json");
    bw_response_header(&response, "x-content-type-options", "nosniff");
    if (status == 426) {
        bw_response_header(&response, "upgrade", "websocket");
        bw_response_header(&response, "sec-websocket-version", "13");
    }
    bw_ev_http_reply(conn, &response);
}

static void refuse_request(bw_conn *conn) {
    const bw_http *http = conn->exchange->http;
    conn->net->figures.bad_requests_total++;
    ask(conn);
    refuse(conn, http->refusal, http->refusal == 413 ? BW_CODE_TOO_LARGE : BW_CODE_BAD_MESSAGE, http->sentence);
}

static void upgrade(bw_conn *conn) {
    bw_net_ev *net = conn->net;
    const bw_net_handler *handler = &net->options.handler;
    bw_response refusal = {.status = 403};
    uint32_t limit = net->options.sockets_per_address;
    if (limit && bw_addresses_count(&net->sockets, conn->address) >= limit) {
        net->figures.refused_total++;
        refuse(conn, 429, BW_CODE_RATE_LIMITED,
               "There are too many open connections from your address. Close some tabs and try again.");
        return;
    }
    if (!handler->upgrade(handler->user, &conn->exchange->http->request, &refusal)) {
        refusal.close = true;
        bw_ev_http_reply(conn, &refusal);
        return;
    }
    bw_http *http = conn->exchange->http;
    conn->exchange->http = NULL;
    bw_ev_exchange_free(conn);
    bw_ev_set_deadline(conn, 0); /* from here on the hall's pings detect dead connections */
    if (!bw_ev_socket_open(conn, http)) bw_ev_cut(conn);
    bw_http_free(http);
}

/* The head is complete and announces a long body. */
static void judge_large(bw_conn *conn) {
    const bw_http *http = conn->exchange->http;
    if (!http->large || conn->exchange->large) return;
    find_address(conn);
    if (enter_large(conn)) return;
    conn->net->figures.refused_total++;
    ask(conn);
    refuse(conn, 429, BW_CODE_RATE_LIMITED, "The server is busy reading other files: try again in a moment.");
}

void bw_ev_http_go_on(bw_conn *conn) {
    const bw_net_handler *handler = &conn->net->options.handler;
    if (conn->exchange->http->key) upgrade(conn);
    else handler->request(handler->user, conn->number, &conn->exchange->http->request);
}

/* The request for the other node. Routed paths contain nothing that would need encoding. */
char *bw_ev_http_again(const bw_conn *conn, size_t *length) {
    static const char *const methods[] = {"GET", "HEAD", "POST", "OPTIONS"};
    const bw_http *http = conn->exchange->http;
    const bw_request *r = &http->request;
    size_t cap = strlen(r->path) + strlen(r->query) + strlen(r->host) + strlen(r->origin) + strlen(r->accept_encoding) +
                 strlen(r->if_none_match) + (http->key ? strlen(http->key) : 0) + r->length + conn->held_length + 512;
    char *text = r->method < BW_METHOD_OTHER ? malloc(cap) : NULL;
    if (!text) return NULL;
    const struct {
        const char *name, *value;
    } lines[] = {{"host", r->host},
                 {"origin", r->origin},
                 {"accept-encoding", r->accept_encoding},
                 {"if-none-match", r->if_none_match},
                 {"sec-websocket-key", http->key ? http->key : ""}};
    size_t at = (size_t)snprintf(text, cap, "%s %s%s%s HTTP/1.1\r\n", methods[r->method], r->path, *r->query ? "?" : "",
                                 r->query);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (*lines[i].value) at += (size_t)snprintf(text + at, cap - at, "%s: %s\r\n", lines[i].name, lines[i].value);
    }
    if (r->length) at += (size_t)snprintf(text + at, cap - at, "content-length: %zu\r\n", r->length);
    at += (size_t)snprintf(text + at, cap - at, "%s\r\n",
                           http->key ? "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
                                     : "connection: close\r\n");
    if (r->length) memcpy(text + at, r->body, r->length);
    at += r->length;
    if (http->key && conn->held_length) { /* its first messages; other requests are repeated by the client */
        memcpy(text + at, conn->held, conn->held_length);
        at += conn->held_length;
    }
    *length = at;
    return text;
}

static void answer_request(bw_conn *conn) {
    const bw_net_handler *handler = &conn->net->options.handler;
    ask(conn);
    find_address(conn);
    bw_http *http = conn->exchange->http;
    if (http->request.mistyped) conn->net->figures.bad_requests_total++;
    http->request.address = conn->address;
    if (handler->route && handler->route(handler->user, conn->number, &http->request, http->key, conn->passed)) return;
    bw_ev_http_go_on(conn);
}

static bool begin(bw_conn *conn) {
    conn->exchange = calloc(1, sizeof *conn->exchange);
    if (conn->exchange) conn->exchange->http = bw_http_new();
    if (conn->number) bw_ev_set_deadline(conn, BW_NET_REQUEST_SECONDS); /* else it runs since the accept */
    return conn->exchange && conn->exchange->http;
}

static void say_continue(bw_conn *conn) {
    static char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    struct iovec part = {text, sizeof text - 1};
    /* Nothing is queued before it, so a socket that does not accept even this little is cut. */
    if (bw_ev_write(conn, &part, 1) != (ssize_t)part.iov_len) bw_ev_cut(conn);
}

static size_t read_request(bw_conn *conn, const char *bytes, size_t length) {
    size_t used = 0;
    if (!conn->exchange && !begin(conn)) {
        bw_ev_cut(conn);
        return 0;
    }
    switch (bw_http_read(conn->exchange->http, bytes, length, &used)) {
    case BW_HTTP_CONTINUE:
        judge_large(conn);
        if (conn->exchange && !conn->exchange->asked) say_continue(conn);
        break;
    case BW_HTTP_MORE: judge_large(conn); break;
    case BW_HTTP_REFUSED: refuse_request(conn); break;
    case BW_HTTP_WHOLE:
        judge_large(conn); /* all of it came at once */
        if (!conn->cut && !conn->exchange->asked) answer_request(conn);
        break;
    }
    if (!conn->cut && conn->exchange && is_written(conn->exchange)) end_answer(conn);
    return used;
}

size_t bw_ev_http_received(bw_conn *conn, const char *bytes, size_t length) {
    size_t used = 0;
    for (int turn = 0; used < length && !conn->cut && !conn->lingering && !conn->socket; turn++) {
        if (conn->exchange && conn->exchange->asked) break;
        if (turn == BW_REQUESTS_AT_ONCE) {
            conn->blocked = true; /* "100 Continue" is sent at once, after the others */
            break;
        }
        used += read_request(conn, bytes + used, length - used);
    }
    return used;
}
