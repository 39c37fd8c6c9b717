/* A server of PostgreSQL for tests: in a folder of its own under /tmp, reached by a socket there alone, run by an ordinary
 * user (initdb refuses root), ended with the test. Durability against a power cut is off: tests kill processes. */
#ifndef BW_TESTS_DATABASE_H
#define BW_TESTS_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct database {
    pid_t pid; /* of its first process; 0: it does not run */
    int port;  /* names its socket */
    char folder[64], data[96];
    bool owns_folder;
} database;

/* Makes and starts one, with a database `boardwalk`. false: stderr says why. */
bool database_start(database *db);
/* Copies it and starts the copy as its standby `b`, in the same folder; reached by the second port. */
bool database_start_standby(database *standby, const database *primary);
/* The standby becomes a primary. */
bool database_promote(database *standby);
/* SIGKILL to each of its processes; and then started again on what it left. */
void database_kill(database *db);
bool database_restart(database *db);
/* SIGSTOP, SIGCONT to each of its processes: it is reached, and does not answer. */
void database_signal(database *db, int signal_number);
/* A restart as an operator does it: sessions are ended. */
void database_stop(database *db);
/* Kills it and removes the folder. */
void database_end(database *db);

/* postgresql:// for that database in it; `user`: NULL for the one that may do everything. */
const char *database_address(const database *db, const char *user, const char *name, char *text, size_t cap);
/* Runs statements in that database, as that user; the first column of the last row is put into `value` (may be NULL). */
bool database_run(const database *db, const char *name, const char *sql, char *value, size_t cap);

#endif
