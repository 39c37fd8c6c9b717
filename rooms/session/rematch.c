/* A rematch: proposed, agreed or cancelled; the seats in the next room.
 *
 * A player's token for the next room is a digest of the token for this one, so the server need not store it. A
 * player who returns with the old token can always be given the new one. */
#include "engine/sha256.h"
#include "rooms/session/session.h"

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
        if (*bw_room_match(room)->seats >> i & 1 && !bw_seat_at(room, i)->level) seats |= 1u << i;
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
    if (conn->seat >= 0 && bw_seat_use(conn->room, conn->seat)->token_known && room->agreed >> conn->seat & 1) {
        int seat = bw_rematch_seat(room, conn->seat);
        const char *role = room->game->roles[seat].id;
        next_token(bw_seat_use(conn->room, conn->seat)->token, rematch->token);
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
    uint32_t seats = *bw_room_match(room)->seats;
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
        next_token(bw_seat_use(conn->room, conn->seat)->token, next);
        bw_sha256_of(next, sizeof next, offer->key);
    }
    bw_commit(hall, room, &change, (bw_cause){conn, asked->id}, NULL);
    bw_bytes *news = offer_news(hall, room, conn->seat, cancel);
    bw_broadcast(hall, room, news, NULL);
    bw_acknowledge(hall, conn, asked->id);
}
