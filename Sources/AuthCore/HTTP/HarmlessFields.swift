/// Header fields of requests whose values are known not to be credentials, although a person has chosen them.
enum HarmlessFields {
  /// Returns whether the name of a field, in lower case, is known.
  static func contains(_ name: String) -> Bool {
    CrossOriginFields.harmless.contains(name) || others.contains(name)
  }

  /// Fields that describe the client, the origin, or the request's way, besides those that go to other origins.
  private static let others: Set<String> = [
    "accept-version", "alt-used", "api-version", "baggage", "content-range", "depth", "destination", "forwarded",
    "from",
    "host", "idempotency-key", "if-schedule-tag-match", "keep-alive", "last-event-id", "link", "max-forwards",
    "mcp-method", "mcp-name", "mcp-protocol-version", "origin", "overwrite", "referer", "request-id",
    "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site", "timeout", "traceparent", "tracestate", "upgrade", "via",
    "x-amz-date", "x-api-version", "x-cache-key", "x-correlation-id", "x-forwarded-for", "x-forwarded-host",
    "x-forwarded-port", "x-forwarded-proto", "x-github-api-version", "x-http-method-override", "x-idempotency-key",
    "x-ms-date", "x-ms-version", "x-real-ip", "x-request-id", "x-requested-with",
  ]
}
