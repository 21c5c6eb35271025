// The locks of CrashVfs, as SQLite's Unix VFS has them: of the database file, and of the memory
// that the connections of a write-ahead log share.
//
// The functions are entries of sqlite3_io_methods and return SQLite's codes.
#ifndef MUSTER_TESTS_TESTING_CRASH_LOCKS_H_
#define MUSTER_TESTS_TESTING_CRASH_LOCKS_H_

#include <sqlite3.h>

namespace muster::testing {

int Lock(sqlite3_file* file, int level);
int Unlock(sqlite3_file* file, int level);
int CheckReservedLock(sqlite3_file* file, int* reserved);

int ShmMap(sqlite3_file* file, int region, int bytes, int extend, void volatile** memory);
int ShmLock(sqlite3_file* file, int first, int count, int flags);
int ShmUnmap(sqlite3_file* file, int delete_memory);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_CRASH_LOCKS_H_
