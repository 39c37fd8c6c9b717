/* Statistics: what a dungeon consists of, and whether chance is fair. Seeds are fixed, so a test that passes once
 * always passes; the limits are those of chi-square at p = 0.0001. */
#include <stdlib.h>

#include "games/monadungeon/test_help.h"

/* How many games "random games always end" plays; a nightly run sets more. */
static int games_wanted(int usual) {
    const char *text = getenv("BW_DUNGEON_GAMES");
    long wanted = text ? strtol(text, NULL, 10) : 0;
    return wanted > 0 && wanted < 100000000 ? (int)wanted : usual;
}

static void shuffle_one(bw_dungeon *dungeon, const bw_dungeon_config *config, uint32_t number) {
    uint8_t seed[32] = {1};
    memcpy(seed + 4, &number, sizeof number);
    bw_dungeon_init(dungeon, config, 15, seed);
}

static bw_dungeon_config usual(void) { return *(const bw_dungeon_config *)bw_monadungeon.defaults; }

static int count_kind(const bw_dungeon *dungeon, uint8_t kind) {
    int count = 0;
    for (int i = 0; i < dungeon->deck_left; i++) {
        count += bw_dungeon_tile_types[dungeon->deck[i]].kind == kind;
    }
    return count;
}

static double chi_square(const int *seen, int count, double expected) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += (seen[i] - expected) * (seen[i] - expected) / expected;
    return sum;
}

/* ---- composition ---- */

TEST(the_box_is_that_of_the_rules) {
    int tiles = 0, rooms = 0, tokens = 0, by_sides[5][5] = {{0}};
    for (int i = 0; i < BW_DUNGEON_TILE_TYPES; i++) {
        const bw_dungeon_tile_type *type = &bw_dungeon_tile_types[i];
        tiles += type->count;
        rooms += type->kind == BW_DUNGEON_ROOM ? type->count : 0;
        by_sides[bw_dungeon_count_sides(type->sides)][type->kind] += type->count;
    }
    assert_int_equal(tiles, 99);
    assert_int_equal(rooms, 61);
    assert_int_equal(by_sides[4][BW_DUNGEON_CORRIDOR], 11);
    assert_int_equal(by_sides[3][BW_DUNGEON_ROOM], 17);
    assert_int_equal(by_sides[2][BW_DUNGEON_CORRIDOR], 18);
    assert_int_equal(by_sides[2][BW_DUNGEON_FOUNTAIN], 2);
    assert_int_equal(by_sides[2][BW_DUNGEON_GATE], 2);
    for (int i = 0; i < BW_DUNGEON_TOKEN_TYPES; i++) tokens += bw_dungeon_token_types[i].count;
    assert_int_equal(tokens, 53);
}

TEST(every_deck_is_drawn_from_the_box) {
    for (int size = 8; size <= 99; size++) {
        bw_dungeon_config config = usual();
        config.deck_size = (uint8_t)size;
        for (uint32_t n = 0; n < 300; n++) {
            bw_dungeon d;
            int tiles[BW_DUNGEON_TILE_TYPES] = {0}, tokens[BW_DUNGEON_TOKEN_TYPES] = {0};
            shuffle_one(&d, &config, n);
            assert_int_equal(d.deck_left, size);
            for (int i = 0; i < d.deck_left; i++) {
                assert_true(++tiles[d.deck[i]] <= bw_dungeon_tile_types[d.deck[i]].count);
            }
            int rooms = count_kind(&d, BW_DUNGEON_ROOM);
            assert_int_equal(d.rooms_left, rooms);
            assert_true(rooms >= 1);
            assert_int_equal(count_kind(&d, BW_DUNGEON_GATE), 2);     /* gates: always */
            assert_int_equal(d.tokens_left, rooms < 53 ? rooms : 53); /* R - 1 and the dragon */
            for (int i = 0; i < d.tokens_left; i++) {
                assert_true(++tokens[d.tokens[i]] <= bw_dungeon_token_types[d.tokens[i]].count);
            }
            assert_int_equal(tokens[BW_DUNGEON_DRAGON_TOKEN], 1); /* exactly one dragon */
        }
    }
}

TEST(the_whole_box_in_the_deck_has_more_rooms_than_tokens) {
    bw_dungeon_config config = usual();
    bw_dungeon d;
    config.deck_size = 99;
    shuffle_one(&d, &config, 1);
    assert_int_equal(d.rooms_left, 61);
    assert_int_equal(d.tokens_left, 53); /* eight rooms stay empty */
}

TEST(a_quick_game_has_forty_tiles) {
    bw_dungeon_config config = usual();
    bw_dungeon d;
    config.quick = true;
    shuffle_one(&d, &config, 1);
    assert_int_equal(d.deck_left, 40);
    assert_int_equal(count_kind(&d, BW_DUNGEON_GATE), 2);
}

TEST(with_random_gates_the_shuffle_decides) {
    bw_dungeon_config config = usual();
    config.gates = BW_DUNGEON_GATES_RANDOM;
    config.deck_size = 50;
    int seen[3] = {0};
    for (uint32_t n = 0; n < 4000; n++) {
        bw_dungeon d;
        shuffle_one(&d, &config, n);
        seen[count_kind(&d, BW_DUNGEON_GATE)]++;
    }
    /* Hypergeometric: both 50*49/(99*98), none 49*48/(99*98). */
    assert_true(abs(seen[2] - 1010) < 120);
    assert_true(abs(seen[0] - 970) < 120);
}

/* ---- chance ---- */

TEST(every_tile_comes_at_every_place_as_often) {
    enum { N = 20000 };
    bw_dungeon_config config = usual();
    config.gates = BW_DUNGEON_GATES_RANDOM; /* so that only the shuffle decides */
    static int seen[BW_DUNGEON_TILE_TYPES][88];
    memset(seen, 0, sizeof seen);
    for (uint32_t n = 0; n < N; n++) {
        bw_dungeon d;
        shuffle_one(&d, &config, n);
        for (int i = 0; i < 88; i++) seen[d.deck[i]][i]++;
    }
    for (int type = 0; type < BW_DUNGEON_TILE_TYPES; type++) {
        double expected = N * bw_dungeon_tile_types[type].count / 99.0;
        assert_true(chi_square(seen[type], 88, expected) < 144); /* 87 degrees of freedom */
    }
}

TEST(the_dragon_sleeps_in_every_room_as_often) {
    enum { N = 30000 };
    bw_dungeon_config config = usual();
    config.deck_size = 99; /* so that there are always 53 tokens */
    int seen[53] = {0};
    for (uint32_t n = 0; n < N; n++) {
        bw_dungeon d;
        shuffle_one(&d, &config, n);
        for (int i = 0; i < 53; i++) seen[i] += d.tokens[i] == BW_DUNGEON_DRAGON_TOKEN;
    }
    assert_true(chi_square(seen, 53, N / 53.0) < 97); /* 52 degrees of freedom */
}

TEST(every_token_is_kept_as_often) {
    enum { N = 20000 };
    bw_dungeon_config config = usual();
    config.deck_size = 40;
    double expected[BW_DUNGEON_TOKEN_TYPES] = {0}, kept = 0;
    int seen[BW_DUNGEON_TOKEN_TYPES] = {0};
    for (uint32_t n = 0; n < N; n++) {
        bw_dungeon d;
        shuffle_one(&d, &config, n);
        kept += d.tokens_left - 1;
        for (int i = 0; i < d.tokens_left; i++) seen[d.tokens[i]]++;
    }
    double sum = 0;
    for (int type = 0; type < BW_DUNGEON_DRAGON_TOKEN; type++) {
        expected[type] = kept * bw_dungeon_token_types[type].count / 52;
        sum += (seen[type] - expected[type]) * (seen[type] - expected[type]) / expected[type];
    }
    assert_int_equal(seen[BW_DUNGEON_DRAGON_TOKEN], N);
    assert_true(sum < 32); /* 8 degrees of freedom */
}

TEST(both_dice_are_fair_and_know_nothing_of_each_other) {
    enum { N = 72000 };
    int seen[36] = {0};
    table t;
    begin(&t, 1);
    lair(&t, 1, 0, BW_DUNGEON_DRAGON, BW_DUNGEON_RUBY_CHEST);
    for (int n = 0; n < N; n++) {
        ACCEPTED(move_to(&t, 1, 0)); /* never won without weapons; the start heals */
        const bw_dungeon_started *started = &event_of(&t, BW_DUNGEON_BATTLE_STARTED)->as.started;
        seen[(started->dice[0] - 1) * 6 + started->dice[1] - 1]++;
    }
    assert_true(chi_square(seen, 36, N / 36.0) < 74); /* 35 degrees of freedom */
}

/* ---- whole games ---- */

/* Checks that the tiles are consistent: passages on both sides, edges, monsters' rooms as leaves. */
static void check_dungeon(const bw_dungeon *d) {
    int clear = 0;
    for (int i = 0; i < d->tile_count; i++) {
        const bw_dungeon_tile *tile = &d->tiles[i];
        int edges = 0, passages = 0;
        for (int side = 0; side < 4; side++) {
            uint8_t other = bw_dungeon_tile_at(d, tile->x + bw_dungeon_dx[side], tile->y + bw_dungeon_dy[side]);
            bool open = tile->sides >> side & 1;
            bool passage = open && other != NONE && d->tiles[other].sides >> (side ^ 2) & 1;
            assert_int_equal(tile->next[side], passage ? other : NONE);
            passages += passage;
            edges |= (open && other == NONE) << side;
        }
        assert_int_equal(tile->edges, edges);
        assert_true(i == 0 || passages > 0); /* every placement opened toward the player */
        clear += tile->monster == NONE ? bw_dungeon_count_sides(tile->edges) : 0;
    }
    assert_int_equal(d->clear_edges, clear);
}

TEST(random_games_always_end_and_every_placement_is_legal) {
    int games = games_wanted(20000), dragons = 0, sealed = 0;
    for (int n = 0; n < games; n++) {
        bw_dungeon d;
        bw_fast fast = {(uint64_t)n};
        bw_dungeon_config config = usual();
        uint8_t seed[32] = {3};
        memcpy(seed + 4, &n, sizeof n);
        config.quick = n % 2;
        config.torch_turns = (uint8_t)(1 + n % 30);
        config.gates = (uint8_t)(n % 3 == 0);
        bw_dungeon_init(&d, &config, (uint32_t)n % 15 + 1, seed);
        bw_dungeon_action action;
        int steps = 0;
        while (bw_dungeon_sample(&d, d.current, &fast, &action)) {
            ACCEPTED(bw_dungeon_apply(&d, d.current, &action, NULL));
            assert_true(++steps < 2000000);
        }
        assert_true(d.over);
        assert_true(bw_dungeon_winners(&d) != 0);
        assert_true(d.slayer != NONE || (d.lit_by != NONE && d.torches == 0));
        check_dungeon(&d);
        dragons += d.slayer != NONE;
        sealed += d.slayer == NONE && d.deck_left > 0;
    }
    print_message("%d games: the dragon fell in %d, %d were sealed with tiles left\n", games, dragons, sealed);
}

/* A determinization deals no tile or token that has been seen, and omits none that has not. */
TEST(guesses_are_dealt_from_what_was_not_seen) {
    for (int n = 0; n < 60; n++) {
        bw_dungeon d, guessed;
        bw_dungeon_view view, again;
        bw_fast fast = {(uint64_t)n};
        bw_dungeon_config config = usual();
        uint8_t seed[32] = {9, (uint8_t)n};
        bw_dungeon_init(&d, &config, 7, seed);
        bw_dungeon_action action;
        for (int step = 0; bw_dungeon_sample(&d, d.current, &fast, &action); step++) {
            ACCEPTED(bw_dungeon_apply(&d, d.current, &action, NULL));
            if (step % 37) continue;
            bw_dungeon_view_of(&d, &view);
            ACCEPTED(bw_dungeon_guess(&guessed, &view, &config, bw_fast_next(&fast)));
            bw_dungeon_view_of(&guessed, &again);
            assert_memory_equal(&view, &again, sizeof view);
            assert_int_equal(guessed.tokens_left, d.tokens_left);
            int dragons[2] = {0}, gates[2] = {count_kind(&d, BW_DUNGEON_GATE), count_kind(&guessed, BW_DUNGEON_GATE)};
            for (int i = 0; i < d.tokens_left; i++) {
                dragons[0] += d.tokens[i] == BW_DUNGEON_DRAGON_TOKEN;
                dragons[1] += guessed.tokens[i] == BW_DUNGEON_DRAGON_TOKEN;
            }
            assert_int_equal(dragons[0], dragons[1]);
            assert_int_equal(gates[0], gates[1]);
        }
    }
}

TEST(a_view_of_nothing_is_refused) {
    bw_dungeon d, guessed;
    bw_dungeon_view view;
    bw_dungeon_config config = usual();
    shuffle_one(&d, &config, 5);
    for (int fault = 0; fault < 6; fault++) {
        bw_dungeon_view_of(&d, &view);
        switch (fault) {
        case 0: view.tiles_count = 0; break;
        case 1: memcpy(view.tiles[0].key, "0;0", 4); break;
        case 2: view.players_info[1].x = 7; break;
        case 3: view.deck_left = 99, view.rooms_left = 0; break;
        case 4: view.players_info[0].treasures_count = 12; break; /* daggers, twelve of them */
        default: view.has_awaiting = true, view.awaiting = BW_DUNGEON_AWAITS_PLACE;
        }
        REFUSED(bw_dungeon_guess(&guessed, &view, &config, 1), BAD_VIEW);
    }
}

RUN_TESTS(NULL, NULL)
