# Completion of `muster` for fish: verbs, options, kinds, names of the ledger behind --db, files.
# What function $argv[1] finds for a path, also behind --db= and in ~.
function __muster_paths
    set -l option (string match -r '^--[^=]*=' -- $argv[2])
    set -l path (string replace -r '^--[^=]*=' '' -- $argv[2])
    set -l home (string match -r '^~/' -- $path)
    for found in ($argv[1] (string replace -r '^~/' "$HOME/" -- $path))
        test -n "$home"; and set found (string replace -- "$HOME/" '~/' $found)
        echo "$option$found"
    end
end
function __muster_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case :files
                __muster_paths __fish_complete_path "$current"
            case :ledgers # not what stands beside them
                __muster_paths __fish_complete_path "$current" |
                    string match -v -r '(\.lock|\.reserve|-shm|-wal)(\t|$)'
            case :folders
                __muster_paths __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end
complete -c muster -f -a '(__muster_complete)'
