/* The moves of a room's game, and the positions from which the last of them can be played again; both packed. The positions
 * differ in few bytes, so each lies as its difference from the one before it. A room that is in use has its current one open.
 * Limits and use: room.h. */
#include "rooms/room/room.h"

/* The first number of a move says the seat, whether a solver's result follows, and the length of the action plus 1 (0:
 * a resignation). It fits in one byte if the action needs at most four. */
enum { MOVE_BYTES_MAX = 64, SEATS = BW_SEATS_MAX + 2, SHORT = 8 };

static size_t used_bytes(const bw_room *room, const uint8_t *action) {
    size_t used = room->game->actions->size;
    /* Structs are zeroed before they are filled, so most end with zeros, which are left out. */
    for (uint64_t word; used >= sizeof word; used -= sizeof word) {
        memcpy(&word, action + used - sizeof word, sizeof word);
        if (word != 0) break;
    }
    while (used > 0 && action[used - 1] == 0) used--;
    return used;
}

/* Number and time are stored as differences from the move before. */
void bw_move_put(bw_scratch *scratch, const bw_room *room, bw_buffer *to, bw_move_mark *last, const bw_move *move,
                 bool bare) {
    uint8_t head[MOVE_BYTES_MAX];
    size_t used = move->resigns ? 0 : used_bytes(room, move->action);
    uint64_t what = 2 * (move->resigns ? 0 : used + 1) + (move->solver_result.puzzle != 0);
    size_t length = bw_number_put(head, what * SEATS + (uint64_t)(move->seat + 2));
    length += bw_number_put(head + length, (uint64_t)(move->seq - last->seq));
    length += bw_number_put(head + length, bw_number_signed(move->at - last->at));
    if (!bare) {
        memcpy(head + length, move->hash, sizeof move->hash);
        length += sizeof move->hash;
    }
    if (move->solver_result.puzzle) {
        length += bw_number_put(head + length, move->solver_result.puzzle);
        length += bw_number_put(head + length, move->solver_result.moves);
        head[length++] = move->solver_result.proven;
    }
    bw_buffer_add(&scratch->memory, to, head, length);
    const void *action = move->action;
    if (used > SHORT) {
        used = bw_sparse_put(scratch->packed, action, NULL, used);
        action = scratch->packed;
    }
    bw_buffer_add(&scratch->memory, to, action, used);
    *last = (bw_move_mark){move->seq, move->at};
}

static bw_move_mark start_of(const bw_room *room) { return (bw_move_mark){.at = room->started_at}; }

bw_move_reader bw_moves_all(const bw_room *room) { return (bw_move_reader){.room = room, .last = start_of(room)}; }

bw_move_reader bw_moves_of_base(const bw_room *room) {
    const bw_base *base = room->base[0];
    return (bw_move_reader){.room = room, .last = base ? base->last : start_of(room), .bare = room->base[1] != NULL};
}

bool bw_move_next(bw_move_reader *reader, bw_move *move) {
    const bw_room *room = reader->room;
    if (reader->bare && reader->at == room->bare.length) {
        reader->bare = false;
        reader->at = room->base[1]->at;
    }
    const bw_buffer *from = reader->bare ? &room->bare : &room->moves;
    const uint8_t *at = from->at;
    if (reader->at >= from->length) return false;
    uint64_t first = bw_number_take(at, &reader->at), what = first / SEATS;
    size_t used = (size_t)(what / 2);
    move->resigns = used == 0;
    move->seat = (int8_t)((int)(first % SEATS) - 2);
    move->seq = reader->last.seq + (int64_t)bw_number_take(at, &reader->at);
    move->at = reader->last.at + bw_number_unsigned(bw_number_take(at, &reader->at));
    reader->last = (bw_move_mark){move->seq, move->at};
    if (!reader->bare) {
        memcpy(move->hash, at + reader->at, sizeof move->hash);
        reader->at += sizeof move->hash;
    }
    move->solver_result = (bw_solver_result){0};
    if (what & 1) {
        move->solver_result.puzzle = bw_number_take(at, &reader->at);
        move->solver_result.moves = (uint16_t)bw_number_take(at, &reader->at);
        move->solver_result.proven = at[reader->at++] != 0;
    }
    used -= !move->resigns;
    memset(move->action, 0, room->game->actions->size);
    if (used > SHORT) {
        reader->at += bw_sparse_take(at + reader->at, move->action, used);
    } else {
        memcpy(move->action, at + reader->at, used);
        reader->at += used;
    }
    return true;
}

int bw_move_play(bw_match *match, const bw_move *move, bw_events *events) {
    return move->resigns ? bw_match_resign(match, move->seat, events)
                         : bw_match_play(match, move->seat, move->action, events);
}

/* ---- which moves are kept ---- */

static void drop_older(bw_scratch *scratch, bw_room *room) {
    bw_base *base = room->base[1];
    if (!base || base->last_at == 0) return;
    size_t left = room->moves.length - base->last_at;
    memmove(room->moves.at, room->moves.at + base->last_at, left);
    room->moves.at = bw_memory_grow(&scratch->memory, room->moves.at, left); /* it shrinks */
    room->moves.length = room->moves.cap = left;
    room->moves_before = base->number - 1;
    base->at -= base->last_at;
    base->last_at = 0;
}

/* The moves after the newest base, without their hashes. */
static void keep_bare(bw_scratch *scratch, bw_room *room) {
    const bw_base *base = room->base[1];
    bw_move_mark last = base ? base->last : start_of(room);
    bw_move_reader reader = {.room = room, .at = base ? base->at : 0, .last = last};
    bw_move move = {.action = scratch->before};
    bw_buffer bare = {0};
    while (bw_move_next(&reader, &move)) bw_move_put(scratch, room, &bare, &last, &move, true);
    bw_buffer_clear(&scratch->memory, &room->bare);
    bare.at = bw_memory_grow(&scratch->memory, bare.at, bare.length);
    bare.cap = bare.length;
    room->bare = bare;
}

void bw_move_add(bw_scratch *scratch, bw_room *room, const bw_move *move) {
    size_t at = room->moves.length;
    if (room->move_count == 0) room->last_move = start_of(room);
    bw_move_put(scratch, room, &room->moves, &room->last_move, move, false);
    room->move_count++;
    const bw_base *base = room->base[1];
    bool full = room->move_count - (base ? base->number : 0) >= BW_LOT_MOVES ||
                room->moves.length - (base ? base->at : 0) >= BW_LOT_BYTES;
    if (!full) return;
    keep_bare(scratch, room);
    bw_base_keep(scratch, room, at);
    if (!room->keeps_all) drop_older(scratch, room);
}

void bw_moves_keep_last(bw_scratch *scratch, bw_room *room) {
    room->keeps_all = false;
    drop_older(scratch, room);
}

void bw_moves_complete(bw_scratch *scratch, bw_room *room, bw_buffer *older) {
    room->base[1]->at += older->length;
    room->base[1]->last_at += older->length;
    bw_buffer_add(&scratch->memory, older, room->moves.at, room->moves.length);
    bw_buffer_clear(&scratch->memory, &room->moves);
    room->moves = *older;
    *older = (bw_buffer){0};
    room->moves_before = 0;
}

/* ---- positions ---- */

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
                   .at = room->moves.length,
                   .last = room->last_move,
                   .number = room->move_count,
                   .solver_result = room->solver_result};
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
