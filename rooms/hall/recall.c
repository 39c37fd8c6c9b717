/* The older moves of a room in use have been read back from the journal (session/recall.c says what for). */
#include "rooms/hall/loading.h"

static void refuse_readers(bw_hall *hall, bw_room *room, const char *reason) {
    bw_input *reader;
    while ((reader = bw_queue_front(&room->session->recalling->readers))) {
        bw_reply_error(hall, NULL, reader->conn, 503, BW_ERROR_STORAGE, reason);
        bw_queue_drop(&room->session->recalling->readers);
    }
}

/* A game that should have ended goes back to what is stored, as after any failed write. If entries of the room are still in
 * flight, reading is tried again: perhaps it failed only because of them. */
static void not_recalled(bw_hall *hall, bw_room *room, const char *reason) {
    bw_session *session = room->session;
    refuse_readers(hall, room, reason);
    bool ends = bw_is_ending(room);
    if (ends && session->recalling->before > hall->durable) {
        session->retry_us = hall->now.mono_us + BW_RETRY_US;
        bw_room_schedule(hall, room);
        return;
    }
    if (ends) {
        session->last_ticket = session->recalling->before;
        bw_drop_pending(hall, room, reason);
        bw_roll_back(hall, room, BW_ENTRY_RECORD, hall->durable);
        bw_drain_check(hall);
        return;
    }
    session->snapshot_wanted = false;
    bw_recall_forget(hall, room);
    bw_recall_done(hall, room);
    if (session->hibernating) bw_room_idle(hall, room);
}

static void recalled(bw_hall *hall, bw_room *room) {
    bw_session *session = room->session;
    bool ends = bw_is_ending(room);
    bw_bytes *file = NULL;
    bw_input *reader;
    if (ends || session->recalling->readers.count > 0) {
        const uint64_t before = hall->scratch.work;
        file = bw_room_file(&hall->scratch, room, hall->settings.own_device);
        bw_limit_dear(hall, session->waker, hall->scratch.work - before);
    }
    if (ends) bw_end_now(hall, room, file);
    while ((reader = bw_queue_front(&session->recalling->readers))) {
        bw_reply(hall, room, reader->conn, 200, bw_bytes_share(file));
        bw_queue_drop(&session->recalling->readers);
    }
    bw_bytes_release(file);
    bw_recall_forget(hall, room);
    bw_recall_done(hall, room);
    if (session->snapshot_wanted) bw_job_add(hall, room);
    if (ends && session->phase == BW_PHASE_LIVE) bw_run_inputs(hall, room);
}

bool bw_recall_slice(bw_hall *hall, bw_room *room) {
    int outcome = bw_rebuild_slice(&hall->scratch, room);
    if (outcome == 0) return false;
    bw_rebuild_end(&hall->scratch, room);
    if (outcome > 0) recalled(hall, room);
    else not_recalled(hall, room, "The moves of this game could not be read: try again in a moment.");
    return true;
}

void bw_recall_loaded(bw_hall *hall, bw_room *room, const bw_stored_room *stored, const char *failed) {
    if (!stored) {
        not_recalled(hall, room, failed ? failed : "This room could not be stored: try again in a moment.");
        return;
    }
    const bw_key payer = room->session->waker;
    const uint64_t before = hall->scratch.work;
    bw_rebuild_begin(&hall->scratch, room, stored);
    bool done = bw_recall_slice(hall, room);
    bw_limit_work(hall, payer, hall->scratch.work - before);
    if (!done) bw_job_add(hall, room);
}
