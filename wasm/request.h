/* What the requests of api.h have in common: reading their JSON into positions, seats and actions. */
#ifndef BW_WASM_REQUEST_H
#define BW_WASM_REQUEST_H

#include "engine/json.h"
#include "engine/match.h"

typedef struct request {
    bw_doc doc;
} request;

/* All of these say in `why` what is wrong where they return false or NULL. */
bool request_parse(request *r, const char *text, size_t length, bw_error_text *why);
const bw_game *request_game(const request *r, bw_error_text *why);
/* The seat of `role`; BW_WATCHER where there is none. */
int request_role(const request *r, const bw_game *game);
bool request_seed(const request *r, uint8_t seed[32]);
/* Settings over the game's defaults; token -1: the defaults. */
bool request_config(const request *r, const bw_game *game, int token, void *config, bw_error_text *why);
/* A struct from an object that may hold more than the struct does. */
bool request_decode(const request *r, int token, const bw_schema *schema, void *value, bw_error_text *why);
/* What `state`, `game` and `role` say. */
bool request_view(const request *r, const bw_game **game, void **view, void **config, int *seat, bw_error_text *why);
/* Refuses a watcher, where only a seat can be meant. */
bool request_seat(int seat, bw_error_text *why);
/* The same as a position of a seat, what it hides guessed from `luck`. */
bool request_position(const request *r, uint64_t luck, bw_match *match, int *seat, bw_error_text *why);
/* Its kind, or NULL. */
const bw_case *request_action(const request *r, const bw_game *game, int token, void *action, bw_error_text *why);
/* Lists: 0 items and token -1 where it is none. */
int request_length(const request *r, int list);
int request_item(const request *r, int list, int index);

#endif
