/* The hash table under the hall, against a plain array: entries are found, replaced and removed while it grows and
 * shrinks a few places at a time. Regression: an entry is lost, or found twice, between the old table and the new
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/rng.h"
#include "rooms/journal_memory.h"
#include "rooms/room/memory.h"

enum { KEYS = 3000, STEPS = 40000, WAVE = 7000 };

typedef struct twin {
    bw_memory memory;
    bw_map map;
    bool here[KEYS];
    char values[KEYS];
    size_t count;
} twin;

static void compare(const twin *t, int key) {
    assert_ptr_equal(bw_map_get(&t->map, bw_key_of_number((uint64_t)key)), t->here[key] ? &t->values[key] : NULL);
}

static void change(twin *t, int key, bool adds) {
    bw_key at = bw_key_of_number((uint64_t)key);
    compare(t, key);
    if (adds) {
        bw_map_put(&t->memory, &t->map, at, &t->values[key]);
    } else {
        assert_ptr_equal(bw_map_take(&t->memory, &t->map, at), t->here[key] ? &t->values[key] : NULL);
    }
    t->count += (size_t)adds - (size_t)t->here[key];
    t->here[key] = adds;
    assert_int_equal(t->map.count, t->count);
}

static void a_table_is_a_set_of_keys(void **unused) {
    (void)unused;
    for (uint8_t seed = 1; seed <= 6; seed++) {
        twin *t = calloc(1, sizeof *t);
        uint8_t word[32] = {seed};
        bw_rng rng;
        bw_rng_init(&rng, word);
        t->map.secret[0] = seed;
        for (int step = 0; step < STEPS; step++) {
            uint32_t adding = step / WAVE % 2 ? 3 : 7; /* it grows for a while, then shrinks */
            change(t, (int)bw_rng_below(&rng, seed % 3 ? KEYS : 200), bw_rng_below(&rng, 10) < adding);
            for (int key = 0; step % 1000 == 0 && key < KEYS; key++) compare(t, key);
        }
        char *value;
        while ((value = bw_map_any(&t->map))) change(t, (int)(value - t->values), false);
        assert_int_equal(t->count, 0);
        bw_map_clear(&t->memory, &t->map);
        assert_int_equal(t->memory.bytes, 0);
        free(t);
    }
}

/* However many entries there are, one change allocates and frees little memory: a table in one piece would cost the
 * loop milliseconds of zeroing when it grows, and as long to free. Filled, then emptied: by iterating over the
 * table, and while its entries are still moving. */
static void no_change_costs_much_memory(void **unused) {
    (void)unused;
    enum { MANY = 1 << 18, LITTLE = 1 << 17 };
    bw_memory memory = {0};
    bw_map map = {.secret = {7, 9}};
    char value;
    size_t most = 0;
    for (int i = 0; i < 2 * MANY; i++) {
        size_t before = memory.bytes;
        bw_key key = bw_key_of_number((uint64_t)(i % MANY));
        if (i < MANY) bw_map_put(&memory, &map, key, &value);
        else assert_ptr_equal(bw_map_take(&memory, &map, key), &value);
        size_t change = memory.bytes > before ? memory.bytes - before : before - memory.bytes;
        if (change > most) most = change;
    }
    assert_in_range(most, 1, LITTLE);
    assert_int_equal(map.count, 0);
    bw_map_clear(&memory, &map);
    assert_int_equal(memory.bytes, 0);
}

/* Regression: of many rooms, the journal in memory looked at all at once for those that nobody plays any more. */
static void a_look_at_the_journal_is_bounded(void **unused) {
    (void)unused;
    enum { ROOMS = 40000, OLD = 1000, NEW = 9000 };
    bw_memory_journal *journal = bw_memory_journal_new();
    char found[2][BW_ROOM_ID_MAX + 1];
    int looks = 0;
    for (uint64_t i = 0; i < ROOMS; i++) {
        bool last = i + 1 == ROOMS;
        bw_entry entry = {
            .kind = BW_ENTRY_RECORD, .ticket = i + 1, .index = 1, .status = 'a', .changed_at = last ? OLD : NEW};
        snprintf(entry.room, sizeof entry.room, "R%llu", (unsigned long long)i);
        bw_memory_journal_append(journal, &entry);
    }
    bw_memory_journal_commit(journal, SIZE_MAX);
    while (bw_memory_journal_abandoned(journal, OLD + 1, found, 2) == 0) assert_in_range(++looks, 1, 10);
    assert_in_range(looks, 2, 10); /* a part at a time, and all in the end */
    assert_string_equal(found[0], "R39999");
    assert_int_equal(bw_memory_journal_faults(journal), 0);
    bw_memory_journal_free(journal);
}

/* Runs of zeros of every length, between others of every length, also at both ends; and the same differences from others. */
static void zeros_are_packed(void **unused) {
    (void)unused;
    enum { MOST = 600 };
    uint8_t bytes[2 * MOST], before[2 * MOST], packed[3 * MOST], back[2 * MOST + 1];
    for (size_t i = 0; i < sizeof before; i++) before[i] = (uint8_t)(i * 7);
    for (size_t zeros = 0; zeros < MOST; zeros++) {
        for (size_t others = 0; others < 40; others++) {
            for (int ends = 0; ends < 2; ends++) {
                size_t length = 0;
                for (; length < (ends ? zeros : others); length++) bytes[length] = (uint8_t)(ends ? 0 : length + 1);
                memset(bytes + length, ends ? 7 : 0, ends ? others : zeros);
                length += ends ? others : zeros;
                memset(back, 0, length);
                back[length] = 0xaa;
                size_t put = bw_sparse_put(packed, bytes, NULL, length);
                assert_in_range(put, 0, others + others / 15 + 4);
                assert_int_equal(bw_sparse_take(packed, back, length), put);
                assert_memory_equal(back, bytes, length);
                for (size_t i = 0; i < length; i++) bytes[i] ^= before[i];
                assert_int_equal(bw_sparse_put(packed, bytes, before, length), put);
                memcpy(back, before, length);
                assert_int_equal(bw_sparse_take(packed, back, length), put);
                assert_memory_equal(back, bytes, length);
                assert_int_equal(back[length], 0xaa);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(zeros_are_packed), cmocka_unit_test(a_table_is_a_set_of_keys),
                                       cmocka_unit_test(no_change_costs_much_memory),
                                       cmocka_unit_test(a_look_at_the_journal_is_bounded)};
    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
