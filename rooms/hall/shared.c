/* Files of games that were played on somebody's own device. POST /api/replays: a finished one is kept as a replay.
 * POST /api/games/running: one that goes on becomes a room at its last position.
 *
 * The file is read like one that is played on from (fork.c): in slices, as the job of a room that is never made. Every
 * line must hold by the rules and by its hash, and be written letter by letter as this program writes it: so a replay
 * holds a game and nothing else. Nothing is kept of a file that is refused. Of a running game, the room is made in a
 * second reading, as one that is played on from. */
#include "engine/sha256.h"
#include "engine/text.h"
#include "engine/visible.h"
#include "rooms/hall/loading.h"

static void take_file(bw_hall *hall, bw_now now, uint64_t conn, bw_input_kind kind, const char *body, size_t length,
                      const char *address) {
    bw_key from = bw_address_key(address);
    bw_error_code code;
    const char *refusal;
    hall->now = now;
    if (hall->draining) {
        bw_reply_error(hall, NULL, conn, 503, BW_ERROR_DRAINING, "The server is restarting: try again in a moment.");
    } else if (length > BW_SHARED_FILE_MAX) {
        bw_reply_error(hall, NULL, conn, 413, BW_ERROR_TOO_LARGE, "A game's file may have at most 2 MiB.");
    } else if (hall->rooms.count >= BW_ROOMS_MAX) {
        bw_reply_error(hall, NULL, conn, 503, BW_ERROR_RATE_LIMITED, "The server is full: try again later.");
    } else if (!bw_may_begin_work(hall, from)) {
        bw_reply_error(hall, NULL, conn, 429, BW_ERROR_RATE_LIMITED, bw_too_much_work);
    } else if ((refusal = bw_no_new_room(hall, from, &code))) {
        bw_reply_error(hall, NULL, conn, code == BW_ERROR_STORAGE ? 503 : 429, code, refusal);
    } else {
        bw_room_for_new(hall,
                        (bw_input){.kind = kind, .conn = conn, .address = from, .bytes = bw_bytes_new(body, length)});
    }
}

void bw_hall_http_share(bw_hall *hall, bw_now now, uint64_t conn, const char *body, size_t length,
                        const char *address) {
    take_file(hall, now, conn, BW_INPUT_SHARE, body, length, address);
}

void bw_hall_http_bring(bw_hall *hall, bw_now now, uint64_t conn, const char *body, size_t length,
                        const char *address) {
    take_file(hall, now, conn, BW_INPUT_BRING, body, length, address);
}

/* What the next line cannot be, whatever stands in it: nothing of it is parsed before, so a line costs no more than the
 * longest one that a game writes. NULL: it may be one, or the file ends here. */
static const char *size_fault(const char *from, const char *end) {
    size_t left = (size_t)(end - from);
    size_t most = left < BW_SHARED_LINE_MAX ? left : BW_SHARED_LINE_MAX;
    const char *stop = memchr(from, '\n', most);
    if (stop == from && left) return "this line is empty.";
    return !stop && left > BW_SHARED_LINE_MAX ? "a line of a game file has at most 65536 bytes." : NULL;
}

bool bw_share_may_begin(const bw_bytes *file, bw_error_text *why) {
    const char *fault = size_fault(file->at, file->at + file->length);
    if (fault) bw_fail(why, "Line 1: ", fault, NULL);
    return !fault;
}

/* ---- a line, written again ---- */

static int fail(bw_forking *of, const char *what) {
    of->reader.line = of->reading.line;
    bw_fail(&of->reader.error, "Line ", bw_digits_of(of->reading.line).text, ": ", what, NULL);
    return BW_FILE_BAD_LINE;
}

typedef char bw_short_text[4 * BW_NAME_MAX + 1];

/* "names" or "bots" of the first line, by seat. */
static void read_by_role(const bw_game *game, const bw_doc *doc, const char *member, bw_short_text memory[BW_SEATS_MAX],
                         const char *texts[BW_SEATS_MAX]) {
    int object = bw_doc_member(doc, 0, member);
    for (int i = 0; i < game->role_count; i++) {
        int token = object < 0 ? -1 : bw_doc_member(doc, object, game->roles[i].id);
        texts[i] = token >= 0 && bw_doc_text(doc, token, memory[i], sizeof memory[i]) >= 0 ? memory[i] : NULL;
    }
}

const char *bw_head_given(const bw_doc *head, char memory[BW_GIVEN_BYTES_MAX]) {
    return bw_doc_text(head, bw_doc_member(head, 0, "given"), memory, BW_GIVEN_BYTES_MAX) >= 0 ? memory : NULL;
}

static void write_head(bw_out *out, const bw_match *match, const bw_doc *doc) {
    const bw_game *game = match->game;
    bw_short_text names[BW_SEATS_MAX], levels[BW_SEATS_MAX];
    char given[BW_GIVEN_BYTES_MAX];
    bw_file_head head = {.game = game, .config = match->config, .seats = *match->seats};
    bw_chain unused;
    read_by_role(game, doc, "names", names, head.names);
    read_by_role(game, doc, "bots", levels, head.bots);
    head.given = bw_head_given(doc, given);
    if (!bw_doc_int(doc, bw_doc_member(doc, 0, "started_at"), &head.started_at)) head.started_at = -1;
    bw_sha256_of(match->seed, BW_SEED_BYTES, head.seed_hash);
    bw_file_write_head(out, &head, match->seed, &unused);
}

static void write_result(bw_out *out, const bw_forking *of, const bw_doc *doc) {
    bw_chain before = of->before;
    int64_t ended_at = -1;
    if (!bw_doc_int(doc, bw_doc_member(doc, 0, "ended_at"), &ended_at)) ended_at = -1;
    bw_file_write_result(out, &before, &of->reading.match, ended_at);
}

static void write_line(bw_out *out, const bw_forking *of, const bw_doc *doc, bool first) {
    const bw_file_step *step = &of->reading.step;
    if (first) write_head(out, &of->reading.match, doc);
    else if (step->result) write_result(out, of, doc);
    else
        bw_file_write_played(out, of->reading.match.game, of->number, step->t, step->seat, step->action,
                             of->reading.chain.hash);
    bw_out_text(out, "\n");
}

static bool is_name(const char *text) {
    size_t points = 0;
    for (const char *at = text; *at; at++) points += ((unsigned char)*at & 0xc0) != 0x80;
    return points <= BW_NAME_MAX && bw_text_is_seen(text);
}

/* Names and levels that could be a player's, and times that could be. */
static const char *head_fault(const bw_match *match, const bw_doc *doc) {
    const bw_game *game = match->game;
    bw_short_text memory[BW_SEATS_MAX];
    const char *texts[BW_SEATS_MAX];
    bw_error_text unused;
    int64_t started_at;
    if (!bw_doc_is_plain(doc, NULL, &unused)) return "it contains invisible characters.";
    read_by_role(game, doc, "names", memory, texts);
    for (int i = 0; i < game->role_count; i++) {
        if (texts[i] && !is_name(texts[i])) return "a name has 1 to 24 characters, at least one of them visible.";
    }
    read_by_role(game, doc, "bots", memory, texts);
    for (int i = 0; i < game->role_count; i++) {
        if (texts[i] && !bw_bot_find(game, texts[i])) return "it names a bot that this game does not have.";
    }
    if (!bw_doc_int(doc, bw_doc_member(doc, 0, "started_at"), &started_at) || started_at < 0) {
        return "\"started_at\" must be the time of the start in milliseconds since 1970.";
    }
    return NULL;
}

/* The line between `from` and where the reading is now. */
static int judge_line(bw_hall *hall, bw_forking *of, const char *from, bool first) {
    size_t length = (size_t)(of->reading.at - from);
    bw_doc doc;
    if (hall->scratch.text_cap < 2 * length + 64) {
        hall->scratch.text_cap = 2 * length + 64;
        hall->scratch.text = bw_memory_grow(&hall->scratch.memory, hall->scratch.text, hall->scratch.text_cap);
    }
    if (bw_doc_parse(&doc, from, length, hall->scratch.tokens, hall->scratch.token_cap, 16, NULL) <= 0) {
        return fail(of, "this is not a line of a game file.");
    }
    const char *fault = first ? head_fault(&of->reading.match, &doc) : NULL;
    if (fault) return fail(of, fault);
    if (!first && !of->reading.step.result) {
        if (of->reading.step.seq != ++of->number) return fail(of, "\"seq\" must count the moves from 1.");
        if (of->number > BW_MOVES_MAX) return fail(of, "a game has at most 5000 moves.");
        if (of->reading.step.t < 0) return fail(of, "\"t\" must not be before the start.");
    }
    bw_out out = bw_out_to(hall->scratch.text, hall->scratch.text_cap);
    write_line(&out, of, &doc, first);
    bool same = !out.overflow && out.length == length && memcmp(out.at, from, length) == 0;
    return same ? 0 : fail(of, "this is not written like a line of a game file.");
}

/* A game that goes on: its file ends with its last play. */
static int running_fault(bw_hall *hall, bw_forking *of) {
    const bw_match *match = &of->reading.match;
    if (!bw_game_for_new_room(hall, match->game->id)) return fail(of, "this game is not offered here.");
    if (of->reading.over || match->game->turn(match->state) == 0) {
        return fail(of, "this game is over: only a running game can be continued.");
    }
    return 1;
}

int bw_share_step(bw_hall *hall, bw_forking *of) {
    const bw_bytes *file = of->input.bytes;
    bool first = of->reading.at == NULL, bring = of->input.kind == BW_INPUT_BRING;
    if (bring && !first && of->reading.at == file->at + file->length) return running_fault(hall, of);
    const char *from = first ? file->at : of->reading.at;
    const char *fault = size_fault(from, file->at + file->length);
    if (fault) {
        of->reading.line++;
        return fail(of, fault);
    }
    of->before = of->reading.chain;
    int outcome = first ? bw_file_begin(&of->reading, file->at, file->length, &of->reader)
                        : bw_file_next(&of->reading, &of->reader);
    if (outcome < 0) return outcome;
    const bw_match *match = &of->reading.match;
    hall->scratch.work +=
        first ? 64 + bw_cost_of_start(match, of->reader.given) : bw_cost_of_hash(match->game) + bw_cost_of_move(match);
    hall->scratch.work += bw_cost_of_text((size_t)(of->reading.at - from));
    if (!first && outcome == 0) {
        return from == file->at + file->length ? 1 : fail(of, "nothing may follow the result.");
    }
    return judge_line(hall, of, from, first);
}

/* ---- the end ---- */

void bw_share_store(bw_hall *hall, bw_room *room, bw_bytes *file, uint64_t conn) {
    char text[128];
    bw_out out = bw_out_to(text, sizeof text);
    bw_replay_id_draw(hall, room->replay_id);
    bw_out_format(&out, "{\"replay_id\":\"%s\",\"url\":\"/replay/%s\"}", room->replay_id, room->replay_id);
    bw_append(hall, room, BW_ENTRY_REPLAY, file, (bw_cause){0});
    bw_reply(hall, room, conn, 201, bw_bytes_new(out.at, out.length));
}

void bw_share_refuse(bw_hall *hall, uint64_t conn, int error, const char *why) {
    bool malformed = error == BW_FILE_FORMAT_UNKNOWN || error == BW_FILE_BAD_LINE;
    if (error == BW_FILE_NO_GAME) bw_reply_error(hall, NULL, conn, 404, BW_ERROR_NO_SUCH_GAME, why);
    else bw_reply_error(hall, NULL, conn, 400, malformed ? BW_ERROR_BAD_MESSAGE : BW_ERROR_ILLEGAL, why);
}
