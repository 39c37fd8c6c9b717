/* Picking up, dropping, chests, spells. */
#include "games/monadungeon/rules.h"

#define WEAPON \
    { BW_DUNGEON_DAGGER, BW_DUNGEON_AXE + 1, BW_DUNGEON_WEAPONS_MAX }
#define SPELL \
    { BW_DUNGEON_FIREBALL, BW_DUNGEON_PORTAL_OF_HEALING + 1, BW_DUNGEON_SPELLS_MAX }
#define UNLIMITED(item) \
    { item, item + 1, BW_DUNGEON_NONE }
const bw_dungeon_category bw_dungeon_categories[BW_DUNGEON_ITEM_COUNT] = {
    [BW_DUNGEON_DAGGER] = WEAPON,
    [BW_DUNGEON_SWORD] = WEAPON,
    [BW_DUNGEON_AXE] = WEAPON,
    [BW_DUNGEON_FIREBALL] = SPELL,
    [BW_DUNGEON_TELEPORT] = SPELL,
    [BW_DUNGEON_PORTAL_OF_HEALING] = SPELL,
    [BW_DUNGEON_KEY] = {BW_DUNGEON_KEY, BW_DUNGEON_KEY + 1, BW_DUNGEON_KEYS_MAX},
    [BW_DUNGEON_CHEST] = UNLIMITED(BW_DUNGEON_CHEST),
    [BW_DUNGEON_TREASURE] = UNLIMITED(BW_DUNGEON_TREASURE),
    [BW_DUNGEON_FALLENS_TREASURE] = UNLIMITED(BW_DUNGEON_FALLENS_TREASURE),
    [BW_DUNGEON_RUBY_CHEST] = UNLIMITED(BW_DUNGEON_RUBY_CHEST),
};

bool bw_dungeon_can_take(const bw_dungeon_player *player, uint8_t loot) {
    return loot == BW_DUNGEON_CHEST ? player->bag[BW_DUNGEON_KEY] > 0 : loot != BW_DUNGEON_NONE;
}

static void tell_item(const bw_dungeon *dungeon, uint8_t type, uint8_t item, bw_events *events) {
    bw_dungeon_event *event = events ? bw_event(events, type) : 0;
    if (event) event->as.picked_up = (bw_dungeon_got){.role = dungeon->current, .item = item};
}

void bw_dungeon_take(bw_dungeon *dungeon, uint8_t item, bw_events *events) {
    bw_dungeon_player *player = &dungeon->players[dungeon->current];
    player->bag[item]++;
    player->points = (uint8_t)(player->points + bw_dungeon_item_points[item]);
    tell_item(dungeon, BW_DUNGEON_PICKED_UP, item, events);
}

/* May `drop` be exchanged for `loot`? 0 or a refusal. */
static int check_drop(const bw_dungeon_player *player, uint8_t loot, uint8_t drop) {
    if (drop < bw_dungeon_categories[loot].first || drop >= bw_dungeon_categories[loot].end) {
        return BW_DUNGEON_REFUSES_DROP_KIND;
    }
    return player->bag[drop] > 0 ? 0 : BW_DUNGEON_REFUSES_DROP_NONE;
}

int bw_dungeon_pick_up_loot(bw_dungeon *dungeon, const bw_dungeon_pick_up *pick_up, bw_events *events) {
    bw_dungeon_player *player = &dungeon->players[dungeon->current];
    bw_dungeon_tile *tile = &dungeon->tiles[player->at];
    uint8_t loot = tile->loot;
    if (loot == BW_DUNGEON_NONE || loot == BW_DUNGEON_CHEST) {
        return loot == BW_DUNGEON_NONE ? BW_DUNGEON_REFUSES_NO_LOOT : BW_DUNGEON_REFUSES_CHEST;
    }
    bool full = bw_dungeon_bag_full(player, loot);
    if (full != pick_up->has_drop) {
        return full ? BW_DUNGEON_REFUSES_NAME_DROP : BW_DUNGEON_REFUSES_NO_DROP;
    }
    int refusal = full ? check_drop(player, loot, pick_up->drop) : 0;
    if (refusal) return refusal;
    tile->loot = BW_DUNGEON_NONE;
    if (full) {
        player->bag[pick_up->drop]--;
        tile->loot = pick_up->drop;
        tell_item(dungeon, BW_DUNGEON_DROPPED, pick_up->drop, events);
    }
    bw_dungeon_take(dungeon, loot, events);
    bw_dungeon_end_turn(dungeon, events);
    return 0;
}

int bw_dungeon_open_the_chest(bw_dungeon *dungeon, bw_events *events) {
    bw_dungeon_player *player = &dungeon->players[dungeon->current];
    bw_dungeon_tile *tile = &dungeon->tiles[player->at];
    if (tile->loot != BW_DUNGEON_CHEST) return BW_DUNGEON_REFUSES_NO_CHEST;
    if (player->bag[BW_DUNGEON_KEY] == 0) return BW_DUNGEON_REFUSES_NO_KEY;
    player->bag[BW_DUNGEON_KEY]--;
    tile->loot = BW_DUNGEON_NONE;
    bw_dungeon_event *event = events ? bw_event(events, BW_DUNGEON_CHEST_OPENED) : 0;
    if (event) {
        event->as.opened =
            (bw_dungeon_opened){.role = dungeon->current, .points = bw_dungeon_item_points[BW_DUNGEON_TREASURE]};
    }
    bw_dungeon_take(dungeon, BW_DUNGEON_TREASURE, 0); /* the chest's event tells it */
    bw_dungeon_end_turn(dungeon, events);
    return 0;
}

static void use_spell(bw_dungeon *dungeon, uint8_t item, uint8_t spell, bw_events *events) {
    dungeon->players[dungeon->current].bag[item]--;
    bw_dungeon_event *event = events ? bw_event(events, BW_DUNGEON_SPELL_CAST) : 0;
    if (event) event->as.casted = (bw_dungeon_casted){.role = dungeon->current, .spell = spell};
}

static int cast_teleport(bw_dungeon *dungeon, const bw_dungeon_cast *cast, bw_events *events) {
    if (!cast->has_to) return BW_DUNGEON_REFUSES_NO_TARGET;
    for (int i = 0; i < dungeon->fountain_count; i++) {
        const bw_dungeon_tile *tile = &dungeon->tiles[dungeon->fountains[i]];
        if (tile->x == cast->to.x && tile->y == cast->to.y) {
            use_spell(dungeon, BW_DUNGEON_TELEPORT, BW_DUNGEON_CAST_TELEPORT, events);
            bw_dungeon_go(dungeon, dungeon->fountains[i], BW_DUNGEON_BY_TELEPORT, events);
            bw_dungeon_end_turn(dungeon, events);
            return 0;
        }
    }
    return BW_DUNGEON_REFUSES_NO_FOUNTAIN;
}

static int cast_portal(bw_dungeon *dungeon, const bw_dungeon_cast *cast, bw_events *events) {
    if (cast->has_to) return BW_DUNGEON_REFUSES_NEEDS_NO_CELL;
    bw_dungeon_player *player = &dungeon->players[dungeon->current];
    use_spell(dungeon, BW_DUNGEON_PORTAL_OF_HEALING, BW_DUNGEON_CAST_PORTAL, events);
    player->hp = dungeon->max_hp;
    bw_dungeon_event *event = events ? bw_event(events, BW_DUNGEON_HEALED) : 0;
    if (event) event->as.healed = (bw_dungeon_health){.role = dungeon->current, .hp = player->hp};
    return 0;
}

int bw_dungeon_cast_spell(bw_dungeon *dungeon, const bw_dungeon_cast *cast, bw_events *events) {
    static const uint8_t items[] = {BW_DUNGEON_FIREBALL, BW_DUNGEON_TELEPORT, BW_DUNGEON_PORTAL_OF_HEALING};
    if (cast->spell == BW_DUNGEON_CAST_FIREBALL) return BW_DUNGEON_REFUSES_NO_FIGHT;
    if (cast->spell >= sizeof items) return BW_DUNGEON_REFUSES_NO_SPELL;
    if (dungeon->players[dungeon->current].bag[items[cast->spell]] == 0) {
        return BW_DUNGEON_REFUSES_NO_SPELL;
    }
    return cast->spell == BW_DUNGEON_CAST_TELEPORT ? cast_teleport(dungeon, cast, events)
                                                   : cast_portal(dungeon, cast, events);
}
