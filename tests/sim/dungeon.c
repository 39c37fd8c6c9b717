/* Plays Monadungeon with mostly legal steps, so that turns end and players meet monsters. */
#include "sim.h"

void sim_dungeon_hear(sim_client *client, const bw_doc *doc, int at) {
    int awaiting = bw_doc_member(doc, at, "awaiting"), players = bw_doc_member(doc, at, "players_info");
    if (awaiting >= 0 && bw_doc_text(doc, awaiting, client->awaiting, sizeof client->awaiting) < 0) {
        client->awaiting[0] = 0; /* null */
    }
    if (client->role < 0 || players < 0) return;
    int mine = bw_doc_member(doc, players, sim_roles[client->game][client->role]);
    client->x = sim_number(doc, mine, "x", client->x);
    client->y = sim_number(doc, mine, "y", client->y);
}

/* An action, without its closing brace. */
void sim_dungeon_act(sim_world *world, const sim_client *client, char *text, size_t cap) {
    static const int ways[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    const int *way = ways[sim_below(world, 4)];
    uint32_t dice = sim_below(world, 20);
    if (strcmp(client->awaiting, "place") == 0 && dice > 0) {
        snprintf(text, cap, "{\"type\":\"place\",\"rotation\":%u", sim_below(world, 4));
    } else if (strcmp(client->awaiting, "battle") == 0 && dice > 0) {
        snprintf(text, cap, "{\"type\":\"battle\",\"fireballs\":%d", dice == 1);
    } else if (strcmp(client->awaiting, "loot") == 0 && dice > 0) {
        snprintf(text, cap, "{\"type\":\"%s\"", dice < 6 ? "leave_loot" : "pick_up");
    } else if (dice < 14) {
        snprintf(text, cap, "{\"type\":\"%s\",\"to\":{\"x\":%lld,\"y\":%lld}", dice < 9 ? "explore" : "move",
                 (long long)client->x + way[0], (long long)client->y + way[1]);
    } else {
        static const char *const others[] = {"pick_up", "open_chest", "rest", "end_turn", "end_turn", "end_turn"};
        snprintf(text, cap, "{\"type\":\"%s\"", others[dice - 14]);
    }
}
