// C++ functions that policies reach through the prelude. Compiled traces call them too, so they
// are pure and raise nothing.
#ifndef MUSTER_BINDINGS_LUAJIT_HOST_FUNCTIONS_H_
#define MUSTER_BINDINGS_LUAJIT_HOST_FUNCTIONS_H_

#include "bindings/luajit/call_frame.h"

namespace muster::luajit {

/// x to the power of y: one function for the interpreter and for compiled code.
double Power(double x, double y);

/// A number in [0, 1) that depends on the generation, the stream's name and the cycle alone; with a
/// `period` that is not 0, on its length and `begin` in place of the cycle.
double Random(const muster_call* frame, const char* stream, unsigned int size, double period,
              double begin);

/// A whole number below 2^53 that depends on the text alone, in every version.
double HashOfText(const char* text, unsigned int size);

/// Seconds east of Greenwich in zone number `zone` of the frame at `time`; 0: there is none.
double ZoneOffset(const muster_call* frame, unsigned int zone, double time);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_HOST_FUNCTIONS_H_
