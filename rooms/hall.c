/* The hall itself: made and freed, its deadlines, what it hands out. */
#include "engine/registry.h"
#include "rooms/internal.h"

enum { SWEEP_US = 60 * 1000000, TEXT_BYTES = 1 << 16, TOKENS = 4096, QUEUE_KEPT = 1024, ROOMS_A_TICK = 8 };

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* Working memory for the largest game. */
static void make_scratch(bw_hall *hall) {
    size_t view = 8, you = 8, action = 8, config = 8, stats = 8, event = 8, block = 8;
    for (int i = 0; bw_game_at(i); i++) {
        const bw_game *game = bw_game_at(i);
        view = larger(view, game->view->size);
        you = larger(you, game->you ? game->you->size : 0);
        action = larger(action, game->actions->size);
        config = larger(config, game->config->size);
        stats = larger(stats, game->stats->size);
        event = larger(event, game->events->size);
        block = larger(block, bw_match_bytes(game));
    }
    struct bw_scratch *scratch = &hall->scratch;
    bw_memory *memory = &hall->memory;
    scratch->text_cap = scratch->pieces_cap = TEXT_BYTES;
    scratch->text = bw_memory_new(memory, TEXT_BYTES);
    scratch->pieces = bw_memory_new(memory, TEXT_BYTES);
    scratch->events = bw_memory_new(memory, event * BW_EVENTS_MAX);
    scratch->action = bw_memory_new(memory, action);
    scratch->played = bw_memory_new(memory, action);
    scratch->config = bw_memory_new(memory, config);
    scratch->preview = bw_memory_new(memory, config);
    scratch->stats = bw_memory_new(memory, stats);
    scratch->block = bw_memory_new(memory, block);
    for (int when = 0; when < 2; when++) {
        for (int i = 0; i <= BW_SEATS_MAX; i++) {
            scratch->views[when][i] = bw_memory_new(memory, view);
        }
        for (int i = 0; i < BW_SEATS_MAX; i++) scratch->you[when][i] = bw_memory_new(memory, you);
    }
    scratch->token_cap = TOKENS;
    scratch->tokens = bw_memory_new(memory, TOKENS * sizeof *scratch->tokens);
}

static void free_scratch(bw_hall *hall) {
    struct bw_scratch *scratch = &hall->scratch;
    void *const blocks[] = {scratch->text,   scratch->pieces, scratch->events, scratch->action, scratch->played,
                            scratch->config, scratch->stats,  scratch->block,  scratch->tokens, scratch->preview};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        bw_memory_free(&hall->memory, blocks[i]);
    }
    for (int when = 0; when < 2; when++) {
        for (int i = 0; i <= BW_SEATS_MAX; i++) {
            bw_memory_free(&hall->memory, scratch->views[when][i]);
        }
        for (int i = 0; i < BW_SEATS_MAX; i++) bw_memory_free(&hall->memory, scratch->you[when][i]);
    }
}

bw_hall *bw_hall_new(const bw_hall_settings *settings, const uint8_t key[32]) {
    bw_hall *hall = calloc(1, sizeof *hall);
    if (!hall) return NULL;
    hall->settings = *settings;
    memcpy(hall->key, key, 32);
    uint64_t secrets[8];
    bw_draw(hall, (uint8_t *)secrets, sizeof secrets);
    bw_map *const maps[] = {&hall->rooms, &hall->conns, &hall->wanted, &hall->works, &hall->questions};
    for (int i = 0; i < 5; i++) {
        maps[i]->secret[0] = secrets[i];
        maps[i]->secret[1] = secrets[i + 1];
    }
    hall->addresses_secret = secrets[7];
    bw_conns_init(hall);
    make_scratch(hall);
    hall->sweep_us = 0; /* at once */
    return hall;
}

static void free_room(bw_hall *hall, bw_room *room) {
    while (room->conns) {
        room->phase = BW_PHASE_LEAVING;
        bw_conn_gone(hall, room->conns);
    }
    for (size_t i = 0; i < room->pending.count; i++) {
        bw_bytes_release(((bw_pending *)bw_queue_item(&room->pending, i))->bytes);
    }
    for (size_t i = 0; i < room->inputs.count; i++) {
        bw_bytes_release(((bw_input *)bw_queue_item(&room->inputs, i))->bytes);
    }
    bw_seats_drop(hall, room);
    bw_room_free(hall, room);
}

void bw_hall_free(bw_hall *hall) {
    bw_room *room;
    bw_wanted *wanted;
    if (!hall) return;
    while ((room = bw_map_any(&hall->rooms))) free_room(hall, room);
    bw_output out;
    while (bw_hall_next(hall, &out)) bw_bytes_release(out.bytes);
    bw_limits_clear(hall);
    bw_map_clear(&hall->memory, &hall->rooms);
    bw_map_clear(&hall->memory, &hall->conns);
    bw_map_clear(&hall->memory, &hall->works);
    while ((wanted = bw_map_any(&hall->wanted))) {
        bw_memory_free(&hall->memory, bw_map_take(&hall->memory, &hall->wanted, bw_key_of_number(wanted->conn)));
    }
    bw_map_clear(&hall->memory, &hall->wanted);
    bw_map_clear(&hall->memory, &hall->questions);
    bw_queue_clear(&hall->memory, &hall->outputs);
    bw_queue_clear(&hall->memory, &hall->underway);
    bw_queue_clear(&hall->memory, &hall->jobs);
    bw_memory_free(&hall->memory, hall->heap);
    free_scratch(hall);
    free(hall);
}

/* ---- time ---- */

static void tick_room(bw_hall *hall, bw_room *room) {
    int64_t now = hall->now.mono_us;
    if (room->retry_us <= now) {
        room->retry_us = INT64_MAX;
        if (room->phase == BW_PHASE_LOADING) {
            bw_load_again(hall, room);
        } else if (room->phase == BW_PHASE_LIVE) {
            bw_rematch_check(hall, room);
            bw_bots_think(hall, room);
        }
    }
    if (room->spectators_us <= now) {
        room->spectators_us = INT64_MAX;
        bw_tell_state(hall, room, NULL);
    }
    if (room->ready_us <= now) bw_ready_tick(hall, room);
    if (room->round_us <= now) bw_clock_tick(hall, room);
    bw_room_schedule(hall, room);
    /* These may free the room: each comes last. */
    if (room->close_us <= now) bw_close_tick(hall, room);
    else if (room->idle_us <= now) bw_idle_tick(hall, room);
}

static void sweep(bw_hall *hall) {
    bw_output *out = bw_emit(hall, BW_OUT_SWEEP);
    out->ended_before = hall->now.wall_ms - hall->settings.room_cleanup_ms;
    out->unstarted_before = hall->now.wall_ms - hall->settings.forget_ms;
    hall->sweep_us = hall->now.mono_us + SWEEP_US;
}

void bw_hall_tick(bw_hall *hall, bw_now now) {
    hall->now = now;
    if (hall->sweep_us <= now.mono_us) sweep(hall);
    bw_conns_tick(hall);
    bw_jobs_tick(hall);
    for (int i = 0; i < ROOMS_A_TICK && hall->heap_count > 0 && hall->heap[1]->deadline_us <= now.mono_us; i++) {
        tick_room(hall, hall->heap[1]);
    }
}

int64_t bw_hall_deadline(const bw_hall *hall) {
    int64_t due = bw_conns_deadline(hall);
    if (hall->heap_count > 0 && hall->heap[1]->deadline_us < due) due = hall->heap[1]->deadline_us;
    if (bw_jobs_deadline(hall) < due) due = bw_jobs_deadline(hall);
    return hall->sweep_us < due ? hall->sweep_us : due;
}

/* ---- the journal's answers ---- */

void bw_hall_journalled(bw_hall *hall, bw_now now, uint64_t ticket) {
    bw_underway *front;
    hall->now = now;
    hall->durable = ticket > hall->durable ? ticket : hall->durable;
    while ((front = bw_queue_front(&hall->underway)) && front->ticket <= ticket) {
        bw_room *room = front->room;
        bool last = front->ticket == room->last_ticket;
        bw_queue_drop(&hall->underway);
        bw_release_pending(hall, room);
        if (last && room->phase == BW_PHASE_LEAVING) bw_left(hall, room);
    }
    bw_drain_check(hall);
}

void bw_hall_journal_failed(bw_hall *hall, bw_now now, uint64_t last_good, const char *reason, bool in_doubt) {
    if (last_good > hall->durable) bw_hall_journalled(hall, now, last_good);
    hall->now = now;
    /* What was reported as durable stays so, whatever a shell counts from. */
    bw_commit_failed(hall, last_good > hall->durable ? last_good : hall->durable, reason, in_doubt);
    bw_drain_check(hall);
}

/* ---- out ---- */

bool bw_hall_next(bw_hall *hall, bw_output *out) {
    const bw_output *front = bw_queue_front(&hall->outputs);
    if (!front) return false;
    *out = *front;
    bw_queue_drop(&hall->outputs);
    if (hall->outputs.count == 0 && hall->outputs.cap > QUEUE_KEPT) {
        bw_queue_clear(&hall->memory, &hall->outputs); /* a burst is over */
    }
    return true;
}

void bw_hall_figures_of(const bw_hall *hall, bw_hall_figures *figures) {
    *figures = hall->figures;
    figures->rooms_in_memory = hall->rooms.count;
    figures->journal_waiting = hall->underway.count;
    figures->bytes = hall->memory.bytes;
}
