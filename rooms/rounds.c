/* The clock of games of rounds: round r is due at the start + r intervals, whenever the last one was played. */
#include "rooms/internal.h"

static int64_t interval_us(const bw_room *room) { return (int64_t)room->game->round_ms(room->match.state) * 1000; }

void bw_clock_start(bw_hall *hall, bw_room *room) {
    if (bw_room_is_full(room)) return;
    room->round_us = hall->now.mono_us + interval_us(room);
    room->round_wall_ms = hall->now.wall_ms + interval_us(room) / 1000;
    bw_room_schedule(hall, room);
}

void bw_clock_stop(bw_room *room) { room->round_us = room->ready_us = INT64_MAX; }

int64_t bw_next_round_at(const bw_hall *hall, const bw_room *room) {
    if (room->round_us == INT64_MAX || room->ended_at) return 0;
    /* Rounds are told as start + r intervals to the millisecond; only where the wall clock was set in
     * between does the way from here count, or the countdown would be wrong by that much. */
    int64_t from_here = hall->now.wall_ms + (room->round_us - hall->now.mono_us) / 1000;
    int64_t off = from_here - room->round_wall_ms;
    return off >= -2 && off <= 2 ? room->round_wall_ms : from_here;
}

const int64_t bw_lateness_bounds_us[BW_LATENESS_BUCKETS - 1] = {
    50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000, 5000000};

static void measure(bw_hall *hall, int64_t late_us) {
    int bucket = 0;
    while (bucket < BW_LATENESS_BUCKETS - 1 && late_us > bw_lateness_bounds_us[bucket]) bucket++;
    if (late_us > hall->figures.lateness_max_us) hall->figures.lateness_max_us = late_us;
    hall->figures.lateness[bucket]++;
    hall->figures.lateness_sum_seconds += (double)late_us / 1e6;
}

static void put_off(bw_room *room, int64_t us) {
    room->round_us += us;
    room->round_wall_ms += us / 1000;
}

void bw_clock_tick(bw_hall *hall, bw_room *room) {
    int64_t late = hall->now.mono_us - room->round_us, interval = interval_us(room);
    if (late < 0) return;
    if (bw_room_is_full(room)) { /* it rests for good, until somebody gives up */
        bw_clock_stop(room);
        bw_tell_state(hall, room, NULL);
        return;
    }
    if (late > interval && !BW_PLANTED(BURST)) {
        /* A stall (a suspended machine) is no reason for a burst of rounds: whole intervals are left out. So each
         * room keeps its place within the interval, and those that stalled together don't tick together ever after. */
        put_off(room, (late / interval + 1) * interval);
        bw_tell_state(hall, room, NULL);
        return;
    }
    measure(hall, late);
    put_off(room, interval + (BW_PLANTED(DRIFT) ? late : 0));
    bw_round_now(hall, room);
    bw_room_schedule(hall, room);
}
