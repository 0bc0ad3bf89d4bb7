import HTTPTypes

/// Passes on the lines of a request, with the values in the bodies of one that an authorization server gets. All but
/// those that a profile declares as secrets are still in them.
package struct WireView: Sendable {
  private let transfer: Transfer
  private let show: @Sendable (WireLine) -> Void
  /// What a profile may have put anywhere: into a path, or a header field of any name.
  private let secrets = KnownSecrets(shortest: 1)

  /// The maximum number of members of a response that are passed on.
  private static let mostMembers = 100

  /// Returns an observer that passes on the lines of each request.
  package static func observer(_ show: @escaping @Sendable (WireLine) -> Void) -> TransferObserver {
    { observed in
      let view = WireView(observed.transfer, show)
      return TransferView(line: { view.line($0) }, sent: { _ in view.sent() }, ended: { view.ended($0.outcome) })
    }
  }

  private init(_ transfer: Transfer, _ show: @escaping @Sendable (WireLine) -> Void) {
    self.transfer = transfer
    if let number = transfer.number {
      self.show = { show(.ofRequest(number, $0)) }
    } else {
      self.show = show
    }
    for secret in transfer.secrets { secrets.add(secret.exposed) }
  }

  private func line(_ line: WireLine) {
    switch line {
    case .note(let text): show(.note(secrets.redacting(text)))
    case .sent(let text): show(.sent(secrets.redacting(text)))
    case .received(let text): show(.received(secrets.redacting(text)))
    default: show(line)
    }
  }

  private var isForm: Bool { transfer.fields[.contentType] == "application/x-www-form-urlencoded" }

  private func sent() {
    guard transfer.isForServer, case .bytes(let bytes)? = transfer.body else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    if transfer.valueKinds != nil {
      for value in transfer.bodyValues { show(.bodyValue(redacted(value), isSent: true)) }
      show(.sentBody(secrets.redacting(text)))
    } else if isForm {
      for (name, value) in FormEncoding.decode(text) { show(.sentField(name: name, value: value)) }
    }
  }

  private func ended(_ outcome: Result<TransferResponse, any Error>?) {
    guard transfer.isForServer, case .success(let response)? = outcome else { return }
    if let kinds = transfer.valueKinds {
      received(response, kinds)
    } else if isForm, case .object(let members)? = try? JSONValue(parsing: response.body) {
      // A body that is not a JSON object is described by the error.
      for (name, value) in members.sorted(by: { $0.key < $1.key }).prefix(WireView.mostMembers) {
        show(.receivedMember(name: name, value: value))
      }
    }
  }

  /// Passes on the tokens before any text that may repeat them.
  private func received(_ response: TransferResponse, _ valueKinds: (JSONValue) -> [String: BodyValue.Kind]) {
    // A body that is not JSON has no values.
    let document = try? JSONValue(parsing: response.body)
    let kinds = document.map(valueKinds) ?? [:]
    let values = (document?.bodyValues ?? []).map { $0.with(kinds[$0.path] ?? .named) }
    for kind in [BodyValue.Kind.token, .named, .length, .plain] {
      for value in values where value.kind == kind { show(.bodyValue(redacted(value), isSent: false)) }
    }
    show(.receivedBody(secrets.redacting(String(decoding: response.body, as: UTF8.self)), kinds: kinds))
  }

  private func redacted(_ value: BodyValue) -> BodyValue {
    var shown = value
    shown.path = KnownSecrets(inServerText: transfer.secrets.map(\.exposed)).redacting(value.path)
    // Of a token the fingerprint is shown.
    if value.kind != .token, let text = value.value.string { shown.value = .string(secrets.redacting(text)) }
    return shown
  }
}
