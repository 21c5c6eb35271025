// How the program allocates, if with jemalloc: in large pages, where the system gives them on
// request. An engine holds very many small pieces; asking for each page of 4 KB costs a fifth of
// opening a large ledger, and finding them costs afterwards. A host decides for itself; MALLOC_CONF
// in the environment comes after this.
extern "C" {
extern const char* const malloc_conf;
const char* const malloc_conf = "thp:always";
}
