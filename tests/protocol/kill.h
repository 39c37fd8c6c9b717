/* Real kills: many rooms of every game are played over real sockets while the real server is killed with SIGKILL
 * at random moments and restarted on the same database. Everything that a client was shown must still hold. On
 * PostgreSQL the database's own processes are killed too, alone or with the server. If the server survives, no client
 * is disconnected, and clients see no more than a pause. With several nodes, one of them is killed, or stopped for
 * longer than its lease, and all clients return through any other node.
 *
 *   kill_test.c    the cycle: play, kill, compare, return; and what must have happened for it to prove anything
 *   kill_through.c the same clients, a process for each table, through a balancer; kill_cluster.py does the killing
 *   kill_clients.c all clients of one process
 *   kill_room.c    what must survive: states and events by seq, logs, acknowledged moves, results, replays
 *   kill_player.c  a client: connects, sends, receives, and checks every message
 *   kill_games.c   what to play: settings, moves, orders for later rounds, and what is staged in secret */
#ifndef BW_TESTS_KILL_H
#define BW_TESTS_KILL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "bots/bots.h"
#include "engine/file.h"
#include "tests/support/client.h"
#include "tests/support/process.h"

enum {
    KILL_TABLES = 26,
    KILL_SEATS = 4,
    KILL_SEQS = 16384, /* of one room */
    KILL_ORDERS = 512, /* that must have been executed, of one room */
    KILL_PENDING = 4,
    KILL_NODES = 3,
};

/* An order that its player last saw queued for a round that has been played since. */
typedef struct kill_order {
    int64_t round;
    int seat, piece, x, y;
} kill_order;

/* A room, as its clients were shown it. */
typedef struct kill_room {
    char id[24];
    const bw_game *game;
    /* Digests by seq, 0: not seen; states also by seat, spectators first: in a race each seat has its own board. */
    uint64_t states[KILL_SEATS + 1][KILL_SEQS], events[KILL_SEQS];
    char *log; /* its moves, when they were last read */
    uint32_t stood_in,
        bots_played; /* bit sets of seats: a bot was asked to stand in since the player was there; ever */
    kill_order orders[KILL_ORDERS];
    int order_count;
    json_t *result;  /* of game_over; NULL: not over */
    int64_t over_at; /* the seq at which it was first sent */
    json_t *end;     /* the state at that time; NULL: killed before any client was shown it */
    int end_seat;    /* whose view it is */
    struct kill_room *next;
} kill_room;

typedef struct kill_pending {
    int id;
    char text[240];
    bool sent;
    bool tried;    /* it was sent on this connection or an earlier one */
    bool is_move;  /* it has a line in the log */
    bool may_fail; /* another player may have been faster */
    bool once;     /* not sent again after a kill */
    int64_t round;
    int piece; /* an order for that piece and round */
} kill_pending;

typedef struct kill_player {
    client c;
    struct kill_table *table;
    kill_room *room;
    int seat; /* BW_WATCHER: a spectator */
    char token[64];
    int next_id;
    int64_t seq;
    bool connected, moved /* to another room, not connected there yet */, seated, paused, may_start, asked_rematch,
        returns;
    kill_room *left_out_of; /* the previous room: the player chooses a seat in this one */
    json_t *state;
    json_t *prepared; /* what only this seat may know: a staged move, or a queue of orders */
    int64_t prepared_seq;
    kill_pending pending[KILL_PENDING];
    int pending_count;
    int moves_acked; /* in this room */
    int probe;       /* the id of a message that is answered as soon as the room is served again */
    double rests_until;
    bool clock_known;
    int64_t due_ms; /* of the next round */
} kill_player;

typedef struct kill_table {
    int kind;
    int count; /* of players; spectators are the last */
    kill_player players[KILL_SEATS + 1];
} kill_table;

/* What has happened, for the last line of output and to prove that it was enough. */
typedef struct kill_figures {
    long games, over, updates, acked, resent, refused, missed, lines, orders, drafts, rounds, left_out, rematches,
        behind, stand_ins;
} kill_figures;

extern kill_figures kill_did;
extern process kill_nodes[]; /* one, or KILL_NODES on one PostgreSQL */
int kill_port(void);         /* of a random running node */
bool kill_is_cluster(void);  /* then a room may have no owner for as long as a lease */
double kill_patience(void);  /* seconds for which a client tries to connect */
double kill_rest(void);      /* seconds between two moves of a client */

void kill_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* kill_clients.c */
extern kill_table kill_tables[KILL_TABLES];
extern int kill_table_count;
void kill_seed(uint64_t seed);
double kill_seconds(void);
uint32_t kill_roll(uint32_t below);
kill_player *kill_player_at(int index); /* of all tables; NULL after the last */
void kill_open_table(int number);       /* opens the room of that number, and takes its seats */
bool kill_is_back(const kill_player *p);
void kill_come_back(kill_player *p);
void kill_send_again(kill_player *p);
void kill_poll(int wait_ms);
bool kill_wait_for(bool (*done)(const kill_player *), const kill_player *p); /* for 5 seconds */
void kill_everybody_acts(void);
void kill_play_for(double duration);
void kill_compare_all(void); /* every room that has clients, once */

/* kill_room.c */
kill_room *kill_room_of(const char *id, const bw_game *game); /* the room of that id, created if it does not exist */
void kill_room_shows(kill_room *room, int seat, int64_t seq, const json_t *state);
void kill_room_happened(kill_room *room, int64_t seq, const json_t *events);
void kill_room_ended(kill_room *room, const json_t *game_over);
void kill_room_rests(kill_room *room, int seat, const json_t *state); /* shown: its replay must end with it */
void kill_room_compare(kill_room *room, const kill_table *table);     /* its log against what was seen */
bool kill_room_has_role(const kill_room *room, const char *role);     /* or was that role left out at the start? */
void kill_room_check_replay(kill_room *room);
void kill_rooms_check_replays(void);
void kill_rooms_free(void);

/* kill_player.c */
void kill_connect(kill_player *p); /* with a token: takes the seat back, and requests what it missed */
void kill_leave(kill_player *p);
void kill_say(kill_player *p, const char *text);
void kill_drop_once(kill_player *p);
void kill_listen(kill_player *p); /* receives everything that has arrived */
const char *kill_role(const kill_player *p);
const char *kill_text(const json_t *object, const char *key); /* "" if there is none */
int64_t kill_number(const json_t *object, const char *key);

/* kill_games.c */
extern const int kill_kinds;
kill_table kill_table_of(int index);
int kill_people_of(const kill_table *table);
const bw_game *kill_game_of(int kind);
void kill_set_up(kill_player *first); /* settings and bots of a new room */
void kill_act(kill_player *p);
/* The player, if left alone, asks for a bot in the seat of the one who was cut off. */
void kill_ask_stand_in(kill_player *p, int seat);
bool kill_probe(kill_player *p); /* something that is always allowed, sent like a move; false: not now */
bool kill_probe_answered(const kill_player *p);
void kill_prepared(kill_player *p, const json_t *you); /* what the seat has staged now */
/* The player has the seat again: is what was staged still there? */
void kill_has_come_back(kill_player *p, const json_t *state, const json_t *you);
void kill_round_was_played(kill_player *p, int64_t round); /* what was due by then must be in the log */

#endif
