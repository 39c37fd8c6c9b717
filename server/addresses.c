#include "server/addresses.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BW_BARE_MAX = 64 };

typedef struct bw_address {
    struct bw_address *next;
    uint32_t count;
    char text[BW_ADDRESS_MAX];
} bw_address;

static bool is_port(const char *text) {
    size_t digits = strspn(text, "0123456789");
    return digits >= 1 && digits <= 5 && text[digits] == '\0';
}

/* The address without blanks, quotes, brackets and port; of a list, the last one. false: too long, or malformed. */
static bool read_bare(char bare[BW_BARE_MAX], const char *text) {
    const char *last = strrchr(text, ',');
    last = last ? last + 1 : text;
    last += strspn(last, " \t\"");
    size_t length = strcspn(last, " \t\"");
    if (length >= BW_BARE_MAX || last[length + strspn(last + length, " \t\"")] != '\0') return false;
    memcpy(bare, last, length);
    bare[length] = '\0';
    char *colon = strchr(bare, ':'), *end = strchr(bare, ']');
    if (bare[0] == '[') {
        if (!end || (end[1] && (end[1] != ':' || !is_port(end + 2)))) return false;
        *end = '\0';
        memmove(bare, bare + 1, (size_t)(end - bare));
        return strchr(bare, ':') != NULL;
    }
    if (colon && !strchr(colon + 1, ':')) { /* only one: IPv4 and a port */
        if (!is_port(colon + 1)) return false;
        *colon = '\0';
    }
    return true;
}

void bw_address_count_as(char counted[BW_ADDRESS_MAX], const char *address) {
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    uint8_t bytes[16];
    counted[0] = '\0';
    if (inet_pton(AF_INET, address, bytes) == 1) {
        inet_ntop(AF_INET, bytes, counted, BW_ADDRESS_MAX);
    } else if (inet_pton(AF_INET6, address, bytes) == 1) {
        if (memcmp(bytes, mapped, sizeof mapped) == 0) {
            inet_ntop(AF_INET, bytes + 12, counted, BW_ADDRESS_MAX);
        } else {
            memset(bytes + 8, 0, 8);
            inet_ntop(AF_INET6, bytes, counted, BW_ADDRESS_MAX);
        }
    }
}

void bw_address_forwarded(char counted[BW_ADDRESS_MAX], const char *header) {
    char address[BW_BARE_MAX];
    counted[0] = '\0';
    if (read_bare(address, header)) bw_address_count_as(counted, address);
}

static size_t hash_of(const char *text) {
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (; *text; text++) hash = (hash ^ (uint8_t)*text) * 1099511628211u;
    return (size_t)(hash ^ (hash >> 32));
}

static bw_address **find(const bw_addresses *addresses, const char *counted) {
    bw_address **at = &addresses->places[hash_of(counted) & (addresses->place_count - 1)];
    while (*at && strcmp((*at)->text, counted) != 0) at = &(*at)->next;
    return at;
}

static int grow(bw_addresses *addresses) {
    size_t count = addresses->place_count ? addresses->place_count * 2 : 64;
    bw_address **places = calloc(count, sizeof *places);
    if (!places) return addresses->place_count ? 0 : -1; /* when full, chains grow longer */
    for (size_t i = 0; i < addresses->place_count; i++) {
        for (bw_address *a = addresses->places[i], *next; a; a = next) {
            next = a->next;
            bw_address **head = &places[hash_of(a->text) & (count - 1)];
            a->next = *head;
            *head = a;
        }
    }
    free(addresses->places);
    addresses->places = places;
    addresses->place_count = count;
    return 0;
}

uint32_t bw_addresses_add(bw_addresses *addresses, const char *counted) {
    if (addresses->count >= addresses->place_count && grow(addresses) != 0) return 0;
    bw_address **at = find(addresses, counted);
    if (!*at) {
        bw_address *a = calloc(1, sizeof *a);
        if (!a) return 0;
        memcpy(a->text, counted, strnlen(counted, sizeof a->text - 1));
        *at = a;
        addresses->count++;
    }
    return ++(*at)->count;
}

void bw_addresses_remove(bw_addresses *addresses, const char *counted) {
    bw_address **at = addresses->place_count ? find(addresses, counted) : NULL;
    if (!at || !*at || --(*at)->count > 0) return;
    bw_address *gone = *at;
    *at = gone->next;
    free(gone);
    addresses->count--;
}

uint32_t bw_addresses_count(const bw_addresses *addresses, const char *counted) {
    bw_address **at = addresses->place_count ? find(addresses, counted) : NULL;
    return at && *at ? (*at)->count : 0;
}

void bw_addresses_clear(bw_addresses *addresses) {
    for (size_t i = 0; i < addresses->place_count; i++) {
        for (bw_address *a = addresses->places[i], *next; a; a = next) {
            next = a->next;
            free(a);
        }
    }
    free(addresses->places);
    *addresses = (bw_addresses){0};
}
