/* Updates that a returning player missed, made again from the plays: for this viewer, as it saw the game then. */
#include "rooms/internal.h"

/* Are plays alone what happened after `since`, and does the kept position lie before them? */
static bool all_kept(const bw_hall *hall, const bw_room *room, int64_t since) {
    bw_play_reader reader = {room, room->base_at[0]};
    bw_play play = {.action = hall->scratch.action};
    int64_t first = 0, count = 0;
    while (bw_play_next(&reader, &play)) {
        if (play.seq > since) {
            first = first ? first : play.seq;
            count++;
        }
    }
    return first == since + 1 && count == room->seq - since;
}

/* What a solver was known to have found when the kept position lay there. */
static bw_known known_then(const bw_hall *hall, const bw_room *room) {
    bw_play_reader reader = {room, 0};
    bw_play play = {.action = hall->scratch.action};
    bw_known then = {0};
    while (reader.at < room->base_at[0] && bw_play_next(&reader, &play)) {
        then = play.known.puzzle ? play.known : then;
    }
    return then;
}

static void send_again(bw_hall *hall, bw_conn *conn, int64_t since, bw_match *match) {
    bw_room *room = conn->room;
    bw_play_reader reader = {room, room->base_at[0]};
    bw_play play = {.action = hall->scratch.action};
    while (bw_play_next(&reader, &play)) {
        bw_events events = bw_scratch_events(hall, room->game);
        bw_before before;
        bool missed = play.seq > since;
        if (missed) bw_update_begin(hall, room, match, 1u << conn->seat, &before);
        bw_play_on(match, &play, missed ? &events : NULL);
        room->known = play.known.puzzle ? play.known : room->known;
        if (missed && !(BW_PLANTED(GAP_IN_MISSED) && play.seq == since + 1)) {
            bw_send(hall, room, conn->number,
                    bw_update_for(hall, room, match, &before, conn->seat, &events, play.seq, false));
        }
    }
}

/* Many updates of a large board cost more than they are worth, and more than may wait for one reader. */
static bool fits_at_once(bw_hall *hall, bw_room *room, int64_t since) {
    bw_bytes *state = bw_state_for_http(hall, room);
    bool fits = (room->seq - since) * (int64_t)state->length <= BW_MISSED_BYTES;
    bw_bytes_release(state);
    return fits;
}

bool bw_send_missed(bw_hall *hall, bw_conn *conn, int64_t since) {
    bw_room *room = conn->room;
    const bw_game *game = room->game;
    bw_match match;
    if (!room->match.block || since >= room->seq || !all_kept(hall, room, since) || !fits_at_once(hall, room, since)) {
        return false;
    }
    bw_match_attach(&match, game, hall->scratch.block);
    if (room->base[0]) {
        memset(match.block, 0, bw_match_bytes(game));
        memcpy(match.block, room->base[0], bw_base_bytes(&match));
    } else if (bw_match_start(&match, room->match.config, *room->match.seats, room->match.seed) < 0) {
        return false;
    }
    room->known = known_then(hall, room); /* and ends as it is now, with the last play */
    send_again(hall, conn, since, &match);
    return true;
}
