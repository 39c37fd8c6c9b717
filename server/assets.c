#include "server/assets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/out.h"
#include "engine/sha256.h"

enum { FILES_MAX = 4096, DEPTH_MAX = 8, PATH_CAP = 256, ETAG_CAP = 20 };
static const size_t total_max = 64u * 1024 * 1024;

typedef struct file {
    char path[PATH_CAP]; /* "/assets/x.js" */
    char *bytes;
    size_t length;
    char etag[ETAG_CAP];
} file;

struct bw_assets {
    file *files; /* sorted by path */
    size_t count;
    size_t total;
};

/* ---- loading ---- */

static void tag_of(file *f) {
    uint8_t digest[32];
    bw_out out = bw_out_to(f->etag, sizeof f->etag - 1);
    bw_sha256_of(f->bytes, f->length, digest);
    bw_out_text(&out, "\"");
    bw_out_hex(&out, digest, 8);
    bw_out_text(&out, "\"");
    f->etag[out.length] = '\0';
}

static bool read_all(int fd, char *bytes, size_t length) {
    for (size_t done = 0; done < length;) {
        ssize_t got = read(fd, bytes + done, length - done);
        if (got <= 0) return false;
        done += (size_t)got;
    }
    return true;
}

/* 0, or an errno. */
static int load_file(bw_assets *assets, int folder, const char *name, const char *path, size_t length) {
    if (assets->count >= FILES_MAX || assets->total + length > total_max || strlen(path) >= PATH_CAP) {
        return EFBIG;
    }
    file *larger = realloc(assets->files, (assets->count + 1) * sizeof *larger);
    if (!larger) return ENOMEM;
    assets->files = larger;
    file *f = &assets->files[assets->count];
    *f = (file){.bytes = malloc(length + 1), .length = length};
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool read_it = f->bytes && fd >= 0 && read_all(fd, f->bytes, length);
    int error = f->bytes ? errno : ENOMEM;
    if (fd >= 0) close(fd);
    if (!read_it) {
        free(f->bytes);
        return error ? error : EIO;
    }
    snprintf(f->path, sizeof f->path, "%s", path);
    tag_of(f);
    assets->total += length;
    assets->count++;
    return 0;
}

static int load_folder(bw_assets *assets, int fd, const char *path, int depth) {
    DIR *folder = fdopendir(fd);
    if (!folder) {
        int error = errno;
        close(fd);
        return error;
    }
    int error = depth > DEPTH_MAX ? ELOOP : 0;
    for (struct dirent *entry; !error && (entry = readdir(folder));) {
        char inner[PATH_CAP + 1];
        struct stat about;
        if (entry->d_name[0] == '.') continue;
        if (snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name) >= (int)sizeof inner) {
            error = ENAMETOOLONG;
        } else if (fstatat(dirfd(folder), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
            error = errno;
        } else if (S_ISREG(about.st_mode)) {
            error = load_file(assets, dirfd(folder), entry->d_name, inner, (size_t)about.st_size);
        } else if (S_ISDIR(about.st_mode)) {
            int below = openat(dirfd(folder), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
            error = below < 0 ? errno : load_folder(assets, below, inner, depth + 1);
        }
    }
    closedir(folder);
    return error;
}

static int by_path(const void *a, const void *b) { return strcmp(((const file *)a)->path, ((const file *)b)->path); }

bw_assets *bw_assets_load(const char *folder, char *problem, size_t cap) {
    bw_assets *assets = calloc(1, sizeof *assets);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = !assets ? ENOMEM : fd < 0 ? errno : load_folder(assets, fd, "", 0);
    if (error == 0) {
        if (assets->count) qsort(assets->files, assets->count, sizeof *assets->files, by_path);
        bw_asset index;
        if (bw_assets_find(assets, "/index.html", "", &index)) return assets;
        snprintf(problem, cap, "%s holds no index.html; it must be the folder of the built client.", folder);
    } else {
        snprintf(problem, cap, "%s cannot be read as the client: %s.", folder,
                 error == EFBIG ? "it is larger than 64 MiB or 4096 files" : strerror(error));
    }
    bw_assets_free(assets);
    return NULL;
}

void bw_assets_free(bw_assets *assets) {
    if (!assets) return;
    for (size_t i = 0; i < assets->count; i++) free(assets->files[i].bytes);
    free(assets->files);
    free(assets);
}

/* ---- finding ---- */

static const char *type_of(const char *path) {
    static const struct {
        const char *ending, *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".wasm", "application/wasm"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".webp", "image/webp"},
        {".ico", "image/x-icon"},
        {".json", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".woff2", "font/woff2"},
        {".txt", "text/plain; charset=utf-8"},
        {".map", "application/json"},
    };
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t ending = strlen(types[i].ending);
        if (length > ending && strcmp(path + length - ending, types[i].ending) == 0) {
            return types[i].type;
        }
    }
    return "application/octet-stream";
}

static const file *look_up(const bw_assets *assets, const char *path, const char *ending) {
    file key;
    if (!assets->count || snprintf(key.path, sizeof key.path, "%s%s", path, ending) >= (int)sizeof key.path) {
        return NULL;
    }
    return bsearch(&key, assets->files, assets->count, sizeof key, by_path);
}

bool bw_assets_find(const bw_assets *assets, const char *path, const char *accept_encoding, bw_asset *asset) {
    const file *plain = look_up(assets, path, ""), *best = plain;
    if (!plain) return false;
    const file *br = look_up(assets, path, ".br"), *gz = look_up(assets, path, ".gz");
    *asset = (bw_asset){.type = type_of(path), .immutable = strncmp(path, "/assets/", 8) == 0, .varies = br || gz};
    if (br && bw_accepts(accept_encoding, "br")) {
        best = br;
        asset->encoding = "br";
    } else if (gz && bw_accepts(accept_encoding, "gzip")) {
        best = gz;
        asset->encoding = "gzip";
    }
    asset->bytes = best->bytes;
    asset->length = best->length;
    asset->etag = best->etag;
    return true;
}

/* ---- headers ---- */

static const char *skip(const char *at, const char *set) { return at + strspn(at, set); }

/* After the name of a coding: false if its q is 0. */
static bool has_weight(const char *at) {
    at = skip(at, " \t");
    if (*at != ';') return true;
    at = skip(at + 1, " \t");
    if ((*at != 'q' && *at != 'Q') || at[1] != '=') return true;
    at += 2;
    return !(*at == '0' && strcspn(skip(at + 1, ".0"), " \t,;") == 0);
}

bool bw_accepts(const char *accept_encoding, const char *coding) {
    size_t length = strlen(coding);
    for (const char *at = accept_encoding; *at; at += strcspn(at, ",")) {
        at = skip(at, ", \t");
        if (strncasecmp(at, coding, length) == 0 && strcspn(at, " \t,;") == length) {
            return has_weight(at + length);
        }
    }
    return false;
}

bool bw_etag_matches(const char *if_none_match, const char *etag) {
    size_t length = strlen(etag);
    for (const char *at = if_none_match; *at; at += strcspn(at, ",")) {
        at = skip(at, ", \t");
        if (*at == '*') return true;
        if (strncmp(at, "W/", 2) == 0) at += 2;
        if (strncmp(at, etag, length) == 0) return true;
    }
    return false;
}
