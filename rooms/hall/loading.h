/* Loading and unloading rooms: what the files of hall/ offer each other.
 *
 *   hall.c      inputs, deadlines, jobs, hibernation, statistics
 *   loading.c   rooms being read, and the inputs that wait for them; failures of the journal
 *   recall.c    older moves of a room in use, read back
 *   http.c      HTTP requests
 *   fork.c      rooms made from others: forks of old games, rematches; and shared files
 *   moving.c    rooms given to other nodes
 *
 * An input for a room that is not in memory waits in the room's session (bw_wait_input) until the room is loaded; then it
 * is processed like any other. Long jobs are done in slices of BW_SLICE units (jobs, in hall.c). */
#ifndef BW_LOADING_H
#define BW_LOADING_H

#include "rooms/session/session.h"

/* ---- loading.c ---- */

bw_room *bw_room_load(bw_hall *hall, const char *id); /* a room of that id, being read: LOAD is emitted */
void bw_load_again(bw_hall *hall, bw_room *room);
void bw_wait_input(bw_hall *hall, bw_room *room, bw_input input);
/* A new connection, which is sent the state: now, or when the room is loaded or its game has ended. */
void bw_visit(bw_hall *hall, bw_room *room, uint64_t conn, bw_key address, const bw_game *game);
void bw_wait_message(bw_hall *hall, bw_conn *conn, const char *bytes, size_t length);
void bw_message_for(bw_hall *hall, bw_conn *conn, const char *bytes, size_t length);
/* The room is loaded (or, without a game, free to be created): processes the waiting inputs in order. */
void bw_run_inputs(bw_hall *hall, bw_room *room);
/* NULL or "": the default. Returns NULL if there is no such game or it is not offered. */
const bw_game *bw_game_for_new_room(const bw_hall *hall, const char *id);
bw_change bw_created(const bw_hall *hall, const bw_game *game, const void *config);
void bw_room_rebuilt(bw_hall *hall, bw_room *room, bool good);
/* The address that woke the room may cost no more work: another waiting address takes over. false: none may, and all
 * waiting inputs are refused; the room may be gone. */
bool bw_wake_for_another(bw_hall *hall, bw_room *room);
void bw_old_seats_drop(bw_hall *hall, bw_room *room);
/* An entry of that kind was not stored: the room is read again, as it was up to `last_good`. */
void bw_roll_back(bw_hall *hall, bw_room *room, bw_entry_kind kind, uint64_t last_good);
void bw_commit_failed(bw_hall *hall, uint64_t last_good, const char *reason, bool in_doubt);

/* ---- recall.c ---- */

/* The answer to bw_recall. */
void bw_recall_loaded(bw_hall *hall, bw_room *room, const bw_stored_room *stored, const char *failed);
bool bw_recall_slice(bw_hall *hall, bw_room *room); /* true: it has ended */

/* ---- http.c ---- */

/* A requested replay: for its own sake, or to fork a room from it. */
typedef struct bw_wanted {
    uint64_t conn;
    bool for_room;
    int64_t seq; /* the last move to copy */
    bw_key address;
} bw_wanted;

void bw_http_created(bw_hall *hall, bw_room *room, const bw_input *input);
void bw_http_tell_created(bw_hall *hall, bw_room *room, uint64_t conn);
void bw_room_for_new(bw_hall *hall, bw_input input); /* looks for a free id; the input waits for it */
void bw_http_state_now(bw_hall *hall, bw_room *room, const bw_input *input);
void bw_http_log_now(bw_hall *hall, bw_room *room, const bw_input *input);

/* ---- fork.c ---- */

typedef struct bw_forking bw_forking;

void bw_fork_loaded(bw_hall *hall, uint64_t conn, const bw_wanted *wanted, const uint8_t *bytes, size_t length);
void bw_fork_create(bw_hall *hall, bw_room *room, const bw_input *input);
bool bw_fork_slice(bw_hall *hall, bw_room *room); /* true: it has ended */
void bw_fork_stop(bw_hall *hall, bw_room *room);  /* aborts it: refused as too much work */
void bw_fork_end(bw_hall *hall, bw_room *room);

void bw_rematch_check(bw_hall *hall, bw_room *room);                      /* if all have agreed: makes the room */
void bw_rematch_create(bw_hall *hall, bw_room *room, const char *origin); /* its id is free */
void bw_rematch_failed(bw_hall *hall, const char *origin);

/* ---- moving.c ---- */

void bw_hand_over_stored(bw_hall *hall, bw_room *room); /* the room is moving, and its entries are stored */
void bw_hand_over_stop(bw_hall *hall, bw_room *room);   /* ... or a write failed: it stays for now */
/* A new connection while the rooms move. */
void bw_hand_over_visited(bw_hall *hall, uint64_t conn, const char *id, bw_key address);
void bw_hand_over_next(bw_hall *hall); /* begins with the next rooms; after the last one, ends */

/* ---- shared.c ---- */

/* The file's size matches its first line. */
bool bw_share_may_begin(const bw_bytes *file, bw_error_text *why);
/* The start that a file's first line gives in words of its own, or NULL. */
const char *bw_head_given(const bw_doc *head, char memory[BW_GIVEN_BYTES_MAX]);
/* Reads one line. 1: the file is valid; 0: there is more; negative: a bw_file_error, with the reader's error text. */
int bw_share_step(bw_hall *hall, bw_forking *of);
/* Stores `file`, taking ownership; the answer waits until it is durable. */
void bw_share_store(bw_hall *hall, bw_room *room, bw_bytes *file, uint64_t conn);
void bw_share_refuse(bw_hall *hall, uint64_t conn, int error, const char *why);

/* A file that is read in slices. Forking reads it twice: first to find the last move to copy, then to copy. */
struct bw_forking {
    bw_input input; /* BW_INPUT_FORK, BW_INPUT_SHARE or BW_INPUT_BRING */
    bw_file_reader reader;
    bw_file_reading reading;
    bool taking;     /* the second reading */
    int64_t seq;     /* the requested move */
    int64_t last;    /* the last move to copy */
    uint32_t number; /* of the last move of a shared file */
    bw_chain before; /* its hash */
};

/* ---- hall.c ---- */

void bw_sleep_now(bw_hall *hall, bw_room *room); /* removes it from memory once everything is durable */
void bw_drain_check(bw_hall *hall);

#endif
