/* SPDX-License-Identifier: MIT */
#include "goldens.h"

#include <stddef.h>

const Golden goldens[] = {
    {"nothing to do",
     "# 1 \"x.mlu\"\nint f(int a) { return a << 2 >> 1; }\n#pragma unroll\nconst char *s = "
     "\"K<<<1>>>(x)\";\n",
     {"int f(int a) { return a << 2 >> 1; } #pragma unroll const char *s = \"K<<<1>>>(x)\";",
      "!__bang"}},
    {"kernel",
     "__mlu_global__ void K(int n, float *x) { x[n] = 1; }",
     {"void K(int n, float *x) { if (::__bang_submit(::__bang_function<void (*)(int n , float * x "
      "), &K>(), \"K\", ::__bang_this_unit(), n, x)) return; { if (::__is_mpu()) return; x[n] = 1; "
      "} "
      "}",
      "static const ::__bang_kernel_registrar<void (*)(int n , float * x ), &K> ",
      "!__mlu_global__"}},
    {"shared RAM alone gives the memory core nothing to do",
     "__mlu_shared__ int s; __mlu_global__ void K(int *x) { x[0] = 1; } ",
     {"return; { if (::__is_mpu()) return; x[0] = 1; } }"}},
    {"nor do branches for one compute core",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ bool f() { return coreId == 1 && "
     "coreId < 3; }",
     {"return; { if (::__is_mpu()) return; x[0] = 1; } }"}},
    {"nor branches that send it away",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f(int n) { if (__is_mpu()) "
     "return; if (n < 1 || (coreId == 0x80)) { return; } if (coreId == (0x80)) return; if "
     "(!__is_ipu()) return; }",
     {"return; { if (::__is_mpu()) return; x[0] = 1; } }"}},
    {"nor branches for the compute cores",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f(int *x) { if (coreId != "
     "0x80) { x[1] = 2; } if (__is_ipu() && x) x[2] = 3; x[3] = 4; }",
     {"return; { if (::__is_mpu()) return; x[0] = 1; } }"}},
    {"a branch for the memory core",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f(int *x) { if (__is_mpu()) { "
     "x[1] = 2; } }",
     {"return; { x[0] = 1; } }", "!::__is_mpu"}},
    {"an else for the memory core",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f(int *x) { if (coreId != "
     "0x80) { x[1] = 2; } else { x[2] = 3; } }",
     {"return; { x[0] = 1; } }", "!::__is_mpu"}},
    {"what the compute cores return before",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f(int *x) { if (__is_ipu()) "
     "return; x[1] = 2; }",
     {"return; { x[0] = 1; } }", "!::__is_mpu"}},
    {"a number compared with an unknown one",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ bool f(int core) { return coreId == "
     "core; }",
     {"return; { x[0] = 1; } }", "!::__is_mpu"}},
    {"a number beyond the compute cores",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f(int *x) { if (coreId >= "
     "coreDim) x[1] = 2; }",
     {"return; { x[0] = 1; } }", "!::__is_mpu"}},
    {"a number compared elsewhere",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ bool g(int id) { return id == 0x80; "
     "} __mlu_func__ bool f() { return g(coreId); }",
     {"return; { x[0] = 1; } }", "!::__is_mpu"}},
    {"a barrier of the memory cores",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ void f() { __sync_all_mpu(); }",
     {"return; { x[0] = 1; } }", "!::__is_mpu"}},
    {"a test outside of an if",
     "__mlu_global__ void K(int *x) { x[0] = 1; } __mlu_func__ int f() { return __is_mpu() ? 1 : "
     "2; }",
     {"return; { x[0] = 1; } }", "!::__is_mpu"}},
    {"old kernel qualifier",
     "__mlu_entry__ void K() {}",
     {"void K() { if (::__bang_submit(", "!__mlu_entry__"}},
    {"parameters without names",
     "__mlu_global__ void K(int, const T *__restrict__, float (*)(int), int [4], P<int, int>, "
     "unsigned n = 2, A... a) {}",
     {"void K(int __bang_parameter_1 , const T *__restrict__ __bang_parameter_2 , float (* "
      "__bang_parameter_3 )(int), int __bang_parameter_4 [4], P<int, int> __bang_parameter_5 , "
      "unsigned n = 2, A... a)",
      "\"K\", ::__bang_this_unit(), __bang_parameter_1 , __bang_parameter_2 , __bang_parameter_3 , "
      "__bang_parameter_4 , __bang_parameter_5 , n, a...)) return;"}},
    {"no parameters", "__mlu_global__ void K(void) {}", {"\"K\", ::__bang_this_unit())) return;"}},
    {"template kernels are the unit's own",
     "template <class T> __mlu_global__ void K(T); template <class T> __mlu_global__ void K(T t) "
     "{} "
     "template <> __mlu_global__ void K<int>(int t) {} inline __mlu_global__ void L() {}",
     {"template <class T> static __attribute__((unused)) void K(T);",
      "template <class T> static __attribute__((unused)) void K(T t) {", "template <> void K<int>",
      "static __attribute__((unused)) inline void L() {"}},
    {"unless others have a part in them",
     "template <class T> __mlu_global__ void K(T t) {} template __mlu_global__ void K<int>(int); "
     "template <class T> __mlu_global__ void L(T); template <class T> struct S { static "
     "__mlu_global__ void m(T t) {} }; extern template struct S<int>; __mlu_global__ void N() {}",
     {"template <class T> void K(T t) {", "template <class T> void L(T);",
      "struct S { static void m(T t) {", "; void N() {"}},
    {"kernels of classes",
     "struct S { static __mlu_global__ void m(int t) {} static __mlu_global__ void n(int t); };",
     {"{ __attribute__((unused, abi_tag(\"tag\"))) static void m(int t) {",
      "static void n(int t);"}},
    {"kernel declaration",
     "extern \"C\" __mlu_global__ void K(int n);",
     {"extern \"C\" void K(int n);", "!__bang"}},
    {"template kernel registers itself",
     "template <typename T, int N = (1 > 0)> __mlu_global__ void K(T *x) {}",
     {"void K(T *x) { (void)&::__bang_kernel_registration<void (*)(T * x ), &K<T, N>>::registrar;"
      " if (::__bang_submit(",
      "!__bang_kernel_registrar"}},
    {"template parameters of all kinds",
     "template <class... A, int... N, template <typename> class C, void (*F)(int), typename = "
     "E<1>, typename X<A>::type = 0, int (&R)[3], void (*)(), const T> __mlu_global__ void K() {}",
     {"typename __bang_parameter_1 = E<1>, typename X<A>::type __bang_parameter_2 = 0,",
      "void (* __bang_parameter_3 )(), const T __bang_parameter_4 >",
      "&K<A..., N..., C, F, __bang_parameter_1 , __bang_parameter_2 , R, __bang_parameter_3 , "
      "__bang_parameter_4 >>"}},
    {"members register themselves",
     "struct S { static __mlu_global__ void k(int n) {} template <class U> static __mlu_global__ "
     "void m(U u) {} }; template <class T> template <class U> __mlu_global__ void R<T>::m(U u) {} "
     "template <class T> __mlu_global__ void R<T>::k(T t) {}",
     {" static void k(int n) { (void)&::__bang_kernel_registration<void (*)(int n ), &k>::",
      "static void m(U u) { (void)&::__bang_kernel_registration<void (*)(U u ), &m<U>>::",
      "void R<T>::m(U u) { (void)&::__bang_kernel_registration<void (*)(U u ), &m<U>>::",
      "void R<T>::k(T t) { (void)&::__bang_kernel_registration<void (*)(T t ), &k>::"}},
    {"a kernel that cannot name itself",
     "struct S { friend __mlu_global__ void k(S s) {} };",
     {"friend void k(S s) {::__bang_submit_or_run(::__bang_closure<void (*)(S s )>([](S s ) -> "
      "void "
      "{",
      "}), \"k\", ::__bang_this_unit(), s); }", "!registration"}},
    {"explicit instantiation",
     "template __mlu_global__ void ns::K<float, 3>(float *);",
     {"template void ns::K<float, 3>(float *);", "!__mlu"}},
    {"less-than in a template head",
     "template <int N, bool B = N < 4, class = E<(N > 2), int>> __mlu_global__ void K(T *x) {}",
     {"&K<N, B, __bang_parameter_1 >>::registrar; if (::__bang_submit("}},
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
     {"typedef char __bang_type_1 [ 4 ]; struct alignas(64) __bang_slot_1 {};",
      "constexpr ::__bang_reach __bang_reach_1 = ::__bang_reach().next(::BANG_SPACE_NRAM, "
      "sizeof(__bang_type_1), alignof(__bang_slot_1));",
      "static_assert(sizeof(__bang_type_1) <= 512ul * 1024, \"__nram__ variable 'b' is larger than "
      "the 512 KB that mtp_592 has\");",
      "namespace { thread_local __bang_type_1 &b __attribute__((unused)) = "
      "::__bang_onchip<::__bang_type_1, ::BANG_SPACE_NRAM>(::__bang_reach_1.at); }",
      "void __bang_unit_begin() { ::__bang_begin_1(); }",
      "__bang_unit() { return {::__bang_reach_1, ::__bang_reach(), "}},
    {"alignment of nram",
     "__nram__ alignas(N) static float b[4];",
     {"typedef float __bang_type_1 [ 4 ]; struct alignas(64) alignas( N ) __bang_slot_1 {};"}},
    {"nram with initialisers",
     "static __nram__ const int a = 1, b[2] = {2, 3}; __nram__ const int c = 4; __nram__ int *p = "
     "b;",
     {"static const int __bang_image_1 = 1;", "static const int __bang_image_2 [ 2 ]= { 2 , 3 };",
      "__bang_begin_2() { ::__bang_store(::__bang_onchip<::__bang_type_2, "
      "::BANG_SPACE_NRAM>(::__bang_reach_2.at), __bang_image_2); }",
      " const int c = 4;", "__bang_begin_3() { __bang_type_3 __bang_image_3 = b; ::__bang_store("}},
    {"type on the spot",
     "__nram__ struct P { int a, b; } p = {1, 2}, q; void f() { __mlu_shared__ struct { int c; } "
     "s[2]; }",
     {"typedef struct P { int a , b ; } __bang_base_0; static __bang_base_0 __bang_image_1 = { 1 , "
      "2 }; typedef __bang_base_0 __bang_type_1 ;",
      "typedef __bang_base_0 __bang_type_2 ;", "__bang_type_3 [ 2 ];"}},
    {"extern nram",
     "extern __nram__ char b[]; void f() { b[0] = 1; } __nram__ char b[N];",
     {"namespace { extern thread_local __bang_type_1 &b; }",
      "namespace { thread_local __bang_type_2 &b "}},
    {"extern nram that nobody defines",
     "extern __nram__ float b[][4];",
     {"typedef float __bang_type_1[512ul * 1024 / sizeof(float [ 4 ])][ 4 ];", "!extern"}},
    {"extern shared RAM before its definition",
     "extern __mlu_shared__ char *b[]; __mlu_shared__ char *b[2 * N];",
     {"typedef char * __bang_type_1[2 * N]; ",
      "namespace { extern thread_local __bang_type_1 &b; }"}},
    {"extern shared RAM in a function",
     "__mlu_shared__ char b[8]; void f() { extern __mlu_shared__ char b[]; b[1] = 2; }",
     {"void f() { ; b[1] = 2; }"}},
    {"local nram",
     "void f() { __nram__ T t[N]; }",
     {"static __thread ::__bang_place_mark __bang_mark_1; __bang_type_1 &t __attribute__((unused)) "
      "= ::__bang_local<__bang_type_1, ::BANG_SPACE_NRAM, alignof(__bang_slot_1), "
      "false>(__bang_mark_1, \"t\"); if (::__bang_first_in_task(__bang_mark_1)) "
      "::__bang_construct(t);"}},
    {"local table",
     "void f() { __nram__ int t[2] = {1, 2}; }",
     {"if (::__bang_first_in_task(__bang_mark_1)) { static __bang_type_1 __bang_image_1 = { 1 , 2 "
      "}; ::__bang_store(t, __bang_image_1); }"}},
    {"local value",
     "void f(int n) { __nram__ int v = n; }",
     {"{ __bang_type_1 __bang_image_1 = n; ::__bang_store(v, __bang_image_1); }"}},
    {"what a jump may pass, or a lambda would copy",
     "void f() { switch (n) { case 0: __nram__ int x[2]; } } void g() { __nram__ int y[4], "
     "z[a[0]]; "
     "auto l = [=] { return y[0]; }; }",
     {"static thread_local __bang_type_1 &x ", "static thread_local __bang_type_2 &y ",
      "; __bang_type_3 &z "}},
    {"static members",
     "struct S { static __nram__ int m[4]; }; __nram__ int S::m[4]; template <class T> __nram__ T "
     "*R<T>::n[2];",
     {"typedef int __bang_type_of_m [ 4 ]; struct alignas(64) __bang_slot_of_m {}; static "
      "thread_local __bang_type_of_m &m __attribute__((abi_tag(\"tag\")));",
      "thread_local typename S :: __bang_type_of_m &S :: m = ::__bang_space_slot<typename S :: "
      "__bang_slot_of_m, typename S :: __bang_type_of_m, ::BANG_SPACE_NRAM, "
      "::__bang_tu_tag>::variable();",
      "template < class T > thread_local typename R < T >:: __bang_type_of_n &R < T >:: n ="}},
    {"uses of nram",
     "__nram__ int a[4]; __mlu_func__ int f() { return a[0]; } __mlu_global__ void K(int *x) { "
     "x[0] "
     "= a[1]; } namespace s { __mlu_func__ int g() { return a[2]; } } struct S { __mlu_func__ int "
     "h() { return a[3]; } }; __mlu_func__ int i(int *a) { return a[0]; }",
     {"int f() { ::__bang_type_1 &a __attribute__((unused)) = ::__bang_onchip<::__bang_type_1, "
      "::BANG_SPACE_NRAM>(::__bang_reach_1.at); { return a[0]; } }",
      "return; ::__bang_type_1 &a ", "int g() { return a[2]; }", "int h() { return a[3]; }",
      "int i(int *a) { return a[0]; }"}},
    {"local pointer",
     "void f() { __nram__ float *p = b; const __nram__ T *q; }",
     {"float *p = b; const T *q;", "!thread"}},
    {"parameter",
     "void f(__nram__ float *p, __mlu_shared__ int *q) {}",
     {"void f( float *p, int *q) {}"}},
    {"shared",
     "__mlu_shared__ float s[2][3];",
     {"typedef float __bang_type_1 [ 2 ] [ 3 ];",
      "thread_local __bang_type_1 &s __attribute__((unused)) = ::__bang_onchip<",
      "::BANG_SPACE_SRAM"}},
    {"aligned wram",
     "void f() { __wram__ __attribute__((aligned(128))) half w[64]; }",
     {"; __bang_type_1 &w __attribute__((unused)) = ::__bang_space_slot<", "::BANG_SPACE_WRAM",
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
    {"host qualifier",
     "__mlu_host__ int f() { return 1; } __mlu_func__ __mlu_host__ int g() { return 2; } "
     "__mlu_host__ int v = 3;",
     {"int f() { return 1; } static inline", "int v = 3;", "!__mlu_host__", "!symbol"}},
    {"lambda qualifier",
     "void f() { auto g = [] __mlu_func__ (int x) { return x; }; }",
     {"[] (int x) { return x; };"}},
    {NULL, NULL, {NULL}},
};

/* A red zone after every variable that a kernel may write. */
const Golden redzone_goldens[] = {
    {"red zones at file scope",
     "__nram__ float a[4] = {1}, *p;",
     {".next(::BANG_SPACE_NRAM, sizeof(__bang_type_1) + ::BANG_RAM_REDZONE_BYTES, ",
      "{\"a\", ::BANG_SPACE_NRAM, ::__bang_reach_1.at, sizeof(::__bang_type_1), true || ",
      "void __bang_unit_begin() { ::__bang_ram_watch(__bang_variables, 2); ::__bang_begin_1(); "
      "::__bang_begin_2(); }"}},
    {"red zones of a function",
     "void f() { __nram__ int x[4]; }",
     {"::__bang_local<__bang_type_1, ::BANG_SPACE_NRAM, alignof(__bang_slot_1), true>("}},
    {NULL, NULL, {NULL}},
};

const Golden gpu_goldens[] = {
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
      "__bang_type_1 &a __attribute__((unused)) = ::__bang_onchip<::__bang_type_1, "
      "::BANG_SPACE_NRAM>(::__bang_reach_1.at);",
      "g(float *a) { return a[0]; }", "return {::s::__bang_reach_2, ::__bang_reach(), "}},
    {"a loop that the lanes share",
     "template <class T> __mlu_func__ void f(T *__restrict__ a, T *__restrict__ b, int n) { g(n);\n"
     "#pragma unroll 2\nfor (int i = n - 1; i < 4 * n; ++i) { b[i] = 0; a[i] = b[i]; } h(n); } "
     "__mlu_global__ void K(int *__restrict__ a) { for (int i = 0; i < 9; i++) a[i] = i; }",
     {"g(n); for (int __bang_pass = ::__bang_first_pass(b, a), __bang_end = "
      "::__bang_end_of_passes(b, a); __bang_pass < __bang_end; ++__bang_pass) {",
      "#pragma unroll 2 for (int i = ( n - 1) + __bang_pass ; i < 4 * n; i += "
      "::bang_impl::warp_lanes ) { b[i] = 0; a[i] = b[i]; } } __syncwarp(); h(n);",
      "void { for (int __bang_pass = ::__bang_first_pass(a), __bang_end = "
      "::__bang_end_of_passes(a); __bang_pass < __bang_end; ++__bang_pass) { if (::__is_mpu()) "
      "return; for (int i = ( 0) + __bang_pass ; i < 9; i += ::bang_impl::warp_lanes ) a[i] = i; "
      "} __syncwarp();"}},
    {"host qualifier for a GPU",
     "__mlu_host__ int f() { return 1; } __mlu_func__ __mlu_host__ int g() { return 2; } "
     "__mlu_host__ int v = 3;",
     {"__host__ int f() {", "__device__ static inline", "__host__ int g() {", " int v = 3;",
      "!__mlu_host__", "!__host__ int v"}},
    {"NRAM of a function for a GPU",
     "__mlu_func__ void f() { __nram__ int x[4]; x[0] = 1; }",
     {"::__bang_local<__bang_type_1, ::BANG_SPACE_NRAM, alignof(__bang_slot_1)> __bang_local_1;",
      "__bang_type_1 &x = __bang_local_1.variable();", "{true, false, false, false}}; }"}},
    {"shared RAM of a function for a GPU",
     "__mlu_func__ void f() { __mlu_shared__ int x[4]; x[0] = 1; }",
     {"::__bang_local<__bang_type_1, ::BANG_SPACE_SRAM, alignof(__bang_slot_1)> __bang_local_1;",
      "{false, false, true, false}}; }"}},
    {NULL, NULL, {NULL}},
};
