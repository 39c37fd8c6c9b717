/* Between a node's machine and its hall: what the journal answers, and what the hall asks of it. */
#include "nodes.h"

/* ---- answers to the hall ---- */

typedef struct context {
    sim_world *world;
    sim_node *node;
    bool lost;
} context;

static void on_committed(void *user, uint64_t ticket) {
    context *c = user;
    bw_hall_journalled(c->node->hall, sim_now(c->world, c->node), ticket);
    sim_check_work(c->world, c->node);
}

static void on_failed(void *user, uint64_t last_good, const char *reason, bool in_doubt) {
    context *c = user;
    c->world->failures++;
    bw_hall_journal_failed(c->node->hall, sim_now(c->world, c->node), last_good, reason, in_doubt);
    sim_check_work(c->world, c->node);
    sim_unclock_all(c->world);
}

static void on_loaded(void *user, const char *room, const bw_stored_room *stored, const char *failed) {
    context *c = user;
    if (stored && stored->round_us) sim_handed_read(c->world, room);
    else sim_unclock(c->world, room);
    bw_hall_loaded(c->node->hall, sim_now(c->world, c->node), room, stored, failed);
    sim_check_work(c->world, c->node);
}

static void on_replay(void *user, uint64_t conn, const uint8_t *bytes, size_t length) {
    context *c = user;
    sim_replay_read(c->world, c->node, conn, bytes, length);
}

static void on_swept(void *user, const char (*rooms)[BW_ROOM_ID_MAX + 1], size_t count) {
    context *c = user;
    bw_hall_swept(c->node->hall, sim_now(c->world, c->node), rooms, count);
    sim_check_work(c->world, c->node);
}

static void claimed_socket(context *c, int number, bw_route route, int owner) {
    sim_link *link = &c->world->links[number];
    int self = sim_index_of(c->world, c->node);
    bool gone = link->server_open || (link->entry == self ? link->relay != NULL : link->relay == NULL);
    if (gone) return;
    if (route == BW_ROUTE_HERE) {
        sim_open(c->world, c->node, number, link->game);
        sim_let_go(c->world, number);
    } else if (route == BW_ROUTE_PASS) {
        c->world->passed++;
        sim_relay_start(c->world, number, owner);
    } else if (link->relay) {
        sim_relay_down(c->world, number, NULL, 1006);
    } else {
        sim_close_link(c->world, number, 1006);
    }
}

static void claimed_http(context *c, uint64_t conn, bw_route route, int owner) {
    sim_http_slot *asked = sim_request_of(c->world, conn);
    if (!asked) return;
    if (route == BW_ROUTE_HERE) {
        sim_ask_http(c->world, c->node, asked);
        return;
    }
    int64_t at = route == BW_ROUTE_PASS ? sim_passes(c->world, sim_index_of(c->world, c->node), owner) : -1;
    if (at < 0) asked->waiting = false;
    else sim_push(c->world, SIM_ROUTE, at, &c->world->nodes[owner], (int)conn);
}

static void on_claimed(void *user, uint64_t conn, const char *owner, bool passed, const char *failed) {
    context *c = user;
    bw_route route = bw_node_route(failed, owner, passed);
    int number = owner ? (int)strtol(owner, NULL, 10) : -1;
    if (conn < SIM_LINKS) claimed_socket(c, (int)conn, route, number);
    else claimed_http(c, conn, route, number);
}

static void on_lost(void *user, const char *why) {
    context *c = user;
    (void)why;
    c->lost = true;
}

static void on_handed(void *user, const char *room) {
    context *c = user;
    bw_hall_handed_over(c->node->hall, sim_now(c->world, c->node), room);
    sim_check_work(c->world, c->node);
}

static void on_drain(void *user) {
    context *c = user;
    if (!c->node->draining) sim_drain(c->world, c->node);
}

void sim_member_dispatch(sim_world *world, sim_node *node) {
    static const bw_journal_answers answers = {on_committed, on_failed, on_loaded, on_replay, on_swept,
                                               on_claimed,   on_lost,   on_handed, NULL,      on_drain};
    context c = {.world = world, .node = node};
    node->member->dispatching = false;
    bw_journal_dispatch(&node->member->queues->base, &answers, &c);
    if (!c.lost) return;
    world->lost++;
    sim_member_may_tell(world, node);
    sim_member_end(world, node); /* and starts again */
}

/* ---- requests of the hall ---- */

void sim_member_append(sim_world *world, sim_node *node, bw_output *out) {
    sim_member *m = node->member;
    sim_check_append(world, node, &out->entry, &m->noted[out->entry.ticket % NOTED]);
    if (out->bytes) out->bytes->references++;
    bw_journal_append(&m->queues->base, &out->entry, out->bytes);
}

void sim_member_load(sim_world *world, sim_node *node, const char *room) {
    (void)world;
    bw_journal_load(&node->member->queues->base, room);
}

void sim_member_replay(sim_world *world, sim_node *node, const char *id, uint64_t conn) {
    (void)world;
    bw_journal_read_replay(&node->member->queues->base, id, conn);
}

void sim_member_sweep(sim_world *world, sim_node *node, int64_t ended_before, int64_t unstarted_before) {
    (void)world;
    bw_journal_ask(
        &node->member->queues->base,
        &(bw_reading){.kind = BW_READ_SWEEP, .ended_before = ended_before, .unstarted_before = unstarted_before});
}

void sim_member_claim(sim_world *world, sim_node *node, const char *room, bool creates, bool passed, uint64_t conn) {
    (void)world;
    bw_journal_claim(&node->member->queues->base, room, creates && !node->draining, passed, conn);
}

void sim_member_hand_over(sim_world *world, sim_node *node, const char *room, int64_t round_us) {
    (void)world;
    bw_journal_hand_over(&node->member->queues->base, room, round_us);
}

bool sim_member_is_behind(const sim_node *node) { return node->member->queues->base.waiting.first != NULL; }

void sim_ask_to_drain(sim_world *world, sim_node *node) {
    world->database->rows[sim_index_of(world, node)].draining = true;
}
