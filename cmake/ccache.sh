#!/bin/sh
# ccache.sh CCACHE COMPILER ...: ccache before a compiler. A precompiled header that is there
# already would be read to find what the new one is made of, and one that was made of other headers
# could be taken for it: after a change of branches, say. So the old one goes first.
before=
for word in "$@"; do
  case $before$word in
    -o*.gch | -o*.pch) rm -f -- "$word" ;;
  esac
  before=$word
done
exec "$@"
