/* A solution found quickly: beams over the regions of a board.
 *
 * A move swallows all regions of its colour that touch the territory, each whole and nothing behind them, for two
 * regions of one colour never touch. So what a move brings is a sum over the rim of the territory, without flooding
 * anything: a board of 64x64 with ten colours takes one or two milliseconds, and it is looked for at each start. */
#include <limits.h>
#include <string.h>

#include "games/flood_it/board.h"

enum {
    WIDTH_MAX = 8,
    WORDS = BW_FLOODIT_CELLS_MAX / 64,
    STRIDE = BW_FLOODIT_SIDE_MAX + 2, /* a border on every side, so that each cell has four neighbours */
    PLACES = STRIDE * STRIDE,
    BORDER = UINT16_MAX, /* as a region */
};

typedef struct net {
    int cells, regions, colors;
    uint16_t region_at[PLACES];
    uint8_t color_at[PLACES];
    uint16_t cell[BW_FLOODIT_CELLS_MAX];      /* places, region after region */
    uint16_t first[BW_FLOODIT_CELLS_MAX + 1]; /* of a region in `cell` */
    uint8_t color[BW_FLOODIT_CELLS_MAX];      /* of a region */
    uint64_t of_color[BW_FLOODIT_COLORS_MAX][WORDS];
    uint64_t mix[BW_FLOODIT_CELLS_MAX]; /* a number of its own for each region */
} net;

typedef struct reach {
    uint64_t inside[WORDS], rim[WORDS]; /* regions: swallowed; next to those */
    uint64_t mix;                       /* of `inside`: the same territory twice is one */
    int cells;
    /* What each colour would bring: the sums over its part of the rim. */
    int gain[BW_FLOODIT_COLORS_MAX];
    uint64_t gain_mix[BW_FLOODIT_COLORS_MAX];
} reach;

typedef struct choice {
    int cells;
    uint64_t mix;
    uint8_t parent, color;
} choice;

static bool has(const uint64_t *set, int at) { return set[at / 64] >> (at % 64) & 1; }
static void put(uint64_t *set, int at) { set[at / 64] |= (uint64_t)1 << (at % 64); }

static uint64_t mix_of(int region) {
    uint64_t z = ((uint64_t)region + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static const int around[] = {-STRIDE, STRIDE, -1, 1};

static int size_of(const net *of, int region) { return of->first[region + 1] - of->first[region]; }

/* The region of a cell that is in none yet; what is found and not looked at yet stands at the end of `cell`. */
static void gather(net *of, int place) {
    int region = of->regions++, at = of->first[region], end = at, color = of->color_at[place];
    of->color[region] = (uint8_t)color;
    of->mix[region] = mix_of(region);
    put(of->of_color[color], region);
    of->region_at[place] = (uint16_t)region;
    of->cell[end++] = (uint16_t)place;
    for (; at < end; at++) {
        for (int n = 0; n < 4; n++) {
            int next = of->cell[at] + around[n];
            if (of->color_at[next] != color || of->region_at[next] != BORDER) continue;
            of->region_at[next] = (uint16_t)region;
            of->cell[end++] = (uint16_t)next;
        }
    }
    of->first[region + 1] = (uint16_t)end;
}

static int place_of(int row, int col) { return (row + 1) * STRIDE + col + 1; }

static void draw(net *of, const bw_floodit_board *board) {
    memset(of, 0, sizeof *of);
    of->cells = board->rows * board->cols;
    of->colors = board->colors;
    memset(of->region_at, 0xff, sizeof of->region_at);
    memset(of->color_at, 0xff, sizeof of->color_at);
    for (int r = 0; r < board->rows; r++) {
        for (int color = 0; color < board->colors; color++) {
            for (uint64_t left = board->planes[color].row[r]; left; left &= left - 1) {
                of->color_at[place_of(r, __builtin_ctzll(left))] = (uint8_t)color;
            }
        }
    }
    for (int r = 0; r < board->rows; r++) {
        for (int c = 0; c < board->cols; c++) {
            if (of->region_at[place_of(r, c)] == BORDER) gather(of, place_of(r, c));
        }
    }
}

static void swallow(const net *of, reach *r, int region) {
    put(r->inside, region);
    r->mix ^= of->mix[region];
    r->cells += size_of(of, region);
    for (int i = of->first[region]; i < of->first[region + 1]; i++) {
        for (int n = 0; n < 4; n++) {
            int next = of->region_at[of->cell[i] + around[n]];
            if (next == BORDER || has(r->inside, next) || has(r->rim, next)) continue;
            put(r->rim, next);
            r->gain[of->color[next]] += size_of(of, next);
            r->gain_mix[of->color[next]] ^= of->mix[next];
        }
    }
}

/* The regions of a colour have neighbours of other colours alone. */
static void swallow_color(const net *of, reach *r, int color) {
    for (int w = 0; w * 64 < of->regions; w++) {
        uint64_t left = r->rim[w] & of->of_color[color][w];
        r->rim[w] &= ~left;
        for (; left; left &= left - 1) swallow(of, r, w * 64 + __builtin_ctzll(left));
    }
    r->gain[color] = 0;
    r->gain_mix[color] = 0;
}

/* Keeps the `width` largest territories, in order. */
static void consider(choice *best, int *count, int width, choice next) {
    for (int i = 0; i < *count; i++) {
        if (best[i].mix == next.mix && best[i].cells == next.cells) return;
    }
    int at = *count < width ? (*count)++ : width;
    while (at > 0 && best[at - 1].cells < next.cells) {
        if (at < width) best[at] = best[at - 1];
        at--;
    }
    if (at < width) best[at] = next;
}

/* Every move from there. */
static void look(const net *of, const reach *from, int parent, choice *best, int *kept, int width) {
    for (int color = 0; color < of->colors; color++) {
        choice next = {.cells = from->cells + from->gain[color], .parent = (uint8_t)parent, .color = (uint8_t)color};
        next.mix = from->mix ^ from->gain_mix[color];
        consider(best, kept, width, next);
    }
}

/* `enough`: no matter how much longer than that it is. */
static int beam(const net *of, int origin, int width, int enough) {
    reach states[2][WIDTH_MAX], *now = states[0], *next = states[1];
    int live = 1, moves = 0;
    memset(now, 0, sizeof *now);
    swallow(of, now, of->region_at[origin]);
    for (int most = now->cells; most < of->cells && moves < enough; moves++) {
        choice best[WIDTH_MAX] = {{0}};
        int kept = 0;
        for (int i = 0; i < live; i++) look(of, &now[i], i, best, &kept, width);
        for (int i = 0; i < kept; i++) {
            next[i] = now[best[i].parent];
            swallow_color(of, &next[i], best[i].color);
        }
        reach *swap = now;
        now = next;
        next = swap;
        live = kept;
        most = best[0].cells;
    }
    return moves;
}

int bw_floodit_quick(const bw_floodit_board *board, int wanted) {
    net of;
    int origin = place_of(board->origin_row, board->origin_col);
    draw(&of, board);
    int found = beam(&of, origin, 1, INT_MAX);
    for (int width = 2; found > wanted && width <= WIDTH_MAX; width *= 2) {
        int other = beam(&of, origin, width, found);
        found = other < found ? other : found;
    }
    return found;
}
