/* Dispatches an action to its function. */
#include "games/monadungeon/rules.h"

/* The current player steps onto a tile: this takes one move, and starts a battle if a monster lives there, or may
 * end the game. */
static void enter(bw_dungeon *dungeon, uint8_t to, uint8_t by, bw_events *events) {
    uint8_t from = dungeon->players[dungeon->current].at;
    dungeon->actions_left--;
    bw_dungeon_go(dungeon, to, by, events);
    if (dungeon->tiles[to].monster != BW_DUNGEON_NONE) {
        bw_dungeon_open_battle(dungeon, from, events);
    } else {
        bw_dungeon_after_move(dungeon, events);
    }
}

static int move(bw_dungeon *dungeon, const bw_dungeon_cell *cell, bw_events *events) {
    uint8_t at = dungeon->players[dungeon->current].at, gate = bw_dungeon_other_gate(dungeon, at);
    const bw_dungeon_tile *tile = &dungeon->tiles[at];
    int side = bw_dungeon_side_to(tile, cell->x, cell->y);
    if (side >= 0 && tile->next[side] != BW_DUNGEON_NONE) {
        enter(dungeon, tile->next[side], BW_DUNGEON_BY_STEP, events);
        return 0;
    }
    if (gate != BW_DUNGEON_NONE && dungeon->tiles[gate].x == cell->x && dungeon->tiles[gate].y == cell->y) {
        enter(dungeon, gate, BW_DUNGEON_BY_GATE, events);
        return 0;
    }
    if (bw_dungeon_tile_at(dungeon, cell->x, cell->y) == BW_DUNGEON_NONE) {
        return BW_DUNGEON_REFUSES_UNDISCOVERED;
    }
    return side < 0 ? BW_DUNGEON_REFUSES_FAR : BW_DUNGEON_REFUSES_WALL;
}

static int explore(bw_dungeon *dungeon, const bw_dungeon_cell *cell, bw_events *events) {
    const bw_dungeon_tile *tile = &dungeon->tiles[dungeon->players[dungeon->current].at];
    int side = bw_dungeon_side_to(tile, cell->x, cell->y);
    if (side < 0 || !(tile->edges >> side & 1)) {
        return bw_dungeon_tile_at(dungeon, cell->x, cell->y) != BW_DUNGEON_NONE ? BW_DUNGEON_REFUSES_DISCOVERED
               : side < 0                                                       ? BW_DUNGEON_REFUSES_FAR
                                                                                : BW_DUNGEON_REFUSES_OWN_WALL;
    }
    if (dungeon->deck_left == 0) return BW_DUNGEON_REFUSES_DECK_EMPTY;
    dungeon->waiting = dungeon->deck[--dungeon->deck_left];
    dungeon->waiting_x = (int8_t)cell->x;
    dungeon->waiting_y = (int8_t)cell->y;
    dungeon->waiting_side = (uint8_t)side;
    dungeon->awaiting = BW_DUNGEON_AWAITS_PLACE;
    const bw_dungeon_tile_type *type = &bw_dungeon_tile_types[dungeon->waiting];
    dungeon->rooms_left = (uint8_t)(dungeon->rooms_left - (type->kind == BW_DUNGEON_ROOM));
    bw_dungeon_event *event = events ? bw_event(events, BW_DUNGEON_TILE_DRAWN) : 0;
    if (event) {
        event->as.drawn.role = dungeon->current;
        event->as.drawn.cell = *cell;
        event->as.drawn.kind = type->kind;
        bw_dungeon_show_sides(event->as.drawn.openings, &event->as.drawn.openings_count, type->sides);
        event->as.drawn.rotations_count = (uint16_t)bw_dungeon_rotations(type->sides, side, event->as.drawn.rotations);
    }
    return 0;
}

static void tell_placed(const bw_dungeon *dungeon, uint8_t at, uint8_t rotation, bw_events *events) {
    const bw_dungeon_tile *tile = &dungeon->tiles[at];
    bw_dungeon_event *event = events ? bw_event(events, BW_DUNGEON_TILE_PLACED) : 0;
    if (event) {
        bw_dungeon_placed *placed = &event->as.placed;
        placed->role = dungeon->current;
        placed->cell = bw_dungeon_cell_of(tile);
        placed->rotation = rotation;
        placed->kind = tile->kind;
        bw_dungeon_show_sides(placed->openings, &placed->openings_count, tile->sides);
        placed->has_monster = tile->monster != BW_DUNGEON_NONE;
        placed->monster = placed->has_monster ? tile->monster : 0;
        placed->has_loot = tile->loot != BW_DUNGEON_NONE && !placed->has_monster;
        placed->loot = placed->has_loot ? tile->loot : 0;
        placed->has_guards = placed->has_monster;
        placed->guards = placed->has_guards ? tile->loot : 0;
    }
}

static int place(bw_dungeon *dungeon, uint8_t rotation, bw_events *events) {
    if (dungeon->awaiting != BW_DUNGEON_AWAITS_PLACE) return BW_DUNGEON_REFUSES_NO_TILE;
    const bw_dungeon_tile_type *type = &bw_dungeon_tile_types[dungeon->waiting];
    uint8_t sides = bw_dungeon_turned(type->sides, rotation & 3);
    if (rotation > 3 || !(sides >> (dungeon->waiting_side ^ 2) & 1)) {
        return BW_DUNGEON_REFUSES_ROTATION;
    }
    uint8_t monster = BW_DUNGEON_NONE, loot = BW_DUNGEON_NONE;
    if (type->kind == BW_DUNGEON_ROOM && dungeon->tokens_left > 0) {
        const bw_dungeon_token_type *token = &bw_dungeon_token_types[dungeon->tokens[--dungeon->tokens_left]];
        monster = token->monster;
        loot = token->loot;
    }
    uint8_t at = bw_dungeon_lay(dungeon, dungeon->waiting_x, dungeon->waiting_y, sides, type->kind, monster, loot);
    dungeon->awaiting = BW_DUNGEON_NONE;
    tell_placed(dungeon, at, rotation, events);
    bw_dungeon_watch_torches(dungeon);
    enter(dungeon, at, BW_DUNGEON_BY_STEP, events);
    return 0;
}

static int battle(bw_dungeon *dungeon, uint16_t fireballs, bw_events *events) {
    if (dungeon->awaiting != BW_DUNGEON_AWAITS_BATTLE) return BW_DUNGEON_REFUSES_NO_BATTLE;
    if (fireballs > dungeon->players[dungeon->current].bag[BW_DUNGEON_FIREBALL]) {
        return BW_DUNGEON_REFUSES_FIREBALLS;
    }
    dungeon->awaiting = BW_DUNGEON_NONE;
    bw_dungeon_settle_battle(dungeon, (uint8_t)fireballs, events);
    return 0;
}

/* What the position requires first: 0, or the refusal of every other action. */
static int must_first(const bw_dungeon *dungeon, uint8_t type) {
    switch (dungeon->awaiting) {
    case BW_DUNGEON_AWAITS_PLACE: return type == BW_DUNGEON_PLACE ? 0 : BW_DUNGEON_REFUSES_PLACE_FIRST;
    case BW_DUNGEON_AWAITS_BATTLE: return type == BW_DUNGEON_BATTLE ? 0 : BW_DUNGEON_REFUSES_BATTLE_FIRST;
    case BW_DUNGEON_AWAITS_LOOT:
        return type == BW_DUNGEON_PICK_UP || type == BW_DUNGEON_LEAVE_LOOT || type == BW_DUNGEON_END_TURN
                   ? 0
                   : BW_DUNGEON_REFUSES_LOOT_FIRST;
    default:
        if (dungeon->actions_left > 0) return 0;
        return type == BW_DUNGEON_MOVE || type == BW_DUNGEON_EXPLORE || type == BW_DUNGEON_CAST ||
                       type == BW_DUNGEON_REST
                   ? BW_DUNGEON_REFUSES_NO_MOVES
                   : 0;
    }
}

int bw_dungeon_apply(bw_dungeon *dungeon, int seat, const bw_dungeon_action *action, bw_events *events) {
    if (dungeon->over) return BW_DUNGEON_REFUSES_OVER;
    if (seat == BW_CLOCK && action->type == BW_DUNGEON_CLAIM) {
        return bw_dungeon_claim(dungeon, action->as.claimed.role, events);
    }
    if (seat != dungeon->current) return BW_DUNGEON_REFUSES_NOT_YOUR_TURN;
    int first = must_first(dungeon, action->type);
    if (first) return first;
    switch (action->type) {
    case BW_DUNGEON_EXPLORE: return explore(dungeon, &action->as.explore.to, events);
    case BW_DUNGEON_PLACE: return place(dungeon, action->as.place.rotation, events);
    case BW_DUNGEON_MOVE: return move(dungeon, &action->as.move.to, events);
    case BW_DUNGEON_BATTLE: return battle(dungeon, action->as.battle.fireballs, events);
    case BW_DUNGEON_PICK_UP: return bw_dungeon_pick_up_loot(dungeon, &action->as.pick_up, events);
    case BW_DUNGEON_OPEN_CHEST: return bw_dungeon_open_the_chest(dungeon, events);
    case BW_DUNGEON_CAST: return bw_dungeon_cast_spell(dungeon, &action->as.cast, events);
    case BW_DUNGEON_LEAVE_LOOT:
        if (dungeon->awaiting != BW_DUNGEON_AWAITS_LOOT) return BW_DUNGEON_REFUSES_NO_LEAVE;
        break;
    case BW_DUNGEON_REST:
        if (!bw_dungeon_is_fountain(dungeon->tiles[dungeon->players[seat].at].kind)) {
            return BW_DUNGEON_REFUSES_REST_FOUNTAIN;
        }
        break;
    case BW_DUNGEON_END_TURN: break;
    default: return BW_DUNGEON_REFUSES_UNKNOWN;
    }
    bw_dungeon_end_turn(dungeon, events);
    return 0;
}
