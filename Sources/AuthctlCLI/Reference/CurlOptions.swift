/// The options of curl 7.88 that `call` doesn't take, and what to use instead.
enum CurlOptions {
  /// What to do instead of an option of curl's, as it was typed; nil where curl has none of this name.
  static func advice(for spelling: String) -> String? {
    advice.first { $0.options.contains(spelling) }?.text
  }

  /// Each piece of advice, and the options for which it is good.
  static let advice: [(text: String, options: [String])] =
    certificates + credentials + results + addresses + connections + sending + output + others

  private static let certificates: [(text: String, options: [String])] = [
    (
      "certificates are always checked: name the authority that has signed the server's with --cacert FILE",
      ["-k", "--insecure", "--proxy-insecure", "--doh-insecure", "--ssl-allow-beast", "--proxy-ssl-allow-beast"]
    ),
    (
      "name one file with --cacert FILE, or a folder in the variable SSL_CERT_DIR",
      ["--capath", "--proxy-cacert", "--proxy-capath"]
    ),
    ("the password of an encrypted key is asked for: --key FILE", ["--pass", "--proxy-pass"]),
    (
      "certificate and key are PEM files: -E FILE and --key FILE",
      ["--cert-type", "--key-type", "--engine", "--proxy-cert", "--proxy-cert-type", "--proxy-key", "--proxy-key-type"]
    ),
    (
      "the system's settings of TLS hold: --cacert FILE is what can be changed",
      [
        "--ciphers", "--tls13-ciphers", "--curves", "--tls-max", "--tlsv1", "-1", "--tlsv1.0", "--tlsv1.1", "--tlsv1.2",
        "--tlsv1.3", "--sslv2", "-2", "--sslv3", "-3", "--ssl", "--ssl-reqd", "--ssl-no-revoke",
        "--ssl-revoke-best-effort", "--ssl-auto-client-cert", "--cert-status", "--crlfile", "--pinnedpubkey",
        "--false-start", "--no-alpn", "--no-npn", "--no-sessionid", "--tlsauthtype", "--tlsuser", "--tlspassword",
        "--proxy-ciphers", "--proxy-tls13-ciphers", "--proxy-tlsv1", "--proxy-crlfile", "--proxy-pinnedpubkey",
        "--proxy-tlsauthtype", "--proxy-tlsuser", "--proxy-tlspassword", "--proxy-ssl-auto-client-cert",
        "--random-file",
        "--egd-file", "--hsts",
      ]
    ),
  ]

  private static let credentials: [(text: String, options: [String])] = [
    (
      "the profile has the token; one of your own goes into the variable AUTHCTL_ACCESS_TOKEN",
      ["--oauth2-bearer", "--aws-sigv4"]
    ),
    (
      "the profile has the token; -u NAME asks for a password instead",
      [
        "-n", "--netrc", "--netrc-file", "--netrc-optional", "--basic", "--digest", "--ntlm", "--ntlm-wb",
        "--negotiate",
        "--anyauth", "--delegation", "--service-name", "--krb", "--login-options", "--sasl-authzid", "--sasl-ir",
        "--disallow-username-in-url",
      ]
    ),
    (
      "set the variable https_proxy with name and password in it, or http_proxy for http",
      [
        "-U", "--proxy-user", "--proxy-anyauth", "--proxy-basic", "--proxy-digest", "--proxy-negotiate", "--proxy-ntlm",
        "--proxy-service-name",
      ]
    ),
    (
      "there is no store of cookies: send one with -H 'Cookie: NAME=VALUE', see those of an answer with -D -",
      ["-b", "--cookie", "-c", "--cookie-jar", "-j", "--junk-session-cookies"]
    ),
    ("a token never follows to another origin: -L follows without it", ["--location-trusted"]),
  ]

  private static let results: [(text: String, options: [String])] = [
    ("each address is asked, and the status is the worst of theirs", ["--fail-early"]),
    (
      "-L follows 50 redirects at the most; --max-time limits it all",
      ["--max-redirs"]
    ),
    (
      "--max-time limits how long it takes; there is no limit of speed or size",
      ["--speed-limit", "-Y", "--speed-time", "-y", "--max-filesize", "--limit-rate"]
    ),
    ("name the method with -X: it is kept along redirects", ["--post301", "--post302", "--post303"]),
  ]

  private static let addresses: [(text: String, options: [String])] = [
    ("give the address alone; several are asked in their order", ["--url"]),
    ("put it into the address, or use -G --data-urlencode", ["--url-query"]),
    ("brackets and braces are sent as they are: leave it out", ["-g", "--globoff"]),
    ("run the command again for a request with other options, or write a --batch file", ["-:", "--next"]),
    (
      "--batch FILE --parallel N sends many requests at once",
      ["-Z", "--parallel-immediate", "--parallel-max"]
    ),
    ("--batch - sends a line when it comes: pause between the lines that you write into the pipe", ["--rate"]),
    (
      "options stand on the command line, or in the profile; requests in a --batch file",
      ["-K", "--config", "--disable"]
    ),
    (
      "addresses are http or https, and paths are sent as they are resolved",
      [
        "--proto", "--proto-default", "--proto-redir", "--path-as-is", "--request-target", "--http0.9",
      ]
    ),
  ]

  private static let connections: [(text: String, options: [String])] = [
    ("--http1.1 is the oldest that is spoken", ["-0", "--http1.0"]),
    ("--http2 is the newest that is spoken", ["--http2-prior-knowledge", "--http3", "--http3-only", "--alt-svc"]),
    (
      "name the address to connect to: --resolve HOST:PORT:ADDRESS",
      [
        "-4", "--ipv4", "-6", "--ipv6", "--doh-url", "--doh-cert-status", "--dns-interface",
        "--dns-ipv4-addr", "--dns-ipv6-addr", "--dns-servers", "--happy-eyeballs-timeout-ms",
      ]
    ),
    ("--resolve HOST:PORT:ADDRESS names another address; another port belongs into the URL", ["--connect-to"]),
    ("the system chooses the local end of a connection", ["--interface", "--local-port", "--haproxy-protocol"]),
    ("--unix-socket PATH takes one with a path", ["--abstract-unix-socket"]),
    (
      "name the proxy with its scheme: -x socks5h://HOST:PORT, -x http://HOST:PORT",
      [
        "--socks4", "--socks4a", "--socks5", "--socks5-hostname", "--socks5-basic", "--socks5-gssapi",
        "--socks5-gssapi-nec", "--socks5-gssapi-service", "--preproxy", "--proxy1.0", "--proxytunnel", "--proxy-header",
        "--suppress-connect-headers",
      ]
    ),
    (
      "connections are kept alive and used again by themselves: leave it out",
      ["--keepalive-time", "--no-keepalive", "--tcp-fastopen", "--tcp-nodelay"]
    ),
    ("--connect-timeout and --max-time limit how long it takes", ["--expect100-timeout"]),
  ]

  private static let sending: [(text: String, options: [String])] = [
    ("names in a form are escaped as browsers do", ["--form-escape"]),
    (
      "send it with -H: 'If-None-Match: …', 'If-Modified-Since: …'",
      ["--etag-compare", "--etag-save", "-z", "--time-cond"]
    ),
    ("--compressed is what servers know", ["--tr-encoding"]),
    ("what is sent is sent as it is: convert it before", ["--crlf", "-B", "--use-ascii"]),
  ]

  private static let output: [(text: String, options: [String])] = [
    ("output is never buffered: leave it out", ["-N", "--no-buffer"]),
    (
      "-o FILE names the file, -O takes the name of the address",
      [
        "-J", "--remote-header-name", "--no-clobber", "--remove-on-error", "--remote-name-all",
      ]
    ),
    ("make the folder first, and name the file in it: -o FOLDER/FILE", ["--output-dir", "--create-dirs"]),
    ("chmod and touch change it afterwards", ["--create-file-mode", "-R", "--remote-time", "--xattr"]),
    (
      "-v tells each step, on standard error and without secrets",
      [
        "--trace", "--trace-ascii", "--trace-time", "--stderr", "--libcurl", "--styled-output",
      ]
    ),
    ("--quiet keeps notes back", ["--no-progress-meter"]),
    ("--help shows the whole manual", ["-M", "--manual"]),
    ("--version prints it", ["-V"]),
  ]

  private static let others: [(text: String, options: [String])] = [
    ("the framing of an answer is always taken off: leave it out", ["--ignore-content-length"]),
    (
      "only http and https are supported",
      [
        "-a", "--append", "--compressed-ssh", "--disable-eprt", "--disable-epsv", "--ftp-account",
        "--ftp-alternative-to-user", "--ftp-create-dirs", "--ftp-method", "--ftp-pasv", "-P", "--ftp-port",
        "--ftp-pret",
        "--ftp-skip-pasv-ip", "--ftp-ssl-ccc", "--ftp-ssl-ccc-mode", "--ftp-ssl-control", "--hostpubmd5",
        "--hostpubsha256", "-l", "--list-only", "--mail-auth", "--mail-from", "--mail-rcpt", "--mail-rcpt-allowfails",
        "--metalink", "--pubkey", "-Q", "--quote", "-t", "--telnet-option", "--tftp-blksize", "--tftp-no-options",
      ]
    ),
  ]
}
