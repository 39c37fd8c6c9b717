/* What goes wrong with several nodes: they sleep, or are cut off from the database or from each other. The database
 * hangs, crashes, is replaced by its standby, loses its standby, or has its waits cancelled. */
#include "postgres.h"

enum { MS = 1000, SECOND = 1000000 };

int64_t sim_passes(sim_world *world, int from, int to) {
    if (!sim_is_cluster(world) || from == to) return world->now_us;
    int64_t until = world->database->cut_until[from][to];
    int64_t patience = from == SIM_DATABASE || to == SIM_DATABASE ? 5 * SECOND : 15 * SECOND;
    if (until > world->now_us + patience) return -1;
    if (until > world->now_us) return until + sim_below(world, SECOND); /* resent again and again until then */
    return world->now_us + 50 + sim_below(world, sim_chance(world, 30) ? 200 * MS : 2 * MS);
}

static void cut(sim_world *world, int a, int b) {
    int64_t until = world->now_us + sim_below(world, 12 * SECOND);
    world->database->cut_until[a][b] = until;
    if (sim_chance(world, 800)) world->database->cut_until[b][a] = until;
}

void sim_pause(sim_world *world, sim_node *node, int64_t length_us) {
    world->pauses++;
    node->pause_us = 0;
    node->threads_go_on = false;
    node->paused_until = world->now_us + length_us;
    int self = (int)(node - world->nodes);
    for (int i = 1; i <= world->link_count; i++) { /* some clients do not wait that long */
        const sim_link *link = &world->links[i];
        if ((link->entry == self || link->node == self) && link->client_open && sim_chance(world, 500)) {
            int64_t at = world->now_us + SECOND + sim_below(world, 10 * SECOND);
            sim_push(world, SIM_DOWN_CLOSE, at, NULL, i)->code = 1006;
            sim_push(world, SIM_UP_CLOSE, at, &world->nodes[link->entry], i);
        }
    }
}

/* At once, or right after its next question to the database. */
static void pause(sim_world *world) {
    sim_node *node = sim_any_node(world);
    int64_t length = sim_below(world, sim_chance(world, 400) ? 2 * SECOND : 14 * SECOND);
    if (!node) return;
    if (sim_chance(world, 400)) {
        node->pause_us = length;
    } else if (sim_chance(world, 700)) {
        sim_pause(world, node, length);
    } else {
        sim_pause(world, node, 2 * length);
        sim_loop_hangs(node);
    }
}

static void partition(sim_world *world) {
    int count = world->node_count, a = (int)sim_below(world, (uint32_t)count);
    if (sim_chance(world, 500)) cut(world, a, SIM_DATABASE);
    else cut(world, a, (a + 1 + (int)sim_below(world, (uint32_t)count - 1)) % count);
}

bool sim_may_undo(const sim_world *world) {
    const sim_database *db = world->database;
    return db->given > db->copied && world->now_us > db->given_us + 200 * MS;
}

void sim_trouble(sim_world *world) {
    sim_database *db = world->database;
    uint32_t dice = sim_below(world, 100);
    if (sim_may_undo(world) && db->up && sim_has(world, SIM_FAILOVER)) {
        sim_postgres_crash(world, true); /* a node owns the room already, but the standby does not know */
    } else if (db->unproven && db->up && sim_has(world, SIM_FAILOVER) && dice < 50) {
        sim_postgres_crash(world, true); /* faults come together */
    } else if (dice < 40) {
        if (sim_has(world, SIM_PAUSE)) pause(world);
    } else if (dice < 70) {
        if (sim_has(world, SIM_PARTITION)) partition(world);
    } else if (dice < 78) {
        if (sim_has(world, SIM_HANG)) db->hang_until = world->now_us + sim_below(world, 9 * SECOND);
    } else if (dice < 84) {
        if (!sim_has(world, SIM_HANG)) return;
        db->standby_until = world->now_us + sim_below(world, 9 * SECOND);
        if (sim_has(world, SIM_CANCEL) && sim_chance(world, 900)) {
            db->cancel_at = world->now_us + sim_below(world, (uint32_t)(db->standby_until - world->now_us) / 2 + 1);
        }
    } else if (dice < 90) {
        if (sim_has(world, SIM_CRASH) && db->up) sim_postgres_crash(world, false);
    } else if (sim_has(world, SIM_FAILOVER) && db->up) {
        sim_postgres_crash(world, true);
    }
}

void sim_go_on(sim_world *world) {
    sim_database *db = world->database;
    if (!db->up && world->now_us >= db->down_until) sim_postgres_start(world);
    if (db->cancel_at && world->now_us >= db->cancel_at) {
        db->cancel_at = 0;
        if (db->up) sim_postgres_cancel(world);
    }
}

void sim_heal(sim_world *world) {
    sim_database *db = world->database;
    for (int i = 0; i < world->node_count; i++) {
        if (world->nodes[i].paused_until > world->now_us) sim_go_on_now(world, &world->nodes[i]);
    }
    memset(db->cut_until, 0, sizeof db->cut_until);
    db->hang_until = db->standby_until = 0;
    if (!db->up) db->down_until = world->now_us;
}
