#include "server/relay.h"

#include "rooms/planted.h"

bool bw_way_reads(const bw_way *way) { return !way->ended && (way->length == 0 || BW_PLANTED(RELAY_OVERWRITES)); }

void bw_way_got(bw_way *way, size_t count) {
    way->first = 0;
    way->length = count;
    way->ended = count == 0;
}

const char *bw_way_rest(const bw_way *way, size_t *count) {
    *count = way->length;
    return way->bytes + way->first;
}

void bw_way_gave(bw_way *way, size_t count) {
    if (count < way->length && BW_PLANTED(RELAY_REORDERS)) return; /* what was taken is given again */
    way->first += count;
    way->length -= count;
}

bool bw_way_ends(bw_way *way) {
    bool ends = way->ended && !way->told && way->length == 0;
    way->told = way->told || ends;
    return ends;
}
