#include "server/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bw_block_add(bw_block *b, const void *bytes, size_t length) {
    if (b->length + length > b->cap) {
        size_t cap = b->cap ? b->cap : 4096;
        while (cap < b->length + length) cap *= 2;
        char *larger = realloc(b->at, cap);
        if (!larger) return false;
        b->at = larger;
        b->cap = cap;
    }
    if (length) memcpy(b->at + b->length, bytes, length);
    b->length += length;
    return true;
}

void bw_loading_snapshot(bw_loading *l, uint32_t index, const void *bytes, size_t length) {
    l->failed |= !bw_block_add(&l->bytes, bytes, length);
    l->room.snapshot = (const uint8_t *)""; /* for now: only says that there is one */
    l->room.snapshot_index = index;
    l->room.snapshot_length = length;
}

void bw_loading_record(bw_loading *l, uint32_t index, const void *bytes, size_t length) {
    bw_stored_record record = {.index = index, .length = length};
    l->failed |= !bw_block_add(&l->bytes, bytes, length) || !bw_block_add(&l->list, &record, sizeof record);
    l->room.record_count++;
}

/* Puts the list and the bytes together and sets the pointers. */
bool bw_loading_done(bw_loading *l, const char *room, bw_loaded *loaded) {
    size_t head = l->list.length;
    memset(loaded, 0, sizeof *loaded);
    if (l->failed || !bw_block_add(&l->list, l->bytes.at, l->bytes.length) || !bw_block_add(&l->list, "", 1)) {
        bw_loading_drop(l);
        return false;
    }
    loaded->memory = l->list.at;
    loaded->room = l->room;
    bw_stored_room *stored = &loaded->room;
    snprintf(stored->room, sizeof stored->room, "%s", room);
    bw_stored_record *records = (bw_stored_record *)(void *)l->list.at;
    const uint8_t *at = (const uint8_t *)l->list.at + head;
    if (stored->snapshot) {
        stored->snapshot = at;
        at += stored->snapshot_length;
    }
    for (size_t i = 0; i < stored->record_count; i++) {
        records[i].bytes = at;
        at += records[i].length;
    }
    stored->records = records;
    free(l->bytes.at);
    *l = (bw_loading){0};
    return true;
}

void bw_loading_drop(bw_loading *l) {
    free(l->list.at);
    free(l->bytes.at);
    *l = (bw_loading){0};
}
