import HTTPTypes

/// Decides which values of a custom server's request and response a log shows.
///
/// A value that `[response]` names as a lifetime, a success flag, an error code, a message or a user is shown, unless
/// it is a token or equals a text that was sent. Other names of custom servers may stand for secrets.
struct BodyValueKinds: Sendable {
  private let pointers: ResponsePointers
  private let secrets: KnownSecrets
  private let tokens: Set<String>
  private let sent: Set<String>

  /// - Parameter request: the request, filled with the values.
  init(_ server: CustomServer, _ values: RequestValues, _ request: Transfer) {
    pointers = server.response
    secrets = KnownSecrets(shortest: 1)
    for secret in values.texts(of: server.secrets) { secrets.add(secret.exposed) }
    tokens = Set(values.texts(of: []).map(\.exposed))
    let constants = request.bodyValues.compactMap(\.value.string) + request.fields.map(\.value)
    sent = Set(values.texts.map(\.exposed) + constants)
  }

  /// Returns the values in the body of the request, with what a log shows of them.
  func values(of request: Transfer) -> [BodyValue] {
    request.bodyValues.map { value in
      guard let text = value.value.string else { return value }
      let isSecret = secrets.redacting(text) != text
      return value.with(tokens.contains(text) ? .token : isSecret ? .secret : value.kind)
    }
  }

  /// Returns the kinds of the values of a response that are not shown by their names, by their paths.
  func kinds(in document: JSONValue) -> [String: BodyValue.Kind] {
    var kinds: [String: BodyValue.Kind] = [:]
    let places = pointers.accessToken + pointers.refreshToken
    for pointer in places where pointer.value(in: document)?.scalarText != nil { kinds[pointer.path] = .token }
    let issued = pointers.tokens(document)
    for pointer in pointers.described where kinds[pointer.path] == nil {
      guard let value = pointer.value(in: document) else { continue }
      let isKnown = value.scalarText.map { sent.contains($0) || issued.contains($0) } ?? false
      kinds[pointer.path] = isKnown ? .length : .plain
    }
    return kinds
  }
}

extension JSONPointer {
  /// The pointer as the ``BodyValue/path`` of the value that it refers to.
  fileprivate var path: String { String(description.dropFirst()) }
}
