import Testing

@testable import AuthctlCLI

@Suite struct CurlOptionsTests {
  /// All options of curl 7.88.1 (`curl --help all`).
  private static let options = """
    --abstract-unix-socket --alt-svc --anyauth -a --append --aws-sigv4 --basic --cacert --capath -E --cert
    --cert-status --cert-type --ciphers --compressed --compressed-ssh -K --config --connect-timeout --connect-to
    -C --continue-at -b --cookie -c --cookie-jar --create-dirs --create-file-mode --crlf --crlfile --curves -d
    --data --data-ascii --data-binary --data-raw --data-urlencode --delegation --digest -q --disable
    --disable-eprt --disable-epsv --disallow-username-in-url --dns-interface --dns-ipv4-addr --dns-ipv6-addr
    --dns-servers --doh-cert-status --doh-insecure --doh-url -D --dump-header --egd-file --engine --etag-compare
    --etag-save --expect100-timeout -f --fail --fail-early --fail-with-body --false-start -F --form --form-escape
    --form-string --ftp-account --ftp-alternative-to-user --ftp-create-dirs --ftp-method --ftp-pasv -P --ftp-port
    --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-ccc-mode --ftp-ssl-control -G --get -g --globoff
    --happy-eyeballs-timeout-ms --haproxy-protocol -I --head -H --header -h --help --hostpubmd5 --hostpubsha256
    --hsts --http0.9 -0 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only
    --ignore-content-length -i --include -k --insecure --interface -4 --ipv4 -6 --ipv6 --json -j
    --junk-session-cookies --keepalive-time --key --key-type --krb --libcurl --limit-rate -l --list-only
    --local-port -L --location --location-trusted --login-options --mail-auth --mail-from --mail-rcpt
    --mail-rcpt-allowfails -M --manual --max-filesize --max-redirs -m --max-time --metalink --negotiate -n --netrc
    --netrc-file --netrc-optional -: --next --no-alpn -N --no-buffer --no-clobber --no-keepalive --no-npn
    --no-progress-meter --no-sessionid --noproxy --ntlm --ntlm-wb --oauth2-bearer -o --output --output-dir -Z
    --parallel --parallel-immediate --parallel-max --pass --path-as-is --pinnedpubkey --post301 --post302
    --post303 --preproxy -# --progress-bar --proto --proto-default --proto-redir -x --proxy --proxy-anyauth
    --proxy-basic --proxy-cacert --proxy-capath --proxy-cert --proxy-cert-type --proxy-ciphers --proxy-crlfile
    --proxy-digest --proxy-header --proxy-insecure --proxy-key --proxy-key-type --proxy-negotiate --proxy-ntlm
    --proxy-pass --proxy-pinnedpubkey --proxy-service-name --proxy-ssl-allow-beast --proxy-ssl-auto-client-cert
    --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser --proxy-tlsv1 -U --proxy-user
    --proxy1.0 -p --proxytunnel --pubkey -Q --quote --random-file -r --range --rate --raw -e --referer -J
    --remote-header-name -O --remote-name --remote-name-all -R --remote-time --remove-on-error -X --request
    --request-target --resolve --retry --retry-all-errors --retry-connrefused --retry-delay --retry-max-time
    --sasl-authzid --sasl-ir --service-name -S --show-error -s --silent --socks4 --socks4a --socks5 --socks5-basic
    --socks5-gssapi --socks5-gssapi-nec --socks5-gssapi-service --socks5-hostname -Y --speed-limit -y --speed-time
    --ssl --ssl-allow-beast --ssl-auto-client-cert --ssl-no-revoke --ssl-reqd --ssl-revoke-best-effort -2 --sslv2
    -3 --sslv3 --stderr --styled-output --suppress-connect-headers --tcp-fastopen --tcp-nodelay -t --telnet-option
    --tftp-blksize --tftp-no-options -z --time-cond --tls-max --tls13-ciphers --tlsauthtype --tlspassword
    --tlsuser -1 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace --trace-ascii --trace-time
    --unix-socket -T --upload-file --url --url-query -B --use-ascii -u --user -A --user-agent -v --verbose -V
    --version -w --write-out --xattr
    """.split { $0.isWhitespace }.map(String.init)

  private static let taken = Set((CallOptions.all + Program.authctl.globalOptions).flatMap(\.names))

  @Test("an option of curl's is taken, or there is advice what to use instead", arguments: options)
  func optionOrAdvice(option: String) {
    #expect(CurlOptionsTests.taken.contains(option) || CurlOptions.advice(for: option) != nil)
  }

  @Test("each name that advice is for is an option of curl's that call does not take, or begins one")
  func needed() {
    for name in CurlOptions.advice.flatMap({ $0.options.split(separator: " ") }) {
      let isNeeded =
        name.hasSuffix("*")
        ? CurlOptionsTests.options.contains { $0.hasPrefix(name.dropLast()) }
        : CurlOptionsTests.options.contains(String(name)) && !CurlOptionsTests.taken.contains(String(name))
      #expect(isNeeded, "\(name)")
    }
  }

  @Test("an option that --print-curl copies is curl's")
  func copied() {
    let copied = CallOptions.all.filter { option in
      !CurlArguments.translated.contains(option) && !CurlArguments.foreign.contains(option)
    }
    #expect(copied.count > 20)
    #expect(Set(copied.flatMap(\.names)).subtracting(CurlOptionsTests.options).isEmpty)
  }

  @Test(
    "advice is about what the option does",
    arguments: [
      ("--stderr", "2>FILE"), ("--xattr", "setfattr"), ("--remove-on-error", "remove the file"),
      ("--no-clobber", "test for it first"),
    ])
  func meaning(option: String, words: String) {
    #expect(CurlOptions.advice(for: option)?.contains(words) == true)
  }

  @Test("options that advice names are options of call")
  func namedOptions() {
    for (text, _) in CurlOptions.advice {
      let named = text.split { " ;:,".contains($0) }.filter { $0.hasPrefix("-") && $0.count > 1 }
      for name in named { #expect(CurlOptionsTests.taken.contains(String(name)), "\(text)") }
    }
  }

  @Test("call gives the advice, also for a letter in a cluster, and other commands don't")
  func adviceOfCall() {
    let advice = CurlOptions.advice(for: "-k") ?? ""
    #expect(advice.contains("--cacert"))
    for words in [["call", "-k", "/"], ["call", "-sk", "/"], ["call", "/", "-ks"]] {
      #expect(throws: UsageError(message: "unknown option '-k'", hint: advice)) {
        try Parser(program: .authctl).parse(words)
      }
    }
    #expect(throws: UsageError(message: "unknown option '-k'", hint: "'authctl token -h' lists the options")) {
      try Parser(program: .authctl).parse(["token", "-k"])
    }
  }

  @Test("a typo in a name of authctl's own is still reported")
  func ownTypo() {
    #expect(throws: UsageError(message: "unknown option '--cacerd'", hint: "did you mean '--cacert'?")) {
      try Parser(program: .authctl).parse(["call", "--cacerd", "f", "/"])
    }
  }
}
