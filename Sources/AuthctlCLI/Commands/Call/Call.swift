extension Command {
  static let call = Command(
    name: "call", summary: "send a request with the token",
    operands: [Operand("URL|PATH", optional: true, repeats: true)],
    description: """
      Sends one request, as curl would, with the profile's token. A token that is about to expire is renewed first; \
      where the API refuses it (status 401, or the profile's `refresh_on`), it is renewed once and the request is sent \
      once more with the same body.

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
      Example("tar c . | authctl call -X PUT --data-binary @- uploads/today.tar", "Uploads from a pipe."),
      Example(
        "seq -f items/%g 1000 | authctl call --batch - | jq -r .body", "Asks for a thousand things, 20 at a time."),
    ],
    unknownOptionAdvice: CurlOptions.advice(for:),
    run: { invocation, context in try await CallRun(invocation, context).run() })
}
