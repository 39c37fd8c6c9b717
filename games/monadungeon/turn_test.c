/* Moves, exploring, and how turns and games end; a test for each sentence of the rules page. */
#include "games/monadungeon/test_help.h"

/* ---- moving ---- */

TEST(a_move_to_a_neighbour_through_a_passage_costs_one) {
    table t;
    begin(&t, 2);
    lay(&t, 0, -1, ALL, BW_DUNGEON_CORRIDOR);
    assert_int_equal(t.d.actions_left, 4);
    ACCEPTED(move_to(&t, 0, -1));
    assert_int_equal(t.d.actions_left, 3);
    assert_int_equal(t.d.players[0].at, 1);
    const bw_dungeon_event *moved = event_of(&t, BW_DUNGEON_MOVED);
    assert_non_null(moved);
    assert_int_equal(moved->as.moved.from.y, 0);
    assert_int_equal(moved->as.moved.to.y, -1);
    assert_int_equal(moved->as.moved.by, BW_DUNGEON_BY_STEP);
}

TEST(an_open_side_against_a_wall_is_a_dead_end) {
    table t;
    begin(&t, 1);
    lay(&t, 1, 0, TOP | RIGHT, BW_DUNGEON_CORRIDOR); /* its left is a wall */
    REFUSED(move_to(&t, 1, 0), WALL);
    REFUSED(explore(&t, 1, 0), DISCOVERED);
    assert_int_equal(t.d.tiles[0].next[1], NONE);
    assert_int_equal(t.d.tiles[0].edges, TOP | BOTTOM | LEFT);
}

TEST(other_moves_are_refused_with_what_is_allowed) {
    table t;
    begin(&t, 2);
    lay(&t, 0, -1, ALL, BW_DUNGEON_CORRIDOR);
    lay(&t, 0, -2, ALL, BW_DUNGEON_CORRIDOR);
    REFUSED(move_to(&t, 0, -2), FAR);
    REFUSED(move_to(&t, 0, 0), FAR);
    REFUSED(move_to(&t, 1, 0), UNDISCOVERED);
    REFUSED(move_to(&t, BW_DUNGEON_REACH, -BW_DUNGEON_REACH), UNDISCOVERED);
    bw_dungeon_action action = {.type = BW_DUNGEON_END_TURN};
    assert_int_equal(bw_dungeon_apply(&t.d, 1, &action, NULL), BW_DUNGEON_REFUSES_NOT_YOUR_TURN);
}

TEST(players_share_tiles_freely) {
    table t;
    begin(&t, 4);
    lay(&t, 0, -1, ALL, BW_DUNGEON_CORRIDOR);
    for (int seat = 0; seat < 4; seat++) {
        assert_int_equal(t.d.current, seat);
        ACCEPTED(move_to(&t, 0, -1));
        assert_int_equal(t.d.players[seat].at, 1);
        ACCEPTED(plain(&t, BW_DUNGEON_END_TURN));
    }
}

TEST(from_one_gate_to_the_other_costs_one) {
    table t;
    begin(&t, 1);
    lay(&t, 0, -1, TOP | BOTTOM, BW_DUNGEON_GATE);
    ACCEPTED(move_to(&t, 0, -1));
    REFUSED(move_to(&t, 5, 5), UNDISCOVERED); /* the other gate is not discovered yet */
    lay(&t, 5, 5, LEFT | RIGHT, BW_DUNGEON_GATE);
    lay(&t, 6, 5, LEFT | RIGHT, BW_DUNGEON_CORRIDOR);
    ACCEPTED(move_to(&t, 5, 5));
    assert_int_equal(t.d.actions_left, 2);
    assert_int_equal(event_of(&t, BW_DUNGEON_MOVED)->as.moved.by, BW_DUNGEON_BY_GATE);
    ACCEPTED(move_to(&t, 6, 5));
    REFUSED(move_to(&t, 0, -1), FAR); /* only from a gate */
}

TEST(the_gate_is_listed_once_where_it_is_next_door_too) {
    table t;
    begin(&t, 1);
    lay(&t, 0, -1, TOP | BOTTOM, BW_DUNGEON_GATE);
    lay(&t, 0, -2, TOP | BOTTOM, BW_DUNGEON_GATE);
    ACCEPTED(move_to(&t, 0, -1));
    bw_dungeon_action list[BW_DUNGEON_LEGAL_MAX];
    uint32_t count = bw_dungeon_legal(&t.d, 0, list, BW_DUNGEON_LEGAL_MAX), moves = 0;
    for (uint32_t i = 0; i < count; i++) moves += list[i].type == BW_DUNGEON_MOVE;
    assert_int_equal(moves, 2); /* back to the start, and on to the gate */
}

/* ---- exploring ---- */

TEST(exploring_draws_a_tile_that_waits_and_placing_moves_in) {
    table t;
    begin(&t, 2);
    stack(&t, TOP | RIGHT, BW_DUNGEON_CORRIDOR);
    uint8_t deck = t.d.deck_left, rooms = t.d.rooms_left;
    ACCEPTED(explore(&t, 0, -1));
    assert_int_equal(t.d.deck_left, deck - 1);
    assert_int_equal(t.d.rooms_left, rooms);
    assert_int_equal(t.d.actions_left, 4); /* the move counts on entering */
    assert_int_equal(legal_types(&t), only(BW_DUNGEON_PLACE));
    const bw_dungeon_drawn *drawn = &event_of(&t, BW_DUNGEON_TILE_DRAWN)->as.drawn;
    assert_int_equal(drawn->rotations_count, 2);
    bw_dungeon_view view;
    bw_dungeon_view_of(&t.d, &view);
    assert_true(view.has_awaiting && view.awaiting == BW_DUNGEON_AWAITS_PLACE && view.has_waiting_tile);
    assert_int_equal(view.waiting_tile.rotations_count, 2);
    assert_int_equal(view.waiting_tile.cell.y, -1);
    /* the corner opens top and right; turned once right and bottom, twice bottom and left */
    assert_int_equal(view.waiting_tile.rotations[0], 1);
    assert_int_equal(view.waiting_tile.rotations[1], 2);
    ACCEPTED(place(&t, 2));
    assert_int_equal(t.d.tile_count, 2);
    assert_int_equal(t.d.tiles[1].sides, BOTTOM | LEFT);
    assert_int_equal(t.d.players[0].at, 1);
    assert_int_equal(t.d.actions_left, 3);
    assert_true(event_of(&t, BW_DUNGEON_TILE_PLACED) && event_of(&t, BW_DUNGEON_MOVED));
}

TEST(with_a_tile_waiting_nothing_else_is_legal) {
    table t;
    begin(&t, 2);
    t.d.players[0].bag[BW_DUNGEON_PORTAL_OF_HEALING] = 1;
    stack(&t, TOP | BOTTOM, BW_DUNGEON_CORRIDOR);
    ACCEPTED(explore(&t, 1, 0));
    REFUSED(plain(&t, BW_DUNGEON_END_TURN), PLACE_FIRST);
    REFUSED(plain(&t, BW_DUNGEON_REST), PLACE_FIRST);
    REFUSED(explore(&t, 0, 1), PLACE_FIRST);
    REFUSED(cast(&t, BW_DUNGEON_CAST_PORTAL), PLACE_FIRST);
    REFUSED(place(&t, 0), ROTATION); /* a straight tile must lie across */
    REFUSED(place(&t, 2), ROTATION);
    ACCEPTED(place(&t, 3));
}

TEST(exploring_takes_an_empty_cell_through_an_open_side) {
    table t;
    begin(&t, 1);
    lay(&t, 1, 0, LEFT | RIGHT, BW_DUNGEON_CORRIDOR);
    REFUSED(explore(&t, 1, 0), DISCOVERED);
    REFUSED(explore(&t, 2, 0), FAR);
    REFUSED(explore(&t, 0, 0), DISCOVERED);
    REFUSED(explore(&t, -BW_DUNGEON_REACH, 3), FAR);
    ACCEPTED(move_to(&t, 1, 0));
    REFUSED(explore(&t, 1, -1), OWN_WALL);
    REFUSED(place(&t, 0), NO_TILE);
    t.d.deck_left = 0;
    REFUSED(explore(&t, 2, 0), DECK_EMPTY);
    assert_false(is_legal(&t, BW_DUNGEON_EXPLORE));
}

TEST(a_room_takes_its_token_face_up_and_none_is_an_empty_room) {
    table t;
    begin(&t, 1);
    stack(&t, ALL, BW_DUNGEON_ROOM);
    stack_token(&t, NONE); /* the chest */
    uint8_t rooms = t.d.rooms_left;
    ACCEPTED(explore(&t, 1, 0));
    assert_int_equal(t.d.rooms_left, rooms - 1);
    ACCEPTED(place(&t, 0));
    assert_int_equal(t.d.tiles[1].loot, BW_DUNGEON_CHEST);
    assert_true(event_of(&t, BW_DUNGEON_TILE_PLACED)->as.placed.has_loot);
    t.d.tokens_left = 0;
    stack(&t, ALL, BW_DUNGEON_ROOM);
    ACCEPTED(explore(&t, 2, 0));
    ACCEPTED(place(&t, 0));
    assert_int_equal(t.d.tiles[2].loot, NONE);
    assert_int_equal(t.d.tiles[2].monster, NONE);
}

/* ---- the end of a turn ---- */

TEST(after_the_fourth_move_the_turn_ends_by_itself) {
    table t;
    begin(&t, 2);
    lay(&t, 0, -1, ALL, BW_DUNGEON_CORRIDOR);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(t.d.current, 0);
        ACCEPTED(move_to(&t, 0, i % 2 ? 0 : -1));
    }
    assert_int_equal(t.d.current, 1);
    assert_int_equal(t.d.turn_number, 2);
    assert_int_equal(t.d.actions_left, 4);
    assert_non_null(event_of(&t, BW_DUNGEON_TURN_ENDED));
}

/* The fourth move of player 1 leads into a room with this loot. */
static void walk_onto(table *t, uint8_t loot) {
    begin(t, 2);
    bw_dungeon_lay(&t->d, 0, -1, ALL, BW_DUNGEON_ROOM, NONE, loot);
    t->d.actions_left = 1;
}

TEST(but_not_on_loot_that_could_be_taken) {
    table t;
    walk_onto(&t, BW_DUNGEON_SWORD);
    ACCEPTED(move_to(&t, 0, -1));
    assert_int_equal(t.d.current, 0);
    assert_int_equal(t.d.actions_left, 0);
    assert_int_equal(legal_types(&t), only(BW_DUNGEON_PICK_UP) | only(BW_DUNGEON_END_TURN));
    REFUSED(move_to(&t, 0, 0), NO_MOVES);
    REFUSED(explore(&t, 1, -1), NO_MOVES);
    REFUSED(plain(&t, BW_DUNGEON_REST), NO_MOVES);
    t.d.players[0].bag[BW_DUNGEON_PORTAL_OF_HEALING] = 1;
    REFUSED(cast(&t, BW_DUNGEON_CAST_PORTAL), NO_MOVES);
    REFUSED(plain(&t, BW_DUNGEON_LEAVE_LOOT), NO_LEAVE); /* nothing was won */
    REFUSED(plain(&t, BW_DUNGEON_OPEN_CHEST), NO_CHEST);
    ACCEPTED(plain(&t, BW_DUNGEON_END_TURN));
    assert_int_equal(t.d.current, 1);
}

TEST(a_full_bag_counts_by_swapping) {
    table t;
    walk_onto(&t, BW_DUNGEON_KEY);
    t.d.players[0].bag[BW_DUNGEON_KEY] = 1;
    ACCEPTED(move_to(&t, 0, -1));
    assert_int_equal(t.d.current, 0);
    ACCEPTED(pick_up(&t, BW_DUNGEON_KEY));
    assert_int_equal(t.d.current, 1);
}

TEST(nor_on_a_chest_that_a_carried_key_could_open) {
    table t;
    walk_onto(&t, BW_DUNGEON_CHEST);
    t.d.players[0].bag[BW_DUNGEON_KEY] = 1;
    ACCEPTED(move_to(&t, 0, -1));
    assert_int_equal(t.d.current, 0);
    assert_int_equal(legal_types(&t), only(BW_DUNGEON_OPEN_CHEST) | only(BW_DUNGEON_END_TURN));
    walk_onto(&t, BW_DUNGEON_CHEST);
    ACCEPTED(move_to(&t, 0, -1)); /* without a key it ends */
    assert_int_equal(t.d.current, 1);
}

TEST(turns_go_clockwise_and_leave_out_empty_seats) {
    table t;
    begin_with(&t, bw_monadungeon.defaults, 1u << 1 | 1u << 3, 5);
    assert_int_equal(bw_monadungeon.turn(&t.d), 1u << 1);
    ACCEPTED(plain(&t, BW_DUNGEON_END_TURN));
    assert_int_equal(t.d.current, 3);
    ACCEPTED(plain(&t, BW_DUNGEON_END_TURN));
    assert_int_equal(t.d.current, 1);
    assert_int_equal(t.d.turn_number, 3);
}

TEST(the_number_of_moves_is_a_setting) {
    table t;
    bw_dungeon_config config = *(const bw_dungeon_config *)bw_monadungeon.defaults;
    config.actions = 1;
    config.max_hp = 20;
    begin_with(&t, &config, 3, 9);
    assert_int_equal(t.d.actions_left, 1);
    assert_int_equal(t.d.players[1].hp, 20);
    lay(&t, 0, -1, ALL, BW_DUNGEON_CORRIDOR);
    ACCEPTED(move_to(&t, 0, -1));
    assert_int_equal(t.d.current, 1);
}

/* ---- fountains ---- */

TEST(walking_across_a_fountain_does_nothing) {
    table t;
    begin(&t, 1);
    lay(&t, 0, -1, TOP | BOTTOM, BW_DUNGEON_FOUNTAIN);
    t.d.players[0].hp = 1;
    ACCEPTED(move_to(&t, 0, -1));
    ACCEPTED(move_to(&t, 0, 0));
    assert_int_equal(t.d.players[0].hp, 1);
}

TEST(ending_a_turn_on_a_fountain_heals_in_any_way) {
    table t;
    for (int way = 0; way < 3; way++) {
        begin(&t, 2);
        lay(&t, 0, -1, TOP | BOTTOM, BW_DUNGEON_FOUNTAIN);
        t.d.players[0].hp = 2;
        t.d.players[0].cursed = 1; /* nothing in these rules sets it; a fountain lifts it */
        t.d.actions_left = way == 2 ? 1 : 4;
        ACCEPTED(move_to(&t, 0, -1));
        if (way < 2) ACCEPTED(plain(&t, way ? BW_DUNGEON_REST : BW_DUNGEON_END_TURN));
        assert_int_equal(t.d.players[0].hp, 5);
        assert_int_equal(t.d.players[0].cursed, 0);
        assert_int_equal(t.d.current, 1);
        assert_non_null(event_of(&t, BW_DUNGEON_HEALED));
    }
}

TEST(the_start_is_a_fountain_and_rest_needs_one) {
    table t;
    begin(&t, 1);
    lay(&t, 0, -1, TOP | BOTTOM, BW_DUNGEON_CORRIDOR);
    t.d.players[0].hp = 2;
    ACCEPTED(move_to(&t, 0, -1));
    REFUSED(plain(&t, BW_DUNGEON_REST), REST_FOUNTAIN);
    ACCEPTED(plain(&t, BW_DUNGEON_END_TURN));
    assert_int_equal(t.d.players[0].hp, 2);
    ACCEPTED(move_to(&t, 0, 0));
    ACCEPTED(plain(&t, BW_DUNGEON_REST));
    assert_int_equal(t.d.players[0].hp, 5);
    assert_int_equal(t.d.turn_number, 3);
}

/* ---- torches and the end ---- */

static void end_turns(table *t, int count) {
    for (int i = 0; i < count; i++) ACCEPTED(plain(t, BW_DUNGEON_END_TURN));
}

/* Player 1 places the last tile; every player has `torch_turns` more turns. */
static void burn_down(int players, uint8_t turns) {
    table t;
    bw_dungeon_config config = *(const bw_dungeon_config *)bw_monadungeon.defaults;
    config.torch_turns = turns;
    begin_with(&t, &config, (1u << players) - 1, 3);
    t.d.deck_left = 1;
    stack(&t, TOP | BOTTOM, BW_DUNGEON_CORRIDOR);
    ACCEPTED(explore(&t, 0, -1));
    assert_int_equal(t.d.lit_by, NONE);
    ACCEPTED(place(&t, 0));
    bw_dungeon_view view;
    bw_dungeon_view_of(&t.d, &view);
    assert_true(view.has_torches);
    assert_int_equal(view.torches, turns);
    end_turns(&t, 1 + players * turns - 1);
    bw_dungeon_view_of(&t.d, &view);
    assert_int_equal(view.torches, players == 1 ? 0 : view.to_move == 0 ? 0 : view.torches);
    assert_false(t.d.over);
    end_turns(&t, 1);
    assert_true(t.d.over);
    assert_int_equal(bw_monadungeon.turn(&t.d), 0);
    assert_int_equal(t.d.turn_number, 1 + players * turns);
    REFUSED(plain(&t, BW_DUNGEON_END_TURN), OVER);
}

TEST(the_torches_burn_for_so_many_more_turns_of_each_player) {
    burn_down(1, 1);
    burn_down(1, 25);
    burn_down(2, 3);
    burn_down(4, 2);
}

TEST(or_for_ever) {
    table t;
    bw_dungeon_config config = *(const bw_dungeon_config *)bw_monadungeon.defaults;
    config.torch_turns = 0;
    begin_with(&t, &config, 1, 3);
    t.d.deck_left = 0;
    bw_dungeon_watch_torches(&t.d);
    end_turns(&t, 1000);
    assert_false(t.d.over);
    bw_dungeon_view view;
    bw_dungeon_view_of(&t.d, &view);
    assert_false(view.has_torches);
}

/* Six corners close two rings around the start; with another rotation the last one leaves them open. */
TEST(they_are_lit_when_no_open_side_leads_to_an_empty_cell) {
    for (int closing = 0; closing < 2; closing++) {
        table t;
        begin(&t, 2);
        lay(&t, 1, 0, LEFT | BOTTOM, BW_DUNGEON_CORRIDOR);
        lay(&t, 1, 1, TOP | LEFT, BW_DUNGEON_CORRIDOR);
        lay(&t, 0, 1, RIGHT | TOP, BW_DUNGEON_CORRIDOR);
        lay(&t, -1, 0, RIGHT | TOP, BW_DUNGEON_CORRIDOR);
        lay(&t, -1, -1, BOTTOM | RIGHT, BW_DUNGEON_CORRIDOR);
        bw_dungeon_watch_torches(&t.d);
        assert_int_equal(t.d.lit_by, NONE);
        assert_int_equal(t.d.clear_edges, 2); /* above the start, and right of the corner there */
        stack(&t, TOP | RIGHT, BW_DUNGEON_CORRIDOR);
        ACCEPTED(explore(&t, 0, -1));
        ACCEPTED(place(&t, closing ? 2 : 1)); /* open bottom and left, or right and bottom */
        assert_int_equal(t.d.clear_edges, closing ? 0 : 1);
        assert_int_equal(t.d.lit_by, closing ? 0 : NONE);
        assert_int_equal(t.d.torches, closing ? 25 : BW_DUNGEON_NO_TORCHES);
        assert_true(t.d.deck_left > 0);
    }
}

/* If the only way on is past a monster that nothing in the dungeon can beat, nothing is left to explore. */
TEST(a_monster_that_nothing_can_beat_seals_what_is_behind_it) {
    table t;
    begin(&t, 2);
    t.d.tiles[0].edges = 0;
    t.d.clear_edges = 0;
    lair(&t, 5, 5, BW_DUNGEON_FALLEN, BW_DUNGEON_FALLENS_TREASURE);
    assert_int_equal(t.d.clear_edges, 0);
    table with_dagger = t;
    bw_dungeon_watch_torches(&t.d);
    assert_int_equal(t.d.lit_by, 0); /* 12 by dice is a draw at best */
    with_dagger.d.players[1].bag[BW_DUNGEON_DAGGER] = 1;
    bw_dungeon_watch_torches(&with_dagger.d);
    assert_int_equal(with_dagger.d.lit_by, NONE);
}

/* Nobody explores from the dragon's tile, because its defeat ends the game. */
TEST(the_dragon_seals_what_is_behind_it) {
    table t;
    begin(&t, 2);
    t.d.tiles[0].edges = 0;
    t.d.clear_edges = 0;
    t.d.players[0].bag[BW_DUNGEON_AXE] = 2;
    lair(&t, 5, 5, BW_DUNGEON_DRAGON, BW_DUNGEON_RUBY_CHEST);
    bw_dungeon_watch_torches(&t.d);
    assert_int_equal(t.d.lit_by, 0);
}

TEST(equal_points_share_the_win) {
    table t;
    begin(&t, 3);
    t.d.players[0].points = 4;
    t.d.players[1].points = 2;
    t.d.players[2].points = 4;
    t.d.over = 1;
    assert_int_equal(bw_dungeon_winners(&t.d), 1u | 1u << 2);
    assert_int_equal(bw_monadungeon.score(&t.d, 0), 1000);
    assert_int_equal(bw_monadungeon.score(&t.d, 1), -1000);
}

/* ---- leaving ---- */

TEST(a_player_who_resigns_leaves_the_turn_order) {
    table t;
    begin(&t, 3);
    t.d.players[1].points = 9;
    ACCEPTED(bw_dungeon_resign(&t.d, 1, &t.events));
    REFUSED(bw_dungeon_resign(&t.d, 1, &t.events), NOT_PLAYING);
    assert_int_equal(t.d.current, 0);
    end_turns(&t, 1);
    assert_int_equal(t.d.current, 2);
    ACCEPTED(bw_dungeon_resign(&t.d, 2, &t.events)); /* in the player's own turn */
    assert_int_equal(t.d.current, 0);
    assert_false(t.d.over);
    assert_int_equal(bw_dungeon_winners(&t.d), 1u); /* a player who left has lost */
    ACCEPTED(bw_dungeon_resign(&t.d, 0, &t.events));
    assert_true(t.d.over); /* nobody is left */
    assert_int_equal(bw_dungeon_winners(&t.d), 0);
}

TEST(a_waiting_tile_goes_back_when_its_player_leaves) {
    table t;
    begin(&t, 2);
    stack(&t, TOP | RIGHT, BW_DUNGEON_ROOM);
    uint8_t deck = t.d.deck_left, rooms = t.d.rooms_left;
    ACCEPTED(explore(&t, 0, 1));
    ACCEPTED(bw_dungeon_resign(&t.d, 0, &t.events));
    assert_int_equal(t.d.deck_left, deck);
    assert_int_equal(t.d.rooms_left, rooms);
    assert_int_equal(t.d.awaiting, NONE);
    assert_int_equal(t.d.current, 1);
    ACCEPTED(explore(&t, 0, 1));
}

TEST(a_last_tile_that_waits_lights_no_torches) {
    table t;
    begin(&t, 3);
    t.d.deck_left = 1;
    stack(&t, TOP | BOTTOM, BW_DUNGEON_CORRIDOR);
    ACCEPTED(explore(&t, 0, 1));
    ACCEPTED(bw_dungeon_resign(&t.d, 2, &t.events)); /* another player, meanwhile */
    assert_int_equal(t.d.lit_by, NONE);
    bw_dungeon back = t.d;
    ACCEPTED(bw_dungeon_resign(&t.d, 0, &t.events)); /* it goes back and can be explored again */
    assert_int_equal(t.d.deck_left, 1);
    assert_int_equal(t.d.lit_by, NONE);
    assert_true(is_legal(&t, BW_DUNGEON_EXPLORE));
    t.d = back;
    ACCEPTED(place(&t, 0)); /* it is placed, and it was the last */
    assert_int_equal(t.d.lit_by, 0);
    assert_int_equal(t.d.torches, 25);
}

TEST(torches_burn_on_when_who_lit_them_leaves) {
    for (int leaver_turn = 0; leaver_turn < 3; leaver_turn++) {
        table t;
        begin(&t, 3);
        t.d.deck_left = 0;
        t.d.torch_turns = 4;
        bw_dungeon_watch_torches(&t.d);
        end_turns(&t, 3 + leaver_turn); /* one more turn each, and some have more */
        ACCEPTED(bw_dungeon_resign(&t.d, 0, &t.events));
        int turns[3] = {0};
        for (int i = 0; i < 100 && !t.d.over; i++) {
            turns[t.d.current]++;
            end_turns(&t, 1);
        }
        assert_true(t.d.over);
        /* Each of the others has had or still has four turns in all. */
        assert_int_equal(turns[1] + (leaver_turn >= 2) + 1, 4);
        assert_int_equal(turns[2] + 1, 4);
    }
}

/* A claim ends the game whatever is unfinished when the others are gone, and leaves no tile in anybody's hand. */
TEST(a_claim_ends_the_game_in_the_middle_of_anything) {
    for (int open = 0; open < 4; open++) { /* bit 0: the absent player is to move; bit 1: a tile is waiting */
        table t;
        bw_dungeon_stats stats;
        begin(&t, 3);
        int deck = t.d.deck_left, winner = open & 1 ? 2 : 0;
        if (open & 2) ACCEPTED(explore(&t, 1, 0));
        t.d.players[1].points = 9; /* more than the winner has */
        bw_dungeon_action action = {.type = BW_DUNGEON_CLAIM};
        action.as.claimed.role = (uint8_t)winner;
        assert_true(bw_dungeon_apply(&t.d, t.d.current, &action, NULL) < 0); /* a player cannot claim */
        assert_int_equal(bw_dungeon_apply(&t.d, BW_CLOCK, &action, &t.events), 0);
        assert_non_null(event_of(&t, BW_DUNGEON_CLAIMED));
        assert_int_equal(bw_monadungeon.turn(&t.d), 0);
        assert_int_equal(bw_monadungeon.winners(&t.d), 1u << winner);
        assert_int_equal(t.d.deck_left, deck);
        assert_int_equal(t.d.awaiting, NONE);
        bw_monadungeon.stats_of(&t.d, &stats);
        assert_true(stats.has_by_absence && stats.by_absence);
        assert_int_equal(bw_dungeon_apply(&t.d, BW_CLOCK, &action, NULL), BW_DUNGEON_REFUSES_OVER);
        begin(&t, 1);
        action.as.claimed.role = 0;
        assert_int_equal(bw_dungeon_apply(&t.d, BW_CLOCK, &action, NULL), BW_DUNGEON_REFUSES_NOBODY_LEFT);
    }
}

RUN_TESTS(NULL, NULL)
