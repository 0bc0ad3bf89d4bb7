#!/bin/sh
# Looks at the program as it is built for use: what the linker was told, and what only the static Foundation shows:
#
#     Tests/Release/check.sh .build/release/authctl
set -eu
binary=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
passed=0
failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

count() { # WHAT STATUS: a check whose status is not 0 has failed
  if [ "$2" = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "check: $binary: $1" >&2
  fi
}
expect() { # WHAT PATTERN FILE
  if grep -Eq -- "$2" "$3"; then count "$1" 0; else count "$1" 1; fi
}
refuse() { # WHAT PATTERN FILE
  if grep -Eq -- "$2" "$3"; then count "$1" 1; else count "$1" 0; fi
}

readelf -hW "$binary" >"$folder/header"
readelf -dW "$binary" >"$folder/dynamic"
readelf -lW "$binary" >"$folder/segments"
readelf --dyn-syms -W "$binary" >"$folder/symbols"
readelf -SW "$binary" >"$folder/sections"
strings "$binary" >"$folder/texts"
expect 'it is not position-independent' 'Type: +DYN' "$folder/header"
expect 'it is not marked as a position-independent executable' 'Flags:.* PIE' "$folder/dynamic"
expect 'its relative relocations are not packed' '\(RELR\)' "$folder/dynamic"
expect 'its relocation table is not read-only once it has started' 'GNU_RELRO' "$folder/segments"
expect 'symbols are not bound at the start' 'BIND_NOW|Flags:.* NOW' "$folder/dynamic"
refuse 'libraries are looked for in a run path' 'RPATH|RUNPATH' "$folder/dynamic"
refuse 'it links a library that is loaded when needed' 'NEEDED.*lib(secret|gio|glib|curl|gdk)' "$folder/dynamic"
refuse 'its stack can be executed' 'GNU_STACK .* RWE' "$folder/segments"
refuse 'it has its symbols' '\.symtab' "$folder/sections"
# What is compiled in has 25 MB. More means that a linker has taken the full Foundation, with the data of ICU.
status=0
[ "$(wc -c <"$binary")" -lt 35000000 ] || status=1
count 'it is larger than 35 MB: the full Foundation is linked into it' "$status"
expect 'C was built without the stack protector' '__stack_chk_fail' "$folder/symbols"
expect 'C was built without FORTIFY' '__[a-z]+_chk(@|$| )' "$folder/symbols"
expect 'C++ was built without its assertions' '__n < this->size\(\)' "$folder/texts"

# What is stated of libsecret and GLib is what their headers say.
status=0
# shellcheck disable=SC2046 # a list of options
clang -fsyntax-only $(pkg-config --cflags libsecret-1) -I"$top/Sources/CAuthSecret/include" \
  "$top/Tests/Release/headers.c" || status=1
count 'Sources/CAuthSecret differs from the headers of libsecret or GLib' "$status"

# A process that decodes a picture can do nothing else, where the kernel has Landlock and seccomp.
status=0
clang -o "$folder/confined" -I"$top/Sources/CAuthPixbuf/include" "$top/Tests/Release/confined.c" \
  "$top"/Sources/CAuthPixbuf/*.c
(cd "$folder" && ./confined) >"$folder/confined.log" || status=1
count "a process that decodes pictures: $(cat "$folder/confined.log")" "$status"

# The program has exactly the pinned packages, and the check of that finds another version and another package.
status=0
(cd "$top" && .make/pinned) || status=1
count 'the packages are not those of .make/pins' "$status"
status=0
"$binary" --version | grep -Fq unpinned && status=1
count 'it says that its packages are not pinned' "$status"
mkdir "$folder/pins" "$folder/pins/.make"
cp "$top/Package.resolved" "$folder/pins"
for change in 's/^swift-log .*/swift-log 1.0.0/' '/^swift-asn1 /d'; do
  sed "$change" "$top/.make/pins" >"$folder/pins/.make/pins"
  status=0
  ! (cd "$folder/pins" && "$top/.make/pinned") 2>/dev/null || status=1
  count "other pins are not found: $change" "$status"
done

# What decides about access is seen without the full Foundation, too.
HOME=$folder
XDG_CONFIG_HOME=$folder/config
export HOME XDG_CONFIG_HOME
unset AUTHCTL_PROFILE AUTHCTL_ERRORS AUTHCTL_ACCESS_TOKEN
mkdir -p "$XDG_CONFIG_HOME/authctl/profiles"
file=$XDG_CONFIG_HOME/authctl/profiles/work.toml
printf 'x' >"$folder/key.pem"
chmod 644 "$folder/key.pem"
cat >"$file" <<END
issuer = "https://id.example"
client_id = "cli"
client_authentication = "private_key_jwt"
assertion_key = "$folder/key.pem"
api = ["https://api.example"]
END
chmod 600 "$file"
"$binary" profile show work --offline >"$folder/shown" 2>&1 || true
expect 'a key file of mode 0644 is not seen' 'other users can read the key' "$folder/shown"
chmod 666 "$file"
status=0
"$binary" profile show work --offline >"$folder/shown" 2>&1 || status=$?
expect 'the mode of a profile that others may change is not named' 'mode 666' "$folder/shown"
[ "$status" = 2 ] || status=1
count 'a profile that others may change is used' $((status - 2))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
