/* What a room writes into its journal: notes, each a JSON object (schema below), each one step of the
 * room's durable state. A room is the fold of its notes: the live path and the rebuilding of a room from
 * the journal apply them with the same code (room.c), so that neither can know what the other does not.
 *
 * `by` is the seat whose message it was, `id` that message's id: an acknowledgement is as durable as the
 * effect. Notes hold SHA-256 of tokens, never tokens; the seed of a game is in its start note. Notes of a
 * snapshot are the same, with what is prepared and a sum over all behind them. The position is not among them: it is
 * played again from the start, so that no stored byte of it need be trusted. Whatever is read back is checked
 * by the schemas here, and against the game and the room so far (check.c). */
#ifndef BW_NOTES_H
#define BW_NOTES_H

#include "rooms/messages.h"

enum { BW_NOTE_FORMAT = 1, BW_SNAPSHOT_FORMAT = 2, BW_DIGEST_TEXT = 65 };

#define BW_NOTE_CAUSE(F, S)                                                                  \
    F(S, OPTIONAL, INT, by, (int8_t, -2, BW_SEATS_MAX - 1), "the seat whose message it was") \
    F(S, OPTIONAL, INT, id, (int64_t, 1, BW_ID_MAX), "that message's id")

#define BW_NOTE_CREATED_FIELDS(F, S)                                  \
    F(S, REQUIRED, INT, v, (int32_t, 1, 1000), "format of the notes") \
    F(S, REQUIRED, TEXT, game, (32, 1, 31), "game")                   \
    F(S, REQUIRED, INT, rules_version, (int32_t, 0, 65535), "rules")  \
    F(S, REQUIRED, INT, at, (int64_t, 0, BW_ID_MAX), "ms since the epoch")
BW_STRUCT(bw_note_created, BW_NOTE_CREATED_FIELDS); /* and "config" */

#define BW_NOTE_CONFIG_FIELDS(F, S) BW_NOTE_CAUSE(F, S)
BW_STRUCT(bw_note_config, BW_NOTE_CONFIG_FIELDS); /* and "config" */

#define BW_NOTE_SEAT_FIELDS(F, S)                                                      \
    F(S, REQUIRED, INT, seat, (int8_t, 0, BW_SEATS_MAX - 1), "taken by a new holder")  \
    F(S, REQUIRED, TEXT, token_hash, (BW_DIGEST_TEXT, 64, 64), "SHA-256 of the token") \
    F(S, OPTIONAL, TEXT, name, (4 * BW_NAME_MAX + 1, 1, BW_NAME_MAX), "name")          \
    F(S, REQUIRED, BOOL, reserve, (), "kept for the token after a disconnect")         \
    F(S, OPTIONAL, BOOL, anew, (), "what the holder before had prepared is dropped")   \
    BW_NOTE_CAUSE(F, S)
BW_STRUCT(bw_note_seat, BW_NOTE_SEAT_FIELDS);

#define BW_NOTE_NAME_FIELDS(F, S)                                                                      \
    F(S, OPTIONAL, TEXT, name, (4 * BW_NAME_MAX + 1, 1, BW_NAME_MAX), "the holder's; absent: no name") \
    BW_NOTE_CAUSE(F, S)
BW_STRUCT(bw_note_name, BW_NOTE_NAME_FIELDS);

#define BW_NOTE_READY_FIELDS(F, S)                                                                 \
    F(S, OPTIONAL, INT, clock_at, (int64_t, 0, BW_ID_MAX), "ms since the epoch: the clock starts") \
    BW_NOTE_CAUSE(F, S)
BW_STRUCT(bw_note_ready, BW_NOTE_READY_FIELDS);

#define BW_NOTE_LEFT_FIELDS(F, S)                                                      \
    F(S, REQUIRED, INT, seat, (int8_t, 0, BW_SEATS_MAX - 1), "given up by its holder") \
    F(S, REQUIRED, BOOL, vacated, (), "nobody's now; false: merely not kept for the token")
BW_STRUCT(bw_note_left, BW_NOTE_LEFT_FIELDS);

#define BW_NOTE_BOT_FIELDS(F, S)                                                 \
    F(S, REQUIRED, INT, seat, (int8_t, 0, BW_SEATS_MAX - 1), "which")            \
    F(S, OPTIONAL, TEXT, level, (16, 1, 15), "a bot's; absent: the bot is gone") \
    BW_NOTE_CAUSE(F, S)
BW_STRUCT(bw_note_bot, BW_NOTE_BOT_FIELDS);

#define BW_NOTE_STAND_IN_FIELDS(F, S)                                                             \
    F(S, REQUIRED, INT, seat, (int8_t, 0, BW_SEATS_MAX - 1), "whose holder is away")              \
    F(S, OPTIONAL, TEXT, level, (16, 1, 15), "of the bot; absent: it leaves, the holder is back") \
    BW_NOTE_CAUSE(F, S)
BW_STRUCT(bw_note_stand_in, BW_NOTE_STAND_IN_FIELDS);

#define BW_NOTE_START_FIELDS(F, S)                                                              \
    F(S, REQUIRED, INT, at, (int64_t, 0, BW_ID_MAX), "ms since the epoch")                      \
    F(S, REQUIRED, INT, seats, (uint32_t, 1, 255), "bit set of those taken")                    \
    F(S, REQUIRED, TEXT, seed, (BW_DIGEST_TEXT, 64, 64), "hexadecimal, secret")                 \
    F(S, REQUIRED, TEXT, replay_id, (BW_REPLAY_ID_MAX + 1, 1, BW_REPLAY_ID_MAX), "of its file") \
    BW_NOTE_CAUSE(F, S)
BW_STRUCT(bw_note_start, BW_NOTE_START_FIELDS); /* and "config" */

/* What a solver found out about the puzzle that lies there. */
#define BW_NOTE_KNOWN_FIELDS(F, S)                                                     \
    F(S, REQUIRED, TEXT, puzzle, (17, 16, 16), "which, in hexadecimal")                \
    F(S, REQUIRED, INT, moves, (uint16_t, 1, 65535), "of the shortest solution found") \
    F(S, REQUIRED, BOOL, proven, (), "none is shorter")
BW_STRUCT(bw_note_known, BW_NOTE_KNOWN_FIELDS);

#define BW_NOTE_PLAY_FIELDS(F, S)                                                                            \
    F(S, REQUIRED, INT, at, (int64_t, 0, BW_ID_MAX), "ms since the epoch")                                   \
    F(S, REQUIRED, INT, seat, (int8_t, -2, BW_SEATS_MAX - 1), "who played; -2: the clock")                   \
    F(S, REQUIRED, TEXT, hash, (33, 32, 32), "of the game file's line")                                      \
    F(S, OPTIONAL, INT, id, (int64_t, 1, BW_ID_MAX), "the message's id")                                     \
    F(S, OPTIONAL, INT, by, (int8_t, 0, BW_SEATS_MAX - 1), "whose message, where another's play came of it") \
    F(S, OPTIONAL, INT, seq, (int64_t, 1, BW_ID_MAX), "in snapshots: the update")                            \
    F(S, OPTIONAL, STRUCT, known, (bw_note_known), "news of a solver, first shown with this play")
BW_STRUCT(bw_note_play, BW_NOTE_PLAY_FIELDS); /* and "action"; without: a resignation */

#define BW_NOTE_DRAFT_FIELDS(F, S)                                                               \
    F(S, REQUIRED, INT, seat, (int8_t, 0, BW_SEATS_MAX - 1), "whose, and nobody else's to know") \
    F(S, OPTIONAL, INT, id, (int64_t, 1, BW_ID_MAX), "the message's id")
BW_STRUCT(bw_note_draft, BW_NOTE_DRAFT_FIELDS); /* and "action" */

#define BW_NOTE_OFFER_FIELDS(F, S)                                                            \
    F(S, REQUIRED, INT, agreed, (uint32_t, 0, 255), "bit set of those who want another game") \
    F(S, REQUIRED, BOOL, swap, (), "with roles changed round")                                \
    F(S, OPTIONAL, TEXT, key, (BW_DIGEST_TEXT, 64, 64), "SHA-256 of the seat's next token")   \
    BW_NOTE_CAUSE(F, S)
BW_STRUCT(bw_note_offer, BW_NOTE_OFFER_FIELDS);

#define BW_NOTE_REMATCH_FIELDS(F, S) F(S, REQUIRED, TEXT, room, (BW_ROOM_ID_MAX + 1, 4, BW_ROOM_ID_MAX), "next")
BW_STRUCT(bw_note_rematch, BW_NOTE_REMATCH_FIELDS);

/* Snapshots only. */
#define BW_NOTE_ANSWER_FIELDS(F, S)                                                \
    F(S, REQUIRED, INT, seat, (int8_t, 0, BW_SEATS_MAX - 1), "whose")              \
    F(S, REQUIRED, INT, id, (int64_t, 1, BW_ID_MAX), "what was answered")          \
    F(S, OPTIONAL, INT, seq, (int64_t, 0, BW_ID_MAX), "of the acknowledgement")    \
    F(S, OPTIONAL, TEXT, refusal, (1024, 1, 1023), "or the error, as it was sent") \
    F(S, REQUIRED, INT, forgotten, (int64_t, 0, BW_ID_MAX), "ids up to this are no longer known")
BW_STRUCT(bw_note_answer, BW_NOTE_ANSWER_FIELDS);

#define BW_NOTE_HERE_FIELDS(F, S)                                   \
    F(S, REQUIRED, INT, seq, (int64_t, 0, BW_ID_MAX), "the room's") \
    F(S, OPTIONAL, TEXT, build, (32, 1, 31), "the program whose position it is")
BW_STRUCT(bw_note_here, BW_NOTE_HERE_FIELDS); /* and "drafts", or, before there was that, "block": hexadecimal */

#define BW_NOTE_SUM_FIELDS(F, S) F(S, REQUIRED, TEXT, sha256, (BW_DIGEST_TEXT, 64, 64), "of all lines before this one")
BW_STRUCT(bw_note_sum, BW_NOTE_SUM_FIELDS);

#define BW_NOTES(C)                                                                               \
    C(BW_NOTE_CREATED, created, "created", bw_note_created, 0, "the room")                        \
    C(BW_NOTE_CONFIG, config, "config", bw_note_config, 0, "settings")                            \
    C(BW_NOTE_SEAT, seat, "seat", bw_note_seat, 0, "a seat has a new holder")                     \
    C(BW_NOTE_NAME, name, "name", bw_note_name, 0, "a seat's holder has another name")            \
    C(BW_NOTE_READY, ready, "ready", bw_note_ready, 0, "a seat is ready, or the clock starts")    \
    C(BW_NOTE_LEFT, left, "left", bw_note_left, 0, "a seat was given up")                         \
    C(BW_NOTE_BOT, bot, "bot", bw_note_bot, 0, "a bot came or went")                              \
    C(BW_NOTE_STAND_IN, stand_in, "stand_in", bw_note_stand_in, 0, "a bot plays for who is away") \
    C(BW_NOTE_START, start, "start", bw_note_start, 0, "the game began")                          \
    C(BW_NOTE_PLAY, play, "play", bw_note_play, 0, "an action or a round")                        \
    C(BW_NOTE_DRAFT, draft, "draft", bw_note_draft, 0, "something was prepared")                  \
    C(BW_NOTE_OFFER, offer, "offer", bw_note_offer, 0, "another game was proposed, or agreed to") \
    C(BW_NOTE_REMATCH, rematch, "rematch", bw_note_rematch, 0, "the next room")                   \
    C(BW_NOTE_ANSWER, answer, "answer", bw_note_answer, 0, "an answer that is remembered")        \
    C(BW_NOTE_HERE, here, "here", bw_note_here, 0, "where the room stands, and what is prepared") \
    C(BW_NOTE_SUM, sum, "sum", bw_note_sum, 0, "the end of a snapshot")
BW_TAGGED(bw_note, BW_NOTES);

/* Hexadecimal: 2 * count digits and a NUL; false where `text` is not that. */
void bw_hex_write(char *text, const uint8_t *bytes, size_t count);
bool bw_hex_read(const char *text, size_t length, uint8_t *bytes, size_t count);

#endif
