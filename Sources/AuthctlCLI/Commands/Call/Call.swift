extension Command {
  static let call = Command(
    name: "call", summary: "send a request with the token",
    operands: [Operand("URL|PATH", optional: true, repeats: true)], manual: Manual(PackageResources.call_md),
    options: CallOptions.all,
    leading: [
      "request", "header", "data", "json", "form", "upload-file", "output", "remote-name", "include", "write-out",
      "fail", "no-fail", "location", "silent", "max-time", "retry", "compressed", "cacert", "no-auth", "raw", "batch",
      "parallel",
    ], isSequential: true, unknownOptionAdvice: CurlOptions.advice(for:))
}
