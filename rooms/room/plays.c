/* The moves of a game, packed. Limits and use: room.h. */
#include "rooms/room/room.h"

/* The first number of a move says the seat, whether a solver's result follows, and the length of the action plus 1 (0:
 * a resignation). It fits in one byte if the action needs at most four. */
enum { PLAY_BYTES_MAX = 64, SEATS = BW_SEATS_MAX + 2, SHORT = 8 };

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
static void put(bw_scratch *scratch, const bw_room *room, bw_buffer *to, bw_play_mark *last, const bw_play *play,
                bool bare) {
    uint8_t head[PLAY_BYTES_MAX];
    size_t used = play->resigns ? 0 : used_bytes(room, play->action);
    uint64_t what = 2 * (play->resigns ? 0 : used + 1) + (play->known.puzzle != 0);
    size_t length = bw_number_put(head, what * SEATS + (uint64_t)(play->seat + 2));
    length += bw_number_put(head + length, (uint64_t)(play->seq - last->seq));
    length += bw_number_put(head + length, bw_number_signed(play->at - last->at));
    if (!bare) {
        memcpy(head + length, play->hash, sizeof play->hash);
        length += sizeof play->hash;
    }
    if (play->known.puzzle) {
        length += bw_number_put(head + length, play->known.puzzle);
        length += bw_number_put(head + length, play->known.moves);
        head[length++] = play->known.proven;
    }
    bw_buffer_add(&scratch->memory, to, head, length);
    const void *action = play->action;
    if (used > SHORT) {
        used = bw_sparse_put(scratch->packed, action, NULL, used);
        action = scratch->packed;
    }
    bw_buffer_add(&scratch->memory, to, action, used);
    *last = (bw_play_mark){play->seq, play->at};
}

void bw_play_put(bw_scratch *scratch, const bw_room *room, bw_buffer *to, bw_play_mark *last, const bw_play *play) {
    put(scratch, room, to, last, play, false);
}

static bw_play_mark start_of(const bw_room *room) { return (bw_play_mark){.at = room->started_at}; }

bw_play_reader bw_plays_all(const bw_room *room) { return (bw_play_reader){.room = room, .last = start_of(room)}; }

bw_play_reader bw_plays_of_base(const bw_room *room) {
    const bw_base *base = room->base[0];
    return (bw_play_reader){.room = room, .last = base ? base->last : start_of(room), .bare = room->base[1] != NULL};
}

bool bw_play_next(bw_play_reader *reader, bw_play *play) {
    const bw_room *room = reader->room;
    if (reader->bare && reader->at == room->bare.length) {
        reader->bare = false;
        reader->at = room->base[1]->at;
    }
    const bw_buffer *from = reader->bare ? &room->bare : &room->plays;
    const uint8_t *at = from->at;
    if (reader->at >= from->length) return false;
    uint64_t first = bw_number_take(at, &reader->at), what = first / SEATS;
    size_t used = (size_t)(what / 2);
    play->resigns = used == 0;
    play->seat = (int8_t)((int)(first % SEATS) - 2);
    play->seq = reader->last.seq + (int64_t)bw_number_take(at, &reader->at);
    play->at = reader->last.at + bw_number_unsigned(bw_number_take(at, &reader->at));
    reader->last = (bw_play_mark){play->seq, play->at};
    if (!reader->bare) {
        memcpy(play->hash, at + reader->at, sizeof play->hash);
        reader->at += sizeof play->hash;
    }
    play->known = (bw_solver_result){0};
    if (what & 1) {
        play->known.puzzle = bw_number_take(at, &reader->at);
        play->known.moves = (uint16_t)bw_number_take(at, &reader->at);
        play->known.proven = at[reader->at++] != 0;
    }
    used -= !play->resigns;
    memset(play->action, 0, room->game->actions->size);
    if (used > SHORT) {
        reader->at += bw_sparse_take(at + reader->at, play->action, used);
    } else {
        memcpy(play->action, at + reader->at, used);
        reader->at += used;
    }
    return true;
}

int bw_play_on(bw_match *match, const bw_play *play, bw_events *events) {
    return play->resigns ? bw_match_resign(match, play->seat, events)
                         : bw_match_play(match, play->seat, play->action, events);
}

/* ---- which moves are kept ---- */

static void drop_older(bw_scratch *scratch, bw_room *room) {
    bw_base *base = room->base[1];
    if (!base || base->last_at == 0) return;
    size_t left = room->plays.length - base->last_at;
    memmove(room->plays.at, room->plays.at + base->last_at, left);
    room->plays.at = bw_memory_grow(&scratch->memory, room->plays.at, left); /* it shrinks */
    room->plays.length = room->plays.cap = left;
    room->plays_before = base->number - 1;
    base->at -= base->last_at;
    base->last_at = 0;
}

/* The moves after the newest base, without their hashes. */
static void keep_bare(bw_scratch *scratch, bw_room *room) {
    const bw_base *base = room->base[1];
    bw_play_mark last = base ? base->last : start_of(room);
    bw_play_reader reader = {.room = room, .at = base ? base->at : 0, .last = last};
    bw_play play = {.action = scratch->before};
    bw_buffer bare = {0};
    while (bw_play_next(&reader, &play)) put(scratch, room, &bare, &last, &play, true);
    bw_buffer_clear(&scratch->memory, &room->bare);
    bare.at = bw_memory_grow(&scratch->memory, bare.at, bare.length);
    bare.cap = bare.length;
    room->bare = bare;
}

void bw_play_add(bw_scratch *scratch, bw_room *room, const bw_play *play) {
    size_t at = room->plays.length;
    if (room->play_count == 0) room->last_play = start_of(room);
    bw_play_put(scratch, room, &room->plays, &room->last_play, play);
    room->play_count++;
    const bw_base *base = room->base[1];
    bool full = room->play_count - (base ? base->number : 0) >= BW_LOT_MOVES ||
                room->plays.length - (base ? base->at : 0) >= BW_LOT_BYTES;
    if (!full) return;
    keep_bare(scratch, room);
    bw_base_keep(scratch, room, at);
    if (!room->keeps_all) drop_older(scratch, room);
}

void bw_plays_keep_last(bw_scratch *scratch, bw_room *room) {
    room->keeps_all = false;
    drop_older(scratch, room);
}

void bw_plays_complete(bw_scratch *scratch, bw_room *room, bw_buffer *older) {
    room->base[1]->at += older->length;
    room->base[1]->last_at += older->length;
    bw_buffer_add(&scratch->memory, older, room->plays.at, room->plays.length);
    bw_buffer_clear(&scratch->memory, &room->plays);
    room->plays = *older;
    *older = (bw_buffer){0};
    room->plays_before = 0;
}
