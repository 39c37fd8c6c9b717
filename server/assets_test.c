#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/assets.h"
#include "tests/support/unit.h"

static char folder[] = "/tmp/boardwalk-assets-XXXXXX";
static const char *const files[][2] = {
    {"index.html", "<html>"},  {"assets/a.js", "plain"},  {"assets/a.js.br", "brotli"}, {"assets/a.js.gz", "gzip"},
    {"assets/b.wasm", "wasm"}, {"favicon.svg", "<svg/>"}, {".secret", "hidden"},        {NULL, NULL},
};

static void write_file(const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int set_up(void **state) {
    (void)state;
    char path[200];
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/assets", folder);
    mkdir(path, 0755);
    for (size_t i = 0; files[i][1]; i++) write_file(files[i][0], files[i][1]);
    snprintf(path, sizeof path, "%s/link", folder);
    return symlink("/etc/passwd", path);
}

static int tear_down(void **state) {
    (void)state;
    char path[200];
    for (size_t i = 0; files[i][1]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i][0]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/link", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/assets", folder);
    rmdir(path);
    return rmdir(folder);
}

static void expect(const bw_assets *assets, const char *path, const char *accepts, const char *bytes, const char *type,
                   const char *encoding) {
    bw_asset asset;
    if (!bw_assets_find(assets, path, accepts, &asset)) fail_msg("%s is missing", path);
    assert_int_equal(asset.length, strlen(bytes));
    assert_memory_equal(asset.bytes, bytes, asset.length);
    assert_string_equal(asset.type, type);
    assert_string_equal(asset.encoding ? asset.encoding : "", encoding);
}

TEST(test_finding) {
    char problem[300];
    bw_assets *assets = bw_assets_load(folder, problem, sizeof problem);
    assert_non_null(assets);
    expect(assets, "/index.html", "gzip, br", "<html>", "text/html; charset=utf-8", "");
    expect(assets, "/assets/a.js", "gzip, deflate, br", "brotli", "text/javascript; charset=utf-8", "br");
    expect(assets, "/assets/a.js", "gzip", "gzip", "text/javascript; charset=utf-8", "gzip");
    expect(assets, "/assets/a.js", "br;q=0, gzip;q=0.5", "gzip", "text/javascript; charset=utf-8", "gzip");
    expect(assets, "/assets/a.js", "", "plain", "text/javascript; charset=utf-8", "");
    expect(assets, "/assets/b.wasm", "br", "wasm", "application/wasm", "");

    bw_asset plain, packed;
    assert_true(bw_assets_find(assets, "/assets/a.js", "", &plain) &&
                bw_assets_find(assets, "/assets/a.js", "br", &packed));
    assert_true(plain.immutable && plain.varies && packed.varies);
    assert_string_not_equal(plain.etag, packed.etag);
    assert_true(bw_assets_find(assets, "/favicon.svg", "", &plain) && !plain.immutable && !plain.varies);

    static const char *const none[] = {"/",
                                       "",
                                       "/assets",
                                       "/assets/",
                                       "/.secret",
                                       "/link",
                                       "/assets/../index.html",
                                       "/../etc/passwd",
                                       "/index.htm",
                                       "/INDEX.HTML",
                                       "//index.html"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        if (bw_assets_find(assets, none[i], "br", &plain)) fail_msg("%s was found", none[i]);
    }
    bw_assets_free(assets);
}

TEST(test_headers) {
    assert_true(bw_accepts("gzip, br", "br"));
    assert_true(bw_accepts("BR", "br"));
    assert_true(bw_accepts("gzip;q=1.0,br ; q=0.001", "br"));
    assert_false(bw_accepts("", "br"));
    assert_false(bw_accepts("brotli", "br"));
    assert_false(bw_accepts("br;q=0", "br"));
    assert_false(bw_accepts("br; q=0.000, gzip", "br"));
    assert_true(bw_etag_matches("\"a\", W/\"b\"", "\"b\""));
    assert_true(bw_etag_matches("*", "\"b\""));
    assert_false(bw_etag_matches("\"bc\"", "\"b\""));
    assert_false(bw_etag_matches("", "\"b\""));
}

TEST(test_problems) {
    char problem[300], inner[200];
    assert_null(bw_assets_load("/nowhere/at/all", problem, sizeof problem));
    assert_non_null(strstr(problem, "/nowhere/at/all cannot be read as the client: No such file"));
    snprintf(inner, sizeof inner, "%s/assets", folder);
    assert_null(bw_assets_load(inner, problem, sizeof problem));
    assert_non_null(strstr(problem, "holds no index.html"));
}

RUN_TESTS(set_up, tear_down)
