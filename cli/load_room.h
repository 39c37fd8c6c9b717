/* One room of `boardwalk load`: two connections that play Flooded Island against each other, at random and as
 * they are told. The position is kept here too, so that every move is legal, and known to have arrived at both. */
#ifndef BW_CLI_LOAD_ROOM_H
#define BW_CLI_LOAD_ROOM_H

#include "cli/cli.h"
#include "cli/ws.h"

typedef enum load_stage {
    LOAD_CLOSED,  /* nothing is open */
    LOAD_SEATING, /* connecting, taking seats, configuring */
    LOAD_READY,   /* a move may be made */
    LOAD_WAITING, /* a move is under way */
    LOAD_ENDED,   /* the game is over; close it and open another */
    LOAD_FAILED,  /* the server refused something; `failure` says what */
} load_stage;

typedef struct load_room {
    load_stage stage;
    ws connections[2];   /* journeyman, weather */
    bool asked[2], seated[2], told[2];
    bool configured;
    bw_match match;
    uint8_t *block;
    void *action;
    bw_fast fast;
    uint32_t next_id[2];
    double sent;         /* when end_turn went out */
    double latency;      /* of the move that was completed last, in seconds */
    uint64_t moves, games;
    bw_complaint failure;
} load_room;

/* False with `failure`. */
bool load_room_open(load_room *room, const bw_game *game, ws_url *url, const struct addrinfo *address, uint64_t seed);
/* To be called when a connection can be read or written. True: a move has just been completed. */
bool load_room_pump(load_room *room, int side);
/* READY: makes the next move. */
void load_room_move(load_room *room);
void load_room_close(load_room *room);
void load_room_free(load_room *room);

#endif
