/* What every registered game must satisfy, tested from its declarations alone: free_test GAME [VERSION]. A new game
 * gets these tests without writing a line. */
#include "tests/property/free_test.h"

#include "engine/sha256.h"

const bw_game *game;

void *memory(size_t bytes) {
    void *at = calloc(1, bytes + 8);
    assert_non_null(at);
    return at;
}

/* Buffers for encoding and decoding, allocated once: clearing them at every step took most of the time. */
static char first_text[TEXT], second_text[TEXT];
static bw_token many_tokens[TOKENS];

size_t drafts_size(void) { return (size_t)game->role_count * game->draft_size; }

/* ---- the declaration itself ---- */

static void the_declaration_is_whole(void **unused) {
    (void)unused;
    assert_non_null(game->title);
    assert_non_null(game->summary);
    assert_true(game->role_count >= 1 && game->role_count <= BW_SEATS_MAX);
    assert_true(game->seats_min >= 1 && game->seats_min <= game->role_count);
    assert_true(game->max_events <= BW_EVENTS_MAX);
    assert_true(game->config->size <= BW_CONFIG_BYTES_MAX && game->stats->size <= 1024);
    assert_true(!game->openings || (game->open && game->openings->size <= BW_CONFIG_BYTES_MAX));
    assert_ptr_equal(bw_game_find_version(game->id, game->rules_version), game);
    if (game->check) assert_int_equal(game->check(game->defaults), 0);
    for (int i = 0; i < game->refusal_count; i++) {
        size_t length = strlen(game->refusals[i]);
        assert_true(length > 4 && game->refusals[i][length - 1] == '.');
    }
    assert_non_null(bw_bot_at(game, 0));
    assert_true(game->state_size <= bw_random.arena_bytes); /* it can play any game */
}

/* ---- variants ---- */

/* Merges a variant's settings into the current ones, as `configure` does. */
static void choose(const bw_variant *variant, void *config) {
    static bw_token tokens[64];
    bw_doc doc;
    bw_error_text why;
    assert_true(bw_doc_parse(&doc, variant->settings, strlen(variant->settings), tokens, 64, 8, &why) > 0);
    if (bw_config_read(game, &doc, 0, config, NULL, &why) < 0) fail_msg("%s: %s", variant->id, why.text);
    if (game->check) assert_int_equal(game->check(config), 0);
}

/* Regression: merged settings keep some of the old values. A variant gives the same game whatever was chosen before,
 * and also when chosen twice. */
static void a_variant_is_the_same_game_whatever_was_chosen_before(void **unused) {
    (void)unused;
    void *alone = memory(game->config->size), *after = memory(game->config->size);
    for (int i = 0; i < game->variant_count; i++) {
        const bw_variant *variant = &game->variants[i];
        assert_true(variant->id[0] && variant->title[0] && variant->minutes > 0);
        assert_int_equal(variant->summary[strlen(variant->summary) - 1], '.');
        memcpy(alone, game->defaults, game->config->size);
        choose(variant, alone);
        for (int before = 0; before < game->variant_count; before++) {
            if (before != i) assert_string_not_equal(variant->id, game->variants[before].id);
            memcpy(after, game->defaults, game->config->size);
            choose(&game->variants[before], after);
            choose(variant, after);
            assert_memory_equal(after, alone, game->config->size);
        }
    }
    free(alone);
    free(after);
}

/* ---- random play ---- */

void along_random_games(int games, int steps, visit *at_each) {
    bw_fast fast = {SEED};
    bw_any any;
    bw_any_open(&any, game);
    for (int n = 0; n < games; n++) {
        bw_any_start(&any, &fast, n == 0);
        at_each(&any, &fast);
        for (int i = 0; i < steps && bw_any_step(&any, &fast) != BW_WATCHER; i++) {
            at_each(&any, &fast);
        }
    }
    bw_any_close(&any);
}

static void check_turn(bw_any *any, bw_fast *fast) {
    (void)fast;
    const void *state = any->match.state;
    uint32_t turn = game->turn(state);
    assert_int_equal(turn >> game->role_count, 0);
    for (int seat = 0; seat < game->role_count; seat++) {
        int32_t score = game->score(state, seat);
        assert_true(score >= -1000 && score <= 1000);
        if (turn >> seat & 1) {
            /* In rounds a seat may have no order for the next round, and still plan later ones. */
            assert_true(game->flags & BW_GAME_ROUNDS || game->legal(state, seat, NULL, 0) > 0);
        }
    }
    if (turn == 0) assert_int_equal(game->winners(state) >> game->role_count, 0);
}

/* The wire types say which fields of the state may be null before the start. */
static void what_is_decided_later_is_declared(void **unused) {
    (void)unused;
    void *config = memory(game->config->size), *view = memory(game->view->size);
    for (int i = -1; game->foresee && i < game->variant_count; i++) {
        memcpy(config, game->defaults, game->config->size);
        if (i >= 0) choose(&game->variants[i], config);
        for (const char *const *name = game->foresee(config, 1, view); name && *name; name++) {
            const char *doc = NULL;
            for (int k = 0; k < game->view->count; k++) {
                if (strcmp(game->view->fields[k].name, *name) == 0) doc = game->view->fields[k].doc;
            }
            if (!doc || !strstr(doc, "null before the start")) fail_msg("%s: %s", *name, doc ? doc : "no such field");
        }
    }
    free(config);
    free(view);
}

static void a_seat_to_move_has_an_action(void **unused) {
    (void)unused;
    along_random_games(GAMES, STEPS, check_turn);
}

/* Two runs from the same bytes give the same bytes, and rules never read beyond them. */
static void the_same_choices_give_the_same_bytes(void **unused) {
    (void)unused;
    bw_any one, two;
    bw_any_open(&one, game);
    bw_any_open(&two, game);
    for (int n = 0; n < GAMES; n++) {
        bw_fast a = {SEED + (uint64_t)n}, b = a;
        memset(two.block, 0xa5, bw_match_bytes(game));
        bw_any_start(&one, &a, false);
        bw_any_start(&two, &b, false);
        for (int i = 0; i < STEPS; i++) {
            int seat = bw_any_step(&one, &a);
            assert_int_equal(seat, bw_any_step(&two, &b));
            assert_memory_equal(one.block, two.block, bw_match_bytes(game));
            if (seat == BW_WATCHER) break;
        }
    }
    bw_any_close(&one);
    bw_any_close(&two);
}

/* ---- views ---- */

static void round_trip(const bw_schema *schema, const void *value, const char *what) {
    char *text = first_text, *again = second_text;
    void *back = memory(schema->size);
    bw_doc doc;
    bw_error_text why = {""};
    bw_out out = bw_out_to(text, TEXT - 1);
    bw_encode(&out, schema, value);
    assert_false(out.overflow);
    if (bw_doc_parse(&doc, text, out.length, many_tokens, TOKENS, 16, &why) < 0 ||
        bw_decode(schema, &doc, 0, back, 0, NULL, &why) < 0) {
        fail_msg("%s does not decode: %s\n%s", what, why.text, text);
    }
    if (memcmp(back, value, schema->size) != 0) {
        bw_out second = bw_out_to(again, TEXT - 1);
        bw_encode(&second, schema, back);
        fail_msg("%s comes back as other bytes (not zeroed?):\n%s\n%s", what, text, again);
    }
    free(back);
}

static void check_views(bw_any *any, bw_fast *fast) {
    size_t size = game->actions->size;
    unsigned char *view = memory(game->view->size), *again = memory(game->view->size);
    unsigned char *watched = memory(game->view->size);
    void *other = memory(game->state_size);
    char *words = first_text, *words_again = second_text;
    round_trip(game->config, any->config, "config");
    for (int seat = BW_WATCHER; seat < game->role_count; seat++) {
        memset(view, 0xa5, game->view->size);
        game->view_of(any->match.state, seat, view);
        round_trip(game->view, view, "view");
        if (seat == BW_WATCHER) memcpy(watched, view, game->view->size);
        else if (game->flags & BW_GAME_SAME_VIEW) assert_memory_equal(watched, view, game->view->size);
        for (int n = 0; n < 2; n++) {
            /* A state that differs only in what this seat cannot know. */
            memset(other, 0x5a, game->state_size);
            assert_int_equal(game->guess(other, view, any->config, seat, bw_fast_next(fast)), 0);
            game->view_of(other, seat, again);
            assert_memory_equal(view, again, game->view->size);
            bw_out text = bw_out_to(words, TEXT), text_again = bw_out_to(words_again, TEXT);
            game->text(view, &text);
            game->text(again, &text_again);
            assert_true(text.length > 0 && !text.overflow && !memchr(words, '\0', text.length));
            assert_int_equal(text_again.length, text.length);
            assert_memory_equal(words, words_again, text.length);
            if (seat >= 0 && game->turn(any->match.state) >> seat & 1 && game->turn(other) >> seat & 1) {
                uint32_t count = game->legal(any->match.state, seat, NULL, 0), listed = count < LISTED ? count : LISTED;
                unsigned char *list = memory(listed * size), *list_again = memory(listed * size);
                assert_int_equal(game->legal(any->match.state, seat, list, listed), count);
                assert_int_equal(game->legal(other, seat, list_again, listed), count);
                assert_memory_equal(list, list_again, listed * size);
                free(list), free(list_again);
            }
        }
    }
    for (uint32_t i = 0; i < any->events.count; i++) {
        const unsigned char *event = any->events.memory + (size_t)i * game->events->size;
        assert_true(*event < game->events->count);
        round_trip(game->events->cases[*event].schema, event + game->events->body_offset,
                   game->events->cases[*event].name);
    }
    free(view), free(watched), free(again), free(other);
}

static void a_view_shows_what_a_seat_may_know_and_no_more(void **unused) {
    (void)unused;
    along_random_games(GAMES / 2, STEPS / 8, check_views);
}

/* ---- drafts ---- */

static void check_drafts(bw_any *any, bw_fast *fast) {
    void *action = memory(game->actions->size), *played = memory(game->actions->size);
    unsigned char *drafts = memory(drafts_size()), *state = memory(game->state_size), *you = memory(game->you->size);
    unsigned char *used = memory(game->you->size);
    for (int n = 0; n < 16; n++) {
        int seat = (int)bw_fast_below(fast, game->role_count);
        bw_any_random_action(game, fast, action);
        if (!(game->actions->cases[*(uint8_t *)action].flags & BW_ACTION_DRAFT) ||
            !(game->turn(any->match.state) >> seat & 1)) {
            continue;
        }
        memcpy(drafts, any->match.drafts, drafts_size());
        memcpy(state, any->match.state, game->state_size);
        int outcome = bw_match_submit(&any->match, seat, action, played, NULL);
        assert_memory_equal(state, any->match.state, game->state_size); /* no secret in what is hashed */
        for (int other = 0; other < game->role_count; other++) {
            if (other != seat || outcome < 0) {
                assert_memory_equal(drafts + (size_t)other * game->draft_size, bw_match_draft(&any->match, other),
                                    game->draft_size);
            }
        }
        memset(you, 0, game->you->size);
        memset(used, 0xa5, game->you->size);
        game->show_draft(any->match.state, seat, bw_match_draft(&any->match, seat), you);
        game->show_draft(any->match.state, seat, bw_match_draft(&any->match, seat), used);
        round_trip(game->you, you, "you");
        assert_true(bw_schema_same(game->you, you, used)); /* whatever was in that memory */
    }
    free(action), free(played), free(drafts), free(state), free(you), free(used);
}

static void a_draft_touches_nothing_but_itself(void **unused) {
    (void)unused;
    if (game->draft_size == 0) {
        assert_null(game->prepare);
        return;
    }
    along_random_games(GAMES / 2, STEPS / 8, check_drafts);
}

/* ---- game files ---- */

typedef struct file_of {
    char *text;
    size_t length;
    bool over;
} file_of;

static file_of recorded(bw_any *any, bw_fast *fast, bool plain, int steps) {
    file_of file = {.text = memory(1 << 23)};
    bw_chain chain;
    bw_out out = bw_out_to(file.text, (1 << 23) - 1);
    bw_any_start(any, fast, plain);
    bw_file_head head = {.game = game, .config = any->config, .seats = any->seats, .started_at = 1};
    bw_sha256_of(any->seed, 32, head.seed_hash);
    head.names[0] = "Ann \"A\"";
    bw_file_write_head(&out, &head, any->seed, &chain);
    bw_out_text(&out, "\n");
    int seat = 0;
    for (int i = 0; i < steps && (seat = bw_any_step(any, fast)) != BW_WATCHER; i++) {
        bw_file_write_action(&out, &chain, &any->match, (uint32_t)i + 1, i * 10, seat, any->played);
        bw_out_text(&out, "\n");
    }
    for (int i = 0; i < game->role_count && game->turn(any->match.state) != 0; i++) { /* a long game: all resign */
        if (any->seats >> i & 1 && bw_match_resign(&any->match, i, NULL) == 0) {
            bw_file_write_action(&out, &chain, &any->match, (uint32_t)(steps + i + 1), 99999, i, NULL);
            bw_out_text(&out, "\n");
        }
    }
    file.over = game->turn(any->match.state) == 0;
    if (file.over) {
        bw_file_write_result(&out, &chain, &any->match, 5);
        bw_out_text(&out, "\n");
    }
    assert_false(out.overflow);
    file.length = out.length;
    return file;
}

static int verified(bw_any *any, const char *text, size_t length, bw_error_text *why) {
    bw_file_reader reader = {.block = any->block,
                             .block_bytes = bw_match_bytes(game),
                             .tokens = many_tokens,
                             .token_cap = TOKENS,
                             .events = any->events.memory,
                             .events_bytes = (size_t)game->max_events * game->events->size,
                             .action = any->played,
                             .action_bytes = game->actions->size};
    int error = bw_file_verify(text, length, &reader);
    *why = reader.error;
    return error;
}

static void a_file_replays_and_a_flipped_byte_is_named(void **unused) {
    (void)unused;
    bw_fast fast = {SEED};
    bw_any any, reader;
    bw_error_text why;
    bw_any_open(&any, game);
    bw_any_open(&reader, game);
    for (int n = 0; n < 4; n++) {
        file_of file = recorded(&any, &fast, n == 0, 60);
        if (!file.over) { /* a puzzle for one player has no resignation */
            assert_int_equal(verified(&reader, file.text, file.length, &why), BW_FILE_RESULT);
            free(file.text);
            continue;
        }
        int error;
        assert_ptr_equal(bw_file_game(file.text, file.length, &error, &why), game);
        error = verified(&reader, file.text, file.length, &why);
        if (error < 0) fail_msg("game %d: %s\n%s", n, why.text, file.text);
        assert_memory_equal(reader.match.state, any.match.state, game->state_size);
        for (int flips = 0; flips < 40; flips++) {
            size_t at = bw_fast_below(&fast, (uint32_t)file.length);
            char was = file.text[at];
            if (was == '\n') continue;
            file.text[at] = (char)(was ^ (1 << bw_fast_below(&fast, 7)));
            unsigned line = 1, named = 0;
            for (size_t i = 0; i < at; i++) line += file.text[i] == '\n';
            assert_true(verified(&reader, file.text, file.length, &why) < 0);
            assert_int_equal(sscanf(why.text, "Line %u:", &named), 1);
            /* The first hash also covers line 1, so the error names both lines; a byte that becomes a line end moves
             * the error down by one line. */
            bool both = sscanf(why.text, "Line 1 or line %u:", &named) == 1;
            assert_true(named == line || named == line + 1 || (both && line == 1));
            file.text[at] = was;
        }
        free(file.text);
    }
    bw_any_close(&any);
    bw_any_close(&reader);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_declaration_is_whole),
        cmocka_unit_test(a_variant_is_the_same_game_whatever_was_chosen_before),
        cmocka_unit_test(what_is_decided_later_is_declared),
        cmocka_unit_test(a_seat_to_move_has_an_action),
        cmocka_unit_test(accepted_actions_are_listed),
        cmocka_unit_test(values_at_and_past_each_bound_are_judged),
        cmocka_unit_test(the_same_choices_give_the_same_bytes),
        cmocka_unit_test(a_view_shows_what_a_seat_may_know_and_no_more),
        cmocka_unit_test(a_draft_touches_nothing_but_itself),
        cmocka_unit_test(a_file_replays_and_a_flipped_byte_is_named),
    };
    int failed = 0, games = 0;
    printf("seed %d\n", SEED);
    for (int i = 0; (game = bw_game_at(i)); i++) {
        if (argc > 1 && strcmp(argv[1], game->id) != 0) continue;
        printf("game %s, rules version %d\n", game->id, game->rules_version);
        games++;
        failed += cmocka_run_group_tests_name(game->id, tests, NULL, NULL);
    }
    if (games == 0) {
        fprintf(stderr, "there is no game %s\n", argc > 1 ? argv[1] : "at all");
        return 1;
    }
    return failed ? 1 : 0;
}
