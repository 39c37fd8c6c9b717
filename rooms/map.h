/* A table from 16-byte keys to pointers: rooms by id, connections by number, addresses by digest.
 * Open addressing with linear probing (Knuth, TAOCP 3, 6.4), removal without tombstones. The places are
 * keyed by a secret, so that nobody can choose ids that fall on one another.
 *
 * A table that grows or shrinks does so a few places at each change, so that no single one takes long. */
#ifndef BW_MAP_H
#define BW_MAP_H

#include "rooms/memory.h"

typedef struct bw_key {
    uint64_t a, b;
} bw_key;

typedef struct bw_place {
    bw_key key;
    void *value; /* NULL: free */
} bw_place;

typedef struct bw_table {
    bw_place *places;
    size_t count, cap; /* a power of two, or 0 */
} bw_table;

typedef struct bw_map {
    size_t count;
    bw_table now, old; /* old: from which the rest is still to move */
    size_t moving;     /* where in it */
    uint64_t secret[2];
} bw_map;

bw_key bw_key_of_number(uint64_t number);
bw_key bw_key_of_text(const char *text); /* at most 15 bytes */

void *bw_map_get(const bw_map *map, bw_key key);                          /* NULL: not there */
void bw_map_put(bw_memory *memory, bw_map *map, bw_key key, void *value); /* value is not NULL */
void *bw_map_take(bw_memory *memory, bw_map *map, bw_key key);            /* removes it; NULL: was not there */
void *bw_map_any(const bw_map *map);                                      /* one of them; NULL: it is empty */
void bw_map_clear(bw_memory *memory, bw_map *map);

#endif
