/* Flag War: settings, order queues, and the game as rooms and files see it. */
#include "games/flag_war/test_help.h"

#include "engine/json.h"
#include "engine/match.h"

typedef struct table {
    bw_match match;
    uint64_t block[1024];
} table;

static void table_open(table *t, const bw_war_room *config) {
    static const uint8_t seed[32];
    assert_true(bw_match_bytes(&bw_flag_war) <= sizeof t->block);
    bw_match_attach(&t->match, &bw_flag_war, t->block);
    assert_int_equal(bw_match_start(&t->match, config ? config : bw_flag_war.defaults, 3, seed), 0);
}

static bw_war_state *state_of(table *t) { return t->match.state; }

static int submit(table *t, int seat, const bw_war_action *action) {
    bw_war_action played;
    size_t bytes = bw_match_bytes(&bw_flag_war);
    uint64_t before[1024];
    memcpy(before, t->block, bytes);
    int outcome = bw_match_submit(&t->match, seat, action, &played, NULL);
    if (outcome < 0) {
        assert_memory_equal(before, t->block, bytes); /* a refusal changes nothing */
    }
    return outcome;
}

/* round 0: no `round` member */
static int send_to(table *t, int seat, int piece, int x, int y, int64_t round) {
    bw_war_action action = {.type = BW_WAR_COMMAND};
    action.as.command = (bw_war_command){
        .piece = piece, .has_to = true, .to = {.x = x, .y = y}, .has_round = round != 0, .round = round};
    return submit(t, seat, &action);
}

static int send_by(table *t, int seat, int piece, int direction, int distance, int64_t round) {
    bw_war_action action = {.type = BW_WAR_COMMAND};
    action.as.command = (bw_war_command){.piece = piece,
                                         .has_direction = true,
                                         .direction = (uint8_t)direction,
                                         .has_distance = true,
                                         .distance = distance,
                                         .has_round = round != 0,
                                         .round = round};
    return submit(t, seat, &action);
}

static int send_cancel(table *t, int seat, int piece, int64_t round) {
    bw_war_action action = {.type = BW_WAR_CANCEL};
    action.as.cancel = (bw_war_cancel){.piece = piece, .has_round = round != 0, .round = round};
    return submit(t, seat, &action);
}

static void play_round(table *t) {
    bw_war_action played;
    bw_match_round(&t->match, &played, NULL);
}

/* A seat's queue as "round:piece>x,y ...". */
static const char *queue(table *t, int seat) {
    static char text[8192];
    static bw_war_you you;
    bw_flag_war.show_draft(t->match.state, seat, bw_match_draft(&t->match, seat), &you);
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < you.queue_count; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%u:%u>%d,%d", i ? " " : "",
                                   you.queue[i].round, you.queue[i].piece, you.queue[i].to.x, you.queue[i].to.y);
    }
    return text;
}

#define assert_refused(outcome, refusal) assert_int_equal(outcome, BW_WAR_REFUSE(refusal))

/* ---- orders ---- */

TEST(test_one_order_per_piece_and_round_and_the_last_one_wins) {
    table t;
    table_open(&t, NULL);
    assert_int_equal(send_to(&t, 0, 1, 4, 5, 0), BW_PREPARED);
    assert_int_equal(send_to(&t, 0, 1, 0, 8, 0), BW_PREPARED);
    assert_int_equal(send_to(&t, 0, 2, 5, 5, 0), BW_PREPARED);
    assert_string_equal(queue(&t, 0), "1:1>0,8 1:2>5,5");
    assert_string_equal(queue(&t, 1), "");
    play_round(&t);
    assert_int_equal(state_of(&t)->square[B1], bw_war_square(0, 8));
    assert_string_equal(queue(&t, 0), "");
}

TEST(test_absent_past_and_current_rounds_mean_the_next) {
    table t;
    table_open(&t, NULL);
    for (int i = 0; i < 5; i++) play_round(&t);
    for (int64_t round = -3; round <= 6; round++) {
        assert_int_equal(send_to(&t, 1, 1, 4, (int)(round & 1), round), BW_PREPARED);
        char expected[32];
        snprintf(expected, sizeof expected, "6:1>4,%d", (int)(round & 1));
        assert_string_equal(queue(&t, 1), expected);
    }
}

TEST(test_an_order_for_a_later_round_waits_for_exactly_that_round) {
    table t;
    table_open(&t, NULL);
    assert_int_equal(send_to(&t, 0, 1, 0, 8, 4), BW_PREPARED);
    for (int i = 0; i < 3; i++) play_round(&t);
    assert_int_equal(state_of(&t)->square[B1], bw_war_square(4, 8));
    play_round(&t);
    assert_int_equal(state_of(&t)->square[B1], bw_war_square(0, 8));
}

TEST(test_the_furthest_round_is_next_plus_horizon_less_one) {
    for (int rounds = 0; rounds < 230; rounds += 115) {
        table t;
        table_open(&t, NULL);
        for (int i = 0; i < rounds; i++) play_round(&t);
        assert_int_equal(send_to(&t, 0, 1, 0, 8, rounds + 100), BW_PREPARED);
        assert_refused(send_to(&t, 0, 1, 0, 8, rounds + 101), BW_WAR_BEYOND_HORIZON);
        assert_refused(send_cancel(&t, 0, 1, rounds + 101), BW_WAR_BEYOND_HORIZON);
        play_round(&t);
        assert_int_equal(send_to(&t, 0, 1, 0, 8, rounds + 101), BW_PREPARED);
    }
    bw_war_room config = *(const bw_war_room *)bw_flag_war.defaults;
    config.horizon = 1;
    table t;
    table_open(&t, &config);
    assert_int_equal(send_to(&t, 0, 1, 0, 8, 1), BW_PREPARED);
    assert_refused(send_to(&t, 0, 1, 0, 8, 2), BW_WAR_BEYOND_HORIZON);
}

TEST(test_straight_lines_only) {
    table t;
    table_open(&t, NULL);
    assert_refused(send_to(&t, 0, 1, 5, 7, 0), BW_WAR_NOT_STRAIGHT);
    assert_refused(send_by(&t, 0, 1, BW_WAR_UP_LEFT, 1, 0), BW_WAR_NO_DIAGONALS);
    bw_war_room config = *(const bw_war_room *)bw_flag_war.defaults;
    config.diagonals = true;
    table_open(&t, &config);
    assert_int_equal(send_to(&t, 0, 1, 5, 7, 0), BW_PREPARED);
    assert_refused(send_to(&t, 0, 1, 5, 6, 0), BW_WAR_NOT_STRAIGHT);
    assert_int_equal(send_by(&t, 0, 1, BW_WAR_UP_LEFT, 9, 0), BW_PREPARED);
    assert_string_equal(queue(&t, 0), "1:1>0,4");
}

TEST(test_distance_is_clamped_and_to_is_not) {
    bw_war_room config = *(const bw_war_room *)bw_flag_war.defaults;
    table t;
    table_open(&t, &config);
    assert_int_equal(send_by(&t, 0, 1, BW_WAR_UP, 1000000000, 0), BW_PREPARED);
    assert_int_equal(send_by(&t, 0, 2, BW_WAR_RIGHT, 3, 0), BW_PREPARED);
    assert_int_equal(send_by(&t, 0, 3, BW_WAR_DOWN, 0, 0), BW_PREPARED);
    assert_string_equal(queue(&t, 0), "1:1>4,0 1:2>8,8 1:3>6,8");
    assert_refused(send_to(&t, 0, 1, 4, 11, 0), BW_WAR_OFF_BOARD);
    assert_refused(send_to(&t, 0, 1, 4, -1, 0), BW_WAR_OFF_BOARD);
    assert_refused(send_to(&t, 0, 1, 1000000000, 8, 0), BW_WAR_OFF_BOARD);
    config.max_distance = 2;
    table_open(&t, &config);
    assert_int_equal(send_by(&t, 0, 1, BW_WAR_UP, 5, 0), BW_PREPARED);
    assert_string_equal(queue(&t, 0), "1:1>4,6");
    assert_refused(send_to(&t, 0, 1, 4, 5, 0), BW_WAR_TOO_FAR);
    assert_refused(send_to(&t, 0, 1, 9, 0, 0), BW_WAR_NOT_STRAIGHT);
}

TEST(test_a_command_says_where_to_in_one_way) {
    table t;
    table_open(&t, NULL);
    bw_war_action action = {.type = BW_WAR_COMMAND, .as.command = {.piece = 1}};
    assert_refused(submit(&t, 0, &action), BW_WAR_WHERE_TO);
    action.as.command.has_direction = true;
    assert_refused(submit(&t, 0, &action), BW_WAR_WHERE_TO);
    action.as.command.has_distance = true;
    action.as.command.has_to = true;
    assert_refused(submit(&t, 0, &action), BW_WAR_WHERE_TO);
    action.as.command.has_to = false;
    assert_int_equal(submit(&t, 0, &action), BW_PREPARED);
    for (int piece = -1; piece <= 5; piece++) {
        if (piece < 1 || piece > 3) {
            assert_refused(send_to(&t, 0, piece, 4, 4, 0), BW_WAR_NO_SUCH_PIECE);
        }
    }
}

TEST(test_later_orders_are_judged_from_the_queued_place) {
    table t;
    table_open(&t, NULL);
    assert_int_equal(send_to(&t, 0, 1, 0, 8, 1), BW_PREPARED);
    assert_refused(send_to(&t, 0, 1, 4, 3, 3), BW_WAR_NOT_STRAIGHT);
    assert_int_equal(send_to(&t, 0, 1, 0, 3, 3), BW_PREPARED);
    assert_int_equal(send_by(&t, 0, 1, BW_WAR_RIGHT, 2, 4), BW_PREPARED);
    assert_string_equal(queue(&t, 0), "1:1>0,8 3:1>0,3 4:1>2,3");
    /* An order between may change: later orders stay, and are judged when their round comes. */
    assert_int_equal(send_to(&t, 0, 1, 10, 8, 1), BW_PREPARED);
    assert_string_equal(queue(&t, 0), "1:1>10,8 3:1>0,3 4:1>2,3");
    for (int i = 0; i < 3; i++) play_round(&t);
    assert_int_equal(state_of(&t)->square[B1], bw_war_square(10, 8));
}

TEST(test_an_order_that_will_be_skipped_takes_the_piece_nowhere) {
    table t;
    table_open(&t, NULL);
    send_to(&t, 0, 1, 4, 5, 1);
    send_to(&t, 0, 1, 0, 5, 2);
    assert_int_equal(send_to(&t, 0, 1, 4, 6, 1), BW_PREPARED); /* now the order for round 2 cannot be followed */
    assert_refused(send_to(&t, 0, 1, 0, 9, 3), BW_WAR_NOT_STRAIGHT);
    assert_int_equal(send_by(&t, 0, 1, BW_WAR_LEFT, 1, 3), BW_PREPARED);
    assert_string_equal(queue(&t, 0), "1:1>4,6 2:1>0,5 3:1>3,6");
    for (int i = 0; i < 3; i++) play_round(&t);
    assert_int_equal(state_of(&t)->square[B1], bw_war_square(3, 6));
}

TEST(test_cancel_removes_one) {
    table t;
    table_open(&t, NULL);
    assert_refused(send_cancel(&t, 0, 1, 0), BW_WAR_NOTHING_WAITS);
    send_to(&t, 0, 1, 0, 8, 0);
    send_to(&t, 0, 1, 0, 7, 2);
    assert_int_equal(send_cancel(&t, 0, 1, 0), BW_PREPARED);
    assert_string_equal(queue(&t, 0), "2:1>0,7");
    assert_refused(send_cancel(&t, 0, 2, 2), BW_WAR_NOTHING_WAITS);
    assert_refused(send_cancel(&t, 1, 1, 2), BW_WAR_NOTHING_WAITS); /* the other seat's */
    assert_refused(send_cancel(&t, 0, 4, 2), BW_WAR_NO_SUCH_PIECE);
    assert_int_equal(send_cancel(&t, 0, 1, 2), BW_PREPARED);
    assert_string_equal(queue(&t, 0), "");
}

TEST(test_a_piece_in_jail_takes_orders_for_later_rounds_only) {
    table t;
    table_open(&t, NULL);
    state_of(&t)->jailed = 1u << B1;
    state_of(&t)->square[B1] = BW_WAR_NOWHERE;
    assert_refused(send_to(&t, 0, 1, 4, 5, 0), BW_WAR_IN_JAIL);
    assert_refused(send_by(&t, 0, 1, BW_WAR_UP, 1, 1), BW_WAR_IN_JAIL);
    assert_int_equal(send_to(&t, 0, 1, 4, 5, 2), BW_PREPARED);
    assert_int_equal(send_by(&t, 0, 1, BW_WAR_RIGHT, 1, 3), BW_PREPARED);
    assert_string_equal(queue(&t, 0), "2:1>4,5 3:1>5,5");
    play_round(&t);
    bw_war_action played;
    bw_war_event memory[BW_WAR_EVENTS];
    bw_events events = {.memory = (unsigned char *)memory, .size = sizeof *memory, .cap = BW_WAR_EVENTS};
    bw_match_round(&t.match, &played, &events);
    assert_int_equal(events.count, 1);
    assert_int_equal(memory[0].type, BW_WAR_SKIPPED);
    assert_int_equal(memory[0].as.skipped.reason, BW_WAR_SKIP_JAILED);
}

TEST(test_a_rescuer_is_ordered_from_its_starting_square) {
    table t;
    table_open(&t, NULL);
    state_of(&t)->square[B2] = bw_war_square(9, 1);
    state_of(&t)->rescuing = 1u << B2;
    assert_refused(send_to(&t, 0, 2, 9, 5, 0), BW_WAR_NOT_STRAIGHT);
    assert_int_equal(send_to(&t, 0, 2, 5, 5, 0), BW_PREPARED);
    play_round(&t);
    assert_int_equal(state_of(&t)->square[B2], bw_war_square(5, 5));
}

TEST(test_a_whole_horizon_of_orders_is_kept_and_no_more) {
    bw_war_room config = *(const bw_war_room *)bw_flag_war.defaults;
    config.pieces = 7;
    table t;
    table_open(&t, &config);
    for (int round = 1; round <= 100; round++) {
        for (int piece = 1; piece <= 7; piece++) {
            assert_int_equal(send_by(&t, 0, piece, BW_WAR_UP, 0, round), BW_PREPARED);
        }
    }
    bw_war_you you;
    bw_flag_war.show_draft(t.match.state, 0, bw_match_draft(&t.match, 0), &you);
    assert_int_equal(you.queue_count, 700);
    assert_int_equal(you.queue[699].round, 100);
    for (int round = 1; round <= 100; round++) {
        play_round(&t);
        bw_flag_war.show_draft(t.match.state, 0, bw_match_draft(&t.match, 0), &you);
        assert_int_equal(you.queue_count, 7 * (100 - round));
    }
}

TEST(test_orders_of_both_players_in_any_order_of_arrival) {
    bw_fast fast = {.state = 11};
    for (int game = 0; game < 300; game++) {
        table a, b;
        table_open(&a, NULL);
        table_open(&b, NULL);
        for (int round = 0; round < 30 && !state_of(&a)->over; round++) {
            bw_war_action orders[2][3];
            for (int seat = 0; seat < 2; seat++) {
                for (int i = 0; i < 3; i++) {
                    if (!bw_flag_war.sample(a.match.state, seat, &fast, &orders[seat][i])) {
                        memset(&orders[seat][i], 0, sizeof orders[0][0]);
                    }
                }
            }
            for (int i = 0; i < 6; i++) submit(&a, i / 3, &orders[i / 3][i % 3]);
            for (int i = 0; i < 6; i++) submit(&b, i % 2, &orders[i % 2][i / 2]);
            bw_war_action played[2];
            bw_match_round(&a.match, &played[0], NULL);
            bw_match_round(&b.match, &played[1], NULL);
            assert_memory_equal(a.block, b.block, bw_match_bytes(&bw_flag_war));
            assert_memory_equal(&played[0], &played[1], sizeof played[0]);
        }
    }
}

/* ---- the game as files and rooms see it ---- */

TEST(test_a_round_of_a_file_is_checked_and_its_order_means_nothing) {
    table t;
    table_open(&t, NULL);
    bw_war_action round = {.type = BW_WAR_ROUND};
    round.as.round.orders_count = 2;
    round.as.round.orders[0] = (bw_war_order){.role = 1, .piece = 1, .to = {.x = 0, .y = 2}};
    round.as.round.orders[1] = (bw_war_order){.role = 0, .piece = 1, .to = {.x = 0, .y = 8}};
    assert_refused(bw_match_play(&t.match, 0, &round, NULL), BW_WAR_ONLY_CLOCK);
    bw_war_action bad = round;
    bad.as.round.orders[1] = bad.as.round.orders[0];
    assert_refused(bw_match_play(&t.match, BW_CLOCK, &bad, NULL), BW_WAR_BAD_ROUND);
    bad = round;
    bad.as.round.orders[0].to.x = 11;
    assert_refused(bw_match_play(&t.match, BW_CLOCK, &bad, NULL), BW_WAR_BAD_ROUND);
    bad = round;
    bad.as.round.orders[0].piece = 4;
    assert_refused(bw_match_play(&t.match, BW_CLOCK, &bad, NULL), BW_WAR_BAD_ROUND);
    assert_int_equal(bw_match_play(&t.match, BW_CLOCK, &round, NULL), 0);
    assert_int_equal(state_of(&t)->square[B1], bw_war_square(0, 8));
    assert_int_equal(state_of(&t)->square[R1], bw_war_square(0, 2));
}

TEST(test_resigning_gives_the_game_to_the_other_team) {
    table t;
    table_open(&t, NULL);
    send_to(&t, 0, 1, 4, 4, 5);
    assert_int_equal(bw_match_resign(&t.match, 0, NULL), 0);
    assert_int_equal(bw_flag_war.turn(t.match.state), 0);
    assert_int_equal(bw_flag_war.winners(t.match.state), 2);
    bw_war_stats stats;
    bw_flag_war.stats_of(t.match.state, &stats);
    assert_int_equal(stats.reason, BW_WAR_BY_RESIGNING);
    assert_string_equal(queue(&t, 0), "");
    assert_refused(send_to(&t, 1, 1, 4, 4, 0), BW_WAR_IS_OVER);
    assert_refused(bw_match_resign(&t.match, 1, NULL), BW_WAR_IS_OVER);
}

TEST(test_settings_that_contradict_each_other) {
    bw_war_room config = *(const bw_war_room *)bw_flag_war.defaults;
    config.width = 10;
    assert_refused(bw_flag_war.check(&config), BW_WAR_EVEN_WIDTH);
    config.width = 7;
    config.height = 7;
    assert_int_equal(bw_flag_war.check(&config), 0);
    config.guard_distance = 2;
    assert_refused(bw_flag_war.check(&config), BW_WAR_NO_ROOM);
    config.height = 9;
    assert_int_equal(bw_flag_war.check(&config), 0);
}

TEST(test_the_view_on_the_wire) {
    bw_war_room config = *(const bw_war_room *)bw_flag_war.defaults;
    config.pieces = 1;
    table t;
    table_open(&t, &config);
    state_of(&t)->jailed = 1u << R1;
    state_of(&t)->square[R1] = BW_WAR_NOWHERE;
    state_of(&t)->key[BW_WAR_RED] = 1;
    state_of(&t)->carrier[BW_WAR_RED] = B1 + 1;
    bw_war_view view;
    bw_flag_war.view_of(t.match.state, BW_WATCHER, &view);
    char text[2048];
    bw_out out = bw_out_to(text, sizeof text - 1);
    bw_encode(&out, &bw_war_view_schema, &view);
    text[out.length] = '\0';
    assert_string_equal(text,
                        "{\"width\":11,\"height\":11,\"round\":0,\"pieces\":{"
                        "\"blue-1\":{\"x\":5,\"y\":8,\"jailed\":false,\"carrying\":true,\"rescuing\":false},"
                        "\"red-1\":{\"x\":null,\"y\":null,\"jailed\":true,\"carrying\":false,\"rescuing\":false}},"
                        "\"flags\":{\"blue\":{\"x\":5,\"y\":10,\"carried_by\":null},"
                        "\"red\":{\"x\":5,\"y\":8,\"carried_by\":\"blue-1\"}},"
                        "\"keys\":{\"blue\":null,\"red\":{\"x\":1,\"y\":9}},\"zones\":{\"blue\":true,\"red\":false},"
                        "\"territory\":{\"blue\":{\"from\":6,\"to\":10},\"neutral\":{\"from\":5,\"to\":5},"
                        "\"red\":{\"from\":0,\"to\":4}}}");
}

TEST(test_guess_gives_back_every_view) {
    bw_fast fast = {.state = 3};
    for (int game = 0; game < 50; game++) {
        field f;
        field_open(&f, NULL);
        for (int round = 0; round < 40 && !f.state.over; round++) {
            for (int piece = 0; piece < BW_WAR_PIECES; piece++) {
                order(&f, piece, (int)bw_fast_below(&fast, 11), (int)bw_fast_below(&fast, 11));
            }
            play(&f);
            bw_war_view view, again;
            bw_war_state guessed;
            bw_flag_war.view_of(&f.state, 0, &view);
            assert_int_equal(bw_flag_war.guess(&guessed, &view, &f.state.config, 0, 1), 0);
            bw_flag_war.view_of(&guessed, 0, &again);
            assert_memory_equal(&view, &again, sizeof view);
            assert_int_equal(guessed.over, f.state.over);
            assert_int_equal(guessed.winners, f.state.winners);
        }
    }
}

TEST(test_views_of_no_position_are_refused) {
    field f;
    field_open(&f, NULL);
    bw_war_view good;
    bw_war_state state;
    bw_flag_war.view_of(&f.state, 0, &good);
    for (int fault = 0; fault < 7; fault++) {
        bw_war_view bad = good;
        if (fault == 0) bad.pieces[0].jailed = true;
        if (fault == 1) bad.pieces[0].x = 11;
        if (fault == 2) bad.pieces[0].carrying = true;
        if (fault == 3) bad.zones.red = false;
        if (fault == 4) bad.pieces[1] = bad.pieces[0];
        if (fault == 5) bad.pieces_count = 5;
        if (fault == 6) bad.flags.blue.y = 3;
        assert_refused(bw_flag_war.guess(&state, &bad, &f.state.config, 0, 1), BW_WAR_NO_POSITION);
    }
}

TEST(test_every_legal_order_is_accepted) {
    table t;
    table_open(&t, NULL);
    static bw_war_action actions[128];
    uint32_t count = bw_flag_war.legal(t.match.state, 1, actions, 128);
    assert_int_equal(count, 3 * 21);
    assert_int_equal(bw_flag_war.legal(t.match.state, 1, actions, 5), 3 * 21);
    count = bw_flag_war.legal(t.match.state, 1, actions, 128);
    for (uint32_t i = 0; i < count; i++) assert_int_equal(submit(&t, 1, &actions[i]), BW_PREPARED);
}

TEST(test_the_position_in_words) {
    field f;
    field_open(&f, NULL);
    jail(&f, R1);
    f.state.key[BW_WAR_RED] = 1;
    put(&f, B2, 5, 4);
    carry(&f, B2);
    bw_war_view view;
    bw_flag_war.view_of(&f.state, BW_WATCHER, &view);
    char text[2048] = "";
    bw_out out = bw_out_to(text, sizeof text - 1);
    bw_flag_war.text(&view, &out);
    assert_non_null(strstr(text, "blue-2 6,5, carries the red flag\n"));
    assert_non_null(strstr(text, "red-1 in jail\n"));
    assert_non_null(strstr(text, "red: flag away, zone open, key at 2,10\n"));
    assert_non_null(strstr(text, " 5  . . . . .b2 . . . . .\n"));
}

TEST(test_every_refusal_has_its_sentence) {
    for (int refusal = 1; refusal <= BW_WAR_REFUSAL_COUNT; refusal++) {
        assert_true(strlen(bw_refusal(&bw_flag_war, -refusal)) > 20);
    }
    assert_non_null(strstr(bw_refusal(&bw_flag_war, BW_WAR_REFUSE(BW_WAR_IN_JAIL)), "in jail"));
}

RUN_TESTS(NULL, NULL)
