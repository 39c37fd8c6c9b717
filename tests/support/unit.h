/* A unit test, without a list of its cases: each registers itself before main begins.
 *
 *   #include "tests/support/unit.h"
 *   TEST(a_full_list_refuses) { assert_false(push(&list, 1)); }
 *   RUN_TESTS(NULL, NULL)                // last: main; what begins and ends the group, as in cmocka
 *
 * They run in the order of the file. TEST_WITH names what sets a case up and tears it down (or NULL); they hand over
 * `*state`. A file may have 64 cases. */
#ifndef BW_UNIT_H
#define BW_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define BW_UNUSED __attribute__((unused))

static struct CMUnitTest unit_tests[64] BW_UNUSED;
static size_t unit_test_count BW_UNUSED;

#define UNIT_TEST(name, state, set_up, tear_down)                                                  \
    static void name(void **);                                                                     \
    __attribute__((constructor)) static void register_##name(void) {                               \
        if (unit_test_count == sizeof unit_tests / sizeof unit_tests[0]) abort();                  \
        unit_tests[unit_test_count++] = (struct CMUnitTest){#name, name, set_up, tear_down, NULL}; \
    }                                                                                              \
    static void name(void **state BW_UNUSED)
#define TEST(name) UNIT_TEST(name, no_state, NULL, NULL)
#define TEST_WITH(name, set_up, tear_down) UNIT_TEST(name, state, set_up, tear_down)

/* A group without a case fails. */
#define RUN_TESTS(begin, end)                                                                              \
    int main(void) {                                                                                       \
        return unit_test_count ? _cmocka_run_group_tests("tests", unit_tests, unit_test_count, begin, end) \
                               : EXIT_FAILURE;                                                             \
    }

#endif
