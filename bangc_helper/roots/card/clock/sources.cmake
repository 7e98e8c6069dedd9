# SPDX-License-Identifier: MIT
# The boards, the clock and its reports: plain C that needs no other part of a root, so libcnrt of this root, cncc and the tests of
# every build share these files. Sets card_clock_sources and card_clock_includes.
set(card_clock_sources
    boards/boards.c boards/mlu270.c boards/mlu290.c boards/mlu370_m8.c boards/mlu370_x4.c boards/mlu370_x8.c boards/mlu590_h8.c
    boards/mlu590_m9.c clock/account.c clock/agenda.c clock/channel.c clock/channel_wait.c clock/cost.c clock/estimate.c clock/group.c
    clock/host.c clock/link.c clock/names.c clock/operation.c clock/play.c clock/program.c clock/reader.c clock/recording.c
    clock/shared.c report/charts.c report/constants.c report/hints.c report/html.c report/json.c report/lines.c report/report.c
    report/source.c report/study.c report/text.c report/trace.c)
get_filename_component(card_folder ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
list(TRANSFORM card_clock_sources PREPEND ${card_folder}/)
set(card_clock_includes ${card_folder} ${card_folder}/../../include)
