/* The protocol of the rooms, each message declared once: what clients send, and what they receive.
 *
 * A client's message is an object with `type`, the fields below, and perhaps `id`. `configure` contains the game's
 * own settings, and a game's actions are messages too. docs/PROTOCOL.md is generated from these lists. */
#ifndef BW_MESSAGES_H
#define BW_MESSAGES_H

#include "engine/json.h"
#include "rooms/errors.h"
#include "rooms/room/records.h"

enum {
    BW_MESSAGE_MAX = 4096, /* the most bytes in a client's message */
    BW_ROLE_TEXT = 24,
    BW_SENTENCE = 480,
};

/* ---- client to server ---- */

#define BW_RESUME_FIELDS(F, S)                                                \
    F(S, REQUIRED, TEXT, token, (65, 1, 64), "the token that opens the seat") \
    F(S, OPTIONAL, INT, since, (int64_t, 0, BW_ID_MAX), "the last seq seen; the updates after it are sent again")
BW_STRUCT(bw_resume, BW_RESUME_FIELDS);

#define BW_SELECT_ROLE_FIELDS(F, S)                                                            \
    F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "a free role of the game") \
    F(S, OPTIONAL, TEXT, name, (4 * BW_NAME_MAX + 1, 1, BW_NAME_MAX), "the player's name")     \
    F(S, OPTIONAL, BOOL, reserve, (), "reserve the seat for this token for a while after a disconnect")
BW_STRUCT(bw_select_role, BW_SELECT_ROLE_FIELDS);

#define BW_ADD_BOT_FIELDS(F, S)                                                                \
    F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "a free role of the game") \
    F(S, REQUIRED, TEXT, level, (16, 1, 15), "one of the game's bot levels")
BW_STRUCT(bw_add_bot, BW_ADD_BOT_FIELDS);

#define BW_STAND_IN_FIELDS(F, S)                                                                                       \
    F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "the role of a player who has been away for long") \
    F(S, REQUIRED, TEXT, level, (16, 1, 15), "one of the game's bot levels")
BW_STRUCT(bw_stand_in, BW_STAND_IN_FIELDS);

#define BW_REACTIONS(E)           \
    E(BW_REACTION_WAVE, "wave")   \
    E(BW_REACTION_CLAP, "clap")   \
    E(BW_REACTION_LAUGH, "laugh") \
    E(BW_REACTION_THINK, "think") \
    E(BW_REACTION_OOPS, "oops")   \
    E(BW_REACTION_HEART, "heart")
BW_ENUM(bw_reaction, BW_REACTIONS);

#define BW_REACT_FIELDS(F, S) F(S, REQUIRED, ENUM, reaction, (bw_reaction_names), "which")
BW_STRUCT(bw_react, BW_REACT_FIELDS);

#define BW_REMOVE_BOT_FIELDS(F, S) \
    F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "a role that a bot holds")
BW_STRUCT(bw_remove_bot, BW_REMOVE_BOT_FIELDS);

#define BW_ASK_REMATCH_FIELDS(F, S)                      \
    F(S, OPTIONAL, BOOL, swap, (), "with swapped roles") \
    F(S, OPTIONAL, BOOL, cancel, (), "withdraws one's own proposal or agreement")
BW_STRUCT(bw_ask_rematch, BW_ASK_REMATCH_FIELDS);

#define BW_RENAME_FIELDS(F, S) \
    F(S, REQUIRED, TEXT, name, (4 * BW_NAME_MAX + 1, 0, BW_NAME_MAX), "the player's name; empty: no name")
BW_STRUCT(bw_rename, BW_RENAME_FIELDS);

#define BW_PING_FIELDS(F, S) F(S, REQUIRED, INT, t, (int64_t, -BW_ID_MAX, BW_ID_MAX), "returned in pong")
BW_STRUCT(bw_ping, BW_PING_FIELDS);

#define BW_CLIENT_MESSAGES(C)                                                                         \
    C(BW_SAY_RESUME, resume, "resume", bw_resume, 0, "a returning player takes their seat")           \
    C(BW_SAY_SELECT_ROLE, select_role, "select_role", bw_select_role, 0, "takes a free role")         \
    C(BW_SAY_LEAVE_ROLE, leave_role, "leave_role", bw_nothing, 0, "gives the role up")                \
    C(BW_SAY_CONFIGURE, configure, "configure", bw_nothing, 0,                                        \
      "changes settings before the start: any of the game's own, at the top level")                   \
    C(BW_SAY_START, start, "start", bw_nothing, 0, "starts the game")                                 \
    C(BW_SAY_ADD_BOT, add_bot, "add_bot", bw_add_bot, 0, "a bot takes a free role, before the start") \
    C(BW_SAY_REMOVE_BOT, remove_bot, "remove_bot", bw_remove_bot, 0, "frees a bot's role")            \
    C(BW_SAY_RESIGN, resign, "resign", bw_nothing, 0, "gives up")                                     \
    C(BW_SAY_REMATCH, rematch, "rematch", bw_ask_rematch, 0, "proposes a rematch, or agrees to it")   \
    C(BW_SAY_RENAME, rename, "rename", bw_rename, 0, "changes one's own name, at any time")           \
    C(BW_SAY_READY, ready, "ready", bw_nothing, 0,                                                    \
      "in games that wait for players: the clock need not wait for this one")                         \
    C(BW_SAY_STAND_IN, stand_in, "stand_in", bw_stand_in, 0,                                          \
      "the only player present has a bot play for one who has been away for AWAY_SECONDS, "           \
      "until that player returns")                                                                    \
    C(BW_SAY_CLAIM, claim, "claim", bw_nothing, 0,                                                    \
      "the only player present ends the game: the others, away for 180 seconds, give up")             \
    C(BW_SAY_REACT, react, "react", bw_react, 0, "shows a reaction to everybody present; not stored") \
    C(BW_SAY_PING, ping, "ping", bw_ping, 0, "asks for pong and the server's time")
BW_TAGGED(bw_client_message, BW_CLIENT_MESSAGES);

/* ---- state ---- */

#define BW_ROLE_FLAG_FIELDS(F, S)                                          \
    F(S, REQUIRED, TEXT, key, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "role") \
    F(S, REQUIRED, BOOL, value, (), "somebody is connected with that role")
BW_STRUCT(bw_role_flag, BW_ROLE_FLAG_FIELDS);

#define BW_ROLE_NAME_FIELDS(F, S)                                          \
    F(S, REQUIRED, TEXT, key, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "role") \
    F(S, REQUIRED, TEXT, value, (4 * BW_NAME_MAX + 1, 1, BW_NAME_MAX), "name")
BW_STRUCT(bw_role_name, BW_ROLE_NAME_FIELDS);

#define BW_ROLE_LEVEL_FIELDS(F, S)                                         \
    F(S, REQUIRED, TEXT, key, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "role") \
    F(S, REQUIRED, TEXT, value, (16, 1, 15), "the bot's level")
BW_STRUCT(bw_role_level, BW_ROLE_LEVEL_FIELDS);

/* Every game's `state` starts with these; the game's own view follows. */
#define BW_STATE_FIELDS(F, S)                                                                                     \
    F(S, REQUIRED, TEXT, room_id, (BW_ROOM_ID_MAX + 1, 4, BW_ROOM_ID_MAX), "the room")                            \
    F(S, REQUIRED, TEXT, game, (32, 1, 31), "the game's id")                                                      \
    F(S, REQUIRED, INT, rules_version, (int32_t, 0, 65535), "the version of the rules in this room")              \
    F(S, REQUIRED, ENUM, game_status, (bw_status_names), "the room's status")                                     \
    F(S, REQUIRED, MAP, players, (bw_role_flag, BW_SEATS_MAX), "for each role: is somebody connected")            \
    F(S, REQUIRED, MAP, names, (bw_role_name, BW_SEATS_MAX), "what players call themselves")                      \
    F(S, REQUIRED, MAP, bots, (bw_role_level, BW_SEATS_MAX), "roles held by bots, with their level")              \
    F(S, REQUIRED, INT, spectators, (uint32_t, 0, 1000000), "number of spectators")                               \
    F(S, REQUIRED, BOOL, paused, (), "the game waits for a player to return")                                     \
    F(S, NULLABLE, TEXT, current_role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "whose turn; null: several, or none") \
    F(S, REQUIRED, INT, current_turn, (uint32_t, 0, UINT32_MAX), "day, turn, moves or round; 0 before the start") \
    F(S, REQUIRED, RAW, winner, ("string | string[] | null"), "a role, several, or nobody")                       \
    F(S, REQUIRED, RAW, config, ("object"), "the game's settings")                                                \
    F(S, REQUIRED, INT, created_at, (int64_t, 0, BW_ID_MAX), "ms since the epoch")                                \
    F(S, NULLABLE, INT, started_at, (int64_t, 0, BW_ID_MAX), "ms since the epoch")                                \
    F(S, NULLABLE, INT, ended_at, (int64_t, 0, BW_ID_MAX), "ms since the epoch")                                  \
    F(S, NULLABLE, BYTES, seed_hash, (32), "SHA-256 of the game's seed, from the start")
BW_STRUCT(bw_state, BW_STATE_FIELDS);

/* Games of rounds: the clock, after the game's own fields. */
#define BW_STATE_CLOCK_FIELDS(F, S)                                                                     \
    F(S, REQUIRED, INT, server_time, (int64_t, 0, BW_ID_MAX), "ms since the epoch, when this was sent") \
    F(S, NULLABLE, INT, next_round_at, (int64_t, 0, BW_ID_MAX), "ms since the epoch; null: the clock is stopped")
BW_STRUCT(bw_state_clock, BW_STATE_CLOCK_FIELDS);

/* Games of rounds: getting ready, after the clock. */
#define BW_STATE_READY_FIELDS(F, S)                                                                        \
    F(S, REQUIRED, MAP, ready, (bw_role_flag, BW_SEATS_MAX), "for each role: is it ready; bots are")       \
    F(S, NULLABLE, INT, ready_until, (int64_t, 0, BW_ID_MAX),                                              \
      "ms since the epoch: the latest start of the clock; null: it runs, or waits for a seat to be taken") \
    F(S, NULLABLE, INT, clock_started_at, (int64_t, 0, BW_ID_MAX), "ms since the epoch; null: it has not")
BW_STRUCT(bw_state_ready, BW_STATE_READY_FIELDS);

/* ---- server to client ---- */

#define BW_ROOM_STATE_FIELDS(F, S)                                                                       \
    F(S, REQUIRED, INT, seq, (int64_t, 0, BW_ID_MAX), "increases with every change that everybody sees") \
    F(S, REQUIRED, RAW, state, ("State"), "the whole state")                                             \
    F(S, REQUIRED, RAW, you, ("You"), "the viewer's own role, token and drafts")
BW_STRUCT(bw_room_state, BW_ROOM_STATE_FIELDS);

#define BW_GAME_UPDATE_FIELDS(F, S)                                                                      \
    F(S, REQUIRED, INT, seq, (int64_t, 0, BW_ID_MAX), "increases with every change that everybody sees") \
    F(S, REQUIRED, RAW, events, ("Event[]"), "what happened, in order")                                  \
    F(S, REQUIRED, RAW, changes, ("object"), "merge patch on state; null sets a field to null")          \
    F(S, OPTIONAL, RAW, you, ("Partial<You>"), "the viewer's own drafts, if they changed")
BW_STRUCT(bw_game_update, BW_GAME_UPDATE_FIELDS);

#define BW_GAME_OVER_FIELDS(F, S)                                                            \
    F(S, REQUIRED, INT, seq, (int64_t, 0, BW_ID_MAX), "as in game_update")                   \
    F(S, REQUIRED, RAW, winner, ("string | string[] | null"), "a role, several, or nobody")  \
    F(S, REQUIRED, RAW, stats, ("object"), "the game's statistics")                          \
    F(S, REQUIRED, BYTES, seed, (32), "hexadecimal; its SHA-256 was published at the start") \
    F(S, REQUIRED, TEXT, replay_id, (BW_REPLAY_ID_MAX + 1, 1, BW_REPLAY_ID_MAX), "the address of the replay")
BW_STRUCT(bw_game_over, BW_GAME_OVER_FIELDS);

#define BW_ACK_FIELDS(F, S)                                           \
    F(S, REQUIRED, INT, id, (int64_t, 1, BW_ID_MAX), "the message's") \
    F(S, REQUIRED, INT, seq, (int64_t, 0, BW_ID_MAX), "seq of the update with its effect")
BW_STRUCT(bw_ack, BW_ACK_FIELDS);

#define BW_ERROR_FIELDS(F, S)                                                                                \
    F(S, REQUIRED, ENUM, code, (bw_error_code_names), "for programs")                                        \
    F(S, REQUIRED, TEXT, message, (BW_SENTENCE, 1, BW_SENTENCE - 1), "for people: says what would be right") \
    F(S, OPTIONAL, INT, id, (int64_t, 1, BW_ID_MAX), "the message's id, if it had one")
BW_STRUCT(bw_error, BW_ERROR_FIELDS);

#define BW_ROLE_NEWS_FIELDS(F, S) F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "whose")
BW_STRUCT(bw_role_news, BW_ROLE_NEWS_FIELDS);

#define BW_REMATCH_OFFERED_FIELDS(F, S)                                                       \
    F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "who proposes or agrees") \
    F(S, REQUIRED, BOOL, swap, (), "with swapped roles")                                      \
    F(S, OPTIONAL, BOOL, cancel, (), "it was withdrawn")
BW_STRUCT(bw_rematch_offered, BW_REMATCH_OFFERED_FIELDS);

#define BW_REMATCH_FIELDS(F, S)                                                                \
    F(S, REQUIRED, TEXT, room_id, (BW_ROOM_ID_MAX + 1, 4, BW_ROOM_ID_MAX), "the new room")     \
    F(S, OPTIONAL, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "the viewer's seat there") \
    F(S, OPTIONAL, BYTES, token, (BW_TOKEN_BYTES), "the token for resume")
BW_STRUCT(bw_rematch, BW_REMATCH_FIELDS);

#define BW_REACTED_FIELDS(F, S)                                                   \
    F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "who reacts") \
    F(S, REQUIRED, ENUM, reaction, (bw_reaction_names), "how")
BW_STRUCT(bw_reacted, BW_REACTED_FIELDS);

#define BW_READERS(E)                        \
    E(BW_READ_BY_INTERPRETER, "interpreter") \
    E(BW_READ_BY_MODEL, "model")
BW_ENUM(bw_reader, BW_READERS);

#define BW_ORDERS_RESULT_FIELDS(F, S)                                                                              \
    F(S, REQUIRED, INT, round, (uint32_t, 0, UINT32_MAX), "the next round")                                        \
    F(S, REQUIRED, RAW, commands, ("object[]"), "the orders that were understood and are legal")                   \
    F(S, REQUIRED, TEXT, summary, (BW_SENTENCE, 0, BW_SENTENCE - 1), "a summary of them")                          \
    F(S, REQUIRED, BOOL, understood, (), "the whole text was understood, even if it leads to no order")            \
    F(S, REQUIRED, ENUM, by, (bw_reader_names), "who understood it: the built-in interpreter or a language model") \
    F(S, NULLABLE, TEXT, error, (BW_SENTENCE, 0, BW_SENTENCE - 1),                                                 \
      "what was not understood or is impossible, and what would be right")
BW_STRUCT(bw_orders_result, BW_ORDERS_RESULT_FIELDS);

#define BW_PONG_FIELDS(F, S)                                                  \
    F(S, REQUIRED, INT, t, (int64_t, -BW_ID_MAX, BW_ID_MAX), "from the ping") \
    F(S, REQUIRED, INT, server_time, (int64_t, 0, BW_ID_MAX), "ms since the epoch")
BW_STRUCT(bw_pong, BW_PONG_FIELDS);

#define BW_ROOM_CLOSED_FIELDS(F, S) F(S, REQUIRED, TEXT, reason, (BW_SENTENCE, 1, BW_SENTENCE - 1), "why")
BW_STRUCT(bw_room_closed, BW_ROOM_CLOSED_FIELDS);

#define BW_SERVER_MESSAGES(C)                                                                                     \
    C(BW_TELL_ROOM_STATE, room_state, "room_state", bw_room_state, 0,                                             \
      "on connecting, on any change of seats, settings or status, and on resume")                                 \
    C(BW_TELL_GAME_UPDATE, game_update, "game_update", bw_game_update, 0, "something happened in the game")       \
    C(BW_TELL_GAME_OVER, game_over, "game_over", bw_game_over, 0, "the game has ended")                           \
    C(BW_TELL_ACK, ack, "ack", bw_ack, 0, "the message of that id took effect and is durable")                    \
    C(BW_TELL_ERROR, error, "error", bw_error, 0, "a message was refused; nothing has changed")                   \
    C(BW_TELL_DISCONNECTED, player_disconnected, "player_disconnected", bw_role_news, 0, "a player is away")      \
    C(BW_TELL_RECONNECTED, player_reconnected, "player_reconnected", bw_role_news, 0, "a player is back")         \
    C(BW_TELL_REMATCH_OFFERED, rematch_offered, "rematch_offered", bw_rematch_offered, 0,                         \
      "a player proposes a rematch, agrees, or withdraws that")                                                   \
    C(BW_TELL_REMATCH, rematch, "rematch", bw_rematch, 0, "a rematch: the room, and the seat there")              \
    C(BW_TELL_REACT, react, "react", bw_reacted, 0, "a player reacts")                                            \
    C(BW_TELL_ORDERS_RESULT, orders_result, "orders_result", bw_orders_result, 0, "the result of orders as text") \
    C(BW_TELL_PONG, pong, "pong", bw_pong, 0, "answers ping")                                                     \
    C(BW_TELL_ROOM_CLOSED, room_closed, "room_closed", bw_room_closed, 0, "the room is gone")
BW_TAGGED(bw_server_message, BW_SERVER_MESSAGES);

#endif
