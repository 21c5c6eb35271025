// Tables with a header: one job a row, columns found by their names.
#ifndef MUSTER_BINDINGS_SIMULATE_TRACE_CSV_H_
#define MUSTER_BINDINGS_SIMULATE_TRACE_CSV_H_

#include <string_view>

#include "bindings/simulate/trace.h"

namespace muster::simulate {

/// Every row, in the order of the table. Lines before the header that begin with `#` are comments,
/// but where a column's name does. Values may stand in double quotes. See ReadTrace for errors.
Result<Trace> ReadCsv(std::string_view file, std::string_view text, const TraceColumns& columns);

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_TRACE_CSV_H_
