/* Shared parts of the answers in api.h. False: out of memory. */
#ifndef BW_WASM_ANSWER_H
#define BW_WASM_ANSWER_H

#include "engine/json.h"
#include "engine/match.h"

/* `"actions":[...]` */
void answer_actions(bw_out *out, const bw_game *game, const unsigned char *actions, uint32_t count);
/* `,"events":[...]` */
void answer_events(bw_out *out, const bw_game *game, const bw_events *events);
/* `"state":{...}`: the game's own fields, and the common ones that follow from the position. */
bool answer_state(bw_out *out, const bw_match *match, int seat);
/* `,"you":{...}`: the seat's drafts; nothing in a game without drafts. */
bool answer_you(bw_out *out, const bw_match *match, int seat);
/* Room for all events of one action. */
bool answer_events_for(bw_events *events, const bw_game *game);

#endif
