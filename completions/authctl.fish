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
            contains -- "$words" help profile
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
complete -c authctl -l non-interactive -d 'never ask anything, fail instead'
complete -c authctl -l color -x -a 'auto always never' -d 'colour messages and help'
complete -c authctl -l errors -x -a 'text json' -d 'write errors as text or as JSON'
complete -c authctl -s h -l help -d 'show help: -h in short, --help in full'
complete -c authctl -l version -d 'print the version'

complete -c authctl -n '__authctl_at \'\'' -a login -d 'log in and keep the tokens'
complete -c authctl -n '__authctl_at \'\'' -a call -d 'send a request with the token'
complete -c authctl -n '__authctl_at \'\'' -a refresh -d 'renew the tokens now'
complete -c authctl -n '__authctl_at \'\'' -a logout -d 'revoke the tokens and forget them'
complete -c authctl -n '__authctl_at \'\'' -a status -d 'say who is logged in where, and until when'
complete -c authctl -n '__authctl_at \'\'' -a token -d 'print an access token that is valid'
complete -c authctl -n '__authctl_at \'\'' -a exec -d 'run a command with the token in its environment'
complete -c authctl -n '__authctl_at \'\'' -a profile -d 'look at the files that describe servers, and change them'
complete -c authctl -n '__authctl_at \'\'' -a help -d 'show the help of a command'
complete -c authctl -n '__authctl_at help' -a login -d 'log in and keep the tokens'
complete -c authctl -n '__authctl_at help' -a call -d 'send a request with the token'
complete -c authctl -n '__authctl_at help' -a refresh -d 'renew the tokens now'
complete -c authctl -n '__authctl_at help' -a logout -d 'revoke the tokens and forget them'
complete -c authctl -n '__authctl_at help' -a status -d 'say who is logged in where, and until when'
complete -c authctl -n '__authctl_at help' -a token -d 'print an access token that is valid'
complete -c authctl -n '__authctl_at help' -a exec -d 'run a command with the token in its environment'
complete -c authctl -n '__authctl_at help' -a profile -d 'look at the files that describe servers, and change them'
complete -c authctl -n '__authctl_at profile' -a list -d 'list the profiles'
complete -c authctl -n '__authctl_at profile' -a show -d 'print what holds for a profile, and check it'
complete -c authctl -n '__authctl_at profile' -a edit -d 'change a profile\'s file, or make one, in an editor'
complete -c authctl -n '__authctl_at profile' -a remove -d 'remove a profile\'s file'
complete -c authctl -n '__authctl_at profile' -a path -d 'print the path of a profile\'s file, or of their folder'
complete -c authctl -n '__authctl_at help profile' -a list -d 'list the profiles'
complete -c authctl -n '__authctl_at help profile' -a show -d 'print what holds for a profile, and check it'
complete -c authctl -n '__authctl_at help profile' -a edit -d 'change a profile\'s file, or make one, in an editor'
complete -c authctl -n '__authctl_at help profile' -a remove -d 'remove a profile\'s file'
complete -c authctl -n '__authctl_at help profile' -a path -d 'print the path of a profile\'s file, or of their folder'

complete -c authctl -n '__authctl_at login' -l type -x -a 'oauth2 custom basic' -d 'the kind of server'
complete -c authctl -n '__authctl_at login' -l issuer -x -d 'the server\'s issuer, whose metadata is discovered'
complete -c authctl -n '__authctl_at login' -l client-id -x -d 'the client\'s name as registered at the server'
complete -c authctl -n '__authctl_at login' -l flow -x -a 'browser device password client-credentials jwt-bearer token-exchange token' -d 'how to log in'
complete -c authctl -n '__authctl_at login' -l scope -x -d 'what to ask for'
complete -c authctl -n '__authctl_at login' -l api -x -d 'where the token may go'
complete -c authctl -n '__authctl_at login' -l audience -x -d 'the audience to ask for'
complete -c authctl -n '__authctl_at login' -l resource -x -d 'the resource to ask for (RFC 8707)'
complete -c authctl -n '__authctl_at login' -l client-authentication -x -a 'none client_secret_basic client_secret_post client_secret_jwt private_key_jwt tls_client_auth' -d 'how the client proves who it is'
complete -c authctl -n '__authctl_at login' -l assertion-key -r -F -d 'the private key with which the client signs'
complete -c authctl -n '__authctl_at login' -l assertion-key-id -x -d 'the key\'s name at the server (kid)'
complete -c authctl -n '__authctl_at login' -l assertion-algorithm -x -a 'HS256 HS384 HS512 RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519' -d 'how assertions are signed'
complete -c authctl -n '__authctl_at login' -l assertion-audience -x -d 'whom assertions are meant for (aud)'
complete -c authctl -n '__authctl_at login' -l dpop -d 'bind the tokens to a key of this machine (RFC 9449)'
complete -c authctl -n '__authctl_at login' -l username -x -d 'the user\'s name, where a password is asked for'
complete -c authctl -n '__authctl_at login' -l redirect-uri -x -d 'where the browser comes back to'
complete -c authctl -n '__authctl_at login' -l basic-encoding -x -a 'percent form raw' -d 'how client_secret_basic encodes the secret'
complete -c authctl -n '__authctl_at login' -l default -d 'use this profile where none is named'
complete -c authctl -n '__authctl_at login' -l refresh-before -x -d 'renew when less than this is left'
complete -c authctl -n '__authctl_at login' -l refresh-token-margin -x -d 'treat the refresh token as expired this long before its expiry'
complete -c authctl -n '__authctl_at login' -l refresh-token-lifetime -x -d 'the refresh token\'s life if the server does not say'
complete -c authctl -n '__authctl_at login' -l access-token-lifetime -x -d 'the token\'s life where the server does not say'
complete -c authctl -n '__authctl_at login' -l refresh-on -x -d 'API statuses that mean: renew and replay'
complete -c authctl -n '__authctl_at login' -l cacert -r -F -d 'trust these certificate authorities instead of the system\'s'
complete -c authctl -n '__authctl_at login' -l proxy -x -d 'use this proxy'
complete -c authctl -n '__authctl_at login' -l client-certificate -r -F -d 'show this certificate to servers that ask for one'
complete -c authctl -n '__authctl_at login' -l client-key -r -F -d 'the private key of that certificate'
complete -c authctl -n '__authctl_at login' -l connect-timeout -x -d 'how long connecting may take'
complete -c authctl -n '__authctl_at login' -l no-browser -d 'print the address instead of opening a browser'
complete -c authctl -n '__authctl_at login' -l password-stdin -d 'read the password from standard input'
complete -c authctl -n '__authctl_at login' -l password-file -r -F -d 'read the password from a file'
complete -c authctl -n '__authctl_at login' -l client-secret-stdin -d 'read the client secret from standard input'
complete -c authctl -n '__authctl_at login' -l client-secret-file -r -F -d 'read the client secret from a file'
complete -c authctl -n '__authctl_at login' -l client-key-stdin -d 'read the client\'s private key from standard input'
complete -c authctl -n '__authctl_at login' -l client-key-file -r -F -d 'read the client\'s private key from a file'
complete -c authctl -n '__authctl_at login' -l assertion-stdin -d 'read the jwt-bearer flow\'s assertion from standard input'
complete -c authctl -n '__authctl_at login' -l assertion-file -r -F -d 'read the jwt-bearer flow\'s assertion from a file'
complete -c authctl -n '__authctl_at login' -l subject-token-stdin -d 'read the token to exchange from standard input'
complete -c authctl -n '__authctl_at login' -l subject-token-file -r -F -d 'read the token to exchange from a file'
complete -c authctl -n '__authctl_at login' -l subject-token-type -x -d 'what the token to exchange is'
complete -c authctl -n '__authctl_at login' -l actor-token-file -r -F -d 'read the token of who acts for the subject from a file'
complete -c authctl -n '__authctl_at login' -l actor-token-type -x -d 'what the actor\'s token is'
complete -c authctl -n '__authctl_at login' -l requested-token-type -x -d 'what kind of token to ask for in exchange'
complete -c authctl -n '__authctl_at login' -l field -x -d 'fill a field of the profile\'s request'
complete -c authctl -n '__authctl_at login' -l discover -x -d 'make the profile of what the API at URL says of itself'
complete -c authctl -n '__authctl_at login' -l acr-values -x -d 'how to log in this time, in the server\'s words'
complete -c authctl -n '__authctl_at login' -l max-age -x -d 'let the server ask again unless it did so since then'
complete -c authctl -n '__authctl_at login' -l timeout -x -d 'how long to wait for the person\'s approval'
complete -c authctl -n '__authctl_at login' -l json -d 'print JSON, errors included'
complete -c authctl -n '__authctl_at login' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at call' -s X -l request -x -d 'the request\'s method'
complete -c authctl -n '__authctl_at call' -s H -l header -x -a '(__authctl_at_file)' -d 'add a header line'
complete -c authctl -n '__authctl_at call' -s I -l head -d 'ask for the header only, and print it'
complete -c authctl -n '__authctl_at call' -s A -l user-agent -x -d 'send NAME as User-Agent'
complete -c authctl -n '__authctl_at call' -s e -l referer -x -d 'send URL as Referer'
complete -c authctl -n '__authctl_at call' -s r -l range -x -d 'ask for these bytes only'
complete -c authctl -n '__authctl_at call' -s C -l continue-at -x -d 'go on with a transfer that was broken off, at this byte'
complete -c authctl -n '__authctl_at call' -l compressed -d 'ask for a compressed answer, and decompress it'
complete -c authctl -n '__authctl_at call' -s L -l location -d 'follow redirects'
complete -c authctl -n '__authctl_at call' -s u -l user -x -d 'send this user\'s name and password instead of the token'
complete -c authctl -n '__authctl_at call' -l no-auth -d 'send the request without the token'
complete -c authctl -n '__authctl_at call' -s d -l data -x -a '(__authctl_at_file)' -d 'send DATA as a form, with POST'
complete -c authctl -n '__authctl_at call' -l data-raw -x -d 'like -d, but an @ has no meaning'
complete -c authctl -n '__authctl_at call' -l data-binary -x -a '(__authctl_at_file)' -d 'like -d, but a file is sent as it is'
complete -c authctl -n '__authctl_at call' -l data-urlencode -x -a '(__authctl_at_file)' -d 'like -d, but DATA is encoded for a URL'
complete -c authctl -n '__authctl_at call' -l data-ascii -x -a '(__authctl_at_file)' -d 'the same as -d'
complete -c authctl -n '__authctl_at call' -l json -x -a '(__authctl_at_file)' -d 'send DATA as JSON, with POST'
complete -c authctl -n '__authctl_at call' -s G -l get -d 'put the data into the URL\'s query, with GET'
complete -c authctl -n '__authctl_at call' -s F -l form -x -d 'send a field of a multipart form, with POST'
complete -c authctl -n '__authctl_at call' -l form-string -x -d 'like -F, but @, < and ; have no meaning'
complete -c authctl -n '__authctl_at call' -s T -l upload-file -r -F -d 'send FILE, with PUT'
complete -c authctl -n '__authctl_at call' -s m -l max-time -x -d 'how long the transfer may take'
complete -c authctl -n '__authctl_at call' -l connect-timeout -x -d 'how long connecting may take'
complete -c authctl -n '__authctl_at call' -l http1.1 -d 'speak HTTP/1.1'
complete -c authctl -n '__authctl_at call' -l http2 -d 'speak HTTP/2'
complete -c authctl -n '__authctl_at call' -l cacert -r -F -d 'trust these certificate authorities instead of the system\'s'
complete -c authctl -n '__authctl_at call' -s E -l cert -r -F -d 'show this certificate to the server'
complete -c authctl -n '__authctl_at call' -l key -r -F -d 'the private key of -E'
complete -c authctl -n '__authctl_at call' -s x -l proxy -x -d 'use this proxy'
complete -c authctl -n '__authctl_at call' -l noproxy -x -d 'use no proxy for these hosts'
complete -c authctl -n '__authctl_at call' -l unix-socket -r -F -d 'connect to this socket of this machine instead of the address\'s host'
complete -c authctl -n '__authctl_at call' -l resolve -x -d 'connect to ADDRESS for HOST and PORT'
complete -c authctl -n '__authctl_at call' -l retry -x -d 'send again what failed for a moment'
complete -c authctl -n '__authctl_at call' -l retry-delay -x -d 'pause so long before each retry'
complete -c authctl -n '__authctl_at call' -l retry-max-time -x -d 'retry for so long only'
complete -c authctl -n '__authctl_at call' -l retry-connrefused -d 'with --retry, also any method that found no connection'
complete -c authctl -n '__authctl_at call' -l retry-all-errors -d 'with --retry, after any failure'
complete -c authctl -n '__authctl_at call' -l retry-unsafe -d 'with --retry, whatever the method'
complete -c authctl -n '__authctl_at call' -l batch -r -F -d 'send one request for each line of FILE, - for standard input'
complete -c authctl -n '__authctl_at call' -l parallel -x -d 'with --batch, N requests at the same time'
complete -c authctl -n '__authctl_at call' -l unordered -d 'with --batch, print answers as they come'
complete -c authctl -n '__authctl_at call' -s o -l output -r -F -d 'write the body to FILE'
complete -c authctl -n '__authctl_at call' -s O -l remote-name -d 'write the body to a file named like the URL\'s last part'
complete -c authctl -n '__authctl_at call' -s i -l include -d 'print the answer\'s header too'
complete -c authctl -n '__authctl_at call' -s D -l dump-header -r -F -d 'write the answer\'s header to FILE'
complete -c authctl -n '__authctl_at call' -s w -l write-out -x -a '(__authctl_at_file)' -d 'print FORMAT when the request is over'
complete -c authctl -n '__authctl_at call' -l raw -d 'print JSON as it came, on a terminal too'
complete -c authctl -n '__authctl_at call' -s '#' -l progress-bar -d 'show progress as a bar'
complete -c authctl -n '__authctl_at call' -s s -l silent -d 'print no error messages of the transfer and no progress'
complete -c authctl -n '__authctl_at call' -s S -l show-error -d 'with -s, print all error messages'
complete -c authctl -n '__authctl_at call' -s f -l fail -d 'print no body of an answer of 400 or more'
complete -c authctl -n '__authctl_at call' -l fail-with-body -d 'print the body of such an answer, too'
complete -c authctl -n '__authctl_at call' -l no-fail -d 'exit 0 also when the API answers 400 or more'

complete -c authctl -n '__authctl_at refresh' -l all -d 'renew every profile'
complete -c authctl -n '__authctl_at refresh' -l min-validity -x -d 'only where less than so much is left'
complete -c authctl -n '__authctl_at refresh' -l jitter -x -d 'wait a random time first'
complete -c authctl -n '__authctl_at refresh' -l json -d 'print JSON, errors included'
complete -c authctl -n '__authctl_at refresh' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at logout' -l all -d 'log out of every profile'
complete -c authctl -n '__authctl_at logout' -l local-only -d 'don\'t ask the server'
complete -c authctl -n '__authctl_at logout' -l json -d 'print JSON, errors included'
complete -c authctl -n '__authctl_at logout' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at status' -l require -x -d 'exit 3 unless a token is good for so long'
complete -c authctl -n '__authctl_at status' -l json -d 'print JSON, errors included'
complete -c authctl -n '__authctl_at status' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at token' -l min-validity -x -d 'renew unless so much is left'
complete -c authctl -n '__authctl_at token' -l header -d 'print the whole header line'

complete -c authctl -n '__authctl_at exec' -l env -x -d 'call the variable NAME'
complete -c authctl -n '__authctl_at exec' -l min-validity -x -d 'renew unless so much is left'
complete -c authctl -n '__authctl_at exec' -a '(complete -C (commandline -ct))'
complete -c authctl -n '__authctl_at exec' -F

complete -c authctl -n '__authctl_at profile list' -l json -d 'print JSON, errors included'

complete -c authctl -n '__authctl_at profile show' -l offline -d 'don\'t ask the server for its metadata'
complete -c authctl -n '__authctl_at profile show' -l json -d 'print JSON, errors included'
complete -c authctl -n '__authctl_at profile show' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at profile edit' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at profile remove' -l force -d 'remove it even if somebody is logged in'
complete -c authctl -n '__authctl_at profile remove' -a '(__authctl_profiles)'

complete -c authctl -n '__authctl_at profile path' -a '(__authctl_profiles)'
