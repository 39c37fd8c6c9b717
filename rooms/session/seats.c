/* Seats: who may play, proven by a token; and bots in seats. */
#include "engine/registry.h"
#include "engine/sha256.h"
#include "engine/visible.h"
#include "rooms/session/session.h"

/* A seat is filled: wakes what waited for that. */
static void filled(bw_hall *hall, bw_room *room) {
    bw_clock_wake(hall, room, 0);
    bw_tell_state(hall, room, NULL);
    bw_bots_think(hall, room);
}

/* ---- resume ---- */

static int seat_of_token(const bw_room *room, const char *text, uint8_t token[BW_TOKEN_BYTES]) {
    uint8_t digest[32];
    if (!bw_hex_read(text, strlen(text), token, BW_TOKEN_BYTES)) return -1;
    bw_sha256_of(token, BW_TOKEN_BYTES, digest);
    for (int i = 0; i < room->game->role_count; i++) {
        /* Constant time is not needed: these are digests of 128 random bits, so timing reveals nothing about the
         * token. */
        if (bw_seat_at(room, i)->held && memcmp(bw_seat_at(room, i)->token_hash, digest, sizeof digest) == 0) {
            return i;
        }
    }
    return -1;
}

/* A token's newest socket gets the seat; the older one becomes a spectator. */
static void supersede(bw_hall *hall, bw_conn *old) {
    bw_room *room = old->room;
    if (BW_PLANTED(TWO_IN_A_SEAT)) return;
    if (!BW_PLANTED(STALE_CLOSE_EVICTS)) bw_conn_leave_seat(hall, old);
    bw_send(hall, room, old->id, bw_error_message(hall, BW_ERROR_NO_SEAT, "You took this seat in another window.", 0));
}

void bw_send_missed(bw_hall *hall, bw_conn *conn, int64_t since) {
    bw_missed missed;
    bw_bytes *update;
    bw_moment moment = bw_moment_of(hall, conn->room);
    if (!bw_missed_begin(&hall->scratch, conn->room, moment, conn->seat, since, &missed)) return;
    while ((update = bw_missed_next(&hall->scratch, &missed))) bw_send(hall, conn->room, conn->id, update);
}

void bw_on_resume(bw_hall *hall, const bw_asked *asked) {
    bw_conn *conn = asked->conn;
    bw_room *room = conn->room;
    const bw_resume *resume = &asked->message->as.resume;
    uint8_t token[BW_TOKEN_BYTES];
    int index = seat_of_token(room, resume->token, token);
    if (index < 0) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_NO_SEAT,
                  "This token no longer opens a seat in this room: choose a free role.");
        return;
    }
    if (conn->seat >= 0 && conn->seat != index) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_NOT_ALLOWED, "You have another role here: leave it first.");
        return;
    }
    bw_conn *old = room->session->chairs[index].conn;
    if (old && old != conn && conn->leaving) return;
    bw_seat *seat = bw_seat_use(room, index);
    bool was_away = old == NULL;
    if (old && old != conn) supersede(hall, old);
    if (conn->seat < 0) bw_conn_take_seat(hall, conn, index);
    memcpy(seat->token, token, sizeof token);
    seat->token_known = true;
    bw_stand_in_leaves(hall, room, index);
    if (was_away) bw_tell_role(hall, room, BW_TELL_RECONNECTED, index, conn);
    if (resume->has_since) bw_send_missed(hall, conn, resume->since);
    filled(hall, room);
    bw_acknowledge(hall, conn, asked->id);
    if (room->ended_at) bw_rematch_remind(hall, conn);
    else bw_outcome_tell(hall, conn);
}

/* ---- select, leave ---- */

bool bw_find_role(bw_hall *hall, const bw_asked *asked, const char *role, int *index) {
    const bw_game *game = asked->conn->room->game;
    char sentence[BW_SENTENCE];
    *index = bw_role_find(game, role);
    if (*index >= 0) return true;
    bw_out out = bw_out_to(sentence, sizeof sentence - 1);
    bw_out_text(&out, "\"role\" must be one of ");
    for (int i = 0; i < game->role_count; i++) {
        bw_out_text(&out, i > 0 ? ", " : "");
        bw_out_text(&out, game->roles[i].id);
    }
    bw_out_text(&out, ".");
    sentence[out.length] = 0;
    bw_refuse(hall, asked->conn, asked->id, BW_ERROR_BAD_MESSAGE, sentence);
    return false;
}

/* Is the seat neither taken nor reserved? */
static bool is_free(bw_hall *hall, const bw_asked *asked, int index) {
    const bw_seat *seat = bw_seat_at(asked->conn->room, index);
    const bw_chair *chair = &asked->conn->room->session->chairs[index];
    if (chair->conn || (seat->level && !seat->held)) { /* a bot that stands in does not keep others out */
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_ROLE_TAKEN,
                  seat->level ? "A bot has this role: remove it first, or choose another."
                              : "This role is taken: choose another, or watch.");
        return false;
    }
    bool kept = seat->held && seat->reserve && !chair->untold;
    if (kept && hall->now.mono_us - chair->gone_us < hall->settings.seat_grace_ms * 1000) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_ROLE_RESERVED,
                  "This role is reserved for a player who has just lost the connection: try again in a moment.");
        return false;
    }
    return true;
}

bool bw_valid_select_role(bw_hall *hall, const bw_asked *asked) {
    int index;
    return bw_find_role(hall, asked, asked->message->as.select_role.role, &index);
}

void bw_on_select_role(bw_hall *hall, const bw_asked *asked) {
    const bw_select_role *wish = &asked->message->as.select_role;
    bw_conn *conn = asked->conn;
    bw_room *room = conn->room;
    int index = bw_role_find(room->game, wish->role);
    if (conn->seat >= 0) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_NOT_ALLOWED,
                  "You already have a role: leave it before you choose another.");
        return;
    }
    if (room->started_at && !(*bw_room_match(room)->seats >> index & 1)) {
        bw_refuse(hall, conn, asked->id, BW_ERROR_WRONG_STATUS,
                  "The game began without this role: watch, or choose a role that plays.");
        return;
    }
    if (!is_free(hall, asked, index)) return;
    uint8_t drawn[64];
    bw_draw(hall, drawn, sizeof drawn);
    bw_change change = {.record.type = BW_RECORD_SEAT};
    change.record.as.seat.seat = (int8_t)index;
    change.record.as.seat.has_name = wish->has_name && bw_text_is_seen(wish->name);
    if (change.record.as.seat.has_name)
        memcpy(change.record.as.seat.name, wish->name, sizeof change.record.as.seat.name);
    change.record.as.seat.has_anew = change.record.as.seat.anew = true;
    change.record.as.seat.reserve = wish->has_reserve && wish->reserve;
    change.record.as.seat.has_id = asked->id > 0;
    change.record.as.seat.id = asked->id;
    bw_sha256_of(drawn, BW_TOKEN_BYTES, change.record.as.seat.token_hash);
    bw_commit(hall, room, &change, (bw_cause){conn, asked->id}, NULL);
    bw_conn_take_seat(hall, conn, index);
    room->session->chairs[index].taken = room->session->last_ticket;
    bw_question_forget(hall, &room->session->chairs[index]);
    bw_work_forget(hall, &room->session->chairs[index].work);
    bw_seat *seat = bw_seat_use(room, index);
    memcpy(seat->token, drawn, sizeof seat->token);
    seat->token_known = true;
    if (room->started_at) bw_tell_role(hall, room, BW_TELL_RECONNECTED, index, conn);
    filled(hall, room);
    bw_acknowledge(hall, conn, asked->id);
}

void bw_on_leave_role(bw_hall *hall, const bw_asked *asked) {
    bw_conn *conn = asked->conn;
    bw_room *room = conn->room;
    int index = conn->seat;
    bw_change change = {.record.type = BW_RECORD_LEFT};
    change.record.as.left.seat = (int8_t)index;
    change.record.as.left.vacated = !room->started_at;
    bw_conn_leave_seat(hall, conn);
    bw_commit(hall, room, &change, (bw_cause){conn, asked->id}, NULL);
    if (room->started_at) bw_seat_is_away(hall, room, index);
    else bw_tell_state(hall, room, NULL);
    bw_acknowledge(hall, conn, asked->id);
}

void bw_on_rename(bw_hall *hall, const bw_asked *asked) {
    const char *name = asked->message->as.rename.name;
    bw_conn *conn = asked->conn;
    bw_change change = {.record.type = BW_RECORD_NAME};
    change.record.as.name.has_name = bw_text_is_seen(name);
    if (change.record.as.name.has_name) memcpy(change.record.as.name.name, name, strlen(name) + 1);
    change.record.as.name.has_by = true;
    change.record.as.name.by = conn->seat;
    change.record.as.name.has_id = asked->id > 0 && !BW_PLANTED(RENAME_LOSES_ID);
    change.record.as.name.id = asked->id;
    bw_commit(hall, conn->room, &change, (bw_cause){conn, asked->id}, NULL);
    bw_tell_state(hall, conn->room, NULL);
    bw_acknowledge(hall, conn, asked->id);
}

/* ---- bots in seats ---- */

static bool before_start(bw_hall *hall, const bw_asked *asked) {
    if (asked->conn->room->started_at) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_WRONG_STATUS, "Bots can be removed only before the start.");
        return false;
    }
    return true;
}

/* A seat of the game that nobody has held yet, as in a forked room. */
static bool was_never_held(const bw_room *room, int index) {
    const bw_seat *seat = bw_seat_at(room, index);
    return (*bw_room_match(room)->seats >> index & 1) && !(room->resigned >> index & 1) && !seat->held && !seat->level;
}

/* After the start a bot may only take such a seat, for a player who is alone. */
static bool may_join_late(bw_hall *hall, const bw_asked *asked, int index) {
    const bw_room *room = asked->conn->room;
    bool alone = bw_room_status(room) == BW_STATUS_ACTIVE;
    for (int i = 0; i < room->game->role_count; i++) alone &= i == asked->conn->seat || !(room->present >> i & 1);
    if (alone && was_never_held(room, index)) return true;
    bw_refuse(hall, asked->conn, asked->id, BW_ERROR_WRONG_STATUS,
              "Bots can be added only before the start, or, while you are alone, to a seat that nobody has taken yet.");
    return false;
}

static void commit_bot(bw_hall *hall, const bw_asked *asked, int index, const char *level) {
    bw_change change = {.record.type = BW_RECORD_BOT};
    change.record.as.bot.seat = (int8_t)index;
    change.record.as.bot.has_level = level != NULL;
    if (level) memcpy(change.record.as.bot.level, level, strlen(level) + 1);
    change.record.as.bot.has_by = true;
    change.record.as.bot.by = asked->conn->seat;
    change.record.as.bot.has_id = asked->id > 0;
    change.record.as.bot.id = asked->id;
    bw_commit(hall, asked->conn->room, &change, (bw_cause){asked->conn, asked->id}, NULL);
    bw_tell_state(hall, asked->conn->room, NULL);
    bw_acknowledge(hall, asked->conn, asked->id);
}

bool bw_find_level(bw_hall *hall, const bw_asked *asked, const char *level) {
    const bw_game *game = asked->conn->room->game;
    char sentence[BW_SENTENCE];
    const bw_bot *bot;
    if (bw_bot_find(game, level)) return true;
    bw_out out = bw_out_to(sentence, sizeof sentence - 1);
    bw_out_text(&out, "\"level\" must be one of ");
    for (int i = 0; (bot = bw_bot_at(game, i)); i++) {
        bw_out_text(&out, i > 0 ? ", " : "");
        bw_out_text(&out, bot->level);
    }
    bw_out_text(&out, ".");
    sentence[out.length] = 0;
    bw_refuse(hall, asked->conn, asked->id, BW_ERROR_BAD_MESSAGE, sentence);
    return false;
}

bool bw_valid_add_bot(bw_hall *hall, const bw_asked *asked) {
    int index;
    return bw_find_role(hall, asked, asked->message->as.add_bot.role, &index) &&
           bw_find_level(hall, asked, asked->message->as.add_bot.level);
}

void bw_on_add_bot(bw_hall *hall, const bw_asked *asked) {
    const bw_add_bot *wish = &asked->message->as.add_bot;
    bw_room *room = asked->conn->room;
    int index = bw_role_find(room->game, wish->role);
    bool started = room->started_at != 0;
    if (started ? !may_join_late(hall, asked, index) : !is_free(hall, asked, index)) return;
    commit_bot(hall, asked, index, wish->level);
    if (started) filled(hall, room);
}

bool bw_valid_remove_bot(bw_hall *hall, const bw_asked *asked) {
    int index;
    return bw_find_role(hall, asked, asked->message->as.remove_bot.role, &index);
}

void bw_on_remove_bot(bw_hall *hall, const bw_asked *asked) {
    int index = bw_role_find(asked->conn->room->game, asked->message->as.remove_bot.role);
    if (!before_start(hall, asked)) return;
    if (!bw_seat_at(asked->conn->room, index)->level) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NOT_ALLOWED, "No bot has this role.");
        return;
    }
    commit_bot(hall, asked, index, NULL);
}
