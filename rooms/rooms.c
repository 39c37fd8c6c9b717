#include "engine/registry.h"
#include "rooms/internal.h"

/* ---- secret randomness ---- */

void bw_draw(bw_hall *hall, uint8_t *bytes, size_t count) {
    uint32_t block[16];
    bw_chacha_block(block, hall->key, hall->drawn++, 0, 20);
    memcpy(bytes, block, count < sizeof block ? count : sizeof block);
}

bool bw_room_id_fold(const char *id, char folded[BW_ROOM_ID_MAX + 1]) {
    size_t length = 0;
    for (; id[length]; length++) {
        char c = id[length];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (length == BW_ROOM_ID_MAX || !(letter || (c >= '0' && c <= '9'))) return false;
        folded[length] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    folded[length] = 0;
    return length >= 4;
}

static void draw_text(bw_hall *hall, char *id, size_t wanted) {
    /* No vowels, so no words; nothing that looks like something else (0 O, 1 I L, 2 Z, 5 S, 8 B). */
    static const char alphabet[] = "CDFGHJKMNPQRTVWXY34679";
    enum { LETTERS = sizeof alphabet - 1 };
    uint8_t bytes[64];
    size_t length = 0;
    while (length < wanted) {
        bw_draw(hall, bytes, sizeof bytes);
        for (size_t i = 0; i < sizeof bytes && length < wanted; i++) {
            if (bytes[i] < 256 / LETTERS * LETTERS) id[length++] = alphabet[bytes[i] % LETTERS];
        }
    }
    id[length] = 0;
}

void bw_room_id_draw(bw_hall *hall, char id[BW_ROOM_ID_MAX + 1]) { draw_text(hall, id, 8); }

void bw_replay_id_draw(bw_hall *hall, char id[BW_REPLAY_ID_MAX + 1]) { draw_text(hall, id, 12); }

/* ---- deadlines: a binary heap ---- */

static void heap_set(bw_hall *hall, size_t at, bw_room *room) {
    hall->heap[at] = room;
    room->heap_at = at;
}

static void heap_settle(bw_hall *hall, bw_room *room) {
    size_t at = room->heap_at;
    while (at > 1 && hall->heap[at / 2]->deadline_us > room->deadline_us) {
        heap_set(hall, at, hall->heap[at / 2]);
        at /= 2;
    }
    for (;;) {
        size_t child = at * 2;
        if (child < hall->heap_count && hall->heap[child + 1]->deadline_us < hall->heap[child]->deadline_us) {
            child++;
        }
        if (child > hall->heap_count || hall->heap[child]->deadline_us >= room->deadline_us) break;
        heap_set(hall, at, hall->heap[child]);
        at = child;
    }
    heap_set(hall, at, room);
}

void bw_heap_remove(bw_hall *hall, bw_room *room) {
    size_t at = room->heap_at;
    if (at == 0) return;
    bw_room *last = hall->heap[hall->heap_count--];
    room->heap_at = 0;
    if (last != room) {
        heap_set(hall, at, last);
        heap_settle(hall, last);
    }
}

static int64_t sooner(int64_t a, int64_t b) { return a < b ? a : b; }

void bw_room_schedule(bw_hall *hall, bw_room *room) {
    int64_t due = sooner(sooner(room->round_us, room->idle_us), sooner(room->close_us, room->spectators_us));
    due = sooner(due, sooner(room->retry_us, room->ready_us));
    if (due == INT64_MAX) {
        bw_heap_remove(hall, room);
        room->deadline_us = due;
        return;
    }
    if (room->heap_at != 0 && due == room->deadline_us) return;
    room->deadline_us = due;
    if (room->heap_at == 0) {
        if (hall->heap_count + 2 > hall->heap_cap) {
            hall->heap_cap = hall->heap_cap ? hall->heap_cap * 2 : 64;
            hall->heap = bw_memory_grow(&hall->memory, hall->heap, hall->heap_cap * sizeof(bw_room *));
        }
        heap_set(hall, ++hall->heap_count, room);
    }
    heap_settle(hall, room);
}

/* ---- rooms ---- */

bw_room *bw_room_find(const bw_hall *hall, const char *id) { return bw_map_get(&hall->rooms, bw_key_of_text(id)); }

bw_room *bw_room_new(bw_hall *hall, const char *id) {
    bw_room *room = bw_memory_new(&hall->memory, sizeof *room);
    memcpy(room->id, id, strlen(id) + 1);
    room->phase = BW_PHASE_LOADING;
    room->round_us = room->ready_us = room->idle_us = room->close_us = room->spectators_us = room->retry_us = INT64_MAX;
    room->deadline_us = INT64_MAX;
    bw_map_put(&hall->memory, &hall->rooms, bw_key_of_text(id), room);
    return room;
}

bw_room *bw_room_load(bw_hall *hall, const char *id) {
    bw_room *room = bw_room_new(hall, id);
    bw_load_again(hall, room);
    return room;
}

void bw_room_set_game(bw_hall *hall, bw_room *room, const bw_game *game) {
    room->game = game;
    room->seats = bw_memory_new(&hall->memory, game->role_count * sizeof *room->seats);
    room->config = bw_memory_new(&hall->memory, game->config->size);
    memcpy(room->config, game->defaults, game->config->size);
}

void bw_room_forget_durable(bw_hall *hall, bw_room *room) {
    bw_rebuild_end(hall, room);
    bw_snapshot_drop(hall, room);
    room->snapshot_wanted = room->hibernating = false;
    room->loose_notes = 0;
    if (room->game) {
        bw_bots_forget(hall, room);
        bw_questions_forget(hall, room);
    }
    for (int i = 0; room->game && i < room->game->role_count; i++) {
        bw_memory_free(&hall->memory, room->seats[i].name);
        bw_memory_free(&hall->memory, room->seats[i].level);
        bw_memory_free(&hall->memory, room->seats[i].file_name);
        bw_memory_free(&hall->memory, room->seats[i].file_level);
        bw_answers_clear(hall, &room->seats[i].answers);
    }
    bw_memory_free(&hall->memory, room->seats);
    bw_memory_free(&hall->memory, room->config);
    bw_memory_free(&hall->memory, room->match.block);
    bw_memory_free(&hall->memory, room->base[0]);
    bw_memory_free(&hall->memory, room->base[1]);
    bw_buffer_clear(&hall->memory, &room->plays);
    room->game = NULL;
    room->seats = NULL;
    room->config = NULL;
    room->match = (bw_match){0};
    room->base[0] = room->base[1] = NULL;
    room->base_at[0] = room->base_at[1] = 0;
    room->created_at = room->started_at = room->ended_at = room->seq = 0;
    room->note_count = room->snapshot_index = room->play_count = 0;
    room->resigned = room->agreed = room->ready = 0;
    room->clock_started_at = 0;
    room->replays_written = 0;
    room->known = (bw_known){0};
    room->swap = false;
    room->replay_id[0] = room->next_room[0] = 0;
    room->rematch_under_way = room->told_over = false;
    room->round_us = room->ready_us = INT64_MAX;
}

void bw_room_free(bw_hall *hall, bw_room *room) {
    bw_fork_end(hall, room);
    bw_room_forget_durable(hall, room);
    bw_room_count(hall, room);
    bw_heap_remove(hall, room);
    bw_queue_clear(&hall->memory, &room->pending);
    bw_queue_clear(&hall->memory, &room->inputs);
    bw_map_take(&hall->memory, &hall->rooms, bw_key_of_text(room->id));
    bw_memory_free(&hall->memory, room);
}

bool bw_seat_filled(const bw_seat *seat) { return seat->conn != NULL || seat->level != NULL; }

bw_status bw_room_status(const bw_room *room) {
    if (room->match.block) return room->ended_at ? BW_STATUS_ENDED : BW_STATUS_ACTIVE;
    int filled = 0;
    for (int i = 0; i < room->game->role_count; i++) filled += bw_seat_filled(&room->seats[i]);
    int wanted = room->game->flags & BW_GAME_OPEN_SEATS ? room->game->seats_min : room->game->role_count;
    return filled >= wanted ? BW_STATUS_CONFIGURING : BW_STATUS_WAITING;
}

bool bw_room_paused(const bw_room *room) {
    if (bw_room_status(room) != BW_STATUS_ACTIVE || room->game->flags & (BW_GAME_ROUNDS | BW_GAME_KEEPS_TIME)) {
        return false;
    }
    uint32_t wanted = *room->match.seats & ~room->resigned;
    for (int i = 0; i < room->game->role_count; i++) {
        if (wanted >> i & 1 && !bw_seat_filled(&room->seats[i])) return true;
    }
    return false;
}

void bw_room_count(bw_hall *hall, bw_room *room) {
    uint8_t status = room->game ? (uint8_t)(bw_room_status(room) + 1) : 0;
    if (status == room->counted) return;
    if (room->counted) hall->figures.rooms[room->counted - 1]--;
    if (status) hall->figures.rooms[status - 1]++;
    room->counted = status;
}
