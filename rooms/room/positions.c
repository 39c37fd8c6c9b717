/* The positions of a room's game: the current one, and those from which its last moves can be played again. They differ in few
 * bytes, so each lies packed as its difference from the one before it. A room that is in use has its current one open. */
#include "rooms/room/room.h"

/* All but the drafts, which come last in a block. */
static size_t position_bytes(const bw_match *match) { return (size_t)(match->drafts - match->block); }

/* The newest kept position; zeros if there is none. */
static void newest_base(const bw_room *room, const bw_match *match, uint8_t *block) {
    memset(block, 0, bw_match_bytes(room->game));
    for (int i = 0; i < 2; i++) {
        if (room->base[i]) bw_sparse_take(room->base[i]->position, block, position_bytes(match));
    }
}

/* ---- open ---- */

void bw_room_rest(bw_room *room) {
    bw_scratch *scratch = room->scratch;
    if (!room->open) return;
    const bw_match *match = &room->open->match;
    newest_base(room, match, scratch->before);
    size_t bytes = bw_sparse_put(scratch->packed, match->block, scratch->before, bw_match_bytes(room->game));
    room->resting = bw_memory_grow(&scratch->memory, room->resting, bytes);
    memcpy(room->resting, scratch->packed, bytes);
    room->open->room = NULL;
    room->open = NULL;
}

static bw_open *take_place(bw_room *room) {
    bw_scratch *scratch = room->scratch;
    bw_open *place = &scratch->open[0];
    for (int i = 1; i < BW_OPEN_MAX && place->room; i++) {
        bw_open *other = &scratch->open[i];
        if (!other->room || other->used < place->used) place = other;
    }
    if (place->room) bw_room_rest(place->room);
    bw_match_attach(&place->match, room->game, place->match.block);
    place->room = room;
    room->open = place;
    return place;
}

bw_match *bw_room_match(const bw_room *const_room) {
    bw_room *room = (bw_room *)(uintptr_t)const_room; /* whether it is open makes no difference to whoever reads it */
    bw_scratch *scratch = room->scratch;
    if (!room->open && !room->resting) return &scratch->unstarted;
    if (!room->open) {
        const bw_match *match = &take_place(room)->match;
        newest_base(room, match, match->block);
        bw_sparse_take(room->resting, match->block, bw_match_bytes(room->game));
    }
    room->open->used = ++scratch->uses;
    return &room->open->match;
}

bw_match *bw_room_begin_match(bw_room *room) {
    take_place(room)->used = ++room->scratch->uses;
    return &room->open->match;
}

void bw_room_drop_match(bw_room *room) {
    if (room->open) room->open->room = NULL;
    room->open = NULL;
    bw_memory_free(&room->scratch->memory, room->resting);
    room->resting = NULL;
}

/* ---- kept ---- */

/* `before` NULL: the whole position. */
static void pack_base(bw_scratch *scratch, bw_base **to, const bw_base *head, const uint8_t *position,
                      const uint8_t *before, size_t length) {
    size_t bytes = bw_sparse_put(scratch->packed, position, before, length);
    bw_base *base = bw_memory_new(&scratch->memory, sizeof *base + bytes);
    *base = *head;
    memcpy(base->position, scratch->packed, bytes);
    bw_memory_free(&scratch->memory, *to);
    *to = base;
}

void bw_base_keep(bw_scratch *scratch, bw_room *room, size_t last_at) {
    const bw_match *match = bw_room_match(room);
    size_t bytes = position_bytes(match);
    bw_base now = {.last_at = last_at,
                   .at = room->plays.length,
                   .last = room->last_play,
                   .number = room->play_count,
                   .known = room->known};
    newest_base(room, match, scratch->before);
    if (room->base[1]) pack_base(scratch, &room->base[0], room->base[1], scratch->before, NULL, bytes);
    pack_base(scratch, &room->base[1], &now, match->block, scratch->before, bytes);
}

bool bw_match_at_base(const bw_room *room, bw_match *match) {
    const bw_base *base = room->base[0];
    if (!base) {
        const bw_match *now = bw_room_match(room);
        return bw_match_start(match, now->config, *now->seats, now->seed) >= 0 &&
               bw_match_set_position(match, room->given) >= 0;
    }
    memset(match->block, 0, bw_match_bytes(room->game));
    bw_sparse_take(base->position, match->block, position_bytes(match));
    return true;
}
