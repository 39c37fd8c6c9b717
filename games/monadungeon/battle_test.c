/* Battles; a test for each sentence of the rules page. */
#include "games/monadungeon/test_help.h"

/* Player 1 of two stands on a corridor west of a monster; a step east is a battle. */
static void before_the_lair(table *t, uint8_t monster, uint8_t loot, int fireballs) {
    begin(t, 2);
    lay(t, 1, 0, ALL, BW_DUNGEON_CORRIDOR);
    lair(t, 2, 0, monster, loot);
    t->d.players[0].bag[BW_DUNGEON_FIREBALL] = (uint8_t)fireballs;
    t->d.players[0].at = 1;
}

TEST(dice_and_weapons_that_win_settle_it_at_once) {
    table t;
    before_the_lair(&t, BW_DUNGEON_SKELETON_WARRIOR, BW_DUNGEON_SWORD, 3);
    t.d.players[0].bag[BW_DUNGEON_AXE] = 1;
    t.d.players[0].bag[BW_DUNGEON_DAGGER] = 1;
    rig(&t, 2, 4);
    ACCEPTED(move_to(&t, 2, 0)); /* 6 + 3 + 1 = 10 > 9 */
    const bw_dungeon_fought *won = &event_of(&t, BW_DUNGEON_BATTLE_WON)->as.won;
    assert_int_equal(won->damage, 10);
    assert_int_equal(won->dice[0], 2);
    assert_int_equal(won->dice[1], 4);
    assert_int_equal(won->monster, BW_DUNGEON_SKELETON_WARRIOR);
    assert_int_equal(t.d.players[0].bag[BW_DUNGEON_FIREBALL], 3); /* there is no spell to use */
    assert_int_equal(t.d.awaiting, BW_DUNGEON_AWAITS_LOOT);
    assert_int_equal(t.d.players[0].at, 2); /* the player stays */
    assert_int_equal(t.d.tiles[2].monster, NONE);
    assert_int_equal(t.d.tiles[2].loot, BW_DUNGEON_SWORD); /* its loot is on the tile */
    assert_int_equal(t.d.actions_left, 0);
}

TEST(after_a_win_the_loot_is_taken_or_left_and_the_turn_ends) {
    static const uint8_t ways[] = {BW_DUNGEON_PICK_UP, BW_DUNGEON_LEAVE_LOOT, BW_DUNGEON_END_TURN};
    for (int i = 0; i < 3; i++) {
        table t;
        before_the_lair(&t, BW_DUNGEON_GIANT_RAT, BW_DUNGEON_DAGGER, 0);
        t.d.players[0].bag[BW_DUNGEON_PORTAL_OF_HEALING] = 1;
        rig(&t, 3, 3);
        ACCEPTED(move_to(&t, 2, 0));
        assert_int_equal(legal_types(&t),
                         only(BW_DUNGEON_PICK_UP) | only(BW_DUNGEON_LEAVE_LOOT) | only(BW_DUNGEON_END_TURN));
        REFUSED(move_to(&t, 1, 0), LOOT_FIRST);
        REFUSED(cast(&t, BW_DUNGEON_CAST_PORTAL), LOOT_FIRST);
        ACCEPTED(plain(&t, ways[i]));
        assert_int_equal(t.d.current, 1);
        assert_int_equal(t.d.players[0].bag[BW_DUNGEON_DAGGER], i == 0);
        assert_int_equal(t.d.tiles[2].loot, i == 0 ? NONE : BW_DUNGEON_DAGGER);
    }
}

TEST(otherwise_fireballs_may_be_used_and_what_would_do_is_shown) {
    table t;
    before_the_lair(&t, BW_DUNGEON_MUMMY, BW_DUNGEON_FIREBALL, 3);
    rig(&t, 1, 4);
    ACCEPTED(move_to(&t, 2, 0));
    assert_int_equal(t.d.awaiting, BW_DUNGEON_AWAITS_BATTLE);
    assert_non_null(event_of(&t, BW_DUNGEON_BATTLE_STARTED));
    bw_dungeon_view view;
    bw_dungeon_view_of(&t.d, &view);
    assert_true(view.has_battle);
    assert_int_equal(view.battle.hp, 7);
    assert_int_equal(view.battle.damage, 5);
    assert_int_equal(view.battle.needed, 3);
    assert_int_equal(view.battle.from.x, 1);
    assert_int_equal(view.players_info[0].x, 2);
    assert_int_equal(legal_types(&t), only(BW_DUNGEON_BATTLE));
    REFUSED(plain(&t, BW_DUNGEON_END_TURN), BATTLE_FIRST);
    REFUSED(battle(&t, 4), FIREBALLS);
    REFUSED(battle(&t, 1000), FIREBALLS);
    ACCEPTED(battle(&t, 3));
    assert_int_equal(event_of(&t, BW_DUNGEON_BATTLE_WON)->as.won.damage, 8);
    assert_int_equal(t.d.players[0].bag[BW_DUNGEON_FIREBALL], 0);
    REFUSED(battle(&t, 0), LOOT_FIRST);
}

TEST(a_battle_that_is_not_open_cannot_be_settled) {
    table t;
    before_the_lair(&t, BW_DUNGEON_MUMMY, BW_DUNGEON_FIREBALL, 3);
    REFUSED(battle(&t, 0), NO_BATTLE);
}

TEST(fireballs_are_consumed_even_if_too_few) {
    table t;
    before_the_lair(&t, BW_DUNGEON_SKELETON_KING, BW_DUNGEON_AXE, 2);
    rig(&t, 1, 1);
    ACCEPTED(move_to(&t, 2, 0));
    ACCEPTED(battle(&t, 2));
    assert_int_equal(t.d.players[0].bag[BW_DUNGEON_FIREBALL], 0);
    assert_int_equal(t.d.players[0].hp, 4);
    assert_int_equal(event_of(&t, BW_DUNGEON_BATTLE_LOST)->as.lost.damage, 4);
    assert_int_equal(t.d.current, 1);
}

TEST(without_a_fireball_it_is_settled_at_once) {
    table t;
    before_the_lair(&t, BW_DUNGEON_MUMMY, BW_DUNGEON_FIREBALL, 0);
    t.d.players[0].bag[BW_DUNGEON_TELEPORT] = 3; /* other spells do not count */
    rig(&t, 1, 1);
    ACCEPTED(move_to(&t, 2, 0));
    assert_non_null(event_of(&t, BW_DUNGEON_BATTLE_LOST));
    assert_int_equal(t.d.current, 1);
}

TEST(a_draw_does_no_damage_and_leads_back) {
    table t;
    before_the_lair(&t, BW_DUNGEON_MUMMY, BW_DUNGEON_FIREBALL, 0);
    rig(&t, 3, 4);
    ACCEPTED(move_to(&t, 2, 0));
    assert_int_equal(event_of(&t, BW_DUNGEON_BATTLE_DRAWN)->as.draw.damage, 7);
    assert_int_equal(t.d.players[0].hp, 5);
    assert_int_equal(t.d.players[0].at, 1);
    assert_int_equal(t.d.tiles[2].monster, BW_DUNGEON_MUMMY);
    assert_int_equal(t.d.current, 1);
}

TEST(a_loss_costs_one_and_leads_back) {
    table t;
    before_the_lair(&t, BW_DUNGEON_MUMMY, BW_DUNGEON_FIREBALL, 0);
    rig(&t, 3, 3);
    ACCEPTED(move_to(&t, 2, 0));
    assert_int_equal(t.d.players[0].hp, 4);
    assert_int_equal(t.d.players[0].hp_lost, 1);
    assert_int_equal(t.d.players[0].at, 1);
    assert_int_equal(t.d.current, 1);
    assert_null(event_of(&t, BW_DUNGEON_STUNNED));
}

TEST(the_tile_one_came_from_may_be_a_gate) {
    table t;
    begin(&t, 2);
    lay(&t, 0, -1, TOP | BOTTOM, BW_DUNGEON_GATE);
    lay(&t, 7, 7, LEFT | RIGHT, BW_DUNGEON_GATE);
    lair(&t, 8, 7, BW_DUNGEON_FALLEN, BW_DUNGEON_FALLENS_TREASURE);
    ACCEPTED(move_to(&t, 0, -1));
    ACCEPTED(move_to(&t, 7, 7));
    rig(&t, 1, 2);
    ACCEPTED(move_to(&t, 8, 7));
    assert_int_equal(t.d.tiles[t.d.players[0].at].x, 7);
    assert_int_equal(t.d.tiles[t.d.players[0].at].kind, BW_DUNGEON_GATE);
}

TEST(at_no_hp_one_is_stunned_and_skips_a_turn) {
    table t;
    before_the_lair(&t, BW_DUNGEON_MUMMY, BW_DUNGEON_FIREBALL, 0);
    t.d.players[0].hp = 1;
    rig(&t, 1, 1);
    ACCEPTED(move_to(&t, 2, 0));
    assert_non_null(event_of(&t, BW_DUNGEON_STUNNED));
    assert_int_equal(t.d.players[0].hp, 0);
    assert_int_equal(t.d.players[0].stunned, 1);
    assert_int_equal(t.d.players[0].at, 1); /* the player has retreated */
    assert_int_equal(t.d.turn_number, 2);
    ACCEPTED(plain(&t, BW_DUNGEON_END_TURN)); /* of player 2 */
    assert_int_equal(t.d.current, 1);         /* player 1 was skipped */
    assert_int_equal(t.d.turn_number, 4);     /* which counts as a turn */
    assert_int_equal(t.d.players[0].hp, 1);
    assert_int_equal(t.d.players[0].stunned, 0);
    assert_int_equal(event_of(&t, BW_DUNGEON_RECOVERED)->as.recovered.role, 0);
    ACCEPTED(plain(&t, BW_DUNGEON_END_TURN));
    assert_int_equal(t.d.current, 0);
}

TEST(a_stun_counts_as_a_turn_when_alone) {
    table t;
    begin(&t, 1);
    lay(&t, 1, 0, ALL, BW_DUNGEON_CORRIDOR);
    lair(&t, 2, 0, BW_DUNGEON_FALLEN, BW_DUNGEON_FALLENS_TREASURE);
    t.d.players[0].at = 1;
    t.d.players[0].hp = 1;
    rig(&t, 1, 1);
    ACCEPTED(move_to(&t, 2, 0));
    assert_int_equal(t.d.turn_number, 3);
    assert_int_equal(t.d.players[0].hp, 1);
    assert_int_equal(t.d.actions_left, 4);
    assert_true(event_of(&t, BW_DUNGEON_STUNNED) && event_of(&t, BW_DUNGEON_RECOVERED));
}

TEST(everybody_may_be_stunned_at_once) {
    table t;
    begin(&t, 4);
    for (int seat = 1; seat < 4; seat++) {
        t.d.players[seat].stunned = 1;
        t.d.players[seat].hp = 0;
    }
    ACCEPTED(plain(&t, BW_DUNGEON_END_TURN));
    assert_int_equal(t.d.current, 0);
    assert_int_equal(t.d.turn_number, 5);
    assert_int_equal(t.d.players[3].hp, 1);
}

TEST(retreating_onto_a_fountain_heals_first) {
    table t;
    begin(&t, 2);
    lair(&t, 1, 0, BW_DUNGEON_FALLEN, BW_DUNGEON_FALLENS_TREASURE);
    t.d.players[0].hp = 1;
    rig(&t, 1, 1);
    ACCEPTED(move_to(&t, 1, 0)); /* from the start, which is a fountain */
    assert_null(event_of(&t, BW_DUNGEON_STUNNED));
    assert_int_equal(event_of(&t, BW_DUNGEON_BATTLE_LOST)->as.lost.hp, 0);
    assert_int_equal(event_of(&t, BW_DUNGEON_HEALED)->as.healed.hp, 5);
    assert_int_equal(t.d.players[0].stunned, 0);
    assert_int_equal(t.d.players[0].hp, 5);
    ACCEPTED(plain(&t, BW_DUNGEON_END_TURN));
    assert_int_equal(t.d.current, 0); /* nothing is skipped */
}

TEST(a_tile_just_placed_with_a_monster_is_a_battle) {
    table t;
    begin(&t, 2);
    stack(&t, ALL, BW_DUNGEON_ROOM);
    stack_token(&t, BW_DUNGEON_GIANT_RAT);
    ACCEPTED(explore(&t, 1, 0));
    rig(&t, 1, 3);
    ACCEPTED(place(&t, 0)); /* 4 against 5 */
    assert_non_null(event_of(&t, BW_DUNGEON_BATTLE_LOST));
    assert_int_equal(t.d.players[0].at, 0);
    assert_int_equal(t.d.tiles[1].monster, BW_DUNGEON_GIANT_RAT);
    assert_int_equal(t.d.current, 1);
}

TEST(the_fallens_treasure_is_taken_by_itself) {
    table t;
    before_the_lair(&t, BW_DUNGEON_FALLEN, BW_DUNGEON_FALLENS_TREASURE, 0);
    t.d.players[0].bag[BW_DUNGEON_SWORD] = 2;
    rig(&t, 6, 3);
    ACCEPTED(move_to(&t, 2, 0)); /* 9 + 4 = 13 > 12 */
    assert_int_equal(t.d.players[0].points, 2);
    assert_int_equal(t.d.players[0].bag[BW_DUNGEON_FALLENS_TREASURE], 1);
    assert_int_equal(event_of(&t, BW_DUNGEON_PICKED_UP)->as.picked_up.item, BW_DUNGEON_FALLENS_TREASURE);
    assert_int_equal(t.d.tiles[2].loot, NONE);
    assert_int_equal(t.d.current, 1); /* and the turn ends */
}

TEST(the_dragons_defeat_ends_the_game_at_once) {
    table t;
    before_the_lair(&t, BW_DUNGEON_DRAGON, BW_DUNGEON_RUBY_CHEST, 1);
    t.d.players[0].bag[BW_DUNGEON_AXE] = 2;
    t.d.players[1].points = 4;
    rig(&t, 5, 4);
    ACCEPTED(move_to(&t, 2, 0)); /* 9 + 6 = 15: a draw without the fireball */
    ACCEPTED(battle(&t, 1));
    assert_true(t.d.over);
    assert_int_equal(t.d.players[0].points, 3);
    assert_int_equal(bw_dungeon_winners(&t.d), 1u << 1); /* most points win, not the slayer */
    bw_dungeon_stats stats;
    bw_monadungeon.stats_of(&t.d, &stats);
    assert_true(stats.has_slayer);
    assert_int_equal(stats.slayer, 0);
    assert_int_equal(stats.turns, 1);
    assert_int_equal(stats.points_count, 2);
    assert_string_equal(stats.points[1].key, "player2");
    assert_int_equal(stats.points[1].value, 4);
    bw_dungeon_view view;
    bw_dungeon_view_of(&t.d, &view);
    assert_true(view.has_dragon && view.dragon.x == 2 && !view.has_to_move);
}

TEST(a_player_who_leaves_in_a_battle_goes_back) {
    table t;
    before_the_lair(&t, BW_DUNGEON_MUMMY, BW_DUNGEON_FIREBALL, 1);
    rig(&t, 1, 1);
    ACCEPTED(move_to(&t, 2, 0));
    ACCEPTED(bw_dungeon_resign(&t.d, 0, &t.events));
    assert_int_equal(t.d.players[0].at, 1);
    assert_int_equal(t.d.tiles[2].monster, BW_DUNGEON_MUMMY);
    assert_int_equal(t.d.current, 1);
    assert_int_equal(t.d.awaiting, NONE);
}

/* All 36 rolls against every monster, with 0 to 3 fireballs: win, draw or loss follows from the damage. */
TEST(every_roll_is_settled_by_damage_alone) {
    for (uint8_t monster = 0; monster <= BW_DUNGEON_DRAGON; monster++) {
        for (int roll = 0; roll < 36; roll++) {
            for (int carried = 0; carried <= 3; carried++) {
                table t;
                before_the_lair(&t, monster, BW_DUNGEON_KEY, carried);
                t.d.players[0].bag[BW_DUNGEON_SWORD] = 1;
                rig(&t, 1 + roll / 6, 1 + roll % 6);
                int damage = 2 + roll / 6 + roll % 6 + 2, hp = bw_dungeon_monster_hp[monster];
                ACCEPTED(move_to(&t, 2, 0));
                assert_int_equal(t.d.awaiting == BW_DUNGEON_AWAITS_BATTLE, damage <= hp && carried > 0);
                if (t.d.awaiting == BW_DUNGEON_AWAITS_BATTLE) {
                    damage += carried;
                    ACCEPTED(battle(&t, (uint16_t)carried));
                }
                assert_int_equal(event_of(&t, BW_DUNGEON_BATTLE_WON) != NULL, damage > hp);
                assert_int_equal(event_of(&t, BW_DUNGEON_BATTLE_DRAWN) != NULL, damage == hp);
                assert_int_equal(event_of(&t, BW_DUNGEON_BATTLE_LOST) != NULL, damage < hp);
                assert_int_equal(t.d.players[0].hp, 5 - (damage < hp));
            }
        }
    }
}

RUN_TESTS(NULL, NULL)
