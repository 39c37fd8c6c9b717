/* The network and the process. */
#include "sim.h"

void sim_check_work(sim_world *world, sim_node *node) {
    bw_hall_figures figures;
    bw_hall_figures_of(node->hall, &figures);
    uint64_t cost = figures.work_total - node->work;
    node->work = figures.work_total;
    world->work_max = cost > world->work_max ? cost : world->work_max;
    if (cost > BW_INPUT_WORK_MAX) sim_fail(world, "budget", "one input cost %llu units", (unsigned long long)cost);
}

/* ---- the network ---- */

int64_t sim_delay(sim_world *world) {
    uint32_t dice = sim_below(world, 100);
    return dice < 70   ? 1000 + sim_below(world, 20000)
           : dice < 95 ? 5000 + sim_below(world, 200000)
                       : sim_below(world, 1500000);
}

int64_t sim_in_order(sim_world *world, int64_t *last) {
    int64_t at = world->now_us + sim_delay(world);
    *last = at > *last ? at : *last + 1;
    return *last;
}

bw_bytes *sim_bytes(const void *at, size_t length) {
    bw_bytes *bytes = malloc(sizeof *bytes + length + 1);
    bytes->references = 1;
    bytes->length = (uint32_t)length;
    if (length > 0) memcpy(bytes->at, at, length);
    bytes->at[length] = 0;
    return bytes;
}

static sim_node *entry_of(sim_world *world, const sim_link *link) { return &world->nodes[link->entry]; }

int sim_connect(sim_world *world, int client, const char *room, const char *game) {
    if (world->link_count + 1 >= SIM_LINKS) return 0;
    int number = ++world->link_count;
    sim_link *link = &world->links[number];
    *link = (sim_link){.client = client, .client_open = true, .sent_role = -1, .node = -1};
    if (sim_is_cluster(world)) link->entry = (int)sim_below(world, (uint32_t)world->node_count);
    snprintf(link->room, sizeof link->room, "%s", room);
    snprintf(link->game, sizeof link->game, "%s", game);
    sim_push(world, SIM_UP_OPEN, sim_in_order(world, &link->up_at), entry_of(world, link), number);
    return number;
}

void sim_send_up(sim_world *world, int number, const char *text, size_t length) {
    sim_link *link = &world->links[number];
    if (!link->client_open || link->mute) return;
    int64_t at = sim_in_order(world, &link->up_at);
    sim_push(world, SIM_UP_MESSAGE, at, entry_of(world, link), number)->bytes = sim_bytes(text, length);
}

/* The client's end closes; the server notices later, or (half open) only by a timeout. */
void sim_hang_up(sim_world *world, int number) {
    sim_link *link = &world->links[number];
    if (!link->client_open) return;
    link->client_open = false;
    if (!link->mute && !(sim_has(world, SIM_HALF_OPEN) && sim_chance(world, 80))) {
        sim_push(world, SIM_UP_CLOSE, sim_in_order(world, &link->up_at), entry_of(world, link), number);
    } else {
        link->mute = true;
    }
}

void sim_close_link(sim_world *world, int number, int code) {
    sim_link *link = &world->links[number];
    sim_push(world, SIM_DOWN_CLOSE, sim_in_order(world, &link->down_at), NULL, number)->code = code;
}

void sim_send_down(sim_world *world, int number, bw_bytes *bytes) {
    enum { SLOW = 300 };
    sim_link *link = &world->links[number];
    if (!link->client_open || link->mute) {
        bw_bytes_release(bytes);
        return;
    }
    if (link->in_flight > SLOW) { /* the shell's bound on unsent data */
        bw_bytes_release(bytes);
        sim_push(world, SIM_UP_CLOSE, world->now_us, entry_of(world, link), number);
        sim_push(world, SIM_DOWN_CLOSE, world->now_us + 1000, NULL, number)->code = 1008;
        return;
    }
    link->in_flight++;
    int64_t at = sim_in_order(world, &link->down_at);
    if (sim_has(world, SIM_SLOW_READER) && world->clients[link->client].kind == SIM_IS_SLEEPER) {
        at = link->down_at += 400000;
    }
    sim_push(world, SIM_DOWN_MESSAGE, at, NULL, number)->bytes = bytes;
}

/* From the hall. */
static void send(sim_world *world, sim_node *node, int number, bw_bytes *bytes) {
    sim_link *link = &world->links[number];
    if (sim_is_cluster(world) && (!link->server_open || &world->nodes[link->node] != node)) {
        bw_bytes_release(bytes); /* the connection was closed */
        return;
    }
    if (!sim_is_deluded(node)) sim_check_send(world, number, bytes);
    world->sent++;
    if (link->relay) {
        sim_relay_down(world, number, bytes, 0);
        bw_bytes_release(bytes);
    } else {
        sim_send_down(world, number, bytes);
    }
}

/* ---- requests of the hall ---- */

static void close_socket(sim_world *world, sim_node *node, int number, int code) {
    sim_link *link = &world->links[number];
    if (sim_is_cluster(world) && (!link->server_open || &world->nodes[link->node] != node)) return;
    link->server_open = false;
    if (link->relay) sim_relay_down(world, number, NULL, code);
    else sim_close_link(world, number, code);
}

static void ping(sim_world *world, sim_node *node, int number) {
    sim_link *link = &world->links[number];
    bool passes = link->entry == node - world->nodes ||
                  (entry_of(world, link)->hall && sim_passes(world, link->entry, (int)(node - world->nodes)) >= 0);
    if (passes && link->client_open && !link->mute &&
        !(world->clients[link->client].kind == SIM_IS_SLEEPER && sim_chance(world, 300))) {
        sim_push(world, SIM_UP_PONG, world->now_us + sim_delay(world), node, number);
    }
}

static void carry_out(sim_world *world, sim_node *node, bw_output *out) {
    bool cluster = sim_is_cluster(world);
    sim_event *event;
    switch (out->kind) {
    case BW_OUT_SEND: send(world, node, (int)out->conn, out->bytes); return;
    case BW_OUT_CLOSE: close_socket(world, node, (int)out->conn, out->code); break;
    case BW_OUT_PING: ping(world, node, (int)out->conn); break;
    case BW_OUT_REPLY: {
        sim_http_slot *slot = sim_request_of(world, out->conn);
        if (!slot || &world->nodes[slot->node] != node) break;
        sim_http_slot asked = *slot;
        slot->waiting = false;
        if (!sim_is_deluded(node)) sim_check_reply(world, &asked, out->code, out->bytes);
        break;
    }
    case BW_OUT_APPEND:
        if (cluster) sim_member_append(world, node, out);
        else sim_disk_append(world, &out->entry);
        break;
    case BW_OUT_LOAD:
        if (cluster) {
            sim_member_load(world, node, out->room);
            break;
        }
        event = sim_push(world, SIM_LOADED, world->now_us + 100 + sim_below(world, 50000), node, 0);
        memcpy(event->room, out->room, sizeof out->entry.room);
        break;
    case BW_OUT_REPLAY:
        if (cluster) {
            sim_member_replay(world, node, out->room, out->conn);
            break;
        }
        event = sim_push(world, SIM_REPLAYED, world->now_us + 100 + sim_below(world, 50000), node, (int)out->conn);
        memcpy(event->room, out->room, sizeof event->room);
        break;
    case BW_OUT_SWEEP:
        if (cluster) {
            sim_member_sweep(world, node, out->ended_before, out->unstarted_before);
            break;
        }
        event = sim_push(world, SIM_SWEPT, world->now_us + sim_below(world, 100000), node, 0);
        event->ended_before = out->ended_before;
        event->unstarted_before = out->unstarted_before;
        break;
    case BW_OUT_BOT_JOB:
        event = sim_push(world, SIM_THOUGHT, world->now_us + sim_below(world, sim_chance(world, 50) ? 9000000 : 400000),
                         node, 0);
        event->job = out->job;
        event->bytes = out->bytes;
        return;
    case BW_OUT_ASK_MODEL: break;
    case BW_OUT_HAND_OVER: sim_member_hand_over(world, node, out->room, out->round_us); break;
    }
    bw_bytes_release(out->bytes);
}

static void pump(sim_world *world, sim_node *node) {
    bw_output out;
    if (!node->hall) return;
    if (sim_is_cluster(world) && !sim_member_may_tell(world, node)) return;
    while (bw_hall_next(node->hall, &out)) carry_out(world, node, &out);
}

void sim_pump(sim_world *world) {
    if (sim_is_cluster(world)) sim_go_on(world);
    for (int i = 0; i < world->node_count; i++) {
        bool paused = world->nodes[i].paused_until > world->now_us;
        if (paused && !world->nodes[i].threads_go_on) continue;
        if (!paused) pump(world, &world->nodes[i]);
        if (sim_is_cluster(world)) sim_member_run(world, &world->nodes[i]);
    }
    if (!sim_is_cluster(world)) sim_disk_schedule(world);
}

static void bot_answer(sim_world *world, sim_node *node, const sim_event *event) {
    static _Thread_local uint64_t arena[1 << 17], answer[1 << 12];
    const bw_bot_job *job = &event->job;
    bw_thinking thinking = {.seed = job->seed,
                            .effort = 1,
                            .arena = (void *)(((uintptr_t)arena + 63) & ~(uintptr_t)63),
                            .arena_bytes = sizeof arena - 64};
    uint32_t count = 0;
    if (job->solver || bw_bot_job_arena_bytes(job) <= thinking.arena_bytes) {
        count = bw_bot_job_run(job, &thinking, answer);
    }
    bw_hall_bot_answer(node->hall, sim_now(world, node), job->work, answer, count);
    sim_check_work(world, node);
}

sim_http_slot *sim_request_of(sim_world *world, uint64_t conn) {
    sim_http_slot *slot = &world->http[(conn - SIM_LINKS) % SIM_REQUESTS];
    return slot->waiting && slot->conn == conn ? slot : NULL;
}

sim_http_slot *sim_new_request(sim_world *world, const sim_node *node, sim_http_kind kind, const char *room) {
    for (size_t i = 0; i < SIM_REQUESTS; i++) {
        sim_http_slot *slot = &world->http[i];
        if (slot->waiting) continue;
        *slot = (sim_http_slot){.waiting = true,
                                .conn = SIM_LINKS + world->asked++ * SIM_REQUESTS + i,
                                .kind = kind,
                                .node = (int)(node - world->nodes)};
        memcpy(slot->room, room, strlen(room) + 1);
        return slot;
    }
    return NULL;
}

void sim_ask_http(sim_world *world, sim_node *node, sim_http_slot *slot) {
    slot->node = (int)(node - world->nodes);
    (slot->kind == SIM_HTTP_LOG ? bw_hall_http_log : bw_hall_http_state)(node->hall, sim_now(world, node), slot->conn,
                                                                         slot->room, "");
}

void sim_http(sim_world *world, const char *room, sim_http_kind kind) {
    sim_node *node = sim_any_node(world);
    sim_http_slot *slot = node ? sim_new_request(world, node, kind, room) : NULL;
    if (!slot) return;
    if (sim_is_cluster(world)) sim_member_claim(world, node, room, false, false, slot->conn);
    else sim_ask_http(world, node, slot);
}

/* ---- the process ---- */

void sim_new_hall(sim_world *world, sim_node *node) {
    static const bw_hall_settings settings = {.room_cleanup_ms = 60000,
                                              .seat_grace_ms = 15000,
                                              .away_ms = 3000,
                                              .hibernate_ms = 20000,
                                              .forget_ms = 100000,
                                              .unlisted_games = true};
    uint64_t key[4];
    bw_fast secrets = {world->seed * 1000003 + node->generation + (uint64_t)(node - world->nodes) * 7919};
    for (int i = 0; i < 4; i++) key[i] = bw_fast_next(&secrets);
    node->skew_us = 1000000 + (int64_t)(bw_fast_next(&secrets) % 1000000000);
    node->hall = bw_hall_new(&settings, (const uint8_t *)key);
    node->draining = false;
    node->work = 0;
}

/* The other ends notice, except where the network is cut. */
static void cut_links(sim_world *world, sim_node *node) {
    int at = (int)(node - world->nodes);
    for (int i = 1; i <= world->link_count; i++) {
        sim_link *link = &world->links[i];
        if (link->entry != at && (link->node != at || !link->server_open)) continue;
        if (link->node == at || link->node < 0) {
            link->server_open = false;
            link->answers_due = 0;
        }
        if (link->entry != at) {
            sim_push(world, SIM_RELAY_CLOSE, world->now_us + sim_delay(world), entry_of(world, link), i)->code = 1006;
        } else {
            if (link->relay && link->server_open) {
                sim_push(world, SIM_RELAY_CLOSE, world->now_us + sim_delay(world), &world->nodes[link->node], i);
            }
            if (link->client_open && !link->mute) {
                sim_push(world, SIM_DOWN_CLOSE, world->now_us + sim_delay(world), NULL, i)->code = 1006;
            }
        }
    }
}

void sim_end_process(sim_world *world, sim_node *node) {
    int at = (int)(node - world->nodes);
    bw_hall_free(node->hall);
    node->hall = NULL;
    node->generation++;
    for (size_t i = 0; i < SIM_REQUESTS; i++) {
        if (world->http[i].node == at) world->http[i].waiting = false;
    }
    cut_links(world, node);
}

void sim_kill(sim_world *world, sim_node *node, bool torn) {
    world->kills++;
    if (sim_is_cluster(world)) {
        sim_member_end(world, node);
        return;
    }
    sim_disk_crash(world, torn);
    sim_end_process(world, node);
    sim_unclock_all(world);
    sim_new_hall(world, node);
}

/* ---- steps ---- */

void sim_open(sim_world *world, sim_node *node, int number, const char *game) {
    sim_link *link = &world->links[number];
    link->server_open = true;
    link->node = (int)(node - world->nodes);
    bw_hall_opened(node->hall, sim_now(world, node), (uint64_t)number, link->room, game, "");
    sim_check_work(world, node);
}

static void up_open(sim_world *world, sim_node *node, int number, bool old) {
    sim_link *link = &world->links[number];
    if (old || !node->hall || (sim_is_cluster(world) && node->draining)) { /* nothing is running at that moment */
        link->up_at = world->now_us;
        sim_push(world, SIM_DOWN_CLOSE, world->now_us + 1000, NULL, number)->code = 1006;
    } else if (link->client_open && sim_is_cluster(world)) {
        sim_member_claim(world, node, link->room, true, false, (uint64_t)number);
    } else if (link->client_open) {
        sim_open(world, node, number, link->game);
    }
}

/* A message to the hall, or the end of its connection. */
void sim_hear_up(sim_world *world, int number, const char *text, size_t length) {
    sim_link *link = &world->links[number];
    if (!link->server_open) return;
    sim_node *node = &world->nodes[link->node];
    if (text) {
        sim_check_reached(world, number, text, length);
        bw_hall_message(node->hall, sim_now(world, node), (uint64_t)number, text, length);
    } else {
        link->server_open = false;
        bw_hall_closed(node->hall, sim_now(world, node), (uint64_t)number);
    }
    sim_check_work(world, node);
}

static void up(sim_world *world, int number, const bw_bytes *bytes) {
    sim_link *link = &world->links[number];
    if (link->relay) sim_relay_up(world, number, bytes);
    else if (link->node == link->entry) sim_hear_up(world, number, bytes ? bytes->at : NULL, bytes ? bytes->length : 0);
    else if (sim_is_cluster(world)) sim_hold(link, bytes);
}

static void carry_event(sim_world *world, sim_event *event) {
    sim_link *link = event->who >= 0 && event->who < SIM_LINKS ? &world->links[event->who] : NULL;
    sim_node *node = event->node >= 0 ? &world->nodes[event->node] : NULL;
    bool old = node && event->generation != node->generation;
    switch (event->kind) {
    case SIM_UP_OPEN: up_open(world, node, event->who, old); break;
    case SIM_UP_MESSAGE:
        if (!old) up(world, event->who, event->bytes);
        break;
    case SIM_UP_CLOSE:
        if (!old) up(world, event->who, NULL);
        break;
    case SIM_UP_PONG:
        if (!old) {
            bw_hall_pong(node->hall, sim_now(world, node), (uint64_t)event->who);
            sim_check_work(world, node);
        }
        break;
    case SIM_DOWN_MESSAGE:
        link->in_flight--;
        if (link->client_open && !link->mute) {
            sim_hear(world, event->who, event->bytes->at, event->bytes->length);
        }
        break;
    case SIM_DOWN_CLOSE:
        if (link->client_open) {
            link->client_open = false;
            sim_lost(world, event->who);
        }
        break;
    case SIM_COMMIT:
        if (!old) sim_disk_commit(world);
        break;
    case SIM_LOADED:
        if (!old) sim_disk_loaded(world, event->room);
        break;
    case SIM_THOUGHT:
        if (!old) bot_answer(world, node, event);
        break;
    case SIM_SWEPT:
        if (!old) sim_disk_swept(world, event);
        break;
    case SIM_REPLAYED:
        if (!old) sim_disk_replayed(world, event);
        break;
    case SIM_ACT:
        if (world->calm) sim_push(world, SIM_ACT, world->now_us + 6000000, NULL, event->who);
        else sim_act(world, event->who);
        break;
    case SIM_FAULT: break;
    case SIM_RELAY:
    case SIM_RELAY_CLOSE:
        if (!old) sim_relay_event(world, event);
        break;
    default:
        if (!old) sim_member_event(world, event);
        break;
    }
    bw_bytes_release(event->bytes);
}

static void cut_one(sim_world *world, int number) {
    sim_link *link = &world->links[number];
    if (!link->client_open || !link->server_open) return;
    if (sim_has(world, SIM_HALF_OPEN) && sim_chance(world, 250)) {
        link->mute = true; /* neither end has noticed yet */
        sim_push(world, SIM_DOWN_CLOSE, world->now_us + 1000000 + sim_below(world, 40000000), NULL, number)->code =
            1006;
    } else {
        sim_push(world, SIM_UP_CLOSE, world->now_us + sim_delay(world), entry_of(world, link), number);
        sim_push(world, SIM_DOWN_CLOSE, world->now_us + sim_delay(world), NULL, number)->code = 1006;
    }
}

void sim_drain(sim_world *world, sim_node *node) {
    node->draining = true;
    if (sim_is_cluster(world)) bw_hall_move_out(node->hall, sim_now(world, node));
    else bw_hall_drain(node->hall, sim_now(world, node));
    sim_check_work(world, node);
}

/* Anything that can go wrong may go wrong between any two steps. */
static void faults(sim_world *world) {
    bool cluster = sim_is_cluster(world);
    /* Several nodes take three times as many steps for the same. */
    if (world->calm || (cluster && sim_chance(world, 667))) return;
    uint32_t dice = sim_below(world, 10000);
    sim_node *node = sim_any_node(world);
    bool behind = cluster && node && sim_member_is_behind(node); /* then it hands over under load */
    if (behind && sim_has(world, SIM_DRAIN) && !node->draining && dice < 300) {
        sim_drain(world, node);
    } else if (sim_has(world, SIM_KILL) && node && (dice < 12 || (world->doubtful_count > 0 && dice < 1500))) {
        /* A disk that fails often takes the machine down too. */
        sim_kill(world, node, true);
    } else if (dice < (cluster ? 20 : 14) && sim_has(world, SIM_DRAIN) && node && !node->draining) {
        if (cluster && sim_chance(world, 300)) sim_ask_to_drain(world, node);
        else sim_drain(world, node);
    } else if (dice < (cluster ? 46 : 40) && sim_has(world, SIM_CUT) && world->link_count > 0) {
        cut_one(world, 1 + (int)sim_below(world, (uint32_t)world->link_count));
    } else if (dice < 43 && sim_has(world, SIM_DISK_FULL) && !cluster) {
        world->full = true;
        world->full_until = world->now_us + sim_below(world, 8000000);
    } else if (dice < 46 && sim_has(world, SIM_READ_FAIL) && !cluster) {
        world->unreadable = true;
        world->unreadable_until = world->now_us + sim_below(world, 5000000);
    } else if (dice < 48 && sim_has(world, SIM_STALL) && !cluster) {
        world->now_us += 1000000 + sim_below(world, 15000000);
        world->stalled_us = world->now_us;
    } else if (dice < (cluster ? 86 : 80) && sim_has(world, SIM_HTTP)) {
        sim_http(world, world->clients[sim_below(world, SIM_CLIENTS)].room,
                 sim_below(world, 2) ? SIM_HTTP_LOG : SIM_HTTP_STATE);
    } else if (dice < (cluster ? 106 : 100) && sim_has(world, SIM_FORK)) {
        sim_look_back(world);
    } else if (cluster && (dice < 166 || (dice < 400 && sim_may_undo(world)))) {
        sim_trouble(world);
    }
}

/* A process that has drained ends, and the next one starts. */
static void end_drained(sim_world *world) {
    for (int i = 0; i < world->node_count; i++) {
        sim_node *node = &world->nodes[i];
        if (!node->hall || !node->draining || node->paused_until > world->now_us || !bw_hall_drained(node->hall)) {
            continue;
        }
        if (sim_is_cluster(world)) sim_member_drained(world, node);
        else if (!world->calm) sim_kill(world, node, false);
    }
}

/* The process that acts next. */
static sim_node *next_due(sim_world *world, int64_t *due) {
    sim_node *found = NULL;
    *due = INT64_MAX;
    for (int i = 0; i < world->node_count; i++) {
        sim_node *node = &world->nodes[i];
        if (!node->hall || node->paused_until > world->now_us) continue;
        int64_t deadline = bw_hall_deadline(node->hall);
        if (deadline == INT64_MAX || deadline - node->skew_us >= *due) continue;
        *due = deadline - node->skew_us;
        found = node;
    }
    return found;
}

static void next_event(sim_world *world) {
    sim_event event = sim_pop(world);
    world->now_us = event.at > world->now_us ? event.at : world->now_us;
    sim_node *node = event.node >= 0 ? &world->nodes[event.node] : NULL;
    bool of_a_thread = event.kind == SIM_ANSWER || event.kind == SIM_OVERDUE || event.kind == SIM_WAKE;
    bool runs = node && node->threads_go_on && of_a_thread;
    if (node && node->paused_until > world->now_us && !runs) { /* it receives it when it continues, in order */
        event.at = node->paused_until;
        sim_add_event(world, &event);
        return;
    }
    carry_event(world, &event);
}

bool sim_step(sim_world *world) {
    if (world->failure[0] || world->event_count == 0) return false;
    world->steps++;
    int64_t due;
    sim_node *node = next_due(world, &due);
    int64_t late = sim_has(world, SIM_LATE) && sim_chance(world, 20) ? sim_below(world, 700000) : sim_below(world, 300);
    if (node && (due <= world->now_us || (due + late < world->events[0].at))) {
        world->now_us = due + late > world->now_us ? due + late : world->now_us;
        bw_hall_tick(node->hall, sim_now(world, node));
        sim_check_work(world, node);
    } else {
        next_event(world);
    }
    sim_pump(world);
    faults(world);
    sim_pump(world);
    end_drained(world);
    sim_check_closed(world);
    sim_check_mirror(world);
    return !world->failure[0];
}
