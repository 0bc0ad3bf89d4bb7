public import HTTPTypes

/// The statuses which mean that the same request may succeed later.
enum TransientStatus {
  private static let all: Set<Int> = [408, 429, 500, 502, 503, 504]

  /// Whether a request is sent again after this status, as curl's `--retry` does.
  static func contains(_ status: Int) -> Bool { all.contains(status) }

  /// Whether an authorization server that responds with this status is unavailable: any server error counts.
  static func meansUnavailable(_ status: Int) -> Bool { contains(status) || status >= 500 }
}

extension HTTPRequest.Method {
  /// Whether several identical requests have the same effect as one (RFC 9110, section 9.2.2).
  public var isIdempotent: Bool {
    [.get, .head, .options, .trace, .put, .delete].contains(self)
  }
}

extension TransportError {
  /// Whether the same request may succeed later.
  public var isTransient: Bool {
    switch self {
    case .unresolved, .unreachable, .timedOut, .broken: true
    case .exposed, .tls, .responseTooLarge, .headerTooLarge, .localFile, .outputClosed, .unusable: false
    }
  }

  /// Whether no connection was established, so that nothing was sent.
  public var isUnsent: Bool {
    switch self {
    case .unresolved, .unreachable: true
    default: false
    }
  }

  /// Whether the network or the server is the cause, not this machine.
  var isRemote: Bool {
    if case .tls = self { true } else { isTransient }
  }
}
