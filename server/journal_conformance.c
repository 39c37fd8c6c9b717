/* What every journal promises, on either database and in memory: journal_test.c and journal_postgres_test.c run it. */
#include "server/journal_conformance.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

void conforms_round_trip(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'w', 10, "one,");
    append(f, BW_ENTRY_RECORD, "BBBB", 1, 'w', 11, "other");
    append(f, BW_ENTRY_RECORD, "AAAA", 2, 'a', 12, "two,");
    append(f, BW_ENTRY_RECORD, "AAAA", 3, 'a', 13, "");
    append(f, BW_ENTRY_RECORD, "AAAA", 4, 'a', 14, "four");
    load(f, "AAAA"); /* reads what was appended before it, committed or not */
    assert_true(f->found);
    assert_string_equal(f->bytes, "one,two,four");
    assert_int_equal(f->count, 4);
    assert_int_equal(f->snapshot_length, 0);
    load(f, "CCCC");
    assert_false(f->found);
    assert_string_equal(f->failed, "");

    append(f, BW_ENTRY_SNAPSHOT, "AAAA", 3, 'a', 15, "snap");
    load(f, "AAAA");
    assert_int_equal(f->snapshot_length, 4);
    assert_int_equal(f->snapshot_index, 3);
    assert_int_equal(f->first, 4);
    assert_string_equal(f->bytes, "four");

    append(f, BW_ENTRY_FORGET, "AAAA", 0, 'a', 16, "");
    load(f, "AAAA");
    assert_false(f->found);
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'w', 17, "anew");
    load(f, "AAAA");
    assert_string_equal(f->bytes, "anew");
    settle(f);
    assert_int_equal(f->released, (int)f->ticket);
    reopen_journal(f); /* like another process later */
    load(f, "AAAA");
    assert_string_equal(f->bytes, "anew");
    load(f, "BBBB");
    assert_string_equal(f->bytes, "other");
}

void conforms_replays(void **state) {
    fixture *f = *state;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t today = now.tv_sec * 1000, day = 86400000;
    open_journal(f, 0);
    append(f, BW_ENTRY_REPLAY, "young", 0, 'e', today - 29 * day, "game");
    append(f, BW_ENTRY_REPLAY, "young", 0, 'e', today - 29 * day, "game again");
    append(f, BW_ENTRY_REPLAY, "old", 0, 'e', today - 31 * day, "long ago");
    append(f, BW_ENTRY_RECORD, "BBBB", 1, 'w', today - 5 * day, "and some days ago");
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'w', today, "somebody was here today");
    settle(f);
    reopen_journal(f); /* old ones are deleted at the start */
    append(f, BW_ENTRY_TOUCH, "none", 0, 'w', 1, "");
    settle(f);
    bool old = true;
    for (int i = 0; i < 100 && old; i++) {
        read_replay(f, "old");
        old = f->found;
        if (old) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    assert_false(old);
    read_replay(f, "young");
    assert_true(f->found);
    assert_int_equal(f->length, 10);
    assert_memory_equal(f->bytes, "game again", 10);
}

/* The clock is far ahead of the newest record, or of all except those that it stamped itself: nothing is deleted,
 * neither replays nor rooms. */
static void clock_ahead(fixture *f, bool played) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t today = now.tv_sec * 1000, day = 86400000, then = today - 40 * day; /* when it was last right */
    f->replay_days = 0; /* the journal's own cleaning would use today's clock */
    open_journal(f, 0);
    append(f, BW_ENTRY_REPLAY, "new", 0, 'e', then - 1000, "x");
    append(f, BW_ENTRY_RECORD, "AAAA", 1, 'w', then, "");
    append(f, BW_ENTRY_RECORD, "BBBB", 1, 'e', then, "");
    append(f, BW_ENTRY_RECORD, "CCCC", 1, 'w', then - day, "");
    if (played) {
        append(f, BW_ENTRY_RECORD, "DDDD", 1, 'a', today - day / 2, "");
        append(f, BW_ENTRY_REPLAY, "ahead", 0, 'e', today - 1000, "x");
    }
    settle(f);
    close_journal(f);
    f->committed = 0;
    f->replay_days = 30;
    open_journal(f, 0);
    append(f, BW_ENTRY_TOUCH, "none", 0, 'w', 1, "");
    settle(f);
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    int before = f->answers;
    assert_true(bw_journal_read_replay(f->journal, "new", 77));
    assert_true(bw_journal_sweep(f->journal, today - 5 * 60000, today - 3600000));
    while (f->answers < before + 2) pump(f);
    assert_true(f->found);
    assert_int_equal(f->swept_count, 1);
    assert_string_equal(f->swept[0], "CCCC"); /* as if the clock had stopped */
}

void conforms_clock_ahead(void **state) { clock_ahead(*state, false); }

void conforms_played_ahead(void **state) { clock_ahead(*state, true); }

static bool was_swept(const fixture *f, const char *room) {
    for (size_t i = 0; i < f->swept_count; i++) {
        if (strcmp(f->swept[i], room) == 0) return true;
    }
    return false;
}

void conforms_sweep(void **state) {
    fixture *f = *state;
    open_journal(f, 0);
    append(f, BW_ENTRY_RECORD, "WAIT", 1, 'w', 100, "x");
    append(f, BW_ENTRY_RECORD, "CONF", 1, 'c', 100, "x");
    append(f, BW_ENTRY_RECORD, "LATE", 1, 'w', 900, "x");
    append(f, BW_ENTRY_RECORD, "PLAY", 1, 'a', 100, "x");
    append(f, BW_ENTRY_RECORD, "OVER", 1, 'a', 100, "x");
    append(f, BW_ENTRY_RECORD, "OVER", 2, 'e', 300, "x");
    append(f, BW_ENTRY_RECORD, "NEW", 1, 'e', 600, "x");
    append(f, BW_ENTRY_RECORD, "BACK", 1, 'w', 100, "x");
    append(f, BW_ENTRY_TOUCH, "BACK", 0, 'w', 950, "");
    assert_true(bw_journal_sweep(f->journal, 500, 800));
    while (f->answers == 0) pump(f);
    assert_int_equal(f->swept_count, 3);
    assert_true(was_swept(f, "WAIT") && was_swept(f, "CONF") && was_swept(f, "OVER"));
}

/* ---- all kinds of entries, in random batches, compared with a model ---- */

enum { MODEL_ROOMS = 6, MODEL_RECORDS = 400 };

typedef struct model_room {
    char name[BW_ROOM_ID_MAX + 1];
    bool exists;
    uint32_t last, snapshot; /* numbers; 0: none */
    char status;
    const char *texts[MODEL_RECORDS + 1];
    size_t lengths[MODEL_RECORDS + 1];
} model_room;

/* The rooms, and all bytes ever handed over, because the journal's thread may still be reading them. */
typedef struct model {
    model_room rooms[MODEL_ROOMS];
    char bytes[1 << 16];
    size_t used;
} model;

static uint32_t roll(uint64_t *dice, uint32_t below) {
    *dice = *dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*dice >> 33) % below;
}

/* Every byte value, including zero and quotes. */
static void put_noise(fixture *f, model *m, model_room *room, bw_entry_kind kind, uint64_t *dice) {
    size_t at = room->last, length = roll(dice, 24);
    char *bytes = m->bytes + m->used;
    m->used += length;
    assert_true(m->used <= sizeof m->bytes);
    for (size_t i = 0; i < length; i++)
        bytes[i] = (char)(roll(dice, 3) ? (int)roll(dice, 256) - 128 : "\\'\"{},"[roll(dice, 6)]);
    room->texts[at] = bytes;
    room->lengths[at] = length;
    bw_entry entry = {.kind = kind,
                      .ticket = ++f->ticket,
                      .index = room->last,
                      .status = (uint8_t)room->status,
                      .changed_at = (int64_t)f->ticket,
                      .bytes = (const uint8_t *)bytes,
                      .length = length};
    memcpy(entry.room, room->name, sizeof entry.room);
    bw_journal_append(f->journal, &entry, &f->released);
}

static void play(fixture *f, model *m, uint64_t *dice) {
    model_room *room = &m->rooms[roll(dice, MODEL_ROOMS)];
    uint32_t what = roll(dice, 20);
    if (what == 0) {
        append(f, BW_ENTRY_FORGET, room->name, 0, 'w', 1, "");
        room->exists = false;
        room->last = room->snapshot = 0;
        room->status = 'w';
    } else if (what < 3) { /* the room does not exist, so nothing is made */
        append(f, BW_ENTRY_TOUCH, room->name, 0, room->status, 1, "");
    } else if (what < 5 && room->last > 0) {
        put_noise(f, m, room, BW_ENTRY_SNAPSHOT, dice); /* it keeps the bytes of its last record, which is then gone */
        room->snapshot = room->last;
    } else if (room->last < MODEL_RECORDS) {
        room->exists = true;
        room->last++;
        room->status = "waace"[roll(dice, 5)];
        put_noise(f, m, room, BW_ENTRY_RECORD, dice);
    }
}

static void compare(fixture *f, const model_room *room) {
    load(f, room->name);
    assert_int_equal(f->found, room->exists);
    if (!room->exists) return;
    assert_int_equal(f->snapshot_index, room->snapshot);
    assert_int_equal(f->snapshot_length, room->snapshot ? room->lengths[room->snapshot] : 0);
    assert_int_equal(f->count, room->last - room->snapshot);
    size_t at = 0;
    for (uint32_t i = room->snapshot + 1; i <= room->last && at + 24 < sizeof f->bytes; i++) {
        assert_memory_equal(f->bytes + at, room->texts[i], room->lengths[i]);
        at += room->lengths[i];
    }
}

void conforms_any_batch(void **state) {
    fixture *f = *state;
    uint64_t dice = 20261129;
    model *m = calloc(1, sizeof *m);
    model_room *rooms = m->rooms;
    for (int i = 0; i < MODEL_ROOMS; i++) snprintf(rooms[i].name, sizeof rooms[i].name, "ROOM%d", i);
    open_journal(f, 0);
    for (int round = 0; round < 60; round++) {
        for (uint32_t count = roll(&dice, 40) + 1; count > 0; count--) play(f, m, &dice);
        if (roll(&dice, 3) == 0) compare(f, &rooms[roll(&dice, MODEL_ROOMS)]);
        if (roll(&dice, 3) == 0) settle(f);
    }
    settle(f);
    assert_int_equal(f->failures, 0);
    reopen_journal(f);
    for (int i = 0; i < MODEL_ROOMS; i++) compare(f, &rooms[i]);
    free(m);
}

/* Killed while it writes, again and again: everything reported as committed is there, complete and in order; of the
 * rest there is a prefix. */
void conforms_kills(void **state) {
    fixture *f = *state;
    uint32_t stored = 0;
    for (int round = 0; round < 12; round++) {
        int tell[2];
        assert_int_equal(pipe(tell), 0);
        pid_t child = fork();
        if (child == 0) {
            close(tell[0]);
            open_journal(f, 0);
            for (uint32_t index = stored + 1;; index++) {
                static char texts[16][32]; /* at most 7 are in flight */
                char *text = texts[index % 16];
                snprintf(text, sizeof texts[0], "%u,", index);
                append(f, BW_ENTRY_RECORD, "AAAA", index, 'a', index, text);
                if (f->ticket % 7 == 0) settle(f); /* each ticket is one more than the stored index */
                if (f->failures) {
                    print_error("%s\n", f->reason);
                    _exit(1);
                }
                uint32_t seen = stored + (uint32_t)f->committed;
                if (write(tell[1], &seen, sizeof seen) != sizeof seen) _exit(1);
            }
        }
        close(tell[1]);
        uint32_t seen = stored, told;
        int wanted = 20 + round * 37;
        for (int i = 0; i < wanted && read(tell[0], &told, sizeof told) == sizeof told; i++) {
            seen = told;
        }
        kill(child, SIGKILL);
        while (read(tell[0], &told, sizeof told) == sizeof told) seen = told; /* what it had reported before it died */
        close(tell[0]);
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status));

        f->committed = f->ticket = 0;
        open_journal(f, 0);
        load(f, "AAAA"); /* on_loaded checks that there are no gaps */
        if (f->count < seen) {
            fail_msg("round %d: %u were reported, %u are stored", round, seen, f->count);
        }
        stored = f->count;
        assert_true(stored == 0 || f->first == 1);
        close_journal(f);
    }
    assert_true(stored > 100);
}

/* Opening does not read all stored data. */
void conforms_many_rooms(void **state) {
    fixture *f = *state;
    const uint32_t ROOMS = f->address[0] ? 20000 : 100000;
    open_journal(f, 0);
    for (uint32_t i = 0; i < ROOMS; i++) {
        char room[BW_ROOM_ID_MAX + 1];
        snprintf(room, sizeof room, "R%07u", i);
        append(f, BW_ENTRY_RECORD, room, 1, 'a', i, "a record of some forty bytes, as they come");
    }
    settle(f);
    close_journal(f);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    open_journal(f, 0);
    load(f, "R0010000");
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_int_equal(f->count, 1);
    double ms = (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) * 1e-6;
    print_message("open with %u rooms and read one: %.1f ms\n", ROOMS, ms);
    bw_journal_figures figures;
    bw_journal_figures_of(f->journal, &figures);
    assert_int_equal(figures.entries_total, 0); /* nothing was written or rebuilt meanwhile */
}
