/* How many sockets each address has open.
 *
 * An IPv6 address counts by its /64, which one household or machine has to itself; an IPv4-mapped address
 * (::ffff:192.0.2.1) counts as that IPv4 address. */
#ifndef BW_ADDRESSES_H
#define BW_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

enum { BW_ADDRESS_MAX = 48 };

/* Writes the address that counts to `counted`: "" if it cannot be read. */
void bw_address_count_as(char counted[BW_ADDRESS_MAX], const char *address);

/* The same for an X-Forwarded-For: of a list the last entry, because the nearest proxy wrote that one; perhaps with
 * a port ("192.0.2.1:80", "[2001:db8::1]:443"), brackets, quotes or blanks. */
void bw_address_forwarded(char counted[BW_ADDRESS_MAX], const char *header);

typedef struct bw_addresses {
    struct bw_address **places; /* a hash table of chains */
    size_t place_count, count;
} bw_addresses;

/* Returns the new count; 0: out of memory, and it is not counted. */
uint32_t bw_addresses_add(bw_addresses *addresses, const char *counted);
void bw_addresses_remove(bw_addresses *addresses, const char *counted);
uint32_t bw_addresses_count(const bw_addresses *addresses, const char *counted);
void bw_addresses_clear(bw_addresses *addresses);

#endif
