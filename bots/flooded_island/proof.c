#include "bots/flooded_island/proof.h"

#include "engine/json.h"

#include <string.h>

enum { BEAM = 100 };
#define NONE UINT32_MAX

/* A position of one side's strategy, the adventurer to move. */
typedef struct node {
    bw_island_set set; /* the weather's: flooded squares; the adventurer's: dry squares; more do not matter */
    uint32_t links;    /* index of its first child */
    uint32_t next;     /* next node with the same square and days */
    uint16_t count;    /* number of children */
    uint16_t days;
    uint8_t square, move;
} node;

typedef struct prover {
    bw_island_proof *proof;
    bw_island_patterns *patterns;
    bw_island_set land;
    node *nodes;
    uint32_t *links; /* grows down from the end of the memory, towards the nodes */
    uint32_t count, cap, links_used, links_cap;
    uint32_t heads[BW_ISLAND_SQUARES][BW_ISLAND_LAYERS]; /* heads of lists, by square and days */
    uint32_t crc;
    uint32_t line;
    bool full;
} prover;

/* ---- writing ---- */

static uint32_t crc_of(uint32_t crc, const char *bytes, size_t length) {
    crc = ~crc;
    for (size_t i = 0; i < length; i++) {
        crc ^= (uint8_t)bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void write_bytes(prover *v, const char *bytes, size_t length) {
    v->crc = crc_of(v->crc, bytes, length);
    v->proof->write_bytes(v->proof->write_user, bytes, length);
}

/* A line, and after it the checksum of everything before. */
static void end_line(prover *v, bw_out *out) {
    bw_out_text(out, " ");
    write_bytes(v, out->at, out->length);
    char check[10];
    bw_out digits = bw_out_to(check, sizeof check);
    uint8_t crc[4] = {(uint8_t)(v->crc >> 24), (uint8_t)(v->crc >> 16), (uint8_t)(v->crc >> 8), (uint8_t)v->crc};
    bw_out_hex(&digits, crc, 4);
    bw_out_text(&digits, "\n");
    write_bytes(v, digits.at, digits.length);
    out->length = 0;
    v->line++;
}

static void put_square(bw_out *out, int square) {
    char letter = (char)('a' + bw_island_x(square));
    bw_out_bytes(out, &letter, 1);
    bw_out_int(out, bw_island_y(square) + 1);
}

static void put_position(bw_out *out, const char *side, const node *at) {
    bw_out_text(out, side);
    if (at->days < BW_ISLAND_DAYS) bw_out_int(out, at->days);
    else bw_out_text(out, "*");
    bw_out_text(out, " ");
    put_square(out, at->square);
    bw_out_text(out, bw_island_empty(at->set) ? " -" : " ");
    for (bw_island_set left = at->set; !bw_island_empty(left);) {
        put_square(out, bw_island_take(&left));
        if (!bw_island_empty(left)) bw_out_text(out, ",");
    }
}

static void put_night(prover *v, bw_out *out, const node *at, uint32_t first) {
    bw_island_set open = bw_island_without(bw_island_and(bw_island_king[at->square], v->land), at->set);
    put_position(out, "w ", at);
    for (uint32_t i = 0; i < at->count; i++) {
        bw_out_text(out, " ");
        put_square(out, bw_island_take(&open));
        bw_out_format(out, "=%u", first + v->links[at->links + i]);
    }
    end_line(v, out);
}

/* Children come before their parents in the list, so it is written from the end. */
static void put_day(prover *v, bw_out *out, const node *at, uint32_t first) {
    put_position(out, "a ", at);
    bw_out_text(out, " ");
    put_square(out, at->move);
    for (uint32_t i = 0; i < at->count; i++) {
        bw_out_format(out, " %u", first + v->count - 1 - v->links[at->links + i]);
    }
    end_line(v, out);
}

/* ---- nodes ---- */

static uint32_t add_node(prover *v, int square, int days, bw_island_set set) {
    if (v->count == v->cap) return v->full = true, NONE;
    v->nodes[v->count] = (node){.set = set,
                                .days = (uint16_t)days,
                                .square = (uint8_t)square,
                                .next = v->heads[square][days == BW_ISLAND_DAYS ? 0 : days]};
    v->heads[square][days == BW_ISLAND_DAYS ? 0 : days] = v->count;
    return v->count++;
}

static bool add_link(prover *v, uint32_t to) {
    if (v->links_used == v->links_cap) return v->full = true, false;
    v->links[v->links_used++] = to;
    return true;
}

static bool stopped(const prover *v) {
    return v->full || (v->proof->keep_going && !v->proof->keep_going(v->proof->user));
}

static void forget(prover *v) {
    v->count = v->links_used = 0;
    memset(v->heads, 0xff, sizeof v->heads);
}

/* ---- the weather ---- */

static uint32_t night_node(prover *v, int square, int days, bw_island_set set) {
    for (uint32_t i = v->heads[square][days]; i != NONE; i = v->nodes[i].next) {
        if (memcmp(&v->nodes[i].set, &set, sizeof set) == 0) return i;
    }
    return add_node(v, square, days, set);
}

static bool prove_night(prover *v) {
    add_node(v, 0, v->proof->at_most, (bw_island_set){{0, 0}});
    for (uint32_t i = 0; i < v->count; i++) {
        if (i % 64 == 0 && stopped(v)) return false;
        node at = v->nodes[i];
        bw_island_set open = bw_island_without(bw_island_and(bw_island_king[at.square], v->land), at.set);
        v->nodes[i].links = v->links_used;
        while (!bw_island_empty(open)) {
            int to = bw_island_take(&open);
            bw_island_set flooded = bw_island_without(at.set, bw_island_or(bw_island_cross[to], bw_island_single(to)));
            bw_island_set aim;
            int days = bw_island_patterns_aim(v->patterns, 0, to, bw_island_without(v->land, flooded), &aim);
            if (days < 0 || days >= at.days || !add_link(v, night_node(v, to, days, aim)) || v->full) return false;
            v->nodes[i].count++;
        }
    }
    return true;
}

/* ---- the adventurer ---- */

/* A flood of at most `floods` squares, in addition to those in `flood`, that hits every answer found so far; false:
 * none. */
static bool find_flood(const prover *v, const uint32_t *answers, uint32_t count, int floods, bw_island_set *flood) {
    uint32_t i = 0;
    while (i < count && !bw_island_empty(bw_island_and(v->nodes[answers[i]].set, *flood))) i++;
    if (i == count) return true;
    if (floods == 0) return false;
    for (bw_island_set left = v->nodes[answers[i]].set; !bw_island_empty(left);) {
        bw_island_set more = bw_island_or(*flood, bw_island_single(bw_island_take(&left)));
        if (find_flood(v, answers + i, count - i, floods - 1, &more)) {
            *flood = more;
            return true;
        }
    }
    return false;
}

/* A known answer; of several, the one that has least in common with the others. */
static uint32_t known_answer(const prover *v, int square, int days, bw_island_set flooded, bw_island_set used) {
    uint32_t best = NONE;
    int least = 2 * BW_ISLAND_SQUARES;
    for (uint32_t i = v->heads[square][days]; i != NONE; i = v->nodes[i].next) {
        if (!bw_island_empty(bw_island_and(v->nodes[i].set, flooded))) continue;
        int shared = bw_island_count(bw_island_and(v->nodes[i].set, used));
        if (shared < least) least = shared, best = i;
    }
    return best;
}

/* Where to go so that `days` moves can be completed, counting this one, according to the patterns. Prefers to go
 * away from flooded squares. */
static int choose_move(const prover *v, int square, int days, bw_island_set flooded) {
    bw_island_set dry = bw_island_without(v->land, flooded);
    int best = -1, most = -1;
    for (bw_island_set open = bw_island_and(bw_island_king[square], dry); !bw_island_empty(open);) {
        int to = bw_island_take(&open);
        bw_island_set then = bw_island_or(dry, bw_island_and(bw_island_cross[to], v->land));
        int lost = days > 1 ? bw_island_patterns_night(v->patterns, 0, to, then, NULL) : -1;
        if (lost >= 0 && lost <= days - 2) continue;
        int room = bw_island_count(bw_island_and(bw_island_king[to], then));
        if (room > most) most = room, best = to;
    }
    return best;
}

enum { ANSWERS_MAX = 1024 };

/* Floods more squares, those of `first` before others, as long as the adventurer can still complete `days` moves and
 * the position can arise: an answer to that serves for more positions. */
static bw_island_set harder(const prover *v, int square, int days, bw_island_set flooded, bw_island_set first) {
    int most = v->proof->config.max_flood_count * (v->proof->at_least - days);
    bw_island_set own = bw_island_single(square), others = bw_island_without(v->land, first);
    for (int step = 0; step < 2; step++) {
        bw_island_set left = bw_island_without(step == 0 ? first : others, bw_island_or(flooded, own));
        while (!bw_island_empty(left) && bw_island_count(flooded) < most) {
            bw_island_set more = bw_island_or(flooded, bw_island_single(bw_island_take(&left)));
            int lost = bw_island_patterns_day(v->patterns, square, bw_island_without(v->land, more));
            if (lost < 0 || lost >= days) flooded = more;
        }
    }
    return flooded;
}

static uint32_t prove_day(prover *v, int square, int days, bw_island_set flooded, bw_island_set used) {
    uint32_t known = known_answer(v, square, days, flooded, used);
    if (known != NONE || stopped(v)) return known;
    flooded = harder(v, square, days, flooded, used);
    int to = choose_move(v, square, days, flooded);
    if (to < 0) return v->full = true, NONE; /* the patterns are not exact, so they prove nothing */
    bw_island_set given =
        bw_island_or(bw_island_or(bw_island_cross[to], bw_island_single(to)), bw_island_single(square));
    bw_island_set after = bw_island_without(flooded, given), needed = {{0, 0}}, flood = {{0, 0}};
    uint32_t answers[ANSWERS_MAX], count = 0;
    while (days > 1 && find_flood(v, answers, count, v->proof->config.max_flood_count, &flood)) {
        if (count == ANSWERS_MAX) return v->full = true, NONE;
        answers[count] = prove_day(v, to, days - 1, bw_island_or(after, flood), needed);
        if (answers[count] == NONE) return NONE;
        needed = bw_island_or(needed, v->nodes[answers[count++]].set);
        flood = (bw_island_set){{0, 0}};
    }
    needed = bw_island_or(bw_island_without(needed, given), bw_island_single(to));
    uint32_t made = add_node(v, square, days, needed);
    if (made == NONE) return NONE;
    v->nodes[made].move = (uint8_t)to;
    v->nodes[made].links = v->links_used;
    v->nodes[made].count = (uint16_t)count;
    for (uint32_t i = 0; i < count; i++) {
        if (!add_link(v, answers[i])) return NONE;
    }
    return made;
}

/* One flood a night: of the two or more squares beside the adventurer that it has just dried, one is left. The nodes
 * are all pairs of neighbours; the start is the last. */
static bool prove_for_ever(prover *v) {
    for (int step = 0; step < 2; step++) {
        for (bw_island_set from = v->land; !bw_island_empty(from);) {
            int square = bw_island_take(&from);
            for (bw_island_set beside = bw_island_and(bw_island_cross[square], v->land); !bw_island_empty(beside);) {
                int to = bw_island_take(&beside);
                if (step == 0) {
                    uint32_t made = add_node(v, square, BW_ISLAND_DAYS, bw_island_single(to));
                    if (made == NONE) return false;
                    v->nodes[made].move = (uint8_t)to;
                    continue;
                }
                uint32_t at = v->heads[square][0];
                while (v->nodes[at].move != to) at = v->nodes[at].next;
                v->nodes[at].links = v->links_used;
                for (uint32_t i = v->heads[to][0]; i != NONE; i = v->nodes[i].next, v->nodes[at].count++) {
                    if (!add_link(v, i)) return false;
                }
            }
        }
    }
    uint32_t start = add_node(v, 0, BW_ISLAND_DAYS, v->nodes[0].set);
    if (start == NONE) return false;
    v->nodes[start].move = v->nodes[0].move;
    v->nodes[start].links = v->nodes[0].links;
    v->nodes[start].count = v->nodes[0].count;
    return true;
}

/* ---- both ---- */

static bool make_patterns(prover *v, uint32_t beam, int target, void *memory, size_t bytes) {
    bw_island_patterns *p = v->patterns;
    bw_island_patterns_begin(p, &v->proof->config, beam, beam ? 0 : target, memory, bytes); /* like solve.c */
    while (p->days < target &&
           bw_island_patterns_next(p, v->proof->keep_going, v->proof->user) != BW_ISLAND_PATTERNS_FULL) {
        if (stopped(v)) return false;
    }
    return p->days == target && (beam || p->whole);
}

static void header(prover *v, bw_out *out) {
    bw_out_format(out, "boardwalk-certificate 1 flooded_island %dx%d floods %d at-least %d at-most %d",
                  v->proof->config.width, v->proof->config.height, v->proof->config.max_flood_count, v->proof->at_least,
                  v->proof->at_most);
    end_line(v, out);
}

bool bw_island_prove(bw_island_proof *proof, void *memory, size_t bytes) {
    enum { HEAD = (sizeof(prover) + sizeof(bw_island_patterns) + 127) / 64 * 64, LINE = 16384 };
    if (bytes < HEAD + LINE + (4 << 20)) return false;
    prover *v = memory;
    memset(v, 0, sizeof *v);
    v->proof = proof;
    v->patterns = (void *)((char *)memory + (sizeof *v + 63) / 64 * 64);
    v->land = bw_island_land(proof->config.width, proof->config.height);
    bw_out out = bw_out_to((char *)memory + HEAD, LINE);
    char *rest = (char *)memory + HEAD + LINE;
    size_t half = (bytes - HEAD - LINE) / 2 / 64 * 64, nodes = half * 2 / 3 / 64 * 64;
    void *lists = rest + half;
    v->nodes = (node *)rest;
    v->cap = (uint32_t)(nodes / sizeof(node));
    v->links = (uint32_t *)(rest + nodes);
    v->links_cap = (uint32_t)((half - nodes) / sizeof(uint32_t));
    header(v, &out);
    forget(v);
    if (proof->at_most < BW_ISLAND_DAYS) {
        bool found = make_patterns(v, BEAM, proof->at_most, lists, half) &&
                     bw_island_patterns_day(v->patterns, 0, v->land) == proof->at_most;
        found = found || make_patterns(v, 0, proof->at_most, lists, half);
        if (!found || !prove_night(v)) return false;
        for (uint32_t i = 0, first = v->line + 1; i < v->count; i++) put_night(v, &out, &v->nodes[i], first);
        proof->night_nodes = v->count;
        forget(v);
    }
    if (proof->at_least > 0) {
        bool ever = proof->at_least == BW_ISLAND_DAYS;
        if (ever ? !prove_for_ever(v)
                 : !make_patterns(v, 0, proof->at_least - 1, lists, half) ||
                       prove_day(v, 0, proof->at_least, (bw_island_set){{0, 0}}, (bw_island_set){{0, 0}}) == NONE) {
            return false;
        }
        for (uint32_t i = v->count, first = v->line + 1; i-- > 0;) put_day(v, &out, &v->nodes[i], first);
        proof->day_nodes = v->count;
    }
    bw_out_text(&out, "end");
    end_line(v, &out);
    return !out.overflow;
}
