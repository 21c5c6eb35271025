// What to say of a number that no hook may answer.
#ifndef MUSTER_BINDINGS_LUAJIT_WRONG_ANSWER_H_
#define MUSTER_BINDINGS_LUAJIT_WRONG_ANSWER_H_

#include <cstddef>
#include <string>

#include "muster/policy.h"

namespace muster::luajit {

/// "queue_order returned nan as key 1; ...": what was answered and what to return instead, of a
/// value that is refused as number `key`, from 0, of one item.
std::string WrongAnswer(Hook hook, std::size_t key, double value);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_WRONG_ANSWER_H_
