/* Actions as a person types them, and what people read of actions and events: "move 3,4", "select_color red", "command
 * 1 up 3", for any game.
 *
 * A word names the action; the others fill its fields in the order in which they are declared. A place is
 * "x,y"; a list takes all words that are left; a long text takes the rest of the line; "none" is null; an
 * optional field is passed over where the word does not fit it; any field can be named: "round=3", and so can the
 * members of an object: "new_game rows=5 cols=5".
 *
 * This is the one place where columns and rows change between the wire, which counts them from 0, and people, who count
 * from 1: fields declared INDEX, in words. JSON stays as it is, typed or printed. */
#ifndef BW_CLI_PHRASE_H
#define BW_CLI_PHRASE_H

#include "engine/json.h"

/* The JSON of the action that a line says; the line may be that JSON already. False with a complaint. */
bool phrase_read(const bw_union *actions, const char *line, bw_out *json, bw_complaint *complaint);
/* An action as it would be typed: "move 3,4". Returns the bytes needed, as snprintf. */
size_t phrase_write(const bw_union *actions, const void *action, char *text, size_t cap);
/* An event, or an action that nobody types, for people to read, from its JSON: "moved from 6,9 to 6,10". Members that
 * the union does not know are told as they come. What is no JSON object with a `type` is told unchanged. */
void phrase_tell(const bw_union *cases, const char *json, size_t length, bw_out *out);
/* How an action is typed: "move x,y". Returns the bytes needed, as snprintf. */
size_t phrase_form(const bw_case *action, char *text, size_t cap);
/* Does one of the actions name a column or a row? */
bool phrase_has_places(const bw_union *actions);

#endif
