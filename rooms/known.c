/* What a solver finds out about the puzzle of a room.
 *
 * Its answer comes at no certain time, and nobody waits for it. So it is kept until the next play, whose note carries
 * it: the update of that play shows it, now or made again later, and it survives whatever the play survives. It is no
 * part of the match, so no hash and no game file can tell when it came. */
#include "rooms/internal.h"

enum { SOLVER_BUDGET_MS = 10000 }; /* a bound for very busy machines: its effort ends a solver long before */

void bw_known_ask(bw_hall *hall, bw_room *room) {
    bw_think think = {.solver = bw_solver_find(room->game), .budget_ms = SOLVER_BUDGET_MS};
    uint64_t puzzle = room->game->puzzle ? room->game->puzzle(room->match.state) : 0;
    if (!think.solver || puzzle == 0 || room->solving || puzzle == room->known.puzzle || puzzle == room->found.puzzle) {
        return;
    }
    room->found = (bw_known){.puzzle = puzzle};
    room->solving = bw_work_send(hall, room, BW_WATCHER, think);
}

void bw_known_answer(bw_room *room, const bw_known *found) {
    room->solving = 0;
    if (found) {
        room->found.moves = found->moves;
        room->found.proven = found->proven;
    }
}

void bw_known_forget(bw_hall *hall, bw_room *room) {
    if (room->solving) room->found = (bw_known){0};
    bw_work_forget(hall, &room->solving);
}

const bw_known *bw_known_news(const bw_room *room) {
    const bw_known *found = &room->found;
    bool news = found->moves > 0 && found->puzzle != room->known.puzzle &&
                found->puzzle == room->game->puzzle(room->match.state);
    return news ? found : NULL;
}

bool bw_known_write(const bw_known *known, bw_note_known *note) {
    if (!known || !known->puzzle) return false;
    uint8_t puzzle[8];
    for (int i = 0; i < 8; i++) puzzle[i] = (uint8_t)(known->puzzle >> (56 - 8 * i));
    bw_hex_write(note->puzzle, puzzle, sizeof puzzle);
    note->moves = known->moves;
    note->proven = known->proven;
    return true;
}

bool bw_known_read(const bw_note_known *note, bw_known *known) {
    uint8_t puzzle[8];
    if (!bw_hex_read(note->puzzle, strlen(note->puzzle), puzzle, sizeof puzzle)) return false;
    *known = (bw_known){.moves = note->moves, .proven = note->proven};
    for (int i = 0; i < 8; i++) known->puzzle = known->puzzle << 8 | puzzle[i];
    return known->puzzle != 0;
}

const bw_known *bw_known_of(const bw_room *room, const bw_match *match) {
    const bw_known *known = BW_PLANTED(KNOWN_AT_ONCE) ? &room->found : &room->known;
    bool it = room->game->puzzle && known->moves && known->puzzle == room->game->puzzle(match->state);
    return it ? known : NULL;
}
