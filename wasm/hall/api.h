/* The hall of rooms/hall.h for a browser: the same rooms, messages, answers and records as a server's.
 *
 * Who runs it carries the messages, keeps the journal and knows the time; see web/src/lib/local/. An instance is one
 * hall, or a thinker for one: a bot needs long, so it runs in an instance of its own, in another worker.
 *
 *   bw_hall_start(...)              after 32 random bytes were written at bw_hall_room(32)
 *   bw_hall_input(...)              after what belongs to the input was written at bw_hall_room(length)
 *   while (n = bw_hall_output())    read n bytes of JSON at bw_hall_head(), and bw_hall_body_length() bytes at
 *                                   bw_hall_body(); both last until the next call of anything
 *   bw_hall_due()                   when the input `tick` is wanted, in ms of `mono`; infinity: never. In the past: at once
 *
 * `number` of an input is the connection's, but for journalled and journal_failed (a ticket) and bot_answer (the work).
 * Texts that belong to an input follow each other, each ended by a NUL; bytes come after them.
 *
 *   0 opened          room game           1 message        bytes          2 message_too_large
 *   3 pong                                4 closed                        5 create          body of POST /api/rooms
 *   6 state           room                7 log            room           8 replay          replay_id
 *   9 share           body               10 bring          body           11 journalled
 *  12 journal_failed  reason (last good ticket)
 *  13 loaded          room, bytes: nothing (no such room), or u32 index and u32 length of the snapshot (0 0: none), it,
 *                     and for each record u32 index, u32 length and its bytes
 *  14 load_failed     room reason        15 replay_loaded  bytes         16 swept           rooms
 *  17 bot_answer      u32 count, bytes   18 tick           (the hall works in slices: it may be due again at once)
 *
 * Outputs, `out` names them: send {conn}, close {conn code reason}, ping {conn}, reply {conn code}, append {ticket kind
 * room index status changed_at replay_id}, load {room}, replay {conn replay_id}, sweep {ended_before unstarted_before},
 * think {work game rules_version level seat seed budget_ms}. The body: the text, the answer, the entry's bytes; what the
 * seat sees, and at the end the settings.
 *
 *   bw_hall_think(...)              in the thinker, after the two texts game and level (empty: a solver is asked), u32
 *                                   rules_version and the body of a `think` were written at bw_hall_room(length): the
 *                                   bytes for `bot_answer` lie at bw_hall_body()
 *
 * All times are in milliseconds: `mono` never goes back, `wall` is since the epoch. Little endian. The module imports
 * one function, boardwalk.keep_going: what a thinker asks every few milliseconds. A lack of memory, or a call that
 * breaks these rules, traps; the hall is then to be made anew, from its journal. */
#ifndef BW_WASM_HALL_H
#define BW_WASM_HALL_H

#include <stdint.h>

unsigned char *bw_hall_room(uint32_t length);
/* `unlisted`: also rooms of games that are not offered; for tests. */
void bw_hall_start(double hibernate_ms, double forget_ms, int unlisted);
void bw_hall_input(int input, double mono, double wall, double number, uint32_t length);
uint32_t bw_hall_output(void);
const char *bw_hall_head(void);
const unsigned char *bw_hall_body(void);
uint32_t bw_hall_body_length(void);
double bw_hall_due(void);
/* The answer to GET /api/games, as the body. */
void bw_hall_games(void);
void bw_hall_think(int seat, uint32_t seed_high, uint32_t seed_low, uint32_t length);
/* Memory used by the hall, for leak checks. */
double bw_hall_held(void);

#endif
