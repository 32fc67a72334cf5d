#pragma once

#include "engine/question.hpp"
#include "engines/sql/answer.hpp"

#include <redlock/break_report.hpp>
#include <redlock/key_report.hpp>

namespace redlock::postgresql::advisory {

/// What `look` has found: the process that has the key, and when it began; what it is called, and where it
/// is.
void read_look(const sql::answer::row& row, node_key_report& told);

/// Answers `unsupported` when it is started: nothing is kept of tokens, and what one session has locked no
/// other can free.
engine::question_pointer refuse_question(engine::answer_listener<engine::no_report>& listener);
engine::question_pointer refuse_question(engine::answer_listener<break_report>& listener);

} // namespace redlock::postgresql::advisory
