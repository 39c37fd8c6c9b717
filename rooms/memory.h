/* Memory of the hall: counted, so that a leak shows in the figures, and never NULL.
 *
 * A server that has no memory left cannot keep a promise by going on: the process ends at once, and the
 * journal holds everything that anybody has seen. Sizes are bounded by the limits of the hall. */
#ifndef BW_MEMORY_H
#define BW_MEMORY_H

#include "rooms/hall.h"

typedef struct bw_memory {
    uint64_t bytes; /* held now */
} bw_memory;

void *bw_memory_new(bw_memory *memory, size_t size);            /* zeroed, aligned to 8 */
void *bw_memory_grow(bw_memory *memory, void *at, size_t size); /* at may be NULL; new bytes are zero */
void bw_memory_free(bw_memory *memory, void *at);               /* NULL: nothing */
char *bw_memory_text(bw_memory *memory, const char *text);

/* Shared bytes with one reference; not counted, for they leave the hall. `at` NULL: zeros. */
bw_bytes *bw_bytes_new(const void *at, size_t length);
bw_bytes *bw_bytes_share(bw_bytes *bytes);

/* A growing row of bytes. */
typedef struct bw_buffer {
    uint8_t *at;
    size_t length, cap;
} bw_buffer;

void bw_buffer_add(bw_memory *memory, bw_buffer *buffer, const void *bytes, size_t length);
void bw_buffer_clear(bw_memory *memory, bw_buffer *buffer);

/* Whole numbers in as few bytes as they need, seven bits in each (as protobuf's varint and zigzag). */
enum { BW_NUMBER_BYTES = 10 };
size_t bw_number_put(uint8_t *at, uint64_t value); /* returns the bytes written */
uint64_t bw_number_take(const uint8_t *at, size_t *offset);
static inline uint64_t bw_number_signed(int64_t value) { return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0); }
static inline int64_t bw_number_unsigned(uint64_t value) { return (int64_t)(value >> 1) ^ -(int64_t)(value & 1); }

/* A queue of items of one size: in at the back, out at the front. */
typedef struct bw_queue {
    uint8_t *at;
    uint32_t item, head, count, cap; /* cap: a power of two */
} bw_queue;

void *bw_queue_add(bw_memory *memory, bw_queue *queue, size_t item); /* the new item, zeroed */
void *bw_queue_front(const bw_queue *queue);                         /* NULL: empty */
void *bw_queue_item(const bw_queue *queue, size_t index);
void bw_queue_drop(bw_queue *queue); /* the front one */
void bw_queue_clear(bw_memory *memory, bw_queue *queue);

#endif
