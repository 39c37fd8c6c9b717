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

static size_t place_of(const bw_map *map, bw_key key) {
    uint64_t z = key.a ^ map->secret[0];
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
    z ^= (z >> 29) ^ key.b ^ map->secret[1];
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93u;
    return (size_t)(z ^ (z >> 32)) & (map->cap - 1);
}

static bool same(bw_key x, bw_key y) { return x.a == y.a && x.b == y.b; }

static size_t find(const bw_map *map, bw_key key) {
    size_t at = place_of(map, key);
    while (map->places[at].value && !same(map->places[at].key, key)) at = (at + 1) & (map->cap - 1);
    return at;
}

void *bw_map_get(const bw_map *map, bw_key key) { return map->cap ? map->places[find(map, key)].value : NULL; }

static void resize(bw_memory *memory, bw_map *map, size_t cap) {
    bw_map larger = {.cap = cap, .count = map->count, .secret = {map->secret[0], map->secret[1]}};
    larger.places = bw_memory_new(memory, cap * sizeof *larger.places);
    for (size_t i = 0; i < map->cap; i++) {
        if (map->places[i].value) larger.places[find(&larger, map->places[i].key)] = map->places[i];
    }
    bw_memory_free(memory, map->places);
    *map = larger;
}

void bw_map_put(bw_memory *memory, bw_map *map, bw_key key, void *value) {
    if (map->count * 4 >= map->cap * 3) resize(memory, map, map->cap ? map->cap * 2 : 16);
    size_t at = find(map, key);
    map->count += map->places[at].value == NULL;
    map->places[at].key = key;
    map->places[at].value = value;
}

void *bw_map_take(bw_memory *memory, bw_map *map, bw_key key) {
    if (map->cap == 0) return NULL;
    size_t hole = find(map, key), mask = map->cap - 1;
    void *value = map->places[hole].value;
    if (!value) return NULL;
    for (size_t at = (hole + 1) & mask; map->places[at].value; at = (at + 1) & mask) {
        size_t home = place_of(map, map->places[at].key);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            map->places[hole] = map->places[at];
            hole = at;
        }
    }
    map->places[hole].value = NULL;
    map->count--;
    if (map->cap > 64 && map->count * 8 < map->cap) resize(memory, map, map->cap / 2);
    return value;
}

void bw_map_clear(bw_memory *memory, bw_map *map) {
    bw_memory_free(memory, map->places);
    map->places = NULL;
    map->count = map->cap = 0;
}
