#include "server/net_lws_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the request ---- */

/* A header's value, kept in the exchange; "" where it is absent or too long to be believed. */
static const char *keep_header(bw_exchange *exchange, struct lws *wsi, enum lws_token_indexes token) {
    char *at = exchange->text + exchange->text_length;
    size_t room = sizeof exchange->text - exchange->text_length;
    int length = lws_hdr_total_length(wsi, token);
    if (length <= 0 || (size_t)length + 1 > room || lws_hdr_copy(wsi, at, (int)room, token) < 0) {
        return "";
    }
    exchange->text_length += strlen(at) + 1;
    return at;
}

static const char *keep_text(bw_exchange *exchange, const char *text, size_t length) {
    char *at = exchange->text + exchange->text_length;
    if (length + 1 > sizeof exchange->text - exchange->text_length) return NULL;
    memcpy(at, text, length);
    at[length] = '\0';
    exchange->text_length += length + 1;
    return at;
}

/* libwebsockets cuts the query at '&'; here it is put together again. */
static const char *keep_query(bw_exchange *exchange, struct lws *wsi) {
    char query[1024], piece[512];
    size_t length = 0;
    for (int i = 0;; i++) {
        int got = lws_hdr_copy_fragment(wsi, piece, sizeof piece, WSI_TOKEN_HTTP_URI_ARGS, i);
        if (got < 0 || length + (size_t)got + 2 > sizeof query) break;
        if (i > 0) query[length++] = '&';
        memcpy(query + length, piece, (size_t)got);
        length += (size_t)got;
    }
    const char *kept = keep_text(exchange, query, length);
    return kept ? kept : "";
}

static bw_method method_of(int lws_method) {
    switch (lws_method) {
    case LWSHUMETH_GET: return BW_GET;
    case LWSHUMETH_HEAD: return BW_HEAD;
    case LWSHUMETH_POST: return BW_POST;
    case LWSHUMETH_OPTIONS: return BW_OPTIONS;
    default: return BW_METHOD_OTHER;
    }
}

/* Where a proxy on this machine speaks for somebody, that one's address counts. */
static void find_address(bw_conn *conn) {
    char header[512], counted[BW_ADDRESS_MAX];
    memcpy(conn->address, conn->peer, sizeof conn->address);
    bool local = strncmp(conn->peer, "127.", 4) == 0 || strcmp(conn->peer, "::") == 0;
    if (!local || lws_hdr_copy(conn->wsi, header, sizeof header, WSI_TOKEN_X_FORWARDED_FOR) <= 0) {
        return;
    }
    char *last = strrchr(header, ',');
    last = last ? last + 1 : header;
    last += strspn(last, " \t");
    last[strcspn(last, " \t")] = '\0';
    bw_address_count_as(counted, last);
    if (counted[0]) memcpy(conn->address, counted, sizeof counted);
}

/* Reads what is known of the request into a new exchange. false: out of memory, or it is too large. */
static bool start_exchange(bw_net_lws *net, bw_conn *conn) {
    bw_lws_exchange_free(conn);
    bw_exchange *exchange = conn->exchange = malloc(sizeof *exchange);
    if (!exchange) return false;
    memset(exchange, 0, offsetof(bw_exchange, text));
    memset(&exchange->text_length, 0, sizeof *exchange - offsetof(bw_exchange, text_length));
    bw_lws_new_number(net, conn);
    bw_lws_set_deadline(net, conn, BW_NET_REQUEST_SECONDS);
    find_address(conn);

    char *path = NULL;
    int path_length = 0;
    int method = lws_http_get_uri_and_method(conn->wsi, &path, &path_length);
    bw_request *request = &exchange->request;
    request->method = method_of(method);
    request->path = method >= 0 && path ? keep_text(exchange, path, strnlen(path, (size_t)path_length)) : "/";
    if (!request->path) return false;
    request->query = keep_query(exchange, conn->wsi);
    request->host = keep_header(exchange, conn->wsi, WSI_TOKEN_HOST);
    /* An Origin that does not fit must not pass for none. */
    request->origin = keep_header(exchange, conn->wsi, WSI_TOKEN_ORIGIN);
    if (!*request->origin && lws_hdr_total_length(conn->wsi, WSI_TOKEN_ORIGIN) > 0) {
        request->origin = "null";
    }
    request->accept_encoding = keep_header(exchange, conn->wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING);
    request->if_none_match = keep_header(exchange, conn->wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH);
    request->address = conn->address;
    request->body = "";
    return true;
}

static void ask_handler(bw_net_lws *net, bw_conn *conn) {
    conn->exchange->asked = true;
    bw_lws_set_deadline(net, conn, BW_NET_ANSWER_SECONDS);
    net->options.handler.request(net->options.handler.user, conn->number, &conn->exchange->request);
}

static void refuse(bw_net_lws *net, bw_conn *conn, int status, const char *body) {
    bw_response response = {.status = status, .body = body, .length = strlen(body), .close = true};
    bw_response_header(&response, "content-type", "application/json");
    bw_response_header(&response, "x-content-type-options", "nosniff");
    bw_lws_http_reply(net, conn, &response);
}

static int refuse_body(bw_net_lws *net, bw_conn *conn, int status, const char *body) {
    refuse(net, conn, status, body);
    return bw_lws_http_writable(net, conn);
}

static int refuse_large_body(bw_net_lws *net, bw_conn *conn) {
    return refuse_body(
        net, conn, 413,
        "{\"type\":\"error\",\"code\":\"too_large\",\"message\":\"The body of a request may have 4096 bytes at most.\"}");
}

/* A body in chunks is handed over by libwebsockets as it came, for POST alone, and without an end. */
static bool comes_in_chunks(bw_conn *conn) {
    char text[16];
    return conn->exchange->request.method == BW_POST &&
           lws_hdr_total_length(conn->wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0 &&
           lws_hdr_copy(conn->wsi, text, sizeof text, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0 &&
           strcasecmp(text, "chunked") == 0;
}

static int expect_body(bw_net_lws *net, bw_conn *conn) {
    bw_exchange *exchange = conn->exchange;
    char text[24];
    exchange->in_chunks = comes_in_chunks(conn);
    if (exchange->in_chunks) {
        exchange->body_wanted = BW_NET_MESSAGE_MAX;
    } else if (lws_hdr_total_length(conn->wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0 ||
               lws_hdr_copy(conn->wsi, text, sizeof text, WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0) {
        return refuse_body(
            net, conn, 411,
            "{\"type\":\"error\",\"code\":\"bad_message\",\"message\":\"A request with a body must say its Content-Length.\"}");
    } else {
        char *end;
        unsigned long long length = strtoull(text, &end, 10);
        if (*end || length > BW_NET_MESSAGE_MAX) return refuse_large_body(net, conn);
        exchange->body_wanted = (size_t)length;
    }
    exchange->body = malloc(exchange->body_wanted + 1);
    return exchange->body ? 0 : -1;
}

int bw_lws_http_request(bw_net_lws *net, bw_conn *conn) {
    if (!start_exchange(net, conn)) return -1;
    const bw_request *request = &conn->exchange->request;
    bool has_body = lws_hdr_total_length(conn->wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0 ||
                    lws_hdr_total_length(conn->wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0 || request->method == BW_POST;
    if (!has_body) {
        ask_handler(net, conn);
        return 0;
    }
    /* "Content-Length: 0" on anything but POST: libwebsockets tells of no body then. */
    char text[4];
    if (request->method != BW_POST && lws_hdr_copy(conn->wsi, text, sizeof text, WSI_TOKEN_HTTP_CONTENT_LENGTH) == 1 &&
        text[0] == '0') {
        ask_handler(net, conn);
        return 0;
    }
    return expect_body(net, conn);
}

static void body_is_whole(bw_net_lws *net, bw_conn *conn) {
    bw_exchange *exchange = conn->exchange;
    exchange->body[exchange->body_length] = '\0';
    exchange->request.body = exchange->body;
    exchange->request.length = exchange->body_length;
    ask_handler(net, conn);
}

static int body_in_chunks(bw_net_lws *net, bw_conn *conn, const void *bytes, size_t length) {
    bw_exchange *exchange = conn->exchange;
    size_t kept;
    bw_chunked_status status =
        bw_chunked_read(&exchange->chunked, bytes, length, exchange->body + exchange->body_length,
                        exchange->body_wanted - exchange->body_length, &kept);
    exchange->body_length += kept;
    switch (status) {
    case BW_CHUNKED_MORE: return 0;
    case BW_CHUNKED_END: body_is_whole(net, conn); return 0;
    case BW_CHUNKED_LONG: return refuse_large_body(net, conn);
    case BW_CHUNKED_BROKEN: break;
    }
    return refuse_body(
        net, conn, 400,
        "{\"type\":\"error\",\"code\":\"bad_message\",\"message\":\"The chunks of the body are not those of HTTP/1.1.\"}");
}

int bw_lws_http_body(bw_net_lws *net, bw_conn *conn, const void *bytes, size_t length) {
    bw_exchange *exchange = conn->exchange;
    if (!exchange || exchange->answered || (exchange->in_chunks && exchange->asked)) {
        return 0; /* the rest of something refused, or what is behind the last chunk */
    }
    if (exchange->in_chunks) return body_in_chunks(net, conn, bytes, length);
    if (!exchange->body || exchange->body_length + length > exchange->body_wanted) return -1;
    if (length) memcpy(exchange->body + exchange->body_length, bytes, length);
    exchange->body_length += length;
    return 0;
}

int bw_lws_http_body_end(bw_net_lws *net, bw_conn *conn) {
    bw_exchange *exchange = conn->exchange;
    if (exchange && !exchange->answered && !exchange->asked && exchange->body) {
        body_is_whole(net, conn);
    }
    return 0;
}

/* ---- the answer ---- */

enum { HEAD_MAX = 4096 };

static const char *reason_phrase(int status) {
    static const struct {
        int status;
        const char *phrase;
    } known[] = {{200, "OK"},
                 {201, "Created"},
                 {204, "No Content"},
                 {304, "Not Modified"},
                 {400, "Bad Request"},
                 {403, "Forbidden"},
                 {404, "Not Found"},
                 {405, "Method Not Allowed"},
                 {409, "Conflict"},
                 {411, "Length Required"},
                 {413, "Content Too Large"},
                 {426, "Upgrade Required"},
                 {429, "Too Many Requests"},
                 {500, "Internal Server Error"},
                 {503, "Service Unavailable"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].status == status) return known[i].phrase;
    }
    return "Answered";
}

static bool write_head(bw_conn *conn, const bw_response *response, unsigned char **at, unsigned char *end) {
    struct lws *wsi = conn->wsi;
    /* By hand: before an upgrade is decided, libwebsockets would call it HTTP/1.0, which clients refuse. */
    *at += snprintf((char *)*at, (size_t)(end - *at), "HTTP/1.1 %d %s\r\n", response->status,
                    reason_phrase(response->status));
    for (int i = 0; i < response->header_count; i++) {
        char name[64];
        size_t length = strlen(response->headers[i].name);
        if (length + 2 > sizeof name) return false;
        memcpy(name, response->headers[i].name, length);
        memcpy(name + length, ":", 2);
        const char *value = response->headers[i].value;
        if (lws_add_http_header_by_name(wsi, (const unsigned char *)name, (const unsigned char *)value,
                                        (int)strlen(value), at, end)) {
            return false;
        }
    }
    bool bodiless = response->status == 204 || response->status == 304;
    if (!bodiless && lws_add_http_header_content_length(wsi, response->length, at, end)) {
        return false;
    }
    if (conn->exchange->close && lws_add_http_header_by_name(wsi, (const unsigned char *)"connection:",
                                                             (const unsigned char *)"close", 5, at, end)) {
        return false;
    }
    return lws_finalize_http_header(wsi, at, end) == 0;
}

void bw_lws_http_reply(bw_net_lws *net, bw_conn *conn, const bw_response *response) {
    bw_exchange *exchange = conn->exchange;
    exchange->answered = true;
    /* Behind the last chunk libwebsockets still waits for more of the body, so that request was the last. */
    exchange->close = response->close || exchange->in_chunks;
    exchange->owner = response->owner;
    exchange->head = malloc(LWS_PRE + HEAD_MAX);
    unsigned char *start = (unsigned char *)exchange->head + LWS_PRE, *at = start;
    if (!exchange->head || !write_head(conn, response, &at, start + HEAD_MAX)) {
        bw_lws_cut(conn);
        return;
    }
    exchange->head_length = (size_t)(at - start);
    bool bodiless = response->status == 204 || response->status == 304 || exchange->request.method == BW_HEAD;
    exchange->answer = response->body;
    exchange->answer_length = bodiless ? 0 : response->length;
    bw_lws_set_deadline(net, conn, BW_NET_ANSWER_SECONDS);
    lws_callback_on_writable(conn->wsi);
}

/* Head and, where it is small, body are written at once. -1: the connection is broken. */
static int write_some(bw_net_lws *net, bw_conn *conn) {
    bw_exchange *exchange = conn->exchange;
    if (!exchange->head_sent) {
        unsigned char *at = net->scratch + LWS_PRE;
        size_t length = exchange->head_length, body = exchange->answer_length;
        memcpy(at, exchange->head + LWS_PRE, length);
        if (body && body <= BW_WRITE_CHUNK) {
            memcpy(at + length, exchange->answer, body);
            exchange->answer_sent = body;
            length += body;
        }
        exchange->head_sent = true;
        if (lws_write(conn->wsi, at, length, LWS_WRITE_HTTP_HEADERS) < 0) return -1;
    }
    while (exchange->answer_sent < exchange->answer_length && !lws_partial_buffered(conn->wsi)) {
        size_t left = exchange->answer_length - exchange->answer_sent;
        size_t length = left < BW_WRITE_CHUNK ? left : BW_WRITE_CHUNK;
        memcpy(net->scratch + LWS_PRE, exchange->answer + exchange->answer_sent, length);
        if (lws_write(conn->wsi, net->scratch + LWS_PRE, length, LWS_WRITE_HTTP) < 0) return -1;
        exchange->answer_sent += length;
    }
    return 0;
}

int bw_lws_http_writable(bw_net_lws *net, bw_conn *conn) {
    bw_exchange *exchange = conn->exchange;
    if (!exchange || !exchange->answered) return 0;
    if (write_some(net, conn) < 0) return -1;
    if (exchange->answer_sent < exchange->answer_length) {
        lws_callback_on_writable(conn->wsi);
        return 0;
    }
    bool close = exchange->close;
    bw_lws_exchange_free(conn);
    conn->number = 0;
    bw_lws_set_deadline(net, conn, close ? BW_CLOSE_SECONDS : BW_NET_IDLE_SECONDS);
    return close || lws_http_transaction_completed(conn->wsi) ? -1 : 0;
}

void bw_lws_exchange_free(bw_conn *conn) {
    bw_exchange *exchange = conn->exchange;
    if (!exchange) return;
    if (exchange->owner) bw_bytes_release(exchange->owner);
    free(exchange->body);
    free(exchange->head);
    free(exchange);
    conn->exchange = NULL;
}

/* ---- on the way to a WebSocket ---- */

static void refuse_upgrade(bw_net_lws *net, bw_conn *conn, const bw_response *refusal) {
    bw_lws_http_reply(net, conn, refusal);
    if (conn->exchange->head_length) {
        write_some(net, conn); /* refusals are short; what the socket does not take, libwebsockets keeps */
    }
    bw_lws_exchange_free(conn);
}

int bw_lws_http_upgrade(bw_net_lws *net, bw_conn *conn, const char *protocol) {
    if (!start_exchange(net, conn)) return -1;
    bw_response refusal = {.status = 426, .close = true};
    bool accepted = false;
    if (protocol && lws_hdr_total_length(conn->wsi, WSI_TOKEN_UPGRADE) == 9) { /* "websocket", not "h2c" */
        uint32_t limit = net->options.sockets_per_address;
        if (limit && bw_addresses_count(&net->sockets, conn->address) >= limit) {
            static const char body[] =
                "{\"type\":\"error\",\"code\":\"rate_limited\",\"message\":\"There are too many open "
                "connections from your address. Close some tabs and try again.\"}";
            net->figures.refused_total++;
            refusal = (bw_response){.status = 429, .body = body, .length = sizeof body - 1, .close = true};
            bw_response_header(&refusal, "content-type", "application/json");
        } else {
            accepted = net->options.handler.upgrade(net->options.handler.user, &conn->exchange->request, &refusal);
        }
    } else {
        bw_response_header(&refusal, "upgrade", "websocket");
    }
    if (accepted) return 0;
    refusal.close = true;
    refuse_upgrade(net, conn, &refusal);
    return -1;
}
