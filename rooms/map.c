#include "rooms/map.h"

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
