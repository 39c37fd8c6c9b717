/* The storage of one server: its own disk, which fails, fills up and tears writes. */
#include "sim.h"

void sim_disk_append(sim_world *world, const bw_entry *entry) {
    sim_entry noted;
    bw_memory_journal_append(world->journal, entry);
    if (sim_check_append(world, &world->nodes[0], entry, &noted)) sim_check_wait(world, &noted);
}

void sim_disk_schedule(sim_world *world) {
    if (!world->commit_scheduled && bw_memory_journal_waiting(world->journal) > 0) {
        world->commit_scheduled = true;
        sim_push(world, SIM_COMMIT, world->now_us + 200 + sim_below(world, sim_chance(world, 30) ? 400000 : 6000),
                 &world->nodes[0], 0);
    }
}

void sim_disk_commit(sim_world *world) {
    sim_node *node = &world->nodes[0];
    size_t waiting = bw_memory_journal_waiting(world->journal);
    world->commit_scheduled = false;
    if (waiting == 0) return;
    bool fails = (world->full && world->now_us < world->full_until) ||
                 (!world->calm && sim_has(world, SIM_DISK_FAIL) && sim_chance(world, 6));
    /* Mostly the whole batch; or only a part of it, which the hall learns before the rest is in flight. */
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
        bw_hall_journal_failed(node->hall, sim_now(world, node), good,
                               world->full ? "The disk is full." : "The disk failed.",
                               bw_memory_journal_doubtful(world->journal) > 0);
        sim_check_work(world, node);
        sim_pump(world);
        sim_unclock_all(world); /* rooms that fell back restart their clocks */
    } else {
        bw_hall_journalled(node->hall, sim_now(world, node), good);
        sim_check_work(world, node);
    }
}

void sim_disk_loaded(sim_world *world, const char *room) {
    sim_node *node = &world->nodes[0];
    bool fails = world->unreadable && world->now_us < world->unreadable_until;
    bw_hall_loaded(node->hall, sim_now(world, node), room, fails ? NULL : bw_memory_journal_load(world->journal, room),
                   fails ? "The disk cannot be read." : NULL);
    sim_check_work(world, node);
    if (fails) sim_unclock(world, room); /* a round that would have ended a long game is taken back */
}

void sim_disk_swept(sim_world *world, const sim_event *event) {
    sim_node *node = &world->nodes[0];
    char rooms[32][BW_ROOM_ID_MAX + 1];
    size_t count = bw_memory_journal_sweep(world->journal, event->ended_before, event->unstarted_before, rooms, 32);
    bw_hall_swept(node->hall, sim_now(world, node), (const char(*)[BW_ROOM_ID_MAX + 1]) rooms, count);
    sim_check_work(world, node);
}

void sim_disk_replayed(sim_world *world, const sim_event *event) {
    size_t length = 0;
    const uint8_t *bytes = bw_memory_journal_replay(world->journal, event->room, &length);
    sim_replay_read(world, &world->nodes[0], (uint64_t)event->who, bytes, length);
}

void sim_disk_crash(sim_world *world, bool torn) {
    size_t waiting = bw_memory_journal_waiting(world->journal);
    size_t stored = torn ? sim_below(world, (uint32_t)waiting + 1) : 0;
    bw_memory_journal_crash(world->journal, stored);
    sim_check_durable(world, stored);
    sim_check_lost(world);
    size_t back = sim_below(world, (uint32_t)bw_memory_journal_doubtful(world->journal) + 1);
    bw_memory_journal_come_back(world->journal, back);
    sim_check_come_back(world, back);
    world->commit_scheduled = false;
}
