/*
 * A fresh folder for what a test keeps for a moment: in $TMPDIR, else in /tmp. The caller removes it.
 */
#ifndef TESTS_SUPPORT_FOLDER_H
#define TESTS_SUPPORT_FOLDER_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Makes the folder and puts its path into `path`. False when it is longer than `size` or cannot be made. */
static inline bool make_folder(char *path, size_t size, const char *name) {
    const char *parent = getenv("TMPDIR");
    int length = snprintf(path, size, "%s/boardwalk-%s-XXXXXX", parent && *parent ? parent : "/tmp", name);
    return length > 0 && (size_t)length < size && mkdtemp(path);
}

#endif
