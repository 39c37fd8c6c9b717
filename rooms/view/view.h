/* What a viewer may know of a room, as text for the wire: the whole state, changes, and missed updates.
 *
 * A viewer is a seat, or BW_WATCHER for everybody without one. A position is shown through the game's own `view_of`, and
 * drafts only to their own seat. This code does not know who is connected, and sends nothing.
 *
 *   bw_update_begin(scratch, room, bw_room_match(room), viewers, &update);   // before a move
 *   bw_apply(...)
 *   bw_update_end(scratch, room, bw_room_match(room), &events, &update);     // after it
 *   bytes = bw_update_for(scratch, room, &moment, &update, viewer);   // for each viewer; shared if they see the same */
#ifndef BW_VIEW_H
#define BW_VIEW_H

#include "rooms/room/room.h"
#include "rooms/view/messages.h"

enum {
    BW_WATCHERS = BW_SEATS_MAX, /* the index of all viewers without a seat */
    BW_MISSED_BYTES = 200000,   /* bytes of missed updates; with more, the whole state is cheaper */
};

/* What a state shows apart from the room: the time, and how long the hall waits for somebody who is away. */
typedef struct bw_moment {
    int64_t wall_ms;
    int64_t next_round_at; /* ms since the epoch; 0: the clock is stopped */
    int64_t away_ms;       /* AWAY_SECONDS */
} bw_moment;

/* Encodes a server's message. */
bw_bytes *bw_message(bw_scratch *scratch, const bw_server_message *message);

bw_bytes *bw_room_state_for(bw_scratch *scratch, const bw_room *room, bw_moment moment, int seat);
/* `state` alone, as a spectator sees it. */
bw_bytes *bw_state_for_http(bw_scratch *scratch, const bw_room *room, bw_moment moment);
bw_bytes *bw_game_over_for(bw_scratch *scratch, const bw_room *room);
/* game_update with a seat's own drafts. */
bw_bytes *bw_you_for(bw_scratch *scratch, const bw_room *room, int seat);

/* An update in progress. The views themselves are in the scratch, so there is one at a time. */
typedef struct bw_update {
    uint32_t viewers; /* bit set of seats; bit BW_WATCHERS: those without one */
    uint32_t changed; /* seats whose own drafts have changed */
    bool live;        /* false: recomputed for a viewer who missed it */
    int64_t seq;
    bw_state before, after;
    const bw_match *match;
    const bw_events *events;
    /* the part common to all who see the same, in the scratch's pieces; shared_end 0: not written yet */
    size_t events_at, changes_at, shared_end;
    int shared_by;
    bw_bytes *made[BW_SEATS_MAX + 1];
} bw_update;

void bw_update_begin(bw_scratch *scratch, const bw_room *room, const bw_match *match, uint32_t viewers,
                     bw_update *update);
void bw_update_end(bw_scratch *scratch, const bw_room *room, const bw_events *events, bw_update *update);
/* The text for one viewer, owned by the update until bw_update_free. */
bw_bytes *bw_update_for(bw_scratch *scratch, const bw_room *room, bw_moment moment, bw_update *update, int viewer);
void bw_update_free(bw_update *update);

/* The updates that a seat has missed, as it saw the game at the time. */
typedef struct bw_missed {
    bw_room *room;
    int seat;
    int64_t since;
    bw_match match;
    bw_move_reader reader;
} bw_missed;
/* false: the updates after `since` are incomplete, empty, or too large. */
bool bw_missed_begin(bw_scratch *scratch, bw_room *room, bw_moment moment, int seat, int64_t since, bw_missed *missed);
bw_bytes *bw_missed_next(bw_scratch *scratch, bw_missed *missed); /* NULL: no more */

#endif
