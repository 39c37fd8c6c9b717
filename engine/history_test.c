#include <stddef.h>
#include <stdint.h>

#include "engine/history.h"
#include "tests/support/unit.h"

enum { CAP = 4 };

typedef struct log {
    bw_history history;
    uint16_t items[CAP];
} log;

static bool push(log *l, uint16_t item) { return bw_history_push(&l->history, l->items, sizeof item, CAP, &item); }

TEST(test_undo_and_redo_move_the_cursor) {
    log l = {{0, 0}, {0}};
    assert_false(bw_history_undo(&l.history));
    assert_false(bw_history_redo(&l.history));
    assert_true(push(&l, 7) && push(&l, 8));
    assert_int_equal(l.history.cursor, 2);
    assert_false(bw_history_redo(&l.history));
    assert_true(bw_history_undo(&l.history) && bw_history_undo(&l.history));
    assert_false(bw_history_undo(&l.history));
    assert_true(bw_history_redo(&l.history));
    assert_int_equal(l.items[l.history.cursor - 1], 7);
    assert_true(bw_history_redo(&l.history));
    assert_false(bw_history_redo(&l.history));
}

TEST(test_a_new_move_clears_what_could_be_redone) {
    log l = {{0, 0}, {0}}, plain = {{0, 0}, {0}};
    assert_true(push(&l, 1) && push(&l, 2) && push(&l, 3));
    assert_true(bw_history_undo(&l.history) && bw_history_undo(&l.history));
    assert_true(push(&l, 9));
    assert_false(bw_history_redo(&l.history));
    assert_true(push(&plain, 1) && push(&plain, 9));
    assert_memory_equal(&l, &plain, sizeof l);
}

TEST(test_a_full_list_refuses_and_stays) {
    log l = {{0, 0}, {0}};
    for (uint16_t i = 0; i < CAP; i++) assert_true(push(&l, i));
    log before = l;
    assert_false(push(&l, 99));
    assert_memory_equal(&l, &before, sizeof l);
    assert_true(bw_history_undo(&l.history) && push(&l, 99));
    bw_history_clear(&l.history, l.items, sizeof l.items[0]);
    log empty = {{0, 0}, {0}};
    assert_memory_equal(&l, &empty, sizeof l);
}

RUN_TESTS(NULL, NULL)
