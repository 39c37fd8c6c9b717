/* Solutions of Flood-It boards in a file of results, from which a later run takes what it need not solve again.
 *
 *   answers known;
 *   if (!answers_open(&known, path)) return CLI_USAGE;
 *   const answer *found = answers_find(&known, &board);      NULL: not solved before
 *   answers_add(&known, &board, &solution, spent, bytes);     for each new one
 *   if (!answers_close(&known)) ...                           something could not be written
 *
 * A board is known by its characters, its shape and its origin, so that the boards may come in any order. Earlier
 * answers are held in memory, about 100 bytes for each. */
#ifndef BW_CLI_SOLVE_ANSWERS_H
#define BW_CLI_SOLVE_ANSWERS_H

#include "cli/results.h"
#include "cli/solve_boards.h"

#define ANSWER_FIELDS(F, S)                                                                        \
    F(S, REQUIRED, TEXT, board, (17, 16, 16), "the board's hash")                                  \
    F(S, REQUIRED, INT, moves, (uint16_t, 0, BW_FLOOD_MOVES_MAX), "moves of the solution")         \
    F(S, REQUIRED, INT, lower, (uint16_t, 0, BW_FLOOD_MOVES_MAX), "no solution has fewer")         \
    F(S, REQUIRED, TEXT, sequence, (BW_FLOOD_MOVES_MAX + 1, 0, BW_FLOOD_MOVES_MAX), "its colours") \
    F(S, REQUIRED, BOOL, stopped, (), "more time may prove more")                                  \
    F(S, REQUIRED, INT, mebibytes, (uint32_t, 1, 1 << 20), "memory that it had")                   \
    F(S, REQUIRED, INT, positions, (uint64_t, 0, INT64_MAX), "positions expanded")                 \
    F(S, REQUIRED, INT, microseconds, (uint64_t, 0, INT64_MAX), "time spent")
BW_STRUCT(answer_line, ANSWER_FIELDS);
extern const bw_schema answer_line_schema;

typedef struct answer {
    uint64_t board; /* 0: an empty slot of the table */
    uint64_t positions, microseconds;
    char *sequence;
    uint32_t mebibytes;
    uint16_t moves, lower;
    bool stopped;
} answer;

typedef struct answers {
    results file;
    answer *table; /* by hash; `slots` is a power of two */
    size_t slots, count;
} answers;

/* Without a path nothing is known or stored. False after an error message. */
bool answers_open(answers *a, const char *path);
const answer *answers_find(const answers *a, const board_read *board);
void answers_add(answers *a, const board_read *board, const bw_flood_solution *solution, double seconds,
                 uint32_t mebibytes);
bool answers_close(answers *a);

#endif
