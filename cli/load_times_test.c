#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/load_times.h"
#include "tests/support/unit.h"

TEST(nothing_is_zero) {
    load_times times = {0};
    assert_true(load_times_at(&times, 0.5) == 0 && load_times_at(&times, 1) == 0);
}

TEST(percentiles_are_right_to_half_a_per_cent) {
    load_times times = {0};
    static const double shares[] = {0.01, 0.5, 0.9, 0.99, 0.999};
    for (int i = 100000; i > 0; i--) load_times_add(&times, i * 0.01);
    for (int i = 0; i < 5; i++) {
        double wanted = 1000 * shares[i], got = load_times_at(&times, shares[i]);
        assert_true(got >= wanted && got < wanted * 1.0055);
    }
    assert_true(load_times_at(&times, 1) == 1000);
}

TEST(outliers_count_at_the_edge) {
    load_times times = {0};
    load_times_add(&times, -3);
    load_times_add(&times, 0);
    assert_true(load_times_at(&times, 0.5) <= 0.00101);
    for (int i = 0; i < 4; i++) load_times_add(&times, 1e9);
    assert_true(load_times_at(&times, 0.2) <= 0.00101);
    assert_true(load_times_at(&times, 0.5) > 4e6);
    assert_true(load_times_at(&times, 1) == 1e9);
}

RUN_TESTS(NULL, NULL)
