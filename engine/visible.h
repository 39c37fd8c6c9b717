/* What people may write: names, seeds, orders. Invisible characters, and those that change how others are displayed,
 * are rejected: a name must not reverse the sentence around it, and two names must not look the same.
 *
 *   if (bw_text_is_plain(text)) ...      no control or format characters (Unicode 15, Cc, Cf, Zl, Zp)
 *   if (bw_text_is_seen(text)) ...       something of it is visible
 *
 * Text must be valid UTF-8 (json.h checks it). */
#ifndef BW_VISIBLE_H
#define BW_VISIBLE_H

#include <stdbool.h>

bool bw_text_is_plain(const char *text);
bool bw_text_is_seen(const char *text);

#endif
