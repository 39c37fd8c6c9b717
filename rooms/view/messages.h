/* The words of the rooms, each declared once: what clients send, and what they are sent.
 *
 * A client's message is an object with `type`, the fields below, and perhaps `id`. `configure` takes the
 * game's own settings, and a game's actions are messages too. Words: docs/PROTOCOL.md, which is generated
 * from these lists. */
#ifndef BW_MESSAGES_H
#define BW_MESSAGES_H

#include "engine/json.h"
#include "rooms/errors.h"
#include "rooms/room/records.h"

enum {
    BW_MESSAGE_MAX = 4096, /* bytes of a client's message */
    BW_ROLE_TEXT = 24,
    BW_SENTENCE = 480,
};

/* ---- client to server ---- */

#define BW_RESUME_FIELDS(F, S)                                                \
    F(S, REQUIRED, TEXT, token, (65, 1, 64), "the token that opens the seat") \
    F(S, OPTIONAL, INT, since, (int64_t, 0, BW_ID_MAX), "the last seq seen: what was missed follows")
BW_STRUCT(bw_resume, BW_RESUME_FIELDS);

#define BW_SELECT_ROLE_FIELDS(F, S)                                                                    \
    F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "a role of the game that is free") \
    F(S, OPTIONAL, TEXT, name, (4 * BW_NAME_MAX + 1, 1, BW_NAME_MAX), "what others call the player")   \
    F(S, OPTIONAL, BOOL, reserve, (), "keep the seat for my token a while after a disconnect")
BW_STRUCT(bw_select_role, BW_SELECT_ROLE_FIELDS);

#define BW_ADD_BOT_FIELDS(F, S)                                                                        \
    F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "a role of the game that is free") \
    F(S, REQUIRED, TEXT, level, (16, 1, 15), "one of the game's bot levels")
BW_STRUCT(bw_add_bot, BW_ADD_BOT_FIELDS);

#define BW_STAND_IN_FIELDS(F, S)                                                                                   \
    F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "the role of a player who has been away long") \
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

#define BW_ASK_REMATCH_FIELDS(F, S)                                \
    F(S, OPTIONAL, BOOL, swap, (), "with the roles changed round") \
    F(S, OPTIONAL, BOOL, cancel, (), "takes the own proposal or agreement back")
BW_STRUCT(bw_ask_rematch, BW_ASK_REMATCH_FIELDS);

#define BW_RENAME_FIELDS(F, S) \
    F(S, REQUIRED, TEXT, name, (4 * BW_NAME_MAX + 1, 0, BW_NAME_MAX), "what others call the player; empty: no name")
BW_STRUCT(bw_rename, BW_RENAME_FIELDS);

#define BW_PING_FIELDS(F, S) F(S, REQUIRED, INT, t, (int64_t, -BW_ID_MAX, BW_ID_MAX), "comes back in pong")
BW_STRUCT(bw_ping, BW_PING_FIELDS);

#define BW_CLIENT_MESSAGES(C)                                                                                   \
    C(BW_SAY_RESUME, resume, "resume", bw_resume, 0, "a returning player takes the seat back")                  \
    C(BW_SAY_SELECT_ROLE, select_role, "select_role", bw_select_role, 0, "takes a free role")                   \
    C(BW_SAY_LEAVE_ROLE, leave_role, "leave_role", bw_nothing, 0, "gives the role up")                          \
    C(BW_SAY_CONFIGURE, configure, "configure", bw_nothing, 0,                                                  \
      "changes settings before the start: any of the game's own, at the top level")                             \
    C(BW_SAY_START, start, "start", bw_nothing, 0, "starts the game")                                           \
    C(BW_SAY_ADD_BOT, add_bot, "add_bot", bw_add_bot, 0, "a bot takes a free role, before the start")           \
    C(BW_SAY_REMOVE_BOT, remove_bot, "remove_bot", bw_remove_bot, 0, "frees a bot's role")                      \
    C(BW_SAY_RESIGN, resign, "resign", bw_nothing, 0, "gives up")                                               \
    C(BW_SAY_REMATCH, rematch, "rematch", bw_ask_rematch, 0, "proposes another game, or agrees to it")          \
    C(BW_SAY_RENAME, rename, "rename", bw_rename, 0, "changes the own name, at any time")                       \
    C(BW_SAY_READY, ready, "ready", bw_nothing, 0, "in a game that gets ready: the clock need not wait for me") \
    C(BW_SAY_STAND_IN, stand_in, "stand_in", bw_stand_in, 0,                                                    \
      "the only player who is there lets a bot play on for one who has been away for AWAY_SECONDS, "            \
      "until that one's token comes back")                                                                      \
    C(BW_SAY_CLAIM, claim, "claim", bw_nothing, 0,                                                              \
      "the only player who is there ends the game: the others, away for 180 seconds, give up")                  \
    C(BW_SAY_REACT, react, "react", bw_react, 0, "shows a reaction to all who are there; not stored")           \
    C(BW_SAY_PING, ping, "ping", bw_ping, 0, "asks for pong and the server's time")
BW_TAGGED(bw_client_message, BW_CLIENT_MESSAGES);

/* ---- state ---- */

#define BW_ROLE_FLAG_FIELDS(F, S)                                          \
    F(S, REQUIRED, TEXT, key, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "role") \
    F(S, REQUIRED, BOOL, value, (), "somebody is connected on that role")
BW_STRUCT(bw_role_flag, BW_ROLE_FLAG_FIELDS);

#define BW_ROLE_NAME_FIELDS(F, S)                                          \
    F(S, REQUIRED, TEXT, key, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "role") \
    F(S, REQUIRED, TEXT, value, (4 * BW_NAME_MAX + 1, 1, BW_NAME_MAX), "name")
BW_STRUCT(bw_role_name, BW_ROLE_NAME_FIELDS);

#define BW_ROLE_LEVEL_FIELDS(F, S)                                         \
    F(S, REQUIRED, TEXT, key, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "role") \
    F(S, REQUIRED, TEXT, value, (16, 1, 15), "the bot's level")
BW_STRUCT(bw_role_level, BW_ROLE_LEVEL_FIELDS);

/* Every game's `state` opens with these; the game's own view follows. */
#define BW_STATE_FIELDS(F, S)                                                                                     \
    F(S, REQUIRED, TEXT, room_id, (BW_ROOM_ID_MAX + 1, 4, BW_ROOM_ID_MAX), "the room")                            \
    F(S, REQUIRED, TEXT, game, (32, 1, 31), "the game's id")                                                      \
    F(S, REQUIRED, INT, rules_version, (int32_t, 0, 65535), "the rules that this room plays by")                  \
    F(S, REQUIRED, ENUM, game_status, (bw_status_names), "where the room stands")                                 \
    F(S, REQUIRED, MAP, players, (bw_role_flag, BW_SEATS_MAX), "for each role: is somebody connected")            \
    F(S, REQUIRED, MAP, names, (bw_role_name, BW_SEATS_MAX), "what players call themselves")                      \
    F(S, REQUIRED, MAP, bots, (bw_role_level, BW_SEATS_MAX), "roles held by bots, with their level")              \
    F(S, REQUIRED, INT, spectators, (uint32_t, 0, 1000000), "how many look on")                                   \
    F(S, REQUIRED, BOOL, paused, (), "waiting for a player to return")                                            \
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
    F(S, NULLABLE, INT, next_round_at, (int64_t, 0, BW_ID_MAX), "ms since the epoch; null: the clock rests")
BW_STRUCT(bw_state_clock, BW_STATE_CLOCK_FIELDS);

/* Games of rounds: getting ready, behind the clock. */
#define BW_STATE_READY_FIELDS(F, S)                                                                              \
    F(S, REQUIRED, MAP, ready, (bw_role_flag, BW_SEATS_MAX), "for each role: is it ready; bots are")             \
    F(S, NULLABLE, INT, ready_until, (int64_t, 0, BW_ID_MAX),                                                    \
      "ms since the epoch: the clock starts then at the latest; null: it runs, or waits for a seat to be taken") \
    F(S, NULLABLE, INT, clock_started_at, (int64_t, 0, BW_ID_MAX), "ms since the epoch; null: it has not")
BW_STRUCT(bw_state_ready, BW_STATE_READY_FIELDS);

/* ---- server to client ---- */

#define BW_ROOM_STATE_FIELDS(F, S)                                                                   \
    F(S, REQUIRED, INT, seq, (int64_t, 0, BW_ID_MAX), "rises with every change that everybody sees") \
    F(S, REQUIRED, RAW, state, ("State"), "the whole state")                                         \
    F(S, REQUIRED, RAW, you, ("You"), "the own role, token, and what was prepared")
BW_STRUCT(bw_room_state, BW_ROOM_STATE_FIELDS);

#define BW_GAME_UPDATE_FIELDS(F, S)                                                                  \
    F(S, REQUIRED, INT, seq, (int64_t, 0, BW_ID_MAX), "rises with every change that everybody sees") \
    F(S, REQUIRED, RAW, events, ("Event[]"), "what happened, in order")                              \
    F(S, REQUIRED, RAW, changes, ("object"), "merge patch on state; null sets a field to null")      \
    F(S, OPTIONAL, RAW, you, ("Partial<You>"), "what the own side has prepared, where it changed")
BW_STRUCT(bw_game_update, BW_GAME_UPDATE_FIELDS);

#define BW_GAME_OVER_FIELDS(F, S)                                                            \
    F(S, REQUIRED, INT, seq, (int64_t, 0, BW_ID_MAX), "as in game_update")                   \
    F(S, REQUIRED, RAW, winner, ("string | string[] | null"), "a role, several, or nobody")  \
    F(S, REQUIRED, RAW, stats, ("object"), "the game's figures")                             \
    F(S, REQUIRED, BYTES, seed, (32), "hexadecimal; its SHA-256 was published at the start") \
    F(S, REQUIRED, TEXT, replay_id, (BW_REPLAY_ID_MAX + 1, 1, BW_REPLAY_ID_MAX), "where the game can be watched again")
BW_STRUCT(bw_game_over, BW_GAME_OVER_FIELDS);

#define BW_ACK_FIELDS(F, S)                                           \
    F(S, REQUIRED, INT, id, (int64_t, 1, BW_ID_MAX), "the message's") \
    F(S, REQUIRED, INT, seq, (int64_t, 0, BW_ID_MAX), "the update that holds its effect")
BW_STRUCT(bw_ack, BW_ACK_FIELDS);

#define BW_ERROR_FIELDS(F, S)                                                                           \
    F(S, REQUIRED, ENUM, code, (bw_error_code_names), "for programs")                                   \
    F(S, REQUIRED, TEXT, message, (BW_SENTENCE, 1, BW_SENTENCE - 1), "for people: what would be right") \
    F(S, OPTIONAL, INT, id, (int64_t, 1, BW_ID_MAX), "the message's, where it had one")
BW_STRUCT(bw_error, BW_ERROR_FIELDS);

#define BW_ROLE_NEWS_FIELDS(F, S) F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "whose")
BW_STRUCT(bw_role_news, BW_ROLE_NEWS_FIELDS);

#define BW_REMATCH_OFFERED_FIELDS(F, S)                                                       \
    F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "who proposes or agrees") \
    F(S, REQUIRED, BOOL, swap, (), "with the roles changed round")                            \
    F(S, OPTIONAL, BOOL, cancel, (), "it was taken back")
BW_STRUCT(bw_rematch_offered, BW_REMATCH_OFFERED_FIELDS);

#define BW_REMATCH_FIELDS(F, S)                                                                             \
    F(S, REQUIRED, TEXT, room_id, (BW_ROOM_ID_MAX + 1, 4, BW_ROOM_ID_MAX), "the new room")                  \
    F(S, OPTIONAL, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "the seat there that is already yours") \
    F(S, OPTIONAL, BYTES, token, (BW_TOKEN_BYTES), "what opens it: resume takes it")
BW_STRUCT(bw_rematch, BW_REMATCH_FIELDS);

#define BW_REACTED_FIELDS(F, S)                                                   \
    F(S, REQUIRED, TEXT, role, (BW_ROLE_TEXT, 1, BW_ROLE_TEXT - 1), "who reacts") \
    F(S, REQUIRED, ENUM, reaction, (bw_reaction_names), "how")
BW_STRUCT(bw_reacted, BW_REACTED_FIELDS);

#define BW_READERS(E)                        \
    E(BW_READ_BY_INTERPRETER, "interpreter") \
    E(BW_READ_BY_MODEL, "model")
BW_ENUM(bw_reader, BW_READERS);

#define BW_ORDERS_RESULT_FIELDS(F, S)                                                              \
    F(S, REQUIRED, INT, round, (uint32_t, 0, UINT32_MAX), "the round that is next")                \
    F(S, REQUIRED, RAW, commands, ("object[]"), "the orders that were understood and are allowed") \
    F(S, REQUIRED, TEXT, summary, (BW_SENTENCE, 0, BW_SENTENCE - 1), "them, in words")             \
    F(S, REQUIRED, BOOL, understood, (), "was everything understood, whatever can come of it")     \
    F(S, REQUIRED, ENUM, by, (bw_reader_names), "the built-in interpreter or a language model")    \
    F(S, NULLABLE, TEXT, error, (BW_SENTENCE, 0, BW_SENTENCE - 1), "what was not, or cannot be, and what would be")
BW_STRUCT(bw_orders_result, BW_ORDERS_RESULT_FIELDS);

#define BW_PONG_FIELDS(F, S)                                                  \
    F(S, REQUIRED, INT, t, (int64_t, -BW_ID_MAX, BW_ID_MAX), "from the ping") \
    F(S, REQUIRED, INT, server_time, (int64_t, 0, BW_ID_MAX), "ms since the epoch")
BW_STRUCT(bw_pong, BW_PONG_FIELDS);

#define BW_ROOM_CLOSED_FIELDS(F, S) F(S, REQUIRED, TEXT, reason, (BW_SENTENCE, 1, BW_SENTENCE - 1), "why")
BW_STRUCT(bw_room_closed, BW_ROOM_CLOSED_FIELDS);

#define BW_SERVER_MESSAGES(C)                                                                                       \
    C(BW_TELL_ROOM_STATE, room_state, "room_state", bw_room_state, 0,                                               \
      "on connecting, on any change of seats, settings or status, and on resume")                                   \
    C(BW_TELL_GAME_UPDATE, game_update, "game_update", bw_game_update, 0, "something happened in the game")         \
    C(BW_TELL_GAME_OVER, game_over, "game_over", bw_game_over, 0, "the game has ended")                             \
    C(BW_TELL_ACK, ack, "ack", bw_ack, 0, "the message of that id took effect and is durable")                      \
    C(BW_TELL_ERROR, error, "error", bw_error, 0, "a message was refused; nothing has changed")                     \
    C(BW_TELL_DISCONNECTED, player_disconnected, "player_disconnected", bw_role_news, 0, "a player is away")        \
    C(BW_TELL_RECONNECTED, player_reconnected, "player_reconnected", bw_role_news, 0, "a player is back")           \
    C(BW_TELL_REMATCH_OFFERED, rematch_offered, "rematch_offered", bw_rematch_offered, 0,                           \
      "a player proposes another game, agrees, or takes that back")                                                 \
    C(BW_TELL_REMATCH, rematch, "rematch", bw_rematch, 0, "another game: where, and the seat there")                \
    C(BW_TELL_REACT, react, "react", bw_reacted, 0, "a player reacts")                                              \
    C(BW_TELL_ORDERS_RESULT, orders_result, "orders_result", bw_orders_result, 0, "what became of orders in words") \
    C(BW_TELL_PONG, pong, "pong", bw_pong, 0, "answers ping")                                                       \
    C(BW_TELL_ROOM_CLOSED, room_closed, "room_closed", bw_room_closed, 0, "the room is gone")
BW_TAGGED(bw_server_message, BW_SERVER_MESSAGES);

#endif
