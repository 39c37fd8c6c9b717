/* Connections that one node passes on to another, over server/relay.h: bytes in pieces of any size, sockets that
 * accept only a part, and closes that are noticed late or never. */
#include "server/relay.h"
#include "postgres.h"

enum { MS = 1000, SECOND = 1000000, BUFFER = 600, SILENCE_US = 15 * SECOND, CONNECT_US = 3 * SECOND, HEAD = 5 };
enum { TO_OWNER, END_TO_OWNER, TO_ENTRY, WRITABLE };

typedef struct bytes {
    char *at;
    size_t length, cap;
    bool ended;
} bytes;

typedef struct sim_relay {
    uint32_t entry_generation, owner_generation;
    int owner;
    bool broken;                   /* something was lost: nothing after it is passed on */
    bw_way out, back;              /* at the entry */
    bytes from_client, from_owner; /* arrived, but not yet read by the relay */
    bytes at_owner, at_client;     /* of a message that is not yet complete */
    int64_t out_at, back_at;
    char memory[2 * BUFFER];
} sim_relay;

static void add(bytes *to, const void *from, size_t length) {
    if (to->length + length > to->cap) {
        to->cap = 2 * (to->length + length);
        to->at = realloc(to->at, to->cap);
    }
    if (length > 0) memcpy(to->at + to->length, from, length);
    to->length += length;
}

static void drop(bytes *from, size_t length) {
    if (length < from->length) memmove(from->at, from->at + length, from->length - length);
    from->length -= length;
}

/* ---- messages as bytes ---- */

static void add_message(bytes *to, uint8_t kind, const char *text, uint32_t length) {
    char head[HEAD] = {(char)kind};
    memcpy(head + 1, &length, sizeof length);
    add(to, head, HEAD);
    add(to, text, length);
}

/* The first complete one; NULL if it has not arrived yet. */
static bw_bytes *next_message(sim_world *world, bytes *from, uint8_t *kind) {
    uint32_t length;
    if (from->length < HEAD) return NULL;
    *kind = (uint8_t)from->at[0];
    memcpy(&length, from->at + 1, sizeof length);
    if (*kind > 1 || length > 1 << 22) {
        sim_fail(world, "relay", "what was passed on arrived out of order, or twice");
        return NULL;
    }
    if (from->length < HEAD + length) return NULL;
    bw_bytes *message = sim_bytes(from->at + HEAD, length);
    drop(from, HEAD + length);
    return message;
}

/* ---- connections ---- */

static bool has_entry(const sim_world *world, const sim_link *link) {
    return world->nodes[link->entry].hall && world->nodes[link->entry].generation == link->relay->entry_generation;
}

static bool has_owner(const sim_world *world, const sim_link *link) {
    const sim_node *owner = &world->nodes[link->relay->owner];
    return owner->hall && owner->generation == link->relay->owner_generation;
}

/* The network is cut for so long that both ends give up. */
static void give_up(sim_world *world, int number, int64_t after) {
    sim_link *link = &world->links[number];
    if (has_entry(world, link)) {
        sim_push(world, SIM_RELAY_CLOSE, world->now_us + after, &world->nodes[link->entry], number)->code = 1006;
    }
    if (has_owner(world, link)) {
        sim_push(world, SIM_RELAY_CLOSE, world->now_us + after, &world->nodes[link->relay->owner], number);
    }
}

static int64_t arrives(sim_world *world, int from, int to, int64_t *last) {
    int64_t at = sim_passes(world, from, to);
    if (at < 0) return -1;
    *last = at > *last ? at : *last + 1;
    return *last;
}

static void send(sim_world *world, int number, int what, const char *text, size_t length) {
    sim_link *link = &world->links[number];
    sim_relay *relay = link->relay;
    bool up = what != TO_ENTRY;
    int from = up ? link->entry : relay->owner, to = up ? relay->owner : link->entry;
    if (relay->broken || (up ? !has_owner(world, link) : !has_entry(world, link))) return;
    int64_t at = arrives(world, from, to, up ? &relay->out_at : &relay->back_at);
    if (at < 0) {
        relay->broken = true;
        give_up(world, number, SILENCE_US);
        return;
    }
    sim_event *event = sim_push(world, SIM_RELAY, at, &world->nodes[to], number);
    event->code = what;
    event->bytes = length ? sim_bytes(text, length) : NULL;
}

/* ---- the relay itself, at the entry ---- */

/* How many bytes a socket accepts. */
static size_t some(sim_world *world, size_t length) {
    return sim_chance(world, 150) ? sim_below(world, (uint32_t)length + 1) : length;
}

static void tell_client(sim_world *world, int number) {
    sim_relay *relay = world->links[number].relay;
    uint8_t kind;
    bw_bytes *message;
    while (!world->failure[0] && (message = next_message(world, &relay->at_client, &kind))) {
        if (kind == 0) {
            sim_send_down(world, number, message);
            continue;
        }
        int code = 0;
        memcpy(&code, message->at, sizeof code);
        sim_close_link(world, number, code);
        bw_bytes_release(message);
    }
}

static void write_some(sim_world *world, int number, bw_way *way) {
    sim_relay *relay = world->links[number].relay;
    size_t length;
    const char *rest = bw_way_rest(way, &length);
    size_t taken = some(world, length);
    if (taken > 0 && way == &relay->out) send(world, number, TO_OWNER, rest, taken);
    else if (taken > 0) add(&relay->at_client, rest, taken);
    bw_way_gave(way, taken);
}

static void read_some(bw_way *way, bytes *from) {
    if (!bw_way_reads(way) || (from->length == 0 && !from->ended)) return;
    size_t count = from->length < way->cap ? from->length : way->cap;
    if (count > 0) memcpy(way->bytes, from->at, count);
    drop(from, count);
    bw_way_got(way, count);
}

/* One iteration of the loop. */
static void turn(sim_world *world, int number) {
    sim_link *link = &world->links[number];
    sim_relay *relay = link->relay;
    bw_way *ways[2] = {&relay->out, &relay->back};
    bytes *sources[2] = {&relay->from_client, &relay->from_owner};
    bool more = false;
    for (int i = 0; i < 2; i++) {
        for (int tries = 0; tries < 8; tries++) {
            read_some(ways[i], sources[i]);
            write_some(world, number, ways[i]);
        }
        if (bw_way_ends(ways[i])) {
            if (i == 0) send(world, number, END_TO_OWNER, "", 0);
            /* the client was sent a close by then */
        }
        more = more || ways[i]->length > 0 || (!ways[i]->ended && sources[i]->length > 0);
    }
    tell_client(world, number);
    if (more) {
        sim_push(world, SIM_RELAY, world->now_us + 100 + sim_below(world, 20 * MS), &world->nodes[link->entry], number)
            ->code = WRITABLE;
    }
}

void sim_relay_start(sim_world *world, int number, int owner) {
    sim_link *link = &world->links[number];
    sim_relay *relay = link->relay = calloc(1, sizeof *relay);
    relay->owner = owner;
    relay->entry_generation = world->nodes[link->entry].generation;
    relay->owner_generation = world->nodes[owner].generation;
    relay->out = (bw_way){.bytes = relay->memory, .cap = BUFFER};
    relay->back = (bw_way){.bytes = relay->memory + BUFFER, .cap = BUFFER};
    int64_t at = world->nodes[owner].hall ? arrives(world, link->entry, owner, &relay->out_at) : -1;
    if (at < 0) { /* 503, also if the owner restarts before it is sent */
        relay->broken = true;
        sim_push(world, SIM_RELAY_CLOSE, world->now_us + sim_below(world, CONNECT_US), &world->nodes[link->entry],
                 number)
            ->code = 1006;
        return;
    }
    sim_push(world, SIM_ROUTE, at, &world->nodes[owner], number);
    for (int i = 0; i < link->held_count; i++) {
        sim_relay_up(world, number, link->held[i]);
        bw_bytes_release(link->held[i]);
    }
    link->held_count = 0;
}

void sim_relay_up(sim_world *world, int number, const bw_bytes *message) {
    sim_relay *relay = world->links[number].relay;
    if (message) add_message(&relay->from_client, 0, message->at, message->length);
    else relay->from_client.ended = true;
    turn(world, number);
}

void sim_relay_down(sim_world *world, int number, const bw_bytes *message, int code) {
    bytes text = {0};
    if (message) add_message(&text, 0, message->at, message->length);
    else add_message(&text, 1, (const char *)&code, sizeof code);
    send(world, number, TO_ENTRY, text.at, text.length);
    free(text.at);
}

void sim_relay_peers(sim_world *world, sim_node *entry, const bool living[SIM_NODES]) {
    for (int i = 1; i <= world->link_count; i++) {
        sim_link *link = &world->links[i];
        if (!link->relay || !link->client_open || &world->nodes[link->entry] != entry) continue;
        if (!has_entry(world, link) || link->relay->broken || living[link->relay->owner]) continue;
        link->relay->broken = true; /* over for the owner too, as soon as it looks */
        if (has_owner(world, link)) {
            sim_push(world, SIM_RELAY_CLOSE, world->now_us + 100, &world->nodes[link->relay->owner], i);
        }
        sim_close_link(world, i, link->relay->at_client.length == 0 ? 1012 : 1006);
        world->let_go++;
    }
}

/* ---- at the owner ---- */

void sim_hold(sim_link *link, const bw_bytes *message) {
    if (link->held_count < SIM_HELD) {
        link->held[link->held_count++] = message ? sim_bytes(message->at, message->length) : NULL;
    }
}

void sim_let_go(sim_world *world, int number) {
    sim_link *link = &world->links[number];
    for (int i = 0; i < link->held_count; i++) {
        const bw_bytes *message = link->held[i];
        sim_hear_up(world, number, message ? message->at : NULL, message ? message->length : 0);
        bw_bytes_release(link->held[i]);
    }
    link->held_count = 0;
}

static void came_to_owner(sim_world *world, int number, const bw_bytes *piece) {
    sim_link *link = &world->links[number];
    sim_relay *relay = link->relay;
    uint8_t kind;
    bw_bytes *message;
    if (piece) add(&relay->at_owner, piece->at, piece->length);
    while (!world->failure[0] && (message = next_message(world, &relay->at_owner, &kind))) {
        if (link->server_open) sim_hear_up(world, number, message->at, message->length);
        else if (link->node < 0) sim_hold(link, message);
        bw_bytes_release(message);
    }
    if (piece) return;
    if (relay->at_owner.length > 0 && !world->failure[0]) {
        sim_fail(world, "relay", "%s: the connection ended after only a part of a message", link->room);
    }
    if (link->server_open) sim_hear_up(world, number, NULL, 0);
    else if (link->node < 0) sim_hold(link, NULL);
}

void sim_relay_event(sim_world *world, sim_event *event) {
    sim_link *link = &world->links[event->who];
    bool at_entry = event->node == link->entry;
    if (!link->relay) return;
    if (event->kind == SIM_RELAY_CLOSE) {
        if (at_entry) sim_close_link(world, event->who, event->code ? event->code : 1006);
        else if (link->node == event->node) sim_hear_up(world, event->who, NULL, 0);
        return;
    }
    switch (event->code) {
    case TO_OWNER:
    case END_TO_OWNER: came_to_owner(world, event->who, event->bytes); break;
    case TO_ENTRY:
        add(&link->relay->from_owner, event->bytes->at, event->bytes->length);
        turn(world, event->who);
        break;
    default: turn(world, event->who);
    }
}

void sim_relay_free(sim_link *link) {
    for (int i = 0; i < link->held_count; i++) bw_bytes_release(link->held[i]);
    link->held_count = 0;
    if (!link->relay) return;
    free(link->relay->from_client.at);
    free(link->relay->from_owner.at);
    free(link->relay->at_owner.at);
    free(link->relay->at_client.at);
    free(link->relay);
    link->relay = NULL;
}
