/* All clients of a test's process: see kill.h. */
#include "tests/protocol/kill.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

kill_figures kill_did;
kill_table kill_tables[KILL_TABLES];
int kill_table_count;

static uint64_t dice;

void kill_seed(uint64_t seed) { dice = seed; }

double kill_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

uint32_t kill_roll(uint32_t below) {
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(dice >> 33) % below;
}

/* ---- all clients ---- */

/* The i-th client of all; NULL after the last. */
kill_player *kill_player_at(int index) {
    for (int i = 0; i < kill_table_count; index -= kill_tables[i++].count) {
        if (index < kill_tables[i].count) return &kill_tables[i].players[index];
    }
    return NULL;
}

bool kill_is_back(const kill_player *p) { return p->seat < 0 ? p->state != NULL : p->seated; }

void kill_send_again(kill_player *p) {
    kill_drop_once(p);
    for (int k = 0; k < p->pending_count; k++) {
        kill_did.resent += p->pending[k].sent;
        p->pending[k].sent = false;
    }
    p->returns = false;
}

/* Through any node. What was not answered is sent again once the seat is back. */
void kill_come_back(kill_player *p) {
    p->returns = true;
    kill_connect(p);
}

void kill_poll(int wait_ms) {
    struct pollfd fds[KILL_TABLES * (KILL_SEATS + 1)];
    nfds_t count = 0;
    kill_player *p;
    for (int i = 0; (p = kill_player_at(i)); i++) {
        if (p->connected) fds[count++] = (struct pollfd){.fd = p->c.fd, .events = POLLIN};
    }
    poll(fds, count, wait_ms);
    for (int i = 0; (p = kill_player_at(i)); i++) {
        kill_listen(p);
        if (p->moved) kill_connect(p);
        else if (kill_is_cluster() && !p->connected && p->c.buffer) kill_come_back(p);
        if (p->returns && kill_is_back(p)) kill_send_again(p);
    }
}

bool kill_wait_for(bool (*done)(const kill_player *), const kill_player *p) {
    double until = kill_seconds() + 5;
    while (!done(p)) {
        if (kill_seconds() > until) return false;
        kill_poll(20);
    }
    return true;
}

static bool has_state(const kill_player *p) { return p->state != NULL; }

void kill_everybody_acts(void) {
    kill_player *p;
    for (int i = 0; (p = kill_player_at(i)); i++) kill_act(p);
}

void kill_play_for(double duration) {
    for (double until = kill_seconds() + duration; kill_seconds() < until;) {
        kill_everybody_acts();
        kill_poll(5);
    }
}

/* ---- rooms ---- */

void kill_open_table(int number) {
    kill_table *table = &kill_tables[kill_table_count++];
    char text[120];
    *table = kill_table_of(number);
    snprintf(text, sizeof text, "KILL%04d", number);
    kill_room *room = kill_room_of(text, kill_game_of(table->kind));
    for (int i = 0; i < table->count; i++) {
        kill_player *p = &table->players[i];
        *p = (kill_player){
            .table = table, .room = room, .seat = i < kill_people_of(table) ? i : BW_WATCHER, .next_id = 1};
        kill_connect(p);
        if (!kill_wait_for(has_state, p)) kill_fail("room %s sends no state", room->id);
        if (p->seat < 0) continue;
        snprintf(text, sizeof text, "{\"type\":\"select_role\",\"role\":\"%s\",\"reserve\":true}", kill_role(p));
        kill_say(p, text);
        if (!kill_wait_for(kill_is_back, p)) kill_fail("room %s: no seat", room->id);
    }
    kill_set_up(&table->players[0]);
}

/* Every room that has clients, once. */
void kill_compare_all(void) {
    for (int t = 0; t < kill_table_count; t++) {
        for (int i = 0; i < kill_tables[t].count; i++) {
            kill_room *room = kill_tables[t].players[i].room;
            bool seen = false;
            for (int k = 0; k < i; k++) seen = seen || kill_tables[t].players[k].room == room;
            if (!seen) kill_room_compare(room, &kill_tables[t]);
        }
    }
}
