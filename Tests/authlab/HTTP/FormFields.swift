import Foundation

/// The fields of a query or of an `application/x-www-form-urlencoded` body (RFC 6749, appendix B), in their order.
struct FormFields: Sendable {
  /// One name and its value, decoded.
  struct Field: Sendable {
    /// The decoded name.
    let name: String
    /// The decoded value.
    let value: String
  }

  /// All fields in their order.
  let fields: [Field]

  /// Takes a query or a form body apart.
  init(_ text: some StringProtocol) {
    fields = text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return Field(name: Self.decode(parts[0]), value: parts.count > 1 ? Self.decode(parts[1]) : "")
    }
  }

  /// The value of the first field with this name; an empty one counts as absent (RFC 6749, section 3.1).
  subscript(name: String) -> String? {
    fields.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// The words of a value that is a list of such; none where it is absent.
  func words(_ name: String) -> [String] {
    (self[name] ?? "").split(separator: " ").map(String.init)
  }

  /// The values of all fields with this name, without empty ones.
  func values(_ name: String) -> [String] {
    fields.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
  }

  /// The first name that was given twice, which RFC 6749, section 3.1 forbids, but RFC 8707 and RFC 8693 allow for two.
  var repeatedName: String? {
    var seen: Set<String> = []
    return fields.first { !["resource", "audience"].contains($0.name) && !seen.insert($0.name).inserted }?.name
  }

  /// Decodes one form-encoded name or value; what is not validly encoded stays as it is.
  static func decode(_ text: some StringProtocol) -> String {
    let spaced = text.replacingOccurrences(of: "+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }

  /// Percent-encodes everything but the unreserved characters of RFC 3986, section 2.3.
  static func encode(_ text: String) -> String {
    let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
  }

  /// Encodes parameters for the query of a redirect (RFC 6749, section 4.1.2).
  static func encode(_ parameters: [(name: String, value: String)]) -> String {
    parameters.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
  }
}
