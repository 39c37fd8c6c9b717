#include "cli/certificate.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- the rules: fields and their neighbours ---- */

typedef struct squares { /* field 10 y + x is bit s % 50 of half s / 50 */
    uint64_t half[2];
} squares;

static const squares none;

static bool has(squares set, int s) { return set.half[s / 50] >> s % 50 & 1; }
static squares with(squares set, int s) {
    set.half[s / 50] |= (uint64_t)1 << s % 50;
    return set;
}
static squares minus(squares a, squares b) { return (squares){{a.half[0] & ~b.half[0], a.half[1] & ~b.half[1]}}; }
static squares both(squares a, squares b) { return (squares){{a.half[0] & b.half[0], a.half[1] & b.half[1]}}; }
static bool empty(squares a) { return !(a.half[0] | a.half[1]); }

static int count(squares set) {
    int n = 0;
    for (int s = 0; s < 100; s++) n += has(set, s);
    return n;
}

typedef struct node {
    squares set; /* the weather's: flooded fields; the adventurer's: dry fields; more do not matter */
    size_t rest; /* where the line continues after the set */
    int days;    /* CERTIFICATE_SURVIVES: "*", for ever */
    uint8_t square;
    char side; /* 'w', 'a'; else the line is not a position */
} node;

typedef struct reader {
    certificate *c;
    const char *text, *at, *end; /* `end`: the end of the line, before its checksum */
    int line;
} reader;

static bool on_grid(const certificate *c, int x, int y) { return x >= 0 && y >= 0 && x < c->width && y < c->height; }

/* The eight neighbours on the grid, or the four on the sides. */
static squares around(const certificate *c, int s, bool diagonals) {
    squares set = none;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            bool counts = (dx || dy) && (diagonals || !dx || !dy);
            if (counts && on_grid(c, s % 10 + dx, s / 10 + dy)) set = with(set, s + 10 * dy + dx);
        }
    }
    return set;
}

/* ---- reading ---- */

static bool wrong(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(reader *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->c->wrong, sizeof r->c->wrong, format, arguments);
    va_end(arguments);
    r->c->line = r->line;
    return false;
}

static bool word(reader *r, const char *text) {
    size_t length = strlen(text);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0) return false;
    r->at += length;
    return true;
}

static bool number(reader *r, int most, int *value) { /* without a sign or leading zeros */
    const char *first = r->at;
    int n = 0;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && n <= most) n = 10 * n + (*r->at++ - '0');
    *value = n;
    return r->at > first && n <= most && (*first != '0' || r->at == first + 1);
}

static bool square(reader *r, int *s) { /* "c2": column 3, row 2 */
    int x = r->at < r->end ? *r->at++ - 'a' : -1, y;
    if (!number(r, 10, &y) || !on_grid(r->c, x, y - 1)) return wrong(r, "a square of the grid is missing, such as a1");
    *s = 10 * (y - 1) + x;
    return true;
}

static bool list(reader *r, squares *set) { /* "-", or "a1,c2", in the order of rows */
    *set = none;
    if (word(r, "-")) return true;
    for (int s, last = -1;; last = s) {
        if (!square(r, &s)) return false;
        if (s <= last) return wrong(r, "the squares are not in the order of rows and columns");
        *set = with(*set, s);
        if (!word(r, ",")) return true;
    }
}

/* Reads the next line, whose last eight digits are the CRC-32 of all bytes before them. */
static bool next_line(reader *r, const char *stop, uint32_t *crc) {
    const char *from = r->at, *newline = memchr(from, '\n', (size_t)(stop - from));
    r->line++;
    if (from == stop) return wrong(r, "the file ends without its last line, \"end\"");
    if (!newline) return wrong(r, "the file breaks off within this line");
    if (newline - from < 10 || newline[-9] != ' ') return wrong(r, "the line does not end with its checksum");
    for (const char *at = from; at <= newline; at++) {
        if (at == newline - 8) {
            char digits[9];
            snprintf(digits, sizeof digits, "%08x", (unsigned)*crc);
            if (memcmp(digits, at, 8) != 0) return wrong(r, "the checksum does not match: a byte was changed");
        }
        *crc = ~*crc ^ (uint8_t)*at;
        for (int bit = 0; bit < 8; bit++) *crc = *crc >> 1 ^ (*crc & 1 ? 0xedb88320u : 0);
        *crc = ~*crc;
    }
    r->end = newline - 9;
    return true;
}

static bool read_head(reader *r) {
    certificate *c = r->c;
    int version;
    if (!word(r, "boardwalk-certificate ")) return wrong(r, "this is not a certificate");
    if (!number(r, 9999, &version) || version != 1) return wrong(r, "only version 1 of the format is supported");
    bool good = word(r, " flooded_island ") && number(r, 10, &c->width) && word(r, "x") && number(r, 10, &c->height) &&
                word(r, " floods ") && number(r, 3, &c->floods) && word(r, " at-least ") &&
                number(r, CERTIFICATE_SURVIVES, &c->at_least) && word(r, " at-most ") &&
                number(r, CERTIFICATE_SURVIVES, &c->at_most) && r->at == r->end;
    if (!good || c->width < 3 || c->height < 3 || c->floods < 1) return wrong(r, "the first line is malformed");
    return c->at_least <= c->at_most || wrong(r, "at-least is more than at-most");
}

static bool read_node(reader *r, node *n) {
    int at;
    n->side = word(r, "w ") ? 'w' : word(r, "a ") ? 'a' : 0;
    if (!n->side) return wrong(r, "it must begin with \"w \", \"a \" or \"end\"");
    n->days = CERTIFICATE_SURVIVES;
    if (!(n->side == 'a' && word(r, "*")) && !number(r, CERTIFICATE_SURVIVES - 1, &n->days)) {
        return wrong(r, "the number of moves is missing");
    }
    if (!word(r, " ")) return wrong(r, "a space is missing after the number of moves");
    if (!square(r, &at)) return false;
    if (!word(r, " ")) return wrong(r, "a space is missing after the square");
    if (!list(r, &n->set)) return false;
    if (has(n->set, at)) return wrong(r, "the adventurer's own square is in the list");
    n->square = (uint8_t)at;
    n->rest = (size_t)(r->at - r->text);
    return true;
}

/* The position that a branch leads to. */
static const node *follow(reader *r, const node *nodes, int lines, char side, int at) {
    int line;
    if (!number(r, 99999999, &line)) return wrong(r, "the line that a branch leads to is missing"), NULL;
    if (line > lines || nodes[line].side != side) return wrong(r, "line %d is not a position of this side", line), NULL;
    if (nodes[line].square != at) return wrong(r, "line %d is about another square", line), NULL;
    return &nodes[line];
}

/* ---- the proof ---- */

/* After every move of the adventurer the weather can flood what the next position needs, and that position is closer
 * to the end. More flooded fields than listed change nothing: they only take moves away. */
static bool check_night(reader *r, const node *n, const node *nodes, int lines) {
    squares open = minus(around(r->c, n->square, true), n->set);
    for (int q = 0; q < 100; q++) {
        int at;
        if (!has(open, q)) continue;
        if (r->at == r->end) return wrong(r, "no branch for the move to %c%d", 'a' + q % 10, q / 10 + 1);
        if (!word(r, " ") || !square(r, &at) || !word(r, "=")) return wrong(r, "a branch is missing, such as a1=3");
        if (at != q) return wrong(r, "the next branch must be for the move to %c%d", 'a' + q % 10, q / 10 + 1);
        const node *next = follow(r, nodes, lines, 'w', q);
        if (!next) return false;
        if (next->days >= n->days) {
            return wrong(r, "the branch to line %d is not closer to the end: %d moves, then %d", (int)(next - nodes),
                         n->days, next->days);
        }
        squares flooded = minus(n->set, with(around(r->c, q, false), q)); /* still flooded after it has arrived */
        int wanted = count(minus(next->set, flooded));
        if (wanted > r->c->floods) {
            return wrong(r, "the branch to line %d needs %d floods in a night", (int)(next - nodes), wanted);
        }
    }
    return r->at == r->end || wrong(r, "more branches than moves");
}

/* Can that many floods hit a field of every answer from `at` on? Each answer is a line number. */
static bool floods_all(reader r, squares flooded, int floods, const node *nodes) {
    int line;
    while (word(&r, " ") && number(&r, 99999999, &line)) {
        if (!empty(both(nodes[line].set, flooded))) continue;
        for (int s = 0; floods > 0 && s < 100; s++) {
            if (has(nodes[line].set, s) && floods_all(r, with(flooded, s), floods - 1, nodes)) return true;
        }
        return false;
    }
    return true;
}

/* The move is possible, and after every flood one of the next positions holds, which promises one move less. "*"
 * promises moves for ever, so such positions may lead to each other in a cycle. */
static bool check_day(reader *r, const node *n, const node *nodes, int lines) {
    int to;
    if (!word(r, " ") || !square(r, &to)) return wrong(r, "the adventurer's move is missing");
    if (!has(around(r->c, n->square, true), to)) return wrong(r, "the move is not to a neighbour");
    if (!has(n->set, to)) return wrong(r, "the move is to a square that is not known to be dry");
    squares given = with(with(around(r->c, to, false), to), n->square); /* also dry when it arrives */
    bool ever = n->days == CERTIFICATE_SURVIVES;
    reader answers = *r;
    if (n->days < 1) return wrong(r, "a move is made, so the number must be at least 1");
    while (n->days > 1 && word(r, " ")) {
        const node *next = follow(r, nodes, lines, 'a', to);
        if (!next) return false;
        if (next->days != (ever ? n->days : n->days - 1)) {
            return wrong(r, "line %d promises a different number of moves", (int)(next - nodes));
        }
        if (!empty(minus(minus(next->set, n->set), given))) {
            return wrong(r, "line %d needs a square that is not known to be dry", (int)(next - nodes));
        }
    }
    if (r->at != r->end) return wrong(r, "there is text after the answers");
    if (n->days == 1 || !floods_all(answers, none, r->c->floods, nodes)) return true;
    return wrong(r, "there is a flood that none of the answers covers: one is missing");
}

/* The first position of a side is the start and must promise what the first line claims. */
static bool check_start(reader *r, const node *n, int claimed) {
    if (n->days != claimed) return wrong(r, "the first line claims %d moves, but this position %d", claimed, n->days);
    if (n->square != 0) return wrong(r, "the first position of a side must be the start, a1");
    return n->side == 'a' || empty(n->set) || wrong(r, "nothing is flooded at the start");
}

bool certificate_check(const char *text, size_t length, void *memory, size_t bytes, certificate *c) {
    node *nodes = memory; /* by line, from 1; entries 0 and 1 are unused */
    int lines = 1, cap = (int)(bytes / sizeof *nodes);
    uint32_t crc = 0;
    memset(c, 0, sizeof *c);
    memset(nodes, 0, 2 * sizeof *nodes);
    reader r = {.c = c, .text = text, .at = text};
    if (!next_line(&r, text + length, &crc) || !read_head(&r)) return false;
    for (;;) {
        r.at = r.end + 10;
        if (!next_line(&r, text + length, &crc)) return false;
        if (word(&r, "end") && r.at == r.end) break;
        if (lines + 2 > cap) return wrong(&r, "there are too many lines for the available memory");
        memset(&nodes[lines + 1], 0, sizeof *nodes);
        if (!read_node(&r, &nodes[++lines])) return false;
    }
    if (r.end + 10 != text + length) return r.line++, wrong(&r, "there is text after the last line");
    int last = r.line;
    for (r.line = 2; r.line <= lines; r.line++) {
        const node *n = &nodes[r.line];
        bool night = n->side == 'w';
        r.at = text + n->rest;
        r.end = memchr(r.at, '\n', length - n->rest);
        r.end -= 9;
        if ((night ? c->nights++ : c->days++) == 0 && !check_start(&r, n, night ? c->at_most : c->at_least))
            return false;
        if (!(night ? check_night : check_day)(&r, n, nodes, lines)) return false;
    }
    r.line = last;
    if (c->at_most < CERTIFICATE_SURVIVES && c->nights == 0) return wrong(&r, "nothing proves at-most");
    return c->at_least == 0 || c->days > 0 || wrong(&r, "nothing proves at-least");
}
_Static_assert(sizeof(node) <= CERTIFICATE_LINE_BYTES, "the header says so");
