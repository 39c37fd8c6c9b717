#include "engine/visible.h"

#include <stdint.h>

typedef struct range {
    uint32_t first, last;
} range;

/* Cc, Cf, Zl and Zp. */
static const range unplain[] = {
    {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},   {0x0600, 0x0605},   {0x061c, 0x061c},
    {0x06dd, 0x06dd},   {0x070f, 0x070f},   {0x0890, 0x0891},   {0x08e2, 0x08e2},   {0x180e, 0x180e},
    {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},   {0xfeff, 0xfeff},   {0xfff9, 0xfffb},
    {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
    {0xe0000, 0xe007f},
};

/* Zs, and other characters drawn as nothing: fillers, the Braille blank, variation selectors, joiners. */
static const range blank[] = {
    {0x0020, 0x0020}, {0x00a0, 0x00a0}, {0x034f, 0x034f}, {0x115f, 0x1160}, {0x1680, 0x1680},   {0x17b4, 0x17b5},
    {0x180b, 0x180f}, {0x2000, 0x200a}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x2800, 0x2800},   {0x3000, 0x3000},
    {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xffa0, 0xffa0}, {0xfff0, 0xfff8}, {0xe0100, 0xe01ef},
};

static bool is_in(const range *ranges, int count, uint32_t c) {
    for (int i = 0; i < count; i++) {
        if (c <= ranges[i].last) return c >= ranges[i].first;
    }
    return false;
}

static bool is_unplain(uint32_t c) { return is_in(unplain, sizeof unplain / sizeof unplain[0], c); }
static bool is_blank(uint32_t c) { return is_in(blank, sizeof blank / sizeof blank[0], c); }

/* The next character; 0 at the end. */
static uint32_t next(const char **text) {
    const unsigned char *at = (const unsigned char *)*text;
    if (*at == 0) return 0;
    int more = *at < 0x80 ? 0 : *at < 0xe0 ? 1 : *at < 0xf0 ? 2 : 3;
    uint32_t c = more == 0 ? *at : *at & (0x3fu >> more);
    for (at++; more > 0 && *at >= 0x80; more--) c = c << 6 | (*at++ & 0x3f);
    *text = (const char *)at;
    return c;
}

bool bw_text_is_plain(const char *text) {
    for (uint32_t c; (c = next(&text));) {
        if (is_unplain(c)) return false;
    }
    return true;
}

bool bw_text_is_seen(const char *text) {
    for (uint32_t c; (c = next(&text));) {
        if (!is_unplain(c) && !is_blank(c)) return true;
    }
    return false;
}
