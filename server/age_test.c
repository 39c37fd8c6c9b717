/* Deletion by age with clocks that jump, at the start and later. Neither a single reading nor a series of
 * contradictory readings is accepted; a correct clock is accepted in the end, whatever was known before. */
#include <stddef.h>
#include <stdint.h>

#include "server/age.h"
#include "tests/support/unit.h"

enum { MINUTE = 60000, HOUR = 60 * MINUTE, DAY = 24 * HOUR };
static const int64_t today = INT64_C(1800000000000);

TEST(test_right_clock) {
    bw_age age;
    bw_age_start(&age, today - 5 * MINUTE, today, 7000);
    for (int64_t passed = 0; passed < 400 * (int64_t)DAY; passed += 7 * HOUR) {
        assert_int_equal(bw_age_now(&age, today + passed, 7000 + passed), today + passed);
    }
    bw_age_start(&age, 0, today, 7000); /* an empty database */
    assert_int_equal(bw_age_now(&age, today, 7000), today);
}

TEST(test_ahead_at_the_start) {
    bw_age age;
    const int64_t wrong = today + 40 * (int64_t)DAY;
    bw_age_start(&age, today, wrong, 0);
    for (int64_t passed = 0; passed < DAY; passed += 10 * MINUTE) {
        assert_int_equal(bw_age_now(&age, wrong + passed, passed), today + passed);
        assert_true(age.doubted);
    }
    /* Set right, or kept for a day. */
    bw_age right = age;
    assert_int_equal(bw_age_now(&right, today + DAY, DAY), today + DAY);
    assert_false(right.doubted);
    assert_int_equal(bw_age_now(&age, wrong + DAY, DAY), wrong + DAY);
    assert_false(age.doubted);
}

TEST(test_jumps_later) {
    bw_age age;
    int64_t passed = 0, expected = today;
    bw_age_start(&age, today, today, 0);
    /* Each reading is different: none is accepted for a week. */
    for (int i = 1; passed < 7 * (int64_t)DAY; i++) {
        passed += 10 * MINUTE;
        expected += 10 * MINUTE;
        assert_int_equal(bw_age_now(&age, expected + i * 2 * (int64_t)DAY, passed), expected);
    }
    /* A jump, back, and again: the day starts again. */
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 20; i++) {
            passed += HOUR;
            expected += HOUR;
            assert_int_equal(bw_age_now(&age, expected + 90 * (int64_t)DAY, passed), expected);
        }
        assert_int_equal(bw_age_now(&age, expected, passed), expected);
    }
    /* Behind: less is deleted, at once; the old time is now ahead. */
    assert_int_equal(bw_age_now(&age, expected - 9 * (int64_t)DAY, passed), expected - 9 * (int64_t)DAY);
    assert_int_equal(bw_age_now(&age, expected, passed), expected - 9 * (int64_t)DAY);
}

TEST(test_records_from_the_future) {
    bw_age age;
    bw_age_start(&age, today + 40 * (int64_t)DAY, today, 0);
    assert_int_equal(bw_age_now(&age, today, 0), today);
    assert_int_equal(bw_age_now(&age, today + 40 * (int64_t)DAY, MINUTE), today + MINUTE);
}

RUN_TESTS(NULL, NULL)
