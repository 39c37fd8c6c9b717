/* What is legal: exactly what apply.c accepts. Choices are listed as bytes and expanded to actions one by one,
 * because a random game needs only one of them. */
#include "games/monadungeon/rules.h"

#include <string.h>

/* A legal action in a byte: its type, and a number below 16 whose meaning depends on the type; see write_out. */
typedef uint8_t choice;
static choice choose(unsigned type, unsigned which) { return (choice)(type << 4 | which); }
enum { NO_WHICH = 15 };

/* Every list_... appends its choices and returns how many; there is room for all of them. */

static uint32_t list_pick_up(choice *choices, const bw_dungeon_player *player, uint8_t loot) {
    uint32_t count = 0;
    if (loot == BW_DUNGEON_NONE || loot == BW_DUNGEON_CHEST) return 0;
    if (!bw_dungeon_bag_full(player, loot)) {
        choices[0] = choose(BW_DUNGEON_PICK_UP, NO_WHICH);
        return 1;
    }
    for (uint8_t item = bw_dungeon_categories[loot].first; item < bw_dungeon_categories[loot].end; item++) {
        if (player->bag[item] > 0) choices[count++] = choose(BW_DUNGEON_PICK_UP, item);
    }
    return count;
}

/* Branch-free, because the open sides are unpredictable: every choice is written, and the count moves on only if it
 * is legal. */
static uint32_t list_ways(choice *choices, const bw_dungeon *dungeon, uint8_t at) {
    const bw_dungeon_tile *tile = &dungeon->tiles[at];
    uint8_t gate = bw_dungeon_other_gate(dungeon, at);
    bool far_gate = gate != BW_DUNGEON_NONE;
    unsigned edges = dungeon->deck_left > 0 ? tile->edges : 0;
    uint32_t count = 0;
    for (unsigned side = 0; side < BW_DUNGEON_SIDES; side++) {
        bool passage = tile->next[side] != BW_DUNGEON_NONE;
        choices[count] = choose(passage ? BW_DUNGEON_MOVE : BW_DUNGEON_EXPLORE, side);
        count += passage | (edges >> side & 1);
        far_gate &= tile->next[side] != gate;
    }
    choices[count] = choose(BW_DUNGEON_MOVE, BW_DUNGEON_SIDES);
    return count + far_gate;
}

static uint32_t list_spells(choice *choices, const bw_dungeon *dungeon, const bw_dungeon_player *player) {
    uint32_t count = 0;
    for (unsigned i = 0; i < dungeon->fountain_count && player->bag[BW_DUNGEON_TELEPORT] > 0; i++) {
        choices[count++] = choose(BW_DUNGEON_CAST, i);
    }
    if (player->bag[BW_DUNGEON_PORTAL_OF_HEALING] > 0) {
        choices[count++] = choose(BW_DUNGEON_CAST, NO_WHICH);
    }
    return count;
}

static uint32_t list_placings(choice *choices, const bw_dungeon *dungeon) {
    uint8_t rotations[4];
    uint32_t count =
        (uint32_t)bw_dungeon_rotations(bw_dungeon_tile_types[dungeon->waiting].sides, dungeon->waiting_side, rotations);
    for (uint32_t i = 0; i < count; i++) choices[i] = choose(BW_DUNGEON_PLACE, rotations[i]);
    return count;
}

static uint32_t list_turn(choice *choices, const bw_dungeon *dungeon, const bw_dungeon_player *player) {
    const bw_dungeon_tile *tile = &dungeon->tiles[player->at];
    uint32_t count = 0;
    if (dungeon->actions_left > 0) {
        count += list_ways(choices, dungeon, player->at);
        count += list_spells(choices + count, dungeon, player);
        if (bw_dungeon_is_fountain(tile->kind)) choices[count++] = choose(BW_DUNGEON_REST, 0);
    }
    count += list_pick_up(choices + count, player, tile->loot);
    if (tile->loot == BW_DUNGEON_CHEST && player->bag[BW_DUNGEON_KEY] > 0) {
        choices[count++] = choose(BW_DUNGEON_OPEN_CHEST, 0);
    }
    choices[count++] = choose(BW_DUNGEON_END_TURN, 0);
    return count;
}

static uint32_t list(choice *choices, const bw_dungeon *dungeon, int seat) {
    if (dungeon->over || seat != dungeon->current) return 0;
    const bw_dungeon_player *player = &dungeon->players[seat];
    uint32_t count = 0;
    switch (dungeon->awaiting) {
    case BW_DUNGEON_AWAITS_PLACE: return list_placings(choices, dungeon);
    case BW_DUNGEON_AWAITS_BATTLE:
        for (; count <= player->bag[BW_DUNGEON_FIREBALL]; count++) {
            choices[count] = choose(BW_DUNGEON_BATTLE, count);
        }
        return count;
    case BW_DUNGEON_AWAITS_LOOT:
        count += list_pick_up(choices, player, dungeon->tiles[player->at].loot);
        choices[count++] = choose(BW_DUNGEON_LEAVE_LOOT, 0);
        choices[count++] = choose(BW_DUNGEON_END_TURN, 0);
        return count;
    default: return list_turn(choices, dungeon, player);
    }
}

static void write_out(bw_dungeon_action *action, const bw_dungeon *dungeon, choice chosen) {
    uint8_t at = dungeon->players[dungeon->current].at, which = chosen & 15;
    const bw_dungeon_tile *tile = &dungeon->tiles[at];
    memset(action, 0, sizeof *action);
    action->type = chosen >> 4;
    switch (action->type) {
    case BW_DUNGEON_EXPLORE:
    case BW_DUNGEON_MOVE: /* a side; after the last one, the other gate */
        if (which == BW_DUNGEON_SIDES) {
            action->as.move.to = bw_dungeon_cell_of(&dungeon->tiles[bw_dungeon_other_gate(dungeon, at)]);
        } else {
            action->as.move.to.x = tile->x + bw_dungeon_dx[which];
            action->as.move.to.y = tile->y + bw_dungeon_dy[which];
        }
        break;
    case BW_DUNGEON_PLACE: action->as.place.rotation = which; break;
    case BW_DUNGEON_BATTLE: action->as.battle.fireballs = which; break;
    case BW_DUNGEON_PICK_UP: /* an item to drop, or none */
        if (which != NO_WHICH) {
            action->as.pick_up.has_drop = true;
            action->as.pick_up.drop = which;
        }
        break;
    case BW_DUNGEON_CAST: /* the number of a fountain; none: the portal */
        action->as.cast.spell = BW_DUNGEON_CAST_PORTAL;
        if (which != NO_WHICH) {
            action->as.cast.spell = BW_DUNGEON_CAST_TELEPORT;
            action->as.cast.has_to = true;
            action->as.cast.to = bw_dungeon_cell_of(&dungeon->tiles[dungeon->fountains[which]]);
        }
        break;
    default: break;
    }
}

uint32_t bw_dungeon_legal(const bw_dungeon *dungeon, int seat, bw_dungeon_action *actions, uint32_t cap) {
    choice choices[BW_DUNGEON_LEGAL_MAX];
    uint32_t count = list(choices, dungeon, seat);
    for (uint32_t i = 0; i < count && i < cap; i++) write_out(&actions[i], dungeon, choices[i]);
    return count;
}

bool bw_dungeon_sample(const bw_dungeon *dungeon, int seat, bw_fast *fast, bw_dungeon_action *action) {
    choice choices[BW_DUNGEON_LEGAL_MAX];
    uint32_t count = list(choices, dungeon, seat);
    if (count > 0) write_out(action, dungeon, choices[bw_fast_below(fast, count)]);
    return count > 0;
}
