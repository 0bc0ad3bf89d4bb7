/// What a session file holds.
struct SessionContents: Codable, Equatable {
  /// The items of the profile, by their kind.
  private var items: [String: String] = [:]
  /// The clients that were registered for the profile, by their issuer.
  private var registrations: [String: String] = [:]

  var isEmpty: Bool { items.isEmpty && registrations.isEmpty }

  subscript(item: SecretItem) -> Secret? {
    get { (item.issuer.map { registrations[$0] } ?? items[item.kind.rawValue]).map { Secret($0) } }
    set {
      if let issuer = item.issuer {
        registrations[issuer] = newValue?.exposed
      } else {
        items[item.kind.rawValue] = newValue?.exposed
      }
    }
  }
}
