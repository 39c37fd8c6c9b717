/* Threads that help: each piece of work is done once, and Flood-It's solver finds by them what one thread finds. */
#include "bots/flood_it/solver.h"
#include "cli/crew.h"
#include "tests/support/unit.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { HELPERS = 3, ARENA_BYTES = 64 << 20 };

static void *help(void *c) {
    crew_help(c);
    return NULL;
}

static void begin(crew *c, pthread_t *threads) {
    crew_open(c);
    for (int i = 0; i < HELPERS; i++) assert_int_equal(pthread_create(&threads[i], NULL, help, c), 0);
}

static void end(crew *c, const pthread_t *threads) {
    crew_close(c);
    for (int i = 0; i < HELPERS; i++) pthread_join(threads[i], NULL);
    crew_end(c);
}

/* ---- pieces ---- */

typedef struct {
    atomic_uint next;
    unsigned done[1000]; /* written by one thread each */
    atomic_uint joined[HELPERS + 1];
} pieces;

static void do_pieces(void *job, unsigned worker) {
    pieces *p = job;
    atomic_fetch_add(&p->joined[worker], 1);
    for (unsigned i; (i = atomic_fetch_add(&p->next, 1)) < 1000;) p->done[i]++;
}

TEST(each_piece_is_done_once) {
    crew c;
    pthread_t threads[HELPERS];
    pieces *p = malloc(sizeof *p);
    assert_non_null(p);
    begin(&c, threads);
    for (unsigned most = 1; most <= HELPERS + 1; most++) {
        for (int round = 0; round < 50; round++) {
            memset(p, 0, sizeof *p);
            crew_together(&c, do_pieces, p, most);
            for (int i = 0; i < 1000; i++) assert_int_equal(p->done[i], 1);
            for (unsigned i = 0; i <= HELPERS; i++) assert_true(atomic_load(&p->joined[i]) <= (i < most));
            assert_int_equal(atomic_load(&p->joined[0]), 1);
        }
    }
    end(&c, threads);
    free(p);
}

/* Two that want help at once, and nobody who gives any. */
static void *ask(void *c) {
    static const unsigned rounds = 50;
    pieces *p = malloc(sizeof *p);
    bool whole = p != NULL;
    for (unsigned round = 0; whole && round < rounds; round++) {
        memset(p, 0, sizeof *p);
        crew_together(c, do_pieces, p, HELPERS + 1);
        for (int i = 0; i < 1000; i++) whole = whole && p->done[i] == 1;
    }
    free(p);
    return whole ? c : NULL;
}

TEST(several_ask_at_once) {
    for (int helped = 1; helped >= 0; helped--) {
        crew c;
        pthread_t threads[HELPERS], other;
        void *whole = NULL;
        if (helped) begin(&c, threads);
        else crew_open(&c);
        assert_int_equal(pthread_create(&other, NULL, ask, &c), 0);
        assert_non_null(ask(&c));
        pthread_join(other, &whole);
        assert_non_null(whole);
        if (helped) end(&c, threads);
        else crew_end(&c);
    }
}

/* ---- the solver ---- */

static void together(void *user, void (*work)(void *job, unsigned worker), void *job, unsigned most) {
    crew_together(user, work, job, most);
}

static uint64_t random_next(uint64_t *state) {
    uint64_t x = (*state += 0x9E3779B97F4A7C15u);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

TEST(the_solver_finds_the_same) {
    static const struct {
        uint8_t side, colors;
        int boards;
    } sets[] = {{9, 6, 60}, {14, 6, 60}, {14, 8, 12}, {12, 12, 6}, {18, 6, 12}, {19, 4, 20}, {24, 4, 6}};
    crew c;
    pthread_t threads[HELPERS];
    uint64_t seed = 20261130;
    bw_flood_board *board = calloc(1, sizeof *board);
    bw_flood_solution *alone = malloc(sizeof *alone), *helped = malloc(sizeof *helped);
    void *arena = malloc(ARENA_BYTES);
    assert_true(board != NULL && alone != NULL && helped != NULL && arena != NULL);
    begin(&c, threads);
    for (size_t set = 0; set < sizeof sets / sizeof sets[0]; set++) {
        const unsigned side = sets[set].side;
        for (int i = 0; i < sets[set].boards; i++) {
            board->rows = board->cols = (uint8_t)side;
            board->origin_row = board->origin_col = i % 2 ? (uint8_t)(side / 2) : 0;
            for (unsigned k = 0; k < side * side; k++) {
                board->cells[k] = (uint8_t)(random_next(&seed) % sets[set].colors);
            }
            const bw_flood_limits limits = {.together = together, .workers = 2 + (unsigned)i % HELPERS, .user = &c};
            assert_int_equal(bw_flood_solve(board, NULL, arena, ARENA_BYTES, alone), BW_FLOOD_OK);
            assert_int_equal(bw_flood_solve(board, &limits, arena, ARENA_BYTES, helped), BW_FLOOD_OK);
            assert_true(alone->proven && helped->proven);
            assert_int_equal(helped->count, alone->count);
            assert_memory_equal(helped->moves, alone->moves, alone->count);
            assert_int_equal(helped->nodes, alone->nodes);
        }
    }
    end(&c, threads);
    free(arena);
    free(helped);
    free(alone);
    free(board);
}

RUN_TESTS(NULL, NULL)
