/* One room of `boardwalk load`: two connections that play at random, as they are told.
 *
 * A game of turns (Flooded Island): the position is kept here too, so that every move is legal, and known to have
 * arrived at both. What is timed is a move, from end_turn to both updates.
 * A game of rounds (Flag War): orders go sideways, so that no game ends and its clock can be followed for hours.
 * What is timed is a round, at each connection: its arrival, less the time at which it was due by the clock that
 * was told at first. This machine's clock has to agree with the server's. */
#ifndef BW_CLI_LOAD_ROOM_H
#define BW_CLI_LOAD_ROOM_H

#include "cli/cli.h"
#include "cli/load_times.h"
#include "cli/ws.h"

typedef enum load_stage {
    LOAD_CLOSED,  /* nothing is open */
    LOAD_SEATING, /* connecting, taking seats, starting */
    LOAD_READY,   /* a move may be made, or an order given */
    LOAD_WAITING, /* a move is under way */
    LOAD_ENDED,   /* the game is over; close it and open another */
    LOAD_FAILED,  /* the server refused something; `failure` says what */
} load_stage;

typedef struct load_room {
    load_stage stage;
    ws connections[2]; /* of the game's first role and its second */
    bool asked[2], seated[2], told[2];
    bool configured;
    bw_match match;
    uint8_t *block;
    void *action;
    bw_fast fast;
    uint32_t next_id[2];
    double sent;       /* when end_turn went out */
    load_times *times; /* NULL: nothing is measured yet */
    int64_t round;     /* the last one that has arrived; round r is due at clock_ms + r * round_ms */
    int64_t clock_ms, round_ms;
    int64_t drift_ms; /* of the clock told last from the one told first */
    uint64_t rounds;  /* seen while measuring */
    bw_complaint failure;
} load_room;

/* False with `failure`. */
bool load_room_open(load_room *room, const bw_game *game, ws_url *url, const struct addrinfo *address, uint64_t seed);
/* To be called when a connection can be read or written. */
void load_room_pump(load_room *room, int side);
/* READY: makes the next move, or gives an order of either side. */
void load_room_move(load_room *room);
void load_room_close(load_room *room);
void load_room_free(load_room *room);

#endif
