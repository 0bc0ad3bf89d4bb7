/// The options of curl 7.88 that `call` does not support, and their replacements.
enum CurlOptions {
  /// Returns the replacement for a curl option, as it was typed; nil if curl has no such option.
  static func advice(for spelling: String) -> String? {
    advice.first { $0.options.contains(spelling) }?.text
  }

  /// The advice, each with the options that it applies to.
  static let advice: [(text: String, options: [String])] =
    certificates + credentials + results + addresses + connections + sending + output + others

  private static let certificates: [(text: String, options: [String])] = [
    (
      "certificates are always checked; to trust your own authority, use --cacert FILE",
      ["-k", "--insecure", "--proxy-insecure", "--doh-insecure", "--ssl-allow-beast", "--proxy-ssl-allow-beast"]
    ),
    (
      "use --cacert FILE, or set SSL_CERT_DIR to a folder",
      ["--capath", "--proxy-cacert", "--proxy-capath"]
    ),
    ("use --key FILE; call prompts for the password of an encrypted key", ["--pass", "--proxy-pass"]),
    (
      "certificate and key are PEM files: use -E FILE and --key FILE",
      ["--cert-type", "--key-type", "--engine", "--proxy-cert", "--proxy-cert-type", "--proxy-key", "--proxy-key-type"]
    ),
    (
      "the system's TLS settings apply; only --cacert FILE can be set",
      [
        "--ciphers", "--tls13-ciphers", "--curves", "--tls-max", "--tlsv1", "-1", "--tlsv1.0", "--tlsv1.1", "--tlsv1.3",
        "--sslv2", "-2", "--sslv3", "-3", "--ssl", "--ssl-reqd", "--ssl-no-revoke",
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
      "the profile has the token; to use another one, set AUTHCTL_ACCESS_TOKEN",
      ["--oauth2-bearer", "--aws-sigv4"]
    ),
    (
      "the profile has the token; to send a password instead, use -u NAME",
      [
        "-n", "--netrc", "--netrc-file", "--netrc-optional", "--digest", "--ntlm", "--ntlm-wb",
        "--negotiate",
        "--anyauth", "--delegation", "--service-name", "--krb", "--login-options", "--sasl-authzid", "--sasl-ir",
        "--disallow-username-in-url",
      ]
    ),
    (
      "set https_proxy, or http_proxy for http, to a URL with name and password",
      [
        "-U", "--proxy-user", "--proxy-anyauth", "--proxy-basic", "--proxy-digest", "--proxy-negotiate", "--proxy-ntlm",
        "--proxy-service-name",
      ]
    ),
    (
      "cookies are not stored: send one with -H 'Cookie: NAME=VALUE', show received ones with -D -",
      ["-b", "--cookie", "-c", "--cookie-jar", "-j", "--junk-session-cookies"]
    ),
    ("the token is never sent to another origin; -L follows without it", ["--location-trusted"]),
  ]

  private static let results: [(text: String, options: [String])] = [
    ("every URL is requested, and the exit status is the worst", ["--fail-early"]),
    (
      "-L follows at most 50 redirects; use --max-time to limit the time",
      ["--max-redirs"]
    ),
    (
      "use --max-time to limit the time; speed and size can't be limited",
      ["--speed-limit", "-Y", "--speed-time", "-y", "--max-filesize", "--limit-rate"]
    ),
    ("use -X METHOD: it is kept along redirects", ["--post301", "--post302", "--post303"]),
  ]

  private static let addresses: [(text: String, options: [String])] = [
    ("put it into the URL, or use -G --data-urlencode", ["--url-query"]),
    ("run a second command, or use a --batch file", ["-:", "--next"]),
    (
      "use --batch FILE --parallel N for parallel requests",
      ["-Z", "--parallel-immediate", "--parallel-max"]
    ),
    ("--batch - sends each line as it arrives: pause between the lines of the pipe", ["--rate"]),
    (
      "put options on the command line or into the profile, requests into a --batch file",
      ["-K", "--config", "--disable"]
    ),
    (
      "URLs are http or https, and . and .. in paths are resolved",
      [
        "--proto", "--proto-default", "--proto-redir", "--path-as-is", "--request-target", "--http0.9",
      ]
    ),
  ]

  private static let connections: [(text: String, options: [String])] = [
    ("--http1.1 is the oldest supported version", ["-0", "--http1.0"]),
    ("--http2 is the newest supported version", ["--http2-prior-knowledge", "--http3", "--http3-only", "--alt-svc"]),
    (
      "use --resolve HOST:PORT:ADDRESS to set the address",
      [
        "--doh-url", "--doh-cert-status", "--dns-interface",
        "--dns-ipv4-addr", "--dns-ipv6-addr", "--dns-servers", "--happy-eyeballs-timeout-ms",
      ]
    ),
    ("use --resolve HOST:PORT:ADDRESS for another address, and the URL for another port", ["--connect-to"]),
    ("the system chooses the local end of a connection", ["--interface", "--local-port", "--haproxy-protocol"]),
    ("use --unix-socket PATH", ["--abstract-unix-socket"]),
    (
      "use -x with a scheme: -x socks5h://HOST:PORT, -x http://HOST:PORT",
      [
        "--socks4", "--socks4a", "--socks5", "--socks5-hostname", "--socks5-basic", "--socks5-gssapi",
        "--socks5-gssapi-nec", "--socks5-gssapi-service", "--preproxy", "--proxy1.0", "--proxytunnel", "--proxy-header",
        "--suppress-connect-headers",
      ]
    ),
    (
      "connections are kept alive and reused automatically: remove the option",
      ["--keepalive-time", "--no-keepalive", "--tcp-fastopen", "--tcp-nodelay"]
    ),
    ("use --connect-timeout and --max-time", ["--expect100-timeout"]),
  ]

  private static let sending: [(text: String, options: [String])] = [
    ("form names are escaped as in browsers", ["--form-escape"]),
    (
      "use -H 'If-None-Match: …' or -H 'If-Modified-Since: …'",
      ["--etag-compare", "--etag-save", "-z", "--time-cond"]
    ),
    ("use --compressed", ["--tr-encoding"]),
    ("data is sent unchanged: convert it first", ["--crlf", "-B", "--use-ascii"]),
  ]

  private static let output: [(text: String, options: [String])] = [
    (
      "use -o FILE for the name, or -O for the name in the URL",
      [
        "-J", "--remote-header-name", "--remote-name-all",
      ]
    ),
    ("an existing file is replaced: test for it first", ["--no-clobber"]),
    (
      "remove the file if the exit status is not 0; with -f, an error of the API creates none",
      ["--remove-on-error"]
    ),
    ("create the folder first, and use -o FOLDER/FILE", ["--output-dir", "--create-dirs"]),
    ("use chmod and touch afterwards", ["--create-file-mode", "-R", "--remote-time"]),
    ("-w '%{url_effective} %{content_type}' prints what it would store: use setfattr afterwards", ["--xattr"]),
    ("redirect standard error in the shell: 2>FILE", ["--stderr"]),
    (
      "use --trace FILE.har to record requests and responses, or -v to log each step on standard error",
      [
        "--trace-ascii", "--trace-time", "--libcurl", "--styled-output",
      ]
    ),
    ("use --help for the full help", ["-M", "--manual"]),
    ("--version prints it", ["-V"]),
  ]

  private static let others: [(text: String, options: [String])] = [
    ("the response's framing is always removed: remove the option", ["--ignore-content-length"]),
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
