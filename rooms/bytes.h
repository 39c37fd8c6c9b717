/* Bytes that several hold: a frame goes to everybody in a room, and is one piece of memory.
 *
 * They are counted without locks, so they are released on the thread that runs the hall. The last release frees them. */
#ifndef BW_BYTES_H
#define BW_BYTES_H

#include <stdint.h>

typedef struct bw_bytes {
    uint32_t references;
    uint32_t length;
    char at[];
} bw_bytes;

void bw_bytes_release(bw_bytes *bytes); /* NULL: nothing */

#endif
