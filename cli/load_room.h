/* One room of `boardwalk load`: two connections that play at random.
 *
 * A game of turns: the position is also tracked here, so every move is legal. The time of a move is measured from
 * the message that plays it until both updates have arrived. The game must have no luck drawn by the server.
 *
 * A game of rounds: orders are those of the start, so pieces stay near it and the clock can be measured for hours.
 * The lateness of a round is measured at each connection: its arrival minus its due time by the clock of the start.
 * This machine's clock must agree with the server's. */
#ifndef BW_CLI_LOAD_ROOM_H
#define BW_CLI_LOAD_ROOM_H

#include "cli/cli.h"
#include "cli/load_times.h"
#include "cli/ws.h"

typedef enum load_stage {
    LOAD_CLOSED,  /* nothing is open */
    LOAD_SEATING, /* connecting, taking seats, starting */
    LOAD_READY,   /* a move or an order can be sent */
    LOAD_WAITING, /* a move is in flight */
    LOAD_ENDED,   /* the game is over; close the room and open another */
    LOAD_FAILED,  /* the server refused something; `failure` says what */
} load_stage;

typedef struct load_room {
    load_stage stage;
    ws connections[2]; /* of the game's first and second role */
    bool asked[2], seated[2], told[2];
    bool configured;
    bw_match match;
    uint8_t *block;
    void *action;
    bw_fast fast;
    uint32_t next_id[2];
    double sent;       /* when end_turn was sent */
    load_times *times; /* NULL: not measuring yet */
    int64_t round;     /* the last round that has arrived; round r is due at clock_ms + r * round_ms */
    int64_t clock_ms, round_ms;
    int64_t drift_ms; /* of the clock last announced from the one first announced */
    uint64_t rounds;  /* seen while measuring */
    bw_error_text failure;
} load_room;

/* False: see `failure`. */
bool load_room_open(load_room *room, const bw_game *game, ws_url *url, const struct addrinfo *address, uint64_t seed);
/* Call it when a connection is readable or writable. */
void load_room_pump(load_room *room, int side);
/* READY: plays the next move, or orders for either side. */
void load_room_move(load_room *room);
void load_room_close(load_room *room);
void load_room_free(load_room *room);

#endif
