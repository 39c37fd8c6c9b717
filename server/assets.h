/* The built client, read into memory once: a path in, bytes and headers out.
 *
 * Requests never reach the file system, so no path leads out of the folder. Clients that accept it get `x.js.br` or
 * `x.js.gz` instead of `x.js`. Files under /assets/ have a hash of their content in the name and are cached for ever;
 * all others are revalidated on each use. Limits: 64 MiB in all, 4,096 files; names that begin with a dot and links are
 * left out. */
#ifndef BW_ASSETS_H
#define BW_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bw_assets bw_assets;

/* NULL: `problem` is a sentence. */
bw_assets *bw_assets_load(const char *folder, char *problem, size_t cap);
void bw_assets_free(bw_assets *assets);

typedef struct bw_asset {
    const void *bytes;
    size_t length;
    const char *type;     /* MIME */
    const char *encoding; /* "br", "gzip" or NULL */
    const char *etag;     /* with its quotes; each encoding has its own */
    bool immutable;
    bool varies; /* there are other encodings of it */
} bw_asset;

/* `path` begins with '/'. false: there is no such file. */
bool bw_assets_find(const bw_assets *assets, const char *path, const char *accept_encoding, bw_asset *asset);

/* Does an Accept-Encoding header take `coding` ("br", "gzip")? */
bool bw_accepts(const char *accept_encoding, const char *coding);
/* Does an If-None-Match header name this tag? */
bool bw_etag_matches(const char *if_none_match, const char *etag);

#endif
