/* Loot, bags, chests and spells; a test for each sentence of the rules page. */
#include "games/monadungeon/test_help.h"

/* Player 1 of two is in a room with this loot. */
static void on_loot(table *t, uint8_t loot) {
    begin(t, 2);
    bw_dungeon_lay(&t->d, 1, 0, ALL, BW_DUNGEON_ROOM, NONE, loot);
    t->d.players[0].at = 1;
}

TEST(picking_up_ends_the_turn) {
    static const uint8_t items[] = {BW_DUNGEON_DAGGER,   BW_DUNGEON_SWORD,    BW_DUNGEON_AXE,
                                    BW_DUNGEON_FIREBALL, BW_DUNGEON_TELEPORT, BW_DUNGEON_PORTAL_OF_HEALING,
                                    BW_DUNGEON_KEY};
    for (size_t i = 0; i < sizeof items; i++) {
        table t;
        on_loot(&t, items[i]);
        REFUSED(pick_up(&t, items[i]), NO_DROP); /* there is room */
        ACCEPTED(pick_up(&t, -1));
        assert_int_equal(t.d.players[0].bag[items[i]], 1);
        assert_int_equal(t.d.players[0].points, 0);
        assert_int_equal(t.d.tiles[1].loot, NONE);
        assert_int_equal(t.d.current, 1);
        assert_int_equal(event_of(&t, BW_DUNGEON_PICKED_UP)->as.picked_up.item, items[i]);
    }
}

TEST(where_nothing_lies_nothing_is_picked_up) {
    table t;
    on_loot(&t, NONE);
    REFUSED(pick_up(&t, -1), NO_LOOT);
    REFUSED(plain(&t, BW_DUNGEON_LEAVE_LOOT), NO_LEAVE);
    assert_false(is_legal(&t, BW_DUNGEON_PICK_UP));
}

TEST(a_full_category_needs_a_drop_of_the_same) {
    table t;
    on_loot(&t, BW_DUNGEON_AXE);
    t.d.players[0].bag[BW_DUNGEON_DAGGER] = t.d.players[0].bag[BW_DUNGEON_SWORD] = 1;
    t.d.players[0].bag[BW_DUNGEON_KEY] = 1;
    REFUSED(pick_up(&t, -1), NAME_DROP);
    REFUSED(pick_up(&t, BW_DUNGEON_KEY), DROP_KIND);
    REFUSED(pick_up(&t, BW_DUNGEON_TREASURE), DROP_KIND);
    REFUSED(pick_up(&t, BW_DUNGEON_AXE), DROP_NONE);
    ACCEPTED(pick_up(&t, BW_DUNGEON_DAGGER));
    assert_int_equal(t.d.players[0].bag[BW_DUNGEON_DAGGER], 0);
    assert_int_equal(t.d.players[0].bag[BW_DUNGEON_AXE], 1);
    assert_int_equal(t.d.tiles[1].loot, BW_DUNGEON_DAGGER); /* it stays on that tile */
    assert_int_equal(event_of(&t, BW_DUNGEON_DROPPED)->as.dropped.item, BW_DUNGEON_DAGGER);
    t.d.players[1].at = 1; /* and anyone may take it */
    ACCEPTED(pick_up(&t, -1));
    assert_int_equal(t.d.players[1].bag[BW_DUNGEON_DAGGER], 1);
}

TEST(one_key_two_weapons_three_spells) {
    static const struct {
        uint8_t item, limit;
    } cases[] = {{BW_DUNGEON_KEY, 1},      {BW_DUNGEON_DAGGER, 2},   {BW_DUNGEON_AXE, 2},
                 {BW_DUNGEON_FIREBALL, 3}, {BW_DUNGEON_TELEPORT, 3}, {BW_DUNGEON_PORTAL_OF_HEALING, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (uint8_t carried = 0; carried <= cases[i].limit; carried++) {
            table t;
            on_loot(&t, cases[i].item);
            t.d.players[0].bag[cases[i].item] = carried;
            if (carried < cases[i].limit) {
                ACCEPTED(pick_up(&t, -1));
                assert_int_equal(t.d.players[0].bag[cases[i].item], carried + 1);
            } else {
                REFUSED(pick_up(&t, -1), NAME_DROP);
                ACCEPTED(pick_up(&t, cases[i].item));
                assert_int_equal(t.d.players[0].bag[cases[i].item], carried);
            }
        }
    }
}

TEST(every_way_to_swap_is_listed) {
    table t;
    on_loot(&t, BW_DUNGEON_FIREBALL);
    t.d.players[0].bag[BW_DUNGEON_FIREBALL] = 1;
    t.d.players[0].bag[BW_DUNGEON_TELEPORT] = 1;
    t.d.players[0].bag[BW_DUNGEON_PORTAL_OF_HEALING] = 1;
    bw_dungeon_action list[BW_DUNGEON_LEGAL_MAX];
    uint32_t count = bw_dungeon_legal(&t.d, 0, list, BW_DUNGEON_LEGAL_MAX), drops = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].type == BW_DUNGEON_PICK_UP) {
            assert_true(list[i].as.pick_up.has_drop);
            drops |= 1u << list[i].as.pick_up.drop;
        }
    }
    assert_int_equal(drops, 1u << BW_DUNGEON_FIREBALL | 1u << BW_DUNGEON_TELEPORT | 1u << BW_DUNGEON_PORTAL_OF_HEALING);
}

/* ---- chests ---- */

TEST(a_chest_consumes_a_key_and_gives_two_points) {
    table t;
    on_loot(&t, BW_DUNGEON_CHEST);
    t.d.players[0].bag[BW_DUNGEON_KEY] = 1;
    REFUSED(pick_up(&t, -1), CHEST);
    ACCEPTED(plain(&t, BW_DUNGEON_OPEN_CHEST));
    assert_int_equal(t.d.players[0].bag[BW_DUNGEON_KEY], 0);
    assert_int_equal(t.d.players[0].bag[BW_DUNGEON_TREASURE], 1);
    assert_int_equal(t.d.players[0].points, 2);
    assert_int_equal(t.d.tiles[1].loot, NONE);
    assert_int_equal(t.d.current, 1); /* opening ends the turn */
    assert_int_equal(event_of(&t, BW_DUNGEON_CHEST_OPENED)->as.opened.points, 2);
}

TEST(without_a_key_it_is_an_error_and_no_time_is_lost) {
    table t;
    on_loot(&t, BW_DUNGEON_CHEST);
    REFUSED(plain(&t, BW_DUNGEON_OPEN_CHEST), NO_KEY);
    assert_int_equal(t.d.actions_left, 4);
    ACCEPTED(move_to(&t, 0, 0)); /* players may stand on it and walk on */
    assert_int_equal(t.d.actions_left, 3);
    REFUSED(plain(&t, BW_DUNGEON_OPEN_CHEST), NO_CHEST);
}

TEST(treasures_are_unlimited) {
    table t;
    begin(&t, 1);
    for (int i = 0; i < 10; i++) bw_dungeon_take(&t.d, BW_DUNGEON_TREASURE, NULL);
    bw_dungeon_take(&t.d, BW_DUNGEON_FALLENS_TREASURE, NULL);
    bw_dungeon_take(&t.d, BW_DUNGEON_FALLENS_TREASURE, NULL);
    bw_dungeon_take(&t.d, BW_DUNGEON_RUBY_CHEST, NULL);
    assert_int_equal(t.d.players[0].points, 27);
    bw_dungeon_view view;
    bw_dungeon_view_of(&t.d, &view);
    assert_int_equal(view.players_info[0].treasures_count, 13);
    assert_int_equal(view.players_info[0].points, 27);
}

/* ---- spells ---- */

TEST(the_portal_heals_and_the_turn_goes_on) {
    table t;
    on_loot(&t, NONE);
    t.d.players[0].hp = 1;
    REFUSED(cast(&t, BW_DUNGEON_CAST_PORTAL), NO_SPELL);
    t.d.players[0].bag[BW_DUNGEON_PORTAL_OF_HEALING] = 2;
    bw_dungeon_action with_cell = {.type = BW_DUNGEON_CAST};
    with_cell.as.cast = (bw_dungeon_cast){.spell = BW_DUNGEON_CAST_PORTAL, .has_to = true};
    REFUSED(act(&t, with_cell), NEEDS_NO_CELL);
    ACCEPTED(cast(&t, BW_DUNGEON_CAST_PORTAL));
    assert_int_equal(t.d.players[0].hp, 5);
    assert_int_equal(t.d.players[0].bag[BW_DUNGEON_PORTAL_OF_HEALING], 1); /* a cast spell is gone */
    assert_int_equal(t.d.current, 0);
    assert_int_equal(t.d.actions_left, 4);
    assert_true(event_of(&t, BW_DUNGEON_SPELL_CAST) && event_of(&t, BW_DUNGEON_HEALED));
}

TEST(teleport_leads_to_any_placed_fountain_and_ends_the_turn) {
    static const struct { int8_t x, y; } fountains[] = {{0, 0}, {9, 9}, {-4, 2}};
    for (int i = 0; i < 3; i++) {
        table t;
        on_loot(&t, NONE);
        lay(&t, 9, 9, TOP | RIGHT, BW_DUNGEON_FOUNTAIN);
        lay(&t, -4, 2, TOP | RIGHT, BW_DUNGEON_FOUNTAIN);
        t.d.players[0].hp = 1;
        REFUSED(teleport(&t, 0, 0), NO_SPELL);
        t.d.players[0].bag[BW_DUNGEON_TELEPORT] = 1;
        REFUSED(cast(&t, BW_DUNGEON_CAST_TELEPORT), NO_TARGET);
        REFUSED(teleport(&t, 1, 0), NO_FOUNTAIN);
        REFUSED(teleport(&t, 50, 50), NO_FOUNTAIN);
        ACCEPTED(teleport(&t, fountains[i].x, fountains[i].y));
        const bw_dungeon_tile *tile = &t.d.tiles[t.d.players[0].at];
        assert_true(tile->x == fountains[i].x && tile->y == fountains[i].y);
        assert_int_equal(t.d.players[0].hp, 5); /* and the fountain heals */
        assert_int_equal(t.d.players[0].bag[BW_DUNGEON_TELEPORT], 0);
        assert_int_equal(t.d.current, 1);
        assert_int_equal(event_of(&t, BW_DUNGEON_MOVED)->as.moved.by, BW_DUNGEON_BY_TELEPORT);
    }
}

TEST(a_fireball_is_for_battles_only) {
    table t;
    on_loot(&t, NONE);
    t.d.players[0].bag[BW_DUNGEON_FIREBALL] = 1;
    REFUSED(cast(&t, BW_DUNGEON_CAST_FIREBALL), NO_FIGHT);
    assert_false(is_legal(&t, BW_DUNGEON_CAST));
}

TEST(everyone_sees_what_a_monster_guards_but_it_lies_only_after_a_win) {
    table t;
    begin(&t, 1);
    lair(&t, 1, 0, BW_DUNGEON_GIANT_SPIDER, BW_DUNGEON_TELEPORT);
    bw_dungeon_view view;
    bw_dungeon_view_of(&t.d, &view);
    assert_true(view.tiles[1].has_monster && view.tiles[1].has_guards && !view.tiles[1].has_loot);
    assert_int_equal(view.tiles[1].guards, BW_DUNGEON_TELEPORT);
    assert_int_equal(view.tiles[1].monster.hp, 6);
    rig(&t, 6, 6);
    ACCEPTED(move_to(&t, 1, 0));
    bw_dungeon_view_of(&t.d, &view);
    assert_true(!view.tiles[1].has_monster && !view.tiles[1].has_guards && view.tiles[1].has_loot);
    assert_int_equal(view.tiles[1].loot, BW_DUNGEON_TELEPORT);
}

RUN_TESTS(NULL, NULL)
