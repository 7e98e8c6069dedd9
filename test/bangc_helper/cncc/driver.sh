#!/bin/sh
# SPDX-License-Identifier: MIT
# Features of the driver that do not depend on the host compiler: queries, architectures, dependencies, response files,
# a moved root. A failed compilation leaves no partial output, and does not touch an old file before the command that
# writes it starts.
. "$(dirname "$0")/common.sh"

# kept <file>: fails unless the file still contains "before"
kept() {
  [ "$(cat "$1" 2>/dev/null)" = before ] || fail "$1 is not what it was before"
}

write_program

# Queries
run 0 "$CNCC" --version
head -1 out >line
grep -qE '^[^ ]+ v?[0-9]+(\.[0-9]+)+' line || fail "version line: $(cat line)"
run 0 "$CNCC" --help
for word in -c -S -E -o -shared -MD --bang-mlu-arch -Xbang-cnas -mllvm --neuware-path CNCC_HOST_CXX mtp_592; do
  has out "$word"
done
run 0 "$CNCC" -dumpmachine
run 1 "$CNCC"
has err "no input files"
run 1 "$CNCC" -c missing.mlu
has err "missing.mlu"
run 1 "$CNCC" missing.o -o program
has err "missing.o"
run 1 "$CNCC" -c k.mlu main.cpp -o both.o
has err "several outputs"
run 1 "$CNCC" -c k.mlu -o
has err "needs a value"
run 1 "$CNCC" -c k.mlu --bang-mlu-arch=mtp_999
has err "unknown MLU architecture 'mtp_999'"
run 1 "$CNCC" @nothing
has err "nothing"

# Architectures
run 0 "$CNCC" -E -dM -Iinc\ dir k.mlu
has out "#define __BANG__ 1"
has out "#define __BANG_ARCH__ 592"
has out "#define __MLU_NRAM_SIZE__ 512"
has out "#define __MLU_SRAM_SIZE__ 2048"
run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu --bang-mlu-arch=mtp_372 --bang-mlu-arch=mtp_592
has out "#define __BANG_ARCH__ 372"
has out "#define __MLU_NRAM_SIZE__ 768"
has out "#define __MLU_WRAM_SIZE__ 1024"
for arch in 210 220 270 520 521; do # cards of a single core
  run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu --bang-mlu-arch=tp_$arch
  has out "#define __BANG_ARCH__ $arch"
  has out "#define __MLU_SRAM_SIZE__ 0"
done
run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu --bang-mlu-arch=MLU100 --bang-mlu-arch=MLU270
has out "#define __BANG_ARCH__ 100"
# Second generation: sizes of NRAM, WRAM and SRAM in KB
while read -r arch number nram wram sram; do
  run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu --bang-mlu-arch=$arch
  has out "#define __BANG_ARCH__ $number"
  has out "#define __MLU_NRAM_SIZE__ $nram"
  has out "#define __MLU_WRAM_SIZE__ $wram"
  has out "#define __MLU_SRAM_SIZE__ $sram"
  run 0 "$CNCC" --help
  has out "$arch"
done <<'END'
tp_210 210 256 256 0
tp_220 220 512 512 0
tp_270 270 512 1024 0
mtp_220 220 512 512 2048
mtp_270 270 512 1024 2048
MLU200 270 512 1024 2048
MLU220 220 512 512 2048
END
run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu --bang-arch=compute_20
has out "#define __BANG_ARCH__ 290"

# Dependency files, in the syntax of make
run 0 "$CNCC" -MD -MF k.dep -MT "target" -c k.mlu "-Iinc dir"
has k.dep "target: k.mlu"
has k.dep 'inc\ dir/k.h'
has k.dep bang.h
run 0 "$CNCC" -MD -MF "k spaced.dep" -MQ "a target.o" -c k.mlu "-Iinc dir" -o "a target.o"
has "k spaced.dep" 'a\ target.o: k.mlu'
run 0 "$CNCC" -MMD -c k.mlu "-Iinc dir" -o "sub.o"
has sub.d "sub.o: k.mlu"
run 0 "$CNCC" -MM k.mlu "-Iinc dir"
has out 'inc\ dir/k.h'
has_not out stddef.h
has_not out 'inc\ dir/k.h:'
run 0 "$CNCC" -MM -MP k.mlu "-Iinc dir"
has out 'inc\ dir/k.h:'

# Response files
cat >args <<'END'
-c k.mlu "-Iinc dir" -D'QUOTED=a b'
-o from\ file.o
END
run 0 "$CNCC" @args
exists "from file.o"

# Printing commands
rm -f k.o
run 0 "$CNCC" "-###" -c k.mlu "-Iinc dir"
has err "-D__BANG_ARCH__=592"
absent k.o
run 0 "$CNCC" -v -c k.mlu "-Iinc dir"
has err "lower "
exists k.o

# A root that was moved to a folder with a space in its name
root=$(cd "$(dirname "$CNCC")/.." && pwd)
mkdir "moved root"
cp -R "$root/bin" "$root/include" "$root/lib64" "moved root/"
# shellcheck disable=SC2086
run 0 "moved root/bin/cncc" ${CNCC_TEST_FLAGS:-} k.mlu main.cpp "-Iinc dir" -o "moved program"
$emulator "./moved program" || fail "the program of the moved root failed"
run 0 "moved root/bin/cncc" -MD -MF moved.dep -c k.mlu "-Iinc dir"
has moved.dep 'moved\ root/include/bang.h'
ln -s "$work/moved root/bin/cncc" linked
run 0 ./linked -c k.mlu "-Iinc dir"

# An old output file stays until the command that writes it starts
echo before >e.o
cp e.o a.out
run 1 "$CNCC" -c nothere.mlu -o e.o
run 1 "$CNCC" -c nothere.c -o e.o
run 1 "$CNCC" -E nothere.mlu -o e.o
kept e.o
printf '#error "stop here"\n' >bad.mlu
run 1 "$CNCC" -c bad.mlu -o e.o
kept e.o
printf 'void f() { K<<<1>>>(); }\n' >bad.mlu
run 1 "$CNCC" -c bad.mlu -o e.o
kept e.o
CNCC_HOST_CXX=$work/nowhere run 1 "$CNCC" -c bad.mlu -o e.o
kept e.o
echo 'int x = nothing;' >bad.c
cp bad.c bad.mlu
run 1 "$CNCC" bad.c -o a.out
run 1 "$CNCC" bad.c
run 1 "$CNCC" nothere.o -o a.out
run 1 "$CNCC" -fsyntax-only bad.mlu -o a.out
kept a.out
run 1 "$CNCC" -c bad.mlu -o e.o
absent e.o
cp a.out e.o
run 1 "$CNCC" -c bad.c -o e.o
absent e.o

# An output that is also an input is refused, even if a link or another path hides it
echo before >k.mlu
cp k.mlu k.o
cp k.mlu k.s
ln -s k.mlu link.o
ln k.mlu hard.o
for line in "-c k.mlu -o k.mlu" "-c k.mlu -o ./k.mlu" "-c k.mlu -o link.o" "-S k.mlu -o hard.o" "-E k.mlu -o k.mlu" \
  "-M k.mlu -o k.mlu" "k.mlu -o k.mlu" "k.o -o k.o" "-c k.mlu -MD -MF k.mlu" "-x bang -c k.o" "-S k.mlu k.s"; do
  # shellcheck disable=SC2086
  run 1 "$CNCC" $line
  has err "would overwrite the input"
  for file in k.mlu k.o k.s hard.o; do kept $file; done
done
run 0 "$CNCC" -x bang -c /dev/null -o /dev/null

# A signal during the compilation: the temporary files are deleted, and so is the output if its command had started
mkfifo started
cat >compiler <<END
#!/bin/sh
[ "\$1" = --version ] && exit 0
case " \$* " in
  *" \$STOP_AT "*) echo "\$\$" >"$work/started"; exec tail -f /dev/null ;;
esac
exec ${CNCC_HOST_CXX:-c++} "\$@"
END
chmod +x compiler
echo 'int x;' >slow.mlu
# stop_at <flag>: terminates cncc while it runs the compiler with that flag
stop_at() {
  echo before >stopped.o
  STOP_AT=$1 CNCC_HOST_CXX=$work/compiler "$CNCC" -c slow.mlu -o stopped.o >out 2>err &
  driver=$!
  read -r compiler <started
  kill -TERM "$driver"
  wait "$driver" 2>/dev/null && fail "a stopped compilation succeeded"
  kill -0 "$compiler" 2>/dev/null && fail "the compiler outlived the driver"
}
stop_at -E
kept stopped.o
stop_at -c
absent stopped.o

finish
