/* Time, network, disk, and the process. */
#include "sim.h"

uint32_t sim_below(sim_world *world, uint32_t bound) { return bw_fast_below(&world->fast, bound); }
bool sim_chance(sim_world *world, uint32_t per_thousand) { return sim_below(world, 1000) < per_thousand; }

bw_now sim_now(const sim_world *world) {
    return (bw_now){.mono_us = world->now_us + world->skew_us, .wall_ms = world->wall_base_ms + world->now_us / 1000};
}

void sim_check_work(sim_world *world) {
    bw_hall_figures figures;
    bw_hall_figures_of(world->hall, &figures);
    uint64_t cost = figures.work_total - world->work;
    world->work = figures.work_total;
    world->work_max = cost > world->work_max ? cost : world->work_max;
    if (cost > BW_INPUT_WORK_MAX) sim_fail(world, "budget", "one input cost %llu units", (unsigned long long)cost);
}

uint64_t sim_digest(uint64_t digest, const char *bytes, size_t length) {
    /* FNV-1a (Fowler, Noll, Vo), eight bytes at a time: differing bytes are to be noticed, nobody attacks. */
    while (length >= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        digest = (digest ^ word) * 0x100000001b3u;
        digest ^= digest >> 29;
        bytes += 8, length -= 8;
    }
    for (; length > 0; bytes++, length--) {
        digest = (digest ^ (unsigned char)*bytes) * 0x100000001b3u;
    }
    return digest ? digest : 1;
}

/* ---- events: a heap by time ---- */

static bool before(const sim_event *a, const sim_event *b) {
    return a->at != b->at ? a->at < b->at : a->order < b->order;
}

static void swap(sim_event *a, sim_event *b) {
    sim_event c = *a;
    *a = *b;
    *b = c;
}

sim_event *sim_push(sim_world *world, sim_event_kind kind, int64_t at, int who) {
    if (world->event_count == world->event_cap) {
        world->event_cap = world->event_cap ? world->event_cap * 2 : 256;
        world->events = realloc(world->events, world->event_cap * sizeof *world->events);
    }
    size_t i = world->event_count++;
    world->events[i] =
        (sim_event){.at = at, .order = world->order++, .kind = kind, .who = who, .generation = world->generation};
    while (i > 0 && before(&world->events[i], &world->events[(i - 1) / 2])) {
        swap(&world->events[i], &world->events[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    return &world->events[i];
}

static sim_event pop(sim_world *world) {
    sim_event first = world->events[0];
    world->events[0] = world->events[--world->event_count];
    for (size_t i = 0;;) {
        size_t child = 2 * i + 1;
        if (child + 1 < world->event_count && before(&world->events[child + 1], &world->events[child])) {
            child++;
        }
        if (child >= world->event_count || !before(&world->events[child], &world->events[i])) break;
        swap(&world->events[i], &world->events[child]);
        i = child;
    }
    return first;
}

void sim_clear_events(sim_world *world) {
    for (size_t i = 0; i < world->event_count; i++) bw_bytes_release(world->events[i].bytes);
    free(world->events);
    world->events = NULL;
    world->event_count = world->event_cap = 0;
}

/* ---- the network ---- */

static int64_t delay(sim_world *world) {
    uint32_t dice = sim_below(world, 100);
    return dice < 70   ? 1000 + sim_below(world, 20000)
           : dice < 95 ? 5000 + sim_below(world, 200000)
                       : sim_below(world, 1500000);
}

static int64_t in_order(sim_world *world, int64_t *last) {
    int64_t at = world->now_us + delay(world);
    *last = at > *last ? at : *last + 1;
    return *last;
}

int sim_connect(sim_world *world, int client, const char *room, const char *game) {
    if (world->link_count + 1 >= SIM_LINKS) return 0;
    int number = ++world->link_count;
    sim_link *link = &world->links[number];
    *link = (sim_link){.client = client, .client_open = true, .told_role = -1};
    snprintf(link->room, sizeof link->room, "%s", room);
    sim_event *event = sim_push(world, SIM_UP_OPEN, in_order(world, &link->up_at), number);
    snprintf(event->room, sizeof event->room, "%s", game);
    return number;
}

void sim_send_up(sim_world *world, int number, const char *text, size_t length) {
    sim_link *link = &world->links[number];
    if (!link->client_open || link->mute) return;
    int64_t at = in_order(world, &link->up_at);
    bw_bytes *bytes = malloc(sizeof *bytes + length + 1);
    bytes->references = 1;
    bytes->length = (uint32_t)length;
    memcpy(bytes->at, text, length);
    bytes->at[length] = 0;
    sim_push(world, SIM_UP_MESSAGE, at, number)->bytes = bytes;
}

/* The client's end closes; the server hears of it later, or (half open) only by silence. */
void sim_hang_up(sim_world *world, int number) {
    sim_link *link = &world->links[number];
    if (!link->client_open) return;
    link->client_open = false;
    if (!link->mute && !(sim_has(world, SIM_HALF_OPEN) && sim_chance(world, 80))) {
        sim_push(world, SIM_UP_CLOSE, in_order(world, &link->up_at), number);
    } else {
        link->mute = true;
    }
}

static void send_down(sim_world *world, int number, bw_bytes *bytes) {
    enum { SLOW = 300 };
    sim_link *link = &world->links[number];
    sim_check_send(world, number, bytes);
    world->sent++;
    if (!link->client_open || link->mute) {
        bw_bytes_release(bytes);
        return;
    }
    if (link->in_flight > SLOW) { /* the shell's bound on what waits for a reader */
        bw_bytes_release(bytes);
        sim_push(world, SIM_UP_CLOSE, world->now_us, number);
        sim_push(world, SIM_DOWN_CLOSE, world->now_us + 1000, number)->code = 1008;
        return;
    }
    link->in_flight++;
    int64_t at = in_order(world, &link->down_at);
    if (sim_has(world, SIM_SLOW_READER) && world->clients[link->client].kind == SIM_IS_SLEEPER) {
        at = link->down_at += 400000;
    }
    sim_push(world, SIM_DOWN_MESSAGE, at, number)->bytes = bytes;
}

/* ---- the disk ---- */

static void schedule_commit(sim_world *world) {
    if (!world->commit_scheduled && bw_memory_journal_waiting(world->journal) > 0) {
        world->commit_scheduled = true;
        sim_push(world, SIM_COMMIT, world->now_us + 200 + sim_below(world, sim_chance(world, 30) ? 400000 : 6000), 0);
    }
}

static void commit(sim_world *world) {
    size_t waiting = bw_memory_journal_waiting(world->journal);
    world->commit_scheduled = false;
    if (waiting == 0) return;
    bool fails = (world->full && world->now_us < world->full_until) ||
                 (!world->calm && sim_has(world, SIM_DISK_FAIL) && sim_chance(world, 6));
    /* Mostly the whole batch; or a part of it, of which the hall hears before the rest is under way. */
    size_t count = fails                    ? (world->full ? 0 : sim_below(world, (uint32_t)waiting + 1))
                   : sim_chance(world, 800) ? waiting
                                            : 1 + sim_below(world, (uint32_t)waiting);
    uint64_t good = bw_memory_journal_commit(world->journal, count);
    sim_check_durable(world, count);
    if (fails) {
        world->failures++;
        if (!world->full && sim_has(world, SIM_DOUBT) && sim_chance(world, 400)) {
            bw_memory_journal_doubt(world->journal);
            sim_check_doubt(world);
        } else {
            bw_memory_journal_drop(world->journal);
            sim_check_lost(world);
        }
        bw_hall_journal_failed(world->hall, sim_now(world), good,
                               world->full ? "The disk is full." : "The disk failed.",
                               bw_memory_journal_doubtful(world->journal) > 0);
        sim_check_work(world);
        sim_pump(world);
        sim_unclock_all(world); /* rooms that fell back start their clocks anew */
    } else {
        bw_hall_journalled(world->hall, sim_now(world), good);
        sim_check_work(world);
    }
}

/* ---- what the hall wants ---- */

static void carry_out(sim_world *world, bw_output *out) {
    sim_event *event;
    sim_link *link = &world->links[out->conn < SIM_LINKS ? out->conn : 0];
    switch (out->kind) {
    case BW_OUT_SEND: send_down(world, (int)out->conn, out->bytes); return;
    case BW_OUT_CLOSE:
        link->server_open = false;
        sim_push(world, SIM_DOWN_CLOSE, in_order(world, &link->down_at), (int)out->conn)->code = out->code;
        break;
    case BW_OUT_PING:
        if (link->client_open && !link->mute &&
            !(world->clients[link->client].kind == SIM_IS_SLEEPER && sim_chance(world, 300))) {
            sim_push(world, SIM_UP_PONG, world->now_us + delay(world), (int)out->conn);
        }
        break;
    case BW_OUT_REPLY: {
        sim_http_slot *slot = &world->http[out->conn - SIM_LINKS], asked = *slot;
        slot->waiting = false;
        sim_check_reply(world, &asked, out->code, out->bytes);
        break;
    }
    case BW_OUT_APPEND:
        bw_memory_journal_append(world->journal, &out->entry);
        sim_check_append(world, &out->entry);
        break;
    case BW_OUT_LOAD:
        event = sim_push(world, SIM_LOADED, world->now_us + 100 + sim_below(world, 50000), 0);
        memcpy(event->room, out->room, sizeof out->entry.room);
        break;
    case BW_OUT_REPLAY:
        event =
            sim_push(world, SIM_REPLAYED, world->now_us + 100 + sim_below(world, 50000), (int)(out->conn - SIM_LINKS));
        memcpy(event->room, out->room, sizeof event->room);
        break;
    case BW_OUT_SWEEP:
        event = sim_push(world, SIM_SWEPT, world->now_us + sim_below(world, 100000), 0);
        event->ended_before = out->ended_before;
        event->unstarted_before = out->unstarted_before;
        break;
    case BW_OUT_THINK:
        event =
            sim_push(world, SIM_THOUGHT, world->now_us + sim_below(world, sim_chance(world, 50) ? 9000000 : 400000), 0);
        event->think = out->think;
        event->bytes = out->bytes;
        return;
    case BW_OUT_ASK_MODEL: break;
    }
    bw_bytes_release(out->bytes);
}

void sim_pump(sim_world *world) {
    bw_output out;
    while (bw_hall_next(world->hall, &out)) carry_out(world, &out);
    schedule_commit(world);
}

static void thought(sim_world *world, const sim_event *event) {
    static _Thread_local uint64_t arena[1 << 17], answer[1 << 12];
    const bw_think *think = &event->think;
    bw_thinking thinking = {.seed = think->seed,
                            .effort = 1,
                            .arena = (void *)(((uintptr_t)arena + 63) & ~(uintptr_t)63),
                            .arena_bytes = sizeof arena - 64};
    uint32_t count = 0;
    if (think->solver || bw_think_arena_bytes(think) <= thinking.arena_bytes) {
        count = bw_think_now(think, &thinking, answer);
    }
    bw_hall_thought(world->hall, sim_now(world), think->work, answer, count);
    sim_check_work(world);
}

static void loaded(sim_world *world, const char *room) {
    if (world->unreadable && world->now_us < world->unreadable_until) {
        bw_hall_loaded(world->hall, sim_now(world), room, NULL, "The disk cannot be read.");
        sim_check_work(world);
    } else {
        bw_hall_loaded(world->hall, sim_now(world), room, bw_memory_journal_load(world->journal, room), NULL);
        sim_check_work(world);
    }
}

static void swept(sim_world *world, const sim_event *event) {
    char rooms[32][BW_ROOM_ID_MAX + 1];
    size_t count = bw_memory_journal_sweep(world->journal, event->ended_before, event->unstarted_before, rooms, 32);
    bw_hall_swept(world->hall, sim_now(world), (const char(*)[BW_ROOM_ID_MAX + 1]) rooms, count);
    sim_check_work(world);
}

void sim_http(sim_world *world, const char *room, sim_http_kind kind) {
    for (size_t slot = 0; slot < SIM_REQUESTS; slot++) {
        if (!world->http[slot].waiting) {
            world->http[slot] = (sim_http_slot){.waiting = true, .kind = kind};
            memcpy(world->http[slot].room, room, strlen(room) + 1);
            (kind == SIM_HTTP_LOG ? bw_hall_http_log : bw_hall_http_state)(world->hall, sim_now(world),
                                                                           SIM_LINKS + slot, room, "");
            return;
        }
    }
}

/* ---- the process ---- */

void sim_boot(sim_world *world) {
    static const bw_hall_settings settings = {.room_cleanup_ms = 60000,
                                              .seat_grace_ms = 15000,
                                              .away_ms = 3000,
                                              .hibernate_ms = 20000,
                                              .forget_ms = 100000,
                                              .unlisted_games = true};
    uint64_t key[4];
    bw_fast secrets = {world->seed * 1000003 + world->generation};
    for (int i = 0; i < 4; i++) key[i] = bw_fast_next(&secrets);
    world->skew_us = 1000000 + (int64_t)(bw_fast_next(&secrets) % 1000000000);
    world->hall = bw_hall_new(&settings, (const uint8_t *)key);
    world->draining = false;
    world->work = 0;
}

void sim_kill(sim_world *world, bool torn) {
    size_t waiting = bw_memory_journal_waiting(world->journal);
    size_t stored = torn ? sim_below(world, (uint32_t)waiting + 1) : 0;
    world->kills++;
    bw_memory_journal_crash(world->journal, stored);
    sim_check_durable(world, stored);
    sim_check_lost(world);
    size_t back = sim_below(world, (uint32_t)bw_memory_journal_doubtful(world->journal) + 1);
    bw_memory_journal_come_back(world->journal, back);
    sim_check_come_back(world, back);
    bw_hall_free(world->hall);
    world->generation++;
    world->commit_scheduled = false;
    memset(world->http, 0, sizeof world->http);
    for (int i = 1; i <= world->link_count; i++) {
        sim_link *link = &world->links[i];
        if (link->server_open || link->client_open) {
            link->server_open = false;
            link->answers_due = 0;
            if (link->client_open && !link->mute) {
                sim_push(world, SIM_DOWN_CLOSE, world->now_us + delay(world), i)->code = 1006;
            }
        }
    }
    sim_unclock_all(world);
    sim_boot(world);
}

/* ---- steps ---- */

static void carry_event(sim_world *world, sim_event *event) {
    sim_link *link = &world->links[event->who];
    bool old = event->generation != world->generation;
    switch (event->kind) {
    case SIM_UP_OPEN:
        if (old) { /* nobody listens at that moment */
            link->up_at = world->now_us;
            sim_push(world, SIM_DOWN_CLOSE, world->now_us + 1000, event->who)->code = 1006;
        } else if (link->client_open) {
            link->server_open = true;
            bw_hall_opened(world->hall, sim_now(world), (uint64_t)event->who, link->room, event->room, "");
            sim_check_work(world);
        }
        break;
    case SIM_UP_MESSAGE:
        if (!old && link->server_open) {
            sim_check_reached(world, event->who, event->bytes->at, event->bytes->length);
            bw_hall_message(world->hall, sim_now(world), (uint64_t)event->who, event->bytes->at, event->bytes->length);
            sim_check_work(world);
        }
        break;
    case SIM_UP_CLOSE:
        if (!old && link->server_open) {
            link->server_open = false;
            bw_hall_closed(world->hall, sim_now(world), (uint64_t)event->who);
            sim_check_work(world);
        }
        break;
    case SIM_UP_PONG:
        if (!old) bw_hall_pong(world->hall, sim_now(world), (uint64_t)event->who);
        sim_check_work(world);
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
        if (!old) commit(world);
        break;
    case SIM_LOADED:
        if (!old) loaded(world, event->room);
        break;
    case SIM_THOUGHT:
        if (!old) thought(world, event);
        break;
    case SIM_SWEPT:
        if (!old) swept(world, event);
        break;
    case SIM_REPLAYED:
        if (!old) sim_replay_read(world, SIM_LINKS + (uint64_t)event->who, event->room);
        break;
    case SIM_ACT:
        if (world->calm) sim_push(world, SIM_ACT, world->now_us + 6000000, event->who);
        else sim_act(world, event->who);
        break;
    case SIM_FAULT: break;
    }
    bw_bytes_release(event->bytes);
}

/* Between any two steps, whatever can go wrong may. */
static void faults(sim_world *world) {
    if (world->calm) return;
    uint32_t dice = sim_below(world, 10000);
    if (sim_has(world, SIM_KILL) && (dice < 12 || (world->doubtful_count > 0 && dice < 1500))) {
        /* A disk that fails often takes the machine along. */
        sim_kill(world, true);
    } else if (dice < 14 && sim_has(world, SIM_DRAIN) && !world->draining) {
        world->draining = true;
        bw_hall_drain(world->hall, sim_now(world));
        sim_check_work(world);
    } else if (dice < 40 && sim_has(world, SIM_CUT) && world->link_count > 0) {
        int number = 1 + (int)sim_below(world, (uint32_t)world->link_count);
        sim_link *link = &world->links[number];
        if (link->client_open && link->server_open) {
            if (sim_has(world, SIM_HALF_OPEN) && sim_chance(world, 250)) {
                link->mute = true; /* nobody has noticed yet */
                sim_push(world, SIM_DOWN_CLOSE, world->now_us + 1000000 + sim_below(world, 40000000), number)->code =
                    1006;
            } else {
                sim_push(world, SIM_UP_CLOSE, world->now_us + delay(world), number);
                sim_push(world, SIM_DOWN_CLOSE, world->now_us + delay(world), number)->code = 1006;
            }
        }
    } else if (dice < 43 && sim_has(world, SIM_DISK_FULL)) {
        world->full = true;
        world->full_until = world->now_us + sim_below(world, 8000000);
    } else if (dice < 46 && sim_has(world, SIM_READ_FAIL)) {
        world->unreadable = true;
        world->unreadable_until = world->now_us + sim_below(world, 5000000);
    } else if (dice < 48 && sim_has(world, SIM_STALL)) {
        world->now_us += 1000000 + sim_below(world, 15000000);
        world->stalled_us = world->now_us;
    } else if (dice < 80 && sim_has(world, SIM_HTTP)) {
        sim_http(world, world->clients[sim_below(world, SIM_CLIENTS)].room,
                 sim_below(world, 2) ? SIM_HTTP_LOG : SIM_HTTP_STATE);
    } else if (dice < 100 && sim_has(world, SIM_FORK)) {
        sim_look_back(world);
    }
    if (world->draining && bw_hall_drained(world->hall)) {
        sim_kill(world, false); /* the next process */
    }
}

bool sim_step(sim_world *world) {
    if (world->failure[0] || world->event_count == 0) return false;
    world->steps++;
    int64_t due = bw_hall_deadline(world->hall) - world->skew_us;
    int64_t late = sim_has(world, SIM_LATE) && sim_chance(world, 20) ? sim_below(world, 700000) : sim_below(world, 300);
    if (due <= world->now_us || (due + late < world->events[0].at)) {
        world->now_us = due + late > world->now_us ? due + late : world->now_us;
        bw_hall_tick(world->hall, sim_now(world));
        sim_check_work(world);
    } else {
        sim_event event = pop(world);
        world->now_us = event.at > world->now_us ? event.at : world->now_us;
        carry_event(world, &event);
    }
    sim_pump(world);
    faults(world);
    sim_pump(world);
    return !world->failure[0];
}
