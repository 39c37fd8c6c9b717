#include <stdio.h>
#include <time.h>

#include "server/age.h"
#include "server/clock.h"
#include "server/postgres_private.h"

/* ---- who writes ---- */

void bw_postgres_fence(char text[BW_POSTGRES_FENCE_MAX], const bw_node_row *node, int64_t number) {
    snprintf(text, BW_POSTGRES_FENCE_MAX, "EXECUTE fence (%d, %" PRId64 ", %" PRId64 ", %.3f);", node->id, node->epoch,
             number, (double)node->lease_ms * 1e-3);
}

bw_outcome bw_postgres_join(bw_postgres *pg, bw_node_row *node, bool *in_use) {
    char sql[2000], *address = PQescapeLiteral(pg->conn, node->address, strlen(node->address));
    PGresult *rows = NULL;
    *in_use = false;
    if (!address) return BW_OUTCOME_UNKNOWN;
    /* The lock ends with the connection: a server that was killed need not be waited for. One that only lost its
     * connection is fenced, if somebody else starts just then. Whoever is alone is so: there are no other nodes. */
    snprintf(sql, sizeof sql,
             "SELECT " BW_LOCK_CHANGES "; INSERT INTO boardwalk.node (address, epoch, holder, batch, lease_until)"
             " VALUES (%s, 0, 0, 0, '-infinity') ON CONFLICT DO NOTHING;"
             "WITH me AS MATERIALIZED (SELECT id FROM boardwalk.node WHERE address = %s),"
             " got AS MATERIALIZED (SELECT id, " BW_LOCK_NODE "id) AS free FROM me)"
             " UPDATE boardwalk.node n SET epoch = epoch + 1, holder = %" PRId64 ", batch = 0, draining = false,"
             " lease_until = now() + make_interval(secs => %.3f) FROM got WHERE n.id = got.id"
             " AND (got.free OR n.lease_until < now()) AND NOT EXISTS (SELECT 1 FROM boardwalk.node o WHERE"
             " o.id <> n.id AND (o.address = '' OR n.address = '') AND o.lease_until >= now()) RETURNING n.id, n.epoch;"
             "UPDATE boardwalk.node o SET epoch = o.epoch + 1, holder = 0 FROM boardwalk.node n WHERE n.address = %s"
             " AND n.holder = %" PRId64 " AND o.id <> n.id AND (o.address = '' OR n.address = '');"
             "UPDATE boardwalk.room r SET owner = n.id FROM boardwalk.node n WHERE n.address = '' AND %s = ''"
             " AND n.holder = %" PRId64 " AND r.owner IS DISTINCT FROM n.id",
             address, address, node->holder, (double)node->lease_ms * 1e-3, address, node->holder, address,
             node->holder);
    PQfreemem(address);
    bw_outcome outcome = bw_postgres_run(pg, sql, &rows);
    if (outcome != BW_OUTCOME_DONE) return outcome;
    *in_use = PQntuples(rows) != 1;
    if (!*in_use) {
        node->id = (int)bw_postgres_number_at(rows, 0, 0);
        node->epoch = bw_postgres_number_at(rows, 0, 1);
        node->stored = 0;
    }
    PQclear(rows);
    return *in_use ? BW_OUTCOME_REFUSED : BW_OUTCOME_DONE;
}

bw_outcome bw_postgres_rejoin(bw_postgres *pg, bw_node_row *node) {
    char sql[200];
    PGresult *rows = NULL;
    snprintf(sql, sizeof sql, "SELECT " BW_LOCK_NODE "%d); EXECUTE rejoin (%d, %" PRId64 ", %.3f)", node->id, node->id,
             node->holder, (double)node->lease_ms * 1e-3);
    bw_outcome outcome = bw_postgres_run(pg, sql, &rows);
    if (outcome != BW_OUTCOME_DONE) return outcome;
    bool mine = PQntuples(rows) == 1;
    if (mine) {
        node->epoch = bw_postgres_number_at(rows, 0, 0);
        node->stored = bw_postgres_number_at(rows, 0, 1);
    }
    PQclear(rows);
    return mine ? BW_OUTCOME_DONE : BW_OUTCOME_FENCED;
}

bw_outcome bw_postgres_renew(bw_postgres *pg, const bw_node_row *node, bool *drains, bw_peers *living) {
    char sql[400];
    PGresult *rows = NULL;
    *drains = false;
    living->count = 0;
    snprintf(sql, sizeof sql,
             "EXECUTE renew (%d, %" PRId64 ", %.3f); SELECT id = %d AND epoch = %" PRId64 ", draining, address"
             " FROM boardwalk.node WHERE holder <> 0 AND lease_until >= now() ORDER BY 1 DESC LIMIT %d",
             node->id, node->epoch, (double)node->lease_ms * 1e-3, node->id, node->epoch, BW_PEERS_MAX);
    bw_outcome outcome = bw_postgres_run(pg, sql, &rows);
    if (outcome != BW_OUTCOME_DONE) return outcome;
    bool mine = PQntuples(rows) > 0 && PQgetvalue(rows, 0, 0)[0] == 't';
    *drains = mine && PQgetvalue(rows, 0, 1)[0] == 't';
    for (int i = 0; i < PQntuples(rows); i++) {
        snprintf(living->addresses[living->count++], BW_PEER_ADDRESS_MAX, "%s", PQgetvalue(rows, i, 2));
    }
    PQclear(rows);
    return mine ? BW_OUTCOME_DONE : BW_OUTCOME_FENCED;
}

void bw_postgres_leave(bw_postgres *pg, const bw_node_row *node) {
    char sql[100];
    snprintf(sql, sizeof sql, "EXECUTE leave (%d, %" PRId64 ")", node->id, node->holder);
    bw_postgres_run(pg, sql, NULL);
}

bw_outcome bw_postgres_look(bw_postgres *pg, const bw_node_row *node, const char *room, bw_answer *answer) {
    char sql[240];
    PGresult *rows = NULL;
    if (!bw_postgres_is_name(room)) return BW_OUTCOME_REFUSED;
    char *active = bw_postgres_place_of(pg, room);
    if (strcmp(active, room) == 0) active[0] = '\0'; /* another node may have had it since */
    snprintf(sql, sizeof sql, "EXECUTE owner_of ('%s', %d)", room, node->id);
    bw_outcome outcome = bw_postgres_run(pg, sql, &rows);
    if (outcome != BW_OUTCOME_DONE) return outcome;
    answer->found = PQntuples(rows) == 1;
    if (answer->found) {
        answer->owner = (int)bw_postgres_number_at(rows, 0, 0);
        snprintf(answer->address, sizeof answer->address, "%s", PQgetvalue(rows, 0, 1));
        answer->mine = PQgetvalue(rows, 0, 2)[0] == 't';
        answer->dead = PQgetvalue(rows, 0, 3)[0] == 't';
        answer->unused = PQgetvalue(rows, 0, 4)[0] == 't';
        answer->given = PQgetvalue(rows, 0, 5)[0] == 't';
        answer->ended = PQgetvalue(rows, 0, 6)[0] == 't';
    }
    PQclear(rows);
    return outcome;
}

bw_outcome bw_postgres_adopt(bw_postgres *pg, const bw_node_row *node, int64_t number, const char *room, int owner,
                             bool *adopted) {
    char sql[BW_POSTGRES_FENCE_MAX + 120], fence[BW_POSTGRES_FENCE_MAX];
    PGresult *rows = NULL;
    bw_postgres_fence(fence, node, number);
    snprintf(sql, sizeof sql, "%sEXECUTE fence_dead (%d); EXECUTE adopt ('%s', %d, %d)", fence, owner, room, node->id,
             owner);
    bw_outcome outcome = bw_postgres_run(pg, sql, &rows);
    if (outcome != BW_OUTCOME_DONE) return outcome;
    *adopted = PQntuples(rows) == 1;
    PQclear(rows);
    return outcome;
}

bw_outcome bw_postgres_take(bw_postgres *pg, const bw_node_row *node, int64_t number, const char *room,
                            char (*awaited)[BW_ROOM_ID_MAX + 1], int awaited_count) {
    char sql[BW_POSTGRES_FENCE_MAX + 200 + BW_ROOMS_AT_ONCE * (BW_ROOM_ID_MAX + 1)], fence[BW_POSTGRES_FENCE_MAX];
    bw_postgres_fence(fence, node, number);
    size_t at = (size_t)snprintf(sql, sizeof sql, "%sEXECUTE take_given ('{%s", fence, room);
    for (int i = 0; i < awaited_count; i++) {
        if (bw_postgres_is_name(awaited[i])) at += (size_t)snprintf(sql + at, sizeof sql - at, ",%s", awaited[i]);
    }
    snprintf(sql + at, sizeof sql - at, "}', %d); EXECUTE take_name ('%s', %d, %" PRId64 ")", node->id, room, node->id,
             (int64_t)time(NULL) * 1000);
    return bw_postgres_run(pg, sql, NULL);
}

bw_outcome bw_postgres_hand_over(bw_postgres *pg, const bw_node_row *node, int64_t number, const bw_moving_room *rooms,
                                 int count) {
    enum { EACH = 100 };
    char sql[BW_POSTGRES_FENCE_MAX + 100 + BW_ROOMS_AT_ONCE * EACH], fence[BW_POSTGRES_FENCE_MAX];
    bw_postgres_fence(fence, node, number);
    size_t at =
        (size_t)snprintf(sql, sizeof sql, "%sUPDATE boardwalk.node SET draining = true WHERE id = %d AND NOT draining;",
                         fence, node->id);
    for (int i = 0; i < count; i++) {
        char seconds[32] = "NULL";
        if (!bw_postgres_is_name(rooms[i].room)) return BW_OUTCOME_REFUSED;
        if (rooms[i].round_us)
            snprintf(seconds, sizeof seconds, "%.6f", (double)(rooms[i].round_us - bw_mono_us()) * 1e-6);
        at += (size_t)snprintf(sql + at, sizeof sql - at, "EXECUTE hand_over ('%s', %d, %s);", rooms[i].room, node->id,
                               seconds);
    }
    return bw_postgres_run(pg, sql, NULL);
}

bw_outcome bw_postgres_count(bw_postgres *pg, const bw_node_row *node, int64_t *nodes, int64_t *owned) {
    char sql[240];
    PGresult *rows = NULL;
    snprintf(sql, sizeof sql,
             "SELECT (SELECT count(*) FROM boardwalk.node WHERE lease_until >= now() AND holder <> 0),"
             " (SELECT count(*) FROM boardwalk.room WHERE owner = %d)",
             node->id);
    bw_outcome outcome = bw_postgres_run(pg, sql, &rows);
    if (outcome != BW_OUTCOME_DONE) return outcome;
    *nodes = bw_postgres_number_at(rows, 0, 0);
    *owned = bw_postgres_number_at(rows, 0, 1);
    PQclear(rows);
    return outcome;
}

/* ---- reading ---- */

bw_outcome bw_postgres_load(bw_postgres *pg, const bw_node_row *node, const char *room, bw_loaded *loaded, int *found) {
    PGresult *rows = NULL;
    bw_loading loading = {0};
    loaded->memory = NULL;
    *found = 0;
    char id[12];
    snprintf(id, sizeof id, "%d", node->id);
    bw_outcome outcome = bw_postgres_ask(pg, "load", 2, (const char *const[]){room, id}, &rows);
    if (outcome != BW_OUTCOME_DONE) return outcome;
    for (int i = 0; i < PQntuples(rows); i++) {
        int64_t kind = bw_postgres_binary_at(rows, i, 0);
        uint32_t index = (uint32_t)bw_postgres_binary_at(rows, i, 1);
        const char *bytes = PQgetvalue(rows, i, 2);
        size_t length = (size_t)PQgetlength(rows, i, 2);
        if (kind == 0) *found = 1;
        if (kind == 0 && !PQgetisnull(rows, i, 1))
            loading.room.round_us = bw_mono_us() + bw_postgres_binary_at(rows, i, 1);
        if (kind == 0) continue;
        if (kind == 1) bw_loading_snapshot(&loading, index, bytes, length);
        else bw_loading_record(&loading, index, bytes, length);
    }
    PQclear(rows);
    *found = *found && (loading.room.snapshot || loading.room.record_count > 0); /* else only its name is taken */
    if (*found && !bw_loading_done(&loading, room, loaded)) {
        bw_postgres_set_error(pg, "out of memory");
        outcome = BW_OUTCOME_REFUSED;
    }
    bw_loading_drop(&loading);
    return outcome;
}

bw_outcome bw_postgres_replay(bw_postgres *pg, const char *id, uint8_t **bytes, size_t *length, int *found) {
    PGresult *rows = NULL;
    *found = 0;
    bw_outcome outcome = bw_postgres_ask(pg, "get_replay", 1, &id, &rows);
    if (outcome != BW_OUTCOME_DONE) return outcome;
    if (PQntuples(rows) == 1) {
        *length = (size_t)PQgetlength(rows, 0, 0);
        *bytes = malloc(*length + 1);
        if (*bytes && *length) memcpy(*bytes, PQgetvalue(rows, 0, 0), *length);
        *found = 1;
        if (!*bytes) {
            bw_postgres_set_error(pg, "out of memory");
            outcome = BW_OUTCOME_REFUSED;
        }
    }
    PQclear(rows);
    return outcome;
}

static bw_outcome list_rooms(bw_postgres *pg, const char *sql, char (*rooms)[BW_ROOM_ID_MAX + 1], int cap, int *found) {
    PGresult *rows = NULL;
    bw_outcome outcome = bw_postgres_run(pg, sql, &rows);
    if (outcome != BW_OUTCOME_DONE) return outcome;
    for (int i = 0; i < PQntuples(rows) && *found < cap; i++) {
        snprintf(rooms[(*found)++], BW_ROOM_ID_MAX + 1, "%s", PQgetvalue(rows, i, 0));
    }
    PQclear(rows);
    return outcome;
}

bw_outcome bw_postgres_sweep(bw_postgres *pg, const bw_node_row *node, int64_t ended_before, int64_t unstarted_before,
                             int64_t abandoned_before, int abandoned_max, char (*rooms)[BW_ROOM_ID_MAX + 1], int cap,
                             int *found) {
    char sql[240];
    *found = 0;
    snprintf(sql, sizeof sql, "EXECUTE drop_names (%d, %" PRId64 "); EXECUTE sweep (%d, %" PRId64 ", %" PRId64 ", %d)",
             node->id, unstarted_before, node->id, ended_before, unstarted_before, cap);
    bw_outcome outcome = list_rooms(pg, sql, rooms, cap, found);
    if (outcome != BW_OUTCOME_DONE || !abandoned_before || *found + abandoned_max > cap) return outcome;
    snprintf(sql, sizeof sql, "EXECUTE abandoned (%d, %" PRId64 ", %d)", node->id, abandoned_before, abandoned_max);
    return list_rooms(pg, sql, rooms, cap, found);
}

static bw_outcome read_number(bw_postgres *pg, const char *sql, int64_t *value) {
    PGresult *rows = NULL;
    bw_outcome outcome = bw_postgres_run(pg, sql, &rows);
    if (outcome != BW_OUTCOME_DONE) return outcome;
    *value = bw_postgres_number_at(rows, 0, 0);
    PQclear(rows);
    return outcome;
}

/* Not under the fence: who takes over would drop the same. */
bw_outcome bw_postgres_drop_replays(bw_postgres *pg, int64_t before, int limit, int *dropped) {
    char sql[100];
    int64_t count = 0;
    snprintf(sql, sizeof sql, "EXECUTE drop_replays (%" PRId64 ", %d)", before, limit);
    bw_outcome outcome = read_number(pg, sql, &count);
    *dropped = (int)count;
    return outcome;
}

bw_outcome bw_postgres_newest(bw_postgres *pg, int64_t *newest) {
    return read_number(pg, BW_AGE_NEWEST_SQL("boardwalk."), newest);
}

/* Records are too many to be measured: their number, which PostgreSQL keeps about right, times what one takes. */
bw_outcome bw_postgres_weigh(bw_postgres *pg, int64_t *bytes) {
    bw_outcome outcome = read_number(
        pg,
        "SELECT (coalesce((SELECT sum(octet_length(bytes) + 100) FROM boardwalk.replay), 0)"
        " + coalesce((SELECT sum(octet_length(bytes) + 100) FROM boardwalk.snapshot), 0)"
        " + coalesce((SELECT n_live_tup * 250 FROM pg_stat_all_tables WHERE relid = 'boardwalk.record'::regclass), 0))::bigint",
        bytes);
    int64_t standbys = 0;
    if (outcome == BW_OUTCOME_DONE) {
        outcome = read_number(pg, "SELECT length(current_setting('synchronous_standby_names'))", &standbys);
        if (outcome == BW_OUTCOME_DONE) pg->replicated = standbys > 0;
    }
    return outcome;
}
