#!/bin/sh
# SPDX-License-Identifier: MIT
# Errors point at the line of the kernel source; a failed compilation leaves nothing half-written behind and takes nothing
# away that it has not begun to write.
. "$(dirname "$0")/common.sh"

# refuse <text of the message>: compiles bad.mlu, which must fail with that text
refuse() {
  run 1 "$CNCC" -c bad.mlu -o bad.o
  has err "$1"
  absent bad.o
}
# kept <file>: nobody touched the file that says "before"
kept() {
  [ "$(cat "$1" 2>/dev/null)" = before ] || fail "$1 is not what it was before"
}

cat >bad.mlu <<'END'
#include <mlu.h>
__mlu_func__ int f(int a) { return a; }
__mlu_global__ void K(float *x) {
  x[0] = undefined_name;
}
END
refuse "bad.mlu:4:10: error:"
has err undefined_name

cat >bad.mlu <<'END'
__mlu_global__ void K(float *x) {
  int y = 3
  x[0] = y;
}
END
refuse "error: expected"
grep -qE 'bad.mlu:[23]:' err || fail "line of the missing semicolon: $(cat err)"

cat >bad.mlu <<'END'
__mlu_global__ void K(float *x) {}
void h(float *x, cnrtQueue_t q) {
  cnrtDim3_t d = {1, 1, 1};
  K<<<d, cnrtFuncTypeBlock,
      q>>>(x,
           nobody);
}
END
refuse "bad.mlu:6:12: error:"

cat >bad.mlu <<'END'
__mlu_global__ void K(float *x) {}
void h(float *x, cnrtQueue_t q) {
  K<<<d, cnrtFuncTypeBlock, q>>(x);
}
END
refuse "bad.mlu:3:4: error: kernel launch without its '>>>'"
sed 's/q>>(x)/q, 0>>>(x)/' bad.mlu >b2 && mv b2 bad.mlu
refuse "bad.mlu:3:4: error: a launch takes <<<dim, type, queue>>>, not 4 expressions"
sed 's/K<<<.*/K<<<d>>>(x);/' bad.mlu >b2 && mv b2 bad.mlu
refuse "not 1 expression"
sed 's/K<<<.*/K<<<d, t, q>>>;/' bad.mlu >b2 && mv b2 bad.mlu
refuse "bad.mlu:3"

cat >bad.mlu <<'END'
__mlu_global__ void K(float *x) {}
void h(float *x, cnrtQueue_t q) {
  cnrtDim3_t d = {1, 1, 1};
  K<<<d, cnrtFuncTypeBlock, q>>>(x, 3);
}
END
refuse "bad.mlu:4:"

cat >bad.mlu <<'END'
__nram__ char small[16];
__nram__ char large[513 * 1024];
END
refuse "__nram__ variable 'large' is larger than the 512 KB that mtp_592 has"
has err "bad.mlu:2"
run 0 "$CNCC" --bang-mlu-arch=mtp_372 -c bad.mlu -o good.o

cat >bad.mlu <<'END'
__mlu_global__ void K() {
  __mlu_shared__ char s[4096 * 1024];
  s[0] = 1;
}
END
refuse "__mlu_shared__ variable 's' is larger than the 2048 KB that mtp_592 has"

cat >bad.mlu <<'END'
__mlu_func__ void f(float *x) {
  __asm__ volatile("frobnicate.nram.f32 [%[d]];" ::[d] "r"(x));
}
END
refuse "bad.mlu:2:3: error: unsupported instruction in inline assembly: 'frobnicate.nram.f32'"

cat >bad.h <<'END'
#pragma once
__mlu_func__ int from_header() { return nothing; }
END
printf '#include "bad.h"\nint x;\n' >bad.mlu
refuse "bad.h:2:"

printf '#include "no_such_header.h"\n' >bad.mlu
refuse "no_such_header.h"
printf '#error "stop here"\n' >bad.mlu
refuse "stop here"

# Unbalanced text must come back as an error too
printf '__mlu_global__ void K() { if (1) {\n' >bad.mlu
refuse "bad.mlu:"
printf '__mlu_global__ void K( {\n}\n' >bad.mlu
refuse "bad.mlu:"

# Warnings that the vendor's compiler does not have stay away; those it has stay
cat >warn.mlu <<'END'
#include <string.h>
#pragma bang walign(64)
struct S { int a; S() : a(0) {} };
__mlu_func__ int unused_function(int x) { return x; }
static void unused_host_function() {}
__mlu_global__ void K(float *x, int n) {
  int unused;
  int set_only;
  set_only = 3;
  unsigned u = 3;
  if (n < u) x[0] = 1;
  int part = n / 4;
  part = part > n ? 0 : (part * 8 > n ? part = n - part : part);
#pragma unroll 4
  for (int i = 0; i < part; ++i) x[i] = 0;
}
END
run 0 "$CNCC" -Wall -Werror -O2 -c warn.mlu
run 1 "$CNCC" -Wall -Werror -Wsign-compare -c warn.mlu
has err "warn.mlu:11"
printf 'int f(int x) { switch (x) { case 1: return 2; } }\n' >warn.mlu
run 1 "$CNCC" -Wall -Werror -c warn.mlu
has err "warn.mlu:1"
absent warn.o

# Outputs from before: they stay until the command that writes them begins
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

# Inputs are no outputs, under no other name either
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

# A signal in the middle: the temporary files go, and so does the output if it was being written
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
# stop_at <flag>: stops the compilation of slow.mlu while the command with that flag runs
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

# Operands of language functions: what is wanted and given, and the kernel; nothing of the header's templates.
cat >bad.mlu <<'END'
__nram__ int a[64], b[64];
__nram__ float f[64];
__nram__ half h[64];
template <typename T>
__mlu_func__ void activate(T *x) { __bang_active_exp(x, x, 64); }
__mlu_global__ void Kernel(float *out) {
  activate(f);
  __bang_active_exp(a, a, 64);
  __bang_add(f, h, f, 64);
  __bang_add(f, f, f);
  activate(b);
  f[0] = undefined_name;
}
END
refuse "bad.mlu:8:3: error: __bang_active_exp in kernel 'Kernel': half, bfloat16 or float wanted, int* given as operand 1"
has err "bad.mlu:9:3: error: __bang_add in kernel 'Kernel': operands of one type wanted, float* and half* given"
has err "bad.mlu:10:3: error: __bang_add in kernel 'Kernel': 4 operands wanted, 3 given"
has err "bad.mlu:5:36: error: __bang_active_exp in 'activate', which kernel 'Kernel' calls: half, bfloat16 or float wanted, int* given"
has err "bad.mlu:12:"
has err undefined_name
has_not err bang_impl
has_not err "In lambda function"

finish
