// All forms, and reading and writing by them. What reads or writes a struct by its fields includes
// this: a form that is not seen would be passed over.
#ifndef MUSTER_BINDINGS_MANIFEST_FORMS_H_
#define MUSTER_BINDINGS_MANIFEST_FORMS_H_

#include "bindings/manifest/decode.h"
#include "bindings/manifest/encode.h"
#include "bindings/manifest/form_reader.h"
#include "bindings/manifest/form_writer.h"
#include "bindings/manifest/forms_cluster.h"
#include "bindings/manifest/forms_configuration.h"
#include "bindings/manifest/forms_queues.h"
#include "bindings/manifest/forms_workload.h"

#endif  // MUSTER_BINDINGS_MANIFEST_FORMS_H_
