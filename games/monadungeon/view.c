/* The view: everything except the order of deck and tokens, and future dice. */
#include "engine/json.h"
#include "games/monadungeon/rules.h"

#include <string.h>

static void show_tile(const bw_dungeon_tile *tile, bw_dungeon_tile_view *shown) {
    bw_out key = bw_out_to(shown->key, sizeof shown->key - 1);
    bw_out_int(&key, tile->x);
    bw_out_bytes(&key, ",", 1);
    bw_out_int(&key, tile->y);
    bw_dungeon_show_sides(shown->openings, &shown->openings_count, tile->sides);
    shown->kind = tile->kind;
    shown->has_monster = tile->monster != BW_DUNGEON_NONE;
    if (shown->has_monster) {
        shown->monster = (bw_dungeon_foe){.name = tile->monster, .hp = bw_dungeon_monster_hp[tile->monster]};
        shown->has_guards = true;
        shown->guards = tile->loot;
    } else if (tile->loot != BW_DUNGEON_NONE) {
        shown->has_loot = true;
        shown->loot = tile->loot;
    }
}

/* Lists carried items from `first` on, each as often as it is carried. Returns how many. */
static uint16_t show_items(const bw_dungeon_player *player, uint8_t first, uint8_t end, uint8_t *shown) {
    uint16_t count = 0;
    for (uint8_t item = first; item < end; item++) {
        for (int i = 0; i < player->bag[item]; i++) shown[count++] = item;
    }
    return count;
}

static void show_player(const bw_dungeon *dungeon, int seat, bw_dungeon_info *shown) {
    const bw_dungeon_player *player = &dungeon->players[seat];
    const bw_dungeon_tile *tile = &dungeon->tiles[player->at];
    const char *name = bw_dungeon_role_names.names[seat];
    for (size_t i = 0; i + 1 < sizeof shown->key && name[i]; i++) shown->key[i] = name[i];
    shown->x = tile->x;
    shown->y = tile->y;
    shown->hp = player->hp;
    shown->weapons_count = show_items(player, BW_DUNGEON_DAGGER, BW_DUNGEON_FIREBALL, shown->weapons);
    shown->spells_count = show_items(player, BW_DUNGEON_FIREBALL, BW_DUNGEON_KEY, shown->spells);
    shown->keys = player->bag[BW_DUNGEON_KEY];
    shown->treasures_count = show_items(player, BW_DUNGEON_TREASURE, BW_DUNGEON_ITEM_COUNT, shown->treasures);
    shown->points = player->points;
    shown->stunned = player->stunned;
    shown->resigned = !(dungeon->active >> seat & 1);
}

static void show_waiting(const bw_dungeon *dungeon, bw_dungeon_waiting *shown) {
    const bw_dungeon_tile_type *type = &bw_dungeon_tile_types[dungeon->waiting];
    bw_dungeon_show_sides(shown->openings, &shown->openings_count, type->sides);
    shown->rotations_count = (uint16_t)bw_dungeon_rotations(type->sides, dungeon->waiting_side, shown->rotations);
    shown->cell = (bw_dungeon_cell){.x = dungeon->waiting_x, .y = dungeon->waiting_y};
    shown->kind = type->kind;
}

static void show_battle(const bw_dungeon *dungeon, bw_dungeon_fight *shown) {
    const bw_dungeon_player *player = &dungeon->players[dungeon->current];
    shown->monster = dungeon->tiles[player->at].monster;
    shown->hp = bw_dungeon_monster_hp[shown->monster];
    shown->dice_count = 2;
    memcpy(shown->dice, dungeon->dice, 2);
    shown->damage = (uint8_t)(dungeon->dice[0] + dungeon->dice[1] + bw_dungeon_weapon_damage(player));
    shown->needed = (uint8_t)(shown->hp + 1 - shown->damage);
    shown->from = bw_dungeon_cell_of(&dungeon->tiles[dungeon->came_from]);
}

void bw_dungeon_view_of(const bw_dungeon *dungeon, bw_dungeon_view *view) {
    memset(view, 0, sizeof *view);
    view->tiles_count = dungeon->tile_count;
    for (int i = 0; i < dungeon->tile_count; i++) show_tile(&dungeon->tiles[i], &view->tiles[i]);
    for (int seat = 0; seat < BW_DUNGEON_PLAYERS; seat++) {
        if (dungeon->seats >> seat & 1) {
            show_player(dungeon, seat, &view->players_info[view->players_info_count++]);
        }
    }
    view->turn_number = dungeon->turn_number;
    view->actions_left = dungeon->actions_left;
    view->deck_left = dungeon->deck_left;
    view->rooms_left = dungeon->rooms_left;
    if (dungeon->lit_by != BW_DUNGEON_NONE) {
        view->has_torches = view->has_lit_by = true;
        view->torches = (uint8_t)dungeon->torches;
        view->lit_by = dungeon->lit_by;
    }
    if (dungeon->awaiting != BW_DUNGEON_NONE) {
        view->has_awaiting = true;
        view->awaiting = dungeon->awaiting;
    }
    if (dungeon->awaiting == BW_DUNGEON_AWAITS_PLACE) {
        view->has_waiting_tile = true;
        show_waiting(dungeon, &view->waiting_tile);
    }
    if (dungeon->awaiting == BW_DUNGEON_AWAITS_BATTLE) {
        view->has_battle = true;
        show_battle(dungeon, &view->battle);
    }
    if (dungeon->dragon != BW_DUNGEON_NONE) {
        view->has_dragon = true;
        view->dragon = bw_dungeon_cell_of(&dungeon->tiles[dungeon->dragon]);
    }
    if (!dungeon->over) {
        view->has_to_move = true;
        view->to_move = dungeon->current;
    }
}
