#include "server/postgres.h"

#include <errno.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "server/age.h"

/* ---- schema ---- */

/* A step from schema version i to i + 1. What a step makes must not disturb a server of the version before it, so that
 * nodes can be updated one by one. */
static const char *const migrations[BW_POSTGRES_SCHEMA] = {
    /* Whoever writes. `holder` is the process that has the row; `batch` is the last one that it stored. */
    "CREATE TABLE boardwalk.node (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, address text NOT NULL UNIQUE,"
    " epoch bigint NOT NULL, holder bigint NOT NULL, batch bigint NOT NULL, lease_until timestamptz NOT NULL);"
    "CREATE TABLE boardwalk.room (name text COLLATE \"C\" PRIMARY KEY, owner int REFERENCES boardwalk.node,"
    " status int NOT NULL, changed_at bigint NOT NULL);"
    /* A game under way is never swept (97 is 'a'), so that its moves don't touch this index. */
    "CREATE INDEX room_to_sweep ON boardwalk.room (status, changed_at) WHERE status <> 97;"
    "CREATE TABLE boardwalk.record (room text COLLATE \"C\", number bigint, bytes bytea NOT NULL,"
    " PRIMARY KEY (room, number));"
    "CREATE TABLE boardwalk.snapshot (room text COLLATE \"C\" PRIMARY KEY, number bigint NOT NULL, bytes bytea NOT NULL);"
    "CREATE TABLE boardwalk.replay (id text COLLATE \"C\" PRIMARY KEY, made_at bigint NOT NULL, bytes bytea NOT NULL);"
    "CREATE INDEX replay_by_age ON boardwalk.replay (made_at);",
};

/* Made on every connection. A batch names them with EXECUTE. */
static const char statements[] =
    /* 1/0 where the row has another epoch: an error that ends the whole batch (FENCED_STATE). */
    "PREPARE fence (int, bigint, bigint, float8) AS WITH mine AS (UPDATE boardwalk.node SET batch = $3,"
    " lease_until = now() + make_interval(secs => $4) WHERE id = $1 AND epoch = $2 RETURNING 1)"
    " SELECT 1 / count(*) FROM mine;"
    "PREPARE renew (int, bigint, float8) AS UPDATE boardwalk.node SET lease_until = now() + make_interval(secs => $3)"
    " WHERE id = $1 AND epoch = $2;"
    "PREPARE rejoin (int, bigint, float8) AS UPDATE boardwalk.node SET epoch = epoch + 1,"
    " lease_until = now() + make_interval(secs => $3) WHERE id = $1 AND holder = $2 RETURNING epoch, batch;"
    "PREPARE leave (int, bigint) AS UPDATE boardwalk.node SET holder = 0, lease_until = now()"
    " WHERE id = $1 AND holder = $2;"
    "PREPARE records (text[], bigint[], bytea[]) AS INSERT INTO boardwalk.record SELECT * FROM unnest($1, $2, $3);"
    "PREPARE rooms (int, text[], int[], bigint[]) AS INSERT INTO boardwalk.room (owner, name, status, changed_at)"
    " SELECT $1, n, s, c FROM unnest($2, $3, $4) AS g (n, s, c)"
    " ON CONFLICT (name) DO UPDATE SET status = excluded.status, changed_at = excluded.changed_at"
    " WHERE room.owner = $1;"
    "PREPARE touch (text[], int[], bigint[]) AS UPDATE boardwalk.room SET status = s, changed_at = c"
    " FROM unnest($1, $2, $3) AS g (n, s, c) WHERE name = n;"
    "PREPARE snapshot (text, bigint, bytea) AS INSERT INTO boardwalk.snapshot VALUES ($1, $2, $3)"
    " ON CONFLICT (room) DO UPDATE SET number = $2, bytes = $3;"
    "PREPARE drop_records (text, bigint) AS DELETE FROM boardwalk.record WHERE room = $1 AND number <= $2;"
    "PREPARE drop_snapshot (text) AS DELETE FROM boardwalk.snapshot WHERE room = $1;"
    "PREPARE drop_room (text) AS DELETE FROM boardwalk.room WHERE name = $1;"
    "PREPARE replay (text, bigint, bytea) AS INSERT INTO boardwalk.replay VALUES ($1, $2, $3)"
    " ON CONFLICT (id) DO UPDATE SET made_at = $2, bytes = $3;"
    "PREPARE drop_replays (bigint, int) AS WITH gone AS (DELETE FROM boardwalk.replay WHERE id IN"
    " (SELECT id FROM boardwalk.replay WHERE made_at < $1 ORDER BY made_at LIMIT $2) RETURNING 1)"
    " SELECT count(*) FROM gone;"
    /* One statement: room, snapshot and records are of the same moment. */
    "PREPARE load (text) AS SELECT 0, 0::bigint AS number, ''::bytea FROM boardwalk.room WHERE name = $1"
    " UNION ALL SELECT 1, number, bytes FROM boardwalk.snapshot WHERE room = $1"
    " UNION ALL SELECT 2, number, bytes FROM boardwalk.record WHERE room = $1 AND number >"
    " coalesce((SELECT number FROM boardwalk.snapshot WHERE room = $1), -1) ORDER BY 1, 2;"
    "PREPARE get_replay (text) AS SELECT bytes FROM boardwalk.replay WHERE id = $1;"
    /* Of nodes that are gone (holder 0), too; nobody else has those then. */
    "PREPARE sweep (int, bigint, bigint, int) AS WITH due AS (SELECT name FROM boardwalk.room r WHERE status <> 97"
    " AND ((status = 101 AND changed_at < $2) OR (status IN (119, 99) AND changed_at < $3)) AND (owner = $1 OR EXISTS"
    " (SELECT 1 FROM boardwalk.node n WHERE n.id = r.owner AND n.holder = 0)) LIMIT $4 FOR UPDATE OF r SKIP LOCKED)"
    " UPDATE boardwalk.room r SET owner = $1 FROM due WHERE r.name = due.name RETURNING r.name;"
    "PREPARE abandoned (int, bigint, int) AS WITH due AS (SELECT name FROM boardwalk.room r WHERE status = 97"
    " AND changed_at < $2 AND (owner = $1 OR EXISTS (SELECT 1 FROM boardwalk.node n WHERE n.id = r.owner"
    " AND n.holder = 0)) ORDER BY changed_at LIMIT $3 FOR UPDATE OF r SKIP LOCKED)"
    " UPDATE boardwalk.room r SET owner = $1 FROM due WHERE r.name = due.name RETURNING r.name;"
    "PREPARE owner_of (text, int) AS SELECT n.id, n.address, n.id = $2, n.holder = 0 OR n.lease_until < now()"
    " FROM boardwalk.room r JOIN boardwalk.node n ON n.id = r.owner WHERE r.name = $1;"
    "PREPARE take_name (text, int, bigint) AS INSERT INTO boardwalk.room (name, owner, status, changed_at)"
    " VALUES ($1, $2, 119, $3) ON CONFLICT DO NOTHING;"
    /* A node whose lease is over is fenced first: its epoch rises, behind what it has under way. */
    "PREPARE fence_dead (int) AS UPDATE boardwalk.node SET epoch = epoch + 1, holder = 0"
    " WHERE id = $1 AND holder <> 0 AND lease_until < now();"
    "PREPARE adopt (text, int, int) AS UPDATE boardwalk.room SET owner = $2 WHERE name = $1 AND owner = $3"
    " AND EXISTS (SELECT 1 FROM boardwalk.node WHERE id = $3 AND holder = 0) RETURNING name;";

#define FENCED_STATE "22012"

/* Numbers of advisory locks: one for whoever changes tables or joins, one for each node that lives. */
#define LOCK_CHANGES "pg_advisory_xact_lock(1113683041)"
#define LOCK_NODE "pg_try_advisory_lock(1113683042, "

enum { ACTIVE_CACHE = 8192, DIRTY_MAX = 8192, CONNECT_SECONDS = 2, CLAIM_TRIES = 8, OLDEST_SERVER = 140000 };

typedef struct dirty_room {
    const bw_entry *entry;
    int order;
} dirty_room;

struct bw_postgres {
    PGconn *conn;
    int deadline_ms;
    bool warned, replicated;
    char error[300], state[6];
    bw_block sql;
    int64_t number;
    /* The batch that is being written: a run of records is one statement, rooms' rows come last. */
    bw_block names, numbers, bytes;
    int owner;
    bool unusual; /* something in it can't be written */
    dirty_room dirty[DIRTY_MAX];
    int dirty_count;
    /* Rooms whose row says that a game is under way, by a hash of their names: their moves leave it alone. */
    char active[ACTIVE_CACHE][BW_ROOM_ID_MAX + 1];
};

/* ---- addresses ---- */

bool bw_postgres_is_address(const char *text) {
    return strncasecmp(text, "postgresql://", 13) == 0 || strncasecmp(text, "postgres://", 11) == 0;
}

static const char *option_of(const PQconninfoOption *options, const char *keyword) {
    for (const PQconninfoOption *o = options; o && o->keyword; o++) {
        if (strcmp(o->keyword, keyword) == 0) return o->val;
    }
    return NULL;
}

/* One for each server, or one for all. */
static bool ports_are_numbers(const char *ports) {
    if (!ports || !*ports) return true;
    for (const char *at = ports; *at;) {
        char *end;
        long port = strtol(at, &end, 10);
        if ((*at < '0' || *at > '9') || port < 1 || port > 65535 || (*end && *end != ',')) return false;
        at = *end ? end + 1 : end;
    }
    return true;
}

bool bw_postgres_address_is_right(const char *address, char *why, size_t cap) {
    char *words = NULL;
    PQconninfoOption *options = PQconninfoParse(address, &words);
    bool good = options && ports_are_numbers(option_of(options, "port"));
    snprintf(why, cap, "%s", good ? "" : options ? "the port is no number" : words ? words : "out of memory");
    char *quoted = strstr(why, ": \""); /* libpq repeats the whole address, and with it a password */
    if (quoted) *quoted = '\0';
    for (char *end = why + strlen(why); end > why && (end[-1] == '\n' || end[-1] == ' ');) *--end = '\0';
    PQconninfoFree(options);
    PQfreemem(words);
    return good;
}

const char *bw_postgres_shown(const char *address, char *text, size_t cap) {
    PQconninfoOption *options = PQconninfoParse(address, NULL);
    const char *user = option_of(options, "user"), *host = option_of(options, "host"),
               *port = option_of(options, "port"), *name = option_of(options, "dbname");
    if (!options) snprintf(text, cap, "postgresql://...");
    else
        snprintf(text, cap, "postgresql://%s%s%s%s%s/%s", user ? user : "", user ? "@" : "", host ? host : "",
                 port ? ":" : "", port ? port : "", name ? name : "");
    PQconninfoFree(options);
    return text;
}

/* ---- a word to the server, and its answer ---- */

static int64_t mono_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void set_error(bw_postgres *pg, const char *words) {
    snprintf(pg->error, sizeof pg->error, "%s", words);
    for (char *at = pg->error; *at; at++) {
        if (*at == '\n') *at = ' ';
    }
    for (char *end = pg->error + strlen(pg->error); end > pg->error && end[-1] == ' ';) *--end = '\0';
}

static void on_notice(void *user, const PGresult *notice) {
    bw_postgres *pg = user;
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (!severity || strcmp(severity, "WARNING") != 0) return;
    pg->warned = true;
    set_error(pg, PQresultErrorMessage(notice));
}

/* Waits for the socket. false: the deadline has passed. */
static bool wait_for(const bw_postgres *pg, short events, int64_t until) {
    struct pollfd socket = {.fd = PQsocket(pg->conn), .events = events};
    for (;;) {
        int64_t left = until - mono_ms();
        int got = poll(&socket, 1, left > 0 ? (int)left : 0);
        if (got > 0) return true;
        if (got == 0 || errno != EINTR) return false;
    }
}

static bool flush(bw_postgres *pg, int64_t until) {
    int left;
    while ((left = PQflush(pg->conn)) > 0) {
        if (!wait_for(pg, POLLIN | POLLOUT, until)) return false;
        if (!PQconsumeInput(pg->conn)) return false;
    }
    return left == 0;
}

static bool arrives(bw_postgres *pg, int64_t until) {
    while (PQisBusy(pg->conn)) {
        if (!wait_for(pg, POLLIN, until) || !PQconsumeInput(pg->conn)) return false;
    }
    return true;
}

/* An ERROR is an answer: nothing is stored. Whatever ends the connection is none. */
static bw_postgres_outcome note_failure(bw_postgres *pg, const PGresult *result) {
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *words = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    snprintf(pg->state, sizeof pg->state, "%s", state ? state : "");
    set_error(pg, words ? words : PQresultErrorMessage(result));
    if (!severity || !state || strcmp(severity, "ERROR") != 0 || pg->warned) return BW_POSTGRES_UNKNOWN;
    return strcmp(state, FENCED_STATE) == 0 ? BW_POSTGRES_FENCED : BW_POSTGRES_REFUSED;
}

/* Takes all results of what was sent. `rows`: the last one with rows, to be cleared by the caller. */
static bw_postgres_outcome finish(bw_postgres *pg, bool sent, PGresult **rows) {
    int64_t until = mono_ms() + pg->deadline_ms;
    bw_postgres_outcome outcome = BW_POSTGRES_DONE;
    PGresult *result = NULL, *kept = NULL;
    bool answered = false;
    if (sent && flush(pg, until)) {
        while ((answered = arrives(pg, until)) && (result = PQgetResult(pg->conn))) {
            ExecStatusType status = PQresultStatus(result);
            if (status == PGRES_TUPLES_OK) {
                PQclear(kept);
                kept = result;
                continue;
            }
            if (status != PGRES_COMMAND_OK && status != PGRES_EMPTY_QUERY && outcome == BW_POSTGRES_DONE) {
                outcome = note_failure(pg, result);
            }
            PQclear(result);
        }
    }
    if (!answered || PQstatus(pg->conn) != CONNECTION_OK) {
        if (outcome == BW_POSTGRES_DONE) {
            pg->state[0] = '\0';
            const char *words = PQerrorMessage(pg->conn);
            set_error(pg, *words ? words : "no answer in time");
        }
        outcome = BW_POSTGRES_UNKNOWN;
    }
    if (pg->warned) outcome = BW_POSTGRES_UNKNOWN;
    if (outcome == BW_POSTGRES_DONE && rows) *rows = kept;
    else PQclear(kept);
    return outcome;
}

static void begin_exchange(bw_postgres *pg) {
    pg->warned = false;
    pg->state[0] = pg->error[0] = '\0';
}

/* One or more statements in one message: one transaction. */
static bw_postgres_outcome run(bw_postgres *pg, const char *sql, PGresult **rows) {
    begin_exchange(pg);
    return finish(pg, PQsendQuery(pg->conn, sql) == 1, rows);
}

/* A prepared statement whose rows come in binary. */
static bw_postgres_outcome ask(bw_postgres *pg, const char *statement, const char *argument, PGresult **rows) {
    begin_exchange(pg);
    return finish(pg, PQsendQueryPrepared(pg->conn, statement, 1, &argument, NULL, NULL, 1) == 1, rows);
}

static int64_t number_at(const PGresult *rows, int row, int column) {
    return strtoll(PQgetvalue(rows, row, column), NULL, 10);
}

static int64_t binary_number_at(const PGresult *rows, int row, int column) {
    const uint8_t *at = (const uint8_t *)PQgetvalue(rows, row, column);
    uint64_t value = 0;
    for (int i = 0; i < PQgetlength(rows, row, column); i++) value = value << 8 | at[i];
    return (int64_t)value;
}

/* ---- opening ---- */

static bool says(const char *words, const char *part) { return strstr(words, part) != NULL; }

/* libpq has no codes for what goes wrong before there is a connection, only words. */
static void explain_connect(const char *shown, const char *words, bw_store_problem *problem) {
    char *text = problem->text;
    size_t cap = sizeof problem->text;
    if (says(words, "password authentication failed") || says(words, "no password supplied"))
        snprintf(text, cap, "%s refuses the password. Put the right one into the address, or into ~/.pgpass.", shown);
    else if (says(words, "Peer authentication failed") || says(words, "pg_hba.conf"))
        snprintf(text, cap, "%s does not let this user in. Allow it in pg_hba.conf, or name another user.", shown);
    else if (says(words, "role \"") && says(words, "does not exist"))
        snprintf(text, cap, "%s has no such user. Create it first (createuser), or name another one.", shown);
    else if (says(words, "database \"") && says(words, "does not exist"))
        snprintf(text, cap, "%s does not exist on its server. Create it first (createdb).", shown);
    else if (says(words, "read-only") || says(words, "hot standby"))
        snprintf(text, cap, "%s can only be read: it is a standby. Name the primary, or all servers.", shown);
    else if (says(words, "too many"))
        snprintf(text, cap, "%s has too many connections. Raise max_connections, or end other programs.", shown);
    else if (says(words, "starting up") || says(words, "shutting down"))
        snprintf(text, cap, "%s is starting or stopping. Try again when it runs.", shown);
    else
        snprintf(text, cap, "%s cannot be reached: %.200s. Start PostgreSQL there, or correct the address.", shown,
                 words);
}

static bool looks_right(bw_postgres *pg, const char *shown, bool *away, bw_store_problem *problem) {
    PGresult *rows = NULL;
    /* A backend whose client is gone ends soon, whatever it waits for; a client that stops holds no lock for long. */
    static const char sql[] =
        "SELECT current_setting('server_encoding'), current_setting('synchronous_standby_names'),"
        " pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on', pg_is_in_recovery(),"
        " set_config('client_connection_check_interval', '1s', false),"
        " set_config('idle_in_transaction_session_timeout', '5s', false), set_config('search_path', 'boardwalk', false),"
        " set_config('standard_conforming_strings', 'on', false), set_config('client_encoding', 'UTF8', false),"
        " CASE WHEN current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')"
        " THEN set_config('synchronous_commit', 'on', false) END";
    int version = PQserverVersion(pg->conn);
    if (version < OLDEST_SERVER) {
        snprintf(problem->text, sizeof problem->text, "%s is PostgreSQL %d. Boardwalk wants 14 or later.", shown,
                 version / 10000);
        return false;
    }
    bw_postgres_outcome outcome = run(pg, sql, &rows);
    if (outcome != BW_POSTGRES_DONE) {
        *away = true;
        snprintf(problem->text, sizeof problem->text, "%s does not answer: %.300s.", shown, pg->error);
        return false;
    }
    bool utf8 = strcmp(PQgetvalue(rows, 0, 0), "UTF8") == 0, writable = PQgetvalue(rows, 0, 2)[0] == 'f';
    bool standby = PQgetvalue(rows, 0, 3)[0] == 't';
    pg->replicated = PQgetvalue(rows, 0, 1)[0] != '\0';
    if (!utf8) {
        snprintf(problem->text, sizeof problem->text,
                 "%s has the encoding %s. Create a database with UTF8: createdb -E UTF8 -T template0 NAME.", shown,
                 PQgetvalue(rows, 0, 0));
    } else if (!writable) {
        *away = true;
        snprintf(problem->text, sizeof problem->text, "%s can only be read: %s.", shown,
                 standby ? "it is a standby. Name the primary, or all servers"
                         : "default_transaction_read_only is on. Turn it off");
    }
    PQclear(rows);
    return utf8 && writable;
}

static PGconn *connect_to(const char *address) {
    char seconds[12];
    snprintf(seconds, sizeof seconds, "%d", CONNECT_SECONDS);
    /* What the address says for itself comes last, and wins. */
    const char *const keywords[] = {"fallback_application_name", "connect_timeout", "tcp_user_timeout", "dbname", NULL};
    const char *const values[] = {"boardwalk", seconds, "5000", address, NULL};
    return PQconnectdbParams(keywords, values, 1);
}

/* Where the address names several servers, the one that can be written is wanted. */
static bool adds_attributes(const char *address, char *longer, size_t cap) {
    PQconninfoOption *options = PQconninfoParse(address, NULL);
    const char *host = option_of(options, "host");
    const char *wanted = option_of(options, "target_session_attrs");
    bool several = host && strchr(host, ',') && !wanted;
    if (several)
        snprintf(longer, cap, "%s%starget_session_attrs=read-write", address, strchr(address, '?') ? "&" : "?");
    PQconninfoFree(options);
    return several;
}

bw_postgres *bw_postgres_open(const char *address, int deadline_ms, bool *away, bw_store_problem *problem) {
    char shown[BW_POSTGRES_SHOWN_MAX], longer[1200], why[200];
    *away = false;
    if (!bw_postgres_address_is_right(address, why, sizeof why)) {
        snprintf(problem->text, sizeof problem->text,
                 "The address is not one of PostgreSQL (%s). It looks like postgresql://user@host:5432/database.", why);
        return NULL;
    }
    bw_postgres_shown(address, shown, sizeof shown);
    bw_postgres *pg = calloc(1, sizeof *pg);
    if (pg) pg->conn = connect_to(adds_attributes(address, longer, sizeof longer) ? longer : address);
    if (!pg || !pg->conn) {
        snprintf(problem->text, sizeof problem->text, "There is no memory to open the database.");
        bw_postgres_close(pg);
        return NULL;
    }
    pg->deadline_ms = deadline_ms;
    if (PQstatus(pg->conn) != CONNECTION_OK) {
        *away = true;
        set_error(pg, PQerrorMessage(pg->conn));
        explain_connect(shown, pg->error, problem);
        bw_postgres_close(pg);
        return NULL;
    }
    PQsetNoticeReceiver(pg->conn, on_notice, pg);
    PQsetnonblocking(pg->conn, 1);
    if (looks_right(pg, shown, away, problem)) return pg;
    bw_postgres_close(pg);
    return NULL;
}

void bw_postgres_set_deadline(bw_postgres *pg, int deadline_ms) { pg->deadline_ms = deadline_ms; }

void bw_postgres_close(bw_postgres *pg) {
    if (!pg) return;
    PQfinish(pg->conn);
    free(pg->sql.at);
    free(pg->names.at);
    free(pg->numbers.at);
    free(pg->bytes.at);
    free(pg);
}

static bool explain(bw_postgres *pg, const char *doing, bw_store_problem *problem) {
    const char *hint =
        strcmp(pg->state, "42501") == 0
            ? " The user must own the database, or have CREATE on it: GRANT CREATE ON DATABASE ... TO ..."
            : "";
    snprintf(problem->text, sizeof problem->text, "%s failed in the database: %s.%s", doing, pg->error, hint);
    return false;
}

/* -1: there are no tables yet. */
static bool read_version(bw_postgres *pg, int *version, bw_store_problem *problem) {
    PGresult *rows = NULL;
    *version = -1;
    /* Both by what this statement sees: other nodes may be making them. */
    static const char sql[] = "SELECT EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                              " WHERE n.nspname = 'boardwalk' AND c.relname = 'version'),"
                              " EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'boardwalk')";
    bw_postgres_outcome outcome = run(pg, sql, &rows);
    if (outcome != BW_POSTGRES_DONE) return explain(pg, "Looking for the tables", problem);
    bool ours = PQgetvalue(rows, 0, 0)[0] == 't', taken = PQgetvalue(rows, 0, 1)[0] == 't';
    PQclear(rows);
    if (!ours && taken) {
        snprintf(problem->text, sizeof problem->text,
                 "This database has a schema `boardwalk` of another program. Give this server another DATABASE.");
        return false;
    }
    if (!ours) return true;
    if (run(pg, "SELECT number FROM boardwalk.version", &rows) != BW_POSTGRES_DONE)
        return explain(pg, "Reading the version of the tables", problem);
    if (PQntuples(rows) == 1) *version = (int)number_at(rows, 0, 0);
    PQclear(rows);
    if (*version <= BW_POSTGRES_SCHEMA) return true;
    snprintf(problem->text, sizeof problem->text,
             "This database was written by a newer Boardwalk (schema %d; this one knows up to %d). Use that one.",
             *version, BW_POSTGRES_SCHEMA);
    return false;
}

/* Several nodes may start at once: one makes a step, the others find it made. The step fails for the others where the
 * version is not what they saw, and they look again. */
bool bw_postgres_migrate(bw_postgres *pg, bw_store_problem *problem) {
    static const char first[] =
        "SELECT " LOCK_CHANGES "; CREATE SCHEMA boardwalk; CREATE TABLE boardwalk.version (number int NOT NULL);"
        " INSERT INTO boardwalk.version VALUES (0)";
    char head[200];
    int version;
    for (int tries = 0; tries < 2 * BW_POSTGRES_SCHEMA + 4; tries++) {
        if (!read_version(pg, &version, problem)) return false;
        if (version == BW_POSTGRES_SCHEMA) return true;
        pg->sql.length = 0;
        bw_postgres_outcome outcome;
        if (version < 0) {
            outcome = run(pg, first, NULL);
        } else {
            int length = snprintf(head, sizeof head,
                                  "SELECT " LOCK_CHANGES "; WITH next AS (UPDATE boardwalk.version SET number = %d"
                                  " WHERE number = %d RETURNING 1) SELECT 1 / count(*) FROM next;",
                                  version + 1, version);
            const char *step = migrations[version];
            if (!bw_block_add(&pg->sql, head, (size_t)length) || !bw_block_add(&pg->sql, step, strlen(step) + 1)) break;
            outcome = run(pg, pg->sql.at, NULL);
        }
        bool raced =
            outcome == BW_POSTGRES_FENCED || strcmp(pg->state, "42P06") == 0 || strcmp(pg->state, "23505") == 0;
        if (outcome != BW_POSTGRES_DONE && !raced) return explain(pg, "Making the tables", problem);
    }
    snprintf(problem->text, sizeof problem->text, "The tables could not be made: other servers change them, too.");
    return false;
}

bw_postgres_outcome bw_postgres_prepare(bw_postgres *pg) { return run(pg, statements, NULL); }

/* ---- who writes ---- */

bw_postgres_outcome bw_postgres_join(bw_postgres *pg, bw_postgres_node *node, bool *in_use) {
    char sql[2000], *address = PQescapeLiteral(pg->conn, node->address, strlen(node->address));
    PGresult *rows = NULL;
    *in_use = false;
    if (!address) return BW_POSTGRES_UNKNOWN;
    /* The lock ends with the connection: a server that was killed need not be waited for. One that only lost its
     * connection is fenced, if somebody else starts just then. Whoever is alone is so: there are no other nodes. */
    snprintf(sql, sizeof sql,
             "SELECT " LOCK_CHANGES "; INSERT INTO boardwalk.node (address, epoch, holder, batch, lease_until)"
             " VALUES (%s, 0, 0, 0, '-infinity') ON CONFLICT DO NOTHING;"
             "WITH me AS MATERIALIZED (SELECT id FROM boardwalk.node WHERE address = %s),"
             " got AS MATERIALIZED (SELECT id, " LOCK_NODE "id) AS free FROM me)"
             " UPDATE boardwalk.node n SET epoch = epoch + 1, holder = %" PRId64 ", batch = 0,"
             " lease_until = now() + make_interval(secs => %.3f) FROM got WHERE n.id = got.id"
             " AND (got.free OR n.lease_until < now()) AND NOT EXISTS (SELECT 1 FROM boardwalk.node o WHERE"
             " o.id <> n.id AND (o.address = '' OR n.address = '') AND o.lease_until >= now()) RETURNING n.id, n.epoch;"
             "UPDATE boardwalk.node o SET epoch = o.epoch + 1, holder = 0 FROM boardwalk.node n WHERE n.address = %s"
             " AND n.holder = %" PRId64 " AND o.id <> n.id AND (o.address = '' OR n.address = '');"
             "UPDATE boardwalk.room r SET owner = n.id FROM boardwalk.node n WHERE n.address = '' AND %s = ''"
             " AND n.holder = %" PRId64 " AND r.owner IS DISTINCT FROM n.id",
             address, address, node->holder, node->lease_seconds, address, node->holder, address, node->holder);
    PQfreemem(address);
    bw_postgres_outcome outcome = run(pg, sql, &rows);
    if (outcome != BW_POSTGRES_DONE) return outcome;
    *in_use = PQntuples(rows) != 1;
    if (!*in_use) {
        node->id = (int)number_at(rows, 0, 0);
        node->epoch = number_at(rows, 0, 1);
        node->stored = 0;
    }
    PQclear(rows);
    return *in_use ? BW_POSTGRES_REFUSED : BW_POSTGRES_DONE;
}

bw_postgres_outcome bw_postgres_rejoin(bw_postgres *pg, bw_postgres_node *node) {
    char sql[200];
    PGresult *rows = NULL;
    snprintf(sql, sizeof sql, "SELECT " LOCK_NODE "%d); EXECUTE rejoin (%d, %" PRId64 ", %.3f)", node->id, node->id,
             node->holder, node->lease_seconds);
    bw_postgres_outcome outcome = run(pg, sql, &rows);
    if (outcome != BW_POSTGRES_DONE) return outcome;
    bool mine = PQntuples(rows) == 1;
    if (mine) {
        node->epoch = number_at(rows, 0, 0);
        node->stored = number_at(rows, 0, 1);
    }
    PQclear(rows);
    return mine ? BW_POSTGRES_DONE : BW_POSTGRES_FENCED;
}

bw_postgres_outcome bw_postgres_renew(bw_postgres *pg, const bw_postgres_node *node) {
    char sql[200];
    PGresult *rows = NULL;
    snprintf(sql, sizeof sql,
             "EXECUTE renew (%d, %" PRId64 ", %.3f); SELECT count(*) FROM boardwalk.node"
             " WHERE id = %d AND epoch = %" PRId64,
             node->id, node->epoch, node->lease_seconds, node->id, node->epoch);
    bw_postgres_outcome outcome = run(pg, sql, &rows);
    if (outcome != BW_POSTGRES_DONE) return outcome;
    bool mine = number_at(rows, 0, 0) == 1;
    PQclear(rows);
    return mine ? BW_POSTGRES_DONE : BW_POSTGRES_FENCED;
}

void bw_postgres_leave(bw_postgres *pg, const bw_postgres_node *node) {
    char sql[100];
    snprintf(sql, sizeof sql, "EXECUTE leave (%d, %" PRId64 ")", node->id, node->holder);
    run(pg, sql, NULL);
}

static bool is_name(const char *name) {
    for (const char *at = name; *at; at++) {
        bool plain =
            (*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z') || *at == '_';
        if (!plain) return false;
    }
    return *name;
}

static char *place_of(bw_postgres *pg, const char *name);

/* One look. 1: `owner` is set; 0: there is no such room; -1: it changed hands meanwhile; else see the outcome. */
static bw_postgres_outcome look_for_owner(bw_postgres *pg, const bw_postgres_node *node, const char *room, char *owner,
                                          size_t cap, bool *adopted, int *found) {
    char sql[240];
    PGresult *rows = NULL;
    snprintf(sql, sizeof sql, "EXECUTE owner_of ('%s', %d)", room, node->id);
    bw_postgres_outcome outcome = run(pg, sql, &rows);
    if (outcome != BW_POSTGRES_DONE) return outcome;
    *found = PQntuples(rows);
    bool mine = *found && PQgetvalue(rows, 0, 2)[0] == 't', dead = *found && PQgetvalue(rows, 0, 3)[0] == 't';
    int id = *found ? (int)number_at(rows, 0, 0) : 0;
    snprintf(owner, cap, "%s", *found && !mine && !dead ? PQgetvalue(rows, 0, 1) : "");
    PQclear(rows);
    if (!dead || mine) return outcome;
    snprintf(sql, sizeof sql, "EXECUTE fence_dead (%d); EXECUTE adopt ('%s', %d, %d)", id, room, node->id, id);
    outcome = run(pg, sql, &rows);
    if (outcome != BW_POSTGRES_DONE) return outcome;
    *adopted = PQntuples(rows) == 1;
    *found = *adopted ? 1 : -1;
    PQclear(rows);
    return outcome;
}

bw_postgres_outcome bw_postgres_claim(bw_postgres *pg, const bw_postgres_node *node, const char *room, bool creates,
                                      char *owner, size_t cap, bool *adopted) {
    char sql[200];
    *adopted = false;
    if (!is_name(room)) return BW_POSTGRES_REFUSED;
    char *active = place_of(pg, room);
    if (strcmp(active, room) == 0) active[0] = '\0'; /* another node may have had it since */
    for (int tries = 0; tries < CLAIM_TRIES; tries++) {
        int found = 0;
        bw_postgres_outcome outcome = look_for_owner(pg, node, room, owner, cap, adopted, &found);
        if (outcome != BW_POSTGRES_DONE || found > 0 || (found == 0 && !creates)) return outcome;
        if (found < 0) continue;
        snprintf(sql, sizeof sql, "EXECUTE take_name ('%s', %d, %" PRId64 ")", room, node->id,
                 (int64_t)time(NULL) * 1000);
        outcome = run(pg, sql, NULL);
        if (outcome != BW_POSTGRES_DONE) return outcome;
    }
    set_error(pg, "it changes hands all the time");
    return BW_POSTGRES_REFUSED;
}

bw_postgres_outcome bw_postgres_count(bw_postgres *pg, const bw_postgres_node *node, int64_t *nodes, int64_t *owned) {
    char sql[240];
    PGresult *rows = NULL;
    snprintf(sql, sizeof sql,
             "SELECT (SELECT count(*) FROM boardwalk.node WHERE lease_until >= now() AND holder <> 0),"
             " (SELECT count(*) FROM boardwalk.room WHERE owner = %d)",
             node->id);
    bw_postgres_outcome outcome = run(pg, sql, &rows);
    if (outcome != BW_POSTGRES_DONE) return outcome;
    *nodes = number_at(rows, 0, 0);
    *owned = number_at(rows, 0, 1);
    PQclear(rows);
    return outcome;
}

/* ---- a batch ---- */

static void add(bw_postgres *pg, bw_block *block, const char *text) {
    pg->unusual |= !bw_block_add(block, text, strlen(text));
}

/* Letters and digits alone: they stand in SQL as they are. */
static void add_name(bw_postgres *pg, bw_block *block, const char *name) {
    for (const char *at = name; *at; at++) {
        bool plain =
            (*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z') || *at == '_';
        pg->unusual |= !plain;
    }
    add(pg, block, name);
}

static void add_number(bw_postgres *pg, bw_block *block, int64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    add(pg, block, text);
}

/* Two digits a byte, behind one or (within an array) two backslashes. */
static void add_bytes(bw_postgres *pg, bw_block *block, const uint8_t *bytes, size_t length, const char *mark) {
    static const char digits[] = "0123456789abcdef";
    char piece[512];
    add(pg, block, mark);
    for (size_t i = 0, at = 0; i < length; i++) {
        piece[at++] = digits[bytes[i] >> 4];
        piece[at++] = digits[bytes[i] & 15];
        if (at == sizeof piece || i == length - 1) {
            pg->unusual |= !bw_block_add(block, piece, at);
            at = 0;
        }
    }
}

void bw_postgres_begin(bw_postgres *pg, const bw_postgres_node *node, int64_t number) {
    char head[120];
    pg->sql.length = pg->names.length = pg->numbers.length = pg->bytes.length = 0;
    pg->dirty_count = 0;
    pg->unusual = false;
    pg->owner = node->id;
    snprintf(head, sizeof head, "EXECUTE fence (%d, %" PRId64 ", %" PRId64 ", %.3f);", node->id, node->epoch, number,
             node->lease_seconds);
    add(pg, &pg->sql, head);
}

/* Writes the run of records that has gathered. */
static void end_run(bw_postgres *pg) {
    if (pg->names.length == 0) return;
    add(pg, &pg->sql, "EXECUTE records ('{");
    pg->unusual |= !bw_block_add(&pg->sql, pg->names.at, pg->names.length - 1); /* without the last comma */
    add(pg, &pg->sql, "}', '{");
    pg->unusual |= !bw_block_add(&pg->sql, pg->numbers.at, pg->numbers.length - 1);
    add(pg, &pg->sql, "}', '{");
    pg->unusual |= !bw_block_add(&pg->sql, pg->bytes.at, pg->bytes.length - 1);
    add(pg, &pg->sql, "}');");
    pg->names.length = pg->numbers.length = pg->bytes.length = 0;
}

static void put_record(bw_postgres *pg, const bw_entry *entry) {
    add_name(pg, &pg->names, entry->room);
    add(pg, &pg->names, ",");
    add_number(pg, &pg->numbers, entry->index);
    add(pg, &pg->numbers, ",");
    add_bytes(pg, &pg->bytes, entry->bytes, entry->length, "\\\\x");
    add(pg, &pg->bytes, ",");
}

static void put_statement(bw_postgres *pg, const char *statement, const char *name) {
    add(pg, &pg->sql, "EXECUTE ");
    add(pg, &pg->sql, statement);
    add(pg, &pg->sql, " ('");
    add_name(pg, &pg->sql, name);
    add(pg, &pg->sql, "'");
}

static void put_numbered(bw_postgres *pg, const char *statement, const char *name, int64_t number) {
    put_statement(pg, statement, name);
    add(pg, &pg->sql, ", ");
    add_number(pg, &pg->sql, number);
}

static void put_blob(bw_postgres *pg, const char *statement, const char *name, int64_t number, const bw_entry *entry) {
    put_numbered(pg, statement, name, number);
    add_bytes(pg, &pg->sql, entry->bytes, entry->length, ", '\\x");
    add(pg, &pg->sql, "');");
}

static char *place_of(bw_postgres *pg, const char *name) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *at = name; *at; at++) hash = (hash ^ (uint8_t)*at) * 16777619u;
    return pg->active[hash % ACTIVE_CACHE];
}

static int by_name(const void *a, const void *b) {
    const dirty_room *x = a, *y = b;
    int order = strcmp(x->entry->room, y->entry->room);
    return order ? order : x->order - y->order;
}

/* Rows of rooms: those that are made where there is none, or those that are not. */
static void put_rows(bw_postgres *pg, const char *statement, bool made, const bool *makes) {
    bw_block statuses = {0}, times = {0};
    for (int i = 0; i < pg->dirty_count; i++) {
        const bw_entry *entry = pg->dirty[i].entry;
        if (!entry || makes[i] != made) continue;
        add_name(pg, &pg->names, entry->room);
        add(pg, &pg->names, ",");
        add_number(pg, &statuses, entry->status);
        add(pg, &statuses, ",");
        add_number(pg, &times, entry->changed_at);
        add(pg, &times, ",");
    }
    if (pg->names.length > 0) {
        add(pg, &pg->sql, statement);
        pg->unusual |= !bw_block_add(&pg->sql, pg->names.at, pg->names.length - 1);
        add(pg, &pg->sql, "}', '{");
        pg->unusual |= !bw_block_add(&pg->sql, statuses.at, statuses.length - 1);
        add(pg, &pg->sql, "}', '{");
        pg->unusual |= !bw_block_add(&pg->sql, times.at, times.length - 1);
        add(pg, &pg->sql, "}');");
        pg->names.length = 0;
    }
    free(statuses.at);
    free(times.at);
}

/* The last word on each room counts; after a FORGET, only what came behind it. */
static void put_rooms(bw_postgres *pg) {
    bool makes[DIRTY_MAX];
    char statement[40];
    qsort(pg->dirty, (size_t)pg->dirty_count, sizeof *pg->dirty, by_name);
    for (int i = 0; i < pg->dirty_count; i++) {
        bw_entry_kind kind = pg->dirty[i].entry->kind;
        bool same =
            i > 0 && pg->dirty[i - 1].entry && strcmp(pg->dirty[i - 1].entry->room, pg->dirty[i].entry->room) == 0;
        makes[i] = kind == BW_ENTRY_RECORD || kind == BW_ENTRY_SNAPSHOT || (same && makes[i - 1]);
        if (kind == BW_ENTRY_FORGET) makes[i] = false;
        if (same) pg->dirty[i - 1].entry = NULL;
    }
    for (int i = 0; i < pg->dirty_count; i++) {
        if (pg->dirty[i].entry && pg->dirty[i].entry->kind == BW_ENTRY_FORGET) pg->dirty[i].entry = NULL;
    }
    snprintf(statement, sizeof statement, "EXECUTE rooms (%d, '{", pg->owner);
    put_rows(pg, statement, true, makes);
    put_rows(pg, "EXECUTE touch ('{", false, makes);
    pg->dirty_count = 0;
}

static void touch(bw_postgres *pg, const bw_entry *entry) {
    char *active = place_of(pg, entry->room);
    bool known = strcmp(active, entry->room) == 0;
    /* Of a game under way it is asked when it was last left (then the hall gives a touch or a snapshot), not each move. */
    if (known && entry->status == 'a' && entry->kind == BW_ENTRY_RECORD) return;
    if (entry->kind == BW_ENTRY_RECORD && entry->status == 'a') memcpy(active, entry->room, sizeof entry->room);
    else if (known) active[0] = '\0';
    pg->dirty[pg->dirty_count] = (dirty_room){entry, pg->dirty_count};
    if (++pg->dirty_count == DIRTY_MAX) {
        end_run(pg);
        put_rooms(pg);
    }
}

void bw_postgres_put(bw_postgres *pg, const bw_entry *entry) {
    if (entry->kind != BW_ENTRY_RECORD) end_run(pg);
    switch (entry->kind) {
    case BW_ENTRY_RECORD: put_record(pg, entry); break;
    case BW_ENTRY_SNAPSHOT:
        put_blob(pg, "snapshot", entry->room, entry->index, entry);
        put_numbered(pg, "drop_records", entry->room, entry->index);
        add(pg, &pg->sql, ");");
        break;
    case BW_ENTRY_FORGET:
        put_numbered(pg, "drop_records", entry->room, UINT32_MAX);
        add(pg, &pg->sql, ");");
        put_statement(pg, "drop_snapshot", entry->room);
        add(pg, &pg->sql, ");");
        put_statement(pg, "drop_room", entry->room);
        add(pg, &pg->sql, ");");
        break;
    case BW_ENTRY_REPLAY: put_blob(pg, "replay", entry->replay_id, entry->changed_at, entry); return;
    case BW_ENTRY_TOUCH: break;
    }
    touch(pg, entry);
}

bw_postgres_outcome bw_postgres_send(bw_postgres *pg) {
    end_run(pg);
    put_rooms(pg);
    pg->unusual |= !bw_block_add(&pg->sql, "", 1);
    bw_postgres_outcome outcome;
    if (pg->unusual) {
        snprintf(pg->state, sizeof pg->state, "53200");
        set_error(pg, "out of memory, or a name that cannot be written");
        outcome = BW_POSTGRES_REFUSED;
    } else {
        outcome = run(pg, pg->sql.at, NULL);
    }
    if (outcome != BW_POSTGRES_DONE) memset(pg->active, 0, sizeof pg->active); /* it may know what was never stored */
    return outcome;
}

const char *bw_postgres_reason(const bw_postgres *pg) {
    if (strcmp(pg->state, "53100") == 0) return "The server's disk is full.";
    if (strcmp(pg->state, "25006") == 0) return "The server's database can only be read at the moment.";
    if (strcmp(pg->state, "53200") == 0) return "The server's database is out of memory.";
    if (strcmp(pg->state, "23505") == 0) return "Another server has written to this room.";
    if (strcmp(pg->state, FENCED_STATE) == 0) return "Another server has taken over this room.";
    if (pg->state[0] && strncmp(pg->state, "57P", 3) != 0) return "The server's database refused it.";
    return "The server's database does not answer.";
}

const char *bw_postgres_error(const bw_postgres *pg) { return pg->error; }
bool bw_postgres_replicated(const bw_postgres *pg) { return pg->replicated; }

/* ---- reading ---- */

bw_postgres_outcome bw_postgres_load(bw_postgres *pg, const char *room, bw_loaded *loaded, int *found) {
    PGresult *rows = NULL;
    bw_loading loading = {0};
    loaded->memory = NULL;
    *found = 0;
    bw_postgres_outcome outcome = ask(pg, "load", room, &rows);
    if (outcome != BW_POSTGRES_DONE) return outcome;
    for (int i = 0; i < PQntuples(rows); i++) {
        int64_t kind = binary_number_at(rows, i, 0);
        uint32_t index = (uint32_t)binary_number_at(rows, i, 1);
        const char *bytes = PQgetvalue(rows, i, 2);
        size_t length = (size_t)PQgetlength(rows, i, 2);
        if (kind == 0) *found = 1;
        else if (kind == 1) bw_loading_snapshot(&loading, index, bytes, length);
        else bw_loading_record(&loading, index, bytes, length);
    }
    PQclear(rows);
    *found = *found && (loading.room.snapshot || loading.room.record_count > 0); /* else only its name is taken */
    if (*found && !bw_loading_done(&loading, room, loaded)) {
        set_error(pg, "out of memory");
        outcome = BW_POSTGRES_REFUSED;
    }
    bw_loading_drop(&loading);
    return outcome;
}

bw_postgres_outcome bw_postgres_replay(bw_postgres *pg, const char *id, uint8_t **bytes, size_t *length, int *found) {
    PGresult *rows = NULL;
    *found = 0;
    bw_postgres_outcome outcome = ask(pg, "get_replay", id, &rows);
    if (outcome != BW_POSTGRES_DONE) return outcome;
    if (PQntuples(rows) == 1) {
        *length = (size_t)PQgetlength(rows, 0, 0);
        *bytes = malloc(*length + 1);
        if (*bytes && *length) memcpy(*bytes, PQgetvalue(rows, 0, 0), *length);
        *found = 1;
        if (!*bytes) {
            set_error(pg, "out of memory");
            outcome = BW_POSTGRES_REFUSED;
        }
    }
    PQclear(rows);
    return outcome;
}

static bw_postgres_outcome list_rooms(bw_postgres *pg, const char *sql, char (*rooms)[BW_ROOM_ID_MAX + 1], int cap,
                                      int *found) {
    PGresult *rows = NULL;
    bw_postgres_outcome outcome = run(pg, sql, &rows);
    if (outcome != BW_POSTGRES_DONE) return outcome;
    for (int i = 0; i < PQntuples(rows) && *found < cap; i++) {
        snprintf(rooms[(*found)++], BW_ROOM_ID_MAX + 1, "%s", PQgetvalue(rows, i, 0));
    }
    PQclear(rows);
    return outcome;
}

bw_postgres_outcome bw_postgres_sweep(bw_postgres *pg, const bw_postgres_node *node, int64_t ended_before,
                                      int64_t unstarted_before, int64_t abandoned_before, int abandoned_max,
                                      char (*rooms)[BW_ROOM_ID_MAX + 1], int cap, int *found) {
    char sql[160];
    *found = 0;
    snprintf(sql, sizeof sql, "EXECUTE sweep (%d, %" PRId64 ", %" PRId64 ", %d)", node->id, ended_before,
             unstarted_before, cap);
    bw_postgres_outcome outcome = list_rooms(pg, sql, rooms, cap, found);
    if (outcome != BW_POSTGRES_DONE || !abandoned_before || *found + abandoned_max > cap) return outcome;
    snprintf(sql, sizeof sql, "EXECUTE abandoned (%d, %" PRId64 ", %d)", node->id, abandoned_before, abandoned_max);
    return list_rooms(pg, sql, rooms, cap, found);
}

static bw_postgres_outcome read_number(bw_postgres *pg, const char *sql, int64_t *value) {
    PGresult *rows = NULL;
    bw_postgres_outcome outcome = run(pg, sql, &rows);
    if (outcome != BW_POSTGRES_DONE) return outcome;
    *value = number_at(rows, 0, 0);
    PQclear(rows);
    return outcome;
}

/* Not under the fence: who takes over would drop the same. */
bw_postgres_outcome bw_postgres_drop_replays(bw_postgres *pg, int64_t before, int limit, int *dropped) {
    char sql[100];
    int64_t count = 0;
    snprintf(sql, sizeof sql, "EXECUTE drop_replays (%" PRId64 ", %d)", before, limit);
    bw_postgres_outcome outcome = read_number(pg, sql, &count);
    *dropped = (int)count;
    return outcome;
}

bw_postgres_outcome bw_postgres_newest(bw_postgres *pg, int64_t *newest) {
    return read_number(pg, BW_AGE_NEWEST_SQL("boardwalk."), newest);
}

/* Records are too many to be measured: their number, which PostgreSQL keeps about right, times what one takes. */
bw_postgres_outcome bw_postgres_weigh(bw_postgres *pg, int64_t *bytes) {
    bw_postgres_outcome outcome = read_number(
        pg,
        "SELECT (coalesce((SELECT sum(octet_length(bytes) + 100) FROM boardwalk.replay), 0)"
        " + coalesce((SELECT sum(octet_length(bytes) + 100) FROM boardwalk.snapshot), 0)"
        " + coalesce((SELECT n_live_tup * 250 FROM pg_stat_all_tables WHERE relid = 'boardwalk.record'::regclass), 0))::bigint",
        bytes);
    int64_t standbys = 0;
    if (outcome == BW_POSTGRES_DONE) {
        outcome = read_number(pg, "SELECT length(current_setting('synchronous_standby_names'))", &standbys);
        if (outcome == BW_POSTGRES_DONE) pg->replicated = standbys > 0;
    }
    return outcome;
}
