/* For the tests of rooms/: a hall with an in-memory journal, connections as lists of messages, bots that answer at
 * once, and a clock that moves on request. It always checks that each message sent is JSON and goes to an open
 * connection, even if a test does not ask. */
#ifndef BW_RIG_H
#define BW_RIG_H

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "rooms/hall.h"
#include "rooms/journal_memory.h"
#include "tests/support/unit.h"

enum { RIG_CONNS = 64 };

typedef struct rig_conn {
    bool open;
    bool mute;       /* does not answer pings */
    int closed_with; /* the code with which the hall closed it; 0: still open */
    int status;      /* of an HTTP answer */
    char *body;
    size_t pings;
    char **texts;
    size_t first, count, cap;
} rig_conn;

typedef struct rig {
    bw_hall_settings settings;
    bw_hall *hall;
    bw_memory_journal *journal;
    bw_now now;
    rig_conn conns[RIG_CONNS];
    bool hold;       /* appended entries stay pending until rig_commit */
    bool hold_loads; /* rooms are not loaded until rig_loads */
    bool hold_bots;
    bool hold_jobs;  /* long jobs get their slices when the clock advances */
    bool full;       /* the journal fails */
    bool doubt;      /* ... and what it refuses may come back after a crash */
    bool unreadable; /* rooms cannot be read */
    char loads[64][BW_ROOM_ID_MAX + 1];
    size_t load_count;
    bw_output thinking[16];
    size_t thinking_count;
    size_t appended, loaded, asked_bots;
    struct {
        char room[BW_ROOM_ID_MAX + 1];
        int64_t round_us;
    } moving[64]; /* rooms that are being handed over: answer with bw_hall_handed_over */
    size_t moving_count;
    char asked_model[32768];
    uint64_t model_work;
} rig;

extern const bw_hall_settings rig_settings;

rig *rig_new(void);
rig *rig_new_with(const bw_hall_settings *settings);
void rig_free(rig *r);
/* kill -9 and a restart on the same journal: pending entries are lost, all connections are gone. */
void rig_restart(rig *r);

/* Executes everything that the hall requests. All functions below call it. */
void rig_run(rig *r);
void rig_commit(rig *r);
void rig_loads(rig *r);
void rig_bots(rig *r);
uint64_t rig_work(const rig *r);      /* units of work so far */
void rig_advance(rig *r, int64_t ms); /* moves the clock, deadline by deadline */
void rig_stall(rig *r, int64_t ms);   /* moves only the clock; one tick at the end */

void rig_open(rig *r, int conn, const char *room, const char *game);
void rig_close(rig *r, int conn);
/* Sends a message; ' stands for ". */
void rig_say(rig *r, int conn, const char *format, ...) __attribute__((format(printf, 3, 4)));
void rig_say_raw(rig *r, int conn, const char *text, size_t length);

/* The next message, or NULL. The caller calls json_decref. */
json_t *rig_next(rig *r, int conn);
/* The next message of a type; skips the ones before it. Fails if there is none. */
json_t *rig_await(rig *r, int conn, const char *type);
/* The last message of a type among all pending ones, or NULL. Drops all of them. */
json_t *rig_last(rig *r, int conn, const char *type);
void rig_clear(rig *r); /* drops everything received so far */
size_t rig_count(const rig *r, int conn);
/* The next error has that code. */
void rig_await_error(rig *r, int conn, const char *code);
void rig_await_ack(rig *r, int conn, long id);
/* A dotted path into the last room_state: `rig_state(r, 1, "players.weather")`. Returns the value as text. */
const char *rig_text(const json_t *at, const char *path);
long rig_int(const json_t *at, const char *path);

/* Checks that a game file is complete: every line, every hash and the result. */
void rig_verify(const char *file);
void rig_verify_running(const char *file); /* ... but for the result; it must have its seed */

/* Two seated players of a running Flooded Island on a w x h grid: 1 is the journeyman, 2 the weather. Their tokens
 * are in rig_token. Drops everything received. */
void rig_island(rig *r, const char *room, int width, int height);
/* Takes a role, returns the token. */
const char *rig_seat(rig *r, int conn, const char *role);

#endif
