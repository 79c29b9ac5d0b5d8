# Builds and runs the simulation of the control plane; sourced by the scripts beside it.

# A JDK 25 or later, from JAVA_HOME or where distributions put it.
find_java() {
    local home
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
        if [ -x "$home/bin/javac" ] && grep -qE '^JAVA_VERSION="(2[5-9]|[3-9][0-9])' "$home/release" 2>/dev/null; then
            echo "$home"
            return
        fi
    done
    echo "There is no JDK 25 or later in JAVA_HOME or under /usr/lib/jvm: install Temurin 25, or set JAVA_HOME." >&2
    return 1
}

# build_simulation FOLDER: compiles control and what it needs, with its tests, in a checkout.
build_simulation() {
    command -v mvn >/dev/null || { echo "There is no mvn: install maven." >&2; return 1; }
    (cd "$1" && JAVA_HOME=$(find_java) mvn -B -q -pl control -am test-compile dependency:build-classpath \
        -Dmdep.outputFile=target/tests.classpath -Dmdep.includeScope=test)
}

# run_simulation FOLDER ARGUMENTS...: see Simulate in control/src/test. Classes in $MUTANT come before those that were built.
run_simulation() {
    local folder=$1
    shift
    "$(find_java)/bin/java" -XX:+UseSerialGC -Xmx512m \
        -cp "${MUTANT:+$MUTANT:}$folder/control/target/test-classes:$folder/control/target/classes:$(cat "$folder/control/target/tests.classpath")" \
        dev.muster.control.Simulate "$@"
}
