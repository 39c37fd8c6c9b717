/* Reference-counted bytes: a frame for everybody in a room is stored once.
 *
 * The count is not atomic, so only the thread that runs the hall shares and releases. The last release frees them. */
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
