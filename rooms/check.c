/* What stands in a stored note, before it is folded: is it something that this room can have written? Its schema has
 * looked at types and ranges; here the game and the room so far are asked, as they were when the note was made. A file
 * on a disk may hold anything. */
#include "engine/registry.h"
#include "rooms/internal.h"

enum { REFUSAL_TOKENS = 64, BW_ROLES_ALL = (1 << BW_SEATS_MAX) - 1 };

static uint32_t roles_of(const bw_game *game) { return BW_ROLES_ALL >> (BW_SEATS_MAX - game->role_count); }

static bool is_role(const bw_game *game, int seat) { return seat >= 0 && seat < game->role_count; }

static bool config_fits(const bw_game *game, const void *config) {
    return bw_schema_fits(game->config, config) && (!game->check || game->check(config) >= 0);
}

static bool is_id(const char *text) {
    for (; *text; text++) {
        char c = *text;
        if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))) return false;
    }
    return true;
}

static bool start_fits(const bw_room *room, const bw_note_start *start) {
    const bw_game *game = room->game;
    int count = 0;
    for (int i = 0; i < game->role_count; i++) count += (int)(start->seats >> i & 1);
    int wanted = game->flags & BW_GAME_OPEN_SEATS ? game->seats_min : game->role_count;
    return !(start->seats & ~roles_of(game)) && count >= wanted && is_id(start->replay_id);
}

/* Whose turn it was, and whether such an action may be played: as for a line of a game file. */
static bool play_fits(const bw_room *room, const bw_note_play *play, const void *action) {
    const bw_game *game = room->game;
    int seat = play->seat;
    bool clock = seat == BW_CLOCK && action;
    if (play->has_by && !is_role(game, play->by)) return false;
    if (!clock && (!is_role(game, seat) || !(*room->match.seats >> seat & 1))) return false;
    if (play->has_known && !game->puzzle) return false;
    if (!action) return game->resign && !(room->resigned >> seat & 1);
    uint32_t flags = game->actions->cases[*(const uint8_t *)action].flags;
    if (flags & (BW_ACTION_COMMIT | BW_ACTION_WORDS) || clock != ((flags & BW_ACTION_CLOCK) != 0)) return false;
    return clock || flags & BW_ACTION_REOPENS || game->turn(room->match.state) >> seat & 1;
}

static bool draft_fits(const bw_room *room, const bw_note_draft *draft, const void *action) {
    return action && *room->match.seats >> draft->seat & 1 &&
           room->game->actions->cases[*(const uint8_t *)action].flags & BW_ACTION_DRAFT;
}

static bool offer_fits(const bw_room *room, const bw_note_offer *offer) {
    return !(offer->agreed & ~roles_of(room->game)) && (!offer->has_key || offer->has_by) &&
           (!offer->has_by || is_role(room->game, offer->by));
}

static bool rematch_fits(const bw_note_rematch *rematch) {
    char folded[BW_ROOM_ID_MAX + 1];
    return bw_room_id_fold(rematch->room, folded) && strcmp(folded, rematch->room) == 0;
}

/* A refusal is sent again as it stands. */
static bool answer_fits(const bw_note_answer *answer) {
    bw_token tokens[REFUSAL_TOKENS];
    bw_doc doc;
    if (!answer->has_refusal) return true;
    return bw_doc_parse(&doc, answer->refusal, strlen(answer->refusal), tokens, REFUSAL_TOKENS, 4, NULL) > 0 &&
           bw_doc_is_object(&doc, 0);
}

bool bw_note_fits(const bw_room *room, const bw_note *note, const void *config, const void *action, bool in_snapshot) {
    const bw_game *game = room->game;
    bool started = room->match.block != NULL;
    if (note->type == BW_NOTE_CREATED) {
        const bw_note_created *created = &note->as.created;
        game = bw_game_find_version(created->game, (unsigned)created->rules_version);
        return !room->game && game && (!config || config_fits(game, config));
    }
    if (!game || (config && !config_fits(game, config)) || (action && !bw_union_fits(game->actions, action))) {
        return false;
    }
    switch ((bw_note_type)note->type) {
    case BW_NOTE_CONFIG: return config && !started;
    case BW_NOTE_SEAT: return is_role(game, note->as.seat.seat);
    case BW_NOTE_NAME: return note->as.name.has_by && is_role(game, note->as.name.by);
    case BW_NOTE_READY:
        return started && game->ready_ms && (!note->as.ready.has_by || is_role(game, note->as.ready.by));
    case BW_NOTE_STAND_IN:
        return started && is_role(game, note->as.stand_in.seat) && room->seats[note->as.stand_in.seat].held;
    case BW_NOTE_LEFT: return is_role(game, note->as.left.seat);
    case BW_NOTE_BOT: return is_role(game, note->as.bot.seat);
    case BW_NOTE_START: return !started && start_fits(room, &note->as.start);
    case BW_NOTE_PLAY:
        return started && note->as.play.has_seq == in_snapshot && play_fits(room, &note->as.play, action);
    case BW_NOTE_DRAFT:
        return started && is_role(game, note->as.draft.seat) && draft_fits(room, &note->as.draft, action);
    case BW_NOTE_OFFER: return started && offer_fits(room, &note->as.offer);
    case BW_NOTE_REMATCH: return started && rematch_fits(&note->as.rematch);
    case BW_NOTE_ANSWER: return in_snapshot && is_role(game, note->as.answer.seat) && answer_fits(&note->as.answer);
    case BW_NOTE_HERE:
    case BW_NOTE_SUM: return in_snapshot;
    default: return false;
    }
}
