/* What players do about each other: a bot plays for an absent player, or the game is claimed; reactions; a rematch.
 *
 * A player's token for the next room is a digest of the token for this one, so the server need not store it. A
 * player who returns with the old token can always be given the new one. */
#include "engine/registry.h"
#include "engine/sha256.h"
#include "rooms/session/session.h"

enum { CLAIM_US = 180 * 1000000, REACT_APART_US = 1000000 };

/* ---- who is away ---- */

/* A person who plays and is not connected. */
static bool is_away(const bw_room *room, int index) {
    const bw_seat *seat = &room->seats[index];
    bool plays = *room->match.seats >> index & 1 && !(room->resigned >> index & 1);
    return plays && seat->held && !seat->level && !(room->present >> index & 1);
}

static int64_t away_us(const bw_hall *hall, const bw_room *room, int index) {
    return hall->now.mono_us - bw_chair_of(room, index)->gone_us;
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
    bw_seat *seat = &room->seats[index];
    if (!seat->held || !seat->level) return;
    bw_work_forget(hall, &bw_chair_of(room, index)->work);
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
        int refusal = bw_play_now(hall, room, BW_CLOCK, action, cause);
        if (refusal < 0) bw_refuse(hall, conn, asked->id, BW_ERROR_NOT_ALLOWED, bw_refusal(room->game, refusal));
        return;
    }
    for (int i = 0; i < room->game->role_count && bw_room_status(room) == BW_STATUS_ACTIVE; i++) {
        if (BW_PLANTED(CLAIM_FOR_THE_OTHER) ? i == conn->seat : gone >> i & 1)
            bw_play_now(hall, room, i, NULL, cause), cause = (bw_cause){0};
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

/* ---- another game ---- */

static void next_token(const uint8_t token[BW_TOKEN_BYTES], uint8_t next[BW_TOKEN_BYTES]) {
    static const char label[] = "boardwalk rematch";
    uint8_t digest[32];
    bw_sha256 sha;
    bw_sha256_init(&sha);
    bw_sha256_update(&sha, label, sizeof label);
    bw_sha256_update(&sha, token, BW_TOKEN_BYTES);
    bw_sha256_final(&sha, digest);
    memcpy(next, digest, BW_TOKEN_BYTES);
}

/* The people who played and still hold their seats. */
static uint32_t people(const bw_room *room) {
    uint32_t seats = 0;
    for (int i = 0; i < room->game->role_count; i++) {
        if (*room->match.seats >> i & 1 && !room->seats[i].level) seats |= 1u << i;
    }
    return seats;
}

static bw_bytes *offer_news(bw_hall *hall, const bw_room *room, int seat, bool cancel) {
    bw_server_message message = {.type = BW_TELL_REMATCH_OFFERED};
    const char *role = room->game->roles[seat].id;
    memcpy(message.as.rematch_offered.role, role, strlen(role) + 1);
    message.as.rematch_offered.swap = room->swap;
    message.as.rematch_offered.has_cancel = message.as.rematch_offered.cancel = cancel;
    return bw_message(&hall->scratch, &message);
}

void bw_rematch_tell(bw_hall *hall, bw_conn *conn) {
    bw_room *room = conn->room;
    bw_server_message message = {.type = BW_TELL_REMATCH};
    bw_rematch *rematch = &message.as.rematch;
    memcpy(rematch->room_id, room->next_room, sizeof rematch->room_id);
    if (conn->seat >= 0 && bw_seat_of(conn)->token_known && room->agreed >> conn->seat & 1) {
        int seat = bw_rematch_seat(room, conn->seat);
        const char *role = room->game->roles[seat].id;
        next_token(bw_seat_of(conn)->token, rematch->token);
        rematch->has_role = rematch->has_token = true;
        memcpy(rematch->role, role, strlen(role) + 1);
    }
    bw_send(hall, room, conn->id, bw_message(&hall->scratch, &message));
}

void bw_rematch_remind(bw_hall *hall, bw_conn *conn) {
    bw_room *room = conn->room;
    if (room->next_room[0]) {
        bw_rematch_tell(hall, conn);
        return;
    }
    for (int i = 0; i < room->game->role_count; i++) {
        if (room->agreed >> i & 1) {
            bw_send(hall, room, conn->id, offer_news(hall, room, i, false));
        }
    }
}

/* Roles rotate among those that played; other players keep theirs. */
int bw_rematch_seat(const bw_room *room, int seat) {
    uint32_t seats = *room->match.seats;
    if (!room->swap || !(seats >> seat & 1)) return seat;
    do {
        seat = (seat + 1) % room->game->role_count;
    } while (!(seats >> seat & 1));
    return seat;
}

bool bw_rematch_agreed(const bw_room *room) {
    return room->agreed != 0 && (room->agreed & people(room)) == people(room);
}

void bw_on_rematch(bw_hall *hall, const bw_asked *asked) {
    bw_conn *conn = asked->conn;
    bw_room *room = conn->room;
    const bw_ask_rematch *wish = &asked->message->as.rematch;
    uint32_t mine = 1u << conn->seat;
    const char *refusal;
    bw_error_code code;
    bool cancel = wish->has_cancel && wish->cancel;
    if (bw_room_status(room) != BW_STATUS_ENDED) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_WRONG_STATUS, "A rematch can be proposed once the game is over.");
        return;
    }
    if (room->next_room[0] || (cancel && (room->session->rematch_under_way || !(room->agreed & mine)))) {
        if (room->next_room[0]) bw_rematch_tell(hall, conn);
        bw_acknowledge(hall, conn, asked->id);
        return;
    }
    bw_change change = {.record.type = BW_RECORD_OFFER};
    bw_record_offer *offer = &change.record.as.offer;
    uint32_t agreed = (wish->has_swap && wish->swap != room->swap ? 0 : room->agreed) | mine;
    if (!cancel && (agreed & people(room)) == people(room) && (refusal = bw_no_new_room(hall, conn->address, &code))) {
        bw_refuse_for_now(hall, conn, asked->id, code, refusal);
        return;
    }
    uint8_t next[BW_TOKEN_BYTES];
    bool swap = wish->has_swap ? wish->swap : room->agreed ? room->swap : false;
    offer->swap = cancel ? room->swap : swap;
    offer->agreed = cancel ? room->agreed & ~mine : (swap == room->swap ? room->agreed : 0) | mine;
    offer->has_by = true;
    offer->by = conn->seat;
    offer->has_id = asked->id > 0;
    offer->id = asked->id;
    offer->has_key = !cancel;
    if (!cancel) {
        next_token(bw_seat_of(conn)->token, next);
        bw_sha256_of(next, sizeof next, offer->key);
    }
    bw_commit(hall, room, &change, (bw_cause){conn, asked->id}, NULL);
    bw_bytes *news = offer_news(hall, room, conn->seat, cancel);
    bw_broadcast(hall, room, news, NULL);
    bw_acknowledge(hall, conn, asked->id);
}
