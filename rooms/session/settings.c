/* Settings and the start. */
#include "engine/config.h"
#include "rooms/session/session.h"

static const char *const envelope[] = {"type", "id", NULL};

/* ---- who may, and when ---- */

static bool before_start(bw_hall *hall, const bw_asked *asked) {
    if (asked->conn->room->started_at) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_WRONG_STATUS,
                  "The settings are locked: the game has started.");
        return false;
    }
    return true;
}

static bool allowed(bw_hall *hall, const bw_asked *asked, const char *what) {
    const bw_room *room = asked->conn->room;
    char sentence[160];
    if (bw_may_configure(room, asked->conn->seat)) return true;
    bw_out out = bw_out_to(sentence, sizeof sentence - 1);
    bw_out_text(&out, room->game->roles[0].title);
    bw_out_text(&out, what);
    sentence[out.length] = 0;
    bw_refuse(hall, asked->conn, asked->id, BW_ERROR_NOT_ALLOWED, sentence);
    return false;
}

/* Are the settings compatible with each other? */
static bool checked(bw_hall *hall, const bw_asked *asked, const void *config) {
    const bw_game *game = asked->conn->room->game;
    int refusal = game->check ? game->check(config) : 0;
    if (refusal < 0) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_ILLEGAL, bw_refusal(game, refusal));
    }
    return refusal >= 0;
}

/* ---- configure ---- */

bool bw_valid_configure(bw_hall *hall, const bw_asked *asked) {
    const bw_room *room = asked->conn->room;
    bw_error_text why;
    memcpy(hall->scratch.config, room->config, room->game->config->size);
    if (bw_config_read(room->game, asked->doc, 0, hall->scratch.config, envelope, &why) < 0) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_BAD_MESSAGE, why.text);
        return false;
    }
    return true;
}

void bw_on_configure(bw_hall *hall, const bw_asked *asked) {
    bw_change change = {.record.type = BW_RECORD_CONFIG};
    if (!before_start(hall, asked) || !allowed(hall, asked, " chooses the settings.") ||
        !checked(hall, asked, hall->scratch.config)) {
        return;
    }
    change.record.as.config.has_by = true;
    change.record.as.config.by = asked->conn->seat;
    change.record.as.config.has_id = asked->id > 0;
    change.record.as.config.id = asked->id;
    change.config = hall->scratch.config;
    bw_commit(hall, asked->conn->room, &change, (bw_cause){asked->conn, asked->id}, NULL);
    bw_tell_state(hall, asked->conn->room, NULL);
    bw_acknowledge(hall, asked->conn, asked->id);
}

/* ---- start ---- */

static void start(bw_hall *hall, const bw_asked *asked, const void *config) {
    bw_room *room = asked->conn->room;
    uint8_t drawn[64];
    bw_change change = {.record.type = BW_RECORD_START};
    bw_record_start *begin = &change.record.as.start;
    begin->at = hall->now.wall_ms;
    begin->seats = bw_filled_seats(room);
    bw_draw(hall, drawn, sizeof drawn);
    memcpy(begin->seed, drawn, sizeof begin->seed);
    bw_replay_id_draw(hall, begin->replay_id);
    begin->has_by = true;
    begin->by = asked->conn->seat;
    begin->has_id = asked->id > 0;
    begin->id = asked->id;
    change.config = config;
    bw_commit(hall, room, &change, (bw_cause){asked->conn, asked->id}, NULL);
    bw_clock_wake(hall, room, 0);
    bw_tell_state(hall, room, NULL);
    bw_acknowledge(hall, asked->conn, asked->id);
    bw_after_move(hall, room, false);
}

static bool is_filled(bw_hall *hall, const bw_asked *asked) {
    if (bw_room_status(asked->conn->room) == BW_STATUS_CONFIGURING) return true;
    bw_refuse(hall, asked->conn, asked->id, BW_ERROR_WRONG_STATUS,
              "The game can start once every role is taken by a player or a bot.");
    return false;
}

void bw_on_start(bw_hall *hall, const bw_asked *asked) {
    const bw_room *room = asked->conn->room;
    if (room->started_at) {
        bw_refuse(hall, asked->conn, asked->id, BW_ERROR_WRONG_STATUS, "The game has started already.");
        return;
    }
    if (!is_filled(hall, asked) ||
        (!(room->game->flags & BW_GAME_ANY_STARTS) && !allowed(hall, asked, " starts the game."))) {
        return;
    }
    memcpy(hall->scratch.config, room->config, room->game->config->size);
    if (room->game->set_date) bw_set_date(room->game, hall->scratch.config, NULL, hall->now.wall_ms);
    if (checked(hall, asked, hall->scratch.config)) start(hall, asked, hall->scratch.config);
}

/* ---- a game's own message that configures and starts it ---- */

bool bw_valid_opening(bw_hall *hall, const bw_asked *asked) {
    const bw_room *room = asked->conn->room;
    const bw_game *game = room->game;
    uint64_t message[BW_CONFIG_BYTES_MAX / sizeof(uint64_t)];
    bw_error_text why;
    const char *fault = NULL;
    memcpy(hall->scratch.config, room->config, game->config->size);
    if (bw_decode_union(game->openings, asked->doc, 0, message, envelope, &why) < 0) fault = why.text;
    else fault = game->open(message, hall->scratch.config);
    if (fault) bw_refuse(hall, asked->conn, asked->id, BW_ERROR_BAD_MESSAGE, fault);
    return fault == NULL;
}

void bw_on_opening(bw_hall *hall, const bw_asked *asked) {
    if (before_start(hall, asked) && is_filled(hall, asked) && allowed(hall, asked, " chooses the settings.") &&
        checked(hall, asked, hall->scratch.config)) {
        start(hall, asked, hall->scratch.config);
    }
}
