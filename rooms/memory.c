#include "rooms/memory.h"

enum { HEADER = 8 }; /* holds the size; nothing that the hall keeps asks for more than this alignment */

static void *give_up(void) {
    fputs("boardwalk: out of memory; everything that was seen is in the journal.\n", stderr);
    abort();
}

void *bw_memory_new(bw_memory *memory, size_t size) { return bw_memory_grow(memory, NULL, size); }

void *bw_memory_grow(bw_memory *memory, void *at, size_t size) {
    uint8_t *old = at ? (uint8_t *)at - HEADER : NULL;
    size_t before = 0;
    if (old) memcpy(&before, old, sizeof before);
    /* A large new block is zero already: it comes from the system as it is touched. */
    uint8_t *block = old ? realloc(old, HEADER + size) : calloc(1, HEADER + size);
    if (!block) return give_up();
    memcpy(block, &size, sizeof size);
    if (old && size > before) memset(block + HEADER + before, 0, size - before);
    memory->bytes += size + (old ? 0 : HEADER);
    memory->bytes -= before;
    return block + HEADER;
}

void bw_memory_free(bw_memory *memory, void *at) {
    if (!at) return;
    uint8_t *block = (uint8_t *)at - HEADER;
    size_t size;
    memcpy(&size, block, sizeof size);
    memory->bytes -= size + HEADER;
    free(block);
}

char *bw_memory_text(bw_memory *memory, const char *text) {
    size_t length = strlen(text) + 1;
    char *copy = bw_memory_new(memory, length);
    memcpy(copy, text, length);
    return copy;
}

bw_bytes *bw_bytes_new(const void *at, size_t length) {
    bw_bytes *bytes = malloc(sizeof *bytes + length + 1);
    if (!bytes) return give_up();
    bytes->references = 1;
    bytes->length = (uint32_t)length;
    if (at) memcpy(bytes->at, at, length);
    else memset(bytes->at, 0, length);
    bytes->at[length] = 0;
    return bytes;
}

bw_bytes *bw_bytes_share(bw_bytes *bytes) {
    bytes->references++;
    return bytes;
}

void bw_bytes_release(bw_bytes *bytes) {
    if (bytes && --bytes->references == 0) free(bytes);
}

void bw_buffer_add(bw_memory *memory, bw_buffer *buffer, const void *bytes, size_t length) {
    if (buffer->cap - buffer->length < length) {
        size_t cap = buffer->cap < 64 ? 64 : buffer->cap;
        while (cap - buffer->length < length) {
            cap += cap < 512 ? cap / 2 : cap / 16; /* what a long game holds is mostly this */
        }
        buffer->at = bw_memory_grow(memory, buffer->at, cap);
        buffer->cap = cap;
    }
    if (length > 0) memcpy(buffer->at + buffer->length, bytes, length);
    buffer->length += length;
}

void bw_buffer_clear(bw_memory *memory, bw_buffer *buffer) {
    bw_memory_free(memory, buffer->at);
    *buffer = (bw_buffer){0};
}

size_t bw_number_put(uint8_t *at, uint64_t value) {
    size_t length = 0;
    for (; value >= 0x80; value >>= 7) at[length++] = (uint8_t)(value | 0x80);
    at[length++] = (uint8_t)value;
    return length;
}

uint64_t bw_number_take(const uint8_t *at, size_t *offset) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = at[(*offset)++];
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return value;
    }
}

void *bw_queue_item(const bw_queue *queue, size_t index) {
    return queue->at + ((queue->head + index) & (queue->cap - 1)) * queue->item;
}

void *bw_queue_front(const bw_queue *queue) { return queue->count > 0 ? bw_queue_item(queue, 0) : NULL; }

void *bw_queue_add(bw_memory *memory, bw_queue *queue, size_t item) {
    if (queue->count == queue->cap) {
        bw_queue larger = {.item = (uint32_t)item, .cap = queue->cap ? queue->cap * 2 : 1};
        larger.at = bw_memory_new(memory, larger.cap * item);
        for (uint32_t i = 0; i < queue->count; i++) {
            memcpy(larger.at + i * item, bw_queue_item(queue, i), item);
        }
        larger.count = queue->count;
        bw_memory_free(memory, queue->at);
        *queue = larger;
    }
    void *added = bw_queue_item(queue, queue->count++);
    memset(added, 0, item);
    return added;
}

void bw_queue_drop(bw_queue *queue) {
    queue->head = (queue->head + 1) & (queue->cap - 1);
    queue->count--;
}

void bw_queue_clear(bw_memory *memory, bw_queue *queue) {
    bw_memory_free(memory, queue->at);
    *queue = (bw_queue){0};
}
