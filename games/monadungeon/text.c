/* A position as text: the turn, what has to be settled, the players, the ways on, the loot. */
#include "games/monadungeon/rules.h"

enum { COLUMNS = 80 };

/* A wire name with spaces instead of underscores. */
static void write_name(bw_out *out, const bw_names *names, uint8_t value) {
    for (const char *name = names->names[value]; *name; name++) bw_out_bytes(out, *name == '_' ? " " : name, 1);
}

static void write_count(bw_out *out, int64_t count, const char *one, const char *many) {
    bw_out_format(out, "%" PRId64 "%s", count, count == 1 ? one : many);
}

static void write_turn(bw_out *out, const bw_dungeon_view *view) {
    if (!view->has_to_move) {
        bw_out_text(out, "The game is over after ");
        write_count(out, view->turn_number, " turn.\n", " turns.\n");
    } else {
        bw_out_format(out, "Turn %u: ", view->turn_number);
        write_name(out, &bw_dungeon_role_names, view->to_move);
        bw_out_text(out, ", ");
        write_count(out, view->actions_left, " move left.\n", " moves left.\n");
    }
    bw_out_text(out, "Deck: ");
    write_count(out, view->deck_left, " tile, ", " tiles, ");
    write_count(out, view->rooms_left, " of them a room.", " of them rooms.");
    if (view->has_torches) {
        bw_out_text(out, " Torches: ");
        write_count(out, view->torches, " more turn of each player.", " more turns of each player.");
    }
    bw_out_text(out, "\n");
}

static void write_openings(bw_out *out, const bool openings[4]) {
    static const char *const sides[] = {"top", "right", "bottom", "left"};
    bool first = true;
    for (int side = 0; side < 4; side++) {
        if (!openings[side]) continue;
        bw_out_format(out, "%s%s", first ? "open " : ", ", sides[side]);
        first = false;
    }
}

static void write_awaited(bw_out *out, const bw_dungeon_view *view) {
    if (view->has_waiting_tile) {
        const bw_dungeon_waiting *tile = &view->waiting_tile;
        bw_out_format(out, "Waiting for %d,%d: a ", tile->cell.x, tile->cell.y);
        write_name(out, &bw_dungeon_kind_names, tile->kind);
        bw_out_text(out, ", ");
        write_openings(out, tile->openings);
        bw_out_text(out, "; quarter turns");
        for (int i = 0; i < tile->rotations_count; i++) bw_out_format(out, " %d", tile->rotations[i]);
        bw_out_text(out, ".\n");
    }
    if (view->has_battle) {
        const bw_dungeon_fight *fight = &view->battle;
        bw_out_text(out, "Battle with ");
        write_name(out, &bw_dungeon_monster_names, fight->monster);
        bw_out_format(out, " (%d): dice %d and %d, damage %d; ", fight->hp, fight->dice[0], fight->dice[1],
                      fight->damage);
        write_count(out, fight->needed, " fireball would win.\n", " fireballs would win.\n");
    }
    if (view->has_awaiting && view->awaiting == BW_DUNGEON_AWAITS_LOOT) {
        bw_out_text(out, "The monster is beaten: pick up its loot or leave it.\n");
    }
}

static void write_bag(bw_out *out, const bw_dungeon_info *info) {
    const char *between = "  carries ";
    for (int i = 0; i < info->weapons_count + info->spells_count; i++, between = ", ") {
        bw_out_text(out, between);
        bool spell = i >= info->weapons_count;
        write_name(out, &bw_dungeon_item_names, spell ? info->spells[i - info->weapons_count] : info->weapons[i]);
    }
    if (info->keys > 0) bw_out_format(out, "%skey\n", between);
    else if (between[0] == ',') bw_out_text(out, "\n");
}

static void write_player(bw_out *out, const bw_dungeon_info *info) {
    bw_out_format(out, "%s at %d,%d: %d HP, ", info->key, info->x, info->y, info->hp);
    write_count(out, info->points, " point", " points");
    bw_out_text(out, info->resigned ? ", has left\n" : info->stunned ? ", stunned\n" : "\n");
    write_bag(out, info);
}

static bool monster_of(bw_out *out, const bw_dungeon_tile_view *tile) {
    if (!tile->has_monster) return false;
    write_name(out, &bw_dungeon_monster_names, tile->monster.name);
    bw_out_format(out, " (%d)", tile->monster.hp);
    return true;
}

static bool loot_of(bw_out *out, const bw_dungeon_tile_view *tile) {
    if (tile->has_loot) write_name(out, &bw_dungeon_item_names, tile->loot);
    return tile->has_loot;
}

static bool place_of(bw_out *out, const bw_dungeon_tile_view *tile) {
    bool fountain = bw_dungeon_is_fountain(tile->kind);
    bw_out_text(out, fountain ? "fountain" : "gate");
    return fountain || tile->kind == BW_DUNGEON_GATE;
}

static size_t column_of(const bw_out *out) {
    size_t start = out->length;
    while (start > 0 && out->at[start - 1] != '\n') start--;
    return out->length - start;
}

/* Lists things on tiles, as "Loot: axe at 1,0, key at 0,-2", wrapped. `what` writes what one tile has, if anything. */
static void write_list(bw_out *out, const bw_dungeon_view *view, const char *title,
                       bool (*what)(bw_out *out, const bw_dungeon_tile_view *tile)) {
    const char *before = title;
    for (int i = 0; i < view->tiles_count; i++) {
        char memory[80];
        bw_out entry = bw_out_to(memory, sizeof memory);
        if (!what(&entry, &view->tiles[i])) continue;
        bw_out_format(&entry, " at %s", view->tiles[i].key);
        bw_out_text(out, before != title && column_of(out) + 2 + entry.length > COLUMNS ? ",\n  " : before);
        bw_out_bytes(out, memory, entry.length);
        before = ", ";
    }
    if (before != title) bw_out_text(out, "\n");
}

void bw_dungeon_text(const void *memory, bw_out *out) {
    const bw_dungeon_view *view = memory;
    write_turn(out, view);
    write_awaited(out, view);
    for (int i = 0; i < view->players_info_count; i++) write_player(out, &view->players_info[i]);
    write_list(out, view, "Monsters: ", monster_of);
    write_list(out, view, "Loot: ", loot_of);
    write_list(out, view, "Places: ", place_of);
    bw_dungeon_write_map(out, view);
}
