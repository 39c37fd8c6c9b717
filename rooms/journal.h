/* The journal's interface: an append-only list of records for each room.
 *
 * The hall (hall.h) emits entries and learns when they are durable; a journal stores them. The server's is
 * server/journal.h; the one in memory is journal_memory.h.
 * Entries are applied in the order in which they were given, whole batches at a time: after a crash
 * a prefix of them is there, and everything reported as completed is within it. */
#ifndef BW_JOURNAL_H
#define BW_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BW_ROOM_ID_MAX = 12, BW_REPLAY_ID_MAX = 16 };

typedef enum bw_entry_kind {
    BW_ENTRY_RECORD,   /* append bytes to the room's list as record `index` */
    BW_ENTRY_SNAPSHOT, /* replaces the room's snapshot; it stands for all records up to and with `index` */
    BW_ENTRY_TOUCH,    /* only status and changed_at */
    BW_ENTRY_FORGET,   /* the room and all its records are gone */
    BW_ENTRY_REPLAY,   /* bytes are a finished game's file, kept under replay_id (replaces one of that id) */
} bw_entry_kind;

typedef struct bw_entry {
    bw_entry_kind kind;
    uint64_t ticket; /* rising; completion is told up to and with a ticket */
    char room[BW_ROOM_ID_MAX + 1];
    uint32_t index;     /* RECORD: 1, 2, 3... within the room, never reused */
    uint8_t status;     /* of the room after it: 'w'aiting 'c'onfiguring 'a'ctive 'e'nded */
    int64_t changed_at; /* ms since the epoch; for the sweep */
    char replay_id[BW_REPLAY_ID_MAX + 1];
    const uint8_t *bytes;
    size_t length;
} bw_entry;

/* A stored room: its snapshot, if any, and the records after it, in order. */
typedef struct bw_stored_record {
    uint32_t index;
    const uint8_t *bytes;
    size_t length;
} bw_stored_record;

typedef struct bw_stored_room {
    char room[BW_ROOM_ID_MAX + 1];
    const uint8_t *snapshot; /* NULL: none */
    size_t snapshot_length;
    uint32_t snapshot_index;
    const bw_stored_record *records;
    size_t record_count;
    int64_t round_us; /* the node before has handed it over: when its next round is due, monotonic; 0: not so */
} bw_stored_room;

#endif
