#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/elo.h"

static void equal_sides_differ_by_nothing(void **state) {
    (void)state;
    elo e = elo_of(40, 20, 40);
    assert_true(fabs(e.difference) < 1e-9);
    assert_true(e.low < 0 && e.high > 0 && fabs(e.low + e.high) < 1e-6);
}

static void three_quarters_are_191(void **state) {
    (void)state;
    elo e = elo_of(75, 0, 25);
    assert_true(fabs(e.difference - 190.8485) < 1e-3);
    /* score 0.75 +- 1.96 sqrt(0.1875 / 100) = 0.6651 .. 0.8349 */
    assert_true(fabs(e.low - 119.19) < 0.5 && fabs(e.high - 281.5) < 0.5);
}

static void more_games_narrow_the_interval(void **state) {
    (void)state;
    elo few = elo_of(6, 0, 4), many = elo_of(600, 0, 400);
    assert_true(many.high - many.low < (few.high - few.low) / 5);
}

static void a_clean_sweep_is_bounded_below_only(void **state) {
    (void)state;
    elo e = elo_of(100, 0, 0);
    assert_true(isinf(e.difference) && e.difference > 0 && isinf(e.high));
    /* 0.025^(1/100) = 0.9638: 570 Elo at least */
    assert_true(fabs(e.low - 570) < 2);
    elo lost = elo_of(0, 0, 100);
    assert_true(isinf(lost.low) && lost.low < 0 && fabs(lost.high + e.low) < 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_sides_differ_by_nothing),
        cmocka_unit_test(three_quarters_are_191),
        cmocka_unit_test(more_games_narrow_the_interval),
        cmocka_unit_test(a_clean_sweep_is_bounded_below_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
