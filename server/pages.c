#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/registry.h"
#include "server/origin.h"
#include "server/shell.h"

enum { HEAD_MAX = 8 * 1024, LINK_MAX = 1024 };

/* ---- the client's files ---- */

static void add_cache_headers(bw_response *r, const char *etag, bool immutable) {
    bw_response_header(r, "etag", etag);
    bw_response_header(r, "cache-control", immutable ? "public, max-age=31536000, immutable" : "no-cache");
}

static void serve_asset(bw_shell *shell, uint64_t conn, const bw_request *request, const bw_asset *asset, int status) {
    bw_answer_parts a = {0};
    bw_response *r = &a.response;
    bool same = status == 200 && bw_etag_matches(request->if_none_match, asset->etag);
    r->status = same ? 304 : status;
    r->body = asset->bytes;
    r->length = same ? 0 : asset->length;
    add_cache_headers(r, asset->etag, asset->immutable);
    if (asset->varies) bw_response_header(r, "vary", "Accept-Encoding");
    if (!same) {
        bw_response_header(r, "content-type", asset->type);
        if (asset->encoding) bw_response_header(r, "content-encoding", asset->encoding);
    }
    bw_api_add_common(&a, shell, request, true);
    bw_net_reply(shell->net, conn, r);
}

/* ---- link previews: title, picture, address ---- */

/* The part of index.html between these two lines is for the general page; the server replaces it. */
static const char preview_start[] = "<!--preview-->", preview_end[] = "<!--/preview-->";

static void escape(bw_out *out, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '&': bw_out_text(out, "&amp;"); break;
        case '<': bw_out_text(out, "&lt;"); break;
        case '>': bw_out_text(out, "&gt;"); break;
        case '"': bw_out_text(out, "&quot;"); break;
        case '\'': bw_out_text(out, "&#39;"); break;
        default: bw_out_bytes(out, text, 1);
        }
    }
}

static void meta(bw_out *out, const char *attribute, const char *name, const char *content) {
    bw_out_format(out, "    <meta %s=\"%s\" content=\"", attribute, name);
    escape(out, content);
    bw_out_text(out, "\" />\n");
}

/* "http://host:port", from PUBLIC_URL's first address or else the request's Host; "" if neither is known. */
static void find_base(const bw_shell *shell, const bw_request *request, char *base, size_t cap) {
    bw_origin origin;
    char url[300];
    bool known = bw_origin_at(&origin, shell->settings->public_url, 0);
    if (!known && *request->host) {
        snprintf(url, sizeof url, "http://%s", request->host);
        known = bw_origin_parse(&origin, url);
    }
    base[0] = '\0';
    if (!known) return;
    if (origin.port == (origin.secure ? 443 : 80)) {
        snprintf(base, cap, "%s://%s", origin.secure ? "https" : "http", origin.host);
    } else {
        snprintf(base, cap, "%s://%s:%d", origin.secure ? "https" : "http", origin.host, origin.port);
    }
}

static bool is_plain_path(const char *path) {
    return strlen(path) < 200 &&
           strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_-") == strlen(path);
}

static void write_preview(bw_out *out, const bw_shell *shell, const bw_request *request, const bw_game *game) {
    static const char general[] = "Games by the sea. Share a link, take a seat, play.";
    char base[320], link[LINK_MAX], picture[80], title[120];
    bw_asset found;
    find_base(shell, request, base, sizeof base);
    snprintf(picture, sizeof picture, "/share/%s.png", game ? game->id : "boardwalk");
    if (game && !bw_assets_find(shell->assets, picture, "", &found)) {
        snprintf(picture, sizeof picture, "/share/boardwalk.png");
    }
    const char *what = strncmp(request->path, "/replay/", 8) == 0  ? "A replay of "
                       : strncmp(request->path, "/rules/", 7) == 0 ? "The rules of "
                       : strncmp(request->path, "/learn/", 7) == 0 ? "Learn "
                                                                   : "";
    if (game) snprintf(title, sizeof title, "%s%s", what, game->title);
    else snprintf(title, sizeof title, "Boardwalk");
    bw_out_text(out, "<title>");
    escape(out, title);
    bw_out_text(out, game ? " · Boardwalk</title>\n" : "</title>\n");
    meta(out, "name", "description", game ? game->summary : general);
    meta(out, "property", "og:type", "website");
    meta(out, "property", "og:site_name", "Boardwalk");
    meta(out, "property", "og:title", title);
    meta(out, "property", "og:description", game ? game->summary : general);
    snprintf(link, sizeof link, "%s%s", base, picture);
    meta(out, "property", "og:image", link);
    if (base[0] && is_plain_path(request->path)) {
        snprintf(link, sizeof link, "%s%s", base, request->path);
        meta(out, "property", "og:url", link);
    }
    meta(out, "name", "twitter:card", "summary_large_image");
    bw_out_text(out, "    ");
}

static const char *find_text(const char *bytes, size_t length, const char *text) {
    return memmem(bytes, length, text, strlen(text));
}

static void make_etag(char etag[24], const char *bytes, size_t length) {
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)bytes[i]) * 1099511628211u;
    snprintf(etag, 24, "\"p%016llx\"", (unsigned long long)hash);
}

/* The page with that game's preview; NULL: out of memory, or index.html lacks the two lines. */
static bw_bytes *make_page(const bw_shell *shell, const bw_request *request, const bw_asset *index,
                           const bw_game *game) {
    const char *bytes = index->bytes, *start = find_text(bytes, index->length, preview_start);
    const char *end = start ? find_text(start, index->length - (size_t)(start - bytes), preview_end) : NULL;
    bw_bytes *page = end ? malloc(sizeof *page + index->length + HEAD_MAX) : NULL;
    if (!page) return NULL;
    bw_out out = bw_out_to(page->at, index->length + HEAD_MAX);
    bw_out_bytes(&out, bytes, (size_t)(start - bytes));
    write_preview(&out, shell, request, game);
    bw_out_bytes(&out, end + strlen(preview_end), index->length - (size_t)(end - bytes) - strlen(preview_end));
    page->references = 1;
    page->length = (uint32_t)out.length;
    return page;
}

/* ---- pages ---- */

static const bw_game *listed(const char *id, size_t length) {
    char name[64];
    if (length >= sizeof name) return NULL;
    memcpy(name, id, length);
    name[length] = '\0';
    const bw_game *game = bw_game_find(name);
    return game && bw_game_listed(game) ? game : NULL;
}

static void answer_page(bw_shell *shell, uint64_t conn, const bw_request *request, const bw_game *game, int status) {
    bw_asset plain, best;
    bw_assets_find(shell->assets, "/index.html", "", &plain);
    bw_bytes *page = make_page(shell, request, &plain, game);
    if (!page) {
        bw_assets_find(shell->assets, "/index.html", request->accept_encoding, &best);
        serve_asset(shell, conn, request, &best, status);
        return;
    }
    bw_answer_parts a = {.response = {.status = status, .body = page->at, .length = page->length, .owner = page}};
    char etag[24];
    make_etag(etag, page->at, page->length);
    if (status == 200 && bw_etag_matches(request->if_none_match, etag)) {
        a.response.status = 304;
        a.response.length = 0;
    } else {
        bw_response_header(&a.response, "content-type", plain.type);
    }
    add_cache_headers(&a.response, etag, false);
    bw_response_header(&a.response, "vary", "Host");
    bw_api_add_common(&a, shell, request, true);
    bw_net_reply(shell->net, conn, &a.response);
}

static const char *behind(const char *path, const char *start) {
    size_t length = strlen(start);
    return strncmp(path, start, length) == 0 ? path + length : NULL;
}

/* Paths that the client's own router handles. */
static bool is_page(const char *path) {
    static const char *const routes[] = {"/game/",  "/replay/", "/play/",        "/rules/",
                                         "/learn/", "/local/",  "/local/replay/"};
    if (strcmp(path, "/") == 0 || strcmp(path, "/index.html") == 0) return true;
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        const char *rest = behind(path, routes[i]), *slash = rest ? strchr(rest, '/') : NULL;
        if (rest && *rest && (!slash || (slash > rest && !slash[1])))
            return true; /* people often paste a slash at the end */
    }
    return false;
}

static bool is_id(const char *text, size_t lo, size_t hi) {
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    return length >= lo && length <= hi && !text[length];
}

/* Does the page's game have to be asked from the hall? Then this is the room or replay. */
static bool asks_hall(const char *path, const char **room, const char **replay) {
    *room = behind(path, "/game/");
    *replay = behind(path, "/replay/");
    if (*room && !is_id(*room, 4, BW_ROOM_ID_MAX)) *room = NULL;
    if (*replay && !is_id(*replay, 1, BW_REPLAY_ID_MAX)) *replay = NULL;
    return *room || *replay;
}

static void serve_page(bw_shell *shell, uint64_t conn, const bw_request *request) {
    const char *room, *replay, *id = behind(request->path, "/play/");
    bw_asset index;
    bool described = bw_assets_find(shell->assets, "/index.html", "", &index) &&
                     find_text(index.bytes, index.length, preview_start) != NULL;
    if (!id) id = behind(request->path, "/rules/");
    if (!id) id = behind(request->path, "/learn/");
    if (!described || shell->draining || !asks_hall(request->path, &room, &replay)) {
        answer_page(shell, conn, request, id ? listed(id, strlen(id)) : NULL, 200);
    } else if (room) {
        bw_hall_http_state(shell->hall, bw_shell_now(), conn, room, request->address);
    } else {
        bw_hall_http_replay(shell->hall, bw_shell_now(), conn, replay, request->address);
    }
}

/* The game named in the hall's answer: both a room's state and a replay's first line name it near the start. */
static const bw_game *named_game(const bw_bytes *bytes) {
    static const char key[] = "\"game\":\"";
    enum { NEAR = 300 };
    if (!bytes) return NULL;
    size_t length = bytes->length < NEAR ? bytes->length : NEAR;
    const char *at = find_text(bytes->at, length, key);
    if (!at) return NULL;
    at += sizeof key - 1;
    const char *end = memchr(at, '"', length - (size_t)(at - bytes->at));
    return end ? listed(at, (size_t)(end - at)) : NULL;
}

bool bw_page_answer(bw_shell *shell, uint64_t conn, const bw_request *request, const bw_bytes *bytes) {
    const char *room, *replay;
    if (!shell->assets || !asks_hall(request->path, &room, &replay)) return false;
    answer_page(shell, conn, request, named_game(bytes), 200);
    return true;
}

static void answer_text(bw_shell *shell, uint64_t conn, const bw_request *request, int status, const char *text) {
    bw_answer_parts a = {0};
    bw_api_answer_with(shell, conn, request, &a, status, "text/plain; charset=utf-8", text, strlen(text), NULL);
}

/* An address that a person may have mistyped, not a missing file of the client. */
static bool is_for_people(const char *path) { return strncmp(path, "/assets/", 8) != 0 && !strchr(path, '.'); }

void bw_page_serve(bw_shell *shell, uint64_t conn, const bw_request *request) {
    static const char not_built[] = "The client is not built. Run ./run --build, or give its folder with --web.\n";
    static const char nothing[] = "Page not found. The games are at /.\n";
    static const char mistyped[] = "This address contains characters that are not allowed. The games are at /.\n";
    bool page = is_page(request->path);
    bw_asset asset;
    if (request->mistyped && shell->assets) {
        answer_page(shell, conn, request, NULL, 400); /* the client reads the address anew, and explains it */
    } else if (request->mistyped) {
        answer_text(shell, conn, request, 400, mistyped);
    } else if (page && shell->assets) {
        serve_page(shell, conn, request);
    } else if (page) {
        answer_text(shell, conn, request, 503, not_built);
    } else if (shell->assets && bw_assets_find(shell->assets, request->path, request->accept_encoding, &asset)) {
        serve_asset(shell, conn, request, &asset, 200);
    } else if (shell->assets && is_for_people(request->path)) {
        answer_page(shell, conn, request, NULL, 404); /* the client explains it better */
    } else {
        answer_text(shell, conn, request, 404, nothing);
    }
}
