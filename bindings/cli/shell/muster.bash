# Completion of `muster` for bash: verbs, options, kinds, names of the ledger behind --db, files.
_muster() {
  local line current=${COMP_WORDS[COMP_CWORD]}
  [[ $current == = ]] && current=  # behind --db=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files)
        compopt -o filenames 2>/dev/null
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$current")
        ;;
      :ledgers)  # not what stands beside them
        compopt -o filenames 2>/dev/null
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
          compgen -f -- "$current" | grep -Ev -- '(\.lock|\.reserve|-shm|-wal)$')
        ;;
      :folders)
        compopt -o filenames 2>/dev/null
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$current")
        ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _muster muster
