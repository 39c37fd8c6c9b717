/* The clients: players, people who press twice, people with two tabs, clients of seed 1, spectators, liars,
 * sleepers, flooders. */
#include "sim.h"

const char *const sim_game_ids[SIM_GAMES] = {"flooded_island", "flag_war", "blank", "flood_it", "monadungeon"};
const char *const sim_roles[SIM_GAMES][2] = {
    {"journeyman", "weather"}, {"blue", "red"}, {"first", "second"}, {"player", ""}, {"player1", "player2"}};

enum { SECOND = 1000000 };

static void later(sim_world *world, int index, int64_t least_us, uint32_t spread_us) {
    sim_push(world, SIM_ACT, world->now_us + least_us + sim_below(world, spread_us), NULL, index);
}

bool sim_has_evening(const sim_world *world) { return world->seed % 4 == 0; }

/* As many rooms as the universe crowds; so every second universe has another game in one of them. */
static int game_of(const sim_world *world, int room) { return room == 2 && world->seed % 2 == 0 ? 4 : room % 4; }

static void new_home(sim_world *world, sim_client *client) {
    int room = (int)sim_below(world, SIM_ROOMS);
    client->game = game_of(world, room);
    snprintf(client->room, sizeof client->room, "ROOM%d", room);
    if (world->fork_count > 0 && sim_has(world, SIM_FORK) && sim_chance(world, 400)) {
        const sim_fork *fork = &world->fork_rooms[sim_below(world, (uint32_t)world->fork_count)];
        memcpy(client->room, fork->room, sizeof client->room);
        client->game = fork->game;
    }
    client->token[0] = 0;
    client->unanswered_count = 0;
    client->next_id = 1;
    client->since = 0;
    client->secret_step = 0;
    client->day = 0;
    client->common_staged = false;
}

void sim_clients_init(sim_world *world) {
    static const sim_kind kinds[SIM_CLIENTS] = {
        SIM_IS_PLAYER, SIM_IS_PLAYER, SIM_IS_PLAYER, SIM_IS_PLAYER,    SIM_IS_PLAYER, SIM_IS_DOUBLE,  SIM_IS_DOUBLE,
        SIM_IS_TABS,   SIM_IS_SEED,   SIM_IS_SEED,   SIM_IS_SPECTATOR, SIM_IS_LIAR,   SIM_IS_SLEEPER, SIM_IS_FLOOD};
    for (int i = 0; i < SIM_CLIENTS; i++) {
        sim_client *client = &world->clients[i];
        *client = (sim_client){.kind = kinds[i], .role = -1, .received = 1};
        new_home(world, client);
        client->wanted_role = (int)sim_below(world, 2);
        later(world, i, 0, 3 * SECOND);
    }
}

/* ---- sending ---- */

static void say(sim_world *world, int index, const char *text) {
    sim_client *client = &world->clients[index];
    if (!client->link) return;
    sim_send_up(world, client->link, text, strlen(text));
    if (client->kind == SIM_IS_DOUBLE && sim_has(world, SIM_DOUBLE) && sim_chance(world, 400)) {
        sim_send_up(world, client->link, text, strlen(text));
    }
}

/* Sends `body`, which lacks its closing brace, with an id and keeps it until it is answered: a reconnect sends it
 * again. */
static void intend(sim_world *world, int index, const char *body) {
    sim_client *client = &world->clients[index];
    char text[200];
    bool with_id = client->kind != SIM_IS_SEED && client->kind != SIM_IS_LIAR && client->kind != SIM_IS_SPECTATOR;
    if (!with_id || client->unanswered_count == SIM_UNANSWERED) {
        if (!with_id) {
            snprintf(text, sizeof text, "%s}", body);
            say(world, index, text);
        }
        return;
    }
    sim_unanswered *kept = &client->unanswered[client->unanswered_count++];
    kept->id = client->next_id++;
    snprintf(kept->text, sizeof kept->text, "%s,\"id\":%lld}", body, (long long)kept->id);
    say(world, index, kept->text);
}

static void resume(sim_world *world, int index) {
    sim_client *client = &world->clients[index];
    char text[160];
    if (client->since > 0 && sim_chance(world, 700)) {
        world->links[client->link].resumed_since = true;
        snprintf(text, sizeof text, "{\"type\":\"resume\",\"token\":\"%s\",\"since\":%lld}", client->token,
                 (long long)client->since);
    } else {
        snprintf(text, sizeof text, "{\"type\":\"resume\",\"token\":\"%s\"}", client->token);
    }
    say(world, index, text);
    world->resumes++;
    for (int i = 0; i < client->unanswered_count; i++) {
        say(world, index, client->unanswered[i].text);
    }
}

static void connect(sim_world *world, int index) {
    sim_client *client = &world->clients[index];
    client->role = -1;
    client->link = sim_connect(world, index, client->room, sim_game_ids[client->game]);
    if (client->link && client->token[0] && client->kind != SIM_IS_SEED) resume(world, index);
}

/* ---- choosing actions ---- */

static void seat(sim_world *world, int index) {
    sim_client *client = &world->clients[index];
    char text[200];
    if (sim_has(world, SIM_BOTS) && sim_chance(world, 20)) client->wanted_role ^= 1;
    client->unanswered_count = 0;
    if (!client->token[0]) {
        client->next_id = 1; /* a new holder; with an old token the client may get back its old seat and ids */
    }
    client->secret_step = 0;
    client->day = 0;
    client->common_staged = false;
    const char *role = sim_roles[client->game][sim_chance(world, 850) ? client->wanted_role : 1 - client->wanted_role];
    role = role[0] ? role : sim_roles[client->game][0];
    snprintf(text, sizeof text, "{\"type\":\"select_role\",\"role\":\"%s\",\"name\":\"c%d\",\"reserve\":%s", role,
             index, sim_chance(world, 500) ? "true" : "false");
    intend(world, index, text);
}

static void configure(sim_world *world, int index) {
    sim_client *client = &world->clients[index];
    char text[120];
    uint32_t dice = sim_below(world, 10);
    if (dice < 2 && sim_has(world, SIM_BOTS) && client->game != 3) {
        snprintf(text, sizeof text, "{\"type\":\"%s\",\"role\":\"%s\"%s",
                 sim_chance(world, 800) ? "add_bot" : "remove_bot", sim_roles[client->game][1 - client->wanted_role],
                 ",\"level\":\"easy\"");
        if (strstr(text, "remove_bot")) {
            snprintf(text, sizeof text, "{\"type\":\"remove_bot\",\"role\":\"%s\"",
                     sim_roles[client->game][1 - client->wanted_role]);
        }
    } else if (dice < 4 && client->game == 3) {
        snprintf(text, sizeof text, "{\"type\":\"configure\",\"rows\":%d,\"cols\":4,\"move_limit\":%d",
                 3 + (int)sim_below(world, 3), (int)sim_below(world, 3) * 4);
    } else if (dice < 4 && client->game == 4) {
        snprintf(text, sizeof text, "{\"type\":\"configure\",\"deck_size\":%d,\"max_hp\":%d,\"torch_turns\":%d",
                 8 + (int)sim_below(world, 20), 1 + (int)sim_below(world, 5), 1 + (int)sim_below(world, 3));
    } else if (dice < 4 && client->game != 1) {
        snprintf(text, sizeof text, "{\"type\":\"configure\",\"width\":%d", 3 + (int)sim_below(world, 3));
    } else if (dice < 4) {
        snprintf(text, sizeof text, "{\"type\":\"configure\",\"pieces\":%d,\"ready_ms\":%d",
                 1 + (int)sim_below(world, 4), (int)sim_below(world, 3) * 10000);
    } else if (dice < 5) {
        snprintf(text, sizeof text, "{\"type\":\"leave_role\"");
    } else if (dice < 8 && client->game == 0) {
        snprintf(text, sizeof text, "{\"type\":\"configure_grid\",\"size\":%d", 3 + (int)sim_below(world, 3));
    } else {
        snprintf(text, sizeof text, "{\"type\":\"start\"");
    }
    intend(world, index, text);
}

/* Has an id but is never sent again: secrets must be staged at one moment only, so that the twins stay alike. */
static void whisper(sim_world *world, int index, const char *body) {
    sim_client *client = &world->clients[index];
    char text[200];
    client->common_staged = false;
    client->common_id = 0;
    snprintf(text, sizeof text, "%s,\"id\":%lld}", body, (long long)client->next_id++);
    say(world, index, text);
}

/* On the first day players stage secrets, which differ between the twins, then what both twins play. */
static bool secrets(sim_world *world, int index) {
    sim_client *client = &world->clients[index];
    static const char *const island[2][2] = {
        {"{\"type\":\"move\",\"position\":{\"x\":1,\"y\":0}", "{\"type\":\"move\",\"position\":{\"x\":0,\"y\":1}"},
        {"{\"type\":\"flood\",\"positions\":[{\"x\":2,\"y\":2}]",
         "{\"type\":\"flood\",\"positions\":[{\"x\":2,\"y\":0}]"}};
    static const char *const common[2] = {"{\"type\":\"move\",\"position\":{\"x\":1,\"y\":1}",
                                          "{\"type\":\"flood\",\"positions\":[{\"x\":0,\"y\":2}]"};
    if (!sim_has(world, SIM_SECRETS) || client->day != 1) return false;
    int step = client->secret_step++;                      /* the secrets come first, once */
    if (!client->my_turn || client->kind == SIM_IS_SEED) { /* without acks a seed-1 client cannot know what is staged */
        say(world, index, "{\"type\":\"ping\",\"t\":3}");
    } else if (client->common_staged && step > 1) {
        /* Not before what both twins stage is known to be staged. */
        whisper(world, index, "{\"type\":\"end_turn\"");
    } else if (step < 2) {
        whisper(world, index, island[client->role][(world->twin + step) & 1]);
    } else {
        whisper(world, index, common[client->role]);
        client->common_id = client->next_id - 1;
    }
    return true;
}

static void order(sim_world *world, int index) {
    static const char *const ways[4] = {"up", "down", "left", "right"};
    char text[160];
    int piece = 1 + (int)sim_below(world, 3);
    uint32_t dice = sim_below(world, 10);
    int far = 95;
    if (dice == 0 && sim_has(world, SIM_SECRETS) && !sim_has_evening(world) && world->now_us < INT64_C(200) * SECOND) {
        /* An order for a round that this universe does not reach: no other client may notice it. */
        snprintf(text, sizeof text,
                 "{\"type\":\"command\",\"piece\":%d,\"direction\":\"%s\",\"distance\":%d,\"round\":%d", 1,
                 world->twin ? "left" : "right", 1 + world->twin, far);
        whisper(world, index, text);
        return;
    } else if (dice == 1) {
        snprintf(text, sizeof text, "{\"type\":\"cancel\",\"piece\":%d", piece);
    } else {
        snprintf(text, sizeof text, "{\"type\":\"command\",\"piece\":%d,\"direction\":\"%s\",\"distance\":%d", piece,
                 ways[sim_below(world, 4)], 1 + (int)sim_below(world, 4));
    }
    intend(world, index, text);
}

/* A board of colours; now and then a new one, which invalidates what a solver knows. */
static void flood(sim_world *world, int index) {
    static const char *const colors[4] = {"red", "green", "blue", "yellow"};
    char text[160];
    uint32_t dice = sim_below(world, 40);
    if (dice < 3) {
        snprintf(text, sizeof text, "{\"type\":\"%s\"", dice == 0 ? "undo" : dice == 1 ? "redo" : "reset");
    } else if (dice < 5) {
        snprintf(text, sizeof text, "{\"type\":\"new_game\",\"settings\":{\"rows\":%u}", 3 + sim_below(world, 3));
    } else {
        snprintf(text, sizeof text, "{\"type\":\"select_color\",\"color\":\"%s\"", colors[sim_below(world, 4)]);
    }
    intend(world, index, text);
}

static void play(sim_world *world, int index) {
    sim_client *client = &world->clients[index];
    char text[160];
    int x = (int)sim_below(world, 4), y = (int)sim_below(world, 4);
    if (sim_chance(world, 8)) {
        intend(world, index, sim_chance(world, 500) ? "{\"type\":\"resign\"" : "{\"type\":\"leave_role\"");
        return;
    }
    if (client->game == 1) {
        order(world, index);
        return;
    }
    if (client->game == 2) {
        snprintf(text, sizeof text, "{\"type\":\"mark\",\"x\":%d,\"y\":%d", x, y);
        intend(world, index, text);
        return;
    }
    if (client->game == 3) {
        flood(world, index);
        return;
    }
    if (client->game == 4) {
        sim_dungeon_act(world, client, text, sizeof text);
        intend(world, index, text);
        return;
    }
    if (secrets(world, index)) return;
    if (sim_chance(world, 350)) {
        intend(world, index, "{\"type\":\"end_turn\"");
    } else if (client->role == 0) {
        snprintf(text, sizeof text, "{\"type\":\"move\",\"position\":{\"x\":%d,\"y\":%d}", x, y);
        intend(world, index, sim_chance(world, 50) ? "{\"type\":\"move\",\"position\":null" : text);
    } else {
        snprintf(text, sizeof text, "{\"type\":\"flood\",\"positions\":[{\"x\":%d,\"y\":%d}]", x, y);
        intend(world, index, sim_chance(world, 50) ? "{\"type\":\"flood\",\"positions\":[]" : text);
    }
}

static void after_the_end(sim_world *world, int index) {
    if (sim_has(world, SIM_REMATCH) && sim_chance(world, 600)) {
        intend(world, index,
               sim_chance(world, 150)   ? "{\"type\":\"rematch\",\"cancel\":true"
               : sim_chance(world, 300) ? "{\"type\":\"rematch\",\"swap\":true"
                                        : "{\"type\":\"rematch\"");
    } else if (sim_chance(world, 200)) {
        sim_hang_up(world, world->clients[index].link);
        world->clients[index].link = 0;
        new_home(world, &world->clients[index]);
    }
}

static void lie(sim_world *world, int index) {
    static const char *const lies[] = {
        "",
        "{",
        "[]",
        "null",
        "{\"type\":1}",
        "{\"type\":\"nonsense\"}",
        "{\"type\":\"round\",\"orders\":[]}",
        "{\"type\":\"end_turn\"}",
        "{\"type\":\"move\",\"position\":{\"x\":9999,\"y\":-1}}",
        "{\"type\":\"start\"}",
        "{\"type\":\"configure\",\"width\":1000}",
        "{\"type\":\"resume\",\"token\":\"00\"}",
        "{\"type\":\"select_role\",\"role\":\"god\"}",
        "{\"type\":\"rematch\"}",
        "{\"type\":\"leave_role\",\"id\":1}",
        "{\"type\":\"select_role\",\"role\":\"weather\",\"name\":\"\\ud800\"}",
        "{\"type\":\"ping\",\"t\":1,\"id\":0}",
        "{\"type\":\"remove_bot\",\"role\":\"weather\"}",
        "{\"type\":\"resume\",\"token\":\"00112233445566778899aabbccddeeff\"}",
    };
    char text[200];
    uint32_t dice = sim_below(world, sizeof lies / sizeof lies[0] + 2);
    if (dice < sizeof lies / sizeof lies[0]) {
        say(world, index, lies[dice]);
    } else if (dice & 1) {
        char long_text[6000];
        memset(long_text, 'x', sizeof long_text);
        sim_send_up(world, world->clients[index].link, long_text, sizeof long_text);
    } else { /* a stranger's old token; one that was sent to this very client would not be a lie */
        snprintf(text, sizeof text, "{\"type\":\"resume\",\"token\":\"%032x\"}", sim_below(world, 1000));
        say(world, index, text);
    }
}

/* The other tab of the same browser: it knows the token and takes the seat. */
static void other_tab(sim_world *world, int index) {
    sim_client *client = &world->clients[index];
    int other = client->other_tab;
    client->other_tab = client->link;
    client->link = other;
    if (other && world->links[other].client_open) {
        if (sim_chance(world, 500)) {
            resume(world, index);
        } else {
            sim_hang_up(world, client->other_tab); /* the stale tab closes */
            client->other_tab = 0;
            resume(world, index);
        }
    } else {
        connect(world, index);
    }
}

/* Messages other than moves, at times and in states that allow them or not. */
static void aside(sim_world *world, int index) {
    static const char *const reactions[] = {"wave", "clap", "laugh", "think", "oops", "heart"};
    sim_client *client = &world->clients[index];
    const char *other = sim_roles[client->game][client->role == 0];
    char text[160];
    switch (sim_below(world, 5)) {
    case 0: snprintf(text, sizeof text, "{\"type\":\"ready\""); break;
    case 1: snprintf(text, sizeof text, "{\"type\":\"rename\",\"name\":\"n%d\"", (int)sim_below(world, 100)); break;
    case 2:
        snprintf(text, sizeof text, "{\"type\":\"react\",\"reaction\":\"%s\"", reactions[sim_below(world, 6)]);
        break;
    case 3: snprintf(text, sizeof text, "{\"type\":\"claim\""); break;
    default:
        snprintf(text, sizeof text, "{\"type\":\"stand_in\",\"role\":\"%s\",\"level\":\"easy\"",
                 other[0] ? other : sim_roles[client->game][0]);
    }
    intend(world, index, text);
}

static void act_connected(sim_world *world, int index) {
    sim_client *client = &world->clients[index];
    if (client->kind == SIM_IS_SPECTATOR) {
        say(world, index, "{\"type\":\"ping\",\"t\":1}");
    } else if (client->kind == SIM_IS_LIAR) {
        lie(world, index);
    } else if (client->kind == SIM_IS_FLOOD && sim_has(world, SIM_FLOOD) && sim_chance(world, 30)) {
        for (int i = 0; i < 90; i++) say(world, index, "{\"type\":\"ping\",\"t\":2}");
    } else if (client->role < 0) {
        if (client->token[0] && sim_chance(world, 500) && client->kind != SIM_IS_SEED) {
            resume(world, index);
        } else if (sim_chance(world, 300)) {
            seat(world, index);
        } else {
            say(world, index, "{\"type\":\"ping\",\"t\":4}");
        }
    } else if (sim_chance(world, 60)) {
        aside(world, index);
    } else if (client->last_status == 'a') {
        play(world, index);
    } else if (client->last_status == 'e') {
        after_the_end(world, index);
    } else {
        configure(world, index);
    }
}

void sim_act(sim_world *world, int index) {
    sim_client *client = &world->clients[index];
    if ((client->kind == SIM_IS_LIAR && !sim_has(world, SIM_LIAR)) ||
        (client->kind == SIM_IS_SEED && !sim_has(world, SIM_SEED_CLIENT))) {
        return;
    }
    if (!client->link || !world->links[client->link].client_open) {
        connect(world, index);
        later(world, index, SECOND / 4, SECOND);
        return;
    }
    uint32_t dice = sim_below(world, 1000);
    if (dice < 12) { /* the page is closed or reloaded */
        sim_hang_up(world, client->link);
        client->link = 0;
        if (sim_chance(world, 100)) new_home(world, client);
        later(world, index, SECOND / 10, (client->kind == SIM_IS_SLEEPER ? 60u : 4u) * SECOND);
        return;
    }
    if (client->kind == SIM_IS_TABS && sim_has(world, SIM_TABS) && dice < 80 && client->token[0]) {
        other_tab(world, index);
    } else {
        act_connected(world, index);
    }
    bool sleeps = client->kind == SIM_IS_SLEEPER && sim_has(world, SIM_SLEEP) && dice > 900;
    later(world, index, SECOND / 8, sleeps ? 90u * SECOND : 3u * SECOND / 2);
}

void sim_lost(sim_world *world, int number) {
    sim_client *client = &world->clients[world->links[number].client];
    if (client->link == number) {
        client->link = 0;
        client->role = -1;
    } else if (client->other_tab == number) {
        client->other_tab = 0;
    }
}

/* ---- receiving ---- */

static int64_t number_at(const bw_doc *doc, int object, const char *key, int64_t otherwise) {
    int64_t value;
    return bw_doc_int(doc, bw_doc_member(doc, object, key), &value) ? value : otherwise;
}

static void answered(sim_client *client, int64_t id) {
    for (int i = 0; i < client->unanswered_count; i++) {
        if (client->unanswered[i].id == id) {
            memmove(&client->unanswered[i], &client->unanswered[i + 1],
                    (size_t)(client->unanswered_count - i - 1) * sizeof client->unanswered[0]);
            client->unanswered_count--;
            return;
        }
    }
}

/* Whose turn it is, from a whole state or from the changes to one. */
static void hear_turn(sim_client *client, const bw_doc *doc, int at) {
    char role[24];
    client->day = number_at(doc, at, "current_turn", client->day);
    int token = bw_doc_member(doc, at, "current_role");
    if (token >= 0) {
        client->my_turn = client->role >= 0 && bw_doc_text(doc, token, role, sizeof role) > 0 &&
                          strcmp(role, sim_roles[client->game][client->role]) == 0;
    }
}

static void hear_state(sim_client *client, const bw_doc *doc) {
    char text[40], role[24];
    int state = bw_doc_member(doc, 0, "state"), you = bw_doc_member(doc, 0, "you");
    if (bw_doc_text(doc, bw_doc_member(doc, state, "game_status"), text, sizeof text) > 0) {
        client->last_status = (uint64_t)text[0];
    }
    client->role = -1;
    if (bw_doc_text(doc, bw_doc_member(doc, you, "role"), role, sizeof role) > 0) {
        client->role = strcmp(role, sim_roles[client->game][1]) == 0;
        bw_doc_text(doc, bw_doc_member(doc, you, "token"), client->token, sizeof client->token);
        client->since = number_at(doc, 0, "seq", 0);
    }
    hear_turn(client, doc, state);
    if (client->game == 4) sim_dungeon_hear(client, doc, state);
}

static void hear_claim(sim_client *client, const bw_doc *doc, const char *answer) {
    if (client->claim_id == 0 || number_at(doc, 0, "id", 0) != client->claim_id) return;
    snprintf(client->claim_answer, sizeof client->claim_answer, "%s", answer);
}

void sim_hear(sim_world *world, int number, const char *bytes, size_t length) {
    enum { TOKENS = 16384 };
    static _Thread_local bw_token tokens[TOKENS];
    sim_link *link = &world->links[number];
    sim_client *client = &world->clients[link->client];
    char type[32];
    bw_doc doc;
    bw_error_text why;
    /* Everything except the receiver's own part, which comes last. */
    size_t shared = length;
    for (size_t i = 0; i + 7 < length && shared == length; i++) {
        if (bytes[i] == ',' && memcmp(bytes + i, ",\"you\":", 7) == 0) shared = i;
    }
    client->received = sim_digest(client->received, bytes, shared);
    client->heard_count++;
    if (client->link != number || bw_doc_parse(&doc, bytes, length, tokens, TOKENS, 16, &why) < 0) {
        return;
    }
    bw_doc_text(&doc, bw_doc_member(&doc, 0, "type"), type, sizeof type);
    if (strcmp(type, "room_state") == 0) {
        hear_state(client, &doc);
    } else if (strcmp(type, "game_update") == 0) {
        client->since = number_at(&doc, 0, "seq", client->since);
        hear_turn(client, &doc, bw_doc_member(&doc, 0, "changes"));
        if (client->game == 4) sim_dungeon_hear(client, &doc, bw_doc_member(&doc, 0, "changes"));
    } else if (strcmp(type, "game_over") == 0) {
        client->last_status = 'e';
        client->winner[0] = 0;
        bw_doc_text(&doc, bw_doc_member(&doc, 0, "winner"), client->winner, sizeof client->winner);
    } else if (strcmp(type, "ack") == 0) {
        answered(client, number_at(&doc, 0, "id", 0));
        hear_claim(client, &doc, "ack");
        client->common_staged =
            client->common_staged || (client->common_id > 0 && number_at(&doc, 0, "id", 0) == client->common_id);
    } else if (strcmp(type, "error") == 0) {
        char code[32];
        bw_doc_text(&doc, bw_doc_member(&doc, 0, "code"), code, sizeof code);
        hear_claim(client, &doc, code);
        if (strcmp(code, "storage") != 0 && strcmp(code, "draining") != 0) {
            answered(client, number_at(&doc, 0, "id", 0)); /* those two may be retried */
        }
    } else if (strcmp(type, "rematch") == 0 && bw_doc_member(&doc, 0, "token") >= 0 && client->kind != SIM_IS_SEED) {
        sim_hang_up(world, number);
        client->link = 0;
        bw_doc_text(&doc, bw_doc_member(&doc, 0, "room_id"), client->room, sizeof client->room);
        bw_doc_text(&doc, bw_doc_member(&doc, 0, "token"), client->token, sizeof client->token);
        client->unanswered_count = 0;
        client->next_id = 1;
        client->since = 0;
        client->secret_step = 0;
        client->day = 0;
        client->common_staged = false;
    }
}
