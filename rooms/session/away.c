/* What players do about each other during a game: a bot plays for an absent player, the game is claimed, reactions. */
#include "engine/registry.h"
#include "rooms/session/session.h"

enum { CLAIM_US = 180 * 1000000, REACT_APART_US = 1000000 };

/* ---- who is away ---- */

/* A person who plays and is not connected. */
static bool is_away(const bw_room *room, int index) {
    const bw_seat *seat = bw_seat_at(room, index);
    bool plays = *bw_room_match(room)->seats >> index & 1 && !(room->resigned >> index & 1);
    return plays && seat->held && !seat->level && !(room->present >> index & 1);
}

static int64_t away_us(const bw_hall *hall, const bw_room *room, int index) {
    return hall->now.mono_us - room->session->chairs[index].gone_us;
}

/* Is the game active, and is this the only player who is connected? */
static bool is_alone(bw_hall *hall, const bw_asked *asked) {
    const bw_room *room = asked->conn->room;
    if (bw_room_status(room) != BW_STATUS_ACTIVE) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_WRONG_STATUS,
                  room->ended_at ? "The game is over: propose a rematch to play again."
                                 : "The game has not started yet.");
        return false;
    }
    for (int i = 0; i < room->game->role_count; i++) {
        if (i != asked->conn->seat && room->present >> i & 1) {
            bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NOT_ALLOWED,
                      "Another player is here: only a player who waits alone may do this.");
            return false;
        }
    }
    return true;
}

static void refuse_early(bw_hall *hall, const bw_asked *asked, int64_t wanted_us) {
    char sentence[160];
    bw_out out = bw_out_to(sentence, sizeof sentence - 1);
    bw_out_format(&out, "Wait until the other player has been away for %" PRId64 " seconds.", wanted_us / 1000000);
    sentence[out.length] = 0;
    bw_refuse_for_now(hall, asked->conn, asked->id, BW_ERROR_NOT_ALLOWED, sentence);
}

/* ---- a bot stands in ---- */

static void note_stand_in(bw_hall *hall, bw_room *room, int index, const char *level, bw_cause cause) {
    bw_change change = {.record.type = BW_RECORD_STAND_IN};
    change.record.as.stand_in.seat = (int8_t)index;
    change.record.as.stand_in.has_level = level != NULL;
    if (level) memcpy(change.record.as.stand_in.level, level, strlen(level) + 1);
    change.record.as.stand_in.has_by = cause.conn != NULL;
    change.record.as.stand_in.by = (int8_t)(cause.conn ? cause.conn->seat : 0);
    change.record.as.stand_in.has_id = cause.conn && cause.id > 0 && !BW_PLANTED(STAND_IN_LOSES_ID);
    change.record.as.stand_in.id = cause.id;
    bw_commit(hall, room, &change, cause, NULL);
}

bool bw_valid_stand_in(bw_hall *hall, const bw_asked *asked) {
    int index;
    return bw_find_role(hall, asked, asked->message->as.stand_in.role, &index) &&
           bw_find_level(hall, asked, asked->message->as.stand_in.level);
}

void bw_on_stand_in(bw_hall *hall, const bw_asked *asked) {
    const bw_stand_in *wish = &asked->message->as.stand_in;
    bw_room *room = asked->conn->room;
    int index = bw_role_find(room->game, wish->role);
    int64_t wanted_us = hall->settings.away_ms * 1000;
    if (!is_alone(hall, asked)) return;
    if (!is_away(room, index)) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NOT_ALLOWED,
                  "A bot can stand in only for an absent player whom the game is waiting for.");
    } else if (away_us(hall, room, index) < wanted_us) {
        refuse_early(hall, asked, wanted_us);
    } else {
        note_stand_in(hall, room, index, wish->level, (bw_cause){asked->conn, asked->id});
        bw_clock_wake(hall, room, 0); /* a bot is always ready */
        bw_tell_state(hall, room, NULL);
        bw_acknowledge(hall, asked->conn, asked->id);
        bw_bots_think(hall, room);
    }
}

void bw_stand_in_leaves(bw_hall *hall, bw_room *room, int index) {
    const bw_seat *seat = bw_seat_at(room, index);
    if (!seat->held || !seat->level) return;
    bw_work_forget(hall, &room->session->chairs[index].work);
    note_stand_in(hall, room, index, NULL, (bw_cause){0});
}

/* ---- the game is claimed ---- */

void bw_on_claim(bw_hall *hall, const bw_asked *asked) {
    bw_conn *conn = asked->conn;
    bw_room *room = conn->room;
    uint32_t gone = 0;
    if (!is_alone(hall, asked)) return;
    for (int i = 0; i < room->game->role_count; i++) {
        if (!is_away(room, i)) continue;
        if (away_us(hall, room, i) < CLAIM_US / (BW_PLANTED(CLAIM_EARLY) ? 2 : 1)) {
            refuse_early(hall, asked, CLAIM_US);
            return;
        }
        gone |= 1u << i;
    }
    if (gone == 0 || !room->game->resign) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_NOT_ALLOWED, "Nobody is away: keep playing, or resign.");
        return;
    }
    bw_cause cause = {conn, asked->id};
    /* Absent players give up: the game's file says so, and it is checked like any end. */
    if (room->game->claim) {
        void *action = hall->scratch.action;
        memset(action, 0, room->game->actions->size);
        room->game->claim(conn->seat, action);
        int refusal = bw_make_move(hall, room, BW_CLOCK, action, cause);
        if (refusal < 0) bw_refuse(hall, conn, asked->id, BW_ERROR_NOT_ALLOWED, bw_refusal(room->game, refusal));
        return;
    }
    for (int i = 0; i < room->game->role_count && bw_room_status(room) == BW_STATUS_ACTIVE; i++) {
        if (BW_PLANTED(CLAIM_FOR_THE_OTHER) ? i == conn->seat : gone >> i & 1)
            bw_make_move(hall, room, i, NULL, cause), cause = (bw_cause){0};
    }
}

/* ---- reactions ---- */

void bw_on_react(bw_hall *hall, const bw_asked *asked) {
    bw_conn *conn = asked->conn;
    bw_room *room = conn->room;
    bw_server_message message = {.type = BW_TELL_REACT};
    const char *role = room->game->roles[conn->seat].id;
    if (conn->reacted_us && hall->now.mono_us - conn->reacted_us < REACT_APART_US) {
        bw_refuse_for_now(hall, conn, asked->id, BW_ERROR_RATE_LIMITED,
                          "At most one reaction per second: wait a moment.");
        return;
    }
    conn->reacted_us = hall->now.mono_us;
    memcpy(message.as.react.role, role, strlen(role) + 1);
    message.as.react.reaction = asked->message->as.react.reaction;
    bw_bytes *news = bw_message(&hall->scratch, &message);
    bw_broadcast(hall, room, news, NULL);
    bw_acknowledge(hall, conn, asked->id);
}
