#include "tests/support/database.h"
#include "tests/support/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <libpq-fe.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOBODY = 65534, PROCESSES_MAX = 256, WAIT_MS = 60000 };

static void rest(int ms) { nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL); }

/* Debian keeps them out of the PATH, in one folder for each version. */
static bool find_program(const char *name, char *path, size_t cap) {
    char pattern[96];
    glob_t found;
    snprintf(pattern, sizeof pattern, "/usr/lib/postgresql/*/bin/%s", name);
    bool ok = glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc > 0;
    if (ok) snprintf(path, cap, "%s", found.gl_pathv[found.gl_pathc - 1]);
    else fprintf(stderr, "PostgreSQL is not installed: apt-get install postgresql\n");
    globfree(&found);
    return ok;
}

static pid_t start_program(const char *folder, const char *name, const char *const *arguments) {
    char path[200], log[96];
    char *argv[40];
    union {
        const char *constant;
        char *plain;
    } text;
    int count = 0;
    if (!find_program(name, path, sizeof path)) return -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid != 0) return pid;
    snprintf(log, sizeof log, "%s/log", folder);
    if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0)) _exit(126);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that dies leaves no server behind */
    int out = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    argv[count++] = path;
    for (; *arguments && count < 39; arguments++) {
        text.constant = *arguments;
        argv[count++] = text.plain;
    }
    argv[count] = NULL;
    char *environment[] = {NULL};
    if (chdir(folder) != 0) _exit(126);
    execve(path, argv, environment);
    _exit(127);
}

static bool run_program(const char *folder, const char *name, const char *const *arguments) {
    int status = 0;
    pid_t pid = start_program(folder, name, arguments);
    bool good = pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good && pid > 0) fprintf(stderr, "%s failed with %d; see %s/log\n", name, status, folder);
    return good;
}

static bool answers(const database *db) {
    char address[300];
    PGconn *conn = PQconnectdb(database_address(db, NULL, "postgres", address, sizeof address));
    bool good = PQstatus(conn) == CONNECTION_OK;
    PQfinish(conn);
    return good;
}

bool database_restart(database *db) {
    char port[12];
    snprintf(port, sizeof port, "%d", db->port);
    const char *const arguments[] = {"-D", db->data, "-k", db->folder, "-p", port, "-h", "", NULL};
    db->pid = start_program(db->folder, "postgres", arguments);
    for (int waited = 0; db->pid > 0 && waited < WAIT_MS; waited += 20) {
        if (answers(db)) return true;
        /* It refuses to start while a killed process of the previous server has not quite exited. */
        if (waitpid(db->pid, NULL, WNOHANG) == db->pid) db->pid = start_program(db->folder, "postgres", arguments);
        rest(20);
    }
    fprintf(stderr, "PostgreSQL did not start; see %s/log\n", db->folder);
    return false;
}

static bool write_text(const char *folder, const char *name, const char *how, const char *text) {
    char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, how);
    bool good = file && fputs(text, file) >= 0;
    return (!file || fclose(file) == 0) && good;
}

bool database_start(database *db) {
    *db = (database){.port = 5432, .owns_folder = true};
    if (!make_folder(db->folder, sizeof db->folder, "pg") || (getuid() == 0 && chown(db->folder, NOBODY, NOBODY) != 0))
        return false;
    snprintf(db->data, sizeof db->data, "%s/a", db->folder);
    const char *const arguments[] = {"-D", db->data, "-U", "boardwalk", "-A",      "trust",
                                     "-E", "UTF8",   "-N", "--locale",  "C.UTF-8", NULL};
    return run_program(db->folder, "initdb", arguments) &&
           write_text(db->data, "postgresql.conf", "a",
                      "\nfsync = off\nshared_buffers = 16MB\nmax_connections = 60\nautovacuum_naptime = 5s\n"
                      /* A killed server leaves its shared memory behind: in its folder it goes with the test. */
                      "dynamic_shared_memory_type = mmap\n"
                      "max_wal_senders = 4\nwal_receiver_status_interval = 1s\n") &&
           write_text(db->data, "pg_hba.conf", "w",
                      "local all guarded scram-sha-256\nlocal all shut reject\nlocal all all trust\n"
                      "local replication all trust\n") &&
           database_restart(db) && database_run(db, "postgres", "CREATE DATABASE boardwalk", NULL, 0);
}

bool database_start_standby(database *standby, const database *primary) {
    char address[300], port[12];
    *standby = (database){.port = primary->port + 1};
    memcpy(standby->folder, primary->folder, sizeof standby->folder);
    snprintf(standby->data, sizeof standby->data, "%s/b", primary->folder);
    snprintf(port, sizeof port, "%d", primary->port);
    snprintf(address, sizeof address, "host=%s port=%s user=boardwalk application_name=copying", primary->folder, port);
    const char *const arguments[] = {"-D", standby->data, "-d", address, "-c", "fast", "-X", "stream", "-N", NULL};
    if (!run_program(primary->folder, "pg_basebackup", arguments)) return false;
    snprintf(address, sizeof address, "\nprimary_conninfo = 'host=%s port=%s user=boardwalk application_name=b'\n",
             primary->folder, port);
    return write_text(standby->data, "postgresql.conf", "a", address) &&
           write_text(standby->data, "standby.signal", "w", "") && database_restart(standby);
}

bool database_promote(database *standby) {
    char value[8] = "";
    return database_run(standby, "postgres", "SELECT pg_promote()", value, sizeof value) && value[0] == 't';
}

/* The first process and those that it has started. */
static int processes_of(pid_t first, pid_t *found) {
    int count = 0;
    char path[300], text[300];
    found[count++] = first;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && (entry = readdir(folder)) && count < PROCESSES_MAX;) {
        long pid = strtol(entry->d_name, NULL, 10);
        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        FILE *file = pid > 0 ? fopen(path, "r") : NULL;
        if (!file) continue;
        char *end = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
        long parent = end && strlen(end) > 4 ? strtol(end + 4, NULL, 10) : 0; /* ") S parent" */
        if (parent == first) found[count++] = (pid_t)pid;
        fclose(file);
    }
    if (folder) closedir(folder);
    return count;
}

void database_signal(database *db, int signal_number) {
    pid_t all[PROCESSES_MAX];
    int count = db->pid > 0 ? processes_of(db->pid, all) : 0;
    for (int i = 0; i < count; i++) kill(all[i], signal_number);
}

void database_kill(database *db) {
    if (db->pid <= 0) return;
    kill(db->pid, SIGSTOP); /* so that it starts no more */
    database_signal(db, SIGKILL);
    waitpid(db->pid, NULL, 0);
    db->pid = 0;
}

void database_stop(database *db) {
    kill(db->pid, SIGINT);
    waitpid(db->pid, NULL, 0);
    db->pid = 0;
}

void database_end(database *db) {
    char command[120];
    database_kill(db);
    snprintf(command, sizeof command, "rm -rf '%s'", db->folder);
    if (db->owns_folder && db->folder[0] && system(command) != 0) fprintf(stderr, "%s cannot be removed\n", db->folder);
}

const char *database_address(const database *db, const char *user, const char *name, char *text, size_t cap) {
    snprintf(text, cap, "postgresql://%s@/%s?host=%s&port=%d", user ? user : "boardwalk", name, db->folder, db->port);
    return text;
}

static void ignore_notice(void *user, const char *text) { (void)user, (void)text; }

bool database_run(const database *db, const char *name, const char *sql, char *value, size_t cap) {
    char address[300];
    PGconn *conn = PQconnectdb(database_address(db, NULL, name, address, sizeof address));
    PQsetNoticeProcessor(conn, ignore_notice, NULL);
    PGresult *result = PQexec(conn, sql);
    ExecStatusType status = PQresultStatus(result);
    bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!good) fprintf(stderr, "%s: %s\n", sql, PQerrorMessage(conn));
    if (value && cap) {
        int rows = PQntuples(result);
        snprintf(value, cap, "%s", rows > 0 ? PQgetvalue(result, rows - 1, 0) : "");
    }
    PQclear(result);
    PQfinish(conn);
    return good;
}
