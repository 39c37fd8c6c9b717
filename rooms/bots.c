/* Bots in seats: asked when it is their turn, or for the next round while this one runs. */
#include "rooms/internal.h"

enum { TURN_BUDGET_MS = 1500, FAILURES_MAX = 3 };

typedef struct bw_work {
    bw_room *room;
    int seat;
} bw_work;

static void ask(bw_hall *hall, bw_room *room, int index) {
    const bw_game *game = room->game;
    bw_seat *seat = &room->seats[index];
    const bw_bot *bot = bw_bot_find(game, seat->level);
    size_t view_bytes = (game->view->size + 7) & ~(size_t)7;
    uint64_t drawn[8];
    if (!bot) {
        return; /* a level of another version of this program: the seat stays silent */
    }
    bw_work *work = bw_memory_new(&hall->memory, sizeof *work);
    *work = (bw_work){room, index};
    seat->work = ++hall->last_work;
    bw_map_put(&hall->memory, &hall->works, bw_key_of_number(seat->work), work);
    bw_draw(hall, (uint8_t *)drawn, sizeof drawn);
    bw_output *out = bw_emit(hall, BW_OUT_THINK);
    memset(hall->scratch.views[1][index], 0, game->view->size);
    game->view_of(room->match.state, index, hall->scratch.views[1][index]);
    out->bytes = bw_bytes_new(NULL, view_bytes + game->config->size);
    memcpy(out->bytes->at, hall->scratch.views[1][index], game->view->size);
    memcpy(out->bytes->at + view_bytes, room->match.config, game->config->size);
    out->think = (bw_think){.work = seat->work, .game = game, .bot = bot, .seat = index, .seed = drawn[0]};
    out->think.view = out->bytes->at;
    out->think.config = out->bytes->at + view_bytes;
    out->think.budget_ms = TURN_BUDGET_MS;
    if (game->flags & BW_GAME_ROUNDS) {
        out->think.budget_ms = (room->round_us - hall->now.mono_us) / 1000 * 3 / 4;
    }
    out->work = seat->work;
}

void bw_bots_think(bw_hall *hall, bw_room *room) {
    if (room->phase != BW_PHASE_LIVE || room->conn_count == 0 || bw_room_status(room) != BW_STATUS_ACTIVE ||
        bw_room_paused(room) || (room->game->flags & BW_GAME_ROUNDS && room->round_us == INT64_MAX)) {
        return;
    }
    uint32_t turn = room->game->turn(room->match.state);
    for (int i = 0; i < room->game->role_count; i++) {
        if (turn >> i & 1 && room->seats[i].level && !room->seats[i].work) {
            ask(hall, room, i);
        }
    }
}

void bw_bots_forget(bw_hall *hall, bw_room *room) {
    for (int i = 0; i < room->game->role_count; i++) {
        if (room->seats[i].work) {
            bw_memory_free(&hall->memory, bw_map_take(&hall->memory, &hall->works, bw_key_of_number(room->seats[i].work)));
            room->seats[i].work = 0;
        }
    }
}

static void play_turn(bw_hall *hall, bw_room *room, int index, const void *action) {
    bw_seat *seat = &room->seats[index];
    if (action && bw_play_now(hall, room, index, action, (bw_cause){0}) >= 0) {
        seat->failures = 0;
        return;
    }
    if (++seat->failures < FAILURES_MAX) {
        return;
    }
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
    room->seats[index].work = 0;
    if (bw_room_status(room) != BW_STATUS_ACTIVE || bw_room_paused(room)) {
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
