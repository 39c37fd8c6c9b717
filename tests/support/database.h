/* A PostgreSQL server for tests: in its own folder under /tmp, reachable only by a socket there, run by an ordinary
 * user (initdb refuses root), stopped with the test. Durability against a power cut is off: tests kill processes. */
#ifndef BW_TESTS_DATABASE_H
#define BW_TESTS_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct database {
    pid_t pid; /* of its first process; 0: not running */
    int port;  /* names its socket */
    char folder[64], data[96];
    bool owns_folder;
} database;

/* Creates and starts one, with a database `boardwalk`. false: stderr says why. */
bool database_start(database *db);
/* Copies it and starts the copy as its standby `b`, in the same folder; the second port names its socket. */
bool database_start_standby(database *standby, const database *primary);
/* Promotes the standby to primary. */
bool database_promote(database *standby);
/* SIGKILL to each of its processes; and a start with the data that they left. */
void database_kill(database *db);
bool database_restart(database *db);
/* SIGSTOP, SIGCONT to each of its processes: it accepts connections, but does not answer. */
void database_signal(database *db, int signal_number);
/* A restart as an operator does it: sessions end. */
void database_stop(database *db);
/* Kills it and removes the folder. */
void database_end(database *db);

/* postgresql:// for that database; `user`: NULL for the superuser. */
const char *database_address(const database *db, const char *user, const char *name, char *text, size_t cap);
/* Runs statements in that database, as that user; the first column of the last row goes to `value` (may be NULL). */
bool database_run(const database *db, const char *name, const char *sql, char *value, size_t cap);

#endif
