/* Dice, fireballs, victory, retreat. */
#include "games/monadungeon/rules.h"

void bw_dungeon_go(bw_dungeon *dungeon, uint8_t to, uint8_t by, bw_events *events) {
    bw_dungeon_player *player = &dungeon->players[dungeon->current];
    bw_dungeon_event *event = events ? bw_event(events, BW_DUNGEON_MOVED) : 0;
    if (event) {
        event->as.moved = (bw_dungeon_moved){.role = dungeon->current,
                                             .from = bw_dungeon_cell_of(&dungeon->tiles[player->at]),
                                             .to = bw_dungeon_cell_of(&dungeon->tiles[to]),
                                             .by = by};
    }
    player->at = to;
}

static int damage_with(const bw_dungeon *dungeon, int fireballs) {
    return dungeon->dice[0] + dungeon->dice[1] + bw_dungeon_weapon_damage(&dungeon->players[dungeon->current]) +
           fireballs;
}

static void tell_result(const bw_dungeon *dungeon, uint8_t type, uint8_t monster, uint8_t fireballs, int damage,
                        bw_events *events) {
    bw_dungeon_event *event = events ? bw_event(events, type) : 0;
    if (event) {
        event->as.won = (bw_dungeon_fought){.role = dungeon->current,
                                            .monster = monster,
                                            .dice_count = 2,
                                            .dice = {dungeon->dice[0], dungeon->dice[1]},
                                            .fireballs = fireballs,
                                            .damage = (uint8_t)damage,
                                            .hp = dungeon->players[dungeon->current].hp};
    }
}

/* The monster is gone. What it guarded now lies here, or is taken at once. */
static void win(bw_dungeon *dungeon, bw_events *events) {
    bw_dungeon_player *player = &dungeon->players[dungeon->current];
    bw_dungeon_tile *tile = &dungeon->tiles[player->at];
    uint8_t monster = tile->monster;
    tile->monster = BW_DUNGEON_NONE;
    dungeon->clear_edges = (uint16_t)(dungeon->clear_edges + bw_dungeon_count_sides(tile->edges));
    if (bw_dungeon_item_points[tile->loot] > 0) {
        bw_dungeon_take(dungeon, tile->loot, events);
        tile->loot = BW_DUNGEON_NONE;
    }
    if (monster == BW_DUNGEON_DRAGON) {
        dungeon->slayer = dungeon->current;
        dungeon->awaiting = BW_DUNGEON_NONE;
        dungeon->over = 1;
        return;
    }
    bw_dungeon_watch_torches(dungeon);
    if (tile->loot == BW_DUNGEON_NONE) bw_dungeon_end_turn(dungeon, events);
    else dungeon->awaiting = BW_DUNGEON_AWAITS_LOOT;
}

/* Moves the player back to where they came from. A fountain there heals before the stun. */
static void retreat(bw_dungeon *dungeon, bw_events *events) {
    bw_dungeon_player *player = &dungeon->players[dungeon->current];
    bw_dungeon_go(dungeon, dungeon->came_from, BW_DUNGEON_BY_RETREAT, events);
    if (player->hp == 0 && !bw_dungeon_is_fountain(dungeon->tiles[player->at].kind)) {
        player->stunned = 1;
        bw_dungeon_event *event = events ? bw_event(events, BW_DUNGEON_STUNNED) : 0;
        if (event) event->as.stunned.role = dungeon->current;
    }
    bw_dungeon_watch_torches(dungeon); /* those fireballs may have been the last way to beat a monster */
    bw_dungeon_end_turn(dungeon, events);
}

void bw_dungeon_settle_battle(bw_dungeon *dungeon, uint8_t fireballs, bw_events *events) {
    bw_dungeon_player *player = &dungeon->players[dungeon->current];
    uint8_t monster = dungeon->tiles[player->at].monster;
    int damage = damage_with(dungeon, fireballs), hp = bw_dungeon_monster_hp[monster];
    player->bag[BW_DUNGEON_FIREBALL] = (uint8_t)(player->bag[BW_DUNGEON_FIREBALL] - fireballs);
    if (damage > hp) {
        tell_result(dungeon, BW_DUNGEON_BATTLE_WON, monster, fireballs, damage, events);
        win(dungeon, events);
        return;
    }
    if (damage < hp) {
        player->hp--;
        player->hp_lost++;
    }
    tell_result(dungeon, damage == hp ? BW_DUNGEON_BATTLE_DRAWN : BW_DUNGEON_BATTLE_LOST, monster, fireballs, damage,
                events);
    retreat(dungeon, events);
}

void bw_dungeon_open_battle(bw_dungeon *dungeon, uint8_t came_from, bw_events *events) {
    const bw_dungeon_player *player = &dungeon->players[dungeon->current];
    uint8_t monster = dungeon->tiles[player->at].monster;
    dungeon->actions_left = 0;
    dungeon->came_from = came_from;
    dungeon->dice[0] = (uint8_t)(1 + bw_rng_below(&dungeon->rng, 6));
    dungeon->dice[1] = (uint8_t)(1 + bw_rng_below(&dungeon->rng, 6));
    int damage = damage_with(dungeon, 0), hp = bw_dungeon_monster_hp[monster];
    bw_dungeon_event *event = events ? bw_event(events, BW_DUNGEON_BATTLE_STARTED) : 0;
    if (event) {
        event->as.started = (bw_dungeon_started){.role = dungeon->current,
                                                 .monster = monster,
                                                 .hp = (uint8_t)hp,
                                                 .dice_count = 2,
                                                 .dice = {dungeon->dice[0], dungeon->dice[1]},
                                                 .damage = (uint8_t)damage};
    }
    if (damage > hp || player->bag[BW_DUNGEON_FIREBALL] == 0) {
        bw_dungeon_settle_battle(dungeon, 0, events);
    } else {
        dungeon->awaiting = BW_DUNGEON_AWAITS_BATTLE;
    }
}
