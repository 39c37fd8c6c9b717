#include "bots/review.h"

#include <string.h>

enum {
    PLAYS_MAX = 20000,
    AGAIN = 8,       /* moves that are looked at again */
    AGAIN_TIMES = 4, /* as many games then */
    AGAIN_FROM = 50, /* thousandths that such a move costs at least */
    ALIGN = 64,
    ONE = 840, /* a game that is won: up to eight can share it without a rest */
};

const bw_bot *bw_review_strongest(const bw_game *game) {
    const bw_bot *found = NULL;
    for (int i = 0; bw_bot_at(game, i); i++) found = bw_bot_at(game, i);
    return found;
}

bool bw_review_counts_moves(const bw_review_game *game) {
    const bw_insight *insight = bw_insight_find(game->game);
    return insight && insight->look;
}

/* ---- memory ---- */

typedef struct cut {
    unsigned char *at; /* NULL: only counted */
    size_t used;
} cut;

static void *take(cut *c, size_t bytes) {
    void *at = c->at ? c->at + c->used : NULL;
    c->used += (bytes + ALIGN - 1) / ALIGN * ALIGN;
    return at;
}

static size_t arena_of(const bw_review *r) {
    size_t bytes = r->measured ? r->insight->arena_bytes : r->strongest->arena_bytes;
    return r->measured || r->how.player->arena_bytes < bytes ? bytes : r->how.player->arena_bytes;
}

static void lay(bw_review *r, cut *c) {
    const bw_game *game = r->of.game;
    void *block = take(c, bw_match_bytes(game));
    r->before = take(c, bw_match_bytes(game));
    r->view = take(c, game->view->size);
    r->round = take(c, game->actions->size);
    r->actions = take(c, (size_t)BW_BOT_ACTIONS_MAX * game->actions->size);
    r->kept = take(c, r->measured ? 0 : (size_t)BW_BOT_ACTIONS_MAX * game->actions->size);
    r->other = take(c, game->actions->size);
    r->dealt = take(c, game->state_size);
    r->worths = take(c, (size_t)r->of.steps * sizeof *r->worths);
    r->best = take(c, r->measured ? (size_t)BW_SEATS_MAX * game->actions->size : 0);
    r->costs = take(c, (size_t)r->of.steps * sizeof *r->costs);
    r->arena = take(c, arena_of(r));
    if (block) bw_match_attach(&r->match, game, block);
}

static void prepare(bw_review *r, const bw_review_game *game, const bw_review_settings *settings) {
    *r = (bw_review){.of = *game, .how = *settings, .insight = bw_insight_find(game->game)};
    r->strongest = bw_review_strongest(game->game);
    r->measured = bw_review_counts_moves(game);
}

size_t bw_review_bytes(const bw_review_game *game, const bw_review_settings *settings) {
    bw_review r;
    cut counted = {NULL, 0};
    prepare(&r, game, settings);
    lay(&r, &counted);
    return counted.used;
}

void bw_review_begin(bw_review *r, const bw_review_game *game, const bw_review_settings *settings, void *memory) {
    cut whole = {memory, 0};
    prepare(r, game, settings);
    lay(r, &whole);
    memset(r->costs, 0, (size_t)r->of.steps * sizeof *r->costs);
}

static bool goes_on(const bw_review *r) { return !r->how.keep_going || r->how.keep_going(r->how.user); }

static bool plays(const bw_review *r, int seat) { return r->of.seats >> seat & 1; }

static void stand_at(bw_review *r, const void *block) { memcpy(r->match.block, block, bw_match_bytes(r->of.game)); }

/* ---- playing on ---- */

static uint64_t luck_of(uint32_t game, uint64_t move) {
    bw_fast fast = {game * 0x9e3779b97f4a7c15u + move};
    return bw_fast_next(&fast);
}

/* What a bot would do where the match stands. */
static uint32_t choose(bw_review *r, const bw_bot *bot, int seat, uint64_t seed) {
    const bw_game *game = r->of.game;
    bw_thinking thinking = {.seed = seed, .effort = 100, .arena = r->arena, .arena_bytes = bot->arena_bytes};
    game->view_of(r->match.state, seat, r->view);
    return bot->choose(bot, game, r->view, r->match.config, seat, &thinking, r->actions, BW_BOT_ACTIONS_MAX);
}

static bool play_round(bw_review *r, uint32_t turn, uint64_t seed) {
    const bw_game *game = r->of.game;
    for (int seat = 0; seat < game->role_count; seat++) {
        uint32_t count = turn >> seat & 1 ? choose(r, r->how.player, seat, seed + (unsigned)seat) : 0;
        for (uint32_t i = 0; i < count; i++) {
            bw_match_submit(&r->match, seat, r->actions + (size_t)i * game->actions->size, r->round, NULL);
        }
    }
    bw_match_round(&r->match, r->round, NULL);
    return true;
}

static bool play_turn(bw_review *r, uint32_t turn, int *last, uint64_t seed) {
    const bw_game *game = r->of.game;
    if (game->flags & BW_GAME_ROUNDS) return play_round(r, turn, seed);
    do {
        *last = (*last + 1) % game->role_count;
    } while (!(turn >> *last & 1));
    return choose(r, r->how.player, *last, seed) > 0 && bw_match_play(&r->match, *last, r->actions, NULL) >= 0;
}

/* From where the match stands to the end, or as far as bots go. False: stopped. */
static bool play_on(bw_review *r, uint32_t number) {
    int last = r->of.game->role_count - 1;
    uint32_t turn;
    for (uint64_t move = 0; move < PLAYS_MAX && (turn = r->of.game->turn(r->match.state)) != 0; move++) {
        if (!goes_on(r)) return false;
        if (!play_turn(r, turn, &last, luck_of(number, move * BW_SEATS_MAX))) break;
    }
    return true;
}

static uint32_t winners_of(const bw_review *r) {
    return r->of.game->turn(r->match.state) == 0 ? r->of.game->winners(r->match.state) : 0;
}

/* Who win together share the game. */
static uint32_t share_of(uint32_t winners) {
    uint32_t count = 0;
    for (; winners; winners >>= 1) count += winners & 1;
    return count ? ONE / count : 0;
}

/* What nobody could know where the match stands is drawn anew. False: there is no such thing. */
static bool deal(bw_review *r, uint32_t number) {
    const bw_game *game = r->of.game;
    game->view_of(r->match.state, BW_WATCHER, r->view);
    memcpy(r->dealt, r->match.state, game->state_size);
    if (game->guess(r->dealt, r->view, r->match.config, BW_WATCHER, luck_of(number, PLAYS_MAX * BW_SEATS_MAX)) < 0) {
        return false;
    }
    bool other = memcmp(r->dealt, r->match.state, game->state_size) != 0;
    memcpy(r->match.state, r->dealt, game->state_size);
    return other;
}

/* The chances of all where `block` stands, once a step (NULL: none) was played there. */
static bool chances(bw_review *r, const void *block, const bw_review_step *step, uint32_t games,
                    bw_worth worth[BW_SEATS_MAX]) {
    uint64_t wins[BW_SEATS_MAX] = {0};
    stand_at(r, block);
    bool over = r->of.game->turn(r->match.state) == 0;
    if (over) games = 1;
    for (uint32_t i = 0; i < games; i++) {
        stand_at(r, block);
        if (!over) deal(r, i);
        if (step) bw_match_play(&r->match, step->seat, step->action, NULL);
        if (!play_on(r, i)) return false;
        uint32_t winners = winners_of(r), share = share_of(winners);
        for (int seat = 0; seat < BW_SEATS_MAX; seat++) wins[seat] += winners >> seat & 1 ? share : 0;
    }
    for (int seat = 0; seat < BW_SEATS_MAX; seat++) {
        worth[seat] = (bw_worth){.value = (int32_t)(wins[seat] * BW_REVIEW_WHOLE / games / ONE), .exact = over};
    }
    return true;
}

/* ---- what a move cost ---- */

static int32_t cost_of(const bw_review *r, int seat, const bw_worth *before, const bw_worth *after) {
    int32_t lost = before->value - after->value;
    if (r->measured) {
        lost -= (int32_t)(r->insight->counting >> seat & 1); /* the move itself */
        if (r->insight->few >> seat & 1) lost = -lost;
    }
    return lost > 0 ? lost : 0;
}

/* Of a round: who lost most by it. */
static int loser_of(const bw_review *r, const bw_reviewed *found) {
    int loser = -1;
    int32_t most = 0;
    for (int seat = 0; seat < r->of.game->role_count; seat++) {
        int32_t cost = cost_of(r, seat, &found->before[seat], &found->after[seat]);
        if (plays(r, seat) && (loser < 0 || cost > most)) loser = seat, most = cost;
    }
    return loser;
}

static void settle(bw_review *r, const bw_review_step *step, bw_reviewed *found) {
    found->counts = true;
    found->seat = step->seat >= 0 ? step->seat : loser_of(r, found);
    if (found->seat >= 0) {
        found->cost = cost_of(r, found->seat, &found->before[found->seat], &found->after[found->seat]);
    }
}

/* ---- measured by moves ---- */

static unsigned char *best_of(bw_review *r, int seat) { return r->best + (size_t)seat * r->of.game->actions->size; }

static void look(bw_review *r, int seat) {
    r->now[seat] = (bw_worth){0};
    r->has_best[seat] = r->insight->look(r->arena, r->of.game, r->match.state, seat, &r->now[seat], best_of(r, seat));
}

static void look_for_all(bw_review *r) {
    for (int seat = 0; seat < r->of.game->role_count; seat++) {
        if (plays(r, seat)) look(r, seat);
    }
}

/* Undo and the like are no moves of a puzzle: its solver never plays them. */
static bool is_move(bw_review *r, const bw_review_step *step) {
    return step->seat >= 0 && step->action && r->has_best[step->seat] &&
           *(const uint8_t *)step->action == *best_of(r, step->seat);
}

/* The better move lies in `actions` since before the look that wrote over it. */
static void tell_better(const bw_review *r, bw_reviewed *found) {
    if (found->cost == 0) return;
    found->better = r->actions;
    found->better_count = 1;
    found->with_better = found->before[found->seat];
    found->with_better.value -= (int32_t)(r->insight->counting >> found->seat & 1);
}

static void measure(bw_review *r, const bw_review_step *step, bw_reviewed *found) {
    stand_at(r, step->block);
    if (found->step == 0 && r->insight->begin) r->insight->begin(r->arena, r->match.config);
    memcpy(found->before, r->now, sizeof found->before);
    bool counts = found->step > 0 && is_move(r, step);
    if (counts) memcpy(r->actions, best_of(r, step->seat), r->of.game->actions->size);
    if (counts && r->insight->apart) look(r, step->seat);
    else look_for_all(r);
    memcpy(found->after, r->now, sizeof found->after);
    memcpy(found->now, r->now, sizeof found->now);
    if (!counts) return;
    settle(r, step, found);
    tell_better(r, found);
}

/* ---- measured by chances ---- */

/* Who had no choice lost nothing by it. */
static bool is_forced(bw_review *r, const bw_review_step *step) {
    if (step->seat < 0 || !step->action || r->of.game->flags & BW_GAME_ROUNDS) return false;
    stand_at(r, r->before);
    return r->of.game->legal(r->match.state, step->seat, NULL, 0) == 1;
}

static bool has_luck(bw_review *r) {
    stand_at(r, r->before);
    return r->of.game->turn(r->match.state) != 0 && deal(r, 0);
}

static bool weigh(bw_review *r, const bw_review_step *step, bw_reviewed *found) {
    bool luck = found->step > 0 && has_luck(r), forced = found->step > 0 && is_forced(r, step);
    memcpy(found->before, r->now, sizeof found->before);
    if ((luck || !forced) && !chances(r, step->block, NULL, r->how.games, r->now)) return false;
    memcpy(found->now, r->now, sizeof found->now);
    memcpy(found->after, luck && forced ? found->before : r->now, sizeof found->after);
    /* What it cost does not hang on the luck that it brought. */
    if (luck && !forced && step->action && !chances(r, r->before, step, r->how.games, found->after)) return false;
    if (found->step > 0) settle(r, step, found);
    return true;
}

/* What the strongest bot does for a seat in `before`, as a step in place of what was played. False: it is the same, or
 * cannot be told. */
static bool find_better(bw_review *r, const bw_review_step *step, bw_review_step *other, bw_reviewed *found) {
    const bw_game *game = r->of.game;
    if (!step->action) return false;
    stand_at(r, r->before);
    memset(r->actions, 0, (size_t)BW_BOT_ACTIONS_MAX * game->actions->size); /* gaps too: it is compared */
    uint32_t count = choose(r, r->strongest, found->seat, 1);
    if (count == 0) return false;
    memcpy(r->kept, r->actions, (size_t)count * game->actions->size);
    *other = (bw_review_step){.seat = step->seat, .action = r->kept};
    if (step->seat == BW_CLOCK) {
        if (!r->insight || !r->insight->instead) return false;
        memcpy(r->other, step->action, game->actions->size);
        r->insight->instead(r->match.state, found->seat, r->kept, count, r->other);
        other->action = r->other;
    }
    found->better = r->kept;
    found->better_count = count;
    return memcmp(other->action, step->action, game->actions->size) != 0;
}

/* With more games, and beside what would have been better. */
static bool weigh_again(bw_review *r, const bw_review_step *step, bw_reviewed *found) {
    uint32_t games = r->how.games * AGAIN_TIMES;
    bw_worth with[BW_SEATS_MAX];
    bw_review_step other;
    bool luck = step->action && has_luck(r);
    found->again = true;
    if (!chances(r, r->before, NULL, games, found->before) ||
        !chances(r, luck ? r->before : step->block, luck ? step : NULL, games, found->after)) {
        return false;
    }
    settle(r, step, found);
    bool differs = found->cost > 0 && find_better(r, step, &other, found);
    if (differs && !chances(r, r->before, &other, games, with)) return false;
    if (differs) found->with_better = with[found->seat];
    if (!differs || found->with_better.value <= found->after[found->seat].value) found->better_count = 0;
    return true;
}

/* The dearest move that was not looked at again; 0: there is none. */
static uint32_t dearest(const bw_review *r) {
    uint32_t found = 0;
    for (uint32_t i = 1; i < r->of.steps; i++) {
        if (r->costs[i] >= AGAIN_FROM && (!found || r->costs[i] > r->costs[found])) found = i;
    }
    return found;
}

/* ---- all of it ---- */

static void keep_before(bw_review *r, uint32_t index) {
    bw_review_step step = r->of.at(r->of.user, index);
    memcpy(r->before, step.block, bw_match_bytes(r->of.game));
}

static bool look_again(bw_review *r, bw_reviewed *found) {
    uint32_t index = r->measured || r->again == AGAIN ? 0 : dearest(r);
    if (!index) {
        r->again = AGAIN;
        return false;
    }
    keep_before(r, index - 1);
    bw_review_step step = r->of.at(r->of.user, index);
    found->step = index;
    found->seat = step.seat;
    if (!weigh_again(r, &step, found)) return false;
    memcpy(found->now, r->worths[index], sizeof found->now);
    r->costs[index] = 0;
    r->again++;
    return true;
}

bool bw_review_next(bw_review *r, bw_reviewed *found) {
    memset(found, 0, sizeof *found);
    if (!goes_on(r)) return false;
    if (r->next == r->of.steps) return look_again(r, found);
    found->step = r->next;
    if (r->next > 0) keep_before(r, r->next - 1);
    bw_review_step step = r->of.at(r->of.user, r->next);
    found->seat = step.seat;
    if (r->measured) measure(r, &step, found);
    else if (!weigh(r, &step, found)) return false;
    memcpy(r->worths[r->next], found->now, sizeof found->now);
    r->costs[r->next++] = found->cost;
    return true;
}

uint32_t bw_review_slices(const bw_review *r, uint32_t *done) {
    /* A second look costs as much as that many first ones. */
    uint32_t each = 3 * AGAIN_TIMES, last = r->measured ? 0 : AGAIN * each;
    *done = r->next + (r->measured ? 0 : r->again * each);
    return r->of.steps + last;
}

/* ---- in words of JSON ---- */

static void put_worth(const bw_review *r, const bw_worth *worth, bw_out *out) {
    int thousandths = worth->value % BW_REVIEW_WHOLE;
    if (worth->open) bw_out_text(out, "null");
    else if (r->measured) bw_out_int(out, worth->value);
    else
        bw_out_format(out, "%d.%d%d%d", worth->value / BW_REVIEW_WHOLE, thousandths / 100, thousandths / 10 % 10,
                      thousandths % 10);
}

static void put_worths(const bw_review *r, const bw_reviewed *found, bw_out *out) {
    bool exact[2] = {true, true};
    bw_out_text(out, r->measured ? "\"moves_left\":{" : "\"chances\":{");
    for (int seat = 0, written = 0; seat < r->of.game->role_count; seat++) {
        if (!plays(r, seat)) continue;
        bw_out_format(out, "%s\"%s\":[", written++ ? "," : "", r->of.game->roles[seat].id);
        put_worth(r, &found->before[seat], out);
        bw_out_text(out, ",");
        put_worth(r, &found->after[seat], out);
        bw_out_text(out, "]");
        exact[0] = exact[0] && found->before[seat].exact;
        exact[1] = exact[1] && found->after[seat].exact;
    }
    bw_out_text(out, "},\"now\":{");
    for (int seat = 0, written = 0; seat < r->of.game->role_count; seat++) {
        if (!plays(r, seat)) continue;
        bw_out_format(out, "%s\"%s\":", written++ ? "," : "", r->of.game->roles[seat].id);
        put_worth(r, &found->now[seat], out);
    }
    bw_out_format(out, "},\"exact\":[%s,%s]", bw_true(exact[0]), bw_true(exact[1]));
}

static void put_role(const bw_review *r, const char *name, int seat, bw_out *out) {
    bw_out_text(out, name);
    bw_out_string(out, seat >= 0 ? r->of.game->roles[seat].id : NULL);
}

void bw_review_json(bw_review *r, const bw_reviewed *found, bw_out *out) {
    const bw_game *game = r->of.game;
    bw_review_step step = r->of.at(r->of.user, found->step);
    bw_worth cost = {.value = found->cost};
    put_role(r, "\"role\":", step.seat, out);
    put_role(r, ",\"of\":", found->seat, out);
    bw_out_text(out, ",");
    put_worths(r, found, out);
    bw_out_text(out, ",\"cost\":");
    put_worth(r, &cost, out);
    bw_out_format(out, ",\"again\":%s,\"action\":", bw_true(found->again));
    if (step.action) bw_encode_union(out, game->actions, step.action);
    else bw_out_text(out, found->step > 0 ? "{\"type\":\"resign\"}" : "null");
    bw_out_text(out, found->better_count ? ",\"better\":" : ",\"better\":null");
    if (!found->better_count) return;
    bw_encode_unions(out, game->actions, found->better, found->better_count);
    bw_out_text(out, ",\"with_better\":");
    put_worth(r, &found->with_better, out);
}
