/* Undo and redo for any game: a bounded list of moves with a cursor.
 *
 * The moves before the cursor have been played, those behind it were undone and can be played again. A game
 * keeps its moves in its state as an array of small plain items beside a bw_history, undoes by moving the
 * cursor and playing the moves before it from the start again, and so needs no way back for any rule.
 *
 *   bw_history_push(&seat->history, seat->moves, sizeof *seat->moves, CAP, &color)    plays
 *   bw_history_undo(&seat->history), then replay moves[0 .. cursor - 1]
 *
 * Items that can no longer be redone are zeroed: equal histories are equal bytes. */
#ifndef BW_HISTORY_H
#define BW_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct bw_history {
    uint16_t count;  /* number of items */
    uint16_t cursor; /* number of items that are played */
} bw_history;

/* Appends an item of `size` bytes at the cursor and discards the items after it. false: the list is full. */
static inline bool bw_history_push(bw_history *history, void *items, size_t size, uint16_t cap, const void *item) {
    unsigned char *bytes = items;
    if (history->cursor >= cap) return false;
    memset(bytes + history->cursor * size, 0, (size_t)(history->count - history->cursor) * size);
    memcpy(bytes + history->cursor * size, item, size);
    history->count = ++history->cursor;
    return true;
}

/* One step back; false: nothing was played. */
static inline bool bw_history_undo(bw_history *history) {
    if (history->cursor == 0) return false;
    history->cursor--;
    return true;
}

/* One step forward, whose item is then at cursor - 1; false: nothing was undone. */
static inline bool bw_history_redo(bw_history *history) {
    if (history->cursor == history->count) return false;
    history->cursor++;
    return true;
}

static inline void bw_history_clear(bw_history *history, void *items, size_t size) {
    memset(items, 0, history->count * size);
    history->count = history->cursor = 0;
}

#endif
