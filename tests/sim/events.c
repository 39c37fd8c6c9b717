/* Chance, digests, and time: a heap of events. */
#include "sim.h"

uint32_t sim_below(sim_world *world, uint32_t bound) { return bw_fast_below(&world->fast, bound); }
bool sim_chance(sim_world *world, uint32_t per_thousand) { return sim_below(world, 1000) < per_thousand; }

bw_now sim_now_at(const sim_world *world, const sim_node *node, int64_t at_us) {
    return (bw_now){.mono_us = at_us + node->skew_us,
                    .wall_ms = world->wall_base_ms + node->wall_skew_ms + at_us / 1000};
}

uint64_t sim_digest(uint64_t digest, const char *bytes, size_t length) {
    /* FNV-1a (Fowler, Noll, Vo), eight bytes at a time: it only has to detect differing bytes, not attacks. */
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
    if (a->at != b->at) return a->at < b->at;
    return a->since != b->since ? a->since < b->since : a->order < b->order;
}

static void swap(sim_event *a, sim_event *b) {
    sim_event c = *a;
    *a = *b;
    *b = c;
}

sim_event *sim_add_event(sim_world *world, const sim_event *added) {
    if (world->event_count == world->event_cap) {
        world->event_cap = world->event_cap ? world->event_cap * 2 : 256;
        world->events = realloc(world->events, world->event_cap * sizeof *world->events);
    }
    size_t i = world->event_count++;
    world->events[i] = *added;
    while (i > 0 && before(&world->events[i], &world->events[(i - 1) / 2])) {
        swap(&world->events[i], &world->events[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    return &world->events[i];
}

sim_event *sim_push(sim_world *world, sim_event_kind kind, int64_t at, sim_node *node, int who) {
    return sim_add_event(world, &(sim_event){.at = at,
                                             .since = at,
                                             .order = world->order++,
                                             .kind = kind,
                                             .who = who,
                                             .node = node ? (int)(node - world->nodes) : -1,
                                             .generation = node ? node->generation : 0});
}

/* Events are a heap, the next one first; the event at `i` may be later than those below it. */
static void sift(sim_world *world, size_t i) {
    for (;;) {
        size_t child = 2 * i + 1;
        if (child + 1 < world->event_count && before(&world->events[child + 1], &world->events[child])) {
            child++;
        }
        if (child >= world->event_count || !before(&world->events[child], &world->events[i])) break;
        swap(&world->events[i], &world->events[child]);
        i = child;
    }
}

sim_event sim_pop(sim_world *world) {
    sim_event first = world->events[0];
    world->events[0] = world->events[--world->event_count];
    sift(world, 0);
    return first;
}

/* Events that it missed in that time arrive now. */
void sim_go_on_now(sim_world *world, sim_node *node) {
    for (size_t i = 0; i < world->event_count; i++) {
        sim_event *event = &world->events[i];
        bool waits = event->node == (int)(node - world->nodes) && event->at == node->paused_until;
        if (waits) event->at = world->now_us;
    }
    for (size_t i = world->event_count / 2; i-- > 0;) sift(world, i);
    node->paused_until = world->now_us;
}

void sim_clear_events(sim_world *world) {
    for (size_t i = 0; i < world->event_count; i++) bw_bytes_release(world->events[i].bytes);
    free(world->events);
    world->events = NULL;
    world->event_count = world->event_cap = 0;
}
