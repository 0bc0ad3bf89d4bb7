extension Command {
  static let call = Command(
    name: "call", summary: "send a request with the token",
    operands: [Operand("URL|PATH", optional: true, repeats: true)],
    description: """
      Sends one request, as curl would, with the profile's token. A token that is about to expire is renewed first; \
      where the API refuses it (status 401, or the profile's `refresh_on`), it is renewed once and the request is sent \
      again with the same body. A second refusal is the response; see RENEWAL in authctl(1).

      Anything without a scheme is appended to the profile's first `api`, with one slash between. Options keep curl's \
      names and letters. The token goes to the origins of the profile's `api` and nowhere else: not to another host on \
      the command line (status 7), and not along a redirect to another origin, whichever it is.

      Several addresses are asked in their order, over kept connections; the status is then the worst of theirs.

      With `--batch`, the requests are the lines of a file or a pipe, several are on their way at the same time, and \
      each answer is a line of JSON: the way to a thousand calls.

      The body of the answer goes to standard output, also that of an error answer; the status is then 22.
      """,
    options: CallOptions.all,
    examples: [
      Example("authctl call me", "Asks the profile's API for `me`."),
      Example("authctl call https://api.example.com/v1/items | jq .", "Finds the profile by the address."),
      Example("authctl call items --json '{\"name\": \"x\"}'", "Posts JSON."),
      Example(
        "authctl call -F report=@june.pdf -F quarter=2 reports", "Posts a form with a file."),
      Example(
        "status=$(authctl call --no-fail -s -o body.json -w '%{http_code}' me)",
        "Goes on in a script whatever the API answers."),
      Example("authctl call --retry 5 -f -C - -O files/image.iso", "Goes on with a download that was broken off."),
      Example("tar c . | authctl call -X PUT --data-binary @- uploads/today.tar", "Uploads from a pipe."),
      Example(
        "seq -f items/%g 1000 | authctl call --batch - | jq -r .body", "Asks for a thousand things, 20 at a time."),
    ],
    sections: [
      Section(
        "EXIT STATUS",
        """
        `0` where the API has answered less than 400, `22` where 400 or more, `5` where there was no whole answer, `1` \
        where the body could not be written, `7` where the token would have gone astray; `3`, `4` and `6` where there \
        was no token to be had: see authctl(1). Of several requests the worst counts, in this order: 1, 2, 3, 4, 7, 6, \
        5, 22.
        """)
    ],
    unknownOptionAdvice: CurlOptions.advice(for:),
    run: { invocation, context in try await CallRun(invocation, context).run() })
}
