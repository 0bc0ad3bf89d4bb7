import AuthCore

extension ProfileTemplate.Field {
  /// The form of a field's value.
  enum Form: String, Sendable, CaseIterable {
    /// A host, or an address with a path; without a scheme it is https.
    case address
    /// One segment of a URL's path.
    case segment
    /// Any text.
    case text
  }

  /// The reason why a value is invalid.
  struct Fault: Error, Equatable {
    /// The reason: `it is empty`.
    let why: String
    /// The correct form of the value.
    let hint: String
  }

  /// Checks a value and returns it in the form that the profile contains.
  ///
  /// - Throws: ``Fault``.
  func checked(_ text: String) throws(Fault) -> String {
    guard !text.isEmpty else { throw Fault(why: "it is empty", hint: "give \(meaning)") }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw Fault(why: "it contains a line end or control character", hint: "give it on one line")
    }
    switch form {
    case .address: return try address(text)
    case .segment: return try segment(text)
    case .text: return text
    }
  }

  /// Returns the address with its scheme and without a slash at the end.
  private func address(_ text: String) throws(Fault) -> String {
    let hint = "use a host, or https://host/path"
    guard !text.contains(anyOf: "?#\"'<>^`{|}") else {
      throw Fault(why: "it contains a character that a server's address can't have", hint: hint)
    }
    let url: WebURL
    do {
      url = try WebURL(text.contains(bytes: "://") ? text : "https://" + text)
    } catch {
      throw Fault(why: "it is not a usable address: \(error)", hint: hint)
    }
    guard url.origin.isSecure else {
      throw Fault(
        why: "it is plain http: tokens would cross the network unencrypted",
        hint: "use https (http is for 127.0.0.1, [::1] and localhost only)")
    }
    return url.origin.string + url.folder
  }

  /// Returns the segment; characters that a URL does not have are percent-encoded (RFC 3986, section 3.3).
  private func segment(_ text: String) throws(Fault) -> String {
    guard text != ".", text != "..", !text.contains(anyOf: "/\\?#%") else {
      throw Fault(why: "it is not one segment of a URL's path", hint: "give it without / ? # and %")
    }
    return text.utf8.reduce(into: "") { result, byte in
      let scalar = Unicode.Scalar(byte)
      if byte < 0x80, scalar.properties.isAlphabetic || Self.plain.contains(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += byte.percentEncoded
      }
    }
  }

  private static let plain = "0123456789-._~!$&()*+,;=:@".unicodeScalars
}
