/* The last phase of a universe, the evening: all players of one running game leave except one, who claims it, first too
 * early and then in time.
 *
 *   claim   a claim is refused until the others have been away for 180 s; after that the game is over and the one who
 *           waited has won; a repeated claim with the same id gets the same answer, even after a crash */
#include "sim.h"

enum { SECOND = 1000000 };

static void wait_for(sim_world *world, int64_t seconds) {
    sim_push(world, SIM_FAULT, world->now_us + seconds * SECOND, NULL, 0);
    for (int64_t until = world->now_us + seconds * SECOND; world->now_us < until && sim_step(world);) {
    }
}

/* The connection of the player who stays while all others of the room hang up; 0 if no player can be left alone. */
static int last_one(sim_world *world, const char *room) {
    int stays = 0;
    for (int i = 1; i <= world->link_count; i++) {
        const sim_link *link = &world->links[i];
        const sim_client *client = &world->clients[link->client];
        bool sits = link->server_open && link->client_open && !link->mute && link->sent_role >= 0 &&
                    client->link == i && client->kind != SIM_IS_SEED && client->last_status == 'a' &&
                    sim_roles[client->game][1][0];
        if (strcmp(link->room, room) == 0 && sits && client->role == link->sent_role) stays = i;
    }
    /* The others may have been away for some time already. */
    bool others = false;
    for (int i = 1; i <= world->link_count && stays; i++) {
        const sim_link *link = &world->links[i];
        others = others || (i != stays && link->server_open && strcmp(link->room, room) == 0 && link->sent_role >= 0 &&
                            link->sent_role != world->links[stays].sent_role);
    }
    if (!others) return 0;
    for (int i = 1; i <= world->link_count && stays; i++) {
        sim_link *link = &world->links[i];
        if (i == stays || !link->client_open || strcmp(link->room, room) != 0) continue;
        link->mute = false;
        sim_hang_up(world, i);
        sim_lost(world, i);
    }
    return stays;
}

static void claim(sim_world *world, int number, int64_t id) {
    sim_client *client = &world->clients[world->links[number].client];
    char text[64];
    client->claim_id = id;
    client->claim_answer[0] = 0;
    snprintf(text, sizeof text, "{\"type\":\"claim\",\"id\":%lld}", (long long)id);
    sim_send_up(world, number, text, strlen(text));
}

static const char *answer_of(const sim_world *world, int number) {
    return world->clients[world->links[number].client].claim_answer;
}

/* Returns to the seat, with the token. */
static int back(sim_world *world, int number) {
    sim_client *client = &world->clients[world->links[number].client];
    char text[160];
    client->link = sim_connect(world, world->links[number].client, client->room, sim_game_ids[client->game]);
    snprintf(text, sizeof text, "{\"type\":\"resume\",\"token\":\"%s\"}", client->token);
    if (client->link) sim_send_up(world, client->link, text, strlen(text));
    return client->link;
}

static void claim_again(sim_world *world, int number, int64_t id) {
    bool crash = sim_has(world, SIM_KILL) && sim_chance(world, 700);
    if (crash) {
        sim_kill(world, &world->nodes[0], false);
        sim_pump(world);
        wait_for(world, 5);
    }
    if (crash || !world->links[number].client_open) { /* or it has lost its connection since */
        number = back(world, number);
        if (!number) return;
    }
    claim(world, number, id);
    wait_for(world, 5);
    if (!world->failure[0] && strcmp(answer_of(world, number), "ack") != 0) {
        sim_fail(world, "claim", "%s: a claim was acknowledged, but when repeated%s it was answered by \"%s\"",
                 world->links[number].room, crash ? " after a crash" : "", answer_of(world, number));
    }
}

static void evening_of(sim_world *world, const char *room) {
    int number = last_one(world, room);
    if (!number) return;
    const sim_link *link = &world->links[number];
    sim_client *client = &world->clients[link->client];
    int role = link->sent_role;
    wait_for(world, 150);
    if (!link->client_open || link->sent_role != role || client->last_status != 'a' || world->failure[0]) return;
    int64_t id = client->next_id;
    client->next_id += 2;
    claim(world, number, id);
    wait_for(world, 5);
    if (strcmp(answer_of(world, number), "ack") == 0) {
        sim_fail(world, "claim", "%s: the game was claimed before the other was away for 180 s", room);
    }
    wait_for(world, 80);
    if (!link->client_open || client->last_status != 'a' || world->failure[0]) return;
    claim(world, number, id + 1);
    wait_for(world, 5);
    if (strcmp(answer_of(world, number), "ack") != 0) return; /* the others were bots, or nobody */
    world->claims++;
    if (client->last_status != 'e' || strcmp(client->winner, sim_roles[client->game][role]) != 0) {
        sim_fail(world, "claim", "%s: %s claimed the game, but the winner is \"%s\"", room,
                 sim_roles[client->game][role], client->winner);
    }
    if (!world->failure[0]) claim_again(world, number, id + 1);
}

void sim_evening(sim_world *world) {
    char room[8];
    world->calm = true;
    if (world->nodes[0].draining) return;
    /* Only one room: a claim takes four minutes, in which the games of the other rooms are forgotten. */
    uint32_t first = sim_below(world, SIM_ROOMS);
    for (uint32_t i = 0; i < SIM_ROOMS && !world->failure[0]; i++) {
        uint64_t before = world->claims;
        snprintf(room, sizeof room, "ROOM%u", (first + i) % SIM_ROOMS);
        evening_of(world, room);
        if (world->claims != before) break;
    }
    world->calm = false;
}
