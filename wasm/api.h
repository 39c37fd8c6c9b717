/* The rules, bots and game files for a browser: JSON in linear memory, nothing imported.
 *
 *   at = bw_wasm_room(length)        write `length` bytes of UTF-8 there,
 *   n  = bw_wasm_ask(length)         a request; or at bw_wasm_file_room(length) and
 *                                    bw_wasm_open(length), a game file;
 *                                    read n bytes at bw_wasm_answer()
 *
 * The answer is an object; what cannot be done is {"error":"a sentence"}. A request is an object with `ask`:
 *
 *   legal    game state role                 -> actions
 *   preview  game state role actions         -> state events        what would come of them, in order
 *   hint     game state role actions? effort?  -> hint {action, moves_left, proven, hopeless}
 *   choose   game state role level? seed?    -> actions             a bot's answer
 *   words    game state role text queue?     -> actions summary error
 *   text     game state role?                -> text                the position in plain words
 *   start    game config? seats? seed given? -> state               a game of one's own; seed: 64 hex digits;
 *                                                                   given: the start as text, where a game knows such
 *   play     role action                     -> state events        in it (a wire action: drafts are staged)
 *   file     game config? seats? seed given? role actions? started_at? -> file state   of a running game: as `start`, then
 *                                                                   the actions of `role`; what is open here stays
 *   view     role?                           -> state you
 *   lesson   text                            -> game title end steps          a lesson (engine/lesson.h)
 *   lesson_step  step                        -> step role say finished until state you config seats
 *   lesson_try   action?                     -> outcome said state you config seats events   without an action: as the
 *                                                                   step wants it; outcome: no staged played done restart
 *   at       step                            -> line seq t role action events state    of the opened file
 *   review   level? games?                   -> by games slices     looks back at the opened file; by: moves or chances
 *   review_next                              -> step counts done slices, and the members of bw_review_json; or
 *                                               finished            a move; some come twice
 *
 * `state` in a request is the state of PROTOCOL, common fields and all; in an answer it holds the game's own
 * fields and current_role, current_turn, game_status, winner. A hidden deck is guessed from `seed` (legal
 * and preview: 1), so a preview of a draw is one of those that may come.
 *
 * bw_wasm_open replays and checks a whole file: {"valid", "game", "config", "steps", "error", "message"};
 * where it is not valid, the steps before the fault can still be looked at.
 *
 * One instance holds one game, one lesson or one file: `start`, `lesson` and bw_wasm_file_room end what was there
 * before. Memory grows as needed, up to 1 GiB. Compiled natively too, where its test runs under the sanitizers. */
#ifndef BW_WASM_API_H
#define BW_WASM_API_H

#include <stdint.h>

/* NULL: out of memory. */
unsigned char *bw_wasm_room(uint32_t length);
unsigned char *bw_wasm_file_room(uint32_t length); /* for bw_wasm_open; frees what was open */
uint32_t bw_wasm_ask(uint32_t length);
uint32_t bw_wasm_open(uint32_t length);
const char *bw_wasm_answer(void);

#endif
