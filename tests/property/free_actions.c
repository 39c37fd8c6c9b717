/* Of free_test: the actions. What a game accepts, it lists; and each field of an action is judged at its bounds. */
#include "tests/property/free_test.h"

/* Applies `action` to a copy, as a connection's DRAFT action or as a file's. Returns its outcome. */
static int on_copy(const bw_any *any, void *block, int seat, const void *action) {
    bw_match copy;
    memcpy(block, any->match.block, bw_match_bytes(game));
    bw_match_attach(&copy, game, block);
    if (game->flags & BW_GAME_ROUNDS) {
        return game->prepare(copy.state, seat, bw_match_draft(&copy, seat), action);
    }
    return game->apply(copy.state, seat, action, NULL);
}

/* ---- the values of one field ---- */

static int64_t int_at(const bw_field *field, const unsigned char *at) {
    uint64_t value = 0;
    memcpy(&value, at, field->item_size); /* least significant byte first, as everywhere here */
    const int unused = 64 - 8 * (int)field->item_size;
    return field->is_signed ? (int64_t)(value << unused) >> unused : (int64_t)value;
}

/* Returns false if its type cannot hold the value. */
static bool set_int(const bw_field *field, unsigned char *at, int64_t value) {
    memcpy(at, &value, field->item_size);
    return int_at(field, at) == value;
}

/* Changes one number, enum value or boolean somewhere in a struct, to a value near its own. */
static void nudge(const bw_schema *schema, unsigned char *value, bw_fast *fast) {
    if (schema->count == 0) return;
    const bw_field *field = &schema->fields[bw_fast_below(fast, schema->count)];
    unsigned char *at = value + field->offset;
    if (field->shape == BW_SHAPE_ARRAY) {
        uint16_t count;
        memcpy(&count, value + field->count_offset, sizeof count);
        if (count == 0) return;
        at += bw_fast_below(fast, count) * field->item_size;
    } else if (field->shape != BW_SHAPE_ONE) {
        return;
    }
    const int64_t step = (int64_t)bw_fast_below(fast, 7) - 3;
    if (field->kind == BW_KIND_STRUCT) nudge(field->schema, at, fast);
    else if (field->kind == BW_KIND_BOOL) *at ^= 1;
    else if (field->kind == BW_KIND_ENUM) *at = (unsigned char)bw_fast_below(fast, field->names->count);
    else if (field->kind == BW_KIND_INT) set_int(field, at, int_at(field, at) + step);
}

/* ---- accepted actions are listed ---- */

/* The effect of an accepted action: the match after it. For an order in a game of rounds: what the next round plays
 * if nothing else is queued. Returns false if the order is for a later round or takes one back. */
static bool comes_to(const bw_any *any, unsigned char *block, int seat, const void *action, void *round) {
    const size_t size = game->actions->size;
    if (!(game->flags & BW_GAME_ROUNDS)) return on_copy(any, block, seat, action) >= 0;
    bw_match copy;
    for (int with = 0; with < 2; with++) {
        memcpy(block, any->match.block, bw_match_bytes(game));
        bw_match_attach(&copy, game, block);
        memset(copy.drafts, 0, drafts_size());
        if (with && game->prepare(copy.state, seat, bw_match_draft(&copy, seat), action) < 0) return false;
        bw_match_round(&copy, (unsigned char *)round + (size_t)with * size, NULL);
    }
    const bool waits = memcmp(round, (unsigned char *)round + size, size) == 0;
    memset(block, 0, bw_match_bytes(game));
    memcpy(block, (unsigned char *)round + size, size);
    return !waits;
}

/* The complete list; only a few times, because one may have 161,700 actions. */
static unsigned char *whole_list(const bw_any *any, int seat, uint32_t *count) {
    unsigned char *list = memory(*count * game->actions->size);
    *count = game->legal(any->match.state, seat, list, *count);
    return list;
}

enum { LONG_LISTS = 4 };
static int long_lists;
static uint32_t accepted; /* actions that are not in the list */

/* Does some listed action have the same effect? */
static bool is_listed(const bw_any *any, int seat, const unsigned char *list, uint32_t count, const void *action) {
    const size_t size = game->actions->size, bytes = bw_match_bytes(game);
    unsigned char *wanted = memory(bytes), *other = memory(bytes), *round = memory(2 * size);
    bool found = !comes_to(any, wanted, seat, action, round);
    accepted += !found;
    for (uint32_t i = 0; i < count && !found; i++) {
        found = comes_to(any, other, seat, list + i * size, round) && memcmp(wanted, other, bytes) == 0;
    }
    free(wanted), free(other), free(round);
    return found;
}

static void must_be_listed(const bw_any *any, int seat, const unsigned char *list, uint32_t count, const void *action) {
    char text[4096];
    unsigned char *whole = NULL;
    if (count > LISTED) {
        if (long_lists++ >= LONG_LISTS) return;
        list = whole = whole_list(any, seat, &count);
    }
    if (!is_listed(any, seat, list, count, action)) {
        bw_out out = bw_out_to(text, sizeof text - 1);
        bw_encode_union(&out, game->actions, action);
        fail_msg("accepted but not listed: %.*s", (int)out.length, text);
    }
    free(whole);
}

static void check_legal(bw_any *any, bw_fast *fast) {
    size_t size = game->actions->size, bytes = bw_match_bytes(game);
    unsigned char *copy = memory(bytes);
    void *action = memory(size);
    for (int seat = 0; seat < game->role_count; seat++) {
        if (!(game->turn(any->match.state) >> seat & 1)) continue;
        uint32_t count = game->legal(any->match.state, seat, NULL, 0), listed = count < LISTED ? count : LISTED;
        unsigned char *list = memory(listed * size);
        assert_int_equal(game->legal(any->match.state, seat, list, listed), count);
        for (uint32_t i = 0; i < listed; i += 1 + listed / 64) {
            assert_int_equal(on_copy(any, copy, seat, list + i * size) < 0, 0);
        }
        for (int n = 0; n < 24; n++) {
            bw_any_random_action(game, fast, action);
            if (n % 2 && listed) { /* something close to a legal action */
                memcpy(action, list + bw_fast_below(fast, listed) * size, size);
                const bw_case *kind = &game->actions->cases[*(uint8_t *)action];
                nudge(kind->schema, (unsigned char *)action + game->actions->body_offset, fast);
                if (!bw_union_fits(game->actions, action)) continue;
            }
            uint32_t flags = game->actions->cases[*(uint8_t *)action].flags;
            bool draft_of_round = (game->flags & BW_GAME_ROUNDS) && (flags & BW_ACTION_DRAFT);
            if (flags & (BW_ACTION_COMMIT | BW_ACTION_CLOCK | BW_ACTION_WORDS | BW_ACTION_OPEN) ||
                ((game->flags & BW_GAME_ROUNDS) && !draft_of_round)) {
                continue;
            }
            int outcome = on_copy(any, copy, seat, action);
            if (outcome < 0) { /* refused: no byte has changed, and there is a sentence */
                assert_memory_equal(copy, any->match.block, bytes);
                assert_non_null(bw_refusal(game, outcome));
                continue;
            }
            must_be_listed(any, seat, list, count, action);
        }
        /* Random actions rarely hit a long list; actions that the game itself draws are listed too. */
        if (count > LISTED && game->sample && game->sample(any->match.state, seat, fast, action)) {
            must_be_listed(any, seat, list, count, action);
        }
        free(list);
    }
    free(copy), free(action);
}

void accepted_actions_are_listed(void **unused) {
    (void)unused;
    long_lists = 0;
    accepted = 0;
    along_random_games(GAMES / 3, STEPS / 10, check_legal);
    assert_true(accepted > 0);
}

/* ---- the bounds of each field of each action ---- */

/* Tries one value: in memory, and as JSON if JSON can express it. The rules judge a value at a declared bound, and
 * the declaration judges one past it. Either way a refused value changes no byte and has a sentence; the sentence
 * for a number past its bound names the field. */
typedef struct trial {
    bw_any *any;
    int seat;
    unsigned char *action, *block, *decoded;
    const bw_field *field;
} trial;

static void assert_sentence(const char *sentence) {
    size_t length = strlen(sentence);
    assert_true(length > 4 && sentence[length - 1] == '.');
}

static void try_value(const trial *t, bool declared) {
    static char json[TEXT];
    static bw_token tokens[TOKENS];
    const bw_case *kind = &game->actions->cases[*t->action];
    bw_match copy;
    memcpy(t->block, t->any->match.block, bw_match_bytes(game));
    bw_match_attach(&copy, game, t->block);
    const bool clock = kind->flags & BW_ACTION_CLOCK;
    const bool played = !(kind->flags & (BW_ACTION_DRAFT | BW_ACTION_COMMIT)) && !(game->flags & BW_GAME_ROUNDS);
    if (kind->flags & BW_ACTION_WORDS) return; /* for the order parser to decide */
    int outcome = clock || played ? bw_match_play(&copy, clock ? BW_CLOCK : t->seat, t->action, NULL)
                                  : bw_match_submit(&copy, t->seat, t->action, t->decoded, NULL);
    if (bw_union_fits(game->actions, t->action) != declared) fail_msg("\"%s\" has other bounds", t->field->name);
    if (!declared && outcome >= 0) fail_msg("\"%s\" past its bound is taken", t->field->name);
    if (outcome < 0) {
        assert_memory_equal(t->block, t->any->match.block, bw_match_bytes(game));
        assert_sentence(bw_refusal(game, outcome));
    }
    if (t->field->kind != BW_KIND_INT || t->field->shape != BW_SHAPE_ONE) return;
    bw_error_text why = {""};
    bw_doc doc;
    bw_out out = bw_out_to(json, sizeof json);
    bw_encode_union(&out, game->actions, t->action);
    assert_true(bw_doc_parse(&doc, json, out.length, tokens, TOKENS, 8, &why) > 0);
    int error = bw_decode_union(game->actions, &doc, 0, t->decoded, NULL, &why);
    if (declared) {
        assert_int_equal(error, 0);
    } else {
        assert_true(error < 0);
        assert_sentence(why.text);
        if (!strstr(why.text, t->field->name)) fail_msg("\"%s\" is not named: %s", t->field->name, why.text);
    }
}

static void try_number(trial *t, unsigned char *at) {
    const bw_field *field = t->field;
    const int64_t names = field->names ? field->names->count : 0;
    const int64_t values[] = {field->lo, field->hi, field->lo - names - 1, field->hi + 1};
    for (int i = 0; i < 4; i++) {
        if (set_int(field, at, values[i])) try_value(t, i < 2);
    }
}

/* Zero is not a value of a number that counts from 1. */
static void fill(const bw_schema *schema, unsigned char *value) {
    for (int i = 0; i < schema->count; i++) {
        const bw_field *field = &schema->fields[i];
        unsigned char *at = value + field->offset;
        if (field->shape != BW_SHAPE_ONE) continue;
        if (field->kind == BW_KIND_STRUCT) fill(field->schema, at);
        else if (field->kind == BW_KIND_INT && int_at(field, at) < field->lo) set_int(field, at, field->lo);
    }
}

static void try_fields(trial *t, const bw_schema *schema, unsigned char *value) {
    for (int i = 0; i < schema->count; i++) {
        const bw_field *field = t->field = &schema->fields[i];
        unsigned char *at = value + field->offset, before[4096];
        if (field->shape == BW_SHAPE_GRID || field->shape == BW_SHAPE_MAP || schema->size > sizeof before) continue;
        memcpy(before, value, schema->size);
        if (field->presence != BW_PRESENCE_REQUIRED) value[field->has_offset] = 1;
        if (field->shape == BW_SHAPE_ARRAY) {
            const uint16_t counts[] = {0, (uint16_t)field->cap, (uint16_t)(field->cap + 1), UINT16_MAX};
            const bool fits = bw_union_fits(game->actions, t->action); /* with the items that are there */
            for (int k = 0; k < 4; k++) {
                memcpy(value + field->count_offset, &counts[k], sizeof counts[k]);
                if (k > 1 || (fits && bw_union_fits(game->actions, t->action))) try_value(t, k < 2);
            }
            memcpy(value + field->count_offset, &(uint16_t){1}, sizeof(uint16_t));
            if (field->kind == BW_KIND_STRUCT) fill(field->schema, at);
        }
        if (field->kind == BW_KIND_INT) {
            try_number(t, at);
        } else if (field->kind == BW_KIND_ENUM) {
            const int past[] = {0, field->names->count - 1, field->names->count, 255};
            for (int k = 0; k < 4; k++) *at = (unsigned char)past[k], try_value(t, past[k] < field->names->count);
        } else if (field->kind == BW_KIND_STRUCT) {
            try_fields(t, field->schema, at);
        }
        memcpy(value, before, schema->size);
    }
}

static void check_bounds(bw_any *any, bw_fast *fast) {
    const size_t size = game->actions->size;
    trial t = {.any = any, .action = memory(size), .block = memory(bw_match_bytes(game)), .decoded = memory(size)};
    t.seat = (int)bw_fast_below(fast, game->role_count);
    const bool on_turn = game->turn(any->match.state) >> t.seat & 1;
    uint32_t count = on_turn ? game->legal(any->match.state, t.seat, NULL, 0) : 0;
    count = count < LISTED ? count : LISTED;
    unsigned char *list = memory(count * size);
    if (on_turn) (void)game->legal(any->match.state, t.seat, list, count);
    for (uint16_t kind = 0; kind < game->actions->count; kind++) {
        const bw_schema *schema = game->actions->cases[kind].schema;
        memset(t.action, 0, size);
        *t.action = (unsigned char)kind;
        for (uint32_t i = 0; i < count; i++) {
            if (list[i * size] == kind) memcpy(t.action, list + i * size, size);
        }
        if (!bw_union_fits(game->actions, t.action)) continue; /* all zeros */
        if (schema != &bw_nothing_schema) try_fields(&t, schema, t.action + game->actions->body_offset);
    }
    const bw_field tag = {.name = "type", .kind = BW_KIND_ENUM};
    t.field = &tag;
    for (int past = game->actions->count; past < 256; past += 255 - game->actions->count) {
        *t.action = (unsigned char)past;
        assert_true(bw_match_submit(&any->match, t.seat, t.action, t.decoded, NULL) < 0);
        assert_true(bw_match_play(&any->match, t.seat, t.action, NULL) < 0);
    }
    free(list), free(t.action), free(t.block), free(t.decoded);
}

void values_at_and_past_each_bound_are_judged(void **unused) {
    (void)unused;
    along_random_games(GAMES / 3, 12, check_bounds);
}
