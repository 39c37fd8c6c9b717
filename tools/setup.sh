# Shared by ./run and ./test: installs what is missing, and builds each part when its inputs have changed. Sourced, with
# the repository's root as the working directory. Everything created here is in build/ (and web/node_modules, web/dist).

say() { printf '\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }

# stamped NAME SUM: are the inputs the same as when NAME was last completed?
stamped() { [ "$(cat "build/stamps/$1" 2>/dev/null)" = "$2" ]; }
stamp() { mkdir -p build/stamps && printf '%s\n' "$2" >"build/stamps/$1"; }
# One sum over the names and contents of all files under the given paths.
sum_of() {
    find "$@" \( -name node_modules -o -name dist -o -name test-results \) -prune -o -type f -print0 2>/dev/null |
        sort -z | xargs -0 sha256sum | sha256sum
}

# install_packages LIST...: installs from Debian what the lists name and the machine lacks. With npm_wanted=true it also
# installs Node and npm if npm is missing.
install_packages() {
    local wanted missing=() package
    wanted=$(cat "$@" | sed 's/#.*//' | tr -s ' \n' '\n' | sort -u)
    if ${npm_wanted:-false} && ! command -v npm >/dev/null; then wanted="$wanted nodejs npm"; fi
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        warn "This is not Debian: please see to it that these are installed: $(echo $wanted)"
        return 0
    fi
    local present
    present=$(dpkg-query -W -f '${binary:Package} ${db:Status-Abbrev}\n' 2>/dev/null | awk '$2 == "ii" { sub(/:.*/, "", $1); print $1 }' | sort -u)
    for package in $wanted; do
        grep -qx "$package" <<<"$present" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    debian_install "${missing[@]}"
}

debian_install() {
    local as_root=() log=build/install.log
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || {
            warn "These packages are missing, and neither root nor sudo is here to install them:"
            warn "    apt-get install $*"
            return 1
        }
        # Only a terminal can ask for a password.
        sudo -n true 2>/dev/null || { [ -t 0 ] && say "Installing needs sudo." && sudo -v; } || {
            warn "These packages are missing, and sudo refuses to install them for $(id -un); as root:"
            warn "    apt-get install $*"
            return 1
        }
        as_root=(sudo)
    fi
    say "Installing from Debian: $*"
    mkdir -p build
    # A machine's package list may be old or, in a new container, empty.
    "${as_root[@]}" apt-get update -qq >"$log" 2>&1 || warn "The list of packages could not be refreshed; trying with the old one."
    if [ -t 1 ]; then
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Progress-Fancy=1 -o Dpkg::Use-Pty=0 --no-install-recommends "$@"
    else
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "$@" >>"$log" 2>&1 ||
            { tail -20 "$log" >&2; false; }
    fi || {
        warn "Installing failed. The command was: apt-get install $*"
        return 1
    }
}

# ---- the program ----

# configure FOLDER OPTIONS...: creates a meson build folder, unless it exists with the same options.
configure() {
    local folder=$1 sum
    shift
    sum=$(printf '%s ' "${CC:-cc}" "$@" | sha256sum)
    [ -f "$folder/build.ninja" ] && stamped "meson-${folder//\//-}" "$sum" && return 0
    rm -rf "$folder"
    mkdir -p build
    meson setup "$folder" "$@" >"build/configure.log" 2>&1 || {
        tail -20 build/configure.log >&2
        warn "Configuring $folder failed; all of it is in build/configure.log."
        return 1
    }
    stamp "meson-${folder//\//-}" "$sum"
}

# A warning stops the build with the project's own compiler version, not with a user's newer one.
build_program() {
    local werror=false
    [ "$(gcc -dumpversion 2>/dev/null)" != 12 ] || werror=true
    CC=gcc configure build/release --buildtype=release -Dwerror=$werror || return 1
    if ! ninja -C build/release -n cli/boardwalk 2>/dev/null | grep -q 'no work to do'; then
        say "Building the program ..."
        if [ -t 1 ]; then
            ninja -C build/release cli/boardwalk
        else
            ninja -C build/release cli/boardwalk >build/program.log 2>&1 || { grep -E 'error|FAILED' build/program.log | head -30 >&2; false; }
        fi || {
            warn "The program did not build."
            return 1
        }
    fi
    # Moved into place, so that a running server keeps the file that it was started from.
    cmp -s build/release/cli/boardwalk build/boardwalk || { cp build/release/cli/boardwalk build/.boardwalk && mv -f build/.boardwalk build/boardwalk; }
}

build_wasm() {
    [ -x wasm/build ] || { warn "There is no wasm/build: the pages will show no previews."; return 0; }
    local sum
    sum=$(sum_of engine games bots rooms wasm)
    [ -f web/src/lib/engine/boardwalk.wasm ] && [ -f web/src/lib/engine/hall.wasm ] && stamped wasm "$sum" && return 0
    say "Building the rules for the browser ..."
    wasm/build || { warn "The browser's build of the rules failed."; return 1; }
    stamp wasm "$sum"
}

# ---- the pages ----

# Vite 8 requires Node 20.19 or newer; Debian 12 has 18. If needed, the npm package `node` provides one.
node_is_new() { node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null; }
find_node() {
    local own=$PWD/build/node/node_modules/node/bin
    [ ! -x "$own/node" ] || PATH=$own:$PATH
    node_is_new && command -v npm >/dev/null && return 0
    command -v npm >/dev/null || debian_install nodejs npm || return 1
    node_is_new && return 0
    say "Bringing a newer Node into build/node ..."
    mkdir -p build/node
    npm install --prefix build/node --no-save --no-fund --no-audit --loglevel=error node@20 >build/node.log 2>&1
    PATH=$own:$PATH
    node_is_new || {
        tail -5 build/node.log >&2
        warn "Node 20.19 or newer is needed to build the pages, and could not be brought by npm (build/node.log)."
        return 1
    }
}

install_web() {
    local sum
    sum=$(sum_of web/package.json web/package-lock.json web/.npmrc)
    [ -d web/node_modules ] && stamped npm "$sum" && return 0
    say "Fetching what the pages are built with ..."
    (cd web && npm ci --no-fund --no-audit --loglevel=error) >build/npm.log 2>&1 || {
        tail -20 build/npm.log >&2
        warn "npm ci failed in web/ (build/npm.log)."
        return 1
    }
    stamp npm "$sum"
}

# Puts the pages beside the program, in build/web.
build_web() {
    [ -f web/package.json ] || { warn "There is no web/ here: the server will have no pages."; return 1; }
    local sum
    sum=$(sum_of web games docs/rules) # lessons and rules are pages too
    [ -f build/web/index.html ] && stamped web "$sum" && return 0
    find_node && install_web || return 1
    say "Building the pages ..."
    (cd web && npm run --silent build) >build/web.log 2>&1 || {
        tail -20 build/web.log >&2
        warn "The pages did not build (build/web.log)."
        return 1
    }
    rm -rf build/.web && cp -r web/dist build/.web && rm -rf build/web && mv build/.web build/web
    stamp web "$sum"
}
