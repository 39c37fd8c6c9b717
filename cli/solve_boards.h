/* Flood-It boards from a text, one after the other, however long the text is.
 *
 *   boards input;
 *   if (!boards_open(&input, path, &shape)) return CLI_USAGE;
 *   while (boards_next(&input, &board) > 0) ...
 *   if (input.error[0]) cli_wrong("%s.", input.error);
 *   boards_close(&input);
 *
 * A line is a board, row by row, one letter or digit for a square. Lines between two blank lines are the rows of one
 * board if they are n lines of n characters, or as many as the shape says; only lines of up to 64 characters can be
 * rows, so only these wait for the lines after them. Blanks around a line do not count. */
#ifndef BW_CLI_SOLVE_BOARDS_H
#define BW_CLI_SOLVE_BOARDS_H

#include "bots/flood_it/solver.h"
#include "cli/cli.h"

typedef struct board_shape {
    int64_t rows, cols; /* 0: not given */
    int64_t origin_row, origin_col;
} board_shape;

typedef struct board_read {
    bw_flood_board board;
    char palette[BW_FLOOD_COLORS_MAX]; /* the characters of the input, by colour */
    int index;                         /* from 1 */
} board_read;

enum { BOARDS_LINE_BYTES = 2 * BW_FLOOD_CELLS_MAX, BOARDS_BUFFER_BYTES = 1 << 16 };

typedef struct board_row {
    char text[BW_FLOOD_SIZE_MAX];
    int line;
} board_row;

typedef struct boards {
    const char *name;
    int file;
    board_shape told;
    /* Asked every tenth of a second while the input makes us wait; false ends the input. NULL: wait for ever. */
    bool (*may_wait)(void *user);
    void *user;
    uint64_t size, used;              /* bytes of the file (0: unknown), and those of the boards so far */
    int count;                        /* boards so far */
    char error[256];                  /* what is wrong with the input, without a full stop; "": nothing */
    char buffer[BOARDS_BUFFER_BYTES]; /* bytes of the file: at .. held are still to be read */
    size_t at, held;
    char line[BOARDS_LINE_BYTES]; /* the last line */
    size_t length;
    int number;                         /* of that line, from 1 */
    bool pending;                       /* that line is still to be used */
    bool ended;                         /* it is the last */
    bool given_up;                      /* may_wait said so */
    bool each_is_one;                   /* up to a blank line, no line is a row */
    board_row ahead[BW_FLOOD_SIZE_MAX]; /* lines that were read to see whether they are rows of one board */
    size_t ahead_length, ahead_count, ahead_taken;
} boards;

/* "-" is stdin. False after an error message. */
bool boards_open(boards *b, const char *path, const board_shape *told);
/* 1: a board; 0: there are no more, or the wait was ended; -1: the next one is wrong, or the input holds none. */
int boards_next(boards *b, board_read *out);
void boards_close(boards *b);

#endif
