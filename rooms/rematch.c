/* Another game: proposed, agreed to by all people, made in a new room in which the seats are theirs already.
 *
 * A player's token for the new room is a digest of the one for this room. So the server need not keep it:
 * whoever returns with the old token, after whatever happened, can be told the new one. */
#include "engine/registry.h"
#include "engine/sha256.h"
#include "rooms/internal.h"

enum { RETRY_US = 1000000 };

void bw_next_token(const uint8_t token[BW_TOKEN_BYTES], uint8_t next[BW_TOKEN_BYTES]) {
    static const char label[] = "boardwalk rematch";
    uint8_t digest[32];
    bw_sha256 sha;
    bw_sha256_init(&sha);
    bw_sha256_update(&sha, label, sizeof label);
    bw_sha256_update(&sha, token, BW_TOKEN_BYTES);
    bw_sha256_final(&sha, digest);
    memcpy(next, digest, BW_TOKEN_BYTES);
}

/* The people who played, and still hold their seats. */
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
    return bw_message(hall, &message);
}

static void tell_next(bw_hall *hall, bw_conn *conn) {
    bw_room *room = conn->room;
    bw_server_message message = {.type = BW_TELL_REMATCH};
    bw_rematch *rematch = &message.as.rematch;
    memcpy(rematch->room_id, room->next_room, sizeof rematch->room_id);
    if (conn->seat >= 0 && bw_seat_of(conn)->token_known && room->agreed >> conn->seat & 1) {
        uint8_t token[BW_TOKEN_BYTES];
        int seat = bw_rematch_seat(room, conn->seat);
        const char *role = room->game->roles[seat].id;
        bw_next_token(bw_seat_of(conn)->token, token);
        rematch->has_role = rematch->has_token = true;
        memcpy(rematch->role, role, strlen(role) + 1);
        bw_hex_write(rematch->token, token, sizeof token);
    }
    bw_send(hall, room, conn->number, bw_message(hall, &message));
}

void bw_rematch_remind(bw_hall *hall, bw_conn *conn) {
    bw_room *room = conn->room;
    if (room->next_room[0]) {
        tell_next(hall, conn);
        return;
    }
    for (int i = 0; i < room->game->role_count; i++) {
        if (room->agreed >> i & 1) {
            bw_send(hall, room, conn->number, offer_news(hall, room, i, false));
        }
    }
}

/* Roles change round among those that played; whoever comes along besides keeps theirs. */
int bw_rematch_seat(const bw_room *room, int seat) {
    uint32_t seats = *room->match.seats;
    if (!room->swap || !(seats >> seat & 1)) return seat;
    do {
        seat = (seat + 1) % room->game->role_count;
    } while (!(seats >> seat & 1));
    return seat;
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
        bw_refuse(hall, conn, asked->id, BW_ERROR_WRONG_STATUS, "A rematch can be proposed when the game is over.");
        return;
    }
    if (room->next_room[0] || (cancel && (room->rematch_under_way || !(room->agreed & mine)))) {
        if (room->next_room[0]) tell_next(hall, conn);
        bw_acknowledge(hall, conn, asked->id);
        return;
    }
    bw_note note = {.type = BW_NOTE_OFFER};
    bw_note_offer *offer = &note.as.offer;
    uint32_t agreed = (wish->has_swap && wish->swap != room->swap ? 0 : room->agreed) | mine;
    if (!cancel && (agreed & people(room)) == people(room) && (refusal = bw_no_new_room(hall, conn->address, &code))) {
        bw_refuse_for_now(hall, conn, asked->id, code, refusal);
        return;
    }
    uint8_t next[BW_TOKEN_BYTES], digest[32];
    bool swap = wish->has_swap ? wish->swap : room->agreed ? room->swap : false;
    offer->swap = cancel ? room->swap : swap;
    offer->agreed = cancel ? room->agreed & ~mine : (swap == room->swap ? room->agreed : 0) | mine;
    offer->has_by = true;
    offer->by = conn->seat;
    offer->has_id = asked->id > 0;
    offer->id = asked->id;
    offer->has_key = !cancel;
    if (!cancel) {
        bw_next_token(bw_seat_of(conn)->token, next);
        bw_sha256_of(next, sizeof next, digest);
        bw_hex_write(offer->key, digest, sizeof digest);
    }
    bw_commit(hall, room, &note, NULL, NULL, false, (bw_cause){conn, asked->id});
    bw_bytes *news = offer_news(hall, room, conn->seat, cancel);
    bw_broadcast(hall, room, news);
    bw_bytes_release(news);
    bw_acknowledge(hall, conn, asked->id);
    bw_rematch_check(hall, room);
}

/* ---- the new room ---- */

void bw_rematch_check(bw_hall *hall, bw_room *room) {
    char id[BW_ROOM_ID_MAX + 1];
    if (!room->ended_at || room->next_room[0] || room->rematch_under_way || room->agreed == 0 ||
        (room->agreed & people(room)) != people(room) || hall->draining) {
        return;
    }
    do {
        bw_room_id_draw(hall, id);
    } while (bw_room_find(hall, id));
    bw_input input = {.kind = BW_INPUT_REMATCH};
    memcpy(input.origin, room->id, sizeof input.origin);
    room->rematch_under_way = true;
    bw_wait_input(hall, bw_room_load(hall, id), input);
}

void bw_rematch_failed(bw_hall *hall, const char *origin) {
    bw_room *room = bw_room_find(hall, origin);
    if (room && room->phase == BW_PHASE_LIVE && room->rematch_under_way) {
        room->rematch_under_way = false;
        room->retry_us = hall->now.mono_us + RETRY_US;
        bw_room_schedule(hall, room);
    }
}

/* Those who played; and who holds a seat, was left out at the start, and wants to play now. */
static bool comes_along(const bw_room *room, int seat) {
    return *room->match.seats >> seat & 1 || (room->agreed >> seat & 1 && room->seats[seat].held);
}

static void seat_players(bw_hall *hall, bw_room *room, const bw_room *origin) {
    for (int i = 0; i < origin->game->role_count; i++) {
        const bw_seat *from = &origin->seats[i];
        int to = bw_rematch_seat(origin, i);
        bw_note note = {.type = BW_NOTE_SEAT};
        if (!comes_along(origin, i)) continue;
        if (from->level) {
            note = (bw_note){.type = BW_NOTE_BOT, .as.bot = {.seat = (int8_t)to, .has_level = true}};
            memcpy(note.as.bot.level, from->level, strlen(from->level) + 1);
        } else {
            note.as.seat.seat = (int8_t)to;
            note.as.seat.reserve = true;
            note.as.seat.has_name = from->name != NULL;
            if (from->name) memcpy(note.as.seat.name, from->name, strlen(from->name) + 1);
            bw_hex_write(note.as.seat.token_hash, from->next_hash, sizeof from->next_hash);
        }
        bw_commit(hall, room, &note, NULL, NULL, false, (bw_cause){0});
        room->seats[to].gone_us = hall->now.mono_us;
    }
}

void bw_rematch_create(bw_hall *hall, bw_room *room, const char *origin_id) {
    bw_room *origin = bw_room_find(hall, origin_id);
    if (!origin || origin->phase != BW_PHASE_LIVE || !origin->rematch_under_way) return;
    origin->rematch_under_way = false;
    if (room->game || (origin->agreed & people(origin)) != people(origin)) {
        bw_rematch_check(hall, origin); /* the id was taken after all: another */
        return;
    }
    const bw_game *newest = bw_game_find(origin->game->id);
    const bw_game *game = newest && newest->config == origin->game->config ? newest : origin->game;
    room->payer = origin->payer;
    bw_room_create(hall, room, game, origin->config);
    seat_players(hall, room, origin);
    bw_note note = {.type = BW_NOTE_REMATCH};
    memcpy(note.as.rematch.room, room->id, sizeof note.as.rematch.room);
    bw_commit(hall, origin, &note, NULL, NULL, false, (bw_cause){0});
    for (bw_conn *conn = origin->conns; conn; conn = conn->next) {
        if (conn->attached) tell_next(hall, conn);
    }
}
