/* A position in plain words: the turn, what has to be settled, everyone, the ways on, what lies about. */
#include "games/monadungeon/rules.h"
#include "games/monadungeon/words.h"

enum { COLUMNS = 80 };

void bw_dungeon_say(bw_dungeon_words *words, const char *text) {
    for (; *text; text++, words->length++) {
        if (words->length + 1 < words->cap) words->text[words->length] = *text;
        words->column = *text == '\n' ? 0 : words->column + 1;
    }
}

void bw_dungeon_say_int(bw_dungeon_words *words, int64_t value) {
    char digits[24];
    size_t at = sizeof digits - 1;
    uint64_t rest = value < 0 ? (uint64_t)-value : (uint64_t)value;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) digits[--at] = '-';
    bw_dungeon_say(words, digits + at);
}

void bw_dungeon_say_cell(bw_dungeon_words *words, int x, int y) {
    bw_dungeon_say_int(words, x);
    bw_dungeon_say(words, ",");
    bw_dungeon_say_int(words, y);
}

void bw_dungeon_say_name(bw_dungeon_words *words, const bw_names *names, uint8_t value) {
    for (const char *name = names->names[value]; *name; name++) {
        char letter[2] = {*name == '_' ? ' ' : *name, '\0'};
        bw_dungeon_say(words, letter);
    }
}

static void say_count(bw_dungeon_words *words, int64_t count, const char *one, const char *many) {
    bw_dungeon_say_int(words, count);
    bw_dungeon_say(words, count == 1 ? one : many);
}

static void say_turn(bw_dungeon_words *words, const bw_dungeon_view *view) {
    if (!view->has_to_move) {
        bw_dungeon_say(words, "The game is over after ");
        say_count(words, view->turn_number, " turn.\n", " turns.\n");
    } else {
        bw_dungeon_say(words, "Turn ");
        bw_dungeon_say_int(words, view->turn_number);
        bw_dungeon_say(words, ": ");
        bw_dungeon_say_name(words, &bw_dungeon_role_names, view->to_move);
        bw_dungeon_say(words, ", ");
        say_count(words, view->actions_left, " move left.\n", " moves left.\n");
    }
    bw_dungeon_say(words, "Deck: ");
    say_count(words, view->deck_left, " tile, ", " tiles, ");
    say_count(words, view->rooms_left, " of them a room.", " of them rooms.");
    if (view->has_torches) {
        bw_dungeon_say(words, " Torches: ");
        say_count(words, view->torches, " more turn of each player.", " more turns of each player.");
    }
    bw_dungeon_say(words, "\n");
}

static void say_openings(bw_dungeon_words *words, const bool openings[4]) {
    static const char *const sides[] = {"top", "right", "bottom", "left"};
    bool first = true;
    for (int side = 0; side < 4; side++) {
        if (openings[side]) {
            bw_dungeon_say(words, first ? "open " : ", ");
            bw_dungeon_say(words, sides[side]);
            first = false;
        }
    }
}

static void say_awaited(bw_dungeon_words *words, const bw_dungeon_view *view) {
    if (view->has_waiting_tile) {
        const bw_dungeon_waiting *tile = &view->waiting_tile;
        bw_dungeon_say(words, "Waiting for ");
        bw_dungeon_say_cell(words, tile->cell.x, tile->cell.y);
        bw_dungeon_say(words, ": a ");
        bw_dungeon_say_name(words, &bw_dungeon_kind_names, tile->kind);
        bw_dungeon_say(words, ", ");
        say_openings(words, tile->openings);
        bw_dungeon_say(words, "; quarter turns");
        for (int i = 0; i < tile->rotations_count; i++) {
            bw_dungeon_say(words, " ");
            bw_dungeon_say_int(words, tile->rotations[i]);
        }
        bw_dungeon_say(words, ".\n");
    }
    if (view->has_battle) {
        const bw_dungeon_fight *fight = &view->battle;
        bw_dungeon_say(words, "Battle with ");
        bw_dungeon_say_name(words, &bw_dungeon_monster_names, fight->monster);
        bw_dungeon_say(words, " (");
        bw_dungeon_say_int(words, fight->hp);
        bw_dungeon_say(words, "): dice ");
        bw_dungeon_say_int(words, fight->dice[0]);
        bw_dungeon_say(words, " and ");
        bw_dungeon_say_int(words, fight->dice[1]);
        bw_dungeon_say(words, ", damage ");
        bw_dungeon_say_int(words, fight->damage);
        bw_dungeon_say(words, "; ");
        say_count(words, fight->needed, " fireball would win.\n", " fireballs would win.\n");
    }
    if (view->has_awaiting && view->awaiting == BW_DUNGEON_AWAITS_LOOT) {
        bw_dungeon_say(words, "The monster is beaten: its loot may be picked up or left.\n");
    }
}

static void say_bag(bw_dungeon_words *words, const bw_dungeon_info *info) {
    bool first = true;
    for (int i = 0; i < info->weapons_count; i++, first = false) {
        bw_dungeon_say(words, first ? "  carries " : ", ");
        bw_dungeon_say_name(words, &bw_dungeon_item_names, info->weapons[i]);
    }
    for (int i = 0; i < info->spells_count; i++, first = false) {
        bw_dungeon_say(words, first ? "  carries " : ", ");
        bw_dungeon_say_name(words, &bw_dungeon_item_names, info->spells[i]);
    }
    if (info->keys > 0) {
        bw_dungeon_say(words, first ? "  carries key" : ", key");
        first = false;
    }
    bw_dungeon_say(words, first ? "" : "\n");
}

static void say_player(bw_dungeon_words *words, const bw_dungeon_info *info) {
    bw_dungeon_say(words, info->key);
    bw_dungeon_say(words, " at ");
    bw_dungeon_say_cell(words, info->x, info->y);
    bw_dungeon_say(words, ": ");
    bw_dungeon_say_int(words, info->hp);
    bw_dungeon_say(words, " HP, ");
    say_count(words, info->points, " point", " points");
    bw_dungeon_say(words, info->resigned ? ", has left" : info->stunned ? ", stunned" : "");
    bw_dungeon_say(words, "\n");
    say_bag(words, info);
}

/* A list that breaks its lines: `what` of tile `key` is the next entry. */
typedef struct list {
    bw_dungeon_words *words;
    const char *title;
    bool begun;
} list;

static void begin_entry(list *entries, size_t length) {
    bw_dungeon_words *words = entries->words;
    if (!entries->begun) bw_dungeon_say(words, entries->title);
    else if (words->column + 2 + length > COLUMNS) bw_dungeon_say(words, ",\n  ");
    else bw_dungeon_say(words, ", ");
    entries->begun = true;
}

static void end_list(list *entries) {
    if (entries->begun) bw_dungeon_say(entries->words, "\n");
}

static size_t length_of(const char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

static void say_monsters(bw_dungeon_words *words, const bw_dungeon_view *view) {
    list entries = {words, "Monsters: ", false};
    for (int i = 0; i < view->tiles_count; i++) {
        const bw_dungeon_tile_view *tile = &view->tiles[i];
        if (tile->has_monster) {
            begin_entry(&entries,
                        length_of(bw_dungeon_monster_names.names[tile->monster.name]) + length_of(tile->key) + 9);
            bw_dungeon_say_name(words, &bw_dungeon_monster_names, tile->monster.name);
            bw_dungeon_say(words, " (");
            bw_dungeon_say_int(words, tile->monster.hp);
            bw_dungeon_say(words, ") at ");
            bw_dungeon_say(words, tile->key);
        }
    }
    end_list(&entries);
}

static void say_loot(bw_dungeon_words *words, const bw_dungeon_view *view) {
    list entries = {words, "Loot: ", false};
    for (int i = 0; i < view->tiles_count; i++) {
        const bw_dungeon_tile_view *tile = &view->tiles[i];
        if (tile->has_loot) {
            begin_entry(&entries, length_of(bw_dungeon_item_names.names[tile->loot]) + length_of(tile->key) + 4);
            bw_dungeon_say_name(words, &bw_dungeon_item_names, tile->loot);
            bw_dungeon_say(words, " at ");
            bw_dungeon_say(words, tile->key);
        }
    }
    end_list(&entries);
}

static void say_places(bw_dungeon_words *words, const bw_dungeon_view *view) {
    list entries = {words, "Places: ", false};
    for (int i = 0; i < view->tiles_count; i++) {
        const bw_dungeon_tile_view *tile = &view->tiles[i];
        bool fountain = bw_dungeon_is_fountain(tile->kind);
        if (fountain || tile->kind == BW_DUNGEON_GATE) {
            begin_entry(&entries, length_of(tile->key) + 12);
            bw_dungeon_say(words, fountain ? "fountain at " : "gate at ");
            bw_dungeon_say(words, tile->key);
        }
    }
    end_list(&entries);
}

size_t bw_dungeon_text(const bw_dungeon_view *view, char *text, size_t cap) {
    bw_dungeon_words words = {.text = text, .cap = cap};
    say_turn(&words, view);
    say_awaited(&words, view);
    for (int i = 0; i < view->players_info_count; i++) say_player(&words, &view->players_info[i]);
    say_monsters(&words, view);
    say_loot(&words, view);
    say_places(&words, view);
    bw_dungeon_say_map(&words, view);
    if (cap > 0) text[words.length < cap ? words.length : cap - 1] = '\0';
    return words.length;
}
