/* Turns: ending them, stuns, torches, players who leave. */
#include "games/monadungeon/rules.h"

uint8_t bw_dungeon_next_seat(uint8_t active, uint8_t seat) {
    for (unsigned step = 1; step < BW_DUNGEON_PLAYERS; step++) {
        unsigned next = (seat + step) % BW_DUNGEON_PLAYERS;
        if (active >> next & 1) return (uint8_t)next;
    }
    return seat;
}

static uint8_t previous_seat(uint8_t active, uint8_t seat) {
    for (unsigned step = 1; step < BW_DUNGEON_PLAYERS; step++) {
        unsigned previous = (seat + BW_DUNGEON_PLAYERS - step) % BW_DUNGEON_PLAYERS;
        if (active >> previous & 1) return (uint8_t)previous;
    }
    return seat;
}

static void heal(bw_dungeon *dungeon, bw_events *events) {
    bw_dungeon_player *player = &dungeon->players[dungeon->current];
    bool needed = player->hp < dungeon->max_hp || player->cursed;
    player->hp = dungeon->max_hp;
    player->cursed = 0;
    bw_dungeon_event *event = needed && events ? bw_event(events, BW_DUNGEON_HEALED) : 0;
    if (event) event->as.healed = (bw_dungeon_health){.role = dungeon->current, .hp = player->hp};
}

static void tell_end(const bw_dungeon *dungeon, bw_events *events) {
    bw_dungeon_event *event = events ? bw_event(events, BW_DUNGEON_TURN_ENDED) : 0;
    if (event) event->as.turn_ended.role = dungeon->current;
}

/* Starts the next seat's turn, unless the torches have burnt down. */
static void pass_on(bw_dungeon *dungeon) {
    if (dungeon->torches == 0 && dungeon->lit_by == dungeon->current) {
        dungeon->over = 1;
        return;
    }
    dungeon->current = bw_dungeon_next_seat(dungeon->active, dungeon->current);
    dungeon->turn_number++;
    dungeon->actions_left = dungeon->actions;
    if (dungeon->lit_by == dungeon->current) dungeon->torches--;
}

/* A stunned player skips a turn and recovers. */
static void skip_stunned(bw_dungeon *dungeon, bw_events *events) {
    while (!dungeon->over && dungeon->players[dungeon->current].stunned) {
        bw_dungeon_player *player = &dungeon->players[dungeon->current];
        player->stunned = 0;
        player->hp = 1;
        bw_dungeon_event *event = events ? bw_event(events, BW_DUNGEON_RECOVERED) : 0;
        if (event) event->as.recovered = (bw_dungeon_health){.role = dungeon->current, .hp = 1};
        tell_end(dungeon, events);
        pass_on(dungeon);
    }
}

void bw_dungeon_end_turn(bw_dungeon *dungeon, bw_events *events) {
    const bw_dungeon_tile *tile = &dungeon->tiles[dungeon->players[dungeon->current].at];
    dungeon->awaiting = BW_DUNGEON_NONE;
    if (bw_dungeon_is_fountain(tile->kind)) heal(dungeon, events);
    tell_end(dungeon, events);
    pass_on(dungeon);
    skip_stunned(dungeon, events);
}

void bw_dungeon_after_move(bw_dungeon *dungeon, bw_events *events) {
    const bw_dungeon_player *player = &dungeon->players[dungeon->current];
    if (dungeon->actions_left == 0 && !bw_dungeon_can_take(player, dungeon->tiles[player->at].loot)) {
        bw_dungeon_end_turn(dungeon, events);
    }
}

/* An upper bound of anybody's damage: the best dice, and the best weapons and fireballs of all that are carried, lie
 * around or are guarded. Monsters that guard a weapon or a fireball can be beaten by dice alone. */
static int best_damage(const bw_dungeon *dungeon) {
    int found[BW_DUNGEON_ITEM_COUNT] = {0};
    for (int seat = 0; seat < BW_DUNGEON_PLAYERS; seat++) {
        for (int item = 0; item < BW_DUNGEON_ITEM_COUNT && dungeon->active >> seat & 1; item++) {
            found[item] += dungeon->players[seat].bag[item];
        }
    }
    for (int i = 0; i < dungeon->tile_count; i++) {
        if (dungeon->tiles[i].loot != BW_DUNGEON_NONE) found[dungeon->tiles[i].loot]++;
    }
    int damage = 12, weapons = BW_DUNGEON_WEAPONS_MAX;
    for (int item = BW_DUNGEON_AXE; item >= BW_DUNGEON_DAGGER; item--) {
        for (; found[item] > 0 && weapons > 0; found[item]--, weapons--) {
            damage += bw_dungeon_item_damage[item];
        }
    }
    int fireballs = found[BW_DUNGEON_FIREBALL];
    return damage + (fireballs < BW_DUNGEON_SPELLS_MAX ? fireballs : BW_DUNGEON_SPELLS_MAX);
}

/* Is there an open side onto an empty cell? Tiles from which nobody will ever explore do not count, or the game
 * would never end: the dragon's tile, because its defeat ends the game, and the tiles of monsters stronger than
 * best_damage. A waiting tile counts as in the deck: if its player leaves, it goes back there. */
static bool can_explore(const bw_dungeon *dungeon) {
    if (dungeon->deck_left == 0 && dungeon->awaiting != BW_DUNGEON_AWAITS_PLACE) return false;
    if (dungeon->clear_edges > 0) return true;
    int damage = best_damage(dungeon);
    for (int i = 0; i < dungeon->tile_count; i++) {
        const bw_dungeon_tile *tile = &dungeon->tiles[i];
        if (tile->edges && tile->monster != BW_DUNGEON_DRAGON && damage > bw_dungeon_monster_hp[tile->monster]) {
            return true;
        }
    }
    return false;
}

void bw_dungeon_watch_torches(bw_dungeon *dungeon) {
    if (dungeon->torch_turns > 0 && dungeon->lit_by == BW_DUNGEON_NONE && !can_explore(dungeon)) {
        dungeon->torches = dungeon->torch_turns;
        dungeon->lit_by = dungeon->current;
    }
}

/* A tile that nobody will place goes back to a random place in the deck. */
static void put_back(bw_dungeon *dungeon) {
    uint32_t place = bw_rng_below(&dungeon->rng, (uint32_t)dungeon->deck_left + 1);
    dungeon->deck[dungeon->deck_left++] = dungeon->deck[place];
    dungeon->deck[place] = dungeon->waiting;
    dungeon->rooms_left =
        (uint8_t)(dungeon->rooms_left + (bw_dungeon_tile_types[dungeon->waiting].kind == BW_DUNGEON_ROOM));
}

/* A player who leaves gives up a tile that waits to be placed, and an open battle. */
static void let_go(bw_dungeon *dungeon, bw_events *events) {
    if (dungeon->awaiting == BW_DUNGEON_AWAITS_PLACE) {
        put_back(dungeon);
    } else if (dungeon->awaiting == BW_DUNGEON_AWAITS_BATTLE) {
        bw_dungeon_go(dungeon, dungeon->came_from, BW_DUNGEON_BY_RETREAT, events);
    }
}

static void hand_on_torches(bw_dungeon *dungeon, uint8_t seat) {
    if (dungeon->lit_by != seat) return;
    dungeon->lit_by = previous_seat(dungeon->active, seat);
    /* This player's turn has already begun, so it counts. */
    if (dungeon->lit_by == dungeon->current && dungeon->torches > 0) dungeon->torches--;
}

int bw_dungeon_resign(bw_dungeon *dungeon, int seat, bw_events *events) {
    if (dungeon->over) return BW_DUNGEON_REFUSES_OVER;
    if (seat < 0 || seat >= BW_DUNGEON_PLAYERS || !(dungeon->active >> seat & 1)) {
        return BW_DUNGEON_REFUSES_NOT_PLAYING;
    }
    bool current = dungeon->current == seat;
    if (current) let_go(dungeon, events);
    dungeon->active = (uint8_t)(dungeon->active & ~(1u << seat));
    dungeon->players[seat].stunned = 0;
    if (dungeon->active == 0) {
        dungeon->over = 1;
        dungeon->awaiting = BW_DUNGEON_NONE;
        return 0;
    }
    if (current) {
        dungeon->awaiting = BW_DUNGEON_NONE;
        tell_end(dungeon, events);
        pass_on(dungeon);
    }
    if (dungeon->over) return 0;
    hand_on_torches(dungeon, (uint8_t)seat);
    bw_dungeon_watch_torches(dungeon);
    skip_stunned(dungeon, events);
    return 0;
}

int bw_dungeon_claim(bw_dungeon *dungeon, int seat, bw_events *events) {
    if (dungeon->over) return BW_DUNGEON_REFUSES_OVER;
    if (!(dungeon->active >> seat & 1)) return BW_DUNGEON_REFUSES_NOT_PLAYING;
    if (dungeon->active == 1u << seat) return BW_DUNGEON_REFUSES_NOBODY_LEFT;
    for (int other = 0; other < BW_DUNGEON_PLAYERS; other++) {
        if (other != seat && dungeon->active >> other & 1) bw_dungeon_resign(dungeon, other, events);
    }
    let_go(dungeon, events); /* an open battle is not settled */
    dungeon->awaiting = BW_DUNGEON_NONE;
    dungeon->over = 2;
    bw_dungeon_event *event = bw_event(events, BW_DUNGEON_CLAIMED);
    if (event) event->as.claimed.role = (uint8_t)seat;
    return 0;
}
