/* For the tests of rooms/: a hall with a journal in memory, connections that are lists of texts, bots that answer
 * at once, and a clock that goes when told to. Everything that a test does not ask about is still checked: each text
 * sent must be JSON, and goes to a connection that is open. */
#ifndef BW_RIG_H
#define BW_RIG_H

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rooms/hall.h"
#include "rooms/test/journal_memory.h"

enum { RIG_CONNS = 64 };

typedef struct rig_conn {
    bool open;
    bool mute;       /* answers no pings */
    int closed_with; /* the code with which the hall closed it; 0: it did not */
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
    bool hold;       /* the journal keeps what it is given until rig_commit */
    bool hold_loads; /* rooms are not read until rig_loads */
    bool hold_bots;
    bool hold_jobs;  /* what takes long gets its slices when the clock goes on */
    bool full;       /* the journal fails */
    bool doubt;      /* ... and what it refuses may come back in a crash */
    bool unreadable; /* rooms cannot be read */
    char loads[64][BW_ROOM_ID_MAX + 1];
    size_t load_count;
    bw_output thinking[16];
    size_t thinking_count;
    size_t appended, loaded, asked_bots;
    struct {
        char room[BW_ROOM_ID_MAX + 1];
        int64_t round_us;
    } moving[16]; /* rooms that are being handed over: answer with bw_hall_handed_over */
    size_t moving_count;
    char asked_model[32768];
    uint64_t model_work;
} rig;

extern const bw_hall_settings rig_settings;

rig *rig_new(void);
rig *rig_new_with(const bw_hall_settings *settings);
void rig_free(rig *r);
/* kill -9 and start again on the same journal: what waits is lost, all connections are gone. */
void rig_restart(rig *r);

/* Carries out whatever the hall wants. Called by all below. */
void rig_run(rig *r);
void rig_commit(rig *r);
void rig_loads(rig *r);
void rig_bots(rig *r);
void rig_advance(rig *r, int64_t ms); /* the clock, deadline by deadline */
void rig_stall(rig *r, int64_t ms);   /* the clock alone; one tick at the end */

void rig_open(rig *r, int conn, const char *room, const char *game);
void rig_close(rig *r, int conn);
/* A message; ' stands for ". */
void rig_say(rig *r, int conn, const char *format, ...) __attribute__((format(printf, 3, 4)));
void rig_say_raw(rig *r, int conn, const char *text, size_t length);

/* The next text, or NULL. The caller's to json_decref. */
json_t *rig_next(rig *r, int conn);
/* The next message of a type; others before it are passed over. Fails where there is none. */
json_t *rig_await(rig *r, int conn, const char *type);
/* The last message of a type among all that wait, NULL: none. Drops them all. */
json_t *rig_last(rig *r, int conn, const char *type);
void rig_clear(rig *r); /* everything that was received so far */
size_t rig_count(const rig *r, int conn);
/* An error with that code is the next error. */
void rig_await_error(rig *r, int conn, const char *code);
void rig_await_ack(rig *r, int conn, long id);
/* A dotted path into the last room_state: `rig_state(r, 1, "players.weather")`. The value as text. */
const char *rig_text(const json_t *at, const char *path);
long rig_int(const json_t *at, const char *path);

/* A game file that is whole: every line, hash and the result are checked. */
void rig_verify(const char *file);

/* Two seated players of a started Flooded Island on a w x h grid: 1 the journeyman, 2 the weather. Tokens in
 * rig_token. Everything received is dropped. */
void rig_island(rig *r, const char *room, int width, int height);
/* Takes a role, returns the token. */
const char *rig_seat(rig *r, int conn, const char *role);

#endif
