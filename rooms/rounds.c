/* The clock of games of rounds: round r is due at the start + r intervals, whenever the last one was played. */
#include "rooms/internal.h"

static int64_t interval_us(const bw_room *room) {
    return (int64_t)room->game->round_ms(room->match.state) * 1000;
}

void bw_clock_start(bw_hall *hall, bw_room *room) {
    room->round_us = hall->now.mono_us + interval_us(room);
    bw_room_schedule(hall, room);
}

void bw_clock_stop(bw_room *room) { room->round_us = INT64_MAX; }

int64_t bw_next_round_at(const bw_hall *hall, const bw_room *room) {
    return room->round_us == INT64_MAX ? 0 : hall->now.wall_ms + (room->round_us - hall->now.mono_us) / 1000;
}

static void measure(bw_hall *hall, int64_t late_us) {
    static const int64_t bounds_ms[BW_LATENESS_BUCKETS - 1] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000};
    int bucket = 0;
    while (bucket < BW_LATENESS_BUCKETS - 1 && late_us > bounds_ms[bucket] * 1000) {
        bucket++;
    }
    hall->figures.lateness[bucket]++;
    hall->figures.lateness_sum_seconds += (double)late_us / 1e6;
}

void bw_clock_tick(bw_hall *hall, bw_room *room) {
    int64_t now = hall->now.mono_us;
    if (room->round_us > now) {
        return;
    }
    int64_t late = now - room->round_us, interval = interval_us(room);
    measure(hall, late);
    /* A stall (a suspended machine) is no reason for a burst of rounds: the schedule starts anew. */
    room->round_us = late > interval ? now + interval : room->round_us + interval;
    bw_round_now(hall, room);
    bw_room_schedule(hall, room);
}
