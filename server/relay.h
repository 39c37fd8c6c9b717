/* One way of a connection that is passed on between nodes, as a machine without sockets: bytes come in from one end, wait,
 * and go out at the other, in order and all of them, and then the end is told. cluster.c has the sockets, tests/sim the
 * virtual ones. Nothing is read while anything waits: who reads slowly is not read for. */
#ifndef BW_RELAY_H
#define BW_RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bw_way {
    char *bytes; /* `cap` of them, the caller's */
    size_t first, length, cap;
    bool ended; /* nothing more comes */
    bool told;  /* and the other side knows */
} bw_way;

/* Is it to be read? Into `bytes`, at most `cap`. */
bool bw_way_reads(const bw_way *way);
/* So many were read; 0: nothing more comes. */
void bw_way_got(bw_way *way, size_t count);
/* What is to be written; `count` 0: nothing. */
const char *bw_way_rest(const bw_way *way, size_t *count);
/* So many of them were written. */
void bw_way_gave(bw_way *way, size_t count);
/* true, once: all is written, and the other side is to be told that nothing more comes. */
bool bw_way_ends(bw_way *way);

/* The position within the bytes sent to the client. If the owner falls silent, this node may send a frame of its own, but
 * only between two of the owner's frames. */
typedef struct bw_seam {
    size_t seen;   /* bytes so far, of the answer's head */
    int line_ends; /* of the empty line that ends it */
    bool is_socket, in_frames;
    unsigned char head[10];
    size_t head_length;
    uint64_t left; /* of a frame's payload */
} bw_seam;

void bw_seam_pass(bw_seam *seam, const char *bytes, size_t count);
/* Nothing has been answered yet. */
bool bw_seam_is_silent(const bw_seam *seam);
/* It is a WebSocket, and the last frame is whole. */
bool bw_seam_is_between(const bw_seam *seam);

#endif
