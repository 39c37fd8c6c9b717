/* Bots in seats: asked when it is their turn, or for the next round while this one runs. */
#include "rooms/internal.h"

enum { TURN_BUDGET_MS = 1500, FAILURES_MAX = 3 };

/* ---- on any thread ---- */

size_t bw_think_arena_bytes(const bw_think *think) {
    return think->bot ? think->bot->arena_bytes : think->solver->arena_bytes;
}

size_t bw_think_answer_bytes(const bw_think *think) {
    return think->bot ? (size_t)BW_BOT_ACTIONS_MAX * think->game->actions->size : sizeof(bw_known);
}

uint32_t bw_think_now(const bw_think *think, bw_thinking *thinking, void *answer) {
    memset(answer, 0, bw_think_answer_bytes(think));
    if (!think->bot) return think->solver->solve(think->view, thinking, answer);
    uint32_t count = think->bot->choose(think->bot, think->game, think->view, think->config, think->seat, thinking,
                                        answer, BW_BOT_ACTIONS_MAX);
    return count < BW_BOT_ACTIONS_MAX ? count : BW_BOT_ACTIONS_MAX;
}

/* ---- in the hall ---- */

uint64_t bw_work_send(bw_hall *hall, bw_room *room, int seat, bw_think think) {
    const bw_game *game = room->game;
    size_t view_bytes = (game->view->size + 7) & ~(size_t)7;
    void *view = hall->scratch.views[1][seat >= 0 ? seat : BW_SEATS_MAX];
    bw_work *work = bw_memory_new(&hall->memory, sizeof *work);
    *work = (bw_work){room, seat};
    think.work = ++hall->last_work;
    bw_map_put(&hall->memory, &hall->works, bw_key_of_number(think.work), work);
    bw_output *out = bw_emit(hall, BW_OUT_THINK);
    memset(view, 0, game->view->size);
    game->view_of(room->match.state, seat, view);
    out->bytes = bw_bytes_new(NULL, view_bytes + game->config->size);
    memcpy(out->bytes->at, view, game->view->size);
    memcpy(out->bytes->at + view_bytes, room->match.config, game->config->size);
    think.game = game;
    think.seat = seat;
    think.view = out->bytes->at;
    think.config = out->bytes->at + view_bytes;
    out->think = think;
    out->work = think.work;
    return think.work;
}

void bw_work_forget(bw_hall *hall, uint64_t *work) {
    if (*work) {
        bw_memory_free(&hall->memory, bw_map_take(&hall->memory, &hall->works, bw_key_of_number(*work)));
        *work = 0;
    }
}

static void ask(bw_hall *hall, bw_room *room, int index) {
    bw_seat *seat = &room->seats[index];
    bw_think think = {.bot = bw_bot_find(room->game, seat->level), .budget_ms = TURN_BUDGET_MS};
    uint64_t drawn[8];
    if (!think.bot) {
        return; /* a level of another version of this program: the seat stays silent */
    }
    bw_draw(hall, (uint8_t *)drawn, sizeof drawn);
    think.seed = drawn[0];
    if (room->game->flags & BW_GAME_ROUNDS) {
        think.budget_ms = (room->round_us - hall->now.mono_us) / 1000 * 3 / 4;
    }
    seat->work = bw_work_send(hall, room, index, think);
}

void bw_bots_think(bw_hall *hall, bw_room *room) {
    if (room->phase != BW_PHASE_LIVE || room->conn_count == 0 || bw_room_status(room) != BW_STATUS_ACTIVE ||
        bw_room_paused(room) || bw_room_is_full(room) ||
        (room->game->flags & BW_GAME_ROUNDS && room->round_us == INT64_MAX)) {
        return;
    }
    uint32_t turn = room->game->turn(room->match.state);
    for (int i = 0; i < room->game->role_count; i++) {
        if (turn >> i & 1 && room->seats[i].level && !room->seats[i].work) ask(hall, room, i);
    }
    bw_known_ask(hall, room);
}

void bw_bots_forget(bw_hall *hall, bw_room *room) {
    for (int i = 0; i < room->game->role_count; i++) bw_work_forget(hall, &room->seats[i].work);
    bw_known_forget(hall, room);
}

static void play_turn(bw_hall *hall, bw_room *room, int index, const void *action) {
    bw_seat *seat = &room->seats[index];
    if (action && bw_play_now(hall, room, index, action, (bw_cause){0}) >= 0) {
        seat->failures = 0;
        return;
    }
    if (++seat->failures < FAILURES_MAX) return;
    /* It will not learn: any legal action keeps the game going. */
    bw_fast fast = {hall->last_work};
    seat->failures = 0;
    if (bw_random_action(room->game, room->match.state, index, &fast, hall->scratch.action)) {
        bw_play_now(hall, room, index, hall->scratch.action, (bw_cause){0});
    }
}

void bw_hall_thought(bw_hall *hall, bw_now now, uint64_t number, const void *actions, uint32_t count) {
    bw_work *work = bw_map_take(&hall->memory, &hall->works, bw_key_of_number(number));
    hall->now = now;
    if (!work) {
        return; /* it was overtaken */
    }
    bw_room *room = work->room;
    int index = work->seat;
    bw_memory_free(&hall->memory, work);
    if (index == BW_WATCHER) {
        bw_known_answer(room, count > 0 ? actions : NULL);
        bw_bots_think(hall, room); /* another puzzle may lie there by now */
        return;
    }
    room->seats[index].work = 0;
    if (bw_room_status(room) != BW_STATUS_ACTIVE || bw_room_paused(room) || bw_room_is_full(room)) {
        return; /* asked again when the game goes on */
    }
    if (room->game->flags & BW_GAME_ROUNDS) {
        /* Orders of a bot wait in its draft like anybody's; lost in a crash, they are thought again. */
        for (uint32_t i = 0; i < count && i < BW_BOT_ACTIONS_MAX; i++) {
            const uint8_t *action = (const uint8_t *)actions + (size_t)i * room->game->actions->size;
            if (room->game->actions->cases[*action].flags & BW_ACTION_DRAFT) {
                bw_match_submit(&room->match, index, action, hall->scratch.played, NULL);
            }
        }
        return;
    }
    if (room->game->turn(room->match.state) >> index & 1) {
        play_turn(hall, room, index, count > 0 ? actions : NULL);
    }
    bw_bots_think(hall, room);
    bw_room_schedule(hall, room);
}
