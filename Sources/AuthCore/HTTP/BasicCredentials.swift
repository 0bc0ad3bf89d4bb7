import FoundationEssentials

/// A user name and a password for the scheme `Basic` (RFC 7617), in UTF-8.
public struct BasicCredentials: Sendable, Equatable {
  /// The user's name.
  public let username: String
  /// The password.
  public let password: Secret

  /// Creates credentials; nil if the name contains a colon, or either contains a control character (section 2).
  public init?(username: String, password: Secret) {
    let isControl: (UInt8) -> Bool = { $0 < 0x20 || $0 == 0x7F }
    guard !username.contains(bytes: ":"), !username.utf8.contains(where: isControl),
      !password.exposed.utf8.contains(where: isControl)
    else { return nil }
    self.username = username
    self.password = password
  }

  /// The value after `Basic` in the header field.
  public var encoded: Secret { Secret(Data("\(username):\(password.exposed)".utf8).base64EncodedString()) }

  /// Reads the value after `Basic` in the header field; nil if it is invalid.
  package init?(encoded: Secret) {
    guard let data = Data(base64Encoded: encoded.exposed), let text = String(validating: data, as: UTF8.self),
      let colon = text.firstIndex(ofAny: ":")
    else { return nil }
    self.init(username: String(text[..<colon]), password: Secret(String(text.suffix(after: colon))))
  }
}
