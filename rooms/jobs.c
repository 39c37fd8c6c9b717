/* What takes long is done in slices of about a millisecond, with as long a pause between them, in which messages and
 * rounds have their turn: a long game that wakes, that is put to sleep, or from which somebody plays on. Rooms take turns. */
#include "rooms/internal.h"

enum { PACE_US = 2000 };

void bw_job_add(bw_hall *hall, bw_room *room) {
    if (hall->jobs.count == 0) hall->jobs_us = hall->now.mono_us + PACE_US;
    *(bw_key *)bw_queue_add(&hall->memory, &hall->jobs, sizeof(bw_key)) = bw_key_of_text(room->id);
}

/* true: it is done with, well or badly. */
static bool slice(bw_hall *hall, bw_room *room) {
    if (room->forking) return bw_fork_slice(hall, room);
    if (room->snapshot_wanted) return bw_snapshot_job(hall, room);
    int outcome = room->rebuilding ? bw_rebuild_slice(hall, room) : -1;
    if (outcome != 0) bw_room_rebuilt(hall, room, outcome > 0);
    return outcome != 0;
}

void bw_jobs_tick(bw_hall *hall) {
    if (hall->jobs.count == 0 || hall->jobs_us > hall->now.mono_us) return;
    bw_key key = *(const bw_key *)bw_queue_front(&hall->jobs);
    bw_room *room = bw_map_get(&hall->rooms, key);
    bw_queue_drop(&hall->jobs);
    hall->jobs_us = hall->now.mono_us + PACE_US;
    if (!room || !(room->forking || room->rebuilding || room->snapshot_wanted) || slice(hall, room)) return;
    *(bw_key *)bw_queue_add(&hall->memory, &hall->jobs, sizeof key) = key;
}

int64_t bw_jobs_deadline(const bw_hall *hall) { return hall->jobs.count > 0 ? hall->jobs_us : INT64_MAX; }

bool bw_hall_busy(const bw_hall *hall) { return hall->jobs.count > 0; }
