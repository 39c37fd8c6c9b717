/* `boardwalk serve`: reads the settings, opens everything, runs the loop until it is told to end.
 *
 * argv[0] is the command's own name. Returns the exit status: 0 after SIGTERM, SIGINT or SIGHUP (everything in flight
 * is durable, clients were closed with 1012), 1 if it could not serve (a sentence on stderr), 2 for a wrong setting.
 * One line on stdout names the URL once it listens; the log is on stderr. */
#ifndef BW_SERVER_H
#define BW_SERVER_H

int server_main(int argc, char **argv);

#endif
