/* Bots' threads: answers come back, late jobs are stopped, and closing waits for no job. */
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "engine/registry.h"
#include "server/workers.h"
#include "tests/support/unit.h"

enum { SLOW_MS = 60000 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Answers two actions whose first bytes are the seed's. */
static uint32_t quick(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                      bw_thinking *thinking, void *actions, uint32_t cap) {
    (void)view, (void)config, (void)seat;
    if (cap < 2 || thinking->arena_bytes < bot->arena_bytes || (uintptr_t)thinking->arena % 64 != 0) {
        return 0;
    }
    memset(thinking->arena, 1, bot->arena_bytes); /* it is really there */
    memset(actions, (int)thinking->seed, 2 * (size_t)game->actions->size);
    return 2;
}

static uint32_t slow(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                     bw_thinking *thinking, void *actions, uint32_t cap) {
    double until = seconds() + SLOW_MS / 1000.0;
    while (seconds() < until && thinking->keep_going(thinking->user)) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return quick(bot, game, view, config, seat, thinking, actions, cap);
}

static const bw_bot quick_bot = {.level = "quick", .arena_bytes = 1000, .choose = quick};
static const bw_bot slow_bot = {.level = "slow", .arena_bytes = 100000, .choose = slow};

typedef struct heard {
    int wake, count;
    uint64_t works; /* a bit for each */
} heard;

static void on_wake(void *user) {
    uint64_t one = 1;
    ssize_t written = write(((heard *)user)->wake, &one, sizeof one);
    (void)written;
}

static void on_bot_answer(void *user, uint64_t work, const void *actions, uint32_t count) {
    heard *h = user;
    assert_int_equal(count, 2);
    assert_int_equal(*(const unsigned char *)actions, work); /* its own answer, not another's */
    assert_int_equal(h->works >> work & 1, 0);
    h->works |= (uint64_t)1 << work;
    h->count++;
}

static void think(bw_workers *workers, const bw_bot *bot, uint64_t work, int64_t budget_ms) {
    bw_bytes *bytes = malloc(sizeof *bytes + 8);
    *bytes = (bw_bytes){.references = 1, .length = 8};
    bw_bot_job what = {.work = work,
                       .game = bw_game_at(0),
                       .bot = bot,
                       .seed = work,
                       .budget_ms = budget_ms,
                       .view = bytes->at,
                       .config = bytes->at};
    assert_true(bw_workers_run(workers, &what, bytes));
}

static void hear(bw_workers *workers, heard *h, int count) {
    while (h->count < count) {
        struct pollfd waiting = {.fd = h->wake, .events = POLLIN};
        uint64_t times;
        if (poll(&waiting, 1, 10000) != 1 || read(h->wake, &times, sizeof times) != sizeof times) {
            fail_msg("no answer");
        }
        bw_workers_dispatch(workers, on_bot_answer, h);
    }
}

TEST(test_answers) {
    heard h = {.wake = eventfd(0, EFD_CLOEXEC)};
    bw_workers *workers = bw_workers_open(&(bw_workers_options){.threads = 3, .wake = on_wake, .user = &h});
    assert_non_null(workers);
    for (uint64_t i = 0; i < 60; i++) think(workers, &quick_bot, i, 1000);
    hear(workers, &h, 60);
    bw_workers_figures figures;
    bw_workers_figures_of(workers, &figures);
    assert_int_equal(figures.turns_total, 60);
    assert_int_equal(figures.waiting, 0);
    bw_workers_close(workers);
    close(h.wake);
}

/* Answers how often it has found in its arena what it left there, in its first byte. */
static uint32_t keeper(const bw_bot *bot, const bw_game *game, const void *view, const void *config, int seat,
                       bw_thinking *thinking, void *actions, uint32_t cap) {
    static const char mark = 0;
    unsigned char *count = thinking->arena;
    if (!thinking->holds) return 0;
    if (*thinking->holds == &mark) ++*count;
    else *count = 0;
    thinking->seed = *count;
    uint32_t written = quick(bot, game, view, config, seat, thinking, actions, cap);
    *count = (unsigned char)thinking->seed;
    *thinking->holds = &mark;
    return written;
}

/* What a bot keeps in its arena outlives other jobs of the thread, but not a larger arena. */
TEST(test_an_arena_is_kept) {
    static const bw_bot keeper_bot = {.level = "keeper", .arena_bytes = 1000, .keeps = true, .choose = keeper};
    static const bw_bot larger_bot = {.level = "larger", .arena_bytes = 5000, .keeps = true, .choose = keeper};
    heard h = {.wake = eventfd(0, EFD_CLOEXEC)};
    bw_workers *workers = bw_workers_open(&(bw_workers_options){.threads = 1, .wake = on_wake, .user = &h});
    assert_non_null(workers);
    for (uint64_t i = 0; i < 4; i++) {
        think(workers, &keeper_bot, i, 1000); /* its answer is its number, as on_bot_answer expects */
        think(workers, &quick_bot, 10 + i, 1000);
    }
    hear(workers, &h, 8);
    h.works = 0;
    think(workers, &larger_bot, 0, 1000);
    think(workers, &keeper_bot, 1, 1000);
    hear(workers, &h, 10);
    bw_workers_close(workers);
    close(h.wake);
}

TEST(test_budget) {
    heard h = {.wake = eventfd(0, EFD_CLOEXEC)};
    bw_workers *workers = bw_workers_open(&(bw_workers_options){.threads = 2, .wake = on_wake, .user = &h});
    double start = seconds();
    for (uint64_t i = 0; i < 8; i++) { /* one after another would allow four; each budget counts from the request */
        think(workers, &slow_bot, i, 200);
    }
    hear(workers, &h, 8);
    double took = seconds() - start;
    assert_true(took >= 0.19);
    assert_true(took < 5); /* not a minute each, and not 8/2 times 200 ms by design; slack for a busy machine */
    bw_workers_close(workers);
    close(h.wake);
}

static bool solve(const void *view, bw_thinking *thinking, bw_solver_result *result) {
    (void)view;
    memset(thinking->arena, 1, thinking->arena_bytes);
    *result = (bw_solver_result){.moves = 7, .proven = true};
    return true;
}

typedef struct order {
    uint64_t works[8];
    int count;
} order;

static void on_ordered(void *user, uint64_t work, const void *answer, uint32_t count) {
    order *o = user;
    bw_solver_result result;
    o->works[o->count++] = work;
    if (work >= 2) return;
    memcpy(&result, answer, sizeof result);
    assert_int_equal(count, 1);
    assert_int_equal(result.moves, 7);
    assert_true(result.proven);
}

/* One thread is busy with a turn; two puzzles come, and two more turns: the turns go first. */
TEST(test_puzzles_wait) {
    static const bw_solver solver = {.game = "flood_it", .arena_bytes = 5000, .solve = solve};
    heard h = {.wake = eventfd(0, EFD_CLOEXEC)};
    order o = {.count = 0};
    bw_workers *workers = bw_workers_open(&(bw_workers_options){.threads = 1, .wake = on_wake, .user = &h});
    think(workers, &slow_bot, 2, 300);
    for (uint64_t work = 0; work < 2; work++) {
        bw_bytes *bytes = malloc(sizeof *bytes + 8);
        *bytes = (bw_bytes){.references = 1, .length = 8};
        bw_bot_job what = {
            .work = work, .game = bw_game_at(0), .solver = &solver, .budget_ms = 1000, .view = bytes->at};
        assert_true(bw_workers_run(workers, &what, bytes));
    }
    think(workers, &quick_bot, 3, 1000);
    think(workers, &quick_bot, 4, 1000);
    while (o.count < 5) {
        struct pollfd waiting = {.fd = h.wake, .events = POLLIN};
        uint64_t times;
        if (poll(&waiting, 1, 10000) != 1 || read(h.wake, &times, sizeof times) != sizeof times) {
            fail_msg("no answer");
        }
        bw_workers_dispatch(workers, on_ordered, &o);
    }
    static const uint64_t expected[] = {2, 3, 4, 0, 1};
    assert_memory_equal(o.works, expected, sizeof expected);
    bw_workers_figures figures;
    bw_workers_figures_of(workers, &figures);
    assert_int_equal(figures.turns_total, 3); /* puzzles are not turns */
    bw_workers_close(workers);
    close(h.wake);
}

TEST(test_close) {
    heard h = {.wake = eventfd(0, EFD_CLOEXEC)};
    bw_workers *workers = bw_workers_open(&(bw_workers_options){.threads = 1, .wake = on_wake, .user = &h});
    for (uint64_t i = 0; i < 5; i++) think(workers, &slow_bot, i, SLOW_MS);
    double start = seconds();
    bw_workers_close(workers);
    assert_true(seconds() - start < 10);
    close(h.wake);
}

RUN_TESTS(NULL, NULL)
