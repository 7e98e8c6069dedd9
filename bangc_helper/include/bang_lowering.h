/* SPDX-License-Identifier: MIT
 *
 * Support code for the C++ that cncc generates from BANG C. bang.h includes this file; user code
 * names nothing in it. Objects here have internal linkage on purpose: every translation unit has
 * its own on-chip variables.
 */
#ifndef BANG_LOWERING_H_
#define BANG_LOWERING_H_

#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "bang_clang_half.h"
#include "bang_launch.h"
#include "bang_runtime.h"

#define __BANG_UNUSED __attribute__((unused))

/* ---- Levels of the instruction set ---- */

/* cncc asks whether this is declared before it has a function compiled for several levels.
 * Sanitizers are not ready when the functions are chosen. */
#if defined(__x86_64__) && defined(__OPTIMIZE__) && defined(__gnu_linux__) &&  \
    !defined(__clang__) && __GNUC__ >= 12 && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
struct __bang_has_levels;
#endif

/* ---- Divisions ---- */

#ifdef __BANG_CHECKED_DIVISIONS__
/* Directs the compiler's check for division by zero to the runtime. Only for this translation unit:
 * other files of the program may be built with a real sanitizer. */
__asm__(".set __ubsan_handle_divrem_overflow, __bang_divided_by_zero");
#endif

/* ---- Objects made at their first use ---- */

/* A static object of this type is made by the first thread that gets it. The language has such
 * objects too, but they need the C++ library. */
template <typename Object>
struct __bang_made_once {
  enum { NOT_MADE, BEING_MADE, MADE };
  int state;
  Object object;

  template <typename Make>
  const Object *get(const Make &make) {
    while (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != MADE) {
      int expected = NOT_MADE;
      if (__atomic_compare_exchange_n(&state, &expected, BEING_MADE, false, __ATOMIC_ACQUIRE,
                                      __ATOMIC_RELAXED)) {
        object = make();
        __atomic_store_n(&state, MADE, __ATOMIC_RELEASE);
      }
    }
    return &object;
  }
};

/* ---- Kernels ---- */

/* What a task calls with the launch's arguments: a function, or the body of a kernel that cannot be
 * named. */
template <typename Function, Function kernel>
struct __bang_function {
  typedef Function Signature;
  template <typename... Values>
  void operator()(Values &&...values) const {
    kernel(static_cast<Values &&>(values)...);
  }
};

template <typename Function, typename Body>
struct __bang_closure_of : Body {
  typedef Function Signature;
  explicit __bang_closure_of(const Body &body) : Body(body) {}
};
template <typename Function, typename Body>
inline __bang_closure_of<Function, Body> __bang_closure(const Body &body) {
  return __bang_closure_of<Function, Body>(body);
}

/* The closure of a launch: the kernel, its arguments in parameter order, and the on-chip variables
 * of its unit. Hidden, like the other templates here with static objects, because symbols that
 * libraries share would keep them from being unloaded. */
template <typename Kernel, typename Function>
class __bang_task;

template <typename Kernel, typename... Parameters>
class __attribute__((visibility("hidden"))) __bang_task<Kernel, void (*)(Parameters...)> {
  template <typename T>
  using Value = typename std::remove_cv<typename std::remove_reference<T>::type>::type;

 public:
  static void submit(Kernel kernel, const char *name, const bangUnit *unit,
                     Value<Parameters>... values) {
    static __bang_made_once<bangKernelOps> made;
    const bangKernelOps *ops = made.get([name]() -> bangKernelOps {
      return {name, sizeof(__bang_task), alignof(__bang_task), &copy, &run, &destroy};
    });
    __bang_task task = {kernel, unit, Values(static_cast<Value<Parameters> &&>(values)...)};
    __bang_launch_submit(ops, &task);
  }

 private:
  typedef std::tuple<Value<Parameters>...> Values;

  Kernel kernel_;
  const bangUnit *unit_;
  Values values_;

  __bang_task(Kernel kernel, const bangUnit *unit, Values &&values)
      : kernel_(kernel), unit_(unit), values_(static_cast<Values &&>(values)) {}

  static void copy(void *dst, const void *src) {
    ::new (dst) __bang_task(*static_cast<const __bang_task *>(src));
  }
  static void destroy(void *task) { static_cast<__bang_task *>(task)->~__bang_task(); }
  static void run(const void *task) {
    const __bang_task *self = static_cast<const __bang_task *>(task);
    __bang_unit_start(self->unit_);
    Values own(self->values_); /* a task may modify its parameters */
    call(self->kernel_, own, std::index_sequence_for<Parameters...>());
  }
  template <size_t... index>
  static void call(const Kernel &kernel, Values &values, std::index_sequence<index...>) {
    (void)values;
    kernel(static_cast<Parameters &&>(std::get<index>(values))...);
  }
};

/* The first call in a kernel's body. Returns true on the host, after enqueuing the kernel with the
 * pending launch configuration; returns false in a task, where the body must run. */
template <typename Kernel, typename... Values>
inline bool __bang_submit(Kernel kernel, const char *name, const bangUnit *unit, Values... values) {
  if (__bang_in_task_of(unit, name)) return false;
  __bang_task<Kernel, typename Kernel::Signature>::submit(kernel, name, unit,
                                                          static_cast<Values &&>(values)...);
  return true;
}

/* For a kernel without a name that the generated code could use. */
template <typename Kernel, typename... Values>
inline void __bang_submit_or_run(Kernel kernel, const char *name, const bangUnit *unit,
                                 Values... values) {
  if (!__bang_submit(kernel, name, unit, values...)) kernel(static_cast<Values &&>(values)...);
}

/* Makes a kernel known to cnrtInvokeKernel. */
template <typename Function, Function kernel>
class __bang_kernel_registrar;

template <typename... Args, void (*kernel)(Args...)>
class __bang_kernel_registrar<void (*)(Args...), kernel> {
 public:
  explicit __bang_kernel_registrar(const char *name,
                                   const void *stub = reinterpret_cast<const void *>(kernel)) {
    __bang_register_kernel(stub, name, &invoke);
  }

 private:
  template <typename T>
  struct Type {
    typedef T type;
  };
  template <typename T>
  struct Type<T &> {
    typedef T type;
  };
  template <size_t... index>
  static void call(void **args, std::index_sequence<index...>) {
    (void)args;
    kernel(*static_cast<typename Type<Args>::type *>(args[index])...);
  }
  static void invoke(void **args) { call(args, std::index_sequence_for<Args...>()); }
};

#include "bang/kernel_registration.h"

/* Registers a __mlu_device__ or __mlu_const__ variable for cnrtGetSymbolAddress and the like. */
class __bang_symbol_registrar {
 public:
  __bang_symbol_registrar(const volatile void *address, size_t size)
      : address_(const_cast<void *>(address)) {
    __bang_register_symbol(address_, size);
  }
  ~__bang_symbol_registrar() { __bang_unregister_symbol(address_); }
  __bang_symbol_registrar(const __bang_symbol_registrar &) = delete;
  __bang_symbol_registrar &operator=(const __bang_symbol_registrar &) = delete;

 private:
  void *address_;
};

/* ---- On-chip variables ---- */

/* A type that is unique to this translation unit. As a template argument it keeps everything below
 * private to the unit. */
namespace {
struct __bang_tu_tag {};
}  // namespace

/* A variable in WRAM spans all 64 lanes, and the next one starts after its part of a lane, because
 * a copy without strides fills only that part. */
constexpr size_t __bang_bytes_taken(bangSpace space, size_t size) {
  return space == BANG_SPACE_WRAM ? (size + 63) / 64 : size;
}

/* Offset of a variable, and the end of its memory's used part including it. */
struct __bang_reach {
  size_t at = 0, end = 0;

  constexpr __bang_reach next(bangSpace space, size_t size, size_t align) const {
    __bang_reach n = *this;
    n.at = (end + align - 1) / align * align;
    n.end = n.at + __bang_bytes_taken(space, size);
    return n;
  }
};

/* By bangSpace: the bytes that file-scope variables take, and whether functions have on-chip
 * variables there. */
struct __bang_unit_sizes {
  __bang_reach nram, wram, sram, ldram;
  bool has_local[BANG_SPACE_COUNT];

  constexpr size_t end(bangSpace space) const {
    return space == BANG_SPACE_NRAM   ? nram.end
           : space == BANG_SPACE_WRAM ? wram.end
           : space == BANG_SPACE_SRAM ? sram.end
                                      : ldram.end;
  }
};

#ifdef __BANG__
/* cncc defines both at the end of the unit. The second initialises the variables for a task. */
static __bang_unit_sizes __bang_unit() __BANG_UNUSED;
static void __bang_unit_begin() __BANG_UNUSED;

/* Bytes that the slots below take after the file-scope variables. */
static size_t __bang_tu_reserved[BANG_SPACE_COUNT] __BANG_UNUSED;

/* The unit's description for the runtime. Launches call it, after the unit has been loaded. */
static inline __BANG_UNUSED const bangUnit *__bang_this_unit() {
  static __bang_made_once<bangUnit> unit;
  return unit.get([]() -> bangUnit {
    const __bang_unit_sizes counted = __bang_unit();
    return {{counted.nram.end, counted.wram.end, counted.sram.end, counted.ldram.end},
            {counted.nram.end + __bang_tu_reserved[BANG_SPACE_NRAM],
             counted.wram.end + __bang_tu_reserved[BANG_SPACE_WRAM],
             counted.sram.end + __bang_tu_reserved[BANG_SPACE_SRAM],
             counted.ldram.end + __bang_tu_reserved[BANG_SPACE_LDRAM]},
            &__bang_unit_begin};
  });
}
#endif

template <typename Variable, bangSpace space>
inline Variable &__bang_onchip(size_t at) {
  if (space == BANG_SPACE_WRAM || space == BANG_SPACE_SRAM) {
    return *static_cast<Variable *>(__bang_space_address(space, at));
  }
  char *base = __bang_space_base[space];
  if (__builtin_expect(base == nullptr, 0)) base = static_cast<char *>(__bang_space_open(space));
  return *reinterpret_cast<Variable *>(static_cast<char *>(__builtin_assume_aligned(base, 4096)) +
                                       at);
}

/* Casts const away: constants are initialised like other variables. */
template <typename T, typename Image>
inline void __bang_store(T &variable, const Image &image) {
  static_assert(sizeof(T) == sizeof(Image), "an initial value has the size of its variable");
  __builtin_memcpy((void *)&variable, (const void *)&image, sizeof(T));
}

/* Elements of class type start with the value their constructor gives. */
template <typename T>
inline void __bang_construct(T &variable) {
  typedef typename std::remove_cv<typename std::remove_all_extents<T>::type>::type Element;
  if constexpr (!std::is_trivially_default_constructible<Element>::value) {
    Element *elements = (Element *)&variable;
    for (size_t i = 0; i < sizeof(T) / sizeof(Element); ++i) ::new ((void *)(elements + i)) Element;
  } else {
    (void)variable;
  }
}

/* True if elements have a value even without an initialiser. */
template <typename T>
constexpr bool __bang_is_constructed() {
  return !std::is_trivially_default_constructible<
      typename std::remove_cv<typename std::remove_all_extents<T>::type>::type>::value;
}

/* Records whether the current task has already passed this point on this core. */
struct __bang_task_mark {
  uint64_t seen;
};
static inline __BANG_UNUSED bool __bang_first_in_task(__bang_task_mark &mark) {
  uint64_t now = __bang_task_epoch + 1; /* never 0, so that it works outside tasks too */
  if (mark.seen == now) return false;
  mark.seen = now;
  return true;
}

/* A function's variable gets its place when the task first reaches it. */
struct __bang_place_mark {
  uint64_t seen;
  void *place;
  bool is_new;
};
static inline __BANG_UNUSED bool __bang_first_in_task(__bang_place_mark &mark) {
  bool is_new = mark.is_new;
  mark.is_new = false;
  return is_new;
}
template <typename Variable, bangSpace space, size_t align, bool watched>
inline Variable &__bang_local(__bang_place_mark &mark, const char *name) {
  uint64_t now = __bang_task_epoch + 1;
  if (__builtin_expect(mark.seen != now, 0)) {
    mark.place =
        __bang_space_take(space, sizeof(Variable) + (watched ? BANG_RAM_REDZONE_BYTES : 0), align);
    if (watched) __bang_ram_allow(mark.place, sizeof(Variable), name);
    mark.seen = now;
    mark.is_new = true;
  }
  (void)name;
  return *static_cast<Variable *>(mark.place);
}

#ifdef __BANG__
/* A variable whose place is reserved when the unit is loaded. Slot is unique to the variable and
 * has its alignment. */
template <typename Slot, typename Variable, bangSpace space, typename Unit>
struct __bang_space_slot {
  static const size_t offset;
  static Variable &variable() {
    Variable &place = __bang_onchip<Variable, space>(offset);
    __bang_construct(place);
    return place;
  }
};
static inline __BANG_UNUSED size_t __bang_reserve(bangSpace space, size_t size, size_t align) {
  const __bang_reach before = {0, __bang_unit().end(space) + __bang_tu_reserved[space]};
  const __bang_reach own = before.next(space, size, align);
  __bang_tu_reserved[space] += own.end - before.end;
  return own.at;
}
template <typename Slot, typename Variable, bangSpace space, typename Unit>
const size_t __bang_space_slot<Slot, Variable, space, Unit>::offset =
    __bang_reserve(space, sizeof(Variable), alignof(Slot));
#endif

#endif /* BANG_LOWERING_H_ */
