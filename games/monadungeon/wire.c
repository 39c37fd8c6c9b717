/* The tables behind wire.h. */
#include "games/monadungeon/wire.h"

#include "engine/game.h"

BW_NAMES(bw_dungeon_role, BW_DUNGEON_ROLES);
BW_NAMES(bw_dungeon_kind, BW_DUNGEON_KINDS);
BW_NAMES(bw_dungeon_monster, BW_DUNGEON_MONSTERS);
BW_NAMES(bw_dungeon_item, BW_DUNGEON_ITEMS);
BW_NAMES(bw_dungeon_spell, BW_DUNGEON_SPELLS);
BW_NAMES(bw_dungeon_awaiting, BW_DUNGEON_AWAITING);
BW_NAMES(bw_dungeon_gates, BW_DUNGEON_GATES);
BW_NAMES(bw_dungeon_way, BW_DUNGEON_WAYS);

BW_SCHEMA(bw_dungeon_config, BW_DUNGEON_CONFIG_FIELDS, "settings of Monadungeon");

BW_SCHEMA(bw_dungeon_cell, BW_DUNGEON_CELL_FIELDS, "a cell; y grows downward");
BW_SCHEMA(bw_dungeon_to, BW_DUNGEON_TO_FIELDS, "where to");
BW_SCHEMA(bw_dungeon_place, BW_DUNGEON_PLACE_FIELDS, "how the waiting tile is turned");
BW_SCHEMA(bw_dungeon_fireballs, BW_DUNGEON_FIREBALLS_FIELDS, "how an open battle is settled");
BW_SCHEMA(bw_dungeon_pick_up, BW_DUNGEON_PICK_UP_FIELDS, "what is dropped for the loot");
BW_SCHEMA(bw_dungeon_cast, BW_DUNGEON_CAST_FIELDS, "a spell");
BW_UNION(bw_dungeon_action, BW_DUNGEON_ACTIONS);

BW_SCHEMA(bw_dungeon_drawn, BW_DUNGEON_DRAWN_FIELDS, "a drawn tile");
BW_SCHEMA(bw_dungeon_placed, BW_DUNGEON_PLACED_FIELDS, "a tile was placed");
BW_SCHEMA(bw_dungeon_moved, BW_DUNGEON_MOVED_FIELDS, "a way");
BW_SCHEMA(bw_dungeon_started, BW_DUNGEON_STARTED_FIELDS, "a battle, before fireballs");
BW_SCHEMA(bw_dungeon_fought, BW_DUNGEON_FOUGHT_FIELDS, "a battle, settled");
BW_SCHEMA(bw_dungeon_got, BW_DUNGEON_GOT_FIELDS, "an item");
BW_SCHEMA(bw_dungeon_opened, BW_DUNGEON_OPENED_FIELDS, "a chest");
BW_SCHEMA(bw_dungeon_casted, BW_DUNGEON_CASTED_FIELDS, "a spell");
BW_SCHEMA(bw_dungeon_health, BW_DUNGEON_HEALTH_FIELDS, "hit points");
BW_SCHEMA(bw_dungeon_who, BW_DUNGEON_WHO_FIELDS, "a player");
BW_UNION(bw_dungeon_event, BW_DUNGEON_EVENTS);

BW_SCHEMA(bw_dungeon_foe, BW_DUNGEON_FOE_FIELDS, "a living monster");
BW_SCHEMA(bw_dungeon_tile_view, BW_DUNGEON_TILE_FIELDS, "a placed tile");
BW_SCHEMA(bw_dungeon_info, BW_DUNGEON_INFO_FIELDS, "a player");
BW_SCHEMA(bw_dungeon_waiting, BW_DUNGEON_WAITING_FIELDS, "a drawn tile");
BW_SCHEMA(bw_dungeon_fight, BW_DUNGEON_FIGHT_FIELDS, "an open battle");
BW_SCHEMA(bw_dungeon_view, BW_DUNGEON_VIEW_FIELDS, "what everyone sees of the dungeon");

BW_SCHEMA(bw_dungeon_tally, BW_DUNGEON_TALLY_FIELDS, "a number for a role");
BW_SCHEMA(bw_dungeon_stats, BW_DUNGEON_STATS_FIELDS, "how it went");
