/* Game files: a room's log so far, and the replay that is kept. */
#include "engine/sha256.h"
#include "rooms/internal.h"

static void write_head(bw_out *out, const bw_room *room) {
    bw_chain chain;
    bw_file_head head = {.game = room->game, .config = room->match.config, .seats = *room->match.seats};
    head.started_at = room->started_at;
    bw_sha256_of(room->match.seed, BW_SEED_BYTES, head.seed_hash);
    for (int i = 0; i < room->game->role_count; i++) {
        head.names[i] = room->seats[i].file_name;
        head.bots[i] = room->seats[i].file_level;
    }
    /* The seed stays secret until the end. */
    bw_file_write_head(out, &head, room->ended_at || BW_PLANTED(SEED_EARLY) ? room->match.seed : NULL, &chain);
}

static void write_plays(bw_hall *hall, bw_out *out, const bw_room *room) {
    bw_play_reader reader = {room, 0};
    bw_play play = {.action = hall->scratch.action};
    uint32_t number = 0;
    while (bw_play_next(&reader, &play)) {
        bw_out_text(out, "\n");
        bw_file_write_played(out, room->game, ++number, play.at - room->started_at, play.seat,
                             play.resigns ? NULL : play.action, play.hash);
    }
}

bw_bytes *bw_file_so_far(bw_hall *hall, bw_room *room) {
    enum { LINE = 256, HEAD = 4096 };
    bw_out out;
    /* At once as large as it will probably be: growing step by step it would be written again each time. */
    size_t wanted = HEAD + (size_t)room->play_count * LINE;
    if (hall->scratch.text_cap < wanted) {
        hall->scratch.text = bw_memory_grow(&hall->memory, hall->scratch.text, wanted);
        hall->scratch.text_cap = wanted;
    }
    do {
        out = bw_out_to(hall->scratch.text, hall->scratch.text_cap);
        write_head(&out, room);
        write_plays(hall, &out, room);
        if (room->ended_at) {
            bw_chain chain = room->chain;
            bw_out_text(&out, "\n");
            bw_file_write_result(&out, &chain, &room->match, room->ended_at);
        }
        bw_out_text(&out, "\n");
    } while (bw_grow_text(hall, &out));
    bw_worked(hall, bw_cost_of_text(out.length));
    return bw_bytes_new(out.at, out.length);
}
