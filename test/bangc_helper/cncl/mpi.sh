#!/bin/sh
# SPDX-License-Identifier: MIT
# mpi.sh <folder of the test programs> <folder of the libraries> <case>
# Runs the test programs as MPI jobs. Ends with 77 where there is no MPI.
set -u
programs=$1
libraries=$2
case=$3
counts=${CNCL_TEST_PROCESSES:-4} # numbers of processes for the jobs without host access to device memory
apart=$programs/cncl_apart_test
[ -x "$apart" ] || apart=$programs/../../cncl_apart_test # build folders keep it with the tests for devices

skip() {
    echo "skipped: $*"
    exit 77
}

command -v mpirun >/dev/null 2>&1 || skip "mpirun is not installed (openmpi-bin)"
[ -e "$libraries/libcncl_mpi.so.1" ] || skip "CNCL was built without MPI (libopenmpi-dev)"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Open MPI is not instrumented, so leak reports would be about its memory.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
export TSAN_OPTIONS="${TSAN_OPTIONS:+$TSAN_OPTIONS:}ignore_noninstrumented_modules=1"
# Over the loopback: without a network Open MPI 5 finds no other route between two processes of a machine.
tcp="--mca btl tcp,self --mca btl_tcp_if_include lo --mca pml ob1"
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# job <processes> <options> <program> [arguments]
job() {
    count=$1
    options=$2
    shift 2
    # shellcheck disable=SC2086
    mpirun -n "$count" --oversubscribe $options "$@" >"$output" 2>&1
}

passes() {
    job "$@" && return 0
    status=$?
    cat "$output"
    echo "failed with $status: mpirun -n $*"
    exit 1
}

says() {
    grep -q "$1" "$output" && return 0
    cat "$output"
    echo "the output does not say: $1"
    exit 1
}

# gives_up <processes> <case> <message>: the ranks wait for a missing one until the time limit. On a loaded machine the
# short limit may pass before all processes have started; then the test is repeated with a long one.
gives_up() {
    for limit in 2000 30000; do
        if MLUOP_CNCL_TIMEOUT_MS=$limit job "$1" "" "$programs/cncl_failure_test" "$2" &&
            grep -q "gave up after $limit ms: $3" "$output"; then
            return 0
        fi
    done
    cat "$output"
    echo "failed: $2, which has to say: gave up after $limit ms: $3"
    exit 1
}

# ends_in_time <signal> <delay> <options>: one process of three gets a signal while MPI starts; the others must end within
# a time limit. mpirun and the stopped process do not count.
ends_in_time() {
    # shellcheck disable=SC2086
    CNCL_TEST_SIGNAL=$1 CNCL_TEST_DELAY_MS=$2 MLUOP_CNCL_TIMEOUT_MS=2000 mpirun -n 3 --oversubscribe $3 \
        "$programs/cncl_failure_test" _stalled >"$output" 2>&1 &
    mpirun=$!
    looks=0
    quiet=0
    seen=no
    # Half a second without a running process means that all have ended, once the first one has been seen.
    while [ $quiet -lt 5 ] && kill -0 $mpirun 2>/dev/null; do
        # The ranks need 2 s and as much again to end; the rest is for a loaded machine.
        if [ $looks -gt 600 ]; then
            cat "$output"
            ps --ppid $mpirun -o pid=,stat=,args=
            echo "failed: signal $1 after $2 ms ($3): processes are alive after 60 s"
            pkill -KILL -P $mpirun
            kill -KILL $mpirun
            exit 1
        fi
        states=$(ps --ppid $mpirun -o stat=)
        [ -z "$states" ] || seen=yes
        if [ $seen = yes ] && ! echo "$states" | grep -q '^[^ZT]'; then quiet=$((quiet + 1)); else quiet=0; fi
        sleep 0.1
        looks=$((looks + 1))
    done
    pkill -KILL -P $mpirun
    kill -KILL $mpirun 2>/dev/null
    wait $mpirun
    return 0
}

export MLUOP_CNCL_TIMEOUT_MS="${MLUOP_CNCL_TIMEOUT_MS:-60000}"
case $case in
    shared_memory)
        passes 2 "" "$programs/cncl_collectives_test"
        passes 4 "" "$programs/cncl_pairs_test"
        passes 2 "" "$programs/cncl_threads_test"
        passes 8 "" "$programs/cncl_threads_test" late_rank
        ;;
    apart)
        # Neither the host nor MPI can access device memory, as on a GPU: the processes map it.
        export MLUOP_CPU_HOST_ACCESS=0
        for count in $counts; do passes "$count" "" "$apart"; done
        ;;
    apart_messages)
        # The same as between hosts: data go through page-locked memory.
        export MLUOP_CPU_HOST_ACCESS=0 MLUOP_CPU_SHARED_MEMORY=0 MLUOP_SM90_SHARED_MEMORY=0
        for count in $counts; do passes "$count" "" "$apart"; done
        ;;
    tcp)
        # shellcheck disable=SC2086
        passes 2 "$tcp" "$programs/cncl_pairs_test"
        passes 4 "$tcp" "$programs/cncl_collectives_test"
        ;;
    leaks)
        passes 2 "" "$programs/cncl_leak_test"
        ;;
    program)
        passes 4 "" "$programs/cncl_mpi_program_test" free_first
        passes 4 "-x MLUOP_CPU_SHARED_MEMORY=0 -x MLUOP_SM90_SHARED_MEMORY=0" "$programs/cncl_mpi_program_test" free_first
        passes 4 "" "$programs/cncl_mpi_program_test" finalize_first
        passes 2 "" "$programs/cncl_mpi_program_test" single
        ;;
    failures)
        passes 3 "" "$programs/cncl_failure_test" _quits
        says "a call waits for rank 2, which has freed its communicator"
        passes 3 "" "$programs/cncl_failure_test" _count
        says "rank 2 calls AllReduce of 999 int32 (sum) where rank 0 calls AllReduce of 1000"
        passes 2 "" "$programs/cncl_failure_test" _call
        says "rank 2 calls AlltoAll of 1000 int32 where rank 0 calls AllGather"
        passes 3 "" "$programs/cncl_failure_test" _lane
        says "rank 0 sends 10 int32 to rank 2, which expects 11 int32"
        gives_up 3 _absent "rank 2 did not call it"
        MLUOP_CNCL_TIMEOUT_MS=8000 passes 3 "" "$programs/cncl_failure_test" _stopped
        if job 3 "" "$programs/cncl_failure_test" _killed; then
            echo "a job with a killed process ended as a success"
            exit 1
        fi
        gives_up 2 _lonely "rank 2 did not come"
        ;;
    start)
        for delay in 0 40 200; do ends_in_time 19 $delay ""; done                # SIGSTOP
        for delay in 0 60; do ends_in_time 9 $delay "--enable-recovery"; done    # SIGKILL
        ends_in_time 9 15 ""
        ;;
    *)
        echo "unknown case: $case"
        exit 2
        ;;
esac
echo "passed"
