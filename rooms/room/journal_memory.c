#include "rooms/journal_memory.h"

#include "rooms/room/memory.h"

enum { LOOKS = 16384 }; /* rooms that one sweep or search looks at */

typedef struct stored {
    char room[BW_ROOM_ID_MAX + 1];
    uint8_t status;
    int64_t changed_at;
    bw_buffer snapshot;
    uint32_t snapshot_index;
    bw_queue records; /* of bw_buffer; the first one's index is snapshot_index + 1 */
    uint32_t last_index;
    size_t at; /* in `list` */
} stored;

typedef struct replay {
    char id[BW_REPLAY_ID_MAX + 1];
    int64_t made_at;
    bw_buffer bytes;
} replay;

typedef struct waiting {
    bw_entry entry;
    bw_buffer bytes;
} waiting;

struct bw_memory_journal {
    bw_memory memory;
    bw_map rooms;
    stored **list;
    size_t count, cap;
    size_t swept, searched; /* where the next sweep, and the next search for abandoned games, looks first */
    bw_map replays;
    bw_queue by_age;            /* of pointers to replays */
    bw_queue waiting, doubtful; /* both of entries */
    size_t faults;
    bw_stored_room answer;
    bw_stored_record *records;
};

bw_memory_journal *bw_memory_journal_new(void) {
    bw_memory_journal *journal = calloc(1, sizeof *journal);
    return journal;
}

/* The last `keep` remain. */
static void drop_records(bw_memory_journal *journal, stored *room, uint32_t keep) {
    while (room->records.count > keep) {
        bw_buffer_clear(&journal->memory, bw_queue_front(&room->records));
        bw_queue_drop(&room->records);
    }
    if (keep == 0) bw_queue_clear(&journal->memory, &room->records);
}

static void forget(bw_memory_journal *journal, const char *id) {
    stored *room = bw_map_take(&journal->memory, &journal->rooms, bw_key_of_text(id));
    if (!room) return;
    stored *last = journal->list[--journal->count];
    journal->list[room->at] = last;
    last->at = room->at;
    drop_records(journal, room, 0);
    bw_buffer_clear(&journal->memory, &room->snapshot);
    bw_memory_free(&journal->memory, room);
}

static stored *room_of(bw_memory_journal *journal, const char *id, bool make) {
    stored *room = bw_map_get(&journal->rooms, bw_key_of_text(id));
    if (room || !make) return room;
    room = bw_memory_new(&journal->memory, sizeof *room);
    memcpy(room->room, id, strlen(id) + 1);
    if (journal->count == journal->cap) {
        journal->cap = journal->cap ? journal->cap * 2 : 16;
        journal->list = bw_memory_grow(&journal->memory, journal->list, journal->cap * sizeof(stored *));
    }
    room->at = journal->count;
    journal->list[journal->count++] = room;
    bw_map_put(&journal->memory, &journal->rooms, bw_key_of_text(id), room);
    return room;
}

/* Almost always at the end. */
static void list_by_age(bw_memory_journal *journal, replay *added) {
    replay **at = bw_queue_add(&journal->memory, &journal->by_age, sizeof added);
    for (size_t i = journal->by_age.count - 1; i > 0; i--) {
        replay **before = bw_queue_item(&journal->by_age, i - 1);
        if ((*before)->made_at <= added->made_at) break;
        *at = *before;
        at = before;
    }
    *at = added;
}

static void keep_replay(bw_memory_journal *journal, const waiting *w) {
    bw_key key = bw_key_of_text(w->entry.replay_id);
    replay *kept = bw_map_get(&journal->replays, key);
    if (!kept) {
        kept = bw_memory_new(&journal->memory, sizeof *kept);
        memcpy(kept->id, w->entry.replay_id, sizeof kept->id);
        kept->made_at = w->entry.changed_at;
        bw_map_put(&journal->memory, &journal->replays, key, kept);
        list_by_age(journal, kept);
    }
    bw_buffer_clear(&journal->memory, &kept->bytes);
    kept->bytes = w->bytes;
}

bool bw_memory_journal_drop_replay(bw_memory_journal *journal, int64_t before) {
    replay **oldest = bw_queue_front(&journal->by_age), *dropped = oldest ? *oldest : NULL;
    if (!dropped || dropped->made_at >= before) return false;
    bw_queue_drop(&journal->by_age);
    bw_map_take(&journal->memory, &journal->replays, bw_key_of_text(dropped->id));
    bw_buffer_clear(&journal->memory, &dropped->bytes);
    bw_memory_free(&journal->memory, dropped);
    return true;
}

/* Stores one entry; takes ownership of its bytes. */
static void store(bw_memory_journal *journal, waiting *w) {
    const bw_entry *entry = &w->entry;
    stored *room = room_of(journal, entry->room, entry->kind == BW_ENTRY_RECORD && entry->index == 1);
    if (entry->kind == BW_ENTRY_REPLAY) {
        keep_replay(journal, w);
        return;
    }
    if (entry->kind == BW_ENTRY_FORGET) {
        forget(journal, entry->room);
        bw_buffer_clear(&journal->memory, &w->bytes);
        return;
    }
    if (!room || (entry->kind == BW_ENTRY_RECORD && entry->index != room->last_index + 1) ||
        (entry->kind == BW_ENTRY_SNAPSHOT && entry->index > room->last_index)) {
        journal->faults++;
        bw_buffer_clear(&journal->memory, &w->bytes);
        return;
    }
    room->status = entry->status;
    room->changed_at = entry->changed_at;
    if (entry->kind == BW_ENTRY_RECORD) {
        room->last_index = entry->index;
        *(bw_buffer *)bw_queue_add(&journal->memory, &room->records, sizeof w->bytes) = w->bytes;
    } else if (entry->kind == BW_ENTRY_SNAPSHOT) {
        drop_records(journal, room, room->last_index - entry->index);
        bw_buffer_clear(&journal->memory, &room->snapshot);
        room->snapshot = w->bytes;
        room->snapshot_index = entry->index;
    } else {
        bw_buffer_clear(&journal->memory, &w->bytes);
    }
}

void bw_memory_journal_append(bw_memory_journal *journal, const bw_entry *entry) {
    waiting *w = bw_queue_add(&journal->memory, &journal->waiting, sizeof *w);
    w->entry = *entry;
    if (entry->length > 0) { /* exactly as much, for most are short */
        w->bytes = (bw_buffer){bw_memory_new(&journal->memory, entry->length), entry->length, entry->length};
        memcpy(w->bytes.at, entry->bytes, entry->length);
    }
    w->entry.bytes = NULL;
}

size_t bw_memory_journal_waiting(const bw_memory_journal *journal) { return journal->waiting.count; }

static uint64_t store_first(bw_memory_journal *journal, bw_queue *from, size_t count) {
    uint64_t ticket = 0;
    for (; count > 0 && from->count > 0; count--) {
        waiting w = *(waiting *)bw_queue_front(from);
        bw_queue_drop(from);
        ticket = w.entry.ticket;
        store(journal, &w);
    }
    return ticket;
}

static void drop(bw_memory_journal *journal, bw_queue *from) {
    waiting *w;
    while ((w = bw_queue_front(from))) {
        bw_buffer_clear(&journal->memory, &w->bytes);
        bw_queue_drop(from);
    }
}

uint64_t bw_memory_journal_commit(bw_memory_journal *journal, size_t count) {
    if (count > 0 && journal->waiting.count > 0) {
        drop(journal, &journal->doubtful); /* overwritten */
    }
    return store_first(journal, &journal->waiting, count);
}

void bw_memory_journal_drop(bw_memory_journal *journal) { drop(journal, &journal->waiting); }

void bw_memory_journal_doubt(bw_memory_journal *journal) {
    bw_queue emptied = journal->doubtful;
    drop(journal, &emptied);
    journal->doubtful = journal->waiting;
    journal->waiting = emptied;
}

size_t bw_memory_journal_doubtful(const bw_memory_journal *journal) { return journal->doubtful.count; }

void bw_memory_journal_come_back(bw_memory_journal *journal, size_t count) {
    store_first(journal, &journal->doubtful, count);
    drop(journal, &journal->doubtful);
}

void bw_memory_journal_crash(bw_memory_journal *journal, size_t torn) {
    bw_memory_journal_commit(journal, torn);
    bw_memory_journal_drop(journal);
}

const bw_stored_room *bw_memory_journal_load(bw_memory_journal *journal, const char *id) {
    stored *room = room_of(journal, id, false);
    if (!room) return NULL;
    journal->records =
        bw_memory_grow(&journal->memory, journal->records, (room->records.count + 1) * sizeof(bw_stored_record));
    for (size_t i = 0; i < room->records.count; i++) {
        const bw_buffer *bytes = bw_queue_item(&room->records, i);
        uint32_t index = room->last_index - (uint32_t)(room->records.count - 1 - i);
        journal->records[i] = (bw_stored_record){.index = index, .bytes = bytes->at, .length = bytes->length};
    }
    journal->answer = (bw_stored_room){.snapshot = room->snapshot.at,
                                       .snapshot_length = room->snapshot.length,
                                       .snapshot_index = room->snapshot_index,
                                       .records = journal->records,
                                       .record_count = room->records.count};
    memcpy(journal->answer.room, room->room, sizeof room->room);
    return &journal->answer;
}

const uint8_t *bw_memory_journal_replay(const bw_memory_journal *journal, const char *id, size_t *length) {
    const replay *kept = bw_map_get(&journal->replays, bw_key_of_text(id));
    if (!kept) return NULL;
    *length = kept->bytes.length;
    return kept->bytes.at;
}

/* The rooms of each status that have not changed since, beginning where the last look ended. */
static size_t look(bw_memory_journal *journal, size_t *from, int64_t ended, int64_t unstarted, int64_t abandoned,
                   char (*rooms)[BW_ROOM_ID_MAX + 1], size_t cap) {
    size_t found = 0, looks = journal->count < LOOKS ? journal->count : LOOKS;
    for (; looks > 0 && found < cap; looks--, (*from)++) {
        if (*from >= journal->count) *from = 0;
        const stored *room = journal->list[*from];
        int64_t before = room->status == 'e' ? ended : room->status == 'a' ? abandoned : unstarted;
        if (room->changed_at < before) memcpy(rooms[found++], room->room, sizeof room->room);
    }
    return found;
}

size_t bw_memory_journal_sweep(bw_memory_journal *journal, int64_t ended_before, int64_t unstarted_before,
                               char (*rooms)[BW_ROOM_ID_MAX + 1], size_t cap) {
    return look(journal, &journal->swept, ended_before, unstarted_before, INT64_MIN, rooms, cap);
}

size_t bw_memory_journal_abandoned(bw_memory_journal *journal, int64_t before, char (*rooms)[BW_ROOM_ID_MAX + 1],
                                   size_t cap) {
    return look(journal, &journal->searched, INT64_MIN, INT64_MIN, before, rooms, cap);
}

uint64_t bw_memory_journal_bytes(const bw_memory_journal *journal) { return journal->memory.bytes; }

size_t bw_memory_journal_rooms(const bw_memory_journal *journal) { return journal->count; }

size_t bw_memory_journal_replays(const bw_memory_journal *journal) { return journal->replays.count; }

const char *bw_memory_journal_room_at(const bw_memory_journal *journal, size_t index) {
    return index < journal->count ? journal->list[index]->room : NULL;
}

size_t bw_memory_journal_faults(const bw_memory_journal *journal) { return journal->faults; }

void bw_memory_journal_free(bw_memory_journal *journal) {
    if (!journal) return;
    bw_memory_journal_drop(journal);
    while (journal->count > 0) {
        char id[BW_ROOM_ID_MAX + 1];
        memcpy(id, journal->list[0]->room, sizeof id);
        forget(journal, id);
    }
    while (bw_memory_journal_drop_replay(journal, INT64_MAX)) continue;
    bw_map_clear(&journal->memory, &journal->replays);
    bw_queue_clear(&journal->memory, &journal->by_age);
    drop(journal, &journal->doubtful);
    bw_queue_clear(&journal->memory, &journal->doubtful);
    bw_queue_clear(&journal->memory, &journal->waiting);
    bw_map_clear(&journal->memory, &journal->rooms);
    bw_memory_free(&journal->memory, journal->list);
    bw_memory_free(&journal->memory, journal->records);
    free(journal);
}
