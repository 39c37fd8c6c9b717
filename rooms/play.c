/* Game actions: prepared or played, told, and the end of a game. */
#include "rooms/internal.h"

static bool over(const bw_room *room) { return room->ended_at != 0; }

void bw_after_play(bw_hall *hall, bw_room *room, bool was_over) {
    if (over(room)) {
        bw_bytes *news = bw_game_over_for(hall, room);
        bw_broadcast(hall, room, news);
        bw_bytes_release(news);
        bw_bots_forget(hall, room);
        bw_clock_stop(room);
        room->close_us = hall->now.mono_us + hall->settings.room_cleanup_ms * 1000;
    } else {
        room->close_us = INT64_MAX;
    }
    if (over(room) != was_over) bw_tell_state(hall, room, NULL);
    bw_bots_think(hall, room);
    bw_room_schedule(hall, room);
}

void bw_note_play_for(bw_hall *hall, const bw_room *room, bw_note *note, int seat, const void *action) {
    bw_chain chain = room->chain;
    bw_out line;
    do {
        chain = room->chain;
        line = bw_out_to(hall->scratch.text, hall->scratch.text_cap);
        bw_file_write_action(&line, &chain, &room->match, room->play_count + 1, hall->now.wall_ms - room->started_at,
                             seat, action);
    } while (bw_grow_text(hall, &line));
    if (BW_PLANTED(HASH_COVERS_DRAFTS) && room->game->draft_size > 0) {
        const uint8_t *drafts = room->match.drafts;
        for (uint32_t i = 0; i < room->game->role_count * room->game->draft_size; i++) {
            chain.hash[i % 16] ^= drafts[i];
        }
    }
    note->as.play.at = hall->now.wall_ms;
    note->as.play.seat = (int8_t)seat;
    bw_hex_write(note->as.play.hash, chain.hash, sizeof chain.hash);
    note->as.play.has_known = bw_known_write(bw_known_news(room), &note->as.play.known);
}

void bw_record_play(bw_hall *hall, bw_room *room, int seat, const void *action, bw_cause cause) {
    bw_note note = {.type = BW_NOTE_PLAY};
    bw_note_play_for(hall, room, &note, seat, action);
    note.as.play.has_id = cause.id > 0;
    note.as.play.id = cause.id;
    note.as.play.has_by = cause.conn && cause.conn->seat != seat;
    note.as.play.by = (int8_t)(note.as.play.has_by ? cause.conn->seat : 0);
    bw_worked(hall, bw_cost_of_play(room->game) + bw_cost_of_hash(room->game) + bw_cost_of_puzzle(&room->match));
    bw_commit(hall, room, &note, NULL, action, true, cause);
}

/* The match has played it: write it down, tell everybody. */
static void played(bw_hall *hall, bw_room *room, int seat, const void *action, const bw_before *before,
                   const bw_events *events, bw_cause cause) {
    bool was_over = over(room);
    bw_record_play(hall, room, seat, action, cause);
    hall->figures.moves_total++;
    bw_update_tell(hall, room, before, events);
    if (cause.conn) bw_acknowledge(hall, cause.conn, cause.id);
    bw_after_play(hall, room, was_over);
}

int bw_submit(bw_hall *hall, bw_room *room, int seat, const void *action, bw_cause cause) {
    bw_before before;
    bw_events events = bw_scratch_events(hall, room->game);
    bw_update_begin(hall, room, &room->match, bw_viewers(room), &before);
    int outcome = bw_match_submit(&room->match, seat, action, hall->scratch.played, &events);
    if (outcome == BW_PLAYED) {
        played(hall, room, seat, hall->scratch.played, &before, &events, cause);
    } else if (outcome == BW_PREPARED) {
        bw_note note = {.type = BW_NOTE_DRAFT};
        note.as.draft.seat = (int8_t)seat;
        note.as.draft.has_id = cause.id > 0;
        note.as.draft.id = cause.id;
        if (!BW_PLANTED(FORGET_DRAFTS)) bw_commit(hall, room, &note, NULL, action, true, cause);
        bw_tell_you(hall, room, seat);
        if (cause.conn) bw_acknowledge(hall, cause.conn, cause.id);
        bw_ready_by_order(hall, room, seat);
    }
    return outcome;
}

int bw_play_now(bw_hall *hall, bw_room *room, int seat, const void *action, bw_cause cause) {
    bw_before before;
    bw_events events = bw_scratch_events(hall, room->game);
    bw_update_begin(hall, room, &room->match, bw_viewers(room), &before);
    int refusal =
        action ? bw_match_play(&room->match, seat, action, &events) : bw_match_resign(&room->match, seat, &events);
    if (refusal >= 0) {
        if (action) memcpy(hall->scratch.played, action, room->game->actions->size);
        played(hall, room, seat, action ? hall->scratch.played : NULL, &before, &events, cause);
    }
    return refusal;
}

void bw_round_now(bw_hall *hall, bw_room *room) {
    bw_before before;
    bw_events events = bw_scratch_events(hall, room->game);
    bw_update_begin(hall, room, &room->match, bw_viewers(room), &before);
    bw_match_round(&room->match, hall->scratch.played, &events);
    played(hall, room, BW_CLOCK, hall->scratch.played, &before, &events, (bw_cause){0});
}

/* ---- from players ---- */

/* The bound on what one room can make of a file, a record and a wait. Giving up is always possible. */
bool bw_room_is_full(const bw_room *room) { return room->play_count >= BW_PLAYS_MAX; }

bool bw_may_act(bw_hall *hall, const bw_asked *asked, uint32_t flags) {
    const bw_room *room = asked->conn->room;
    bw_status status = bw_room_status(room);
    if (status != BW_STATUS_ACTIVE && !(status == BW_STATUS_ENDED && flags & BW_ACTION_REOPENS)) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_WRONG_STATUS,
                  status == BW_STATUS_ENDED ? "The game is over: propose a rematch for another."
                                            : "The game has not started yet.");
        return false;
    }
    if (bw_room_paused(room)) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_PAUSED, "The game is paused until every player is back.");
        return false;
    }
    if (!(flags & BW_ACTION_REOPENS) && !(room->game->turn(room->match.state) >> asked->conn->seat & 1)) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NOT_YOUR_TURN, "It is not your turn: wait for the others.");
        return false;
    }
    if (status == BW_STATUS_ENDED && room->replays_written > BW_REPLAYS_MAX) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NOT_ALLOWED,
                  "This game has ended and gone on too often for its record: make a new room to play on.");
        return false;
    }
    if (bw_room_is_full(room)) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NOT_ALLOWED,
                  "This game has 5,000 moves, the most that a room keeps: make a new room to play on.");
        return false;
    }
    return true;
}

void bw_on_action(bw_hall *hall, const bw_asked *asked, void *action) {
    bw_room *room = asked->conn->room;
    const bw_game *game = room->game;
    const bw_case *kind = &game->actions->cases[*(const uint8_t *)action];
    if (!bw_may_act(hall, asked, kind->flags)) return;
    bw_action_complete(hall, game, action);
    int outcome = bw_submit(hall, room, asked->conn->seat, action, (bw_cause){asked->conn, asked->id});
    if (outcome < 0) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_ILLEGAL, bw_refusal(game, outcome));
    }
}

void bw_on_resign(bw_hall *hall, const bw_asked *asked) {
    bw_conn *conn = asked->conn;
    bw_room *room = conn->room;
    if (bw_room_status(room) != BW_STATUS_ACTIVE) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_WRONG_STATUS, "Only a game that is under way can be resigned.");
        return;
    }
    uint32_t seats = *room->match.seats;
    if (!room->game->resign || (seats & (seats - 1)) == 0) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_NOT_ALLOWED,
                  "A game for one is not resigned: leave it, or start it again.");
        return;
    }
    int refusal = bw_play_now(hall, room, conn->seat, NULL, (bw_cause){conn, asked->id});
    if (refusal < 0) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_ILLEGAL, bw_refusal(room->game, refusal));
    }
}
