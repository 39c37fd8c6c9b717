/* What the journal keeps of a room: records, each of one change of its durable state.
 *
 * In memory a record is a typed struct that holds bytes; the journal stores it as a JSON object. Both come from the
 * lists below, and bw_change_write and bw_decode_union (rebuild.c) are the only places that turn one into the other.
 *
 * `by` is the seat that sent the message, `id` that message's id: an acknowledgement is as durable as its effect.
 * Records hold SHA-256 of tokens, never tokens; the seed of a game is in its START record. A snapshot is records too,
 * followed by what is prepared and a sum of all of them. It has no position: that is played again from the start, so
 * that no stored byte of it need be trusted.
 *
 * The names of fields and types are what older databases hold: they may be added to, not changed. */
#ifndef BW_RECORDS_H
#define BW_RECORDS_H

#include "bots/bots.h"
#include "engine/file.h"
#include "engine/json.h"
#include "rooms/journal.h"

enum {
    BW_RECORD_FORMAT = 1,
    BW_SNAPSHOT_FORMAT = 2, /* snapshots of this format and later end with a sum */
    BW_NAME_MAX = 24,       /* code points of a player's name */
    BW_TOKEN_BYTES = 16,
};
#define BW_ID_MAX INT64_C(9007199254740991) /* the largest exact integer in JavaScript */

/* The status of a room. */
#define BW_STATUSES(E)                      \
    E(BW_STATUS_WAITING, "waiting")         \
    E(BW_STATUS_CONFIGURING, "configuring") \
    E(BW_STATUS_ACTIVE, "active")           \
    E(BW_STATUS_ENDED, "ended")
BW_ENUM(bw_status, BW_STATUSES);

#define BW_RECORD_CAUSE(F, S)                                                                 \
    F(S, OPTIONAL, INT, by, (int8_t, -2, BW_SEATS_MAX - 1), "the seat that sent the message") \
    F(S, OPTIONAL, INT, id, (int64_t, 1, BW_ID_MAX), "that message's id")

#define BW_RECORD_CREATED_FIELDS(F, S)                                  \
    F(S, REQUIRED, INT, v, (int32_t, 1, 1000), "format of the records") \
    F(S, REQUIRED, TEXT, game, (32, 1, 31), "game")                     \
    F(S, REQUIRED, INT, rules_version, (int32_t, 0, 65535), "rules")    \
    F(S, REQUIRED, INT, at, (int64_t, 0, BW_ID_MAX), "ms since the epoch")
BW_STRUCT(bw_record_created, BW_RECORD_CREATED_FIELDS); /* and "config" */

#define BW_RECORD_CONFIG_FIELDS(F, S) BW_RECORD_CAUSE(F, S)
BW_STRUCT(bw_record_config, BW_RECORD_CONFIG_FIELDS); /* and "config" */

#define BW_RECORD_SEAT_FIELDS(F, S)                                                   \
    F(S, REQUIRED, INT, seat, (int8_t, 0, BW_SEATS_MAX - 1), "taken by a new holder") \
    F(S, REQUIRED, BYTES, token_hash, (32), "SHA-256 of the token")                   \
    F(S, OPTIONAL, TEXT, name, (4 * BW_NAME_MAX + 1, 1, BW_NAME_MAX), "name")         \
    F(S, REQUIRED, BOOL, reserve, (), "kept for the token after a disconnect")        \
    F(S, OPTIONAL, BOOL, anew, (), "drops what the previous holder had prepared")     \
    BW_RECORD_CAUSE(F, S)
BW_STRUCT(bw_record_seat, BW_RECORD_SEAT_FIELDS);

#define BW_RECORD_NAME_FIELDS(F, S)                                                                      \
    F(S, OPTIONAL, TEXT, name, (4 * BW_NAME_MAX + 1, 1, BW_NAME_MAX), "the holder's name; absent: none") \
    BW_RECORD_CAUSE(F, S)
BW_STRUCT(bw_record_name, BW_RECORD_NAME_FIELDS);

#define BW_RECORD_READY_FIELDS(F, S)                                                                       \
    F(S, OPTIONAL, INT, clock_at, (int64_t, 0, BW_ID_MAX), "ms since the epoch: the clock starts")         \
    F(S, OPTIONAL, INT, from, (int64_t, 0, BW_ID_MAX), "ms since the epoch: the time to get ready begins") \
    BW_RECORD_CAUSE(F, S)
BW_STRUCT(bw_record_ready, BW_RECORD_READY_FIELDS);

#define BW_RECORD_LEFT_FIELDS(F, S)                                                    \
    F(S, REQUIRED, INT, seat, (int8_t, 0, BW_SEATS_MAX - 1), "given up by its holder") \
    F(S, REQUIRED, BOOL, vacated, (), "the seat is free; false: it is only no longer reserved")
BW_STRUCT(bw_record_left, BW_RECORD_LEFT_FIELDS);

#define BW_RECORD_BOT_FIELDS(F, S)                                               \
    F(S, REQUIRED, INT, seat, (int8_t, 0, BW_SEATS_MAX - 1), "which")            \
    F(S, OPTIONAL, TEXT, level, (16, 1, 15), "a bot's; absent: the bot is gone") \
    BW_RECORD_CAUSE(F, S)
BW_STRUCT(bw_record_bot, BW_RECORD_BOT_FIELDS);

#define BW_RECORD_STAND_IN_FIELDS(F, S)                                                                     \
    F(S, REQUIRED, INT, seat, (int8_t, 0, BW_SEATS_MAX - 1), "the seat whose holder is away")               \
    F(S, OPTIONAL, TEXT, level, (16, 1, 15), "the bot's level; absent: the bot leaves, the holder is back") \
    BW_RECORD_CAUSE(F, S)
BW_STRUCT(bw_record_stand_in, BW_RECORD_STAND_IN_FIELDS);

#define BW_RECORD_START_FIELDS(F, S)                                                               \
    F(S, REQUIRED, INT, at, (int64_t, 0, BW_ID_MAX), "ms since the epoch")                         \
    F(S, REQUIRED, INT, seats, (uint32_t, 1, 255), "bit set of those taken")                       \
    F(S, REQUIRED, BYTES, seed, (32), "secret")                                                    \
    F(S, REQUIRED, TEXT, replay_id, (BW_REPLAY_ID_MAX + 1, 1, BW_REPLAY_ID_MAX), "of its file")    \
    F(S, OPTIONAL, BOOL, vacant, (), "its seats are still to be taken; no clock runs before that") \
    BW_RECORD_CAUSE(F, S)
BW_STRUCT(bw_record_start, BW_RECORD_START_FIELDS); /* and "config", and "given" where the start was written down */

/* What a solver found out about the current puzzle. */
#define BW_RECORD_SOLVER_RESULT_FIELDS(F, S)                                           \
    F(S, REQUIRED, BYTES, puzzle, (8), "which one")                                    \
    F(S, REQUIRED, INT, moves, (uint16_t, 1, 65535), "of the shortest solution found") \
    F(S, REQUIRED, BOOL, proven, (), "none is shorter")
BW_STRUCT(bw_record_solver_result, BW_RECORD_SOLVER_RESULT_FIELDS);

#define BW_RECORD_MOVE_FIELDS(F, S)                                                                                    \
    F(S, REQUIRED, INT, at, (int64_t, 0, BW_ID_MAX), "ms since the epoch")                                             \
    F(S, REQUIRED, INT, seat, (int8_t, -2, BW_SEATS_MAX - 1), "who played; -2: the clock")                             \
    F(S, REQUIRED, BYTES, hash, (BW_HASH_BYTES), "of the game file's line")                                            \
    F(S, OPTIONAL, INT, id, (int64_t, 1, BW_ID_MAX), "the message's id")                                               \
    F(S, OPTIONAL, INT, by, (int8_t, 0, BW_SEATS_MAX - 1), "the seat that sent the message, if the move is another's") \
    F(S, OPTIONAL, INT, seq, (int64_t, 1, BW_ID_MAX), "in snapshots: the update")                                      \
    F(S, OPTIONAL, STRUCT, known, (bw_record_solver_result), "a solver's result, first shown with this move")
BW_STRUCT(bw_record_move, BW_RECORD_MOVE_FIELDS); /* and "action"; without it: a resignation */

#define BW_RECORD_DRAFT_FIELDS(F, S)                                                             \
    F(S, REQUIRED, INT, seat, (int8_t, 0, BW_SEATS_MAX - 1), "the seat, which alone may see it") \
    F(S, OPTIONAL, INT, id, (int64_t, 1, BW_ID_MAX), "the message's id")
BW_STRUCT(bw_record_draft, BW_RECORD_DRAFT_FIELDS); /* and "action" */

#define BW_RECORD_OFFER_FIELDS(F, S)                                                        \
    F(S, REQUIRED, INT, agreed, (uint32_t, 0, 255), "bit set of seats that want a rematch") \
    F(S, REQUIRED, BOOL, swap, (), "with swapped roles")                                    \
    F(S, OPTIONAL, BYTES, key, (32), "SHA-256 of the seat's next token")                    \
    BW_RECORD_CAUSE(F, S)
BW_STRUCT(bw_record_offer, BW_RECORD_OFFER_FIELDS);

#define BW_RECORD_REMATCH_FIELDS(F, S) F(S, REQUIRED, TEXT, room, (BW_ROOM_ID_MAX + 1, 4, BW_ROOM_ID_MAX), "next")
BW_STRUCT(bw_record_rematch, BW_RECORD_REMATCH_FIELDS);

/* Only in snapshots. */
#define BW_RECORD_ANSWER_FIELDS(F, S)                                              \
    F(S, REQUIRED, INT, seat, (int8_t, 0, BW_SEATS_MAX - 1), "whose")              \
    F(S, REQUIRED, INT, id, (int64_t, 1, BW_ID_MAX), "what was answered")          \
    F(S, OPTIONAL, INT, seq, (int64_t, 0, BW_ID_MAX), "of the acknowledgement")    \
    F(S, OPTIONAL, TEXT, refusal, (1024, 1, 1023), "or the error, as it was sent") \
    F(S, REQUIRED, INT, forgotten, (int64_t, 0, BW_ID_MAX), "ids up to this are no longer known")
BW_STRUCT(bw_record_answer, BW_RECORD_ANSWER_FIELDS);

#define BW_RECORD_HERE_FIELDS(F, S)                                 \
    F(S, REQUIRED, INT, seq, (int64_t, 0, BW_ID_MAX), "the room's") \
    F(S, OPTIONAL, TEXT, build, (32, 1, 31), "the program that wrote the position")
BW_STRUCT(bw_record_here, BW_RECORD_HERE_FIELDS); /* and "drafts", or in older snapshots "block"; hexadecimal */

#define BW_RECORD_SUM_FIELDS(F, S) F(S, REQUIRED, BYTES, sha256, (32), "of all lines before this one")
BW_STRUCT(bw_record_sum, BW_RECORD_SUM_FIELDS);

#define BW_RECORDS(C)                                                                                 \
    C(BW_RECORD_CREATED, created, "created", bw_record_created, 0, "the room")                        \
    C(BW_RECORD_CONFIG, config, "config", bw_record_config, 0, "settings")                            \
    C(BW_RECORD_SEAT, seat, "seat", bw_record_seat, 0, "a seat has a new holder")                     \
    C(BW_RECORD_NAME, name, "name", bw_record_name, 0, "a seat's holder has another name")            \
    C(BW_RECORD_READY, ready, "ready", bw_record_ready, 0, "a seat is ready, or the clock starts")    \
    C(BW_RECORD_LEFT, left, "left", bw_record_left, 0, "a seat was given up")                         \
    C(BW_RECORD_BOT, bot, "bot", bw_record_bot, 0, "a bot came or went")                              \
    C(BW_RECORD_STAND_IN, stand_in, "stand_in", bw_record_stand_in, 0, "a bot plays for who is away") \
    C(BW_RECORD_START, start, "start", bw_record_start, 0, "the game began")                          \
    C(BW_RECORD_MOVE, move, "play", bw_record_move, 0, "an action or a round")                        \
    C(BW_RECORD_DRAFT, draft, "draft", bw_record_draft, 0, "something was prepared")                  \
    C(BW_RECORD_OFFER, offer, "offer", bw_record_offer, 0, "a rematch was proposed or accepted")      \
    C(BW_RECORD_REMATCH, rematch, "rematch", bw_record_rematch, 0, "the next room")                   \
    C(BW_RECORD_ANSWER, answer, "answer", bw_record_answer, 0, "a remembered answer")                 \
    C(BW_RECORD_HERE, here, "here", bw_record_here, 0, "the room's status, and the drafts")           \
    C(BW_RECORD_SUM, sum, "sum", bw_record_sum, 0, "the end of a snapshot")
BW_TAGGED(bw_record, BW_RECORDS);

/* ---- one change of a room ---- */

/* A record, and its data in the game's own types. */
typedef struct bw_change {
    bw_record record;
    const void *config; /* settings: CREATED (NULL: the defaults), CONFIG, START */
    const char *given;  /* START: written down (game->set_position); NULL: the one of settings and seed */
    const void *action; /* MOVE (NULL: a resignation), DRAFT */
    bw_raw action_text; /* the text of the action, as hashed; length 0: not written yet */
} bw_change;

/* Whom a record concerns, and the message that caused it. */
typedef struct bw_origin {
    bool is_public; /* everybody may see it: it advances seq */
    int8_t seat;    /* that it concerns, which the game must have; negative: none */
    int8_t sender;  /* the seat that sent the message; negative: none */
    int64_t id;     /* the message's; 0: none */
} bw_origin;
bw_origin bw_record_origin(const bw_record *record);

/* Writes JSON. `game`: that of the settings and the action. */
void bw_change_write(bw_out *out, const bw_game *game, const bw_change *change);

/* A solver's result. Writing: is there one? Reading: false if the record has none. */
bool bw_solver_result_write(const bw_solver_result *result, bw_record_solver_result *record);
bool bw_solver_result_read(const bw_record_solver_result *record, bw_solver_result *result);

#endif
