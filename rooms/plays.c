/* The plays of a game as a room keeps them: a few dozen bytes each, enough to write its file, to replay it,
 * and to make updates again. In memory only; the journal has them as notes. */
#include "rooms/internal.h"

/* The first number of a play: who, whether a solver's news follow, and above them one more than the bytes of the action;
 * 0 there: a resignation. One byte says all of it where the action needs two at most. */
enum { PLAY_BYTES_MAX = 64, WHO = 0x0f, KNOWN = 0x10, USED_SHIFT = 5 };

void bw_play_add(bw_hall *hall, bw_room *room, const bw_play *play) {
    uint8_t head[PLAY_BYTES_MAX];
    const uint8_t *action = play->action;
    size_t length = 0, used = play->resigns ? 0 : room->game->actions->size;
    while (used > 0 && action[used - 1] == 0) {
        used--; /* structs are zeroed before they are filled, and mostly empty at the end */
    }
    uint64_t what = (play->resigns ? 0 : used + 1) << USED_SHIFT | (play->known.puzzle ? KNOWN : 0);
    length += bw_number_put(head + length, what | (uint64_t)(play->seat + 2));
    length += bw_number_put(head + length, (uint64_t)play->seq);
    length += bw_number_put(head + length, bw_number_signed(play->at - room->started_at));
    memcpy(head + length, play->hash, sizeof play->hash);
    length += sizeof play->hash;
    if (play->known.puzzle) {
        length += bw_number_put(head + length, play->known.puzzle);
        length += bw_number_put(head + length, play->known.moves);
        head[length++] = play->known.proven;
    }
    bw_buffer_add(&hall->memory, &room->plays, head, length);
    bw_buffer_add(&hall->memory, &room->plays, action, used);
    room->play_count++;
}

bool bw_play_next(bw_play_reader *reader, bw_play *play) {
    const bw_room *room = reader->room;
    const uint8_t *at = room->plays.at;
    if (reader->at >= room->plays.length) return false;
    uint64_t what = bw_number_take(at, &reader->at);
    size_t used = (size_t)(what >> USED_SHIFT);
    play->resigns = used == 0;
    play->seat = (int8_t)((int)(what & WHO) - 2);
    play->seq = (int64_t)bw_number_take(at, &reader->at);
    play->at = room->started_at + bw_number_unsigned(bw_number_take(at, &reader->at));
    memcpy(play->hash, at + reader->at, sizeof play->hash);
    reader->at += sizeof play->hash;
    play->known = (bw_known){0};
    if (what & KNOWN) {
        play->known.puzzle = bw_number_take(at, &reader->at);
        play->known.moves = (uint16_t)bw_number_take(at, &reader->at);
        play->known.proven = at[reader->at++] != 0;
    }
    used -= !play->resigns;
    memset(play->action, 0, room->game->actions->size);
    memcpy(play->action, at + reader->at, used);
    reader->at += used;
    return true;
}

int bw_play_on(bw_match *match, const bw_play *play, bw_events *events) {
    return play->resigns ? bw_match_resign(match, play->seat, events)
                         : bw_match_play(match, play->seat, play->action, events);
}
