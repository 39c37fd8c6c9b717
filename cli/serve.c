/* boardwalk serve: the server is a layer of its own; this only starts it. */
#include "cli/cli.h"
#include "server/server.h"

int cli_serve(int argc, char **argv) { return server_main(argc, argv); }
