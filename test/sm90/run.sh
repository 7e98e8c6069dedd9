#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh [folder]: tests of the Hopper root on a machine with a GPU, in a build folder or in one made by pack.sh
# (default: this script's folder). RUN_ONLY="name ..." selects parts. Exits with 77 if there is no GPU, and with 2 if
# RUN_ONLY has a name that cannot run here.
set -u
folder=$(cd "${1:-$(dirname "$0")}" && pwd) || exit 2
tests="$folder/test"
[ -x "$tests/sm90_launch_test" ] || { echo "run.sh: $folder holds no programs of the Hopper root" >&2; exit 2; }

gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1)
if [ -z "$gpu" ]; then
    echo "run.sh: no GPU here, the tests of the Hopper root were not run"
    exit 77
fi
echo "GPU: $gpu"

failed=""
met=""
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# part <name> <seconds> <command...>: prints one line, and the end of the output on failure.
part() {
    name=$1
    limit=$2
    shift 2
    case " ${RUN_ONLY:-$name} " in *" $name "*) met="$met $name" ;; *) return 0 ;; esac
    start=$(date +%s)
    if timeout "$limit" "$@" > "$log" 2>&1; then
        echo "PASS $name ($(($(date +%s) - start)) s)"
    else
        status=$?
        echo "FAIL $name (status $status, $(($(date +%s) - start)) s)"
        tail -n "${RUN_LINES:-40}" "$log"
        failed="$failed $name"
    fi
}

for name in memory queue implicit_queue capture capture_refused convert ipc ipc_notifier; do
    part "cnrt_$name" 60 "$tests/cnrt_${name}_test"
done
# Several devices and ranks: one GPU serves them all.
part cnrt_cndev 60 env MLUOP_SM90_DEVICES="${MLUOP_SM90_DEVICES:-8}" "$tests/cnrt_cndev_test"
part cncl 60 env MLUOP_SM90_DEVICES="${MLUOP_SM90_DEVICES:-8}" "$tests/cncl_apart_test"
[ ! -x "$tests/all_to_all_matrix_test" ] ||
    part all_to_all 120 env MLUOP_SM90_DEVICES="${MLUOP_SM90_DEVICES:-8}" "$tests/all_to_all_matrix_test"

# Several processes, all on this GPU: with mapped memory, and as if they were on several machines.
if ! command -v mpirun >/dev/null 2>&1; then
    echo "SKIP cncl_mpi_*, all_to_all_mpi_*: there is no mpirun"
elif [ ! -e "$folder/neuware-sm90/lib64/libcncl_mpi.so.1" ]; then
    echo "SKIP cncl_mpi_*, all_to_all_mpi_*: CNCL was built without MPI"
else
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    jobs=$tests/cncl_mpi.sh # in a pack; in a build folder the sources have it
    [ -x "$jobs" ] || jobs=$(dirname "$0")/../bangc_helper/cncl/mpi.sh
    export MLUOP_SM90_DEVICES="${MLUOP_SM90_DEVICES:-8}"
    for case in apart apart_messages; do
        part "cncl_mpi_$case" 300 env CNCL_TEST_PROCESSES="2 4 8" "$jobs" "$tests" "$folder/neuware-sm90/lib64" "$case"
    done
    for mode in mapped messages; do
        shared=$([ $mode = mapped ] && echo 1 || echo 0)
        for count in 2 4 8; do
            part "all_to_all_mpi_${count}_$mode" 300 mpirun --oversubscribe -n "$count" -x "MLUOP_SM90_SHARED_MEMORY=$shared" \
                "$tests/all_to_all_matrix_test"
        done
        part "all_to_all_mpi_failure_$mode" 300 mpirun --oversubscribe -n 4 -x "MLUOP_SM90_SHARED_MEMORY=$shared" \
            "$tests/all_to_all_failure_own_mpi"
    done
    # After a process is killed, the job must end soon with an error.
    part all_to_all_mpi_killed 120 sh -c "! mpirun --oversubscribe -n 4 '$tests/all_to_all_killed_test'"
    unset MLUOP_SM90_DEVICES
fi

part launch 60 "$tests/sm90_launch_test"
# Whether a copy without a sync has happened is undefined; on the CPU root it never has. And CUDA gives up a device
# after a fault.
part corpus 60 "$tests/kernel_corpus" -missing_sync -shared_ram_of_no_cluster
for sample in "$folder"/samples/*; do
    # CUDA gives up a device after a fault; only on the CPU can the process go on using it.
    [ "$(basename "$sample")" != deliberate_fault ] || continue
    [ ! -f "$sample" ] || [ ! -x "$sample" ] || part "sample_$(basename "$sample")" 60 "$sample"
done
part cases 300 "$tests/mluop_gtest"
part variants 600 "$tests/mluop_gtest" --variants=reached
part cases_unaligned 300 "$tests/mluop_gtest" --unaligned_mlu_address_random
part cases_threads 120 "$tests/mluop_gtest" --thread=4 --case_set=smoke
# One test compares the library with the header, which only the source tree contains.
part api 120 "$tests/mluop_api_gtest" --gtest_filter=-Header*

sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ -n "$sanitizer" ]; then
    part memcheck 300 "$sanitizer" --tool memcheck --error-exitcode 9 "$tests/mluop_gtest" --case_set=smoke
    # Its warnings concern scalar code, which all lanes of a warp run in step.
    part racecheck 600 "$sanitizer" --tool racecheck --print-level error --error-exitcode 9 "$tests/mluop_gtest" \
        --case_set=smoke
    part synccheck 300 "$sanitizer" --tool synccheck --error-exitcode 9 "$tests/mluop_gtest" --case_set=smoke
else
    echo "SKIP memcheck, racecheck, synccheck: there is no compute-sanitizer"
fi

unmet=""
for name in ${RUN_ONLY:-}; do
    case " $met " in *" $name "*) ;; *) unmet="$unmet $name" ;; esac
done
[ -z "$failed" ] || echo "failed:$failed"
if [ -n "$unmet" ] || [ -z "$met" ]; then
    echo "run.sh: RUN_ONLY names what is no part here:${unmet:- '$RUN_ONLY'}" >&2
    exit 2
fi
[ -z "$failed" ] || exit 1
echo "all passed"
