#include "rooms/room/memory.h"

enum { HEADER = 8 }; /* holds the size; the hall needs no larger alignment than this */

static void *give_up(void) {
    fputs("boardwalk: out of memory; everything that was seen is in the journal.\n", stderr);
    abort();
}

void *bw_memory_new(bw_memory *memory, size_t size) { return bw_memory_grow(memory, NULL, size); }

void *bw_memory_grow(bw_memory *memory, void *at, size_t size) {
    uint8_t *old = at ? (uint8_t *)at - HEADER : NULL;
    size_t before = 0;
    if (old) memcpy(&before, old, sizeof before);
    /* A large new block is already zero, because it comes from the system page by page. */
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
            cap += cap < 512 ? cap / 2 : cap / 32; /* most of what a long game needs */
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

enum { RUN = 15 };

static uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* How many of the first bytes are equal. */
static size_t equal_bytes(const uint8_t *bytes, const uint8_t *before, size_t length) {
    size_t at = 0;
    while (at + 8 <= length && word_at(bytes + at) == (before ? word_at(before + at) : 0)) at += 8;
    while (at < length && bytes[at] == (before ? before[at] : 0)) at++;
    return at;
}

/* Pieces: a byte with how many equal bytes (15: that many and a number more) and how many differences follow, then these. */
size_t bw_sparse_put(uint8_t *to, const uint8_t *bytes, const uint8_t *before, size_t length) {
    size_t put = 0;
    for (size_t at = 0; at < length;) {
        size_t equal = equal_bytes(bytes + at, before ? before + at : NULL, length - at), others = 0;
        uint8_t *head = to + put++;
        if (equal >= RUN) put += bw_number_put(to + put, equal - RUN);
        at += equal;
        for (; others < RUN && at < length; others++, at++) {
            uint8_t difference = before ? bytes[at] ^ before[at] : bytes[at];
            if (difference == 0) break;
            to[put++] = difference;
        }
        *head = (uint8_t)((equal < RUN ? equal : RUN) << 4 | others);
    }
    return put;
}

size_t bw_sparse_take(const uint8_t *from, uint8_t *bytes, size_t length) {
    size_t taken = 0;
    for (size_t at = 0; at < length;) {
        size_t equal = from[taken] >> 4, others = from[taken] & RUN;
        taken++;
        if (equal == RUN) equal += (size_t)bw_number_take(from, &taken);
        at += equal;
        for (; others > 0; others--) bytes[at++] ^= from[taken++];
    }
    return taken;
}

void *bw_queue_item(const bw_queue *queue, size_t index) {
    return queue->at + ((queue->head + index) & (queue->cap - 1)) * queue->item;
}

void *bw_queue_front(const bw_queue *queue) { return queue->count > 0 ? bw_queue_item(queue, 0) : NULL; }

void bw_queue_reserve(bw_memory *memory, bw_queue *queue, size_t item, uint32_t cap) {
    if (queue->cap >= cap) return;
    bw_queue larger = {.item = (uint32_t)item, .count = queue->count, .cap = cap};
    larger.at = bw_memory_new(memory, cap * item);
    for (uint32_t i = 0; i < queue->count; i++) memcpy(larger.at + i * item, bw_queue_item(queue, i), item);
    bw_memory_free(memory, queue->at);
    *queue = larger;
}

void *bw_queue_add(bw_memory *memory, bw_queue *queue, size_t item) {
    if (queue->count == queue->cap) bw_queue_reserve(memory, queue, item, queue->cap ? queue->cap * 2 : 1);
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

/* ---- tables ---- */

bw_key bw_key_of_number(uint64_t number) { return (bw_key){number, 1}; }

bw_key bw_key_of_text(const char *text) {
    bw_key key = {0, 0};
    char bytes[16] = {0};
    for (size_t i = 0; i < 16 && text[i]; i++) bytes[i] = text[i];
    memcpy(&key.a, bytes, 8);
    memcpy(&key.b, bytes + 8, 8);
    return key;
}

enum { CHUNK = 1024 }; /* places per chunk */

static const bw_place free_place;

static size_t chunk_count(const bw_table *table) { return (table->cap + CHUNK - 1) / CHUNK; }

/* For reading. */
static const bw_place *look(const bw_table *table, size_t at) {
    const bw_place *chunk = table->chunks[at / CHUNK];
    return chunk ? &chunk[at % CHUNK] : &free_place;
}

/* For writing: makes the chunk if needed. */
static bw_place *place(const bw_table *table, size_t at) { return &table->chunks[at / CHUNK][at % CHUNK]; }

static size_t home_of(const bw_map *map, const bw_table *table, bw_key key) {
    uint64_t z = key.a ^ map->secret[0];
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
    z ^= (z >> 29) ^ key.b ^ map->secret[1];
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
    return (size_t)(z ^ (z >> 32)) & (table->cap - 1);
}

/* The place of the key, or where it would go; `value` receives what is stored there. */
static size_t find(const bw_map *map, const bw_table *table, bw_key key, void **value) {
    for (size_t at = home_of(map, table, key);; at = (at + 1) & (table->cap - 1)) {
        const bw_place *seen = look(table, at);
        *value = seen->value;
        if (!seen->value || (seen->key.a == key.a && seen->key.b == key.b)) return at;
    }
}

void *bw_map_get(const bw_map *map, bw_key key) {
    void *value = NULL;
    if (map->now.cap) find(map, &map->now, key, &value);
    if (!value && map->old.cap) find(map, &map->old, key, &value);
    return value;
}

static void put(bw_memory *memory, const bw_map *map, bw_table *table, bw_key key, void *value) {
    void *before;
    size_t at = find(map, table, key, &before);
    bw_place **chunk = &table->chunks[at / CHUNK];
    if (!*chunk) *chunk = bw_memory_new(memory, (table->cap < CHUNK ? table->cap : CHUNK) * sizeof **chunk);
    table->count += before == NULL;
    *place(table, at) = (bw_place){key, value};
}

static void *take(const bw_map *map, bw_table *table, bw_key key) {
    void *value;
    if (table->cap == 0) return NULL;
    size_t hole = find(map, table, key, &value), mask = table->cap - 1;
    if (!value) return NULL;
    for (size_t at = (hole + 1) & mask; look(table, at)->value; at = (at + 1) & mask) {
        size_t home = home_of(map, table, look(table, at)->key);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            *place(table, hole) = *look(table, at);
            hole = at;
        }
    }
    place(table, hole)->value = NULL;
    table->count--;
    return value;
}

static void drop_chunk(bw_memory *memory, bw_table *table, size_t chunk) {
    bw_memory_free(memory, table->chunks[chunk]);
    table->chunks[chunk] = NULL;
}

static void drop(bw_memory *memory, bw_table *table) {
    for (size_t i = 0; i < chunk_count(table); i++) drop_chunk(memory, table, i);
    bw_memory_free(memory, table->chunks);
    *table = (bw_table){0};
}

/* Moves a part of the old table, from its end to its start. Removing an entry closes the gap with entries after it;
 * past the moved part there are none, except those that wrap around the end, and these are moved first. So an
 * emptied chunk stays empty. */
static void move_some(bw_memory *memory, bw_map *map) {
    enum { LOOKS = 16 };
    bw_table *old = &map->old;
    for (int i = 0; i < LOOKS && old->count > 0; i++) {
        size_t at = (map->moving - 1) & (old->cap - 1);
        bw_place found = *look(old, at);
        if (found.value) { /* looks at the same place again, because the gap may have been closed */
            take(map, old, found.key);
            put(memory, map, &map->now, found.key, found.value);
            continue;
        }
        map->moving = at;
        if (at % CHUNK == 0) drop_chunk(memory, old, at / CHUNK);
    }
    if (old->count > 0) return;
    size_t chunk = chunk_count(old);
    while (chunk > 0 && !old->chunks[chunk - 1]) chunk--;
    if (chunk > 0) drop_chunk(memory, old, chunk - 1); /* one at a time: entries may be removed before they move */
    if (chunk <= 1) drop(memory, old);
}

static void resize(bw_memory *memory, bw_map *map, size_t cap) {
    while (map->old.cap) move_some(memory, map); /* has long ended, except in tiny tables */
    map->old = map->now;
    map->moving = 0;
    map->now = (bw_table){.cap = cap};
    map->now.chunks = bw_memory_new(memory, chunk_count(&map->now) * sizeof *map->now.chunks);
}

void bw_map_put(bw_memory *memory, bw_map *map, bw_key key, void *value) {
    if (map->old.cap) move_some(memory, map);
    if ((map->now.count + map->old.count) * 4 >= map->now.cap * 3)
        resize(memory, map, map->now.cap ? map->now.cap * 2 : 16);
    if (map->old.cap) take(map, &map->old, key);
    put(memory, map, &map->now, key, value);
    map->count = map->now.count + map->old.count;
}

void *bw_map_take(bw_memory *memory, bw_map *map, bw_key key) {
    if (map->old.cap) move_some(memory, map);
    void *value = take(map, &map->now, key);
    if (!value) value = take(map, &map->old, key);
    if (!value) return NULL;
    map->count = map->now.count + map->old.count;
    if (!map->old.cap && map->now.cap > 64 && map->count * 8 < map->now.cap) resize(memory, map, map->now.cap / 2);
    return value;
}

void *bw_map_any(const bw_map *map) {
    const bw_table *const tables[] = {&map->now, &map->old};
    for (int t = 0; t < 2; t++) {
        for (size_t i = 0; i < tables[t]->cap; i++) {
            if (look(tables[t], i)->value) return look(tables[t], i)->value;
        }
    }
    return NULL;
}

void bw_map_clear(bw_memory *memory, bw_map *map) {
    drop(memory, &map->now);
    drop(memory, &map->old);
    map->count = 0;
}
