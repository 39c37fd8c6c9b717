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

/* A byte of the head of an HTTP answer, "HTTP/1.1 101 ..." to the empty line. */
static void pass_answer(bw_seam *seam, char byte) {
    static const char switching[] = "HTTP/1.1 101 ";
    if (seam->seen == 0) seam->is_socket = true;
    if (seam->seen < sizeof switching - 1 && byte != switching[seam->seen]) seam->is_socket = false;
    seam->seen++;
    if (byte == '\n') seam->line_ends++;
    else if (byte != '\r') seam->line_ends = 0;
    if (seam->line_ends == 2) seam->in_frames = seam->is_socket;
}

/* A byte of a frame's head (RFC 6455, 5.2): a server's frames have no mask. */
static void pass_head(bw_seam *seam, unsigned char byte) {
    seam->head[seam->head_length++] = byte;
    if (seam->head_length < 2) return;
    size_t length = seam->head[1] & 127u, more = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (seam->head_length < 2 + more) return;
    seam->left = more ? 0 : length;
    for (size_t i = 0; i < more; i++) seam->left = seam->left << 8 | seam->head[2 + i];
    seam->head_length = 0;
}

void bw_seam_pass(bw_seam *seam, const char *bytes, size_t count) {
    for (size_t i = 0; i < count;) {
        if (!seam->in_frames) {
            pass_answer(seam, bytes[i++]);
        } else if (seam->left == 0) {
            pass_head(seam, (unsigned char)bytes[i++]);
        } else {
            size_t whole = seam->left < count - i ? (size_t)seam->left : count - i;
            seam->left -= whole;
            i += whole;
        }
    }
}

bool bw_seam_is_silent(const bw_seam *seam) { return seam->seen == 0; }

bool bw_seam_is_between(const bw_seam *seam) { return seam->in_frames && seam->left == 0 && seam->head_length == 0; }

bool bw_way_ends(bw_way *way) {
    bool ends = way->ended && !way->told && way->length == 0;
    way->told = way->told || ends;
    return ends;
}
