# fish completion for authctl
# Made from the table of commands by make generate. Edit the table, not this file.

# Prints the command on the line, as far as it stands before the cursor.
function __authctl_command
    set -l value
    set -l words
    for token in (commandline -opc)[2..]
        if set -q value[1]
            set -e value[1]
        else if string match -qr -- '^(--(?:profile|color|errors)|-[qvh]*[p])$' $token
            set value follows
        else if not string match -q -- '-*' $token
            set -a words $token
            contains -- "$words" help profile keyring
            or break
        end
    end
    echo "$words"
end

# Tells whether the command on the line is the one given; '' is for none.
function __authctl_at
    test "$(__authctl_command)" = "$argv"
end

# Prints the names of the profiles that have a file.
function __authctl_profiles
    set -l config $HOME/.config
    test -n "$XDG_CONFIG_HOME"; and set config $XDG_CONFIG_HOME
    for file in $config/authctl/profiles/*.toml
        path basename $file | path change-extension ''
    end
end

# Prints the files that begin as the word at the cursor does after its @, each with what stands before it.
function __authctl_at_file
    set -l word (commandline -ct | string match -r -- '^(?:--[^=]*=|-[^-@]+)?@(.*)$')
    or return
    for file in (__fish_complete_path $word[2])
        echo @$file
    end
end

complete -c authctl -f

complete -c authctl -s p -l profile -x -a '(__authctl_profiles)' -d 'use this profile'
complete -c authctl -s q -l quiet -d 'print errors only'
complete -c authctl -s v -l verbose -d 'log each step to standard error'
complete -c authctl -l non-interactive -d 'never prompt, fail instead'
complete -c authctl -l color -x -a 'auto always never' -d 'colour messages and help'
complete -c authctl -l errors -x -a 'text json' -d 'report errors as text or as JSON'
complete -c authctl -s h -l help -d 'show help: -h for a summary, --help for all'
complete -c authctl -l version -d 'print the version'

complete -c authctl -n '__authctl_at \'\'' -a login -d 'log in and store the tokens'
complete -c authctl -n '__authctl_at \'\'' -a call -d 'send a request with the token'
complete -c authctl -n '__authctl_at \'\'' -a refresh -d 'refresh the tokens now'
complete -c authctl -n '__authctl_at \'\'' -a logout -d 'revoke and delete the tokens'
complete -c authctl -n '__authctl_at \'\'' -a status -d 'show who is logged in where, and until when'
complete -c authctl -n '__authctl_at \'\'' -a inspect -d 'explain the tokens, and compare them with the profile'
complete -c authctl -n '__authctl_at \'\'' -a doctor -d 'check everything that a login and a call depend on'
complete -c authctl -n '__authctl_at \'\'' -a token -d 'print a valid access token'
complete -c authctl -n '__authctl_at \'\'' -a exec -d 'run a command with the token in its environment'
complete -c authctl -n '__authctl_at \'\'' -a profile -d 'manage profiles'
complete -c authctl -n '__authctl_at \'\'' -a keyring -d 'unlock the keyring on a machine without a desktop'
complete -c authctl -n '__authctl_at \'\'' -a help -d 'show the help of a command'
complete -c authctl -n '__authctl_at help' -a login -d 'log in and store the tokens'
complete -c authctl -n '__authctl_at help' -a call -d 'send a request with the token'
complete -c authctl -n '__authctl_at help' -a refresh -d 'refresh the tokens now'
complete -c authctl -n '__authctl_at help' -a logout -d 'revoke and delete the tokens'
complete -c authctl -n '__authctl_at help' -a status -d 'show who is logged in where, and until when'
complete -c authctl -n '__authctl_at help' -a inspect -d 'explain the tokens, and compare them with the profile'
complete -c authctl -n '__authctl_at help' -a doctor -d 'check everything that a login and a call depend on'
complete -c authctl -n '__authctl_at help' -a token -d 'print a valid access token'
complete -c authctl -n '__authctl_at help' -a exec -d 'run a command with the token in its environment'
complete -c authctl -n '__authctl_at help' -a profile -d 'manage profiles'
complete -c authctl -n '__authctl_at help' -a keyring -d 'unlock the keyring on a machine without a desktop'
complete -c authctl -n '__authctl_at profile' -a list -d 'list the profiles'
complete -c authctl -n '__authctl_at profile' -a show -d 'show a profile\'s effective settings and check them'
complete -c authctl -n '__authctl_at profile' -a new -d 'create a profile from a template'
complete -c authctl -n '__authctl_at profile' -a edit -d 'edit or create a profile in an editor'
complete -c authctl -n '__authctl_at profile' -a remove -d 'remove a profile\'s file'
complete -c authctl -n '__authctl_at profile' -a path -d 'print the path of a profile\'s file, or of the folder'
complete -c authctl -n '__authctl_at profile' -a new-key -d 'create a key for store = "file"'
complete -c authctl -n '__authctl_at profile' -a client-metadata -d 'print a client ID metadata document for authctl'
complete -c authctl -n '__authctl_at help profile' -a list -d 'list the profiles'
complete -c authctl -n '__authctl_at help profile' -a show -d 'show a profile\'s effective settings and check them'
complete -c authctl -n '__authctl_at help profile' -a new -d 'create a profile from a template'
complete -c authctl -n '__authctl_at help profile' -a edit -d 'edit or create a profile in an editor'
complete -c authctl -n '__authctl_at help profile' -a remove -d 'remove a profile\'s file'
complete -c authctl -n '__authctl_at help profile' -a path -d 'print the path of a profile\'s file, or of the folder'
complete -c authctl -n '__authctl_at help profile' -a new-key -d 'create a key for store = "file"'
complete -c authctl -n '__authctl_at help profile' -a client-metadata -d 'print a client ID metadata document for authctl'
complete -c authctl -n '__authctl_at keyring' -a unlock -d 'unlock or create the login keyring with a password'
complete -c authctl -n '__authctl_at help keyring' -a unlock -d 'unlock or create the login keyring with a password'

complete -c authctl -n '__authctl_at login' -l type -x -a 'oauth2 custom basic' -d 'the type of server'
complete -c authctl -n '__authctl_at login' -l issuer -x -d 'the URL of the authorization server'
complete -c authctl -n '__authctl_at login' -l client-id -x -d 'the client ID, as registered at the server'
complete -c authctl -n '__authctl_at login' -l flow -x -a 'browser device password client-credentials jwt-bearer token-exchange token' -d 'how to log in'
complete -c authctl -n '__authctl_at login' -l scope -x -d 'the scope to request'
complete -c authctl -n '__authctl_at login' -l api -x -d 'an API that may get the token'
complete -c authctl -n '__authctl_at login' -l audience -x -d 'the audience to request'
complete -c authctl -n '__authctl_at login' -l resource -x -d 'the resource to request (RFC 8707)'
complete -c authctl -n '__authctl_at login' -l client-authentication -x -a 'none client_secret_basic client_secret_post client_secret_jwt private_key_jwt tls_client_auth' -d 'how the client authenticates'
complete -c authctl -n '__authctl_at login' -l assertion-key -r -F -d 'the private key that signs assertions'
complete -c authctl -n '__authctl_at login' -l assertion-key-id -x -d 'the key ID at the server (kid)'
complete -c authctl -n '__authctl_at login' -l assertion-algorithm -x -a 'HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519' -d 'the signature algorithm of assertions'
complete -c authctl -n '__authctl_at login' -l assertion-audience -x -d 'the audience of assertions (aud)'
complete -c authctl -n '__authctl_at login' -l dpop -d 'bind tokens to a key of this machine (RFC 9449)'
complete -c authctl -n '__authctl_at login' -l prompt -x -d 'what the login page asks for (OpenID Connect)'
complete -c authctl -n '__authctl_at login' -l username -x -d 'the user name, for logins with a password'
complete -c authctl -n '__authctl_at login' -l redirect-uri -x -d 'the loopback URI to return to from the browser'
complete -c authctl -n '__authctl_at login' -l basic-encoding -x -a 'percent form raw' -d 'how client_secret_basic encodes the secret'
complete -c authctl -n '__authctl_at login' -l client-secret-file -r -F -d 'read the client secret from a file'
complete -c authctl -n '__authctl_at login' -l subject-token-file -r -F -d 'read the token to exchange from a file'
complete -c authctl -n '__authctl_at login' -l subject-token-command -x -d 'run a command that prints the token to exchange'
complete -c authctl -n '__authctl_at login' -l subject-token-type -x -a 'access_token refresh_token id_token jwt saml1 saml2' -d 'the type of the token to exchange'
complete -c authctl -n '__authctl_at login' -l store -x -a 'keyring file none' -d 'where the tokens are stored'
complete -c authctl -n '__authctl_at login' -l store-key -r -F -d 'the key that seals the tokens of --store file'
complete -c authctl -n '__authctl_at login' -l default -d 'use this profile if none is named'
complete -c authctl -n '__authctl_at login' -l refresh-before -x -d 'refresh if less than this validity remains'
complete -c authctl -n '__authctl_at login' -l cache -x -d 'reuse the access token for this long without the keyring'
complete -c authctl -n '__authctl_at login' -l refresh-token-margin -x -d 'treat the refresh token as expired this long before its expiry'
complete -c authctl -n '__authctl_at login' -l refresh-token-lifetime -x -d 'the refresh token\'s lifetime if the server does not state it'
complete -c authctl -n '__authctl_at login' -l access-token-lifetime -x -d 'the access token\'s lifetime if the server does not state it'
complete -c authctl -n '__authctl_at login' -l refresh-on -x -d 'refresh and replay after this API status'
complete -c authctl -n '__authctl_at login' -l cacert -r -F -d 'trust these CAs instead of the system\'s'
complete -c authctl -n '__authctl_at login' -l proxy -x -d 'use this proxy'
complete -c authctl -n '__authctl_at login' -l client-certificate -r -F -d 'the client certificate, for servers that request one'
complete -c authctl -n '__authctl_at login' -l client-key -r -F -d 'the private key of the client certificate'
complete -c authctl -n '__authctl_at login' -l connect-timeout -x -d 'limit the time of connecting'
complete -c authctl -n '__authctl_at login' -l no-browser -d 'print the login URL instead of opening a browser'
complete -c authctl -n '__authctl_at login' -l complete -d 'read the address at which the browser ends from standard input'
complete -c authctl -n '__authctl_at login' -l password-stdin -d 'read the password from standard input'
complete -c authctl -n '__authctl_at login' -l password-file -r -F -d 'read the password from a file'
complete -c authctl -n '__authctl_at login' -l client-secret-stdin -d 'read the client secret from standard input'
complete -c authctl -n '__authctl_at login' -l client-key-stdin -d 'read the client\'s private key from standard input'
complete -c authctl -n '__authctl_at login' -l client-key-file -r -F -d 'read the client\'s private key from a file'
complete -c authctl -n '__authctl_at login' -l registration-token-stdin -d 'read the initial access token from standard input'
complete -c authctl -n '__authctl_at login' -l assertion-stdin -d 'read the jwt-bearer flow\'s assertion from standard input'
complete -c authctl -n '__authctl_at login' -l assertion-file -r -F -d 'read the jwt-bearer flow\'s assertion from a file'
complete -c authctl -n '__authctl_at login' -l subject-token-stdin -d 'read the token to exchange from standard input'
complete -c authctl -n '__authctl_at login' -l actor-token-file -r -F -d 'read the actor token from a file'
complete -c authctl -n '__authctl_at login' -l actor-token-type -x -d 'the type of the actor token'
complete -c authctl -n '__authctl_at login' -l requested-token-type -x -d 'request this type of token in exchange'
complete -c authctl -n '__authctl_at login' -l template -x -a 'oidc keycloak auth0 okta microsoft google github github-app gitlab dex authentik oauth2-endpoints client-credentials private-key-jwt basic json-pair retry-on-401 success-flag register-nested guest-envelope' -d 'start from a template for a kind of server'
complete -c authctl -n '__authctl_at login' -l field -x -d 'fill a placeholder of the profile\'s request or template'
complete -c authctl -n '__authctl_at login' -l discover -x -d 'discover the settings from a URL'
complete -c authctl -n '__authctl_at login' -l acr-values -x -d 'require an authentication level, such as MFA'
complete -c authctl -n '__authctl_at login' -l max-age -x -d 'require a login that is not older than this'
complete -c authctl -n '__authctl_at login' -l timeout -x -d 'limit the wait for the user\'s approval'
complete -c authctl -n '__authctl_at login' -l json -d 'print JSON, errors included'
complete -c authctl -n '__authctl_at login' -l trace -r -F -d 'record requests and token events (.har, .html, …)'
complete -c authctl -n '__authctl_at login' -l trace-secrets -d 'keep tokens and other secrets in the files of --trace'
complete -c authctl -n '__authctl_at login' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at call' -s X -l request -x -d 'use this method'
complete -c authctl -n '__authctl_at call' -s H -l header -x -a '(__authctl_at_file)' -d 'add a header line'
complete -c authctl -n '__authctl_at call' -s I -l head -d 'request and print the headers only'
complete -c authctl -n '__authctl_at call' -s A -l user-agent -x -d 'send NAME as User-Agent'
complete -c authctl -n '__authctl_at call' -s e -l referer -x -d 'send URL as Referer'
complete -c authctl -n '__authctl_at call' -s r -l range -x -d 'request these bytes only'
complete -c authctl -n '__authctl_at call' -s C -l continue-at -x -d 'resume a transfer at this byte (-: from the file\'s size)'
complete -c authctl -n '__authctl_at call' -l compressed -d 'request a compressed response, decompress it'
complete -c authctl -n '__authctl_at call' -s L -l location -d 'follow redirects'
complete -c authctl -n '__authctl_at call' -s u -l user -x -d 'send a user name and password instead of the token'
complete -c authctl -n '__authctl_at call' -l no-auth -d 'send the request without the token'
complete -c authctl -n '__authctl_at call' -l cache -x -d 'reuse the token for this long without the keyring'
complete -c authctl -n '__authctl_at call' -s d -l data -x -a '(__authctl_at_file)' -d 'send DATA as a form, with POST'
complete -c authctl -n '__authctl_at call' -l data-raw -x -d 'like -d, but @ has no special meaning'
complete -c authctl -n '__authctl_at call' -l data-binary -x -a '(__authctl_at_file)' -d 'like -d, but a file is sent as it is'
complete -c authctl -n '__authctl_at call' -l data-urlencode -x -a '(__authctl_at_file)' -d 'like -d, but DATA is encoded for a URL'
complete -c authctl -n '__authctl_at call' -l data-ascii -x -a '(__authctl_at_file)' -d 'the same as -d'
complete -c authctl -n '__authctl_at call' -l json -x -a '(__authctl_at_file)' -d 'send DATA as JSON, with POST'
complete -c authctl -n '__authctl_at call' -s G -l get -d 'send the data in the URL\'s query, with GET'
complete -c authctl -n '__authctl_at call' -s F -l form -x -d 'send a multipart form field, with POST'
complete -c authctl -n '__authctl_at call' -l form-string -x -d 'like -F, but @, < and ; have no special meaning'
complete -c authctl -n '__authctl_at call' -s T -l upload-file -r -F -d 'send FILE, with PUT'
complete -c authctl -n '__authctl_at call' -s m -l max-time -x -d 'limit the time of the whole transfer'
complete -c authctl -n '__authctl_at call' -l connect-timeout -x -d 'limit the time of connecting'
complete -c authctl -n '__authctl_at call' -l http1.1 -d 'use HTTP/1.1'
complete -c authctl -n '__authctl_at call' -l http2 -d 'use HTTP/2'
complete -c authctl -n '__authctl_at call' -l cacert -r -F -d 'trust these CAs instead of the system\'s'
complete -c authctl -n '__authctl_at call' -s E -l cert -r -F -d 'use this client certificate'
complete -c authctl -n '__authctl_at call' -l key -r -F -d 'use this private key with the client certificate'
complete -c authctl -n '__authctl_at call' -s x -l proxy -x -d 'use this proxy'
complete -c authctl -n '__authctl_at call' -l noproxy -x -d 'use no proxy for these hosts'
complete -c authctl -n '__authctl_at call' -l unix-socket -r -F -d 'connect to this local socket instead of the URL\'s host'
complete -c authctl -n '__authctl_at call' -l resolve -x -d 'connect to ADDRESS for HOST and PORT'
complete -c authctl -n '__authctl_at call' -s 4 -l ipv4 -d 'connect to IPv4 addresses only'
complete -c authctl -n '__authctl_at call' -s 6 -l ipv6 -d 'connect to IPv6 addresses only'
complete -c authctl -n '__authctl_at call' -l retry -x -d 'retry transient failures'
complete -c authctl -n '__authctl_at call' -l retry-delay -x -d 'pause this long before each retry'
complete -c authctl -n '__authctl_at call' -l retry-max-time -x -d 'stop retrying after this time'
complete -c authctl -n '__authctl_at call' -l retry-connrefused -d 'with --retry, any method if no connection was made'
complete -c authctl -n '__authctl_at call' -l retry-all-errors -d 'with --retry, retry after any failure'
complete -c authctl -n '__authctl_at call' -l retry-unsafe -d 'with --retry, retry any method'
complete -c authctl -n '__authctl_at call' -l batch -r -F -d 'send a request per line of FILE (-: stdin)'
complete -c authctl -n '__authctl_at call' -l parallel -x -d 'with --batch, send N requests at the same time'
complete -c authctl -n '__authctl_at call' -l unordered -d 'with --batch, print responses as they arrive'
complete -c authctl -n '__authctl_at call' -s o -l output -r -F -d 'write the body to FILE'
complete -c authctl -n '__authctl_at call' -s O -l remote-name -d 'write the body to a file named as in the URL'
complete -c authctl -n '__authctl_at call' -s i -l include -d 'print the response headers, too'
complete -c authctl -n '__authctl_at call' -s D -l dump-header -r -F -d 'write the response headers to FILE'
complete -c authctl -n '__authctl_at call' -s w -l write-out -x -a '(__authctl_at_file)' -d 'print FORMAT after the transfer'
complete -c authctl -n '__authctl_at call' -l raw -d 'print JSON unchanged, even on a terminal'
complete -c authctl -n '__authctl_at call' -s '#' -l progress-bar -d 'show progress as a bar'
complete -c authctl -n '__authctl_at call' -s s -l silent -d 'print no transfer errors and no progress'
complete -c authctl -n '__authctl_at call' -s S -l show-error -d 'with -s, print error messages'
complete -c authctl -n '__authctl_at call' -s f -l fail -d 'print no body if the status is 400 or more'
complete -c authctl -n '__authctl_at call' -l fail-with-body -d 'print the body even if the status is 400 or more'
complete -c authctl -n '__authctl_at call' -l no-fail -d 'exit 0 even if the status is 400 or more'
complete -c authctl -n '__authctl_at call' -l print-curl -d 'print the curl command line instead of sending'
complete -c authctl -n '__authctl_at call' -l simulate -x -a 'expired refused' -d 'simulate an expired or refused token'
complete -c authctl -n '__authctl_at call' -l trace -r -F -d 'record requests and token events (.har, .html, …)'
complete -c authctl -n '__authctl_at call' -l trace-secrets -d 'keep tokens and other secrets in the files of --trace'
complete -c authctl -n '__authctl_at call' -l url -x -d 'request this URL: the same as URL alone'
complete -c authctl -n '__authctl_at call' -s g -l globoff -d 'send brackets and braces as they are: the default'
complete -c authctl -n '__authctl_at call' -s N -l no-buffer -d 'do not buffer the output: the default'
complete -c authctl -n '__authctl_at call' -l no-progress-meter -d 'accepted as in curl, without effect: use -q to suppress notes'
complete -c authctl -n '__authctl_at call' -l basic -d 'with -u, authenticate with Basic: the default'
complete -c authctl -n '__authctl_at call' -l tlsv1.2 -d 'use TLS 1.2 or newer: the default'

complete -c authctl -n '__authctl_at refresh' -l all -d 'refresh every profile'
complete -c authctl -n '__authctl_at refresh' -l min-validity -x -d 'refresh only if less than this validity remains'
complete -c authctl -n '__authctl_at refresh' -l jitter -x -d 'wait a random time first'
complete -c authctl -n '__authctl_at refresh' -l json -d 'print JSON, errors included'
complete -c authctl -n '__authctl_at refresh' -l trace -r -F -d 'record requests and token events (.har, .html, …)'
complete -c authctl -n '__authctl_at refresh' -l trace-secrets -d 'keep tokens and other secrets in the files of --trace'
complete -c authctl -n '__authctl_at refresh' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at logout' -l all -d 'log out of every profile'
complete -c authctl -n '__authctl_at logout' -l local-only -d 'delete the tokens without revoking them'
complete -c authctl -n '__authctl_at logout' -l json -d 'print JSON, errors included'
complete -c authctl -n '__authctl_at logout' -l trace -r -F -d 'record requests and token events (.har, .html, …)'
complete -c authctl -n '__authctl_at logout' -l trace-secrets -d 'keep tokens and other secrets in the files of --trace'
complete -c authctl -n '__authctl_at logout' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at status' -l require -x -d 'exit 3 unless a token is valid for at least DURATION'
complete -c authctl -n '__authctl_at status' -l watch -d 'keep running and report each login, refresh, failure and logout'
complete -c authctl -n '__authctl_at status' -l json -d 'print JSON, errors included'
complete -c authctl -n '__authctl_at status' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at inspect' -l online -d 'send the token to its server, for introspection and userinfo'
complete -c authctl -n '__authctl_at inspect' -l offline -d 'send no request; the signature is not checked'
complete -c authctl -n '__authctl_at inspect' -l explain -d 'explain each registered claim'
complete -c authctl -n '__authctl_at inspect' -l issuer -x -d 'check a token from stdin with the keys of this issuer'
complete -c authctl -n '__authctl_at inspect' -l json -d 'print JSON, errors included'
complete -c authctl -n '__authctl_at inspect' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at doctor' -l offline -d 'send no request: check only this machine'
complete -c authctl -n '__authctl_at doctor' -l json -d 'print JSON, errors included'
complete -c authctl -n '__authctl_at doctor' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at token' -l min-validity -x -d 'refresh if less than this validity remains'
complete -c authctl -n '__authctl_at token' -l header -d 'print the complete header line'
complete -c authctl -n '__authctl_at token' -l cache -x -d 'reuse the token for this long without the keyring'
complete -c authctl -n '__authctl_at token' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at exec' -l env -x -d 'use the variable NAME instead of AUTHCTL_TOKEN'
complete -c authctl -n '__authctl_at exec' -l min-validity -x -d 'refresh if less than this validity remains'
complete -c authctl -n '__authctl_at exec' -l cache -x -d 'reuse the token for this long without the keyring'
complete -c authctl -n '__authctl_at exec' -l trace -r -F -d 'record requests and token events (.har, .html, …)'
complete -c authctl -n '__authctl_at exec' -l trace-secrets -d 'keep tokens and other secrets in the files of --trace'
complete -c authctl -n '__authctl_at exec' -a '(complete -C (commandline -ct))'
complete -c authctl -n '__authctl_at exec' -F

complete -c authctl -n '__authctl_at profile list' -l json -d 'print JSON, errors included'

complete -c authctl -n '__authctl_at profile show' -l all -d 'show the defaults, too'
complete -c authctl -n '__authctl_at profile show' -l offline -d 'do not request the server\'s metadata'
complete -c authctl -n '__authctl_at profile show' -l request -d 'show the requests that a login would send, without sending them'
complete -c authctl -n '__authctl_at profile show' -l json -d 'print JSON, errors included'
complete -c authctl -n '__authctl_at profile show' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at profile new' -l issuer -x -d 'the URL of the authorization server'
complete -c authctl -n '__authctl_at profile new' -l client-id -x -d 'the client ID, as registered at the server'
complete -c authctl -n '__authctl_at profile new' -l flow -x -a 'browser device password client-credentials jwt-bearer token-exchange token' -d 'how to log in'
complete -c authctl -n '__authctl_at profile new' -l scope -x -d 'the scope to request'
complete -c authctl -n '__authctl_at profile new' -l api -x -d 'an API that may get the token'
complete -c authctl -n '__authctl_at profile new' -l audience -x -d 'the audience to request'
complete -c authctl -n '__authctl_at profile new' -l resource -x -d 'the resource to request (RFC 8707)'
complete -c authctl -n '__authctl_at profile new' -l client-authentication -x -a 'none client_secret_basic client_secret_post client_secret_jwt private_key_jwt tls_client_auth' -d 'how the client authenticates'
complete -c authctl -n '__authctl_at profile new' -l assertion-key -r -F -d 'the private key that signs assertions'
complete -c authctl -n '__authctl_at profile new' -l assertion-key-id -x -d 'the key ID at the server (kid)'
complete -c authctl -n '__authctl_at profile new' -l assertion-algorithm -x -a 'HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519' -d 'the signature algorithm of assertions'
complete -c authctl -n '__authctl_at profile new' -l assertion-audience -x -d 'the audience of assertions (aud)'
complete -c authctl -n '__authctl_at profile new' -l dpop -d 'bind tokens to a key of this machine (RFC 9449)'
complete -c authctl -n '__authctl_at profile new' -l prompt -x -d 'what the login page asks for (OpenID Connect)'
complete -c authctl -n '__authctl_at profile new' -l username -x -d 'the user name, for logins with a password'
complete -c authctl -n '__authctl_at profile new' -l redirect-uri -x -d 'the loopback URI to return to from the browser'
complete -c authctl -n '__authctl_at profile new' -l basic-encoding -x -a 'percent form raw' -d 'how client_secret_basic encodes the secret'
complete -c authctl -n '__authctl_at profile new' -l client-secret-file -r -F -d 'read the client secret from a file'
complete -c authctl -n '__authctl_at profile new' -l subject-token-file -r -F -d 'read the token to exchange from a file'
complete -c authctl -n '__authctl_at profile new' -l subject-token-command -x -d 'run a command that prints the token to exchange'
complete -c authctl -n '__authctl_at profile new' -l subject-token-type -x -a 'access_token refresh_token id_token jwt saml1 saml2' -d 'the type of the token to exchange'
complete -c authctl -n '__authctl_at profile new' -l store -x -a 'keyring file none' -d 'where the tokens are stored'
complete -c authctl -n '__authctl_at profile new' -l store-key -r -F -d 'the key that seals the tokens of --store file'
complete -c authctl -n '__authctl_at profile new' -l default -d 'use this profile if none is named'
complete -c authctl -n '__authctl_at profile new' -l refresh-before -x -d 'refresh if less than this validity remains'
complete -c authctl -n '__authctl_at profile new' -l cache -x -d 'reuse the access token for this long without the keyring'
complete -c authctl -n '__authctl_at profile new' -l refresh-token-margin -x -d 'treat the refresh token as expired this long before its expiry'
complete -c authctl -n '__authctl_at profile new' -l refresh-token-lifetime -x -d 'the refresh token\'s lifetime if the server does not state it'
complete -c authctl -n '__authctl_at profile new' -l access-token-lifetime -x -d 'the access token\'s lifetime if the server does not state it'
complete -c authctl -n '__authctl_at profile new' -l refresh-on -x -d 'refresh and replay after this API status'
complete -c authctl -n '__authctl_at profile new' -l cacert -r -F -d 'trust these CAs instead of the system\'s'
complete -c authctl -n '__authctl_at profile new' -l proxy -x -d 'use this proxy'
complete -c authctl -n '__authctl_at profile new' -l client-certificate -r -F -d 'the client certificate, for servers that request one'
complete -c authctl -n '__authctl_at profile new' -l client-key -r -F -d 'the private key of the client certificate'
complete -c authctl -n '__authctl_at profile new' -l connect-timeout -x -d 'limit the time of connecting'
complete -c authctl -n '__authctl_at profile new' -l template -x -a 'oidc keycloak auth0 okta microsoft google github github-app gitlab dex authentik oauth2-endpoints client-credentials private-key-jwt basic json-pair retry-on-401 success-flag register-nested guest-envelope' -d 'start from a template for a kind of server'
complete -c authctl -n '__authctl_at profile new' -l field -x -d 'set a value that the template needs'
complete -c authctl -n '__authctl_at profile new' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at profile edit' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at profile remove' -l force -d 'remove it even if it is logged in'
complete -c authctl -n '__authctl_at profile remove' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at profile path' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at profile new-key' -F

complete -c authctl -n '__authctl_at keyring unlock' -l password-stdin -d 'read the password from standard input'
complete -c authctl -n '__authctl_at keyring unlock' -l password-file -r -F -d 'read the password from a file'
complete -c authctl -n '__authctl_at keyring unlock' -l password-credential -x -d 'read the password from a systemd credential'
