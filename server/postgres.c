#include "server/postgres_private.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/clock.h"

enum { CONNECT_SECONDS = 2, OLDEST_SERVER = 140000 };

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

void bw_postgres_set_error(bw_postgres *pg, const char *words) {
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
    bw_postgres_set_error(pg, PQresultErrorMessage(notice));
}

/* Waits for the socket. false: the deadline has passed. */
static bool wait_for(const bw_postgres *pg, short events, int64_t until) {
    struct pollfd socket = {.fd = PQsocket(pg->conn), .events = events};
    for (;;) {
        int64_t left = until - bw_mono_ms();
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
static bool is_answer(bw_postgres *pg, const PGresult *result) {
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *words = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    snprintf(pg->state, sizeof pg->state, "%s", state ? state : "");
    bw_postgres_set_error(pg, words ? words : PQresultErrorMessage(result));
    return severity && state && strcmp(severity, "ERROR") == 0;
}

/* Takes all results of what was sent. `rows`: the last one with rows, to be cleared by the caller. */
static bw_outcome finish(bw_postgres *pg, bool sent, PGresult **rows) {
    int64_t until = bw_mono_ms() + pg->deadline_ms;
    PGresult *result = NULL, *kept = NULL;
    bool answered = false, failed = false, whole = true;
    if (sent && flush(pg, until)) {
        while ((answered = arrives(pg, until)) && (result = PQgetResult(pg->conn))) {
            ExecStatusType status = PQresultStatus(result);
            if (status == PGRES_TUPLES_OK) {
                PQclear(kept);
                kept = result;
                continue;
            }
            if (status != PGRES_COMMAND_OK && status != PGRES_EMPTY_QUERY && !failed) {
                failed = true;
                whole = is_answer(pg, result);
            }
            PQclear(result);
        }
    }
    if (!answered || PQstatus(pg->conn) != CONNECTION_OK) {
        whole = false;
        if (!failed) {
            pg->state[0] = '\0';
            const char *words = PQerrorMessage(pg->conn);
            bw_postgres_set_error(pg, *words ? words : "no answer in time");
        }
    }
    bw_outcome outcome = bw_outcome_of(whole, failed, strcmp(pg->state, BW_POSTGRES_FENCED_STATE) == 0, pg->warned);
    if (outcome == BW_OUTCOME_DONE && rows) *rows = kept;
    else PQclear(kept);
    return outcome;
}

static void begin_exchange(bw_postgres *pg) {
    pg->warned = false;
    pg->state[0] = pg->error[0] = '\0';
}

/* One or more statements in one message: one transaction. */
bw_outcome bw_postgres_run(bw_postgres *pg, const char *sql, PGresult **rows) {
    begin_exchange(pg);
    return finish(pg, PQsendQuery(pg->conn, sql) == 1, rows);
}

/* A prepared statement whose rows come in binary. */
bw_outcome bw_postgres_ask(bw_postgres *pg, const char *statement, int count, const char *const *arguments,
                           PGresult **rows) {
    begin_exchange(pg);
    return finish(pg, PQsendQueryPrepared(pg->conn, statement, count, arguments, NULL, NULL, 1) == 1, rows);
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
    bw_outcome outcome = bw_postgres_run(pg, sql, &rows);
    if (outcome != BW_OUTCOME_DONE) {
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

/* A list with commas, begun at another part of it; NULL stays NULL. false: it is too long. */
static bool begin_later(const char *list, unsigned turn, char *text, size_t cap) {
    unsigned parts = 1;
    const char *from = list;
    for (const char *at = list; at && *at; at++) parts += *at == ',';
    for (turn %= parts; turn > 0; turn--) from = strchr(from, ',') + 1;
    int length = !list          ? 0
                 : from == list ? snprintf(text, cap, "%s", list)
                                : snprintf(text, cap, "%s,%.*s", from, (int)(from - list - 1), list);
    return (size_t)length < cap;
}

/* If the address names several servers, the one that can be written is wanted. libpq asks them in their order, and takes
 * a primary that hangs, or that nobody stopped at a failover, again and again: so each turn begins with another. */
static PGconn *connect_to(const char *address, unsigned turn) {
    char seconds[12], hosts[1024] = "", addresses[1024] = "", ports[256] = "";
    snprintf(seconds, sizeof seconds, "%d", CONNECT_SECONDS);
    PQconninfoOption *options = PQconninfoParse(address, NULL);
    const char *host = option_of(options, "host"), *numeric = option_of(options, "hostaddr");
    const char *wanted = option_of(options, "target_session_attrs");
    bool several = (host && strchr(host, ',')) || (numeric && strchr(numeric, ','));
    if (!several || !begin_later(host, turn, hosts, sizeof hosts) ||
        !begin_later(numeric, turn, addresses, sizeof addresses) ||
        !begin_later(option_of(options, "port"), turn, ports, sizeof ports)) {
        hosts[0] = addresses[0] = ports[0] = '\0';
    }
    /* What comes later wins; what is empty is as if it were not there. */
    const char *const keywords[] = {"fallback_application_name",
                                    "connect_timeout",
                                    "tcp_user_timeout",
                                    "dbname",
                                    "host",
                                    "hostaddr",
                                    "port",
                                    "target_session_attrs",
                                    NULL};
    const char *const values[] = {
        "boardwalk", seconds, "5000", address, hosts, addresses, ports, several && !wanted ? "read-write" : "", NULL};
    PQconninfoFree(options);
    return PQconnectdbParams(keywords, values, 1);
}

bw_postgres *bw_postgres_open(const char *address, unsigned turn, int deadline_ms, bool *away,
                              bw_store_problem *problem) {
    char shown[BW_POSTGRES_SHOWN_MAX], why[200];
    *away = false;
    if (!bw_postgres_address_is_right(address, why, sizeof why)) {
        snprintf(problem->text, sizeof problem->text,
                 "The address is not one of PostgreSQL (%s). It looks like postgresql://user@host:5432/database.", why);
        return NULL;
    }
    bw_postgres_shown(address, shown, sizeof shown);
    bw_postgres *pg = calloc(1, sizeof *pg);
    if (pg) pg->conn = connect_to(address, turn);
    if (!pg || !pg->conn) {
        snprintf(problem->text, sizeof problem->text, "There is no memory to open the database.");
        bw_postgres_close(pg);
        return NULL;
    }
    pg->deadline_ms = deadline_ms;
    if (PQstatus(pg->conn) != CONNECTION_OK) {
        *away = true;
        bw_postgres_set_error(pg, PQerrorMessage(pg->conn));
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

const char *bw_postgres_reason(const bw_postgres *pg) {
    if (strcmp(pg->state, "53100") == 0) return "The server's disk is full.";
    if (strcmp(pg->state, "25006") == 0) return "The server's database can only be read at the moment.";
    if (strcmp(pg->state, "53200") == 0) return "The server's database is out of memory.";
    if (strcmp(pg->state, "23505") == 0) return "Another server has written to this room.";
    if (strcmp(pg->state, BW_POSTGRES_FENCED_STATE) == 0) return "Another server has taken over this room.";
    if (pg->state[0] && strncmp(pg->state, "57P", 3) != 0) return "The server's database refused it.";
    return "The server's database does not answer.";
}

const char *bw_postgres_error(const bw_postgres *pg) { return pg->error; }
bool bw_postgres_replicated(const bw_postgres *pg) { return pg->replicated; }
