/* Solves Flooded Island a second time, by brute force over every position of a small grid, with independent code (plain
 * bit masks, no rule of games/ and nothing of bots/). The solver must agree with it, at the start and in the middle of
 * a game.
 *
 * A position is (adventurer's square, set of flooded squares). lost[n] holds the positions, adventurer to move, from
 * which the adventurer completes at most n moves; they are found for n = 0, 1, 2, ... until nothing changes. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bots/flooded_island/solve.h"
#include "tests/support/unit.h"

enum { NEVER = 255 };

typedef struct grid {
    int width, height, floods, area;
    uint32_t king[20], cross[20];
    uint8_t *day;   /* by square << area | flooded: moves until trapped, adventurer to move */
    uint8_t *night; /* the same, weather to move */
} grid;

static void lay(grid *g, int width, int height, int floods) {
    g->width = width, g->height = height, g->floods = floods, g->area = width * height;
    for (int a = 0; a < g->area; a++) {
        g->king[a] = g->cross[a] = 0;
        for (int b = 0; b < g->area; b++) {
            int dx = abs(a % width - b % width), dy = abs(a / width - b / width);
            if (a != b && dx <= 1 && dy <= 1) g->king[a] |= 1u << b;
            if (dx + dy == 1) g->cross[a] |= 1u << b;
        }
    }
    size_t positions = (size_t)g->area << g->area;
    g->day = malloc(positions);
    g->night = malloc(positions);
    assert_true(g->day && g->night);
    memset(g->day, NEVER, positions);
    memset(g->night, NEVER, positions);
}

static size_t at(const grid *g, int square, uint32_t flooded) { return (size_t)square << g->area | flooded; }

/* Can the weather, with `left` floods, reach a position that is lost within n? */
static bool can_flood(const grid *g, int square, uint32_t flooded, int left, int n, int from) {
    if (g->day[at(g, square, flooded)] <= n) return true;
    for (int s = from; left > 0 && s < g->area; s++) {
        if (s != square && !(flooded >> s & 1) && can_flood(g, square, flooded | 1u << s, left - 1, n, s + 1)) {
            return true;
        }
    }
    return false;
}

static bool all_lost(const grid *g, int square, uint32_t flooded, int n) {
    for (int q = 0; q < g->area; q++) {
        if (g->king[square] >> q & 1 && !(flooded >> q & 1) && g->night[at(g, q, flooded & ~g->cross[q])] >= n) {
            return false;
        }
    }
    return true;
}

static void solve(grid *g) {
    uint32_t sets = 1u << g->area;
    bool changed = true;
    for (int n = 0; changed; n++) {
        changed = false;
        for (int square = 0; square < g->area; square++) {
            for (uint32_t flooded = 0; flooded < sets; flooded++) {
                if (!(flooded >> square & 1) && g->day[at(g, square, flooded)] == NEVER &&
                    all_lost(g, square, flooded, n)) {
                    g->day[at(g, square, flooded)] = (uint8_t)n;
                    changed = true;
                }
            }
        }
        for (int square = 0; square < g->area; square++) {
            for (uint32_t flooded = 0; flooded < sets; flooded++) {
                if (!(flooded >> square & 1) && g->night[at(g, square, flooded)] == NEVER &&
                    can_flood(g, square, flooded, g->floods, n, 0)) {
                    g->night[at(g, square, flooded)] = (uint8_t)n;
                }
            }
        }
        assert_true(n < 60);
    }
}

static bw_island_set dry_of(const grid *g, uint32_t flooded) {
    bw_island_set dry = bw_island_land(g->width, g->height);
    for (int s = 0; s < g->area; s++) {
        if (flooded >> s & 1) {
            dry = bw_island_without(dry, bw_island_single(bw_island_square(s % g->width, s / g->width)));
        }
    }
    return dry;
}

/* Every position, or every `stride`-th: the pattern databases agree with the brute force. */
static void compare(const grid *g, uint32_t stride) {
    size_t bytes = (size_t)64 << 20;
    bw_island_patterns *p = malloc(sizeof *p);
    void *memory = aligned_alloc(64, bytes);
    assert_true(p && memory);
    bw_island_config config = {
        .width = (uint8_t)g->width, .height = (uint8_t)g->height, .max_flood_count = (uint8_t)g->floods};
    bw_island_patterns_begin(p, &config, 0, 0, memory, bytes);
    while (bw_island_patterns_next(p, NULL, NULL) == BW_ISLAND_PATTERNS_MORE) continue;
    assert_true(p->whole);
    for (int square = 0; square < g->area; square++) {
        for (uint32_t flooded = (uint32_t)square % stride; flooded < 1u << g->area; flooded += stride) {
            if (flooded >> square & 1) continue;
            int own = bw_island_square(square % g->width, square / g->width);
            bw_island_set dry = dry_of(g, flooded);
            int day = bw_island_patterns_day(p, own, dry), night = bw_island_patterns_night(p, 0, own, dry, NULL);
            assert_int_equal(day < 0 ? NEVER : day, g->day[at(g, square, flooded)]);
            assert_int_equal(night < 0 ? NEVER : night, g->night[at(g, square, flooded)]);
        }
    }
    bw_island_value value;
    bw_island_watch watch = {.keep_going = NULL};
    bw_island_solve(&config, memory, bytes, &watch, &value);
    assert_true(value.exact);
    assert_int_equal(value.upper == 365 ? NEVER : value.upper, g->day[at(g, 0, 0)]);
    free(memory);
    free(p);
}

static void check(int width, int height, int floods, int expected, uint32_t stride) {
    grid g;
    lay(&g, width, height, floods);
    solve(&g);
    printf("%dx%d, %d floods: %d\n", width, height, floods, g.day[0]);
    assert_int_equal(g.day[0], expected);
    compare(&g, stride);
    free(g.day);
    free(g.night);
}

TEST(test_one_flood) {
    check(3, 3, 1, NEVER, 1);
    check(4, 3, 1, NEVER, 1);
}
TEST(test_two_floods) {
    check(3, 3, 2, 4, 1);
    check(3, 4, 2, 5, 1);
    check(4, 3, 2, 5, 1);
    check(4, 4, 2, 7, 37);
}
TEST(test_three_floods) {
    check(3, 3, 3, 2, 1);
    check(3, 4, 3, 3, 1);
    check(5, 3, 3, 3, 3);
}

RUN_TESTS(NULL, NULL)
