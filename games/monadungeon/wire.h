/* Monadungeon over the wire: names, settings, actions, events, view and statistics, declared once.
 *
 * The names and fields are those of docs/PROTOCOL.md. The view has a few more fields than that table, so that a position
 * can be rebuilt from it (game->guess): who is to move, where a fighter came from, what a living monster guards, who has
 * left, and in whose turn the torches were lit. */
#ifndef BW_MONADUNGEON_WIRE_H
#define BW_MONADUNGEON_WIRE_H

#include "engine/schema.h"

enum {
    BW_DUNGEON_PLAYERS = 4,
    BW_DUNGEON_POOL = 99,       /* tiles in the box, without the start */
    BW_DUNGEON_TILES = 100,     /* with the start: an upper bound of placed tiles */
    BW_DUNGEON_TOKENS = 53,     /* with the dragon */
    BW_DUNGEON_REACH = 1000000, /* how far away a cell in a message may be; tiles are within 99 */
    BW_DUNGEON_WEAPONS_MAX = 2,
    BW_DUNGEON_SPELLS_MAX = 3,
    BW_DUNGEON_KEYS_MAX = 1,
    BW_DUNGEON_TREASURES_MAX = 13, /* ten chests, two of the fallen, one ruby chest */
};

/* ---- names ---- */

#define BW_DUNGEON_ROLES(E)          \
    E(BW_DUNGEON_PLAYER1, "player1") \
    E(BW_DUNGEON_PLAYER2, "player2") \
    E(BW_DUNGEON_PLAYER3, "player3") \
    E(BW_DUNGEON_PLAYER4, "player4")
BW_ENUM(bw_dungeon_role, BW_DUNGEON_ROLES);

#define BW_DUNGEON_KINDS(E)            \
    E(BW_DUNGEON_START, "start")       \
    E(BW_DUNGEON_CORRIDOR, "corridor") \
    E(BW_DUNGEON_ROOM, "room")         \
    E(BW_DUNGEON_GATE, "gate")         \
    E(BW_DUNGEON_FOUNTAIN, "fountain")
BW_ENUM(bw_dungeon_kind, BW_DUNGEON_KINDS);

#define BW_DUNGEON_MONSTERS(E)                         \
    E(BW_DUNGEON_GIANT_RAT, "giant_rat")               \
    E(BW_DUNGEON_GIANT_SPIDER, "giant_spider")         \
    E(BW_DUNGEON_MUMMY, "mummy")                       \
    E(BW_DUNGEON_SKELETON_TURNKEY, "skeleton_turnkey") \
    E(BW_DUNGEON_SKELETON_WARRIOR, "skeleton_warrior") \
    E(BW_DUNGEON_SKELETON_KING, "skeleton_king")       \
    E(BW_DUNGEON_FALLEN, "fallen")                     \
    E(BW_DUNGEON_DRAGON, "dragon")
BW_ENUM(bw_dungeon_monster, BW_DUNGEON_MONSTERS);

/* In the order of their categories: weapons, spells, keys, the locked chest, treasures. */
#define BW_DUNGEON_ITEMS(E)                              \
    E(BW_DUNGEON_DAGGER, "dagger")                       \
    E(BW_DUNGEON_SWORD, "sword")                         \
    E(BW_DUNGEON_AXE, "axe")                             \
    E(BW_DUNGEON_FIREBALL, "fireball")                   \
    E(BW_DUNGEON_TELEPORT, "teleport")                   \
    E(BW_DUNGEON_PORTAL_OF_HEALING, "portal_of_healing") \
    E(BW_DUNGEON_KEY, "key")                             \
    E(BW_DUNGEON_CHEST, "chest")                         \
    E(BW_DUNGEON_TREASURE, "treasure")                   \
    E(BW_DUNGEON_FALLENS_TREASURE, "fallens_treasure")   \
    E(BW_DUNGEON_RUBY_CHEST, "ruby_chest")
BW_ENUM(bw_dungeon_item, BW_DUNGEON_ITEMS);
enum { BW_DUNGEON_ITEM_COUNT = BW_DUNGEON_RUBY_CHEST + 1, BW_DUNGEON_NONE = 0xff };

#define BW_DUNGEON_SPELLS(E)                \
    E(BW_DUNGEON_CAST_FIREBALL, "fireball") \
    E(BW_DUNGEON_CAST_TELEPORT, "teleport") \
    E(BW_DUNGEON_CAST_PORTAL, "portal_of_healing")
BW_ENUM(bw_dungeon_spell, BW_DUNGEON_SPELLS);

#define BW_DUNGEON_AWAITING(E)            \
    E(BW_DUNGEON_AWAITS_PLACE, "place")   \
    E(BW_DUNGEON_AWAITS_BATTLE, "battle") \
    E(BW_DUNGEON_AWAITS_LOOT, "loot")
BW_ENUM(bw_dungeon_awaiting, BW_DUNGEON_AWAITING);

#define BW_DUNGEON_GATES(E)                              \
    E(BW_DUNGEON_GATES_ALWAYS, "always", "Always there") \
    E(BW_DUNGEON_GATES_RANDOM, "random", "By chance")
BW_ENUM(bw_dungeon_gates, BW_DUNGEON_GATES);

/* How a player came from one tile to another. */
#define BW_DUNGEON_WAYS(E)                \
    E(BW_DUNGEON_BY_STEP, "step")         \
    E(BW_DUNGEON_BY_GATE, "gate")         \
    E(BW_DUNGEON_BY_TELEPORT, "teleport") \
    E(BW_DUNGEON_BY_RETREAT, "retreat")
BW_ENUM(bw_dungeon_way, BW_DUNGEON_WAYS);

/* ---- settings ---- */

#define BW_DUNGEON_CONFIG_FIELDS(F, S)                                                                            \
    F(S, REQUIRED, INT, max_hp, (uint8_t, 1, 20), "hits a player can take before being stunned", "Hit points")    \
    F(S, REQUIRED, INT, actions, (uint8_t, 1, 10), "moves per turn", "Moves per turn")                            \
    F(S, REQUIRED, INT, deck_size, (uint8_t, 8, 99), "more tiles make a longer game", "Tiles in the deck")        \
    F(S, REQUIRED, ENUM, gates, (bw_dungeon_gates_names), "both gates are always in the deck, or only by chance", \
      "Gates")                                                                                                    \
    F(S, REQUIRED, BOOL, quick, (), "short game: 40 tiles, whatever deck_size says", "A short game")              \
    F(S, REQUIRED, INT, torch_turns, (uint8_t, 0, 200),                                                           \
      "turns left for each player once the map is complete; 0: no limit", "Torches")
BW_STRUCT(bw_dungeon_config, BW_DUNGEON_CONFIG_FIELDS);

/* ---- actions ---- */

#define BW_DUNGEON_CELL_FIELDS(F, S)                                                                                \
    F(S, REQUIRED, INT, x, (int32_t, -BW_DUNGEON_REACH, BW_DUNGEON_REACH), "column; the start is 0, right is more") \
    F(S, REQUIRED, INT, y, (int32_t, -BW_DUNGEON_REACH, BW_DUNGEON_REACH), "row; the start is 0, down is more")
BW_STRUCT(bw_dungeon_cell, BW_DUNGEON_CELL_FIELDS);

#define BW_DUNGEON_TO_FIELDS(F, S) F(S, REQUIRED, STRUCT, to, (bw_dungeon_cell), "the cell")
BW_STRUCT(bw_dungeon_to, BW_DUNGEON_TO_FIELDS);

#define BW_DUNGEON_PLACE_FIELDS(F, S) \
    F(S, REQUIRED, INT, rotation, (uint8_t, 0, 3), "quarter turns clockwise; one of waiting_tile.rotations")
BW_STRUCT(bw_dungeon_place, BW_DUNGEON_PLACE_FIELDS);

#define BW_DUNGEON_FIREBALLS_FIELDS(F, S) \
    F(S, REQUIRED, INT, fireballs, (uint16_t, 0, 1000), "how many to use; from 0 to those carried")
BW_STRUCT(bw_dungeon_fireballs, BW_DUNGEON_FIREBALLS_FIELDS);

#define BW_DUNGEON_PICK_UP_FIELDS(F, S) \
    F(S, OPTIONAL, ENUM, drop, (bw_dungeon_item_names), "what to leave on the tile; only if that category is full")
BW_STRUCT(bw_dungeon_pick_up, BW_DUNGEON_PICK_UP_FIELDS);

#define BW_DUNGEON_CAST_FIELDS(F, S)                                   \
    F(S, REQUIRED, ENUM, spell, (bw_dungeon_spell_names), "the spell") \
    F(S, OPTIONAL, STRUCT, to, (bw_dungeon_cell), "teleport: the fountain; the start is one too")
BW_STRUCT(bw_dungeon_cast, BW_DUNGEON_CAST_FIELDS);

#define BW_DUNGEON_WHO_FIELDS(F, S) F(S, REQUIRED, ENUM, role, (bw_dungeon_role_names), "who")
BW_STRUCT(bw_dungeon_who, BW_DUNGEON_WHO_FIELDS);

#define BW_DUNGEON_ACTIONS(C)                                                                                \
    C(BW_DUNGEON_EXPLORE, explore, "explore", bw_dungeon_to, 0, "draw a tile for an empty cell next to you") \
    C(BW_DUNGEON_PLACE, place, "place", bw_dungeon_place, 0, "put the waiting tile down and enter it")       \
    C(BW_DUNGEON_MOVE, move, "move", bw_dungeon_to, 0, "through a passage, or from gate to gate")            \
    C(BW_DUNGEON_BATTLE, battle, "battle", bw_dungeon_fireballs, 0, "settle the open battle")                \
    C(BW_DUNGEON_PICK_UP, pick_up, "pick_up", bw_dungeon_pick_up, 0, "take what lies here; ends the turn")   \
    C(BW_DUNGEON_LEAVE_LOOT, leave_loot, "leave_loot", bw_nothing, 0, "leave what was won; ends the turn")   \
    C(BW_DUNGEON_OPEN_CHEST, open_chest, "open_chest", bw_nothing, 0, "with a key; ends the turn")           \
    C(BW_DUNGEON_CAST, cast, "cast", bw_dungeon_cast, 0, "use a spell, once")                                \
    C(BW_DUNGEON_REST, rest, "rest", bw_nothing, 0, "heal on a fountain; ends the turn")                     \
    C(BW_DUNGEON_END_TURN, end_turn, "end_turn", bw_nothing, 0, "end the turn")                              \
    C(BW_DUNGEON_CLAIM, claimed, "claimed", bw_dungeon_who, BW_ACTION_CLOCK | BW_ACTION_OPEN,                \
      "the others were away too long: they give up, and the game is over")
BW_TAGGED(bw_dungeon_action, BW_DUNGEON_ACTIONS);

/* ---- events ---- */

#define BW_DUNGEON_DRAWN_FIELDS(F, S)                                          \
    F(S, REQUIRED, ENUM, role, (bw_dungeon_role_names), "who explores")        \
    F(S, REQUIRED, STRUCT, cell, (bw_dungeon_cell), "where it will go")        \
    F(S, REQUIRED, ENUM, kind, (bw_dungeon_kind_names), "its kind")            \
    F(S, REQUIRED, BOOLS, openings, (4), "top, right, bottom, left, unturned") \
    F(S, REQUIRED, INTS, rotations, (uint8_t, 0, 3, 4), "quarter turns that open toward the player")
BW_STRUCT(bw_dungeon_drawn, BW_DUNGEON_DRAWN_FIELDS);

#define BW_DUNGEON_PLACED_FIELDS(F, S)                                                          \
    F(S, REQUIRED, ENUM, role, (bw_dungeon_role_names), "who explores")                         \
    F(S, REQUIRED, STRUCT, cell, (bw_dungeon_cell), "where it is")                              \
    F(S, REQUIRED, INT, rotation, (uint8_t, 0, 3), "quarter turns clockwise")                   \
    F(S, REQUIRED, ENUM, kind, (bw_dungeon_kind_names), "its kind")                             \
    F(S, REQUIRED, BOOLS, openings, (4), "top, right, bottom, left, as it lies")                \
    F(S, NULLABLE, ENUM, monster, (bw_dungeon_monster_names), "who lives there")                \
    F(S, NULLABLE, ENUM, loot, (bw_dungeon_item_names), "what lies there: chest, a locked one") \
    F(S, NULLABLE, ENUM, guards, (bw_dungeon_item_names), "what the monster would leave")
BW_STRUCT(bw_dungeon_placed, BW_DUNGEON_PLACED_FIELDS);

#define BW_DUNGEON_MOVED_FIELDS(F, S)                             \
    F(S, REQUIRED, ENUM, role, (bw_dungeon_role_names), "who")    \
    F(S, REQUIRED, STRUCT, from, (bw_dungeon_cell), "from where") \
    F(S, REQUIRED, STRUCT, to, (bw_dungeon_cell), "to where")     \
    F(S, REQUIRED, ENUM, by, (bw_dungeon_way_names), "how")
BW_STRUCT(bw_dungeon_moved, BW_DUNGEON_MOVED_FIELDS);

#define BW_DUNGEON_STARTED_FIELDS(F, S)                               \
    F(S, REQUIRED, ENUM, role, (bw_dungeon_role_names), "who fights") \
    F(S, REQUIRED, ENUM, monster, (bw_dungeon_monster_names), "whom") \
    F(S, REQUIRED, INT, hp, (uint8_t, 1, 15), "the monster's")        \
    F(S, REQUIRED, INTS, dice, (uint8_t, 1, 6, 2), "as rolled")       \
    F(S, REQUIRED, INT, damage, (uint8_t, 2, 21), "dice and weapons")
BW_STRUCT(bw_dungeon_started, BW_DUNGEON_STARTED_FIELDS);

#define BW_DUNGEON_FOUGHT_FIELDS(F, S)                                           \
    F(S, REQUIRED, ENUM, role, (bw_dungeon_role_names), "who fought")            \
    F(S, REQUIRED, ENUM, monster, (bw_dungeon_monster_names), "whom")            \
    F(S, REQUIRED, INTS, dice, (uint8_t, 1, 6, 2), "as rolled")                  \
    F(S, REQUIRED, INT, fireballs, (uint8_t, 0, 3), "fireballs used")            \
    F(S, REQUIRED, INT, damage, (uint8_t, 2, 21), "dice, weapons and fireballs") \
    F(S, REQUIRED, INT, hp, (uint8_t, 0, 20), "what the player has left")
BW_STRUCT(bw_dungeon_fought, BW_DUNGEON_FOUGHT_FIELDS);

#define BW_DUNGEON_GOT_FIELDS(F, S)                            \
    F(S, REQUIRED, ENUM, role, (bw_dungeon_role_names), "who") \
    F(S, REQUIRED, ENUM, item, (bw_dungeon_item_names), "what")
BW_STRUCT(bw_dungeon_got, BW_DUNGEON_GOT_FIELDS);

#define BW_DUNGEON_OPENED_FIELDS(F, S)                         \
    F(S, REQUIRED, ENUM, role, (bw_dungeon_role_names), "who") \
    F(S, REQUIRED, INT, points, (uint8_t, 0, 3), "victory points in it")
BW_STRUCT(bw_dungeon_opened, BW_DUNGEON_OPENED_FIELDS);

#define BW_DUNGEON_CASTED_FIELDS(F, S)                         \
    F(S, REQUIRED, ENUM, role, (bw_dungeon_role_names), "who") \
    F(S, REQUIRED, ENUM, spell, (bw_dungeon_spell_names), "the spell")
BW_STRUCT(bw_dungeon_casted, BW_DUNGEON_CASTED_FIELDS);

#define BW_DUNGEON_HEALTH_FIELDS(F, S)                         \
    F(S, REQUIRED, ENUM, role, (bw_dungeon_role_names), "who") \
    F(S, REQUIRED, INT, hp, (uint8_t, 0, 20), "hit points now")
BW_STRUCT(bw_dungeon_health, BW_DUNGEON_HEALTH_FIELDS);

#define BW_DUNGEON_EVENTS(C)                                                                                        \
    C(BW_DUNGEON_TILE_DRAWN, drawn, "tile_drawn", bw_dungeon_drawn, 0, "the next tile, visible to everyone")        \
    C(BW_DUNGEON_TILE_PLACED, placed, "tile_placed", bw_dungeon_placed, 0,                                          \
      "the tile is placed, with its token face up")                                                                 \
    C(BW_DUNGEON_MOVED, moved, "moved", bw_dungeon_moved, 0, "a player moved, or was thrown back")                  \
    C(BW_DUNGEON_BATTLE_STARTED, started, "battle_started", bw_dungeon_started, 0, "the dice fell")                 \
    C(BW_DUNGEON_BATTLE_WON, won, "battle_won", bw_dungeon_fought, 0, "more damage than hit points")                \
    C(BW_DUNGEON_BATTLE_DRAWN, draw, "battle_drawn", bw_dungeon_fought, 0, "as much: nobody is hurt")               \
    C(BW_DUNGEON_BATTLE_LOST, lost, "battle_lost", bw_dungeon_fought, 0, "less: one hit point lost")                \
    C(BW_DUNGEON_PICKED_UP, picked_up, "picked_up", bw_dungeon_got, 0, "into the bag")                              \
    C(BW_DUNGEON_DROPPED, dropped, "dropped", bw_dungeon_got, 0, "out of the bag, onto the tile")                   \
    C(BW_DUNGEON_CHEST_OPENED, opened, "chest_opened", bw_dungeon_opened, 0, "a key was used")                      \
    C(BW_DUNGEON_SPELL_CAST, casted, "spell_cast", bw_dungeon_casted, 0, "a spell was used")                        \
    C(BW_DUNGEON_HEALED, healed, "healed", bw_dungeon_health, 0, "all hit points restored, curses lifted")          \
    C(BW_DUNGEON_STUNNED, stunned, "stunned", bw_dungeon_who, 0, "no hit point left: the next turn is skipped")     \
    C(BW_DUNGEON_RECOVERED, recovered, "recovered", bw_dungeon_health, 0, "on one hit point, after a skipped turn") \
    C(BW_DUNGEON_TURN_ENDED, turn_ended, "turn_ended", bw_dungeon_who, 0, "the turn is over")                       \
    C(BW_DUNGEON_CLAIMED, claimed, "claimed", bw_dungeon_who, 0, "who won because all others were away too long")
BW_TAGGED(bw_dungeon_event, BW_DUNGEON_EVENTS);

/* ---- view ---- */

#define BW_DUNGEON_FOE_FIELDS(F, S)                                 \
    F(S, REQUIRED, ENUM, name, (bw_dungeon_monster_names), "which") \
    F(S, REQUIRED, INT, hp, (uint8_t, 1, 15), "hit points: more damage than this beats it")
BW_STRUCT(bw_dungeon_foe, BW_DUNGEON_FOE_FIELDS);

#define BW_DUNGEON_TILE_FIELDS(F, S)                                                           \
    F(S, REQUIRED, TEXT, key, (12, 3, 11), "x,y")                                              \
    F(S, REQUIRED, BOOLS, openings, (4), "top, right, bottom, left")                           \
    F(S, REQUIRED, ENUM, kind, (bw_dungeon_kind_names), "the start is a fountain too")         \
    F(S, NULLABLE, STRUCT, monster, (bw_dungeon_foe), "who lives here")                        \
    F(S, NULLABLE, ENUM, loot, (bw_dungeon_item_names), "what lies here; chest: a locked one") \
    F(S, NULLABLE, ENUM, guards, (bw_dungeon_item_names), "what the monster here would leave")
BW_STRUCT(bw_dungeon_tile_view, BW_DUNGEON_TILE_FIELDS);

#define BW_DUNGEON_INFO_FIELDS(F, S)                                                                  \
    F(S, REQUIRED, TEXT, key, (8, 7, 7), "role")                                                      \
    F(S, REQUIRED, INT, x, (int16_t, -99, 99), "column")                                              \
    F(S, REQUIRED, INT, y, (int16_t, -99, 99), "row")                                                 \
    F(S, REQUIRED, INT, hp, (uint8_t, 0, 20), "hit points")                                           \
    F(S, REQUIRED, ENUMS, weapons, (bw_dungeon_item_names, BW_DUNGEON_WEAPONS_MAX), "two at most")    \
    F(S, REQUIRED, ENUMS, spells, (bw_dungeon_item_names, BW_DUNGEON_SPELLS_MAX), "three at most")    \
    F(S, REQUIRED, INT, keys, (uint8_t, 0, BW_DUNGEON_KEYS_MAX), "one at most")                       \
    F(S, REQUIRED, ENUMS, treasures, (bw_dungeon_item_names, BW_DUNGEON_TREASURES_MAX), "any number") \
    F(S, REQUIRED, INT, points, (uint8_t, 0, 27), "victory points")                                   \
    F(S, REQUIRED, BOOL, stunned, (), "the next turn is skipped")                                     \
    F(S, REQUIRED, BOOL, resigned, (), "has left the turn order")
BW_STRUCT(bw_dungeon_info, BW_DUNGEON_INFO_FIELDS);

#define BW_DUNGEON_WAITING_FIELDS(F, S)                                                                 \
    F(S, REQUIRED, BOOLS, openings, (4), "top, right, bottom, left, unturned")                          \
    F(S, REQUIRED, INTS, rotations, (uint8_t, 0, 3, 4), "quarter turns clockwise that `place` accepts") \
    F(S, REQUIRED, STRUCT, cell, (bw_dungeon_cell), "where it will go")                                 \
    F(S, REQUIRED, ENUM, kind, (bw_dungeon_kind_names), "its kind")
BW_STRUCT(bw_dungeon_waiting, BW_DUNGEON_WAITING_FIELDS);

#define BW_DUNGEON_FIGHT_FIELDS(F, S)                                                         \
    F(S, REQUIRED, ENUM, monster, (bw_dungeon_monster_names), "whom")                         \
    F(S, REQUIRED, INT, hp, (uint8_t, 1, 15), "the monster's")                                \
    F(S, REQUIRED, INTS, dice, (uint8_t, 1, 6, 2), "as rolled")                               \
    F(S, REQUIRED, INT, damage, (uint8_t, 2, 21), "dice and weapons")                         \
    F(S, REQUIRED, INT, needed, (uint8_t, 1, 14), "fireballs that would win, carried or not") \
    F(S, REQUIRED, STRUCT, from, (bw_dungeon_cell), "where a retreat leads")
BW_STRUCT(bw_dungeon_fight, BW_DUNGEON_FIGHT_FIELDS);

#define BW_DUNGEON_VIEW_FIELDS(F, S)                                                                             \
    F(S, REQUIRED, MAP, tiles, (bw_dungeon_tile_view, BW_DUNGEON_TILES), "every placed tile, by cell")           \
    F(S, REQUIRED, MAP, players_info, (bw_dungeon_info, BW_DUNGEON_PLAYERS), "everyone who plays")               \
    F(S, REQUIRED, INT, turn_number, (uint32_t, 0, 4294967295), "turns of all players, skipped ones too")        \
    F(S, REQUIRED, INT, actions_left, (uint8_t, 0, 10), "moves left in this turn")                               \
    F(S, REQUIRED, INT, deck_left, (uint8_t, 0, 99), "tiles to be drawn")                                        \
    F(S, REQUIRED, INT, rooms_left, (uint8_t, 0, 61), "rooms among them; null before the start")                 \
    F(S, NULLABLE, INT, torches, (uint8_t, 0, 200),                                                              \
      "turns left for each player after this one; null while there is something to explore, or without a limit") \
    F(S, NULLABLE, ENUM, awaiting, (bw_dungeon_awaiting_names), "what has to be settled first")                  \
    F(S, NULLABLE, STRUCT, waiting_tile, (bw_dungeon_waiting), "drawn, not yet placed")                          \
    F(S, NULLABLE, STRUCT, battle, (bw_dungeon_fight), "open: fireballs may be used")                            \
    F(S, NULLABLE, STRUCT, dragon, (bw_dungeon_cell), "where it was found")                                      \
    F(S, NULLABLE, ENUM, to_move, (bw_dungeon_role_names), "whose turn it is; null when it is over")             \
    F(S, NULLABLE, ENUM, lit_by, (bw_dungeon_role_names), "the player at whose turns the torches burn down")
BW_STRUCT(bw_dungeon_view, BW_DUNGEON_VIEW_FIELDS);

/* ---- statistics ---- */

#define BW_DUNGEON_TALLY_FIELDS(F, S)            \
    F(S, REQUIRED, TEXT, key, (8, 7, 7), "role") \
    F(S, REQUIRED, INT, value, (uint16_t, 0, 65535), "how many")
BW_STRUCT(bw_dungeon_tally, BW_DUNGEON_TALLY_FIELDS);

#define BW_DUNGEON_STATS_FIELDS(F, S)                                                                  \
    F(S, REQUIRED, INT, turns, (uint32_t, 0, 4294967295), "turns of all players, skipped ones too")    \
    F(S, REQUIRED, MAP, points, (bw_dungeon_tally, BW_DUNGEON_PLAYERS), "victory points")              \
    F(S, NULLABLE, ENUM, slayer, (bw_dungeon_role_names), "who beat the dragon")                       \
    F(S, REQUIRED, MAP, hp_lost, (bw_dungeon_tally, BW_DUNGEON_PLAYERS), "hit points lost in battles") \
    F(S, OPTIONAL, BOOL, by_absence, (), "who won because all others were away too long")
BW_STRUCT(bw_dungeon_stats, BW_DUNGEON_STATS_FIELDS);

#endif
