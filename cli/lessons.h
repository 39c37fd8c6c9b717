/* The lessons that are compiled in: those that the games name in `lesson_files` (cli/lessons.c.in). */
#ifndef BW_CLI_LESSONS_H
#define BW_CLI_LESSONS_H

/* The texts, NULL at the end. */
extern const char *const cli_lessons[];

#endif
