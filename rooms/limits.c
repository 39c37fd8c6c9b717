/* How much is too much: messages on a connection, rooms and questions to a language model from an address. */
#include "engine/sha256.h"
#include "rooms/internal.h"

/* A leaky bucket, as the time at which it is empty (Turner 1986, "generic cell rate algorithm"). */
enum { MESSAGE_US = 1000000 / 20, BURST_US = 60 * MESSAGE_US, MINUTE_US = 60 * 1000000 };

typedef struct bw_address {
    bw_key key;
    int64_t rooms_us, questions_us; /* when each bucket is empty */
} bw_address;

static bool pour(int64_t *empty_us, int64_t now, int64_t one_us, int64_t burst_us) {
    int64_t level = *empty_us > now ? *empty_us : now;
    if (level + one_us > now + burst_us) return false;
    *empty_us = level + one_us;
    return true;
}

void bw_limit_init(bw_hall *hall, bw_conn *conn) { conn->bucket_us = hall->now.mono_us; }

bool bw_limit_message(bw_hall *hall, bw_conn *conn) {
    return pour(&conn->bucket_us, hall->now.mono_us, MESSAGE_US, BURST_US);
}

bw_key bw_address_key(const char *address) {
    uint8_t digest[32];
    bw_key key;
    if (!address || !address[0]) {
        return (bw_key){0, 0};
    }
    bw_sha256_of(address, strlen(address), digest);
    memcpy(&key.a, digest, sizeof key.a);
    memcpy(&key.b, digest + 8, sizeof key.b);
    return key;
}

/* Addresses whose bucket is empty again need not be known. */
static void forget_old(bw_hall *hall) {
    bw_address **oldest;
    while ((oldest = bw_queue_front(&hall->addresses_by_age))) {
        bw_address *address = *oldest;
        if (address->rooms_us > hall->now.mono_us || address->questions_us > hall->now.mono_us) break;
        bw_queue_drop(&hall->addresses_by_age);
        bw_map_take(&hall->memory, &hall->addresses, address->key);
        bw_memory_free(&hall->memory, address);
    }
}

static bw_address *address_of(bw_hall *hall, bw_key key) {
    forget_old(hall);
    bw_address *address = bw_map_get(&hall->addresses, key);
    if (!address) {
        address = bw_memory_new(&hall->memory, sizeof *address);
        address->key = key;
        bw_map_put(&hall->memory, &hall->addresses, key, address);
        *(bw_address **)bw_queue_add(&hall->memory, &hall->addresses_by_age, sizeof address) = address;
    }
    return address;
}

static bool is_known(bw_key key) { return key.a != 0 || key.b != 0; }

bool bw_limit_room(bw_hall *hall, bw_key key) {
    uint32_t per_minute = hall->settings.rooms_per_address_per_minute;
    return per_minute == 0 || !is_known(key) ||
           pour(&address_of(hall, key)->rooms_us, hall->now.mono_us, MINUTE_US / per_minute, MINUTE_US);
}

bool bw_limit_question(bw_hall *hall, bw_key key) {
    uint32_t each = hall->settings.questions_per_address_per_minute, all = hall->settings.questions_per_minute;
    if (each && is_known(key) &&
        !pour(&address_of(hall, key)->questions_us, hall->now.mono_us, MINUTE_US / each, MINUTE_US)) {
        return false;
    }
    return all == 0 || pour(&hall->questions_us, hall->now.mono_us, MINUTE_US / all, MINUTE_US);
}

void bw_limits_clear(bw_hall *hall) {
    bw_address **oldest;
    while ((oldest = bw_queue_front(&hall->addresses_by_age))) {
        bw_memory_free(&hall->memory, *oldest);
        bw_queue_drop(&hall->addresses_by_age);
    }
    bw_queue_clear(&hall->memory, &hall->addresses_by_age);
    bw_map_clear(&hall->memory, &hall->addresses);
}
