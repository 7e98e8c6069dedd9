# SPDX-License-Identifier: MIT
"""What gdb has to know of kernels. A launch calls the kernel, which puts itself into a queue and returns; the tasks call it
again and run its body. Breakpoints on functions pass over the first of these calls, and `info tasks` shows who runs what."""
import re

import gdb


class IsLaunching(gdb.Function):
    """Is the thread in a kernel's call that only puts it into a queue?"""

    def __init__(self):
        super().__init__("_is_launching")

    def invoke(self):
        try:
            return int(gdb.parse_and_eval("rt_launch_depth")) != 0
        except gdb.error:  # the library is not loaded, or it is stripped
            return False


def pass_over_launches(breakpoint):
    """A place that is a line or an address is in the body already."""
    is_function = breakpoint.location and re.fullmatch(r"[A-Za-z_][^:*]*(::[^:*]+)*", breakpoint.location)
    if breakpoint.type == gdb.BP_BREAKPOINT and is_function:
        own = breakpoint.condition
        breakpoint.condition = "!$_is_launching()" + (f" && ({own})" if own else "")


class InfoTasks(gdb.Command):
    """Tasks that run: thread, task, core and cluster, and the innermost line of a kernel file."""

    def __init__(self):
        super().__init__("info tasks", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        selected = gdb.selected_thread()
        try:
            for thread in sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num):
                thread.switch()
                place = kernel_place(gdb.newest_frame())
                if place:
                    task, core, cluster = (int(gdb.parse_and_eval(f"{name}Id")) for name in ("task", "core", "cluster"))
                    print(f"thread {thread.num}: task {task}, core {core} of cluster {cluster}, {place}")
        finally:
            if selected:
                selected.switch()


def kernel_place(frame):
    """Where in a kernel file a thread that runs a task is; None: it runs none."""
    place = None
    while frame:
        if frame.name() == "run_guarded":
            return place or "not in a kernel file"
        where = frame.find_sal()
        if not place and where.symtab and re.search(r"\.mlu[h]?$", where.symtab.filename):
            place = f"{frame.name()} at {where.symtab.filename}:{where.line}"
        frame = frame.older()
    return None


IsLaunching()
InfoTasks()
gdb.events.breakpoint_created.connect(pass_over_launches)
