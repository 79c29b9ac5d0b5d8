# The build behind ./muster, read by it in a subshell with $root (the clone), $made ($root/.muster-build) and
# fresh() set. Ends with 0 when a build is there, 2 when the machine lacks something, 70 when the build fails.

say() { printf '%s\n' "$*" >&2; }

# The feature version of the JDK in folder $1, from its `release` file, so that no JVM need start; 0 when it is none.
jdk_version() {
    [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || { echo 0; return; }
    version=$(sed -n 's/^JAVA_VERSION="\{0,1\}\([0-9]*\).*/\1/p' "$1/release")
    echo "${version:-0}"
}

# Sets $jdk to the first JDK 25 or later: JAVA_HOME, java on PATH, then the usual places.
find_jdk() {
    on_path=$(command -v java) && on_path=$(readlink -f "$on_path" 2>/dev/null) && on_path=${on_path%/bin/java}
    for jdk in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home; do
        [ -n "$jdk" ] && [ "$(jdk_version "$jdk")" -ge 25 ] && return
    done
    [ -x /usr/libexec/java_home ] && jdk=$(/usr/libexec/java_home -v 25+ 2>/dev/null) && return
    return 1
}

# Tells everything that is missing at once.
check_machine() {
    lacking=
    find_jdk || {
        lacking=1
        say "Muster needs a JDK, version 25 or later, and found none in JAVA_HOME, on PATH or under /usr/lib/jvm."
        say "  Get Temurin 25 (adoptium.net; package temurin-25-jdk) or run: sdk install java 25-tem"
    }
    command -v mvn >/dev/null || {
        lacking=1
        say "Muster needs Apache Maven, version 3.8.5 or later, to build itself; there is no mvn on PATH."
        say "  Get it with: apt-get install maven    (or: sdk install maven, brew install maven)"
    }
    command -v python3 >/dev/null ||
        say "Note: there is no python3 on PATH. Muster runs, but Python training code will not: apt-get install python3"
    [ -z "$lacking" ]
}

digest() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }

# Writes $app/$1.args (JVM options of program $1, then $2...) and, by running $1's Training once, its cache $app/$1.aot.
make_program() {
    program=$1
    shift
    jars=
    for jar in "$app/$program"/*.jar; do jars=$jars${jars:+:}$jar; done
    args=$app/$program.args
    for option in "$@" --enable-native-access=ALL-UNNAMED -Xlog:disable -Xlog:all=warning:stderr -cp "$jars"; do
        printf '"%s"\n' "$(printf '%s' "$option" | sed 's/[\\"]/\\&/g')"
    done >"$args"
    MUSTER_HOME=$app/$program.home "$jdk/bin/java" "@$args" "-XX:AOTCacheOutput=$app/$program.aot" \
        "-Dmuster.lib=$app" "-Dmuster.java=$jdk/bin/java" "-Dmuster.build=$id" "dev.muster.$program.Training"
    rm -rf "$app/$program.home"
    # Without a cache the program only starts more slowly; build.log tells why there is none.
    # With one, JVMs warn at each start of single pieces of it that they make anew: nothing for a user.
    [ ! -s "$app/$program.aot" ] ||
        printf '"%s"\n' '-Xlog:aot*=error:stderr' "-XX:AOTCache=$app/$program.aot" >>"$args"
}

# What the optimising compiler takes of the service: loops over many bytes, ciphers among them. For all else it costs more than it gives back, a third of
# all processor time of a start with many jobs. A JVM says that it has read this, on standard output, unless it is told to be silent.
directives() {
    cat <<'END'
[
  {
    match: ["sun/security/*.*", "com/sun/crypto/provider/*.*", "dev/muster/artifacts/*.*", "dev/muster/telemetry/*.*"],
    c2: {Exclude: false}
  },
  {
    match: ["*.*"],
    c2: {Exclude: true}
  }
]
END
}

# Compiles, lays out the application in its final folder (a cache holds for the paths it was trained with) and trains.
build() {
    cd "$root" && touch "$made/started" || return
    rm -rf cli/target/quick/lib server/target/quick/lib
    JAVA_HOME=$jdk mvn -B -q -T2 -Dquick -pl cli,server -am package || return
    id=$(LC_ALL=C digest cli/target/quick/*.jar server/target/quick/*.jar cli/target/quick/lib/*.jar server/target/quick/lib/*.jar |
        digest - | cut -c1-12)
    app=$made/$id-$(printf '%s' "$jdk" | cat - "$jdk/release" | cksum | cut -d' ' -f1)
    # One that came along with a clone that was moved or copied names the files of the old place.
    if [ ! -e "$app/complete" ] || ! grep -qF "$app/cli/" "$app/cli.args"; then
        rm -rf "$app" && mkdir -p "$app" || return
        for module in cli server; do
            mv "$module/target/quick/lib" "$app/$module" && cp "$module"/target/quick/*.jar "$app/$module/" || return
        done
        make_program cli -XX:+UseSerialGC -XX:TieredStopAtLevel=1 &
        directives >"$app/server.directives"
        make_program server -XX:+UseSerialGC -Xms32m -XX:MinHeapFreeRatio=20 -XX:MaxHeapFreeRatio=40 \
            -XX:+UnlockDiagnosticVMOptions -XX:-DisplayVMOutput "-XX:CompilerDirectivesFile=$app/server.directives"
        wait
        touch "$app/complete"
    fi
    touch "$app"
    printf '%s\n' "$app" "$jdk/bin/java" "$id" >"$made/current.new" &&
        touch -r "$made/started" "$made/current.new" && mv "$made/current.new" "$made/current"
    # A service may still run from an older application: the three newest stay.
    ls -1td "$made"/*-*/ | tail -n +4 | while read -r old; do rm -rf "$old"; done
}

check_machine || exit 2
mkdir -p "$made" && [ -w "$made" ] || { say "Muster cannot write its build to $made: make it writable."; exit 2; }
first=' (first run)'
[ ! -e "$made/current" ] || first=
command -v flock >/dev/null && { exec 9>"$made/lock"; flock -n 9 || { say "waiting for another build of Muster"; flock 9; }; }
! fresh || exit 0
printf 'building Muster%s ... ' "$first" >&2
begun=$(date +%s)
if build >"$made/build.log" 2>&1; then
    say "$(($(date +%s) - begun)) s"
else
    say "failed after $(($(date +%s) - begun)) s"
    # What is wrong, without Maven's advice on running Maven.
    sed -n '/^\[ERROR\] *$/q; s/^\[ERROR\] //p' "$made/build.log" | head -n 20 >&2
    say "Muster could not be built. All of the output: $made/build.log"
    exit 70
fi
