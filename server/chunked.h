/* Bodies of HTTP/1.1 in chunks (RFC 9112, 7.1), which libwebsockets 4.1 hands over as they came.
 *
 *   bw_chunked reader = {0};
 *   for each piece that comes: status = bw_chunked_read(&reader, piece, length, body + kept, cap - kept, &kept_now);
 *
 * Extensions and trailers are passed over; what comes behind the end is not looked at. */
#ifndef BW_CHUNKED_H
#define BW_CHUNKED_H

#include <stddef.h>
#include <stdint.h>

typedef enum bw_chunked_status {
    BW_CHUNKED_MORE = 0,
    BW_CHUNKED_END = 1,
    BW_CHUNKED_BROKEN = -1, /* these are no chunks */
    BW_CHUNKED_LONG = -2,   /* more than `cap` bytes of body, or BW_CHUNKED_FRAMING_MAX around them */
} bw_chunked_status;

enum { BW_CHUNKED_FRAMING_MAX = 64 * 1024 };

typedef struct bw_chunked {
    uint8_t place;
    uint8_t digits;   /* of a size, so far */
    uint32_t left;    /* bytes of the chunk still to come */
    uint32_t framing; /* bytes that were no body */
} bw_chunked;

/* Writes the body's bytes to `body` (`kept` of them). After anything but MORE it is not called again. */
bw_chunked_status bw_chunked_read(bw_chunked *reader, const char *bytes, size_t length, char *body, size_t cap,
                                  size_t *kept);

#endif
