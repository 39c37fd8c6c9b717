#include "rooms/room/memory.h"

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
    for (size_t i = 0; i < 15 && text[i]; i++) bytes[i] = text[i];
    memcpy(&key.a, bytes, 8);
    memcpy(&key.b, bytes + 8, 8);
    return key;
}

static size_t place_of(const bw_map *map, const bw_table *table, bw_key key) {
    uint64_t z = key.a ^ map->secret[0];
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
    z ^= (z >> 29) ^ key.b ^ map->secret[1];
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
    return (size_t)(z ^ (z >> 32)) & (table->cap - 1);
}

static bool same(bw_key x, bw_key y) { return x.a == y.a && x.b == y.b; }

static size_t find(const bw_map *map, const bw_table *table, bw_key key) {
    size_t at = place_of(map, table, key);
    while (table->places[at].value && !same(table->places[at].key, key)) at = (at + 1) & (table->cap - 1);
    return at;
}

static void *get(const bw_map *map, const bw_table *table, bw_key key) {
    return table->cap ? table->places[find(map, table, key)].value : NULL;
}

void *bw_map_get(const bw_map *map, bw_key key) {
    void *value = get(map, &map->now, key);
    return value || !map->old.cap ? value : get(map, &map->old, key);
}

static void put(const bw_map *map, bw_table *table, bw_key key, void *value) {
    size_t at = find(map, table, key);
    table->count += table->places[at].value == NULL;
    table->places[at] = (bw_place){key, value};
}

static void *take(const bw_map *map, bw_table *table, bw_key key) {
    if (table->cap == 0) return NULL;
    size_t hole = find(map, table, key), mask = table->cap - 1;
    void *value = table->places[hole].value;
    if (!value) return NULL;
    for (size_t at = (hole + 1) & mask; table->places[at].value; at = (at + 1) & mask) {
        size_t home = place_of(map, table, table->places[at].key);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            table->places[hole] = table->places[at];
            hole = at;
        }
    }
    table->places[hole].value = NULL;
    table->count--;
    return value;
}

static void drop(bw_memory *memory, bw_table *table) {
    bw_memory_free(memory, table->places);
    *table = (bw_table){0};
}

/* Some of the old table moves. From its end to its start: what is taken out fills the hole from behind it, so nothing
 * comes to lie where it was looked for already, but round the end, where the last look finds it. */
static void move_some(bw_memory *memory, bw_map *map) {
    enum { LOOKS = 16 };
    for (int i = 0; i < LOOKS && map->old.count > 0; i++) {
        map->moving = (map->moving - 1) & (map->old.cap - 1);
        bw_place place = map->old.places[map->moving];
        if (!place.value) continue;
        take(map, &map->old, place.key);
        put(map, &map->now, place.key, place.value);
        map->moving = (map->moving + 1) & (map->old.cap - 1); /* the same place again: it may be filled */
    }
    if (map->old.cap && map->old.count == 0) drop(memory, &map->old);
}

static void resize(bw_memory *memory, bw_map *map, size_t cap) {
    while (map->old.cap) move_some(memory, map); /* long done, but for tables as small as that */
    map->old = map->now;
    map->moving = 0;
    map->now = (bw_table){.cap = cap};
    map->now.places = bw_memory_new(memory, cap * sizeof *map->now.places);
}

void bw_map_put(bw_memory *memory, bw_map *map, bw_key key, void *value) {
    if (map->old.cap) move_some(memory, map);
    if ((map->now.count + map->old.count) * 4 >= map->now.cap * 3)
        resize(memory, map, map->now.cap ? map->now.cap * 2 : 16);
    if (map->old.cap) take(map, &map->old, key);
    put(map, &map->now, key, value);
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
            if (tables[t]->places[i].value) return tables[t]->places[i].value;
        }
    }
    return NULL;
}

void bw_map_clear(bw_memory *memory, bw_map *map) {
    drop(memory, &map->now);
    drop(memory, &map->old);
    map->count = 0;
}
