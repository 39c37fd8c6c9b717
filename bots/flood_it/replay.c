/* Replays a line of moves cell by cell. It shares no code with the search, so that it can check its solutions. */
#include "solver.h"

/* Changes the territory's colour to `to`; returns its number of cells. */
static unsigned recolor(bw_flood_board *board, uint8_t to) {
    uint16_t queue[BW_FLOOD_CELLS_MAX];
    uint8_t seen[BW_FLOOD_CELLS_MAX] = {0};
    const unsigned cols = board->cols;
    const unsigned rows = board->rows;
    const unsigned origin = board->origin_row * cols + board->origin_col;
    const uint8_t from = board->cells[origin];
    unsigned head = 0;
    unsigned tail = 0;
    queue[tail++] = (uint16_t)origin;
    seen[origin] = 1;
    while (head < tail) {
        const unsigned cell = queue[head++];
        const unsigned row = cell / cols;
        const unsigned col = cell % cols;
        board->cells[cell] = to;
        for (int side = 0; side < 4; side++) {
            if ((side == 0 && row == 0) || (side == 1 && row + 1 == rows) || (side == 2 && col == 0) ||
                (side == 3 && col + 1 == cols)) {
                continue;
            }
            const unsigned next = side == 0 ? cell - cols : side == 1 ? cell + cols : side == 2 ? cell - 1 : cell + 1;
            if (!seen[next] && board->cells[next] == from) {
                seen[next] = 1;
                queue[tail++] = (uint16_t)next;
            }
        }
    }
    return tail;
}

bool bw_flood_replay(const bw_flood_board *board, const uint8_t *moves, uint32_t count) {
    bw_flood_board copy = *board;
    const unsigned origin = (unsigned)copy.origin_row * copy.cols + copy.origin_col;
    for (uint32_t i = 0; i < count; i++) {
        if (copy.cells[origin] == moves[i]) return false;
        recolor(&copy, moves[i]);
    }
    const uint8_t color = copy.cells[origin];
    return recolor(&copy, color) == (unsigned)copy.rows * copy.cols;
}
