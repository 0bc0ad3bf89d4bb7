extension Command {
  static let call = Command(
    name: "call", summary: "send a request with the token",
    operands: [Operand("URL|PATH", optional: true, repeats: true)],
    description: """
      Sends a request as curl would, with the profile's token. Options have curl's names, letters and meaning.

      A path without a scheme is appended to the first `api` URL of the profile, with one slash between.

      A token that is about to expire is refreshed first. If the API refuses it (status 401, or the profile's \
      `refresh_on`), it is refreshed once and the request is replayed with the same body. A second refusal is the \
      response; see REFRESH in authctl(1).

      The token goes only to the origins (scheme, host, port) of the profile's `api`. A URL of another origin is \
      refused before anything is sent (exit status 7), and a redirect to another origin is followed without the token.

      The response body goes to standard output, even if the API returns 400 or more; the exit status is then 22.

      Several URLs are requested in order, over the same connections; the exit status is the worst of all. `--batch` \
      sends many requests in parallel and prints each response as one line of JSON.
      """,
    options: CallOptions.all,
    leading: [
      "request", "header", "data", "json", "form", "upload-file", "output", "remote-name", "include", "write-out",
      "fail", "no-fail", "location", "silent", "max-time", "retry", "compressed", "cacert", "no-auth", "raw", "batch",
      "parallel",
    ],
    examples: [
      Example("authctl call me", "Requests `me` from the profile's API."),
      Example("authctl call https://api.example.com/v1/items | jq .", "Finds the profile by the URL."),
      Example("authctl call items --json '{\"name\": \"x\"}'", "Posts JSON."),
      Example("authctl call items/7 -X DELETE", "Deletes a resource."),
      Example("authctl call -G --data-urlencode 'q=a b & c' search", "Requests `search?q=a+b+%26+c`."),
      Example(
        "authctl call -F 'report=@june.pdf;type=application/pdf' -F q=2 reports", "Posts a form with a file."),
      Example("tar c . | authctl call -T - uploads/today.tar", "Uploads from a pipe."),
      Example("authctl call --retry 5 -f -C - -O files/image.iso", "Resumes an interrupted download."),
      Example(
        "authctl call -fsSL --retry 3 -o report.json reports/7",
        "Downloads a file; with `-f`, an error leaves `report.json` unchanged."),
      Example(
        "status=$(authctl call --no-fail -s -o body.json -w '%{http_code}' me)",
        "Continues a script regardless of the API's status."),
      Example(
        "seq -f items/%g 1000 | authctl call --batch - | jq -r .body", "Sends a thousand requests, 20 at a time."),
      Example("authctl call --print-curl items --json @item.json", "Prints the request as a line for curl."),
      Example("authctl call -v --simulate refused me", "Shows a 401, the refresh and the replay."),
    ],
    sections: [
      Section(
        "SCRIPTS",
        """
        Standard output has only the response body. The exit status says what to do next:

            authctl call me >me.json
            case $? in
              0)  jq -r .email me.json ;;
              3)  echo 'run: authctl login work' >&2; exit 1 ;;
              5)  echo 'try again later' >&2; exit 1 ;;
              22) echo 'the API refused:' >&2; cat me.json >&2; exit 1 ;;
              *)  exit 1 ;;
            esac

        In a pipe, the body is passed on byte for byte as it arrives; server-sent events arrive line by line. On a \
        terminal, JSON is indented and coloured unless `--raw` is given. As with curl, there is no time limit for the \
        response unless `-m` or the profile's `timeout` sets one.

        A batch with several kinds of requests:

            authctl call --batch - --unordered <<'END'
            items/1
            {"url": "items/2", "method": "PUT", "headers": {"If-Match": "\\"7\\""}, "body": {"name": "x"}}
            END

        In CI without a keyring, set `AUTHCTL_ACCESS_TOKEN`; see authctl(1).
        """),
      Section(
        "DIFFERENCES FROM CURL",
        """
        The tests give curl and `authctl call` the same 346 command lines and compare the requests byte for byte, the \
        output, the files and the exit codes. An option of curl that `call` does not have is an error that names the \
        alternative. Where safety and curl differ, safety wins:

        - `-p` and `-q` are `--profile` and `--quiet`.
        - `--trace FILE` writes an HTTP archive, a diagram or JSON lines, by the ending of FILE, and no secrets.
        - There is no `-k`. To trust your own certificate authority, use `--cacert`.
        - A password is never an argument: `-u NAME` prompts for it.
        - A token goes over https only (except to loopback), regardless of `-x` and `--resolve`.
        - `-H` can't set the header that carries the token. To send a request without it, use `--no-auth`.
        - A status of 400 or more gives exit status 22 and prints the body, as with `--fail-with-body`.
        - `-i` and `-D` show the final response only; `-v` shows all of them.
        - `-L` sends credentials in `-H` lines to the same origin only, and warns.
        - With several URLs, the exit status is the worst one, not the last one.
        """),
      Section(
        "REFUSED TOKENS",
        """
        Every method and body is replayed after a 401, even a body from a pipe. This is not a retry: `--retry` does \
        not count it, and it is done for `POST`, too, because the API has refused the first request.

        A token that is valid but not sufficient (`insufficient_scope`, or a step-up challenge as in RFC 9470) is not \
        refreshed: a new one would be refused, too. The message says what is missing, and which `authctl login` gets it.
        """),
      Section(
        "PRINTED CURL LINES",
        """
        `--print-curl` prints a line for curl 7.83 or newer that sends the same requests, for a bug report or a \
        colleague without `authctl`. The token is not in it, but your own headers and data are: check them first.

            $ authctl call --print-curl items --json @item.json
            curl --fail-with-body --json @item.json -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/items
            authctl: set TOKEN for this line: TOKEN=$(authctl token --profile work)

        The second line is on standard error. Files are named as typed; only those of `-H` are read, to check their \
        lines. `-u NAME` and a profile with `type = "basic"` become `-u`, and curl prompts for the password. All users \
        of the machine can read the token while curl runs; to hide it, replace the `-H` by \
        `-H @<(authctl token --header)`.

        The requests differ in the `User-Agent`, and with `--json` in the position of the token's header; along \
        redirects see DIFFERENCES FROM CURL. curl neither refreshes the token nor replays a request. Refused, because \
        curl would do something else (exit status 2): a batch; a profile with `dpop`; URLs of several profiles; a \
        proxy with a password; `--retry` for a `POST` without `--retry-unsafe`; `-L` if the token is not in \
        `Authorization`, because curl would send it to other origins.
        """),
      Section(
        "SIMULATED FAILURES",
        """
        `--simulate` shows what happens when a token fails, without waiting until one does. Each profile's token fails \
        once. With `refused`, the characters after the token's last dot are replaced: a JWT keeps its claims and gets \
        a wrong signature. If the refresh fails, the stored token is still used by the next call.
        """),
      Section(
        "EXIT STATUS",
        """
        `0` if the API returned less than 400, `22` if 400 or more, `5` if there was no complete response, `1` if the \
        body could not be written, `7` if the token would have been sent to a foreign origin; `3`, `4` and `6` if \
        there was no token: see authctl(1). With several requests it is the worst one, in this order: 1, 2, 3, 4, 7, \
        6, 5, 22.
        """),
    ],
    isSequential: true, unknownOptionAdvice: CurlOptions.advice(for:))
}
