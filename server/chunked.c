#include "server/chunked.h"

#include <string.h>

/* Where a reader stands: before or in a size, in its extension, ... TRAILER is the start of a line of it. */
enum { SIZE, EXTENSION, SIZE_LF, DATA, DATA_CR, DATA_LF, TRAILER, TRAILER_LINE, TRAILER_LF, LAST_LF };
enum { SIZE_DIGITS = 7 }; /* hexadecimal: fits `left`, and is far beyond any body taken */

static int hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bw_chunked_status in_size(bw_chunked *reader, char c) {
    if (hex(c) >= 0) {
        if (reader->digits++ == SIZE_DIGITS) return BW_CHUNKED_LONG;
        reader->left = reader->left * 16 + (uint32_t)hex(c);
        return BW_CHUNKED_MORE;
    }
    if (reader->digits == 0 || (c != '\r' && c != ';' && c != ' ' && c != '\t')) {
        return BW_CHUNKED_BROKEN;
    }
    reader->place = c == '\r' ? SIZE_LF : EXTENSION;
    return BW_CHUNKED_MORE;
}

static bw_chunked_status expect(bw_chunked *reader, char c, char wanted, int next) {
    reader->place = (uint8_t)next;
    return c == wanted ? BW_CHUNKED_MORE : BW_CHUNKED_BROKEN;
}

/* A byte that is none of the body's. */
static bw_chunked_status framing(bw_chunked *reader, char c) {
    if (reader->framing++ == BW_CHUNKED_FRAMING_MAX) return BW_CHUNKED_LONG;
    switch (reader->place) {
    case SIZE: return in_size(reader, c);
    case EXTENSION: reader->place = c == '\r' ? SIZE_LF : EXTENSION; return BW_CHUNKED_MORE;
    case SIZE_LF: return expect(reader, c, '\n', reader->left ? DATA : TRAILER);
    case DATA_CR: return expect(reader, c, '\r', DATA_LF);
    case DATA_LF: reader->digits = 0; return expect(reader, c, '\n', SIZE);
    case TRAILER: reader->place = c == '\r' ? LAST_LF : TRAILER_LINE; return BW_CHUNKED_MORE;
    case TRAILER_LINE: reader->place = c == '\r' ? TRAILER_LF : TRAILER_LINE; return BW_CHUNKED_MORE;
    case TRAILER_LF: return expect(reader, c, '\n', TRAILER);
    default: return c == '\n' ? BW_CHUNKED_END : BW_CHUNKED_BROKEN;
    }
}

bw_chunked_status bw_chunked_read(bw_chunked *reader, const char *bytes, size_t length, char *body, size_t cap,
                                  size_t *kept) {
    *kept = 0;
    for (size_t at = 0; at < length;) {
        if (reader->place != DATA) {
            bw_chunked_status status = framing(reader, bytes[at++]);
            if (status != BW_CHUNKED_MORE) return status;
            continue;
        }
        size_t take = length - at < reader->left ? length - at : reader->left;
        if (take > cap - *kept) return BW_CHUNKED_LONG;
        memcpy(body + *kept, bytes + at, take);
        *kept += take;
        at += take;
        reader->left -= (uint32_t)take;
        if (reader->left == 0) reader->place = DATA_CR;
    }
    return BW_CHUNKED_MORE;
}
