/* A whole universe: from its start, through calm moments, to an end at which nothing may be left. */
#include "sim.h"

enum { SECOND = 1000000 };

const char *const sim_feature_names[SIM_FEATURE_COUNT] = {
#define SIM_FEATURE_NAME(name, text) text,
    SIM_FEATURES(SIM_FEATURE_NAME)
#undef SIM_FEATURE_NAME
};

/* All clients pause until everything in flight has arrived; then the invariants at rest are checked. */
static void calm(sim_world *world, bool may_kill) {
    bool cluster = sim_is_cluster(world);
    world->calm = true;
    world->full = world->unreadable = false;
    if (cluster) sim_heal(world);
    /* With several nodes: until the lost nodes have restarted and relayed connections have been given up. */
    int64_t until = world->now_us + INT64_C(5) * SECOND * (cluster ? 6 : 1);
    while (world->now_us < until && sim_step(world)) {
    }
    for (int i = 0; i < SIM_ROOMS && !world->failure[0]; i++) {
        char room[8];
        snprintf(room, sizeof room, "ROOM%d", i);
        if (sim_model_of(world, room)->exists && !world->nodes[0].draining) {
            sim_http(world, room, SIM_HTTP_STATE);
            sim_http(world, room, SIM_HTTP_LOG);
        }
    }
    sim_pump(world);
    until = world->now_us + INT64_C(2) * SECOND;
    while (world->now_us < until && sim_step(world)) {
    }
    if (!world->failure[0]) sim_check_calm(world);
    if (may_kill && sim_has(world, SIM_KILL) && sim_chance(world, 500)) {
        sim_expect_you(world);
        sim_kill(world, &world->nodes[cluster ? sim_below(world, (uint32_t)world->node_count) : 0], false);
        sim_pump(world);
    }
    world->calm = false;
}

/* All clients leave, for hours: rooms leave memory, and what nobody needs leaves the disk. */
static void end(sim_world *world) {
    world->calm = true;
    world->full = world->unreadable = false;
    if (sim_is_cluster(world)) sim_heal(world);
    if (!sim_is_cluster(world) && world->nodes[0].draining) {
        sim_kill(world, &world->nodes[0],
                 false); /* it was about to end: its rooms end with it, and the next process is checked */
    }
    for (int i = 1; i <= world->link_count; i++) {
        sim_link *link = &world->links[i];
        link->client_open = false;
        link->mute = true;
        if (link->server_open) {
            sim_node *node = &world->nodes[link->node];
            link->server_open = false;
            if (node->hall) bw_hall_closed(node->hall, sim_now(world, node), (uint64_t)i);
        }
    }
    sim_pump(world);
    for (size_t i = 0; i < world->event_count; i++) {
        if (world->events[i].kind == SIM_ACT) {
            world->events[i].generation = UINT32_MAX; /* never */
            world->events[i].kind = SIM_FAULT;
        }
    }
    for (int64_t until = world->now_us + INT64_C(600) * SECOND; world->now_us < until && !world->failure[0];) {
        if (world->event_count == 0) {
            sim_push(world, SIM_FAULT, world->now_us + INT64_C(60) * SECOND, NULL, 0);
        }
        sim_step(world);
    }
    if (!world->failure[0]) sim_check_end(world);
}

/* The memory of an empty hall. */
static uint64_t bytes_at_first(sim_world *world) {
    bw_hall_figures figures;
    sim_node node = {.member = NULL};
    sim_new_hall(world, &node);
    bw_hall_figures_of(node.hall, &figures);
    bw_hall_free(node.hall);
    return figures.bytes;
}

static void begin(sim_world *world, const sim_settings *settings, int twin) {
    world->seed = settings->seed;
    world->twin = twin;
    world->features = settings->features;
    world->trace = settings->trace;
    world->fast.state = settings->seed * 0x9e3779b97f4a7c15u + 1;
    world->wall_base_ms = INT64_C(1700000000000);
    world->journal = bw_memory_journal_new();
    world->mirror = sim_mirror_new();
    world->base_bytes = bytes_at_first(world);
    world->node_count = 1;
    if (settings->nodes > 0) sim_cluster_new(world, settings->nodes);
    else sim_new_hall(world, &world->nodes[0]);
}

static void run(sim_world *world, uint64_t steps) {
    sim_clients_init(world);
    uint64_t next_calm = 2000;
    /* Secret orders are for rounds beyond the end. */
    int64_t limit = sim_has(world, SIM_SECRETS) ? INT64_C(280) * SECOND : INT64_MAX;
    while (world->steps < steps && world->now_us < limit && world->link_count + 64 < SIM_LINKS && sim_step(world)) {
        if (world->steps >= next_calm) {
            calm(world, true);
            next_calm = world->steps + 1000 + sim_below(world, 2000);
        }
    }
    if (!world->failure[0]) calm(world, false);
    if (!world->failure[0] && sim_has_evening(world) && !sim_is_cluster(world)) sim_evening(world);
    if (!world->failure[0]) end(world);
}

void sim_run(const sim_settings *settings, int twin, sim_result *result) {
    sim_world *world = calloc(1, sizeof *world);
    begin(world, settings, twin);
    run(world, settings->steps);
    memset(result, 0, sizeof *result);
    memcpy(result->failure, world->failure, sizeof result->failure);
    result->steps = world->steps;
    result->sent = world->sent;
    result->kills = world->kills;
    result->failures = world->failures;
    result->came_back = world->came_back;
    result->forks = world->forks;
    result->moves = world->moves;
    result->rounds = world->rounds;
    result->resumes = world->resumes;
    result->acks = world->acks;
    result->refusals = world->refusals;
    result->claims = world->claims;
    result->mirrored = world->mirrored;
    result->work_max = world->work_max;
    result->adopted = world->adopted;
    result->passed = world->passed;
    result->lost = world->lost;
    result->pauses = world->pauses;
    result->failovers = world->failovers;
    result->rewound = world->rewound;
    result->silences = world->silences;
    result->moved = world->moved;
    result->handed = world->handed;
    result->let_go = world->let_go;
    for (int i = 0; i < SIM_CLIENTS; i++) result->received[i] = world->clients[i].received;
    result->received[SIM_CLIENTS] = world->http_received;
    if (sim_is_cluster(world)) sim_cluster_free(world);
    else bw_hall_free(world->nodes[0].hall);
    bw_memory_journal_free(world->journal);
    sim_mirror_free(world->mirror);
    sim_clear_events(world);
    for (int i = 0; i < world->model_count; i++) {
        free(world->models[i].state_digest);
        free(world->models[i].events_digest);
        free(world->models[i].moves);
    }
    free(world);
}

bool sim_universe(const sim_settings *settings, sim_result *result) {
    sim_result twin;
    sim_run(settings, 0, result);
    /* Relaying between nodes takes longer for longer messages. */
    if (result->failure[0] || !(settings->features & SIM_SECRETS) || settings->nodes > 0)
        return result->failure[0] == 0;
    sim_run(settings, 1, &twin);
    if (twin.failure[0]) memcpy(result->failure, twin.failure, sizeof result->failure);
    for (int i = 0; i <= SIM_CLIENTS && !result->failure[0]; i++) {
        if (result->received[i] != twin.received[i]) {
            snprintf(result->failure, sizeof result->failure,
                     "secret: twins differ only in what players prepare, and %s %d was sent other bytes",
                     i < SIM_CLIENTS ? "client" : "somebody who asks by HTTP,", i);
        }
    }
    result->steps += twin.steps;
    result->sent += twin.sent;
    return result->failure[0] == 0;
}
