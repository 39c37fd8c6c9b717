#include "wasm/answer.h"

#include "engine/file.h"
#include "wasm/memory.h"

void answer_actions(bw_out *out, const bw_game *game, const unsigned char *actions, uint32_t count) {
    bw_out_text(out, "\"actions\":");
    bw_encode_unions(out, game->actions, actions, count);
}

void answer_events(bw_out *out, const bw_game *game, const bw_events *events) {
    bw_out_text(out, ",\"events\":");
    bw_encode_unions(out, game->events, events->memory, events->count);
}

/* The game's own fields, and the common ones that follow from the position. */
bool answer_state(bw_out *out, const bw_match *match, int seat) {
    const bw_game *game = match->game;
    void *view = memory_take(game->view->size);
    if (!view) return false;
    game->view_of(match->state, seat, view);
    bw_out_text(out, "\"state\":{");
    if (bw_encode_members(out, game->view, view, 0) > 0) bw_out_text(out, ",");
    uint32_t turn = game->turn(match->state);
    bw_out_text(out, "\"current_role\":");
    int only = -1;
    for (int i = 0; i < game->role_count; i++) {
        if (turn == 1u << i) only = i;
    }
    bw_out_string(out, only >= 0 ? game->roles[only].id : NULL);
    bw_out_format(out, ",\"current_turn\":%u%s", game->current_turn(match->state),
                  turn ? ",\"game_status\":\"active\",\"winner\":null}" : ",\"game_status\":\"ended\",\"winner\":");
    if (!turn) {
        bw_encode_winner(out, game, game->winners(match->state));
        bw_out_text(out, "}");
    }
    return true;
}

bool answer_events_for(bw_events *events, const bw_game *game) {
    *events = (bw_events){.size = game->events->size, .cap = game->max_events};
    events->memory = memory_take((size_t)game->max_events * game->events->size);
    return events->memory != NULL;
}

bool answer_you(bw_out *out, const bw_match *match, int seat) {
    const bw_game *game = match->game;
    if (seat < 0 || !game->you) return true;
    void *you = memory_take(game->you->size);
    if (!you) return false;
    game->show_draft(match->state, seat, bw_match_draft(match, seat), you);
    bw_out_text(out, ",\"you\":");
    bw_encode(out, game->you, you);
    return true;
}
