/* Memory of the hall: counted, so that a leak shows in the statistics, and never NULL. Also growing buffers, queues
 * and tables.
 *
 * A server without memory cannot keep its promises, so the process exits at once; the journal has everything that
 * anybody has seen. The limits of the hall bound all sizes. */
#ifndef BW_MEMORY_H
#define BW_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "rooms/bytes.h"

typedef struct bw_memory {
    uint64_t bytes; /* bytes in use */
} bw_memory;

void *bw_memory_new(bw_memory *memory, size_t size);            /* zeroed, aligned to 8 */
void *bw_memory_grow(bw_memory *memory, void *at, size_t size); /* at may be NULL; new bytes are zero */
void bw_memory_free(bw_memory *memory, void *at);               /* at may be NULL */
char *bw_memory_text(bw_memory *memory, const char *text);

/* Shared bytes with one reference; not counted, because they leave the hall. `at` NULL: zeros. */
bw_bytes *bw_bytes_new(const void *at, size_t length);
bw_bytes *bw_bytes_share(bw_bytes *bytes);

/* A growing byte array. */
typedef struct bw_buffer {
    uint8_t *at;
    size_t length, cap;
} bw_buffer;

void bw_buffer_add(bw_memory *memory, bw_buffer *buffer, const void *bytes, size_t length);
void bw_buffer_clear(bw_memory *memory, bw_buffer *buffer);

/* Whole numbers in as few bytes as possible, seven bits each (like protobuf's varint and zigzag). */
enum { BW_NUMBER_BYTES = 10 };
size_t bw_number_put(uint8_t *at, uint64_t value); /* returns the bytes written */
uint64_t bw_number_take(const uint8_t *at, size_t *offset);
static inline uint64_t bw_number_signed(int64_t value) { return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0); }
static inline int64_t bw_number_unsigned(uint64_t value) { return (int64_t)(value >> 1) ^ -(int64_t)(value & 1); }

/* Bytes that differ from others in few places (`before` NULL: from zeros), packed: runs of equal ones are counted. Packing
 * needs room for length + length / 15 + 16 bytes; taking turns the others into these. Both return how many packed bytes
 * there are. */
size_t bw_sparse_put(uint8_t *to, const uint8_t *bytes, const uint8_t *before, size_t length);
size_t bw_sparse_take(const uint8_t *from, uint8_t *bytes, size_t length);

/* A FIFO queue of items of one size. */
typedef struct bw_queue {
    uint8_t *at;
    uint32_t item, head, count, cap; /* cap: a power of two */
} bw_queue;

void *bw_queue_add(bw_memory *memory, bw_queue *queue, size_t item);                  /* the new item, zeroed */
void bw_queue_reserve(bw_memory *memory, bw_queue *queue, size_t item, uint32_t cap); /* cap: a power of two */
void *bw_queue_front(const bw_queue *queue);                                          /* NULL: empty */
void *bw_queue_item(const bw_queue *queue, size_t index);
void bw_queue_drop(bw_queue *queue); /* removes the front item */
void bw_queue_clear(bw_memory *memory, bw_queue *queue);

/* A hash table from 16-byte keys to pointers: rooms by id, connections by number, addresses by digest. Open
 * addressing with linear probing (Knuth, TAOCP 3, 6.4), removal without tombstones. Places are keyed by a secret, so
 * that nobody can choose ids that collide.
 *
 * The places are in chunks, which are allocated when first used. When the table grows or shrinks, every change moves
 * a few places, and a chunk is freed when all of it has moved. So no single change takes long, or needs much memory
 * at once. */
typedef struct bw_key {
    uint64_t a, b;
} bw_key;

typedef struct bw_place {
    bw_key key;
    void *value; /* NULL: free */
} bw_place;

typedef struct bw_table {
    bw_place **chunks; /* a NULL chunk: all its places are free */
    size_t count, cap; /* a power of two, or 0 */
} bw_table;

typedef struct bw_map {
    size_t count;
    bw_table now, old; /* the old table, whose rest is still to be moved */
    size_t moving;     /* the place in it that is moved next */
    uint64_t secret[2];
} bw_map;

bw_key bw_key_of_number(uint64_t number);
bw_key bw_key_of_text(const char *text); /* of at most 16 bytes */

void *bw_map_get(const bw_map *map, bw_key key);                          /* NULL: not there */
void bw_map_put(bw_memory *memory, bw_map *map, bw_key key, void *value); /* value is not NULL */
void *bw_map_take(bw_memory *memory, bw_map *map, bw_key key);            /* removes it; NULL: was not there */
void *bw_map_any(const bw_map *map);                                      /* any entry; NULL: the table is empty */
void bw_map_clear(bw_memory *memory, bw_map *map);

#endif
