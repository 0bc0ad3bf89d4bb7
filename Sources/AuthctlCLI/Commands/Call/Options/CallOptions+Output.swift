extension CallOptions {
  /// The options that control how the response is shown and stored.
  static let allOutput = [
    output, remoteName, include, dumpHeader, writeOut, raw, progressBar, .silent, .showError, fail, failWithBody,
    noFail,
  ]

  static let output = Option(
    "output", short: "o", .file("FILE"), repeats: true, summary: "write the body to FILE",
    detail: """
      `-o -` prints the body unchanged on standard output, even binary data on a terminal. With several URLs, the \
      first `-o` or `-O` is for the first URL, and so on.
      """)
  static let remoteName = Option(
    "remote-name", short: "O", summary: "write the body to a file named as in the URL",
    detail: "In the current folder: the name is the part after the last slash of the URL's path, as it is.")
  static let include = Option(
    "include", short: "i", summary: "print the response headers, too",
    detail: "Only those of the final response, not of redirects or of a response that refused the token.")
  static let dumpHeader = Option(
    "dump-header", short: "D", .file("FILE"), summary: "write the response headers to FILE",
    detail: """
      `-D -` is standard output. As with `-i`, only the headers of the final response; those of several URLs follow \
      one another.
      """)
  static let raw = Option(
    "raw", summary: "print JSON unchanged, even on a terminal",
    detail: """
      On a terminal, a JSON response of up to 1 MiB is indented and coloured; numbers and the order of keys do not \
      change. In a pipe, in a file and with `-o -` it is always unchanged, unless `--color always` requests colours in \
      a pipe. Other types and incomplete JSON are printed unchanged.
      """)
  static let progressBar = Option(
    "progress-bar", short: "#", summary: "show progress as a bar",
    detail: """
      If a transfer takes longer than half a second, its progress is shown on standard error if that is a terminal: as \
      curl's meter, or with `-#` as a bar. Not with `-s` or `-q`, and not if the body itself goes to a terminal.
      """)
  static let fail = Option(
    "fail", short: "f", summary: "print no body if the status is 400 or more",
    detail: "The exit status is still 22. The file of `-o` is not created, and an existing one is not changed.")
  static let failWithBody = Option(
    "fail-with-body", summary: "print the body even if the status is 400 or more",
    detail: "This is the default; the option exists for command lines written for curl.")
  static let noFail = Option("no-fail", summary: "exit 0 even if the status is 400 or more")
}

extension CallOptions {
  static let writeOut = Option(
    "write-out", short: "w", .textOrAtFile("FORMAT"), summary: "print FORMAT after the transfer",
    detail: """
      Also if it failed. `%{name}` is a variable, `%header{name}` a response header, `%%` a `%`; `\\n`, `\\r` and \
      `\\t` are as in C. `@FILE` reads the format from a file without its line ends, `@-` from standard input. The \
      variables are curl's: `certs`, `content_type`, `errormsg`, `exitcode` (authctl's own), `filename_effective`, \
      `header_json`, `http_code` or `response_code`, `http_connect`, `http_version`, `json` (all of them), `local_ip`, \
      `local_port`, `method`, `num_certs`, `num_connects`, `num_headers`, `num_redirects`, `onerror` (the rest is \
      printed only after a failure), `proxy_ssl_verify_result`, `redirect_url`, `referer`, `remote_ip`, `remote_port`, \
      `scheme`, `size_download`, `size_header`, `size_request`, `size_upload`, `speed_download`, `speed_upload`, \
      `ssl_verify_result`, `stderr` and `stdout` (where the rest goes), `time_appconnect`, `time_connect`, \
      `time_namelookup`, `time_pretransfer`, `time_redirect`, `time_starttransfer`, `time_total`, `url`, \
      `url_effective` and `urlnum`.

      The times include getting the token. After a replay or a redirect, `time_total` is the time of all requests, \
      `time_redirect` the time before the last one (a refresh included), and the other times are sums; the sizes of \
      bodies are those of the last request.
      """)
}
