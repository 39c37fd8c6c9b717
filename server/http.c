#include "server/http.h"

#include <http_parser.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/frames.h"
#include "server/target.h"

enum {
    HEAD_AT_FIRST = 1024,
    EMPTY_LINES_MAX = 4, /* before a request, to be skipped (RFC 9112, 2.2) */
    CRLF = 2,
};

#define TOKEN "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* The headers that matter; others are only checked for their form. */
enum {
    HOST,
    ORIGIN,
    CONTENT_LENGTH,
    TRANSFER_ENCODING,
    EXPECT,
    WEBSOCKET_KEY,
    WEBSOCKET_VERSION,
    ONCE, /* headers before this may appear once */
    ACCEPT = ONCE,
    ACCEPT_ENCODING,
    IF_NONE_MATCH,
    FORWARDED_FOR,
    CONNECTION,
    UPGRADE,
    HEADERS
};
static const char *const header_names[HEADERS] = {"host",
                                                  "origin",
                                                  "content-length",
                                                  "transfer-encoding",
                                                  "expect",
                                                  "sec-websocket-key",
                                                  "sec-websocket-version",
                                                  "accept",
                                                  "accept-encoding",
                                                  "if-none-match",
                                                  "x-forwarded-for",
                                                  "connection",
                                                  "upgrade"};

typedef enum place { IN_HEAD, IN_LENGTH, IN_SIZE_LINE, IN_CHUNK, IN_TRAILER, AT_END } place;

typedef struct reader {
    bw_http http;
    http_parser parser;
    place place;
    bool after_cr, whole, has_name, connection_upgrade, upgrade_websocket, wants_continue;
    int lines;
    /* First the head as it comes, later the strings of the request inside it. */
    char *head;
    size_t head_length, head_cap, line_start;
    char *target;
    size_t target_length;
    const char *name;
    size_t name_length;
    struct {
        char *at;
        size_t length;
    } values[HEADERS];
    char *body;
    size_t limit; /* of the body */
    size_t body_length, body_max, body_cap, chunk_left, framing;
    char line[BW_HTTP_CHUNK_LINE_MAX];
    size_t line_length;
} reader;

static bw_http_status refuse(reader *r, int status, const char *sentence) {
    r->http.refusal = status;
    r->http.sentence = sentence;
    r->place = AT_END;
    return BW_HTTP_REFUSED;
}

static bw_http_status refuse_long(reader *r) {
    return refuse(r, 413,
                  r->limit > BW_NET_MESSAGE_MAX ? "A game's file may have at most 2 MiB."
                                                : "The body of a request may have at most 4096 bytes.");
}

#define REFUSE_FORM(r) refuse(r, 400, "This is not a valid HTTP/1.1 request.")

/* ---- callbacks of the parser ---- */

static bool is_name(const char *at, size_t length, const char *name) {
    return strlen(name) == length && strncasecmp(at, name, length) == 0;
}

/* Is the word in a list such as `keep-alive, Upgrade`? */
static bool lists(const char *at, size_t length, const char *word) {
    for (size_t i = 0; i < length;) {
        size_t start = i, end;
        while (i < length && at[i] != ',') i++;
        for (end = i++; start < end && strchr(" \t", at[start]);) start++;
        while (end > start && strchr(" \t", at[end - 1])) end--;
        if (is_name(at + start, end - start, word)) return true;
    }
    return false;
}

static int on_url(http_parser *parser, const char *at, size_t length) {
    reader *r = parser->data;
    r->target = r->head + (at - r->head);
    r->target_length = length;
    return 0;
}

static int on_name(http_parser *parser, const char *at, size_t length) {
    reader *r = parser->data;
    r->name = at;
    r->name_length = length;
    if (r->place != IN_HEAD) return 0;
    for (size_t i = 0; i < length; i++) {
        if (!strchr(TOKEN, at[i])) return -1;
    }
    return 0;
}

static int on_value(http_parser *parser, const char *at, size_t length) {
    reader *r = parser->data;
    if (r->place != IN_HEAD) return 0; /* trailers are ignored */
    while (length && strchr(" \t", at[length - 1])) length--;
    if (is_name(r->name, r->name_length, header_names[CONNECTION]))
        r->connection_upgrade |= lists(at, length, "upgrade");
    if (is_name(r->name, r->name_length, header_names[UPGRADE])) r->upgrade_websocket |= lists(at, length, "websocket");
    for (int i = 0; i < HEADERS; i++) {
        if (!is_name(r->name, r->name_length, header_names[i])) continue;
        if (i < ONCE && r->values[i].at) return -1;
        if (r->values[i].at && i != FORWARDED_FOR) return 0;
        r->values[i].at = r->head + (at - r->head);
        r->values[i].length = length;
    }
    return 0;
}

/* The protocol does not change before we say so: a request may ask for another one and have a body. */
static int on_head(http_parser *parser) {
    parser->upgrade = 0;
    return 0;
}

static int on_chunk(http_parser *parser) {
    reader *r = parser->data;
    r->chunk_left = parser->content_length > r->limit ? r->limit + 1 : parser->content_length;
    return 0;
}

/* Memory for a long body is allocated as it comes, not as announced. */
static bool grow_body(reader *r, size_t wanted) {
    if (wanted <= r->body_cap) return true;
    size_t cap = r->body_cap * 2 > wanted ? r->body_cap * 2 : wanted;
    if (cap > r->body_max) cap = r->body_max;
    char *more = realloc(r->body, cap + 1);
    if (!more) return false;
    r->body = more;
    r->body_cap = cap;
    return true;
}

static int on_body(http_parser *parser, const char *at, size_t length) {
    reader *r = parser->data;
    if (r->body_length + length > r->body_max || !grow_body(r, r->body_length + length)) return -1;
    memcpy(r->body + r->body_length, at, length);
    r->body_length += length;
    return 0;
}

static int on_end(http_parser *parser) {
    ((reader *)parser->data)->whole = true;
    return 0;
}

static bool parse(reader *r, const char *bytes, size_t length) {
    static const http_parser_settings settings = {.on_url = on_url,
                                                  .on_header_field = on_name,
                                                  .on_header_value = on_value,
                                                  .on_headers_complete = on_head,
                                                  .on_chunk_header = on_chunk,
                                                  .on_body = on_body,
                                                  .on_message_complete = on_end};
    return http_parser_execute(&r->parser, &settings, bytes, length) == length &&
           HTTP_PARSER_ERRNO(&r->parser) == HPE_OK;
}

/* ---- the head ---- */

static const char *value(reader *r, int header) {
    if (!r->values[header].at) return "";
    r->values[header].at[r->values[header].length] = '\0';
    return r->values[header].at;
}

static bool append(reader *r, char c) {
    if (r->head_length + 1 >= r->head_cap) {
        size_t cap = r->head_cap ? r->head_cap * 2 : HEAD_AT_FIRST;
        char *more = realloc(r->head, cap);
        if (!more) return false;
        r->head = more;
        r->head_cap = cap;
    }
    r->head[r->head_length++] = c;
    return true;
}

/* `METHOD target HTTP/1.1`, with one space each: the parser allows more. */
static bool is_request_line(const char *line, size_t length) {
    size_t method = strspn(line, TOKEN);
    if (method == 0 || line[method] != ' ') return false;
    const char *target = line + method + 1, *version = memchr(target, ' ', length - method - 1);
    if (!version || version == target) return false;
    version++;
    return line + length - version == 8 && strncmp(version, "HTTP/", 5) == 0 && version[6] == '.' &&
           strspn(version + 5, "0123456789") == 1 && strspn(version + 7, "0123456789") == 1;
}

/* A line of the head has ended. */
static bw_http_status end_line(reader *r) {
    size_t length = r->head_length - r->line_start - CRLF;
    const char *line = r->head + r->line_start;
    r->head[r->head_length] = '\0'; /* `append` leaves room for the NUL */
    if (r->lines == 0) {
        if (length > 0 && !is_request_line(line, length)) return REFUSE_FORM(r);
    } else if (length > 0 && strchr(" \t:", line[0])) {
        return refuse(r, 400, "A header must have a name and be in one line.");
    }
    if (++r->lines > BW_HTTP_LINES_MAX) return refuse(r, 431, "A request may have at most 99 headers.");
    r->line_start = r->head_length;
    return BW_HTTP_MORE;
}

/* Is this byte allowed here in the head? */
static bool fits(const reader *r, char c) {
    uint8_t byte = (uint8_t)c;
    if (r->after_cr) return c == '\n';
    if (byte >= 0x80 || c == '\t') return r->lines > 0;
    return (byte >= 0x20 && byte != 0x7f) || c == '\r';
}

static bw_http_status judge_head(reader *r);

static bw_http_status read_head(reader *r, const char *bytes, size_t length, size_t *used) {
    while (*used < length) {
        char c = bytes[(*used)++];
        if (!fits(r, c)) return refuse(r, 400, "The head must consist of lines of text that end with CR and LF.");
        if (r->head_length >= BW_HTTP_HEAD_MAX) {
            return r->lines ? refuse(r, 431, "The headers of a request may have at most 8192 bytes.")
                            : refuse(r, 414, "An address may have at most 8000 bytes.");
        }
        if (!append(r, c)) return refuse(r, 503, "The server is out of memory.");
        r->after_cr = c == '\r';
        if (c != '\n') continue;
        bool empty = r->head_length - r->line_start == CRLF;
        if (empty && r->lines == 0) { /* before the request */
            if (++r->framing > EMPTY_LINES_MAX) return REFUSE_FORM(r);
            r->head_length = 0;
            continue;
        }
        bw_http_status status = end_line(r);
        if (status != BW_HTTP_MORE) return status;
        if (empty) return judge_head(r);
    }
    return BW_HTTP_MORE;
}

static bw_http_status refuse_parsed(reader *r) {
    switch (HTTP_PARSER_ERRNO(&r->parser)) {
    case HPE_INVALID_METHOD: return refuse(r, 501, "This server supports GET, HEAD, POST and OPTIONS.");
    case HPE_INVALID_VERSION: return refuse(r, 505, "This server supports HTTP/1.1.");
    case HPE_CB_header_value:
        return refuse(
            r, 400,
            "Host, Origin, Content-Length, Transfer-Encoding, Expect and WebSocket headers may appear only once.");
    case HPE_CB_body: return refuse_long(r);
    default: return REFUSE_FORM(r);
    }
}

static bw_method method_of(const http_parser *parser) {
    switch (parser->method) {
    case HTTP_GET: return BW_GET;
    case HTTP_HEAD: return BW_HEAD;
    case HTTP_POST: return BW_POST;
    case HTTP_OPTIONS: return BW_OPTIONS;
    default: return BW_METHOD_OTHER;
    }
}

/* A browser that opens a page, not a program: somebody reads the answer. */
static bool asks_for_page(reader *r) {
    static const char *const for_programs[] = {"/api/", "/ws/", "/metrics", "/healthz", "/readyz", "/assets/"};
    bw_method method = r->http.request.method;
    if ((method != BW_GET && method != BW_HEAD) || r->target[0] != '/' || r->upgrade_websocket) return false;
    for (size_t i = 0; i < sizeof for_programs / sizeof for_programs[0]; i++) {
        if (strncmp(r->target, for_programs[i], strlen(for_programs[i])) == 0) return false;
    }
    return strcasestr(value(r, ACCEPT), "text/html") != NULL;
}

/* Target and Host. false: refused. */
static bool judge_address(reader *r) {
    bw_request *request = &r->http.request;
    bw_target target;
    r->target[r->target_length] = '\0';
    if (request->method == BW_OPTIONS && strcmp(r->target, "*") == 0) r->target[0] = '/'; /* "*": the whole server */
    bool page = asks_for_page(r);
    if (!bw_target_read(&target, r->target)) {
        if (!page) {
            refuse(r, 400, "This address contains characters that are not allowed in a URL.");
            return false;
        }
        target = (bw_target){.authority = "", .path = "/", .query = ""}; /* nothing of the address is used */
        request->mistyped = true;
    }
    request->path = target.path;
    request->query = target.query;
    request->host = value(r, HOST);
    bool named = r->values[HOST].at != NULL;
    if ((named || !r->http.one_zero) && !bw_host_is_valid(request->host)) {
        refuse(r, 400, "A request must have one Host, such as localhost:8000.");
        return false;
    }
    if (*target.authority) request->host = target.authority;
    return true;
}

/* RFC 6455, 4.2.1. false: refused. */
static bool judge_handshake(reader *r) {
    if (!r->upgrade_websocket) return true;
    if (r->http.request.method != BW_GET || r->http.one_zero || !r->connection_upgrade || r->body_max > 0) {
        refuse(r, 400, "A WebSocket must be opened by GET, HTTP/1.1, without a body, with Connection: Upgrade.");
        return false;
    }
    if (strcmp(value(r, WEBSOCKET_VERSION), "13") != 0) {
        refuse(r, 426, "This server supports version 13 of WebSocket.");
        return false;
    }
    const char *key = value(r, WEBSOCKET_KEY);
    if (!bw_frame_key_is_valid(key)) {
        refuse(r, 400, "Sec-WebSocket-Key must be 16 bytes in base64.");
        return false;
    }
    r->http.key = key;
    return true;
}

/* Finds the body and checks its length. false: refused. */
static bool judge_body(reader *r) {
    const char *path = r->http.request.path;
    bool file = r->http.request.method == BW_POST &&
                (strcmp(path, BW_NET_FILE_PATH) == 0 || strcmp(path, BW_NET_RUNNING_PATH) == 0);
    r->limit = file ? BW_SHARED_FILE_MAX : BW_NET_MESSAGE_MAX;
    const char *length = value(r, CONTENT_LENGTH), *coding = value(r, TRANSFER_ENCODING);
    if (r->values[TRANSFER_ENCODING].at) {
        if (r->http.one_zero || r->values[CONTENT_LENGTH].at) {
            refuse(r, 400, "Transfer-Encoding is allowed only in HTTP/1.1 and without Content-Length.");
            return false;
        }
        if (strcasecmp(coding, "chunked") != 0) {
            refuse(r, 501, "The only supported transfer coding is chunked.");
            return false;
        }
        r->body_max = r->limit;
        r->place = IN_SIZE_LINE;
        return true;
    }
    if (!r->values[CONTENT_LENGTH].at) return true;
    if (*length == '\0' || length[strspn(length, "0123456789")]) {
        refuse(r, 400, "Content-Length must be a whole number.");
        return false;
    }
    r->body_max = (size_t)strtoul(length, NULL, 10);
    if (r->body_max > r->limit) {
        refuse_long(r);
        return false;
    }
    r->place = r->body_max ? IN_LENGTH : r->place;
    return true;
}

static bool judge_expectation(reader *r) {
    const char *expected = value(r, EXPECT);
    if (r->values[EXPECT].at && strcasecmp(expected, "100-continue") != 0) {
        refuse(r, 417, "The only supported expectation is 100-continue.");
        return false;
    }
    r->wants_continue = r->values[EXPECT].at && !r->http.one_zero && r->body_max > 0;
    return true;
}

static bw_http_status end_request(reader *r) {
    r->place = AT_END;
    if (r->body) {
        r->body[r->body_length] = '\0';
        r->http.request.body = r->body;
        r->http.request.length = r->body_length;
    }
    return BW_HTTP_WHOLE;
}

/* The head is complete. It is parsed in one piece, so that the parser's pointers stay valid. */
static bw_http_status judge_head(reader *r) {
    bool parsed = parse(r, r->head, r->head_length);
    /* An invalid length, or one refused below for a better reason, is hidden from the parser. */
    enum http_errno error = HTTP_PARSER_ERRNO(&r->parser);
    bool by_length = error == HPE_INVALID_CONTENT_LENGTH || error == HPE_UNEXPECTED_CONTENT_LENGTH ||
                     error == HPE_INVALID_TRANSFER_ENCODING;
    if (!parsed && !by_length) return refuse_parsed(r);
    if (r->parser.http_major != 1) return refuse(r, 505, "This server supports HTTP/1.1.");
    if (by_length) return refuse(r, 400, "The length of the body is ambiguous.");
    if (r->parser.method == HTTP_CONNECT) return refuse(r, 501, "This server is not a proxy.");
    r->http.one_zero = r->parser.http_minor == 0;
    r->http.keep_alive = http_should_keep_alive(&r->parser);
    bw_request *request = &r->http.request;
    request->method = method_of(&r->parser);
    request->origin = value(r, ORIGIN);
    request->accept_encoding = value(r, ACCEPT_ENCODING);
    request->if_none_match = value(r, IF_NONE_MATCH);
    r->http.forwarded_for = value(r, FORWARDED_FOR);
    r->place = AT_END;
    if (!judge_address(r) || !judge_body(r) || !judge_handshake(r) || !judge_expectation(r)) return BW_HTTP_REFUSED;
    if (r->place == AT_END) return end_request(r);
    r->body_cap = r->body_max < BW_NET_MESSAGE_MAX ? r->body_max : BW_NET_MESSAGE_MAX;
    r->body = malloc(r->body_cap + 1);
    if (!r->body) return refuse(r, 503, "The server is out of memory.");
    r->framing = 0;
    r->http.large = r->body_max > BW_NET_MESSAGE_MAX;
    return r->wants_continue ? BW_HTTP_CONTINUE : BW_HTTP_MORE;
}

/* ---- the body ---- */

static bw_http_status read_length(reader *r, const char *bytes, size_t length, size_t *used) {
    size_t take = r->body_max - r->body_length;
    if (take > length - *used) take = length - *used;
    if (!parse(r, bytes + *used, take)) return refuse_parsed(r);
    *used += take;
    return r->whole ? end_request(r) : BW_HTTP_MORE;
}

/* `1a`, and perhaps spaces, `;` and an extension, which is ignored. */
static bool is_size_line(const char *line, size_t length) {
    size_t digits = strspn(line, "0123456789abcdefABCDEF");
    size_t at = digits + strspn(line + digits, " \t");
    return digits > 0 && digits <= 8 && (at == length ? at == digits : line[at] == ';');
}

static bool is_trailer(const char *line, size_t length) {
    size_t name = strspn(line, TOKEN);
    return length == 0 || (name > 0 && line[name] == ':');
}

static bw_http_status end_chunk_line(reader *r) {
    size_t length = r->line_length - CRLF;
    r->line[length] = '\0'; /* over the CR, which the parser gets back */
    if (!(r->place == IN_SIZE_LINE ? is_size_line(r->line, length) : is_trailer(r->line, length))) {
        return refuse(r, 400, "The chunks of the body are not valid HTTP/1.1.");
    }
    r->line[length] = '\r';
    if (!parse(r, r->line, r->line_length)) return refuse_parsed(r);
    r->line_length = 0;
    if (r->whole) return end_request(r);
    if (r->place == IN_TRAILER) return BW_HTTP_MORE;
    if (r->body_length + r->chunk_left > r->body_max) {
        return refuse_long(r);
    }
    r->place = r->chunk_left ? IN_CHUNK : IN_TRAILER;
    r->chunk_left += CRLF;
    return BW_HTTP_MORE;
}

static bw_http_status read_line(reader *r, const char *bytes, size_t length, size_t *used) {
    while (*used < length) {
        char c = bytes[(*used)++];
        bool text = (uint8_t)c >= 0x80 || (c >= 0x20 && c != 0x7f) || c == '\t';
        bool good = r->after_cr ? c == '\n' : text || c == '\r';
        if (!good || r->line_length == sizeof r->line || r->framing++ == BW_HTTP_FRAMING_MAX) {
            return refuse(r, 400, "The chunks of the body are not valid HTTP/1.1, or have long lines between them.");
        }
        r->after_cr = c == '\r';
        r->line[r->line_length++] = c;
        if (r->place == IN_SIZE_LINE && r->line_length == 1 && !strchr("0123456789abcdefABCDEF", c)) {
            return refuse(r, 400, "The chunks of the body are not valid HTTP/1.1.");
        }
        if (c == '\n') return end_chunk_line(r);
    }
    return BW_HTTP_MORE;
}

/* The chunk and the CR and LF after it, which the parser does not check. */
static bw_http_status read_chunk(reader *r, const char *bytes, size_t length, size_t *used) {
    size_t take = r->chunk_left > CRLF ? r->chunk_left - CRLF : 1;
    if (take > length - *used) take = length - *used;
    if (r->chunk_left <= CRLF && bytes[*used] != (r->chunk_left == CRLF ? '\r' : '\n')) {
        return refuse(r, 400, "The chunks of the body are not valid HTTP/1.1.");
    }
    if (!parse(r, bytes + *used, take)) return refuse_parsed(r);
    *used += take;
    r->chunk_left -= take;
    if (r->chunk_left == 0) r->place = IN_SIZE_LINE;
    return BW_HTTP_MORE;
}

bw_http_status bw_http_read(bw_http *http, const char *bytes, size_t length, size_t *used) {
    reader *r = (reader *)http;
    bw_http_status status = BW_HTTP_MORE;
    for (*used = 0; *used < length && status == BW_HTTP_MORE;) {
        switch (r->place) {
        case IN_HEAD: status = read_head(r, bytes, length, used); break;
        case IN_LENGTH: status = read_length(r, bytes, length, used); break;
        case IN_SIZE_LINE:
        case IN_TRAILER: status = read_line(r, bytes, length, used); break;
        case IN_CHUNK: status = read_chunk(r, bytes, length, used); break;
        case AT_END: return BW_HTTP_WHOLE;
        }
    }
    return status;
}

bw_http *bw_http_new(void) {
    reader *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    http_parser_init(&r->parser, HTTP_REQUEST);
    r->parser.data = r;
    r->http.request = (bw_request){.method = BW_METHOD_OTHER,
                                   .path = "/",
                                   .query = "",
                                   .host = "",
                                   .origin = "",
                                   .accept_encoding = "",
                                   .if_none_match = "",
                                   .address = "",
                                   .body = ""};
    r->http.forwarded_for = "";
    return &r->http;
}

void bw_http_free(bw_http *http) {
    reader *r = (reader *)http;
    if (!r) return;
    free(r->head);
    free(r->body);
    free(r);
}
