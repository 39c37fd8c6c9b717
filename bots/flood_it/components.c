/* Merges the cells of a board into components. */
#include "internal.h"

enum { FLOOD_UNSEEN = 0xFFFF };

/* The neighbours of a cell; returns how many (2 to 4 on a real board). */
static unsigned neighbours(const bw_flood_board *board, unsigned cell, unsigned out[4]) {
    const unsigned cols = board->cols;
    const unsigned row = cell / cols;
    const unsigned col = cell % cols;
    unsigned count = 0;
    if (row > 0) out[count++] = cell - cols;
    if (col > 0) out[count++] = cell - 1;
    if (col + 1 < cols) out[count++] = cell + 1;
    if (row + 1 < board->rows) out[count++] = cell + cols;
    return count;
}

static void label_component(const bw_flood_board *board, unsigned start, unsigned component, uint16_t *label,
                            uint16_t *stack) {
    const uint8_t color = board->cells[start];
    unsigned depth = 0;
    stack[depth++] = (uint16_t)start;
    label[start] = (uint16_t)component;
    while (depth > 0) {
        unsigned next[4];
        const unsigned count = neighbours(board, stack[--depth], next);
        for (unsigned i = 0; i < count; i++) {
            if (label[next[i]] == FLOOD_UNSEEN && board->cells[next[i]] == color) {
                label[next[i]] = (uint16_t)component;
                stack[depth++] = (uint16_t)next[i];
            }
        }
    }
}

/* Renumbers the colours without gaps, in order of appearance. */
static bool dense_colors(const bw_flood_board *board, flood_components *out, uint8_t *dense) {
    const unsigned cells = (unsigned)board->rows * board->cols;
    memset(dense, 0xFF, BW_FLOOD_COLORS_MAX);
    out->colors = 0;
    for (unsigned i = 0; i < cells; i++) {
        const uint8_t color = board->cells[i];
        if (color >= BW_FLOOD_COLORS_MAX) return false;
        if (dense[color] == 0xFF) {
            dense[color] = (uint8_t)out->colors;
            out->palette[out->colors++] = color;
        }
    }
    return true;
}

bool flood_components_build(const bw_flood_board *board, flood_components *out) {
    uint16_t stack[BW_FLOOD_CELLS_MAX];
    uint16_t queue[BW_FLOOD_CELLS_MAX];
    uint8_t queued[BW_FLOOD_CELLS_MAX];
    uint8_t dense[BW_FLOOD_COLORS_MAX];
    if (board->rows < 1 || board->rows > BW_FLOOD_SIZE_MAX || board->cols < 1 || board->cols > BW_FLOOD_SIZE_MAX ||
        board->origin_row >= board->rows || board->origin_col >= board->cols || !dense_colors(board, out, dense)) {
        return false;
    }
    const unsigned cells = (unsigned)board->rows * board->cols;
    out->rows = board->rows;
    out->cols = board->cols;
    out->count = 0;
    for (unsigned i = 0; i < cells; i++) out->label[i] = FLOOD_UNSEEN;
    memset(queued, 0, cells);
    unsigned head = 0;
    unsigned tail = 0;
    const unsigned origin = (unsigned)board->origin_row * board->cols + board->origin_col;
    queue[tail++] = (uint16_t)origin;
    queued[origin] = 1;
    while (head < tail) {
        const unsigned cell = queue[head++];
        if (out->label[cell] == FLOOD_UNSEEN) {
            out->color_of[out->count] = dense[board->cells[cell]];
            label_component(board, cell, out->count, out->label, stack);
            out->count++;
        }
        unsigned next[4];
        const unsigned count = neighbours(board, cell, next);
        for (unsigned i = 0; i < count; i++) {
            if (!queued[next[i]]) {
                queued[next[i]] = 1;
                queue[tail++] = (uint16_t)next[i];
            }
        }
    }
    return true;
}
