#include "games/flood_it/board.h"

#include "engine/rng.h"
#include "engine/sha256.h"

#include <string.h>

/* ---- from a word ---- */

enum { WORD_MAX = 160 }; /* whole array, as the settings store it */

static size_t length_of(const char *word) {
    size_t length = 0;
    while (length < WORD_MAX && word[length]) length++; /* a plain loop: strlen needs no bound, and gcc would call it */
    return length;
}

void bw_floodit_generate(bw_floodit_board *board, const char *word) {
    static const char domain[] = "flood_it board 1:";
    uint8_t key[32];
    bw_sha256 sha;
    bw_rng rng;
    bw_sha256_init(&sha);
    bw_sha256_update(&sha, domain, sizeof domain - 1);
    bw_sha256_update(&sha, word, length_of(word));
    bw_sha256_final(&sha, key);
    bw_rng_init(&rng, key);
    for (bool varied = false; !varied;) {
        memset(board->planes, 0, sizeof board->planes);
        uint32_t first = 0;
        for (int r = 0; r < board->rows; r++) {
            for (int c = 0; c < board->cols; c++) {
                uint32_t color = bw_rng_below(&rng, board->colors);
                board->planes[color].row[r] |= (uint64_t)1 << c;
                if (r == 0 && c == 0) first = color;
                varied = varied || color != first;
            }
        }
    }
}

/* ---- as text ---- */

bool bw_floodit_read(bw_floodit_board *board, const char *cells) {
    int count = board->rows * board->cols;
    for (int i = 0; i < count; i++) {
        if (cells[i] < '0' || cells[i] >= '0' + board->colors) return false;
    }
    if (cells[count]) return false;
    memset(board->planes, 0, sizeof board->planes);
    for (int i = 0; i < count; i++) {
        board->planes[cells[i] - '0'].row[i / board->cols] |= (uint64_t)1 << i % board->cols;
    }
    return true;
}

void bw_floodit_write(const bw_floodit_board *board, char cells[BW_FLOODIT_CELLS_MAX + 1]) {
    for (int r = 0; r < board->rows; r++) {
        for (int c = 0; c < board->cols; c++) {
            *cells++ = (char)('0' + bw_floodit_color_at(board, r, c));
        }
    }
    *cells = '\0';
}

int bw_floodit_color_at(const bw_floodit_board *board, int row, int col) {
    int color = 0;
    while (color < board->colors - 1 && !(board->planes[color].row[row] >> col & 1)) color++;
    return color;
}

/* ---- flooding ---- */

/* Spreads `from` over the runs of `open` that it touches in a row: a Kogge-Stone carry chain. */
static uint64_t spread(uint64_t from, uint64_t open) {
    uint64_t up = from, down = from, to_up = open, to_down = open;
    for (int s = 1; s < 64; s *= 2) {
        up |= to_up & (up << s);
        to_up &= to_up << s;
        down |= to_down & (down >> s);
        to_down &= to_down >> s;
    }
    return up | down;
}

/* Grows one row from its neighbours; returns whether it grew. */
static bool grow_row(bw_floodit_plane *t, const uint64_t *open, int rows, int r) {
    uint64_t now = t->row[r], next = now;
    if (r > 0) next |= t->row[r - 1] & open[r];
    if (r + 1 < rows) next |= t->row[r + 1] & open[r];
    if (next == now && !((now << 1 | now >> 1) & open[r] & ~now)) return false; /* the usual case */
    next = spread(next, open[r]);
    t->row[r] = next;
    return next != now;
}

static int count(const bw_floodit_plane *plane, int rows) {
    int cells = 0;
    for (int r = 0; r < rows; r++) cells += bw_floodit_bits(plane->row[r]);
    return cells;
}

int bw_floodit_select(const bw_floodit_board *board, bw_floodit_plane *territory, int color) {
    uint64_t open[BW_FLOODIT_SIDE_MAX];
    int rows = board->rows;
    for (int r = 0; r < rows; r++) open[r] = territory->row[r] | board->planes[color].row[r];
    for (bool grown = true; grown;) {
        grown = false;
        for (int r = 0; r < rows; r++) grown |= grow_row(territory, open, rows, r);
        for (int r = rows - 1; grown && r >= 0; r--) grow_row(territory, open, rows, r);
    }
    return count(territory, rows);
}

int bw_floodit_begin(const bw_floodit_board *board, bw_floodit_plane *territory) {
    int color = bw_floodit_color_at(board, board->origin_row, board->origin_col);
    memset(territory, 0, sizeof *territory);
    territory->row[board->origin_row] = (uint64_t)1 << board->origin_col;
    bw_floodit_select(board, territory, color);
    return color;
}

/* ---- how many moves ---- */

int bw_floodit_at_least(const bw_floodit_board *board) {
    bw_floodit_plane reached;
    int cells = board->rows * board->cols, layers = 0;
    bw_floodit_begin(board, &reached);
    while (count(&reached, board->rows) < cells) {
        bw_floodit_plane from = reached;
        for (int color = 0; color < board->colors; color++) {
            bw_floodit_plane one = from;
            bw_floodit_select(board, &one, color);
            for (int r = 0; r < board->rows; r++) reached.row[r] |= one.row[r];
        }
        layers++;
    }
    return layers;
}

/* The solver's mean answer over random boards, for each number of colours, is close to a straight line in the mean
 * of rows and columns. {slope, intercept} in hundredths of a move. Measured with a solver limit of 40 million cells
 * x colours x positions, on boards "fit 0" to "fit 15" of six sizes from 4x4 to 28x28, and "fit 0" to "fit 4" of
 * 40x40, 52x52 and 64x64. The lines are off by at most 0.7 moves up to 20x20, and by 5 % above. */
static const int typical[BW_FLOODIT_COLORS_MAX + 1][2] = {
    [2] = {21, 209},  [3] = {54, 219},  [4] = {80, 255},  [5] = {103, 231},  [6] = {124, 236},
    [7] = {141, 238}, [8] = {161, 209}, [9] = {174, 217}, [10] = {187, 217},
};

int bw_floodit_classic(const bw_floodit_board *board) {
    enum { AT_DEFAULT = 1855, LIMIT = 25 }; /* hundredths of a move, at 20x20 with 4 colours */
    if (board->rows == 20 && board->cols == 20 && board->colors == 4) return LIMIT;
    int answer = typical[board->colors][0] * (board->rows + board->cols) / 2 + typical[board->colors][1];
    int limit = (answer * LIMIT + AT_DEFAULT / 2) / AT_DEFAULT;
    int found = bw_floodit_quick(board, limit);
    return found > limit ? found : limit;
}
