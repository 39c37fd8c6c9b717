/* The whole of a long game. A room keeps its last moves only (room.h); the older ones are read back from the journal for a
 * log, a snapshot, and the game's file.
 *
 * When a long game ends, its file must be stored before the record of its last move (bw_commit). So all that this move
 * causes is held: its entries here, and what is to be sent in the room's queue, behind a ticket that is never durable.
 * Messages wait as they do while a room is loaded. */
#include "rooms/session/session.h"

bool bw_recall(bw_hall *hall, bw_room *room, bw_key payer) {
    if (bw_room_is_whole(room)) return true;
    if (room->session->recalling) return false;
    room->session->recalling = bw_memory_new(&hall->scratch.memory, sizeof *room->session->recalling);
    room->session->waker = payer;
    room->keeps_all = true;
    bw_load(hall, room);
    return false;
}

void bw_recall_done(bw_hall *hall, bw_room *room) {
    const bw_session *session = room->session;
    if (!session->recalling && !session->snapshot_wanted && !session->forking) bw_moves_keep_last(&hall->scratch, room);
}

void bw_end_later(bw_hall *hall, bw_room *room) {
    struct bw_recalling *recalling = room->session->recalling;
    bw_held *file = bw_queue_add(&hall->scratch.memory, &recalling->held, sizeof *file);
    *file = bw_held_of(hall, room, BW_ENTRY_REPLAY, NULL, (bw_cause){0});
    recalling->before = room->session->last_ticket;
    room->session->last_ticket = BW_TICKET_HELD;
    hall->ending++;
}

/* What was sent and answered meanwhile now waits for the last of the entries. */
static void set_tickets(bw_room *room, uint64_t ticket) {
    for (size_t i = 0; i < room->session->pending.count; i++) {
        bw_pending *pending = bw_queue_item(&room->session->pending, i);
        if (pending->ticket == BW_TICKET_HELD) pending->ticket = ticket;
    }
    for (int i = 0; i < room->game->role_count; i++) {
        const bw_queue *list = &bw_seat_at(room, i)->answers.list;
        for (size_t k = 0; k < list->count; k++) {
            bw_answer *answer = bw_queue_item(list, k);
            if (answer->ticket == BW_TICKET_HELD) answer->ticket = ticket;
        }
    }
}

void bw_end_now(bw_hall *hall, bw_room *room, bw_bytes *file) {
    bw_queue held = room->session->recalling->held;
    bw_held *entry;
    room->session->recalling->held = (bw_queue){0};
    while ((entry = bw_queue_front(&held))) {
        if (entry->entry.kind == BW_ENTRY_REPLAY) entry->bytes = bw_bytes_share(file);
        bw_give(hall, room, entry);
        bw_queue_drop(&held);
    }
    bw_queue_clear(&hall->scratch.memory, &held);
    set_tickets(room, room->session->last_ticket);
    hall->ending--;
}

void bw_recall_forget(bw_hall *hall, bw_room *room) {
    bw_memory *memory = &hall->scratch.memory;
    struct bw_recalling *recalling = room->session->recalling;
    bw_held *entry;
    bw_input *reader;
    if (!recalling) return;
    hall->ending -= recalling->held.count > 0;
    for (; (entry = bw_queue_front(&recalling->held)); bw_queue_drop(&recalling->held)) bw_bytes_release(entry->bytes);
    for (; (reader = bw_queue_front(&recalling->readers)); bw_queue_drop(&recalling->readers)) {
        *(bw_input *)bw_queue_add(memory, &room->session->inputs, sizeof *reader) = *reader;
    }
    bw_queue_clear(memory, &recalling->held);
    bw_queue_clear(memory, &recalling->readers);
    bw_memory_free(memory, recalling);
    room->session->recalling = NULL;
}
