/* boardwalk serve: starts the server, which is a layer of its own. */
#include "cli/cli.h"
#include "server/server.h"

int cli_serve(int argc, char **argv) { return server_main(argc, argv); }
