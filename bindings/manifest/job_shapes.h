// What objects of the job kinds consist of, as far as the queues read it: the one table that
// misspelt names and wrong types are told by.
//
// A shape is a mapping. Its fields stand with blanks between, those that are read with a type:
//   :count :positive :bool :text :scalar :map :list   a whole number from 0, from 1, a truth, a
//                                           text, any scalar, ...
//   :Shape :[Shape] :{Shape}                a mapping of that shape, a list or a mapping of them
//   :Wrapped                                a whole object, of the shape that is called as its kind
// and with `!` what must be there. Fields without a type are the kind's own and nothing reads them:
// they stand here so that they are not taken for a misspelt one. Of what is in no shape and looks
// like none of its fields only the kind's own controller knows; but a shape that is called Roles,
// or something Roles, has no other fields: pods of another role would go uncharged.
#ifndef MUSTER_BINDINGS_MANIFEST_JOB_SHAPES_H_
#define MUSTER_BINDINGS_MANIFEST_JOB_SHAPES_H_

#include <span>
#include <string_view>

namespace muster::manifest {

struct Shape {
  std::string_view name;
  std::string_view fields;
};

/// Null: none is called so. O(log shapes).
const Shape* FindShape(std::string_view name);

/// By name.
std::span<const Shape> Shapes();

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_JOB_SHAPES_H_
