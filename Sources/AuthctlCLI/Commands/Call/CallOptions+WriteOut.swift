extension CallOptions {
  static let writeOut = Option(
    "write-out", short: "w", .textOrAtFile("FORMAT"), summary: "print FORMAT when the request is over",
    detail: """
      Also when it has failed. `%{name}` stands for a variable, `%header{name}` for a field of the answer's header, `%%` \
      for `%`; `\\n`, `\\r` and `\\t` are what they are in C. `@FILE` reads the format from a file, whose line ends are not \
      part of it, `@-` from standard input. The variables are curl's: `certs`, `content_type`, `errormsg`, `exitcode` \
      (authctl's own), `filename_effective`, `header_json`, `http_code` or `response_code`, `http_connect`, \
      `http_version`, `json` (all of them), `local_ip`, `local_port`, `method`, `num_certs`, `num_connects`, \
      `num_headers`, `num_redirects`, `onerror` (what follows is printed after a failure only), \
      `proxy_ssl_verify_result`, `redirect_url`, `referer`, `remote_ip`, `remote_port`, `scheme`, `size_download`, \
      `size_header`, `size_request`, `size_upload`, `speed_download`, `speed_upload`, `ssl_verify_result`, `stderr` and \
      `stdout` (where what follows goes), `time_appconnect`, `time_connect`, `time_namelookup`, `time_pretransfer`, \
      `time_redirect`, `time_starttransfer`, `time_total`, `url`, `url_effective` and `urlnum`.

      Getting the token is part of the times. Where the token was refused and the request replayed, or a redirect \
      followed, `time_total` is that of the whole, `time_redirect` that of all before the last request (a renewal \
      included), and the other times are the sums of theirs; the sizes of bodies are those of the last request.
      """)
}
