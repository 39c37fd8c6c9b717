/* The compiled-in lessons: those that the games list in `lesson_files` (cli/lessons.c.in). */
#ifndef BW_CLI_LESSONS_H
#define BW_CLI_LESSONS_H

/* The texts; NULL-terminated. */
extern const char *const cli_lessons[];

#endif
