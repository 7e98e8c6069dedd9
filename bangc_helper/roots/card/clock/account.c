/* SPDX-License-Identifier: MIT */
#include "clock/account.h"

bool play_is_free(const struct play *play, enum card_pipe pipe) {
  return (play->free_pipes & (1u << pipe)) != 0;
}

void play_spend(struct play *play, struct core *core, enum card_spent why, int64_t until,
                uint32_t site) {
  const int64_t amount = until - core->now;
  if (amount <= 0) return;
  play->timing->spent[why] += amount;
  if (play->sink->sites != NULL) play->sink->sites[site].spent[why] += amount;
  if (play->sink->wait != NULL && why != CARD_SPENT_SCALAR) {
    play->sink->wait(play->sink->context, core->number, why, core->now, until, site);
  }
  core->now = until;
}

void play_busy(struct play *play, const struct core *core, enum card_pipe pipe, int64_t start,
               int64_t end, uint32_t site, const struct card_record *record) {
  if (end <= start) return;
  play->timing->busy[pipe] += end - start;
  if (play->sink->sites != NULL) play->sink->sites[site].busy[pipe] += end - start;
  if (play->sink->span != NULL) {
    play->sink->span(play->sink->context, core->number, pipe, start, end, site, record);
  }
}

void play_continue(struct play *play, struct core *core) {
  core->state = CORE_RUNS;
  card_agenda_set(&play->agenda, actor_core(core), core->now);
}
