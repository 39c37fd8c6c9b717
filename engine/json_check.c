/* JSON in, first half: is this text JSON at all (RFC 8259)?
 *
 * jsmn finds tokens and lets much pass that is no JSON; this pass is strict, without recursion, and
 * also refuses what the C side cannot hold: NUL characters and unpaired surrogates. */
#include "engine/json_check.h"

#include <string.h>

enum { DEPTH_MAX = 32 };

typedef struct scan {
    const unsigned char *at, *end;
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

int bw_hex_digit(unsigned char c) {
    if (is_digit(c)) return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int unit(scan *s) {
    if (s->end - s->at < 4) return -1;
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = bw_hex_digit(*s->at++);
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
    if (high < 0xd800 || high > 0xdfff) return high > 0;
    if (high > 0xdbff || !take(s, '\\') || !take(s, 'u')) return false;
    int low = unit(s);
    return low >= 0xdc00 && low <= 0xdfff;
}

/* RFC 3629, the table of well-formed byte sequences. */
static bool sequence(scan *s) {
    unsigned char lead = *s->at++;
    unsigned low = 0x80, high = 0xbf;
    int more;
    if (lead < 0x80) return true;
    if (lead >= 0xc2 && lead <= 0xdf) {
        more = 1;
    } else if (lead >= 0xe0 && lead <= 0xef) {
        more = 2;
        low = lead == 0xe0 ? 0xa0 : 0x80;
        high = lead == 0xed ? 0x9f : 0xbf;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
        more = 3;
        low = lead == 0xf0 ? 0x90 : 0x80;
        high = lead == 0xf4 ? 0x8f : 0xbf;
    } else {
        return false;
    }
    for (; more > 0; more--, low = 0x80, high = 0xbf) {
        if (s->at == s->end || *s->at < low || *s->at > high) return false;
        s->at++;
    }
    return true;
}

static bool string(scan *s) {
    if (!take(s, '"')) return false;
    while (s->at < s->end && *s->at != '"') {
        if (*s->at < 0x20) return false;
        if (take(s, '\\')) {
            if (!escape(s)) return false;
        } else if (!sequence(s)) {
            return false;
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
    skip_space(s);
    if (!string(s)) return false;
    skip_space(s);
    return take(s, ':');
}

int bw_json_check(const char *text, size_t length, int depth_max, size_t *at) {
    scan s = {(const unsigned char *)text, (const unsigned char *)text + length};
    bool in_object[DEPTH_MAX];
    int depth = 0;
    int error = BW_JSON_BAD;
    if (depth_max > DEPTH_MAX) depth_max = DEPTH_MAX;
    for (;;) {
        /* A value stands here. */
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
            if (!(s.at < s.end && *s.at == (object ? '}' : ']'))) {
                if (object && !key(&s)) break;
                continue;
            }
        } else if (!scalar(&s)) {
            break;
        }
        /* Behind a value (or before the bracket that ends an empty one). */
        bool next = false;
        while (depth > 0 && !next) {
            skip_space(&s);
            if (take(&s, in_object[depth - 1] ? '}' : ']')) depth--;
            else if (take(&s, ',') && (!in_object[depth - 1] || key(&s))) next = true;
            else break;
        }
        if (next) continue;
        skip_space(&s);
        if (depth == 0 && s.at == s.end) return 0;
        break;
    }
    *at = (size_t)(s.at - (const unsigned char *)text);
    return error;
}
