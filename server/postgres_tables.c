#include <string.h>

#include "server/postgres_private.h"

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
    /* A node that hands its rooms over, or is to; and when the next round of such a room is due. */
    "ALTER TABLE boardwalk.node ADD COLUMN draining boolean NOT NULL DEFAULT false;"
    "ALTER TABLE boardwalk.room ADD COLUMN round_at timestamptz, ADD COLUMN given boolean NOT NULL DEFAULT false;",
};

#define NOW_MS "(extract(epoch FROM now()) * 1000)::bigint"

/* Made on every connection. A batch names them with EXECUTE. */
static const char writing[] =
    /* 1/0 where the row has another epoch: an error that ends the whole batch (BW_POSTGRES_FENCED_STATE). */
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
    "PREPARE touch (text[], int[], bigint[], int) AS UPDATE boardwalk.room SET status = s, changed_at = c"
    " FROM unnest($1, $2, $3) AS g (n, s, c) WHERE name = n AND owner = $4;"
    "PREPARE snapshot (text, bigint, bytea) AS INSERT INTO boardwalk.snapshot VALUES ($1, $2, $3)"
    " ON CONFLICT (room) DO UPDATE SET number = $2, bytes = $3;"
    "PREPARE drop_records (text, bigint) AS DELETE FROM boardwalk.record WHERE room = $1 AND number <= $2;"
    "PREPARE drop_snapshot (text) AS DELETE FROM boardwalk.snapshot WHERE room = $1;"
    /* Its name stays with this node for an hour: whoever is just coming to it must not find it at two nodes. */
    "PREPARE drop_room (text, int) AS UPDATE boardwalk.room SET status = 119, changed_at = " NOW_MS
    " WHERE name = $1 AND owner = $2;"
    "PREPARE drop_names (int, bigint) AS DELETE FROM boardwalk.room r WHERE owner = $1 AND status = 119"
    " AND changed_at < $2 AND NOT EXISTS (SELECT 1 FROM boardwalk.record WHERE room = r.name)"
    " AND NOT EXISTS (SELECT 1 FROM boardwalk.snapshot WHERE room = r.name);"
    "PREPARE replay (text, bigint, bytea) AS INSERT INTO boardwalk.replay VALUES ($1, $2, $3)"
    " ON CONFLICT (id) DO UPDATE SET made_at = $2, bytes = $3;"
    "PREPARE drop_replays (bigint, int) AS WITH gone AS (DELETE FROM boardwalk.replay WHERE id IN"
    " (SELECT id FROM boardwalk.replay WHERE made_at < $1 ORDER BY made_at LIMIT $2) RETURNING 1)"
    " SELECT count(*) FROM gone;";

static const char reading[] =
    /* One statement: room, snapshot and records are of the same moment. A node reads only what is its own: a room that it
     * found free may be another's by then. */
    "PREPARE load (text, int) AS SELECT 0, CASE WHEN round_at BETWEEN now() - interval '10 s' AND now() + interval '60 s'"
    " THEN (extract(epoch FROM round_at - clock_timestamp()) * 1e6)::bigint END AS number, ''::bytea FROM boardwalk.room"
    " WHERE name = $1 AND owner = $2"
    " UNION ALL SELECT 1, number, bytes FROM boardwalk.snapshot WHERE room = $1"
    " UNION ALL SELECT 2, number, bytes FROM boardwalk.record WHERE room = $1 AND number >"
    " coalesce((SELECT number FROM boardwalk.snapshot WHERE room = $1), -1) ORDER BY 1, 2;"
    "PREPARE get_replay (text) AS SELECT bytes FROM boardwalk.replay WHERE id = $1;"
    /* Of nodes that are gone (holder 0), too; nobody else has those then. The lock keeps such a node from coming back with
     * what is just being taken from it. */
    "PREPARE sweep (int, bigint, bigint, int) AS WITH due AS (SELECT name FROM boardwalk.room r"
    " JOIN boardwalk.node n ON n.id = r.owner WHERE status <> 97"
    " AND ((status = 101 AND changed_at < $2) OR (status IN (119, 99) AND changed_at < $3)) AND (owner = $1 OR n.holder = 0)"
    " LIMIT $4 FOR UPDATE OF r SKIP LOCKED FOR SHARE OF n SKIP LOCKED)"
    " UPDATE boardwalk.room r SET owner = $1 FROM due WHERE r.name = due.name RETURNING r.name;"
    "PREPARE abandoned (int, bigint, int) AS WITH due AS (SELECT name FROM boardwalk.room r"
    " JOIN boardwalk.node n ON n.id = r.owner WHERE status = 97 AND changed_at < $2 AND (owner = $1 OR n.holder = 0)"
    " ORDER BY changed_at LIMIT $3 FOR UPDATE OF r SKIP LOCKED FOR SHARE OF n SKIP LOCKED)"
    " UPDATE boardwalk.room r SET owner = $1 FROM due WHERE r.name = due.name RETURNING r.name;"
    /* A name that was not used for half an hour is taken anew, or it could be dropped just now. */
    "PREPARE owner_of (text, int) AS SELECT n.id, n.address, n.id = $2, n.holder = 0 OR n.lease_until < now(),"
    " r.status = 119 AND r.changed_at < " NOW_MS " - 1800000, r.given, n.holder = 0"
    " FROM boardwalk.room r JOIN boardwalk.node n ON n.id = r.owner WHERE r.name = $1;"
    "PREPARE take_name (text, int, bigint) AS INSERT INTO boardwalk.room (name, owner, status, changed_at)"
    " VALUES ($1, $2, 119, $3) ON CONFLICT (name) DO UPDATE SET changed_at = $3"
    " WHERE room.owner = $2 AND room.status = 119;"
    /* Spread over the others, as evenly as hashes are. That one begins to end just now, or dies: then the room is moved again
     * by whoever visits it. */
    "PREPARE hand_over (text, int, float8) AS WITH heir AS MATERIALIZED (SELECT id FROM boardwalk.node WHERE id <> $2"
    " AND holder <> 0 AND lease_until >= now() AND NOT draining ORDER BY hashtext($1 || ':' || id) LIMIT 1)"
    " UPDATE boardwalk.room SET owner = heir.id, given = true, round_at = clock_timestamp() + make_interval(secs => $3) FROM heir"
    " WHERE name = $1 AND owner = $2;"
    "PREPARE take_given (text[], int) AS UPDATE boardwalk.room SET given = false WHERE name = ANY ($1) AND owner = $2 AND given;"
    /* A node whose lease is over is fenced first: its epoch rises, behind what it has under way. */
    "PREPARE fence_dead (int) AS UPDATE boardwalk.node SET epoch = epoch + 1, holder = 0"
    " WHERE id = $1 AND holder <> 0 AND lease_until < now();"
    "PREPARE adopt (text, int, int) AS WITH dead AS MATERIALIZED (SELECT 1 FROM boardwalk.node WHERE id = $3"
    " AND holder = 0 FOR SHARE) UPDATE boardwalk.room SET owner = $2 FROM dead WHERE name = $1 AND owner = $3"
    " RETURNING name;";

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
    bw_outcome outcome = bw_postgres_run(pg, sql, &rows);
    if (outcome != BW_OUTCOME_DONE) return explain(pg, "Looking for the tables", problem);
    bool ours = PQgetvalue(rows, 0, 0)[0] == 't', taken = PQgetvalue(rows, 0, 1)[0] == 't';
    PQclear(rows);
    if (!ours && taken) {
        snprintf(problem->text, sizeof problem->text,
                 "This database has a schema `boardwalk` of another program. Give this server another DATABASE.");
        return false;
    }
    if (!ours) return true;
    if (bw_postgres_run(pg, "SELECT number FROM boardwalk.version", &rows) != BW_OUTCOME_DONE)
        return explain(pg, "Reading the version of the tables", problem);
    if (PQntuples(rows) == 1) *version = (int)bw_postgres_number_at(rows, 0, 0);
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
        "SELECT " BW_LOCK_CHANGES "; CREATE SCHEMA boardwalk; CREATE TABLE boardwalk.version (number int NOT NULL);"
        " INSERT INTO boardwalk.version VALUES (0)";
    char head[200];
    int version;
    for (int tries = 0; tries < 2 * BW_POSTGRES_SCHEMA + 4; tries++) {
        if (!read_version(pg, &version, problem)) return false;
        if (version == BW_POSTGRES_SCHEMA) return true;
        pg->sql.length = 0;
        bw_outcome outcome;
        if (version < 0) {
            outcome = bw_postgres_run(pg, first, NULL);
        } else {
            int length = snprintf(head, sizeof head,
                                  "SELECT " BW_LOCK_CHANGES "; WITH next AS (UPDATE boardwalk.version SET number = %d"
                                  " WHERE number = %d RETURNING 1) SELECT 1 / count(*) FROM next;",
                                  version + 1, version);
            const char *step = migrations[version];
            if (!bw_block_add(&pg->sql, head, (size_t)length) || !bw_block_add(&pg->sql, step, strlen(step) + 1)) break;
            outcome = bw_postgres_run(pg, pg->sql.at, NULL);
        }
        bool raced = outcome == BW_OUTCOME_FENCED || strcmp(pg->state, "42P06") == 0 || strcmp(pg->state, "23505") == 0;
        if (outcome != BW_OUTCOME_DONE && !raced) return explain(pg, "Making the tables", problem);
    }
    snprintf(problem->text, sizeof problem->text, "The tables could not be made: other servers change them, too.");
    return false;
}

bw_outcome bw_postgres_prepare(bw_postgres *pg) {
    bw_outcome outcome = bw_postgres_run(pg, writing, NULL);
    return outcome == BW_OUTCOME_DONE ? bw_postgres_run(pg, reading, NULL) : outcome;
}
