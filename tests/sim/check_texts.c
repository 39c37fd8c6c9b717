/* Invariants of every message that leaves: see check.c. */
#include "engine/sha256.h"
#include "sim.h"

/* A state begins with what belongs to the moment (who is connected, the clock); the rest belongs to the room. */
static const char *const but_for[] = {"players",       "spectators",      "paused",     "game_status", "server_time",
                                      "next_round_at", "room_id",         "names",      "bots",        "created_at",
                                      "started_at",    "ended_at",        "best_known", "proven",      "ready",
                                      "ready_until",   "clock_started_at"};
enum { MOMENTARY = 6, OF_THE_ROOM = sizeof but_for / sizeof but_for[0] };

/* A digest of a state without the first of those. */
static uint64_t digest_state(const bw_doc *doc, int state, size_t skipped) {
    uint64_t digest = 1;
    for (int token = state + 1; token < doc->count; token++) {
        if (doc->tokens[token].parent != state) {
            if (doc->tokens[token].start > doc->tokens[state].end) break;
            continue;
        }
        bw_raw key = bw_doc_raw(doc, token);
        bool skip = false;
        for (size_t i = 0; i < skipped; i++) {
            skip = skip || (strlen(but_for[i]) == key.length && memcmp(but_for[i], key.at, key.length) == 0);
        }
        if (!skip) {
            bw_raw value = bw_doc_raw(doc, token + 1);
            digest = sim_digest(sim_digest(digest, key.at, key.length), value.at, value.length);
        }
    }
    return digest;
}

static void check_same(sim_world *world, const sim_model *model, uint64_t *known, int64_t seq, uint64_t digest,
                       const char *what, const bw_bytes *bytes) {
    if (seq < 0 || seq >= SIM_SEQS || !model->exists) return;
    if (known[seq] && known[seq] != digest) {
        sim_fail(world, "function", "%s shows other %s at seq %lld than before: %.300s", model->room, what,
                 (long long)seq, bytes->at);
    }
    known[seq] = digest;
}

/* Rounds are due at one phase as long as the clock runs. */
static void check_clock(sim_world *world, const sim_link *link, sim_model *model, const bw_doc *doc, int object) {
    int64_t next = sim_number(doc, object, "next_round_at", 0);
    const sim_node *node = &world->nodes[link->node];
    if (next == 0 || next < sim_now(world, node).wall_ms ||
        sim_number(doc, object, "server_time", 0) <= sim_now_at(world, node, model->unclocked_us).wall_ms) {
        return; /* the clock rests, or may restart after a stall, or this was before it restarted */
    }
    int64_t phase = (next - node->wall_skew_ms) % 3000;
    int64_t off = (phase - model->phase_ms + 3000) % 3000, may = model->handed == 2 ? 60 : 1;
    if (model->clock_known && off > may && off < 3000 - may) {
        sim_fail(world, "clock", "%s: the next round is %lld ms out of phase", model->room, (long long)off);
    }
    if (!model->clock_known || model->handed == 2) model->phase_ms = phase;
    if (model->handed == 2) model->handed = 0;
    model->clock_known = true;
}

void sim_handed(sim_world *world, const char *room) {
    sim_model *model = sim_model_of(world, room);
    if (!model) return;
    model->handed = model->clock_known;
    model->last_round_us = 0; /* it may have been late there; the next one is not */
}

void sim_clock_moved(sim_world *world) {
    for (int i = 0; i < world->model_count; i++) {
        if (world->models[i].handed == 1) sim_unclock(world, world->models[i].room);
    }
}

void sim_handed_read(sim_world *world, const char *room) {
    sim_model *model = sim_model_of(world, room);
    if (!model) return;
    if (model->handed == 1 && model->clock_known) {
        model->handed = 2;
        world->handed++;
    } else {
        sim_unclock(world, room);
    }
}

void sim_unclock(sim_world *world, const char *room) {
    sim_model *model = sim_model_of(world, room);
    if (model) {
        model->clock_known = false;
        model->handed = 0;
        model->last_round_us = 0;
        model->unclocked_us = world->now_us;
    }
}

void sim_unclock_all(sim_world *world) {
    for (int i = 0; i < world->model_count; i++) sim_unclock(world, world->models[i].room);
}

/* The clock of a room without open connections rests. A connection that is still open at a sleeping former owner does
 * not count. */
static void check_rest(sim_world *world) {
    for (int m = 0; m < world->model_count; m++) {
        sim_model *model = &world->models[m];
        bool anybody = false;
        if (!model->started || strcmp(model->game, "flag_war") != 0 || model->handed == 1) continue;
        for (int i = 1; i <= world->link_count && !anybody; i++) {
            const sim_link *link = &world->links[i];
            anybody = link->server_open && strcmp(link->room, model->room) == 0 &&
                      sim_has_room(world, &world->nodes[link->node], model->room);
        }
        if (!anybody) sim_unclock(world, model->room);
    }
}

void sim_check_closed(sim_world *world) { check_rest(world); }

static void own_token(sim_world *world, int client, const char *text) {
    for (int i = 0; i < world->token_count; i++) {
        if (strcmp(world->tokens[i].text, text) == 0) return;
    }
    if (world->token_count < SIM_TOKENS) {
        sim_token *token = &world->tokens[world->token_count++];
        snprintf(token->text, sizeof token->text, "%s", text);
        token->client = client;
    }
}

/* A token may be sent only to the client that it was first sent to. */
static void check_token(sim_world *world, int client, const char *text) {
    for (int i = 0; i < world->token_count; i++) {
        if (strcmp(world->tokens[i].text, text) == 0 && world->tokens[i].client != client) {
            sim_fail(world, "secret", "client %d was sent a token of client %d", client, world->tokens[i].client);
        }
    }
    own_token(world, client, text);
}

/* A seat belongs to the token whose digest the journal stores. */
static void check_holder(sim_world *world, const sim_model *model, int seat, const char *text) {
    uint8_t token[16], digest[32];
    char hex[65];
    for (int i = 0; i < 16; i++) {
        unsigned byte = 0;
        sscanf(text + 2 * i, "%2x", &byte);
        token[i] = (uint8_t)byte;
    }
    bw_sha256_of(token, sizeof token, digest);
    for (int i = 0; i < 32; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    if (model->seats[seat].holder[0] && strcmp(hex, model->seats[seat].holder) != 0) {
        sim_fail(world, "seat", "%s: seat %d was opened by a token that is not its holder's", model->room, seat);
    }
}

static void check_you(sim_world *world, int number_of_link, sim_model *model, const bw_doc *doc) {
    sim_link *link = &world->links[number_of_link];
    int you = bw_doc_member(doc, 0, "you");
    char role[24], token[40], own[512];
    token[0] = 0;
    if (you >= 0 && bw_doc_text(doc, bw_doc_member(doc, you, "token"), token, sizeof token) > 0) {
        check_token(world, link->client, token);
    }
    if (you < 0 || bw_doc_text(doc, bw_doc_member(doc, you, "role"), role, sizeof role) < 0) {
        link->sent_role = bw_doc_member(doc, 0, "state") >= 0 ? -1 : link->sent_role;
        return;
    }
    int index = 0;
    for (int g = 0; g < SIM_GAMES; g++) index = strcmp(role, sim_roles[g][1]) == 0 ? 1 : index;
    if (token[0]) {
        if (sim_number(doc, 0, "seq", -1) ==
            model->seq) { /* later records of the same write may have changed the holder */
            check_holder(world, model, index, token);
        }
        link->sent_role = index;
    } else if (link->sent_role != index) {
        sim_fail(world, "secret", "connection %d, which holds %d, was sent what %s has staged", number_of_link,
                 link->sent_role, role);
    }
    /* What is staged, without the token. */
    int staged = bw_doc_member(doc, you, "staged");
    staged = staged >= 0 ? staged : bw_doc_member(doc, you, "queue");
    bw_raw raw = staged >= 0 ? bw_doc_raw(doc, staged) : (bw_raw){"-", 1};
    snprintf(own, sizeof own, "%.*s", (int)(raw.length < 500 ? raw.length : 500), raw.at);
    memcpy(link->you, own, sizeof own);
    char *expected = model->expected_you[index];
    if (expected[0] && bw_doc_member(doc, you, "token") >= 0 && strcmp(model->expected_token[index], token) == 0) {
        if (strcmp(expected, own) != 0) {
            sim_fail(world, "function", "%s: %s had staged %s before the crash, but %s after it", model->room, role,
                     expected, own);
        }
        expected[0] = 0;
    }
}

/* An acknowledged message has taken effect in the seat of its sender. */
static void check_effect(sim_world *world, const sim_link *link, const sim_model *model, int64_t id) {
    const sim_seat *seat = link->sent_role >= 0 ? &model->seats[link->sent_role] : NULL;
    if (!seat || !model->exists || link->without_effect[id % SIM_ASKED] == id || id <= seat->old_ids) {
        return;
    }
    for (int i = seat->applied_count - 1; i >= 0; i--) {
        if (seat->applied[i] == id) return;
    }
    sim_fail(world, "commit", "%s: id %lld of seat %d was acknowledged, but had no effect", model->room, (long long)id,
             link->sent_role);
}

/* A refusal is final unless it says that the outcome is not known yet. */
static void check_refusal(const sim_link *link, sim_model *model, const bw_doc *doc) {
    char sentence[480];
    int64_t id = sim_number(doc, 0, "id", 0);
    if (id == 0 || link->sent_role < 0 ||
        bw_doc_text(doc, bw_doc_member(doc, 0, "message"), sentence, sizeof sentence) < 0 ||
        strstr(sentence, "not known yet")) {
        return;
    }
    sim_seat *seat = &model->seats[link->sent_role];
    seat->refused[seat->refused_count++ % SIM_REFUSED] = id;
}

/* A message that is sent again is a new attempt, in any seat: the message before it may change the seat. */
static void forget_refusal(sim_model *model, int64_t id) {
    for (int i = 0; i < BW_SEATS_MAX * SIM_REFUSED; i++) {
        int64_t *refused = &model->seats[i / SIM_REFUSED].refused[i % SIM_REFUSED];
        *refused = *refused == id ? 0 : *refused;
    }
}

/* Acks and errors: answers to messages with an id. */
static void check_answer(sim_world *world, int number_of_link, sim_model *model, const bw_doc *doc, bool ack) {
    sim_link *link = &world->links[number_of_link];
    if (sim_number(doc, 0, "id", 0) > 0) link->answers_due--;
    if (ack &&
        sim_number(doc, 0, "seq", -1) == model->seq) { /* later records of the same write may have changed the holder */
        check_effect(world, link, model, sim_number(doc, 0, "id", 0));
    }
    if (!ack) check_refusal(link, model, doc);
    world->acks += ack;
    world->refusals += !ack;
    if (ack && sim_number(doc, 0, "seq", 0) > (model->exists ? model->seq : model->last_seq)) {
        sim_fail(world, "commit", "%s: an ack of seq %lld left, but only %lld is durable", model->room,
                 (long long)sim_number(doc, 0, "seq", 0), (long long)model->seq);
    }
}

static void check_seq(sim_world *world, int number_of_link, sim_model *model, int64_t seq, bool old_allowed,
                      const bw_bytes *bytes) {
    (void)number_of_link;
    if (!model->exists && seq <= model->last_seq) {
        return; /* the last message of a room that was forgotten in the same write */
    }
    if (seq > model->seq) {
        sim_fail(world, "commit", "%s: seq %lld left, but only %lld is durable: %.200s", model->room, (long long)seq,
                 (long long)model->seq, bytes->at);
    }
    if (seq < model->seen_seq && !old_allowed) {
        sim_fail(world, "falling", "%s: seq %lld was sent after %lld: %.200s", model->room, (long long)seq,
                 (long long)model->seen_seq, bytes->at);
    }
    model->seen_seq = seq > model->seen_seq ? seq : model->seen_seq;
}

void sim_check_send(sim_world *world, int number_of_link, const bw_bytes *bytes) {
    sim_link *link = &world->links[number_of_link];
    sim_model *model = sim_model_of(world, link->room);
    char type[32];
    bw_doc doc;
    if (!model) return;
    if (!sim_parse(&doc, bytes->at, bytes->length) ||
        bw_doc_text(&doc, bw_doc_member(&doc, 0, "type"), type, sizeof type) < 0) {
        sim_fail(world, "json", "%.300s", bytes->at);
        return;
    }
    if (world->trace) {
        printf("%10lld %s -> %d: %.200s\n", (long long)world->now_us, link->room, number_of_link, bytes->at);
    }
    link->told = link->told || strcmp(type, "room_state") == 0;
    if (!link->told && strcmp(type, "error") != 0) {
        sim_fail(world, "told", "connection %d of %s was sent this before any state: %.200s", number_of_link,
                 link->room, bytes->at);
    }
    int64_t seq = sim_number(&doc, 0, "seq", -1);
    bool shows = strcmp(type, "room_state") == 0 || strcmp(type, "game_update") == 0;
    if (shows && model->exists && sim_keeps_promises(world) &&
        !sim_has_room(world, &world->nodes[link->node], link->room)) {
        sim_fail(world, "teller", "node %d sends state of %s, which another node owns: %.200s", link->node, link->room,
                 bytes->at);
    }
    if (strcmp(type, "room_state") == 0) {
        check_seq(world, number_of_link, model, seq, false, bytes);
        int state = bw_doc_member(&doc, 0, "state");
        check_same(world, model, model->state_digest, seq, digest_state(&doc, state, MOMENTARY), "state", bytes);
        sim_note_position(world, model, seq, digest_state(&doc, state, OF_THE_ROOM), bytes->at);
        check_clock(world, link, model, &doc, bw_doc_member(&doc, 0, "state"));
        check_you(world, number_of_link, model, &doc);
    } else if (strcmp(type, "game_update") == 0) {
        bw_raw events = bw_doc_raw(&doc, bw_doc_member(&doc, 0, "events"));
        check_seq(world, number_of_link, model, seq, link->resumed_since, bytes);
        if (link->missed_next > 0 && seq < model->seen_seq && seq > link->missed_next && events.length > 2) {
            sim_fail(world, "missed", "%s: update %lld arrived, but %lld was missed", model->room, (long long)seq,
                     (long long)link->missed_next);
        }
        link->missed_next = link->missed_next > 0 && seq == link->missed_next ? seq + 1 : link->missed_next;
        if (events.length > 2) {
            check_same(world, model, model->events_digest, seq, sim_digest(1, events.at, events.length), "events",
                       bytes);
        }
        check_clock(world, link, model, &doc, bw_doc_member(&doc, 0, "changes"));
        check_you(world, number_of_link, model, &doc);
    } else if (strcmp(type, "game_over") == 0) {
        char id[BW_REPLAY_ID_MAX + 1];
        check_seq(world, number_of_link, model, seq, false, bytes);
        bw_doc_text(&doc, bw_doc_member(&doc, 0, "replay_id"), id, sizeof id);
        size_t length;
        if (!sim_stored_replay(world, id, &length)) {
            sim_fail(world, "commit", "%s: a promised replay is not stored", model->room);
        }
    } else if (strcmp(type, "ack") == 0 || strcmp(type, "error") == 0) {
        check_answer(world, number_of_link, model, &doc, type[0] == 'a');
    } else if (strcmp(type, "rematch") == 0) {
        char token[40], room[BW_ROOM_ID_MAX + 1];
        bw_doc_text(&doc, bw_doc_member(&doc, 0, "room_id"), room, sizeof room);
        if (bw_doc_text(&doc, bw_doc_member(&doc, 0, "token"), token, sizeof token) > 0) {
            check_token(world, link->client, token);
        }
        if (!sim_is_stored(world, room)) {
            const sim_model *next = sim_model_of(world, room);
            if (next && next->incarnation == 0) { /* not even forgotten since then */
                sim_fail(world, "commit", "%s: a rematch in %s, which is not stored", model->room, room);
            }
        }
    }
}

void sim_check_reached(sim_world *world, int number_of_link, const char *text, size_t length) {
    bw_doc doc;
    if (world->trace) {
        printf("%10lld %s <- %d: %.100s\n", (long long)world->now_us, world->links[number_of_link].room, number_of_link,
               text);
    }
    char type[32];
    sim_link *link = &world->links[number_of_link];
    if (length > 4096 || !sim_parse(&doc, text, length)) return;
    int64_t id = sim_number(&doc, 0, "id", 0), since = sim_number(&doc, 0, "since", -1);
    bw_doc_text(&doc, bw_doc_member(&doc, 0, "type"), type, sizeof type);
    if (since >= 0) {
        /* Two of them may be in flight at once, and the answer may be to either: then nothing is expected. */
        link->missed_next = link->missed_next == 0 ? since + 1 : -1;
    }
    if (id > 0) {
        sim_model *model = sim_model_of(world, link->room);
        if (model) forget_refusal(model, id);
        link->answers_due++;
        if (strcmp(type, "rematch") == 0 || strcmp(type, "leave_role") == 0 || strcmp(type, "ready") == 0 ||
            strcmp(type, "react") == 0) {
            link->without_effect[id % SIM_ASKED] = id; /* these may be acknowledged although nothing changes */
        }
    }
}

void sim_check_reply(sim_world *world, const sim_http_slot *asked, int status, const bw_bytes *bytes) {
    bw_doc doc;
    const char *room = asked->room;
    world->http_received = sim_digest(world->http_received, bytes->at, bytes->length);
    if (asked->kind == SIM_HTTP_FORK || asked->kind == SIM_HTTP_REPLAY) {
        sim_check_look_back(world, asked, status, bytes);
        return;
    }
    sim_model *model = sim_model_of(world, room);
    if (!model || status != 200) return;
    if (asked->kind == SIM_HTTP_STATE) {
        if (!sim_parse(&doc, bytes->at, bytes->length)) {
            sim_fail(world, "json", "%.300s", bytes->at);
        } else {
            sim_check_untouched(world, model, digest_state(&doc, 0, OF_THE_ROOM), bytes->at);
        }
        if (world->calm) {
            char roles[2][16] = {"", ""};
            int players = bw_doc_member(&doc, 0, "players");
            for (int i = 0; i < 2; i++) {
                for (int g = 0; g < SIM_GAMES; g++) {
                    int token = bw_doc_member(&doc, players, sim_roles[g][i]);
                    if (token >= 0) {
                        bw_raw raw = bw_doc_raw(&doc, token);
                        snprintf(roles[i], sizeof roles[i], "%.*s", (int)raw.length, raw.at);
                    }
                }
                int holders = 0;
                for (int l = 1; l <= world->link_count; l++) {
                    const sim_link *link = &world->links[l];
                    /* While the room is handed over, its former node still has connections, of which the new one cannot know. */
                    holders += link->server_open && link->sent_role == i && link->node == asked->node &&
                               strcmp(link->room, room) == 0;
                }
                if (holders > 1 || (strcmp(roles[i], "true") == 0) != (holders == 1)) {
                    sim_fail(world, "seat", "%s: seat %d shows %s, but %d connections were told that they hold it",
                             room, i, roles[i], holders);
                }
            }
        }
        return;
    }
    /* A log of a game that is not over has no seed. */
    bool ended = false, seed = false;
    for (size_t i = 0; i + 10 < bytes->length; i++) {
        ended = ended || memcmp(bytes->at + i, "{\"result\":", 10) == 0;
        seed = seed || memcmp(bytes->at + i, "\"seed\":\"", 8) == 0;
    }
    if (seed && !ended) {
        sim_fail(world, "secret", "%s: the log of a running game holds the seed", room);
    }
}
