/* Reference-counted bytes: a frame for everybody in a room is stored once.
 *
 * The count is not atomic, so only the hall's thread may share and release. The last release frees the bytes. */
#ifndef BW_BYTES_H
#define BW_BYTES_H

#include <stdint.h>

typedef struct bw_bytes {
    uint32_t references;
    uint32_t length;
    char at[];
} bw_bytes;

void bw_bytes_release(bw_bytes *bytes); /* bytes may be NULL */

#endif
