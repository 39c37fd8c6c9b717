/* What is legal: exactly what apply.c accepts. */
#include "games/monadungeon/rules.h"

#include <string.h>

typedef struct listing {
    bw_dungeon_action *actions;
    uint32_t cap, count;
    bw_dungeon_action unread; /* where an action goes that the list has no room for */
} listing;

/* The next action of the list, zeroed but for its type. */
static bw_dungeon_action *add(listing *list, uint8_t type) {
    bw_dungeon_action *action = list->count < list->cap ? &list->actions[list->count] : &list->unread;
    list->count++;
    memset(action, 0, sizeof *action);
    action->type = type;
    return action;
}

static void add_to(listing *list, uint8_t type, int x, int y) {
    bw_dungeon_cell *to = &add(list, type)->as.move.to;
    to->x = x;
    to->y = y;
}

static void list_pick_up(listing *list, const bw_dungeon_player *player, uint8_t loot) {
    if (loot == BW_DUNGEON_NONE || loot == BW_DUNGEON_CHEST) {
        return;
    }
    if (!bw_dungeon_bag_full(player, loot)) {
        add(list, BW_DUNGEON_PICK_UP);
        return;
    }
    uint8_t first, end, limit;
    bw_dungeon_category(loot, &first, &end, &limit);
    for (uint8_t item = first; item < end; item++) {
        if (player->bag[item] > 0) {
            bw_dungeon_pick_up *pick_up = &add(list, BW_DUNGEON_PICK_UP)->as.pick_up;
            pick_up->has_drop = true;
            pick_up->drop = item;
        }
    }
}

static void list_ways(listing *list, const bw_dungeon *dungeon, uint8_t at) {
    const bw_dungeon_tile *tile = &dungeon->tiles[at];
    uint8_t gate = bw_dungeon_other_gate(dungeon, at);
    for (int side = 0; side < BW_DUNGEON_SIDES; side++) {
        if (tile->next[side] != BW_DUNGEON_NONE) {
            gate = tile->next[side] == gate ? BW_DUNGEON_NONE : gate;
            add_to(list, BW_DUNGEON_MOVE, tile->x + bw_dungeon_dx[side], tile->y + bw_dungeon_dy[side]);
        } else if (dungeon->deck_left > 0 && tile->edges >> side & 1) {
            add_to(list, BW_DUNGEON_EXPLORE, tile->x + bw_dungeon_dx[side], tile->y + bw_dungeon_dy[side]);
        }
    }
    if (gate != BW_DUNGEON_NONE) {
        add_to(list, BW_DUNGEON_MOVE, dungeon->tiles[gate].x, dungeon->tiles[gate].y);
    }
}

static void list_spells(listing *list, const bw_dungeon *dungeon, const bw_dungeon_player *player) {
    for (int i = 0; i < dungeon->fountain_count && player->bag[BW_DUNGEON_TELEPORT] > 0; i++) {
        const bw_dungeon_tile *fountain = &dungeon->tiles[dungeon->fountains[i]];
        bw_dungeon_cast *cast = &add(list, BW_DUNGEON_CAST)->as.cast;
        cast->spell = BW_DUNGEON_CAST_TELEPORT;
        cast->has_to = true;
        cast->to.x = fountain->x;
        cast->to.y = fountain->y;
    }
    if (player->bag[BW_DUNGEON_PORTAL_OF_HEALING] > 0) {
        add(list, BW_DUNGEON_CAST)->as.cast.spell = BW_DUNGEON_CAST_PORTAL;
    }
}

static void list_placings(listing *list, const bw_dungeon *dungeon) {
    uint8_t rotations[4];
    int count =
        bw_dungeon_rotations(bw_dungeon_tile_types[dungeon->waiting].sides, dungeon->waiting_side, rotations);
    for (int i = 0; i < count; i++) {
        add(list, BW_DUNGEON_PLACE)->as.place.rotation = rotations[i];
    }
}

static void list_turn(listing *list, const bw_dungeon *dungeon, const bw_dungeon_player *player) {
    const bw_dungeon_tile *tile = &dungeon->tiles[player->at];
    if (dungeon->actions_left > 0) {
        list_ways(list, dungeon, player->at);
        list_spells(list, dungeon, player);
        if (bw_dungeon_is_fountain(tile->kind)) {
            add(list, BW_DUNGEON_REST);
        }
    }
    list_pick_up(list, player, tile->loot);
    if (tile->loot == BW_DUNGEON_CHEST && player->bag[BW_DUNGEON_KEY] > 0) {
        add(list, BW_DUNGEON_OPEN_CHEST);
    }
    add(list, BW_DUNGEON_END_TURN);
}

uint32_t bw_dungeon_legal(const bw_dungeon *dungeon, int seat, bw_dungeon_action *actions, uint32_t cap) {
    listing list = {.actions = actions, .cap = cap};
    if (dungeon->over || seat != dungeon->current) {
        return 0;
    }
    const bw_dungeon_player *player = &dungeon->players[seat];
    switch (dungeon->awaiting) {
    case BW_DUNGEON_AWAITS_PLACE:
        list_placings(&list, dungeon);
        break;
    case BW_DUNGEON_AWAITS_BATTLE:
        for (uint16_t n = 0; n <= player->bag[BW_DUNGEON_FIREBALL]; n++) {
            add(&list, BW_DUNGEON_BATTLE)->as.battle.fireballs = n;
        }
        break;
    case BW_DUNGEON_AWAITS_LOOT:
        list_pick_up(&list, player, dungeon->tiles[player->at].loot);
        add(&list, BW_DUNGEON_LEAVE_LOOT);
        add(&list, BW_DUNGEON_END_TURN);
        break;
    default:
        list_turn(&list, dungeon, player);
    }
    return list.count;
}

bool bw_dungeon_sample(const bw_dungeon *dungeon, int seat, bw_fast *fast, bw_dungeon_action *action) {
    bw_dungeon_action actions[BW_DUNGEON_LEGAL_MAX];
    uint32_t count = bw_dungeon_legal(dungeon, seat, actions, BW_DUNGEON_LEGAL_MAX);
    if (count == 0) {
        return false;
    }
    *action = actions[bw_fast_below(fast, count)];
    return true;
}
