/* A fast solution: beam search over the regions of a board.
 *
 * A move swallows every region of its colour that touches the territory. It reaches no further, because two regions
 * of one colour never touch. So a move's gain is a sum over the rim of the territory, and nothing needs to be
 * flooded: a board of 64x64 with ten colours takes one or two milliseconds, fast enough for every start. */
#include <limits.h>
#include <string.h>

#include "games/flood_it/board.h"

enum {
    WIDTH_MAX = 8,
    WORDS = BW_FLOODIT_CELLS_MAX / 64 + BW_FLOODIT_COLORS_MAX, /* each colour's regions start at a new word */
    REGIONS = 64 * WORDS,
    STRIDE = BW_FLOODIT_SIDE_MAX + 2, /* a border on all sides, so that every cell has four neighbours */
    PLACES = STRIDE * STRIDE,
    BORDER = UINT16_MAX, /* in region_at: no region */
};

typedef struct region {
    uint64_t mix;  /* a hash */
    uint16_t near; /* the index of its first neighbour in `near` */
    uint16_t size; /* cells */
    uint8_t color;
} region;

typedef struct net {
    int cells, count, colors;
    uint16_t region_at[PLACES];
    uint8_t color_at[PLACES];
    uint16_t cell[BW_FLOODIT_CELLS_MAX];       /* places, grouped by region */
    uint16_t first[REGIONS + 1];               /* where a region starts in `cell` */
    uint16_t words[BW_FLOODIT_COLORS_MAX + 1]; /* where a colour's regions start in a set of regions */
    region regions[REGIONS + 1];
    uint16_t near[4 * BW_FLOODIT_CELLS_MAX]; /* the neighbours of each region, each listed once */
} net;

typedef struct reach {
    uint64_t seen[WORDS], rim[WORDS]; /* seen: swallowed regions and those next to them; rim: only those next to them */
    uint64_t mix;                     /* hash of the swallowed regions, which identifies a territory */
    int cells;
    /* Each colour's gain: sums over its regions on the rim. */
    int gain[BW_FLOODIT_COLORS_MAX];
    uint64_t gain_mix[BW_FLOODIT_COLORS_MAX];
} reach;

typedef struct choice {
    int cells;
    uint64_t mix;
    int parent, color;
} choice;

static void put(uint64_t *set, int at) { set[at / 64] |= (uint64_t)1 << (at % 64); }

static uint64_t mix_of(int which) {
    uint64_t z = ((uint64_t)which + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static const int around[] = {-STRIDE, STRIDE, -1, 1};

/* Flood fill: collects a new region. The end of `cell` serves as the queue. */
static void gather(net *of, int place) {
    int at_region = of->count++, at = of->first[at_region], end = at, color = of->color_at[place];
    of->region_at[place] = (uint16_t)at_region;
    of->cell[end++] = (uint16_t)place;
    for (; at < end; at++) {
        for (int n = 0; n < 4; n++) {
            int next = of->cell[at] + around[n];
            if (of->color_at[next] != color || of->region_at[next] != BORDER) continue;
            of->region_at[next] = (uint16_t)at_region;
            of->cell[end++] = (uint16_t)next;
        }
    }
    of->first[at_region + 1] = (uint16_t)end;
    of->regions[at_region] =
        (region){.mix = mix_of(at_region), .size = (uint16_t)(end - of->first[at_region]), .color = (uint8_t)color};
}

/* Lists each region's neighbours, because the search asks for them thousands of times. */
static void meet(net *of) {
    uint16_t met[REGIONS]; /* the last region whose list has this one, counted from 1 */
    int end = 0;
    memset(met, 0, sizeof met);
    for (int i = 0; i < of->count; i++) {
        of->regions[i].near = (uint16_t)end;
        met[i] = (uint16_t)(i + 1);
        for (int at = of->first[i]; at < of->first[i + 1]; at++) {
            for (int n = 0; n < 4; n++) {
                int next = of->region_at[of->cell[at] + around[n]];
                if (next == BORDER || met[next] == i + 1) continue;
                met[next] = (uint16_t)(i + 1);
                of->near[end++] = (uint16_t)next;
            }
        }
    }
    of->regions[of->count].near = (uint16_t)end;
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
    for (int color = 0; color < board->colors; color++) {
        of->words[color] = (uint16_t)(of->count / 64);
        for (int r = 0; r < board->rows; r++) {
            for (uint64_t left = board->planes[color].row[r]; left; left &= left - 1) {
                int place = place_of(r, __builtin_ctzll(left));
                if (of->region_at[place] == BORDER) gather(of, place);
            }
        }
        /* Empty regions fill the last word. */
        for (; of->count % 64; of->count++) of->first[of->count + 1] = of->first[of->count];
    }
    of->words[board->colors] = (uint16_t)(of->count / 64);
    meet(of);
}

static void swallow(const net *of, reach *r, int which) {
    const region *eaten = &of->regions[which];
    r->mix ^= eaten->mix;
    r->cells += eaten->size;
    for (int i = eaten->near; i < eaten[1].near; i++) {
        const int next = of->near[i];
        const region *found = &of->regions[next];
        /* Branch-free, because the branch is unpredictable. */
        const uint64_t bit = (uint64_t)1 << (next % 64), new = ~r->seen[next / 64] & bit,
                       all = (uint64_t)0 - (new != 0);
        r->seen[next / 64] |= bit;
        r->rim[next / 64] |= new;
        r->gain[found->color] += (int)(found->size & all);
        r->gain_mix[found->color] ^= found->mix & all;
    }
}

/* All at once: regions of one colour are never neighbours. */
static void swallow_color(const net *of, reach *r, int color) {
    for (int w = of->words[color]; w < of->words[color + 1]; w++) {
        uint64_t left = r->rim[w];
        r->rim[w] = 0;
        for (; left; left &= left - 1) swallow(of, r, w * 64 + __builtin_ctzll(left));
    }
    r->gain[color] = 0;
    r->gain_mix[color] = 0;
}

/* Keeps the `width` largest territories, sorted. */
static void consider(choice *best, int *count, int width, int cells, uint64_t mix, int parent, int color) {
    if (*count == width && best[width - 1].cells >= cells) return;
    for (int i = 0; i < *count; i++) {
        if (best[i].mix == mix && best[i].cells == cells) return;
    }
    int at = *count < width ? (*count)++ : width - 1;
    for (; at > 0 && best[at - 1].cells < cells; at--) best[at] = best[at - 1];
    best[at].cells = cells;
    best[at].mix = mix;
    best[at].parent = parent;
    best[at].color = color;
}

/* Considers every move from `from`. */
static void look(const net *of, const reach *from, int parent, choice *best, int *kept, int width) {
    for (int color = 0; color < of->colors; color++) {
        consider(best, kept, width, from->cells + from->gain[color], from->mix ^ from->gain_mix[color], parent, color);
    }
}

/* Returns the number of moves; stops at `enough`, whatever the length would be. */
static int beam(const net *of, int origin, int width, int enough) {
    reach states[2][WIDTH_MAX], *now = states[0], *next = states[1];
    int live = 1, moves = 0;
    memset(now, 0, sizeof *now);
    put(now->seen, of->region_at[origin]);
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
