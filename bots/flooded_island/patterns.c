#include "bots/flooded_island/patterns.h"

#include <string.h>

enum { CALLS_BETWEEN = 1 << 12 }; /* steps of the inner loops between two calls of keep_going */

/* ---- symmetry ---- */

/* Symmetry t of a grid: bit 0 mirrors the columns, bit 1 the rows; bit 2 then swaps the two. */
static int image_of(const bw_island_patterns *p, int t, int square) {
    int x = bw_island_x(square), y = bw_island_y(square);
    if (t & 1) x = p->width - 1 - x;
    if (t & 2) y = p->height - 1 - y;
    return t & 4 ? bw_island_square(y, x) : bw_island_square(x, y);
}

static int inverse(int t) { /* swapping exchanges the two flips */
    return t & 4 ? 4 | (t & 1) << 1 | (t & 2) >> 1 : t;
}

static bw_island_set turned(const bw_island_patterns *p, int t, bw_island_set set) {
    if (t == 0) return set;
    uint64_t half[2] = {0, 0};
    while (!bw_island_empty(set)) {
        int square = p->image[t][bw_island_take(&set)];
        half[square / BW_ISLAND_HALF] |= (uint64_t)1 << (square % BW_ISLAND_HALF);
    }
    return (bw_island_set){{half[0], half[1]}};
}

static void find_corner(bw_island_patterns *p) {
    int symmetries = p->width == p->height ? 8 : 4;
    for (int y = 0; y < p->height; y++) {
        for (int x = 0; x < p->width; x++) {
            int square = bw_island_square(x, y), least = square, turn = 0;
            for (int t = 0; t < symmetries; t++) {
                int image = image_of(p, t, square);
                p->image[t][square] = (uint8_t)image;
                if (image < least) least = image, turn = t;
            }
            p->turn[square] = (uint8_t)turn;
            if (least == square) {
                p->corner[square] = (uint8_t)p->corners;
                p->square[p->corners++] = (uint8_t)square;
            } else {
                p->corner[square] = p->corner[least]; /* it came earlier, so it is smaller */
            }
        }
    }
}

/* ---- smallest sets ---- */

static uint64_t order_of(bw_island_set set) {
    uint64_t mix = (set.half[0] * 0x9e3779b97f4a7c15u) ^ (set.half[1] * 0xbf58476d1ce4e5b9u);
    mix ^= mix >> 29;
    return (uint64_t)bw_island_count(set) << 56 | (mix * 0x94d049bb133111ebu) >> 8;
}

static bool same(bw_island_set a, bw_island_set b) { return a.half[0] == b.half[0] && a.half[1] == b.half[1]; }

static bool within(bw_island_set small, bw_island_set large) {
    return ((small.half[0] & ~large.half[0]) | (small.half[1] & ~large.half[1])) == 0;
}

/* Does `large` contain one of the sets? Four at a time, because most do not match. */
static bool one_within(const bw_island_set *sets, uint32_t count, bw_island_set large) {
    uint64_t no0 = ~large.half[0], no1 = ~large.half[1];
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        uint64_t a = (sets[i].half[0] & no0) | (sets[i].half[1] & no1);
        uint64_t b = (sets[i + 1].half[0] & no0) | (sets[i + 1].half[1] & no1);
        uint64_t c = (sets[i + 2].half[0] & no0) | (sets[i + 2].half[1] & no1);
        uint64_t d = (sets[i + 3].half[0] & no0) | (sets[i + 3].half[1] & no1);
        if (!a | !b | !c | !d) return true;
    }
    while (i < count && !within(sets[i], large)) i++;
    return i < count;
}

/* In-place quicksort by order (Hoare 1961); orders are hashes, so the halves are about equal. The larger part is put
 * aside, so 32 parts are enough. */
static void sort(bw_island_candidate *items, uint32_t count) {
    struct {
        uint32_t from, to;
    } waiting[32];
    int parts = 0;
    uint32_t from = 0, to = count;
    for (;;) {
        while (to - from > 16) {
            uint64_t pivot = items[from + (to - from) / 2].order;
            uint32_t i = from, k = to - 1;
            for (;;) {
                while (items[i].order < pivot) i++;
                while (items[k].order > pivot) k--;
                if (i >= k) break;
                bw_island_candidate swapped = items[i];
                items[i++] = items[k];
                items[k--] = swapped;
            }
            uint32_t middle = i > from ? i : from + 1;
            bool left_is_larger = middle - from > to - middle;
            waiting[parts].from = left_is_larger ? from : middle;
            waiting[parts++].to = left_is_larger ? middle : to;
            if (left_is_larger) from = middle;
            else to = middle;
        }
        for (uint32_t i = from + 1; i < to; i++) {
            bw_island_candidate moving = items[i];
            uint32_t at = i;
            for (; at > from && items[at - 1].order > moving.order; at--) items[at] = items[at - 1];
            items[at] = moving;
        }
        if (parts == 0) return;
        from = waiting[--parts].from;
        to = waiting[parts].to;
    }
}

typedef struct task {
    bw_island_patterns *p;
    bool (*keep_going)(void *user);
    void *user;
    uint32_t calls;
    bool stopped;
    uint32_t count; /* number of candidates */
} task;

static bool stopped(task *t, uint32_t work) {
    t->calls += work;
    if (t->calls >= CALLS_BETWEEN && !t->stopped) {
        t->calls = 0;
        t->stopped = t->keep_going && !t->keep_going(t->user);
    }
    return t->stopped;
}

/* Writes the smallest candidates to `out`: at most `cap`, none of which contains another. */
static uint32_t minimise(task *t, bw_island_set *out, uint32_t cap) {
    const bw_island_candidate *sorted = t->p->candidates;
    uint32_t at = 0, kept = 0;
    sort(t->p->candidates, t->count);
    for (; at < t->count && kept < cap && !stopped(t, 1 + kept / 64); at++) {
        bw_island_set set = sorted[at].set;
        if (at > 0 && same(sorted[at - 1].set, set)) continue; /* equal ones are adjacent */
        if (!one_within(out, kept, set)) out[kept++] = set;
    }
    if (at < t->count) t->p->whole = false;
    t->count = 0;
    return kept;
}

/* Adds a candidate; if there is no room, first drops those that contain others. */
static void add(task *t, bw_island_set set) {
    bw_island_patterns *p = t->p;
    uint64_t order = order_of(set);
    uint32_t *recent = &p->recent[order % BW_ISLAND_RECENT]; /* more than half of all candidates are duplicates */
    if (*recent < t->count && p->candidates[*recent].order == order && same(p->candidates[*recent].set, set)) return;
    if (t->count == p->candidate_cap) {
        uint32_t kept = minimise(t, p->next, p->work_cap);
        for (uint32_t i = 0; i < kept; i++) {
            p->candidates[i] = (bw_island_candidate){order_of(p->next[i]), p->next[i]};
        }
        t->count = kept; /* at most an eighth: minimise reports it if that left something out */
    }
    *recent = t->count;
    p->candidates[t->count++] = (bw_island_candidate){order, set};
}

/* ---- one step back ---- */

/* What must be flooded when the adventurer arrives at a corner square, so that the night's floods complete one of
 * its patterns: the pattern except as many squares as can be flooded, those just dried among them. */
static void add_arrivals(task *t, int square, bw_island_set pattern) {
    bw_island_set here = bw_island_and(pattern, bw_island_cross[square]);
    bw_island_set rest = bw_island_without(pattern, here);
    int free = t->p->floods - bw_island_count(here);
    if (free < 0) return;
    if (bw_island_count(rest) <= free) {
        add(t, (bw_island_set){{0, 0}});
        return;
    }
    if (free == 0) {
        add(t, rest);
        return;
    }
    for (bw_island_set a = rest; !bw_island_empty(a);) {
        bw_island_set one = bw_island_without(rest, bw_island_single(bw_island_take(&a)));
        if (free == 1) {
            add(t, one);
            continue;
        }
        for (bw_island_set b = a; !bw_island_empty(b);) {
            bw_island_set two = bw_island_without(one, bw_island_single(bw_island_take(&b)));
            if (free == 2) {
                add(t, two);
                continue;
            }
            for (bw_island_set c = b; !bw_island_empty(c);) {
                add(t, bw_island_without(two, bw_island_single(bw_island_take(&c))));
            }
        }
    }
}

/* Stores sets in the pool, as permanent lists. */
static bool keep(bw_island_patterns *p, const bw_island_set *sets, uint32_t count, bw_island_list *list) {
    if (count > p->pool_cap - p->pool_count) return false;
    list->sets = p->pool + p->pool_count;
    list->count = count;
    memcpy(p->pool + p->pool_count, sets, count * sizeof *sets);
    p->pool_count += count;
    return true;
}

/* Writes the ways to deal with neighbour q of square p to `ways`; returns how many. */
static uint32_t ways_of(const bw_island_patterns *p, int square, int q, bw_island_set *ways) {
    const bw_island_list *list = &p->arrivals[p->corner[q]];
    int back = inverse(p->turn[q]);
    uint32_t count = 0;
    ways[count++] = bw_island_single(q);
    for (uint32_t i = 0; i < list->count; i++) {
        bw_island_set way = turned(p, back, list->sets[i]);
        if (!bw_island_has(way, square)) { /* the adventurer is there, so it is dry */
            ways[count++] = way;
        }
    }
    return count;
}

/* Unites one choice for every neighbour of a square: the patterns of the next n go to p->work. */
static uint32_t unite(task *t, int square, uint32_t cap, int size_max) {
    bw_island_patterns *p = t->p;
    bw_island_set neighbours = bw_island_and(bw_island_king[square], bw_island_land(p->width, p->height));
    uint32_t count = 1;
    p->work[0] = (bw_island_set){{0, 0}};
    while (!bw_island_empty(neighbours)) {
        /* The neighbour with the fewest ways first, so that there is less to unite. */
        int q = -1;
        for (bw_island_set s = neighbours; !bw_island_empty(s);) {
            int other = bw_island_take(&s);
            if (q < 0 || p->arrivals[p->corner[other]].count < p->arrivals[p->corner[q]].count) {
                q = other;
            }
        }
        neighbours = bw_island_without(neighbours, bw_island_single(q));
        bw_island_set *ways = p->pool + p->pool_count; /* temporarily uses the free end of the pool */
        if (p->arrivals[p->corner[q]].count + 1 > p->pool_cap - p->pool_count) {
            p->whole = false;
            return 0;
        }
        uint32_t way_count = ways_of(p, square, q, ways);
        for (uint32_t i = 0; i < count && !stopped(t, 1 + way_count / 16); i++) {
            if (one_within(ways, way_count, p->work[i])) {
                add(t, p->work[i]);
                continue;
            }
            for (uint32_t w = 0; w < way_count; w++) {
                bw_island_set both = bw_island_or(p->work[i], ways[w]);
                if (bw_island_count(both) <= size_max) add(t, both);
            }
        }
        if (t->stopped) return 0;
        count = minimise(t, p->work, cap);
    }
    return count;
}

static uint32_t beam_of(const bw_island_patterns *p) {
    return p->beam && p->beam < p->work_cap ? p->beam : p->work_cap;
}

bw_island_patterns_outcome bw_island_patterns_next(bw_island_patterns *p, bool (*keep_going)(void *user), void *user) {
    if (p->days < p->made) {
        p->days++;
        return p->still && p->days >= p->still ? BW_ISLAND_PATTERNS_STILL : BW_ISLAND_PATTERNS_MORE;
    }
    if (p->days + 1 >= BW_ISLAND_LAYERS) return BW_ISLAND_PATTERNS_FULL;
    if (keep_going && !keep_going(user)) return BW_ISLAND_PATTERNS_STOPPED;
    task t = {.p = p, .keep_going = keep_going, .user = user};
    int n = p->days + 1, size_max = p->target ? p->floods * (p->target - n) : BW_ISLAND_SQUARES;
    uint32_t pool_before = p->pool_count, changed = 0;
    bool fits = true;
    /* The arrivals are stored after the place of the new lists; at the end these move down over them. */
    for (int c = 0; c < p->corners && fits; c++) {
        const bw_island_list *list = &p->lists[p->days][c];
        for (uint32_t i = 0; i < list->count; i++) add_arrivals(&t, p->square[c], list->sets[i]);
        uint32_t count = minimise(&t, p->work, beam_of(p));
        fits = keep(p, p->work, count, &p->arrivals[c]);
    }
    uint32_t lists_at = p->pool_count;
    for (int c = 0; c < p->corners && fits && !t.stopped; c++) {
        const bw_island_list *before = &p->lists[p->days][c];
        uint32_t count = unite(&t, p->square[c], beam_of(p), size_max);
        for (uint32_t i = 0; i < count; i++) add(&t, p->work[i]);
        for (uint32_t i = 0; i < before->count; i++) {
            if (bw_island_count(before->sets[i]) <= size_max) add(&t, before->sets[i]);
        }
        count = minimise(&t, p->work, beam_of(p));
        changed += count != before->count || memcmp(p->work, before->sets, count * sizeof *p->work) != 0;
        fits = keep(p, p->work, count, &p->lists[n][c]);
    }
    if (t.stopped || !fits) {
        p->pool_count = pool_before;
        p->whole = p->whole && fits;
        return t.stopped ? BW_ISLAND_PATTERNS_STOPPED : BW_ISLAND_PATTERNS_FULL;
    }
    uint32_t moved = p->pool_count - lists_at;
    memmove(p->pool + pool_before, p->pool + lists_at, moved * sizeof *p->pool);
    for (int c = 0; c < p->corners; c++) p->lists[n][c].sets -= lists_at - pool_before;
    p->pool_count = pool_before + moved;
    p->days = p->made = n;
    if (!changed && !p->still) p->still = n;
    return changed ? BW_ISLAND_PATTERNS_MORE : BW_ISLAND_PATTERNS_STILL;
}

/* ---- beginning ---- */

void bw_island_patterns_again(bw_island_patterns *p) { p->days = 0; }

enum {
    KEPT_SHARE = 8, /* at most one of this many candidates is kept */
    STEP_BYTES = KEPT_SHARE * (int)sizeof(bw_island_candidate) + 2 * (int)sizeof(bw_island_set),
};

void bw_island_patterns_begin(bw_island_patterns *p, const bw_island_config *config, uint32_t beam, int target,
                              void *memory, size_t bytes) {
    memset(p, 0, sizeof *p);
    p->width = config->width;
    p->height = config->height;
    p->floods = config->max_flood_count;
    p->beam = beam;
    p->target = target;
    p->whole = true;
    find_corner(p);
    /* With a beam there are many lists and few candidates per step; without one it is the other way round. */
    size_t lists = bytes / (beam ? 2 : 8) / 16 * 16;
    p->candidate_cap = (uint32_t)((bytes - lists) / STEP_BYTES * KEPT_SHARE);
    p->work_cap = p->candidate_cap / KEPT_SHARE;
    p->pool = memory;
    p->pool_cap = (uint32_t)(lists / sizeof *p->pool);
    p->work = (bw_island_set *)((char *)memory + lists);
    p->next = p->work + p->work_cap;
    p->candidates = (bw_island_candidate *)(p->next + p->work_cap);
    for (int c = 0; c < p->corners; c++) {
        bw_island_set all = bw_island_and(bw_island_king[p->square[c]], bw_island_land(p->width, p->height));
        keep(p, &all, 1, &p->lists[0][c]);
    }
}

/* ---- answers ---- */

static bw_island_set missing(bw_island_set pattern, bw_island_set dry) { return bw_island_and(pattern, dry); }

int bw_island_patterns_day(const bw_island_patterns *p, int square, bw_island_set dry) {
    bw_island_set seen = turned(p, p->turn[square], dry);
    for (int n = 0; n <= p->days; n++) {
        const bw_island_list *list = &p->lists[n][p->corner[square]];
        for (uint32_t i = 0; i < list->count; i++) {
            if (bw_island_empty(missing(list->sets[i], seen))) return n;
        }
    }
    return -1;
}

int bw_island_patterns_aim(const bw_island_patterns *p, int from, int square, bw_island_set dry,
                           bw_island_set *pattern) {
    bw_island_set seen = turned(p, p->turn[square], dry);
    for (int n = from; n <= p->days; n++) {
        const bw_island_list *list = &p->lists[n][p->corner[square]];
        for (uint32_t i = 0; i < list->count; i++) {
            if (bw_island_count(missing(list->sets[i], seen)) <= p->floods) {
                *pattern = turned(p, inverse(p->turn[square]), list->sets[i]);
                return n;
            }
        }
    }
    return -1;
}

int bw_island_patterns_night(const bw_island_patterns *p, int from, int square, bw_island_set dry,
                             bw_island_set *flood) {
    bw_island_set pattern;
    int n = bw_island_patterns_aim(p, from, square, dry, &pattern);
    if (n >= 0 && flood) *flood = missing(pattern, dry);
    return n;
}

int bw_island_patterns_lack(const bw_island_patterns *p, int square, bw_island_set dry) {
    bw_island_set seen = turned(p, p->turn[square], dry);
    const bw_island_list *list = &p->lists[p->days][p->corner[square]];
    int least = BW_ISLAND_SQUARES;
    for (uint32_t i = 0; i < list->count; i++) {
        int lacks = bw_island_count(missing(list->sets[i], seen)) - p->floods;
        if (lacks < least) least = lacks;
    }
    return least > 0 ? least : 0;
}
