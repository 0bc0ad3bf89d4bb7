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
