#include "wasm/request.h"

#include "engine/config.h"
#include "engine/registry.h"
#include "wasm/memory.h"

#include <string.h>

enum { DEPTH = 12 };

bool request_parse(request *r, const char *text, size_t length, bw_error_text *why) {
    int cap = (int)(length / 2 + 2);
    bw_token *tokens = memory_take_raw((size_t)cap * sizeof *tokens);
    if (!tokens) return bw_fail(why, "There is not enough memory.", NULL);
    if (bw_doc_parse(&r->doc, text, length, tokens, cap, DEPTH, why) < 0) return false;
    return bw_doc_is_object(&r->doc, 0) || bw_fail(why, "A request is a JSON object.", NULL);
}

const bw_game *request_game(const request *r, bw_error_text *why) {
    char id[40] = "";
    bw_doc_text(&r->doc, bw_doc_member(&r->doc, 0, "game"), id, sizeof id);
    const bw_game *game = bw_game_find(id);
    if (!game) bw_fail(why, "\"game\" must be the id of a game.", NULL);
    return game;
}

int request_role(const request *r, const bw_game *game) {
    char role[40];
    int token = bw_doc_member(&r->doc, 0, "role");
    if (token < 0 || bw_doc_text(&r->doc, token, role, sizeof role) < 0) return BW_WATCHER;
    int seat = bw_role_find(game, role);
    return seat >= 0 ? seat : BW_WATCHER;
}

bool request_seed(const request *r, uint8_t seed[32]) {
    char hex[65];
    return bw_doc_text(&r->doc, bw_doc_member(&r->doc, 0, "seed"), hex, sizeof hex) == 64 &&
           bw_hex_read(hex, 64, seed, 32);
}

int request_length(const request *r, int list) {
    return list >= 0 && r->doc.tokens[list].type == JSMN_ARRAY ? r->doc.tokens[list].size : 0;
}

int request_item(const request *r, int list, int index) {
    if (index >= request_length(r, list)) return -1;
    int token = list + 1;
    while (index--) token = bw_doc_behind(&r->doc, token);
    return token;
}

bool request_decode(const request *r, int token, const bw_schema *schema, void *value, bw_error_text *why) {
    if (!bw_doc_is_object(&r->doc, token)) return bw_fail(why, "\"state\" must be the state of a game.", NULL);
    return bw_decode(schema, &r->doc, token, value, BW_DECODE_OTHERS, NULL, why) == 0;
}

bool request_config(const request *r, const bw_game *game, int token, void *config, bw_error_text *why) {
    memcpy(config, game->defaults, game->config->size);
    if (token < 0 || bw_doc_is_null(&r->doc, token)) return true;
    if (bw_config_read(game, &r->doc, token, config, NULL, why) != 0) return false;
    int refusal = game->check ? game->check(config) : 0;
    return refusal == 0 || bw_fail(why, bw_refusal(game, refusal), NULL);
}

bool request_view(const request *r, const bw_game **game, void **view, void **config, int *seat, bw_error_text *why) {
    *game = request_game(r, why);
    if (!*game) return false;
    *seat = request_role(r, *game);
    *view = memory_take((*game)->view->size);
    *config = memory_take((*game)->config->size);
    if (!*view || !*config) return bw_fail(why, "There is not enough memory.", NULL);
    int state = bw_doc_member(&r->doc, 0, "state");
    if (state < 0) return bw_fail(why, "\"state\" must be the state of a game.", NULL);
    return request_config(r, *game, bw_doc_member(&r->doc, state, "config"), *config, why) &&
           request_decode(r, state, (*game)->view, *view, why);
}

bool request_seat(int seat, bw_error_text *why) {
    return seat >= 0 || bw_fail(why, "\"role\" must be one of the game's roles.", NULL);
}

bool request_position(const request *r, uint64_t luck, bw_match *match, int *seat, bw_error_text *why) {
    const bw_game *game;
    void *view, *config;
    if (!request_view(r, &game, &view, &config, seat, why) || !request_seat(*seat, why)) {
        return false;
    }
    void *block = memory_take(bw_match_bytes(game));
    if (!block) return bw_fail(why, "There is not enough memory.", NULL);
    bw_match_attach(match, game, block);
    memcpy(match->config, config, game->config->size);
    int refusal = game->guess(match->state, view, config, *seat, luck);
    return refusal == 0 || bw_fail(why, bw_refusal(game, refusal), NULL);
}

const bw_case *request_action(const request *r, const bw_game *game, int token, void *action, bw_error_text *why) {
    static const char *const also[] = {"type", "id", NULL};
    if (token < 0 || !bw_doc_is_object(&r->doc, token)) {
        bw_fail(why, "An action is an object with a \"type\".", NULL);
        return NULL;
    }
    int error = bw_decode_union(game->actions, &r->doc, token, action, also, why);
    if (error == 0) return &game->actions->cases[*(const uint8_t *)action];
    if (error == BW_JSON_UNKNOWN_TYPE) bw_fail(why, "The game has no action of that type.", NULL);
    return NULL;
}
