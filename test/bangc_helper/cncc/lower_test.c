/* SPDX-License-Identifier: MIT
 *
 * The lowering on small texts: what must appear, what must not, what must be refused, and that no
 * damaged text brings it down.
 */
#include "lower.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "includes.h"
#include "source.h"

static int g_failures;

static bool lower_whole(const char *text, bool for_gpu, Lowered *out) {
  LowerOptions options = {.arch = arch_default(),
                          .system_root = "/neuware/include",
                          .unit_tag = "tag",
                          .for_gpu = for_gpu};
  /* A copy of the exact size lets AddressSanitizer see a read past the end. */
  char *copy = xstrndup(text, strlen(text));
  bool ok = lower_unit(copy, strlen(copy), &options, out);
  free(copy);
  return ok;
}

static bool lower_text(const char *text, bool for_gpu, StrBuf *out) {
  Lowered lowered = {0};
  bool ok = lower_whole(text, for_gpu, &lowered);
  *out = lowered.text;
  return ok;
}

/* Without line markers, and with every run of white space as one blank. */
static char *normalise(const char *text) {
  StrBuf out = {0};
  strbuf_add(&out, "", 0);
  bool line_start = true, space = false;
  for (const char *p = text; *p; ++p) {
    if (line_start && p[0] == '#' && p[1] == ' ') {
      while (*p && *p != '\n') ++p;
      space = true;
      if (!*p) break;
      continue;
    }
    line_start = *p == '\n';
    if (isspace((unsigned char)*p)) {
      space = true;
      continue;
    }
    if (space && out.size) strbuf_puts(&out, " ");
    space = false;
    strbuf_add(&out, p, 1);
  }
  return out.data;
}

typedef struct Golden {
  const char *what;
  const char *input;
  const char *checks[8]; /* texts that must appear; "!text" must not */
} Golden;

static const Golden goldens[] = {
    {"nothing to do",
     "# 1 \"x.mlu\"\nint f(int a) { return a << 2 >> 1; }\n#pragma unroll\nconst char *s = "
     "\"K<<<1>>>(x)\";\n",
     {"int f(int a) { return a << 2 >> 1; } #pragma unroll const char *s = \"K<<<1>>>(x)\";",
      "!__bang"}},
    {"kernel",
     "__mlu_global__ void K(int n, float *x) { x[n] = 1; }",
     {"void K(int n, float *x) {::__bang_kernel_entry(\"K\", ::__bang_tu_ram(), [=]() mutable -> "
      "void { if (::__is_mpu()) return; x[n] = 1; });",
      "static const ::__bang_kernel_registrar<void (*)(int n , float * x ), &K> ",
      "!__mlu_global__"}},
    {"shared RAM alone gives the memory core nothing to do",
     "__mlu_shared__ int s; __mlu_global__ void K(int *x) { x[0] = 1; } ",
     {"-> void { if (::__is_mpu()) return; x[0] = 1; });"}},
    {"nor do branches for one compute core",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ bool f() { return coreId == 1 && "
     "coreId < 3; }",
     {"-> void { if (::__is_mpu()) return; x[0] = 1; });"}},
    {"nor branches that send it away",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f(int n) { if (__is_mpu()) "
     "return; if (n < 1 || (coreId == 0x80)) { return; } if (coreId == (0x80)) return; if "
     "(!__is_ipu()) return; }",
     {"-> void { if (::__is_mpu()) return; x[0] = 1; });"}},
    {"nor branches for the compute cores",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f(int *x) { if (coreId != "
     "0x80) { x[1] = 2; } if (__is_ipu() && x) x[2] = 3; x[3] = 4; }",
     {"-> void { if (::__is_mpu()) return; x[0] = 1; });"}},
    {"a branch for the memory core",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f(int *x) { if (__is_mpu()) { "
     "x[1] = 2; } }",
     {"-> void { x[0] = 1; });", "!::__is_mpu"}},
    {"an else for the memory core",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f(int *x) { if (coreId != "
     "0x80) { x[1] = 2; } else { x[2] = 3; } }",
     {"-> void { x[0] = 1; });", "!::__is_mpu"}},
    {"what the compute cores return before",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f(int *x) { if (__is_ipu()) "
     "return; x[1] = 2; }",
     {"-> void { x[0] = 1; });", "!::__is_mpu"}},
    {"a number compared with an unknown one",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ bool f(int core) { return coreId == "
     "core; }",
     {"-> void { x[0] = 1; });", "!::__is_mpu"}},
    {"a number beyond the compute cores",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f(int *x) { if (coreId >= "
     "coreDim) x[1] = 2; }",
     {"-> void { x[0] = 1; });", "!::__is_mpu"}},
    {"a number compared elsewhere",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ bool g(int id) { return id == 0x80; "
     "} __mlu_func__ bool f() { return g(coreId); }",
     {"-> void { x[0] = 1; });", "!::__is_mpu"}},
    {"a barrier of the memory cores",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f() { __sync_all_mpu(); }",
     {"-> void { x[0] = 1; });", "!::__is_mpu"}},
    {"a test outside of an if",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ int f() { return __is_mpu() ? 1 : "
     "2; }",
     {"-> void { x[0] = 1; });", "!::__is_mpu"}},
    {"old kernel qualifier",
     "__mlu_entry__ void K() {}",
     {"void K() {::__bang_kernel_entry(", "!__mlu_entry__"}},
    {"kernel declaration",
     "extern \"C\" __mlu_global__ void K(int n);",
     {"extern \"C\" void K(int n);", "!__bang"}},
    {"template kernel is not registered",
     "template <typename T, int N = (1 > 0)> __mlu_global__ void K(T *x) {}",
     {"void K(T *x) {::__bang_kernel_entry(", "!registrar"}},
    {"explicit instantiation",
     "template __mlu_global__ void ns::K<float, 3>(float *);",
     {"template void ns::K<float, 3>(float *);", "!__mlu"}},
    {"less-than in a template head",
     "template <int N, bool B = N < 4, class = E<(N > 2), int>> __mlu_global__ void K(T *x) {}",
     {"void K(T *x) {::__bang_kernel_entry("}},
    {"kernel pointer",
     "__mlu_global__ void (*pointer)(int) = K;",
     {"void (*pointer)(int) = K;", "!__bang"}},
    {"extern template",
     "extern template __mlu_global__ void K<float>(float *);",
     {"extern template void K<float>(float *);", "!registrar"}},
    {"default arguments leave the registrar",
     "__mlu_global__ void K(int a = f<1, 2>(3, 4), char b = ',', P<int, int> c = {1, 2}) {}",
     {"<void (*)(int a , char b , P < int , int > c ), &K>"}},
    {"__func__ in a kernel", "__mlu_global__ void K() { p(__func__); }", {"p(\"K\" )"}},
    {"launch", "void h() { K<<<d, t, q>>>(1, x); }", {"(::__bang_launch( d, t, q), K (1, x))"}},
    {"template launch",
     "void h() { ns::K<T, (a > b), V<W<int>>><<<d, t, q>>>(x); }",
     {"(::__bang_launch( d, t, q), ns::K<T, (a > b), V<W<int>>> (x))"}},
    {"configuration with templates",
     "void h() { K<<<f<g<int>>(), t, q>>>(x); }",
     {"(::__bang_launch( f<g<int>>(), t, q), K (x))"}},
    {"configuration with three closing brackets",
     "void h() { K<<<f<g<h<int>>>(), t, q>>>(x); }",
     {"(::__bang_launch( f<g<h<int>>>(), t, q), K (x))"}},
    {"configuration with a comparison",
     "void h() { K<<<d, a < b ? t : u, q>>>(x); }",
     {"(::__bang_launch( d, a < b ? t : u, q), K (x))"}},
    {"comparison among template arguments",
     "void h() { K<a < b><<<d, t, q>>>(x); M<int, N < 4><<<d, t, q>>>(x); }",
     {"(::__bang_launch( d, t, q), K<a < b> (x)) ;",
      "(::__bang_launch( d, t, q), M<int, N < 4> (x)) ;"}},
    {"comparison without spaces",
     "void h() { if (x<y) K<a == b && N<5><<<d, t, q>>>(x); }",
     {"if (x<y) (::__bang_launch( d, t, q), K<a == b && N<5> (x)) ;"}},
    {"space in front of template arguments",
     "void h() { K <float> <<<d, t, q>>>(x); }",
     {"(::__bang_launch( d, t, q), K <float> (x)) ;"}},
    {"two expressions", "void h() { K<<<d, t>>>(x); }", {"(::__bang_launch( d, t), K (x))"}},
    {"nested launch",
     "void h() { K<<<d, t, q>>>(L<<<d, t, q>>>(1), 2); }",
     {"(::__bang_launch( d, t, q), K ((::__bang_launch( d, t, q), L (1)) , 2))"}},
    {"member and element",
     "void h() { a.b->c[i](1)<<<d, t, q>>>(x); }",
     {"(::__bang_launch( d, t, q), a.b->c[i](1) (x))"}},
    {"statement parentheses",
     "void h() { if (a) (*f)<<<d, t, q>>>(x); }",
     {"if (a) (::__bang_launch( d, t, q), (*f) (x))"}},
    {"global name",
     "void h() { return ::K<<<d, t, q>>>(x); }",
     {"return (::__bang_launch( d, t, q), ::K (x))"}},
    {"operator<<<",
     "auto p = &operator<<<int>; x.operator<< <int>(y);",
     {"operator<<<int>; x.operator<< <int>(y);", "!__bang_launch"}},
    {"raw strings and characters",
     "auto a = R\"d(K<<<)\" __nram__ )d\"; char c = '\"'; int n = 1'000'000;",
     {"R\"d(K<<<)\" __nram__ )d\"; char c = '\"'; int n = 1'000'000;", "!__bang"}},
    {"comments",
     "/* K<<<1>>>(2) __nram__ */ int a; // __mlu_func__\nint b;",
     {"/* K<<<1>>>(2) __nram__ */ int a;", "!__bang"}},
    {"device function",
     "__mlu_func__ int f(int x) { return x; }",
     {"static inline __attribute__((unused)) int f(int x)"}},
    {"words that are there already",
     "static inline __mlu_func__ int f(); __mlu_func__ inline int g();",
     {"static inline __attribute__((unused)) int f();",
      "static __attribute__((unused)) inline int g();"}},
    {"specialisation",
     "template <> __mlu_func__ int f<int>(int);",
     {"template <> inline __attribute__((unused)) int f<int>(int);", "!static"}},
    {"members",
     "struct A { __mlu_func__ A(); static __mlu_func__ int g(); };",
     {"inline __attribute__((unused, abi_tag(\"tag\"))) A();",
      "static inline __attribute__((unused, abi_tag(\"tag\"))) int g();"}},
    {"member outside",
     "template <class T> __mlu_func__ void A<T>::f(int) {}",
     {"inline void A<T>::f(int) {}", "!static", "!abi_tag"}},
    {"operators",
     "template <class T> __mlu_func__ C<T> operator+(C<T> a, C<T> b); __mlu_func__ bool "
     "operator()(int);",
     {"static inline __attribute__((unused)) C<T> operator+(C<T> a, C<T> b);"}},
    {"members of a specialisation",
     "template <class R, class A> struct F<R(A)> : B<(1 > 0)> { __mlu_func__ F(); };",
     {"inline __attribute__((unused, abi_tag(\"tag\"))) F();"}},
    {"space of a result",
     "__nram__ float *get(); int a = (__nram__ int)b; auto c = cast<__nram__ T *>(p);",
     {"float *get();", "int a = ( int)b;", "cast< T *>(p);", "!static"}},
    {"friend declaration",
     "struct A { friend __mlu_func__ int f(A); };",
     {"friend int f(A);", "!inline"}},
    {"two qualifiers",
     "__mlu_func__ __mlu_vector__ void f();",
     {"static inline __attribute__((unused)) void f();", "!__mlu"}},
    {"nram",
     "__nram__ char b[4];",
     {"namespace { alignas(64) thread_local char b[4]; }",
      "(::__bang_tu_ram_head, \"b\", sizeof(b), ",
      "static_assert(sizeof(b) <= 512ul * 1024, \"__nram__ variable 'b' is larger than the 512 KB "
      "that mtp_592 has\");"}},
    {"alignment goes to the front",
     "__nram__ alignas(N) static float b[4];",
     {"namespace { alignas(64) alignas( N ) thread_local float b[4]; }"}},
    {"nram with initialisers",
     "static __nram__ const int a = 1, b[2] = {2, 3};",
     {"thread_local const int a = 1, b[2] = {2, 3}; }",
      "static decltype(a) __bang_image_1 __attribute__((unused)) = 1;",
      "static decltype(b) __bang_image_2 __attribute__((unused)) = { 2 , 3 };"}},
    {"type on the spot",
     "__nram__ struct P { int a, b; } p = {1, 2}; void f() { __mlu_shared__ struct { int c; } "
     "s[2]; }",
     {"thread_local struct P { int a, b; } p = {1, 2}; }", "static decltype(p) __bang_image_1",
      "typedef struct { int c ; } __bang_type_2 [ 2 ];"}},
    {"extern nram",
     "extern __nram__ char b[]; void f() { b[0] = 1; } __nram__ char b[N];",
     {"namespace { alignas(64) extern thread_local char b[]; }", "thread_local char b[N];"}},
    {"extern nram that nobody defines",
     "extern __nram__ float b[][4];",
     {"thread_local float b[512ul * 1024 / sizeof(float [ 4 ]) ][4]; }", "!extern"}},
    {"extern shared RAM before its definition",
     "extern __mlu_shared__ char *b[]; __mlu_shared__ char *b[2 * N];",
     {"typedef char * __bang_type_1[2 * N]; namespace { extern thread_local __bang_type_1 &b; }"}},
    {"extern shared RAM in a function",
     "__mlu_shared__ char b[8]; void f() { extern __mlu_shared__ char b[]; b[1] = 2; }",
     {"void f() { ; b[1] = 2; }"}},
    {"local nram", "void f() { __nram__ T t[N]; }", {"alignas(64) static thread_local T t[N];"}},
    {"local table",
     "void f() { __nram__ int t[2] = {1, 2}; }",
     {"static thread_local int t[2] ;", "if (::__bang_first_in_task(",
      "{ static decltype(t) __bang_image_1 = { 1 , 2 }; ::__bang_store(t, __bang_image_1); }"}},
    {"local value",
     "void f(int n) { __nram__ int v = n; }",
     {"static thread_local int v ; { decltype(v) __bang_image_1 = n;"}},
    {"local pointer",
     "void f() { __nram__ float *p = b; const __nram__ T *q; }",
     {"float *p = b; const T *q;", "!thread"}},
    {"parameter",
     "void f(__nram__ float *p, __mlu_shared__ int *q) {}",
     {"void f( float *p, int *q) {}"}},
    {"shared",
     "__mlu_shared__ float s[2][3];",
     {"typedef float __bang_type_1 [ 2 ] [ 3 ];",
      "thread_local __bang_type_1 &s = ::__bang_space_slot<", "::BANG_SPACE_SRAM"}},
    {"aligned wram",
     "void f() { __wram__ __attribute__((aligned(128))) half w[64]; }",
     {"static thread_local __bang_type_1 &w =", "::BANG_SPACE_WRAM",
      "struct alignas(64) alignas( 128 ) __bang_slot_1 {};"}},
    {"device globals",
     "__mlu_device__ int a; extern __mlu_device__ int b; __mlu_device__ int b = 2;",
     {"static __attribute__((unused)) int a; "
      "static ::__bang_symbol_registrar __bang_symbol_1(&a, sizeof(a)); extern int b; int b = 2;",
      "__bang_symbol_2(&b, sizeof(b));", "!__bang_symbol_3"}},
    {"asm sync",
     "void f() { __asm__ volatile(\"sync;\\n\\t\"); }",
     {"(::__bang_sync_pipes(::BANG_PIPE_ALL))"}},
    {"asm for the host",
     "void f() { asm volatile(\"movl %1, %0\" : \"=r\"(a) : \"r\"(b)); asm(\"\" ::: \"memory\"); }",
     {"asm volatile(\"movl %1, %0\" : \"=r\"(a) : \"r\"(b)); asm(\"\" ::: \"memory\");",
      "!__bang"}},
    {"asm fuse",
     "void f() { asm(\"fuse.nram.f32 [%[d]], %[n], [%0], .mul(%[k]), \" \".add([%[m]]), .sub(2);\" "
     ":: "
     "\"r\"(s), [ d ] \"r\"(p + 1), [n] \"r\"(c), [k] \"r\"(v), [m] \"r\"(q)); }",
     {"::__bang_asm_chain<float>(::__bang_asm_pointer<float>( p + 1), static_cast<size_t>( c), "
      "::__bang_asm_pointer<float>( s)",
      "::__bang_asm_with_value<float, ::__bang_asm_op_mul>(::__bang_asm_value<float>( v))",
      "::__bang_asm_with_memory<float, ::__bang_asm_op_add>(::__bang_asm_pointer<float>( q))",
      "::__bang_asm_with_value<float, ::__bang_asm_op_sub>(static_cast<float>(2))"}},
    {"what ends a process, in device code",
     "__mlu_func__ void f(int n) { if (n) std::exit(n); abort(); } "
     "__mlu_global__ void K(T t) { t.exit(1); t::exit(2); exit(3); int exit = 4; }",
     {"if (n) std::__bang_exit (n); __bang_abort (); }",
      "t.exit(1); t::exit(2); __bang_exit (3); int exit = 4;"}},
    {"what ends a process, on the host", "void f() { exit(1); }", {"void f() { exit(1); }"}},
    {"lambda qualifier",
     "void f() { auto g = [] __mlu_func__ (int x) { return x; }; }",
     {"[] (int x) { return x; };"}},
};

static const Golden gpu_goldens[] = {
    {"kernel for a GPU",
     "__mlu_global__ void K(int n, float *x) { if (__is_mpu()) return; x[n] = 1; }",
     {"void K(int n, float *x) {::__bang_kernel_entry(\"K\", ::__bang_unit(), [=] __device__ () "
      "mutable -> void {",
      "__bang_unit_sizes __bang_unit() { return {::__bang_reach(), ", "!__mlu_global__"}},
    {"kernel with a parameter pack for a GPU",
     "template <class T, class... A> __mlu_global__ void K(T *x, const Pair<T, int> p, A... a) { "
     "f(x, a...); }",
     {"::__bang_with_pack([=] __device__ (A ... a) mutable -> void {", "f(x, a...); }, a...)); }"}},
    {"kernel with a constexpr if for a GPU",
     "template <bool b, class... A> __mlu_global__ void K(const T, ns::T, std::pair<int, T> *x, "
     "const "
     "int n = 3, unsigned int, float y[4], A... a) { if constexpr (b) f(x, n, a...); }",
     {"mutable -> void {(void)x; (void)n; (void)y; ", "!(void)T", "!(void)a", "!(void)int"}},
    {"on-chip variables for a GPU",
     "__nram__ float a[8]; namespace s { __nram__ int b; } "
     "__mlu_func__ float f(int i) { return a[i] + s::b; } "
     "__mlu_func__ float g(float *a) { return a[0]; }",
     {"typedef float __bang_type_1 [ 8 ];", "extern __bang_type_1 a;",
      "__bang_reach_2 = ::__bang_reach_1.next(::BANG_SPACE_NRAM, sizeof(__bang_type_2)",
      "__bang_type_1 &a = ::__bang_onchip<::__bang_type_1, "
      "::BANG_SPACE_NRAM>(::__bang_reach_1.at);",
      "g(float *a) { return a[0]; }", "return {::s::__bang_reach_2, ::__bang_reach(), "}},
    {"NRAM of a function for a GPU",
     "__mlu_func__ void f() { __nram__ int x[4]; x[0] = 1; }",
     {"::__bang_local<__bang_type_1, ::BANG_SPACE_NRAM, alignof(__bang_slot_1)> __bang_local_1;",
      "__bang_type_1 &x = __bang_local_1.variable();", "{true, false, false, false}}; }"}},
    {"shared RAM of a function for a GPU",
     "__mlu_func__ void f() { __mlu_shared__ int x[4]; x[0] = 1; }",
     {"::__bang_local<__bang_type_1, ::BANG_SPACE_SRAM, alignof(__bang_slot_1)> __bang_local_1;",
      "{false, false, true, false}}; }"}},
};

static void check_golden(const Golden *g, bool for_gpu) {
  StrBuf out = {0};
  if (!lower_text(g->input, for_gpu, &out)) {
    printf("FAIL %s: refused\n", g->what);
    ++g_failures;
    strbuf_free(&out);
    return;
  }
  char *text = normalise(out.data);
  for (size_t i = 0; i < 8 && g->checks[i]; ++i) {
    bool banned = g->checks[i][0] == '!';
    if ((strstr(text, g->checks[i] + banned) != NULL) == banned) {
      printf("FAIL %s: %s: %s\n  in: %s\n", g->what, banned ? "unwanted" : "missing",
             g->checks[i] + banned, text);
      ++g_failures;
    }
  }
  free(text);
  strbuf_free(&out);
}

static const char *const refused[] = {
    "void h() { K<<<d, t, q>>(x); }",
    "void h() { K<<<d, t, q>>>; }",
    "void h() { K<<<>>>(x); }",
    "void h() { K<<<d>>>(x); }",
    "void h() { K<<<d, t, q, 0>>>(x); }",
    "void h() { <<<d, t, q>>>(x); }",
    "void h() { K<<<d, t, q",
    "__mlu_global__ 3 + 4;",
    "__mlu_shared__ int s = 1;",
    "void f() { asm(\"frobnicate.nram.f32 [%0];\" :: \"r\"(p)); }",
    "void f() { asm(\"fuse.nram.f32 [%0], %1, [%0], .frob(%1);\" :: \"r\"(p), \"r\"(n)); }",
    "void f() { asm(\"fuse.nram.f32 [%[a]], %[n], [%[nobody]];\" :: [a] \"r\"(p), [n] \"r\"(n)); }",
};

/* Cuts and damages of all texts above: any answer will do, as long as there is one. */
static void check_damage(const char *text, bool for_gpu) {
  size_t n = strlen(text);
  char *copy = xmalloc(n + 1);
  for (size_t i = 0; i < n; ++i) {
    memcpy(copy, text, n + 1);
    StrBuf cut = {0}, odd = {0}, gone = {0};
    copy[i] = '\0';
    lower_text(copy, for_gpu, &cut);
    copy[i] = "(){}[]<>;:\"'%"[i % 13];
    lower_text(copy, for_gpu, &odd);
    memmove(copy + i, text + i + 1, n - i);
    lower_text(copy, for_gpu, &gone);
    strbuf_free(&cut);
    strbuf_free(&odd);
    strbuf_free(&gone);
  }
  free(copy);
}

/* Every line marker must leave the reader at the right line: tokens named after their line. */
static void check_lines(void) {
  const char *text =
      "# 1 \"x.mlu\"\n"
      "void at_2(); __nram__ int b[2] = {1,\n"
      "2}; int at_2b;\n"
      "# 10 \"x.mlu\"\n"
      "void at_10() { K<<<d,\n"
      "t, q>>>(at_11,\n"
      "at_12); int at_12b; }\n";
  StrBuf out = {0};
  if (!lower_text(text, false, &out)) ++g_failures;
  static const struct {
    const char *name;
    int line;
  } expected[] = {{"at_2b", 2}, {"at_11", 11}, {"at_12)", 12}, {"at_12b", 12}};
  Source source;
  source_init(&source, out.data, out.size, NULL);
  for (size_t e = 0; e < sizeof expected / sizeof *expected; ++e) {
    bool found = false;
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(expected[e].name, ")"), expected[e].name);
    for (int i = 0; i < source.count; ++i) {
      found |= token_is(&source, i, name) && source.tokens[i].line == expected[e].line;
    }
    if (!found) {
      printf("FAIL %s is not at line %d in:\n%s\n", name, expected[e].line, out.data);
      ++g_failures;
    }
  }
  source_free(&source);
  strbuf_free(&out);
}

/* Text of system headers goes, their #include lines stay; the user's headers stay as text. */
static void check_includes(void) {
  static const char text[] =
      "# 0 \"x.mlu\"\n# 1 \"/neuware/include/bang.h\" 1\nint bang;\n# 0 \"x.mlu\" 2\n"
      "#include <stdint.h>\n# 1 \"x.mlu\"\n# 1 \"/usr/include/stdint.h\" 1 3 4\n"
      "#include <bits/types.h>\n# 1 \"/usr/include/bits/types.h\" 1 3 4\nint inner;\n"
      "# 9 \"/usr/include/stdint.h\" 2 3 4\nint outer;\n# 2 \"x.mlu\" 2\n"
      "#include \"u.h\"\n# 1 \"u.h\" 1\nint user;\n# 3 \"x.mlu\" 2\nint own;\n";
  static const char *const present[] = {"#include <stdint.h>", "int user;", "int own;",
                                        "# 3 \"x.mlu\"\n"};
  static const char *const absent[] = {"int bang;", "int inner;", "int outer;", "bits/types.h",
                                       "#include \"u.h\""};
  StrBuf out = {0};
  restore_system_includes(text, sizeof text - 1, "/neuware/include", &out);
  for (size_t i = 0; i < sizeof present / sizeof *present; ++i) {
    if (!strstr(out.data, present[i])) {
      printf("FAIL includes: no %s in:\n%s\n", present[i], out.data);
      ++g_failures;
    }
  }
  for (size_t i = 0; i < sizeof absent / sizeof *absent; ++i) {
    if (strstr(out.data, absent[i])) {
      printf("FAIL includes: %s in:\n%s\n", absent[i], out.data);
      ++g_failures;
    }
  }
  strbuf_free(&out);
}

/* What is said of the memory core must be what kernels are made to do. */
static void check_memory_core(void) {
  static const struct {
    const char *text;
    bool is_idle;
  } units[] = {{"__mlu_global__ void K() { f(); }", true},
               {"__mlu_global__ void K() { if (__is_mpu()) return; f(); }", true},
               {"__mlu_global__ void K() { if (__is_mpu()) { f(); } }", false}};
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
    Lowered out = {0};
    bool ok = lower_whole(units[i].text, true, &out);
    bool returns = ok && strstr(out.text.data, "if (::__is_mpu()) return;") != NULL;
    if (!ok || out.memory_core_is_idle != units[i].is_idle || returns != units[i].is_idle) {
      printf("FAIL memory core of: %s\n", units[i].text);
      ++g_failures;
    }
    strbuf_free(&out.text);
  }
}

int main(void) {
  if (!freopen("/dev/null", "w", stderr)) return 1;
  for (size_t i = 0; i < sizeof goldens / sizeof *goldens; ++i) {
    check_golden(&goldens[i], false);
    check_damage(goldens[i].input, false);
  }
  for (size_t i = 0; i < sizeof gpu_goldens / sizeof *gpu_goldens; ++i) {
    check_golden(&gpu_goldens[i], true);
    check_damage(gpu_goldens[i].input, true);
  }
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    StrBuf out = {0};
    if (lower_text(refused[i], false, &out)) {
      printf("FAIL accepted: %s\n", refused[i]);
      ++g_failures;
    }
    strbuf_free(&out);
    check_damage(refused[i], false);
  }
  check_lines();
  check_includes();
  check_memory_core();
  printf("%d failure%s\n", g_failures, g_failures == 1 ? "" : "s");
  return g_failures ? 1 : 0;
}
