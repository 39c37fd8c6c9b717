/* Shared by the two databases (store.h: an SQLite file; postgres.h: a PostgreSQL server): error sentences, and a
 * loaded room in one block of memory.
 *
 *   bw_loading loading = {0};
 *   bw_loading_snapshot(&loading, index, bytes, length);     // at most once, and first
 *   bw_loading_record(&loading, index, bytes, length);       // in order
 *   bw_loading_done(&loading, room, &loaded);                // false: out of memory; loading is empty after it */
#ifndef BW_STORED_H
#define BW_STORED_H

#include "rooms/journal.h"

enum { BW_STORE_SWEEP_MAX = 4096 };

typedef struct bw_store_problem {
    char text[512]; /* a sentence for people, without paths that visitors should not see */
} bw_store_problem;

/* What was read, in one block of memory. */
typedef struct bw_loaded {
    bw_stored_room room;
    void *memory;
} bw_loaded;

/* A growing block; its contents are addressed by offsets until it is complete. */
typedef struct bw_block {
    char *at;
    size_t length, cap;
} bw_block;

bool bw_block_add(bw_block *block, const void *bytes, size_t length);

typedef struct bw_loading {
    bw_block list, bytes;
    bw_stored_room room; /* its pointers are only valid at the end */
    bool failed;         /* out of memory */
} bw_loading;

void bw_loading_snapshot(bw_loading *loading, uint32_t index, const void *bytes, size_t length);
void bw_loading_record(bw_loading *loading, uint32_t index, const void *bytes, size_t length);
bool bw_loading_done(bw_loading *loading, const char *room, bw_loaded *loaded);
void bw_loading_drop(bw_loading *loading);

#endif
