#include "rooms/view/messages.h"

BW_SCHEMA(bw_resume, BW_RESUME_FIELDS, "a returning player");
BW_SCHEMA(bw_select_role, BW_SELECT_ROLE_FIELDS, "taking a role");
BW_SCHEMA(bw_add_bot, BW_ADD_BOT_FIELDS, "a bot for a role");
BW_SCHEMA(bw_remove_bot, BW_REMOVE_BOT_FIELDS, "a bot's role");
BW_SCHEMA(bw_ask_rematch, BW_ASK_REMATCH_FIELDS, "a rematch");
BW_NAMES(bw_reaction, BW_REACTIONS);
BW_SCHEMA(bw_stand_in, BW_STAND_IN_FIELDS, "a bot for an absent player");
BW_SCHEMA(bw_react, BW_REACT_FIELDS, "a reaction");
BW_SCHEMA(bw_reacted, BW_REACTED_FIELDS, "somebody's reaction");
BW_SCHEMA(bw_rename, BW_RENAME_FIELDS, "a new name");
BW_SCHEMA(bw_ping, BW_PING_FIELDS, "a question for the time");
BW_UNION(bw_client_message, BW_CLIENT_MESSAGES);

BW_SCHEMA(bw_role_flag, BW_ROLE_FLAG_FIELDS, "a role and whether somebody is there");
BW_SCHEMA(bw_role_name, BW_ROLE_NAME_FIELDS, "a role and its player's name");
BW_SCHEMA(bw_role_level, BW_ROLE_LEVEL_FIELDS, "a role and its bot's level");
BW_SCHEMA(bw_state, BW_STATE_FIELDS, "what everybody sees of a room; the game's own fields follow");
BW_SCHEMA(bw_state_clock, BW_STATE_CLOCK_FIELDS, "the clock of a game of rounds");
BW_SCHEMA(bw_state_ready, BW_STATE_READY_FIELDS, "what the clock of a game of rounds waits for");

BW_NAMES(bw_error_code, BW_ERROR_CODES);
BW_SCHEMA(bw_room_state, BW_ROOM_STATE_FIELDS, "the whole state");
BW_SCHEMA(bw_game_update, BW_GAME_UPDATE_FIELDS, "what happened, and what it changed");
BW_SCHEMA(bw_game_over, BW_GAME_OVER_FIELDS, "the result");
BW_SCHEMA(bw_ack, BW_ACK_FIELDS, "done");
BW_SCHEMA(bw_error, BW_ERROR_FIELDS, "refused");
BW_SCHEMA(bw_role_news, BW_ROLE_NEWS_FIELDS, "news of a player");
BW_SCHEMA(bw_rematch_offered, BW_REMATCH_OFFERED_FIELDS, "a proposal");
BW_SCHEMA(bw_rematch, BW_REMATCH_FIELDS, "the new room");
BW_NAMES(bw_reader, BW_READERS);
BW_SCHEMA(bw_orders_result, BW_ORDERS_RESULT_FIELDS, "the result of orders as text");
BW_SCHEMA(bw_pong, BW_PONG_FIELDS, "the time");
BW_SCHEMA(bw_room_closed, BW_ROOM_CLOSED_FIELDS, "a room's end");
BW_UNION(bw_server_message, BW_SERVER_MESSAGES);
