/* JSON in, first half: splits text into tokens and reads single tokens.
 *
 * jsmn accepts much that is not JSON. So the text is first checked strictly against the grammar of RFC 8259, without
 * recursion. A NUL character and half a surrogate pair are valid JSON, but a C string cannot hold them: they are
 * refused with an error and a sentence of their own. */
#define BW_JSON_WITH_JSMN
#include "engine/json.h"

#include <stdarg.h>
#include <string.h>

#include "engine/text.h"

bool bw_fail(bw_error_text *why, const char *first, ...) {
    if (!why) return false;
    va_list pieces;
    size_t length = 0;
    va_start(pieces, first);
    for (const char *piece = first; piece; piece = va_arg(pieces, const char *)) {
        while (*piece && length < sizeof why->text - 1) why->text[length++] = *piece++;
    }
    va_end(pieces);
    why->text[length] = 0;
    return false;
}

bool bw_same(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

/* ---- the grammar ---- */

enum { DEPTH_MAX = 32 };

typedef struct scan {
    const unsigned char *at, *end;
    bw_raw key;  /* of the member whose value is at `at`; {0}: not a member's value */
    bool unheld; /* a string was seen that no C string can hold; the first one is the value of `unheld_key` */
    bw_raw unheld_key;
} scan;

static void skip_space(scan *s) {
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r')) {
        s->at++;
    }
}

static bool take(scan *s, char c) {
    if (s->at < s->end && *s->at == (unsigned char)c) {
        s->at++;
        return true;
    }
    return false;
}

static bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }

static bool digits(scan *s) {
    const unsigned char *start = s->at;
    while (s->at < s->end && is_digit(*s->at)) s->at++;
    return s->at > start;
}

static bool number(scan *s) {
    take(s, '-');
    if (!take(s, '0') && !digits(s)) return false;
    if (take(s, '.') && !digits(s)) return false;
    if (take(s, 'e') || take(s, 'E')) {
        if (!take(s, '+')) take(s, '-');
        return digits(s);
    }
    return true;
}

static int hex_digit(unsigned char c) {
    if (is_digit(c)) return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int unit(scan *s) {
    if (s->end - s->at < 4) return -1;
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(*s->at++);
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

static bool escape(scan *s) {
    if (s->at == s->end) return false;
    unsigned char c = *s->at++;
    if (c != 'u') {
        return c == '"' || c == '\\' || c == '/' || c == 'b' || c == 'f' || c == 'n' || c == 'r' || c == 't';
    }
    int high = unit(s);
    if (high > 0 && (high < 0xd800 || high > 0xdfff)) return true;
    if (high >= 0xd800 && high <= 0xdbff) {
        scan behind = *s;
        int low = take(&behind, '\\') && take(&behind, 'u') ? unit(&behind) : -1;
        if (low >= 0xdc00 && low <= 0xdfff) {
            s->at = behind.at;
            return true;
        }
    }
    if (high >= 0 && !s->unheld) {
        s->unheld = true;
        s->unheld_key = s->key;
    }
    return high >= 0;
}

static bool string(scan *s) {
    if (!take(s, '"')) return false;
    while (s->at < s->end && *s->at != '"') {
        if (*s->at < 0x20) return false;
        if (take(s, '\\')) {
            if (!escape(s)) return false;
        } else {
            int bytes = *s->at < 0x80 ? 1 : bw_utf8_length((const char *)s->at, (size_t)(s->end - s->at));
            if (bytes == 0) return false;
            s->at += bytes;
        }
    }
    return take(s, '"');
}

static bool word(scan *s, const char *text, size_t length) {
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, text, length) != 0) return false;
    s->at += length;
    return true;
}

static bool scalar(scan *s) {
    if (s->at == s->end) return false;
    switch (*s->at) {
    case '"': return string(s);
    case 't': return word(s, "true", 4);
    case 'f': return word(s, "false", 5);
    case 'n': return word(s, "null", 4);
    default: return number(s);
    }
}

static bool key(scan *s) {
    s->key = (bw_raw){0};
    skip_space(s);
    const unsigned char *start = s->at + 1;
    if (!string(s)) return false;
    s->key = (bw_raw){(const char *)start, (size_t)(s->at - 1 - start)};
    skip_space(s);
    return take(s, ':');
}

/* 0, BW_JSON_BAD, BW_JSON_DEEP or BW_JSON_UNHELD. `at`: the byte at which the check failed; `named`: the member
 * whose string cannot be held. */
static int check(const char *text, size_t length, int depth_max, size_t *at, bw_raw *named) {
    scan s = {.at = (const unsigned char *)text, .end = (const unsigned char *)text + length};
    bool in_object[DEPTH_MAX];
    int depth = 0;
    int error = BW_JSON_BAD;
    if (depth_max > DEPTH_MAX) depth_max = DEPTH_MAX;
    for (;;) {
        /* `at` is at a value. */
        skip_space(&s);
        bool object = s.at < s.end && *s.at == '{';
        if (object || (s.at < s.end && *s.at == '[')) {
            if (depth == depth_max) {
                error = BW_JSON_DEEP;
                break;
            }
            s.at++;
            in_object[depth++] = object;
            skip_space(&s);
            s.key = (bw_raw){0};
            if (!(s.at < s.end && *s.at == (object ? '}' : ']'))) {
                if (object && !key(&s)) break;
                continue;
            }
        } else if (!scalar(&s)) {
            break;
        }
        /* After a value, or before the bracket that closes an empty one. */
        bool next = false;
        s.key = (bw_raw){0};
        while (depth > 0 && !next) {
            skip_space(&s);
            if (take(&s, in_object[depth - 1] ? '}' : ']')) depth--;
            else if (take(&s, ',') && (!in_object[depth - 1] || key(&s))) next = true;
            else break;
        }
        if (next) continue;
        skip_space(&s);
        if (depth == 0 && s.at == s.end) {
            *named = s.unheld_key;
            return s.unheld ? BW_JSON_UNHELD : 0;
        }
        break;
    }
    *at = (size_t)(s.at - (const unsigned char *)text);
    return error;
}

/* The key if it is a plain word, else an empty string: an error does not repeat strange keys. */
static void name_of(bw_raw key, char *name, size_t cap) {
    bool plain = key.length > 0 && key.length < cap;
    for (size_t i = 0; plain && i < key.length; i++) {
        unsigned char c = (unsigned char)key.at[i], letter = c | 0x20;
        plain = is_digit(c) || c == '_' || (letter >= 'a' && letter <= 'z');
        name[i] = (char)c;
    }
    name[plain ? key.length : 0] = 0;
}

int64_t bw_json_id(const char *text, size_t length) {
    scan s = {.at = (const unsigned char *)text, .end = (const unsigned char *)text + length};
    int depth = 0;
    while (s.at < s.end) {
        const unsigned char *start = s.at;
        if (*s.at == '"') {
            if (!string(&s)) return 0;
            if (depth != 1 || s.at - start != 4 || memcmp(start, "\"id\"", 4) != 0) continue;
            skip_space(&s);
            if (!take(&s, ':')) continue;
            skip_space(&s);
            int64_t id = 0;
            start = s.at;
            while (s.at < s.end && is_digit(*s.at) && s.at - start < 16) id = id * 10 + (*s.at++ - '0');
            bool whole = s.at > start && s.at < s.end && *start != '0' && id <= 9007199254740991;
            skip_space(&s); /* if the text ends here, more digits may be missing */
            return whole && (take(&s, ',') || take(&s, '}')) ? id : 0;
        }
        depth += (*s.at == '{' || *s.at == '[') - (*s.at == '}' || *s.at == ']');
        s.at++;
    }
    return 0;
}

/* ---- tokens ---- */

int bw_doc_parse(bw_doc *doc, const char *text, size_t length, bw_token *tokens, int cap, int depth,
                 bw_error_text *why) {
    size_t at = 0;
    bw_raw named = {0};
    *doc = (bw_doc){.text = text, .length = length, .tokens = tokens};
    int error = check(text, length, depth, &at, &named);
    if (error == BW_JSON_DEEP) {
        bw_fail(why, "The message is nested too deeply: ", bw_digits_of(depth).text, " levels at most.", NULL);
        return error;
    }
    if (error == BW_JSON_UNHELD) {
        char name[48];
        name_of(named, name, sizeof name);
        bw_fail(why, name[0] ? "\"" : "A text", name, name[0] ? "\"" : "",
                " must not contain \\u0000 or half a surrogate pair: leave such characters out.", NULL);
        return error;
    }
    if (error < 0) {
        bw_fail(why, "This is not valid JSON: the error is at byte ", bw_digits_of((int64_t)at + 1).text, ".", NULL);
        return error;
    }
    jsmn_parser parser;
    jsmn_init(&parser);
    int count = jsmn_parse(&parser, text, length, tokens, (unsigned)cap);
    if (count == JSMN_ERROR_NOMEM) {
        bw_fail(why, "The message has too many values.", NULL);
        return BW_JSON_LARGE;
    }
    if (count <= 0) {
        /* Strict jsmn accepts no number, true, false or null at the top level; the check above has already accepted
         * it. */
        size_t first = 0, end = length;
        while (first < end && text[first] <= ' ') first++; /* the check allows no other control character */
        while (end > first && text[end - 1] <= ' ') end--;
        tokens[0] = (bw_token){.type = JSMN_PRIMITIVE, .start = (int)first, .end = (int)end};
        count = 1;
    }
    doc->count = count;
    return count;
}

/* ---- reading single tokens ---- */

static bool valid(const bw_doc *doc, int token) { return token >= 0 && token < doc->count; }

bool bw_doc_is_object(const bw_doc *doc, int token) {
    return valid(doc, token) && doc->tokens[token].type == JSMN_OBJECT;
}

bw_raw bw_doc_raw(const bw_doc *doc, int token) {
    const bw_token *t = &doc->tokens[token];
    return (bw_raw){doc->text + t->start, (size_t)(t->end - t->start)};
}

static bool is_word(const bw_doc *doc, int token, const char *word) {
    if (!valid(doc, token) || doc->tokens[token].type != JSMN_PRIMITIVE) return false;
    bw_raw raw = bw_doc_raw(doc, token);
    size_t length = 0;
    while (length < raw.length && word[length] == raw.at[length]) length++;
    return length == raw.length && !word[length];
}

bool bw_doc_is_null(const bw_doc *doc, int token) { return is_word(doc, token, "null"); }

bool bw_doc_bool(const bw_doc *doc, int token, bool *value) {
    *value = is_word(doc, token, "true");
    return *value || is_word(doc, token, "false");
}

int bw_doc_behind(const bw_doc *doc, int token) {
    int end = doc->tokens[token].end, next = token + 1;
    while (next < doc->count && doc->tokens[next].start < end) next++;
    return next;
}

static size_t put_utf8(char *to, uint32_t point) {
    if (point < 0x80) {
        to[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        to[0] = (char)(0xc0 | point >> 6);
        to[1] = (char)(0x80 | (point & 0x3f));
        return 2;
    }
    if (point < 0x10000) {
        to[0] = (char)(0xe0 | point >> 12);
        to[1] = (char)(0x80 | (point >> 6 & 0x3f));
        to[2] = (char)(0x80 | (point & 0x3f));
        return 3;
    }
    to[0] = (char)(0xf0 | point >> 18);
    to[1] = (char)(0x80 | (point >> 12 & 0x3f));
    to[2] = (char)(0x80 | (point >> 6 & 0x3f));
    to[3] = (char)(0x80 | (point & 0x3f));
    return 4;
}

static uint32_t four_digits(const char *at) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) value = value * 16 + (uint32_t)hex_digit((unsigned char)at[i]);
    return value;
}

/* The character after a backslash; the check has found it well-formed. */
static size_t unescape(const char **at, char *to) {
    char c = *(*at)++;
    switch (c) {
    case 'b': *to = '\b'; return 1;
    case 'f': *to = '\f'; return 1;
    case 'n': *to = '\n'; return 1;
    case 'r': *to = '\r'; return 1;
    case 't': *to = '\t'; return 1;
    case 'u': {
        uint32_t point = four_digits(*at);
        *at += 4;
        if (point >= 0xd800 && point <= 0xdbff) {
            point = 0x10000 + ((point - 0xd800) << 10) + (four_digits(*at + 2) - 0xdc00);
            *at += 6;
        }
        return put_utf8(to, point);
    }
    default: *to = c; return 1;
    }
}

int bw_doc_text(const bw_doc *doc, int token, char *text, size_t cap) {
    if (!valid(doc, token) || doc->tokens[token].type != JSMN_STRING) return -1;
    bw_raw raw = bw_doc_raw(doc, token);
    const char *at = raw.at, *end = raw.at + raw.length;
    size_t length = 0;
    while (length < raw.length && at[length] != '\\') length++;
    if (length >= cap) return -1;
    memcpy(text, at, length); /* copies up to the first escape */
    at += length;
    while (at < end) {
        char piece[4];
        size_t bytes = 1;
        if (*at == '\\') {
            at++;
            bytes = unescape(&at, piece);
        } else {
            piece[0] = *at++;
        }
        if (length + bytes >= cap) return -1;
        memcpy(text + length, piece, bytes);
        length += bytes;
    }
    text[length] = 0;
    return (int)length;
}

bool bw_doc_int(const bw_doc *doc, int token, int64_t *value) {
    if (!valid(doc, token) || doc->tokens[token].type != JSMN_PRIMITIVE) return false;
    bw_raw raw = bw_doc_raw(doc, token);
    bool negative = raw.length > 0 && raw.at[0] == '-';
    size_t at = negative;
    if (at == raw.length || raw.length - at > 16) return false;
    int64_t sum = 0;
    for (; at < raw.length; at++) {
        if (raw.at[at] < '0' || raw.at[at] > '9') return false;
        sum = sum * 10 + (raw.at[at] - '0');
    }
    if (sum > 9007199254740991) return false;
    *value = negative ? -sum : sum;
    return true;
}

int bw_doc_member(const bw_doc *doc, int object, const char *key) {
    if (!bw_doc_is_object(doc, object)) return -1;
    char name[64];
    int token = object + 1;
    for (int i = 0; i < doc->tokens[object].size; i++) {
        if (bw_doc_text(doc, token, name, sizeof name) >= 0 && bw_same(name, key)) return token + 1;
        token = bw_doc_behind(doc, token + 1);
    }
    return -1;
}
