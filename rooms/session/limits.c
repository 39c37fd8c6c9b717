/* Rate limits: messages of a connection; rooms, failed look-ups, stored bytes, language model questions and work of
 * an address. */
#include "engine/sha256.h"
#include "rooms/session/session.h"

/* A leaky bucket, as the time at which it is empty (Turner 1986, "generic cell rate algorithm"). */
enum {
    MESSAGE_US = 1000000 / 20,
    BURST_US = 60 * MESSAGE_US,
    MINUTE_US = 60 * 1000000,
    ADDRESSES = 4096,
    WAYS = 8,
    DEAR = 200, /* units: a cheaper message or request counts as ordinary play */
};
static const int64_t HOUR_US = (int64_t)60 * MINUTE_US;

/* A fixed table with eight places per hash: a new address replaces the one that has least to wait for. So somebody
 * with many addresses gets no more memory. */
typedef struct bw_address {
    bw_key key;
    int64_t rooms_us, misses_us, bytes_us, questions_us, work_us; /* when each bucket is empty again */
} bw_address;

static bool pour(int64_t *empty_us, int64_t now, int64_t one_us, int64_t burst_us) {
    int64_t level = *empty_us > now ? *empty_us : now;
    if (level + one_us > now + burst_us) return false;
    *empty_us = level + one_us;
    return true;
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

static int64_t latest(const bw_address *address) {
    const int64_t buckets[] = {address->rooms_us, address->misses_us, address->bytes_us, address->questions_us,
                               address->work_us};
    int64_t last = buckets[0];
    for (size_t i = 1; i < sizeof buckets / sizeof buckets[0]; i++) last = buckets[i] > last ? buckets[i] : last;
    return last;
}

/* NULL: the address is unknown, so nothing is limited. */
static bw_address *address_of(bw_hall *hall, bw_key key) {
    if (key.a == 0 && key.b == 0) return NULL;
    if (!hall->addresses) hall->addresses = bw_memory_new(&hall->scratch.memory, ADDRESSES * sizeof(bw_address));
    uint64_t place = (key.a ^ hall->addresses_secret) * 0xd6e8feb86659fd93u;
    bw_address *set = hall->addresses + (place >> 32) % (ADDRESSES / WAYS) * WAYS, *idlest = set;
    for (int i = 0; i < WAYS; i++) {
        if (set[i].key.a == key.a && set[i].key.b == key.b) return &set[i];
        if (latest(&set[i]) < latest(idlest)) idlest = &set[i];
    }
    *idlest = (bw_address){.key = key};
    return idlest;
}

bool bw_limit_question(bw_hall *hall, bw_key key) {
    uint32_t each = hall->settings.questions_per_address_per_minute, all = hall->settings.questions_per_minute;
    bw_address *address = address_of(hall, key);
    if (each && address && !pour(&address->questions_us, hall->now.mono_us, MINUTE_US / each, MINUTE_US)) return false;
    return all == 0 || pour(&hall->questions_us, hall->now.mono_us, MINUTE_US / all, MINUTE_US);
}

bool bw_limit_room(bw_hall *hall, bw_key key) {
    uint32_t per_minute = hall->settings.rooms_per_address_per_minute;
    bw_address *address = address_of(hall, key);
    if (!address) return true;
    return bw_limit_stored(hall, key) &&
           (per_minute == 0 || pour(&address->rooms_us, hall->now.mono_us, MINUTE_US / per_minute, MINUTE_US));
}

bool bw_limit_has_room(bw_hall *hall, bw_key key) {
    uint32_t per_minute = hall->settings.rooms_per_address_per_minute;
    bw_address *address = address_of(hall, key);
    int64_t level = address ? address->rooms_us : 0;
    return !address || (bw_limit_stored(hall, key) &&
                        (per_minute == 0 || pour(&level, hall->now.mono_us, MINUTE_US / per_minute, MINUTE_US)));
}

const char *bw_no_new_room(bw_hall *hall, bw_key key, bw_error_code *code) {
    *code = BW_ERROR_STORAGE;
    if (hall->storage_full) return "The server has no space for new games: try again later.";
    *code = BW_ERROR_RATE_LIMITED;
    return bw_limit_room(hall, key) ? NULL : "Too many new rooms from your address: try again in a minute.";
}

/* Two thresholds of one bucket. Above half a minute's worth, misses are refused. Above two minutes' worth, nothing
 * is looked up any more, so that further guessing reveals nothing. */
bool bw_limit_missed(bw_hall *hall, bw_key key) {
    uint32_t per_minute = hall->settings.misses_per_address_per_minute;
    bw_address *address = address_of(hall, key);
    if (!address || per_minute == 0) return true;
    bool soft = address->misses_us + MINUTE_US / per_minute <= hall->now.mono_us + MINUTE_US / 2;
    pour(&address->misses_us, hall->now.mono_us, MINUTE_US / per_minute, 2 * MINUTE_US);
    return soft;
}

bool bw_limit_look(bw_hall *hall, bw_key key) {
    uint32_t per_minute = hall->settings.misses_per_address_per_minute;
    const bw_address *address = address_of(hall, key);
    return !address || per_minute == 0 ||
           address->misses_us + MINUTE_US / per_minute <= hall->now.mono_us + 2 * MINUTE_US;
}

/* Stored bytes count even above the limit; the bucket then takes longer to empty. */
void bw_limit_store(bw_hall *hall, bw_key key, size_t bytes) {
    int64_t per_hour = (int64_t)hall->settings.stored_mb_per_address_per_hour << 20;
    bw_address *address = address_of(hall, key);
    if (!address || per_hour == 0) return;
    int64_t level = address->bytes_us > hall->now.mono_us ? address->bytes_us : hall->now.mono_us;
    address->bytes_us = level + (int64_t)bytes * HOUR_US / per_hour;
}

bool bw_limit_stored(bw_hall *hall, bw_key key) {
    const bw_address *address = address_of(hall, key);
    return !address || hall->settings.stored_mb_per_address_per_hour == 0 ||
           address->bytes_us <= hall->now.mono_us + HOUR_US;
}

/* ---- work ---- */

const char bw_too_much_work[] =
    "The server has done as much work for your address as it does in a minute: try again in a "
    "minute.";

void bw_limit_work(bw_hall *hall, bw_key key, uint64_t units) {
    int64_t per_minute = (int64_t)hall->settings.work_seconds_per_address_per_minute * 1000000;
    bw_address *address = address_of(hall, key);
    if (!address || per_minute == 0) return;
    int64_t level = address->work_us > hall->now.mono_us ? address->work_us : hall->now.mono_us;
    address->work_us = level + (int64_t)units * MINUTE_US / per_minute;
}

void bw_limit_dear(bw_hall *hall, bw_key key, uint64_t units) {
    if (units >= DEAR) bw_limit_work(hall, key, units);
}

/* Two thresholds of one bucket: above the first no long job starts, above the second none continues. */
bool bw_may_begin_work(bw_hall *hall, bw_key key) {
    const bw_address *address = address_of(hall, key);
    return !address || address->work_us <= hall->now.mono_us + MINUTE_US;
}

bool bw_overworked(bw_hall *hall, bw_key key) {
    const bw_address *address = address_of(hall, key);
    return address && address->work_us > hall->now.mono_us + 2 * MINUTE_US;
}

void bw_limits_clear(bw_hall *hall) {
    bw_memory_free(&hall->scratch.memory, hall->addresses);
    hall->addresses = NULL;
}

/* ---- messages of a connection ---- */

bool bw_within_limits(bw_hall *hall, bw_conn *conn) {
    if (hall->settings.own_device || pour(&conn->bucket_us, hall->now.mono_us, MESSAGE_US, BURST_US)) return true;
    bw_refuse_for_now(hall, conn, 0, BW_ERROR_RATE_LIMITED,
                      "Too many messages: at most 20 per second, and 60 at once. The connection is closed.");
    bw_conn_close(hall, conn, 1008, BW_CODE_RATE_LIMITED);
    return false;
}
