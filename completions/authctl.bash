# bash completion for authctl
# Made from the table of commands by make generate. Edit the table, not this file.

# Prints the options of a command.
_authctl_options() {
  case $1 in
  login) echo '--type --issuer --client-id --flow --scope --api --audience --resource --client-authentication --assertion-key --assertion-key-id --assertion-algorithm --assertion-audience --dpop --prompt --username --redirect-uri --basic-encoding --client-secret-file --subject-token-file --subject-token-command --subject-token-type --store --store-key --default --refresh-before --cache --refresh-token-margin --refresh-token-lifetime --access-token-lifetime --refresh-on --cacert --proxy --client-certificate --client-key --connect-timeout --no-browser --complete --password-stdin --password-file --client-secret-stdin --client-key-stdin --client-key-file --registration-token-stdin --assertion-stdin --assertion-file --subject-token-stdin --actor-token-file --actor-token-type --requested-token-type --template --field --discover --acr-values --max-age --timeout --json --trace --trace-secrets' ;;
  call) echo '-X --request -H --header -I --head -A --user-agent -e --referer -r --range -C --continue-at --compressed -L --location -u --user --no-auth --cache -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -G --get -F --form --form-string -T --upload-file -m --max-time --connect-timeout --http1.1 --http2 --cacert -E --cert --key -x --proxy --noproxy --unix-socket --resolve -4 --ipv4 -6 --ipv6 --retry --retry-delay --retry-max-time --retry-connrefused --retry-all-errors --retry-unsafe --batch --parallel --unordered -o --output -O --remote-name -i --include -D --dump-header -w --write-out --raw -# --progress-bar -s --silent -S --show-error -f --fail --fail-with-body --no-fail --print-curl --simulate --trace --trace-secrets --url -g --globoff -N --no-buffer --no-progress-meter --basic --tlsv1.2' ;;
  refresh) echo '--all --min-validity --jitter --json --trace --trace-secrets' ;;
  logout) echo '--all --local-only --json --trace --trace-secrets' ;;
  status) echo '--require --watch --json' ;;
  inspect) echo '--online --offline --explain --issuer --json' ;;
  doctor) echo '--offline --json' ;;
  token) echo '--min-validity --header --cache' ;;
  exec) echo '--env --min-validity --cache --trace --trace-secrets' ;;
  'profile list') echo '--json' ;;
  'profile show') echo '--all --offline --request --json' ;;
  'profile new') echo '--issuer --client-id --flow --scope --api --audience --resource --client-authentication --assertion-key --assertion-key-id --assertion-algorithm --assertion-audience --dpop --prompt --username --redirect-uri --basic-encoding --client-secret-file --subject-token-file --subject-token-command --subject-token-type --store --store-key --default --refresh-before --cache --refresh-token-margin --refresh-token-lifetime --access-token-lifetime --refresh-on --cacert --proxy --client-certificate --client-key --connect-timeout --template --field' ;;
  'profile edit') echo '' ;;
  'profile remove') echo '--force' ;;
  'profile path') echo '' ;;
  'profile new-key') echo '' ;;
  'profile client-metadata') echo '' ;;
  'keyring unlock') echo '--password-stdin --password-file --password-credential' ;;
  esac
  echo '-p --profile -q --quiet -v --verbose --non-interactive --color --errors -h --help --version'
}

# Prints what follows an option of a command: a kind, or "words" and the words; nothing for a switch.
_authctl_value() {
  case $1:$2 in
  login:--type) echo 'words oauth2 custom basic' ;;
  login:--issuer) echo 'none' ;;
  login:--client-id) echo 'none' ;;
  login:--flow) echo 'words browser device password client-credentials jwt-bearer token-exchange token' ;;
  login:--scope) echo 'none' ;;
  login:--api) echo 'none' ;;
  login:--audience) echo 'none' ;;
  login:--resource) echo 'none' ;;
  login:--client-authentication) echo 'words none client_secret_basic client_secret_post client_secret_jwt private_key_jwt tls_client_auth' ;;
  login:--assertion-key) echo 'file' ;;
  login:--assertion-key-id) echo 'none' ;;
  login:--assertion-algorithm) echo 'words HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519' ;;
  login:--assertion-audience) echo 'none' ;;
  login:--prompt) echo 'none' ;;
  login:--username) echo 'none' ;;
  login:--redirect-uri) echo 'none' ;;
  login:--basic-encoding) echo 'words percent form raw' ;;
  login:--client-secret-file) echo 'file' ;;
  login:--subject-token-file) echo 'file' ;;
  login:--subject-token-command) echo 'none' ;;
  login:--subject-token-type) echo 'words access_token refresh_token id_token jwt saml1 saml2' ;;
  login:--store) echo 'words keyring file none' ;;
  login:--store-key) echo 'file' ;;
  login:--refresh-before) echo 'none' ;;
  login:--cache) echo 'none' ;;
  login:--refresh-token-margin) echo 'none' ;;
  login:--refresh-token-lifetime) echo 'none' ;;
  login:--access-token-lifetime) echo 'none' ;;
  login:--refresh-on) echo 'none' ;;
  login:--cacert) echo 'file' ;;
  login:--proxy) echo 'none' ;;
  login:--client-certificate) echo 'file' ;;
  login:--client-key) echo 'file' ;;
  login:--connect-timeout) echo 'none' ;;
  login:--password-file) echo 'file' ;;
  login:--client-key-file) echo 'file' ;;
  login:--assertion-file) echo 'file' ;;
  login:--actor-token-file) echo 'file' ;;
  login:--actor-token-type) echo 'none' ;;
  login:--requested-token-type) echo 'none' ;;
  login:--template) echo 'words oidc keycloak auth0 okta microsoft google github github-app gitlab dex authentik oauth2-endpoints client-credentials private-key-jwt basic json-pair retry-on-401 success-flag register-nested guest-envelope' ;;
  login:--field) echo 'none' ;;
  login:--discover) echo 'none' ;;
  login:--acr-values) echo 'none' ;;
  login:--max-age) echo 'none' ;;
  login:--timeout) echo 'none' ;;
  login:--trace) echo 'file' ;;
  call:-X | call:--request) echo 'none' ;;
  call:-H | call:--header) echo 'at-file' ;;
  call:-A | call:--user-agent) echo 'none' ;;
  call:-e | call:--referer) echo 'none' ;;
  call:-r | call:--range) echo 'none' ;;
  call:-C | call:--continue-at) echo 'none' ;;
  call:-u | call:--user) echo 'none' ;;
  call:--cache) echo 'none' ;;
  call:-d | call:--data) echo 'at-file' ;;
  call:--data-raw) echo 'none' ;;
  call:--data-binary) echo 'at-file' ;;
  call:--data-urlencode) echo 'at-file' ;;
  call:--data-ascii) echo 'at-file' ;;
  call:--json) echo 'at-file' ;;
  call:-F | call:--form) echo 'none' ;;
  call:--form-string) echo 'none' ;;
  call:-T | call:--upload-file) echo 'file' ;;
  call:-m | call:--max-time) echo 'none' ;;
  call:--connect-timeout) echo 'none' ;;
  call:--cacert) echo 'file' ;;
  call:-E | call:--cert) echo 'file' ;;
  call:--key) echo 'file' ;;
  call:-x | call:--proxy) echo 'none' ;;
  call:--noproxy) echo 'none' ;;
  call:--unix-socket) echo 'file' ;;
  call:--resolve) echo 'none' ;;
  call:--retry) echo 'none' ;;
  call:--retry-delay) echo 'none' ;;
  call:--retry-max-time) echo 'none' ;;
  call:--batch) echo 'file' ;;
  call:--parallel) echo 'none' ;;
  call:-o | call:--output) echo 'file' ;;
  call:-D | call:--dump-header) echo 'file' ;;
  call:-w | call:--write-out) echo 'at-file' ;;
  call:--simulate) echo 'words expired refused' ;;
  call:--trace) echo 'file' ;;
  call:--url) echo 'none' ;;
  refresh:--min-validity) echo 'none' ;;
  refresh:--jitter) echo 'none' ;;
  refresh:--trace) echo 'file' ;;
  logout:--trace) echo 'file' ;;
  status:--require) echo 'none' ;;
  inspect:--issuer) echo 'none' ;;
  token:--min-validity) echo 'none' ;;
  token:--cache) echo 'none' ;;
  exec:--env) echo 'none' ;;
  exec:--min-validity) echo 'none' ;;
  exec:--cache) echo 'none' ;;
  exec:--trace) echo 'file' ;;
  'profile new':--issuer) echo 'none' ;;
  'profile new':--client-id) echo 'none' ;;
  'profile new':--flow) echo 'words browser device password client-credentials jwt-bearer token-exchange token' ;;
  'profile new':--scope) echo 'none' ;;
  'profile new':--api) echo 'none' ;;
  'profile new':--audience) echo 'none' ;;
  'profile new':--resource) echo 'none' ;;
  'profile new':--client-authentication) echo 'words none client_secret_basic client_secret_post client_secret_jwt private_key_jwt tls_client_auth' ;;
  'profile new':--assertion-key) echo 'file' ;;
  'profile new':--assertion-key-id) echo 'none' ;;
  'profile new':--assertion-algorithm) echo 'words HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519' ;;
  'profile new':--assertion-audience) echo 'none' ;;
  'profile new':--prompt) echo 'none' ;;
  'profile new':--username) echo 'none' ;;
  'profile new':--redirect-uri) echo 'none' ;;
  'profile new':--basic-encoding) echo 'words percent form raw' ;;
  'profile new':--client-secret-file) echo 'file' ;;
  'profile new':--subject-token-file) echo 'file' ;;
  'profile new':--subject-token-command) echo 'none' ;;
  'profile new':--subject-token-type) echo 'words access_token refresh_token id_token jwt saml1 saml2' ;;
  'profile new':--store) echo 'words keyring file none' ;;
  'profile new':--store-key) echo 'file' ;;
  'profile new':--refresh-before) echo 'none' ;;
  'profile new':--cache) echo 'none' ;;
  'profile new':--refresh-token-margin) echo 'none' ;;
  'profile new':--refresh-token-lifetime) echo 'none' ;;
  'profile new':--access-token-lifetime) echo 'none' ;;
  'profile new':--refresh-on) echo 'none' ;;
  'profile new':--cacert) echo 'file' ;;
  'profile new':--proxy) echo 'none' ;;
  'profile new':--client-certificate) echo 'file' ;;
  'profile new':--client-key) echo 'file' ;;
  'profile new':--connect-timeout) echo 'none' ;;
  'profile new':--template) echo 'words oidc keycloak auth0 okta microsoft google github github-app gitlab dex authentik oauth2-endpoints client-credentials private-key-jwt basic json-pair retry-on-401 success-flag register-nested guest-envelope' ;;
  'profile new':--field) echo 'none' ;;
  'keyring unlock':--password-file) echo 'file' ;;
  'keyring unlock':--password-credential) echo 'none' ;;
  *:-p | *:--profile) echo 'profile' ;;
  *:--color) echo 'words auto always never' ;;
  *:--errors) echo 'words text json' ;;
  esac
}

# Prints the kind of a command's operand, given how many stand before it.
_authctl_operand() {
  case $1:$2 in
  login:0) echo 'profile' ;;
  call:*) echo 'none' ;;
  refresh:*) echo 'profile' ;;
  logout:*) echo 'profile' ;;
  status:*) echo 'profile' ;;
  inspect:0) echo 'profile' ;;
  doctor:0) echo 'profile' ;;
  token:0) echo 'profile' ;;
  exec:0) echo 'program' ;;
  exec:*) echo 'file' ;;
  'profile show':0) echo 'profile' ;;
  'profile new':0) echo 'profile' ;;
  'profile edit':0) echo 'profile' ;;
  'profile remove':0) echo 'profile' ;;
  'profile path':0) echo 'profile' ;;
  'profile new-key':0) echo 'file' ;;
  profile:0 | 'help profile':0) echo 'words list show new edit remove path new-key client-metadata' ;;
  keyring:0 | 'help keyring':0) echo 'words unlock' ;;
  help:0) echo 'words login call refresh logout status inspect doctor token exec profile keyring' ;;
  esac
}

# Prints the names of the profiles that have a file.
_authctl_profiles() {
  local file
  for file in "${XDG_CONFIG_HOME:-$HOME/.config}"/authctl/profiles/*.toml; do
    file=${file##*/}
    file=${file%.toml}
    # Only what can be a profile, and so needs no quotes.
    if [[ $file =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]]; then printf '%s\n' "$file"; fi
  done
}

# Offers those of the lines on standard input that begin as the first argument does.
_authctl_offer() {
  local line
  while IFS= read -r line; do
    if [[ $line == "$1"* ]]; then COMPREPLY+=("$line"); fi
  done
}

# Offers what is of a kind and begins as the first argument does.
_authctl_offer_kind() {
  local start=$1 at=
  shift
  case $1 in
  words) _authctl_offer "$start" < <(printf '%s\n' "${@:2}") ;;
  profile) _authctl_offer "$start" < <(_authctl_profiles) ;;
  program) mapfile -t COMPREPLY < <(compgen -c -- "$start") ;;
  directory)
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$start")
    ;;
  file | at-file)
    if [[ $1 == at-file ]]; then
      [[ $start == @* ]] || return 0
      at=@
      start=${start#@}
    fi
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$start")
    COMPREPLY=("${COMPREPLY[@]/#/$at}")
    ;;
  esac
}

# Puts the words up to the cursor into the array "words", whole: bash cuts them at = : and @ as well as at blanks.
_authctl_words() {
  local part line=${COMP_LINE:0:COMP_POINT}
  words=()
  for part in "${COMP_WORDS[@]:0:COMP_CWORD}"; do
    if [[ ${#words[@]} == 0 || $line == [[:blank:]]* ]]; then words+=(''); fi
    line=${line#"${line%%[![:blank:]]*}"}
    line=${line#"$part"}
    words[-1]+=$part
  done
  if [[ $line == [[:blank:]]* ]]; then words+=(''); fi
  words[-1]+=${line#"${line%%[![:blank:]]*}"}
}

# Finds in a word such as -sofile the first letter that has a value: sets "option" to -o and "attached" to file.
_authctl_cluster() {
  local i
  for ((i = 1; i < ${#2}; i++)); do
    if [[ $(_authctl_value "$1" "-${2:i:1}") ]]; then
      option=-${2:i:1}
      attached=${2:i+1}
      return
    fi
  done
}

_authctl() {
  local words word current command='' option='' attached='' ended='' count=0 kind before='' breaks='' kept i
  _authctl_words
  current=${words[-1]}
  for word in "${words[@]:1:${#words[@]}-2}"; do
    if [[ $option ]]; then
      option=
    elif [[ $ended || $word != -?* ]]; then
      if [[ $command && '|help|profile|keyring|' == *"|$command|"* ]]; then
        command+=" $word"
      elif [[ $command ]]; then
        ((count += 1))
      else
        command=$word
      fi
    elif [[ $word == -- ]]; then
      ended=yes
    elif [[ $word == --* ]]; then
      if [[ $(_authctl_value "$command" "$word") ]]; then option=$word; fi
    else
      _authctl_cluster "$command" "$word"
      if [[ $attached ]]; then option='' attached=''; fi
    fi
  done

  if [[ ! $option && ! $ended ]]; then
    if [[ $current == --*=* ]]; then
      option=${current%%=*}
      before=$option=
    elif [[ $current == -[!-]?* ]]; then
      _authctl_cluster "$command" "$current"
      if [[ $option ]]; then before=${current%"$attached"}; fi
    fi
  fi
  if [[ $option ]]; then
    kind=$(_authctl_value "$command" "$option")
  elif [[ $current == -* && ! $ended ]]; then
    kind="words $(_authctl_options "$command")"
  elif [[ $command ]]; then
    kind=$(_authctl_operand "$command" "$count")
  else
    kind='words login call refresh logout status inspect doctor token exec profile keyring help'
  fi
  COMPREPLY=()
  read -rd '' -a words <<<"$kind"
  _authctl_offer_kind "${current#"$before"}" "${words[@]}"

  # bash replaces only what stands behind the last = or :, or from the last @ on, if it cuts words at these.
  for i in = : @; do
    if [[ $COMP_WORDBREAKS == *"$i"* ]]; then breaks+=$i; fi
  done
  kept=${current%"${current##*["${breaks:- }"]}"}
  COMPREPLY=("${COMPREPLY[@]/#/"$before"}")
  COMPREPLY=("${COMPREPLY[@]#"${kept%@}"}")
}

complete -F _authctl authctl
