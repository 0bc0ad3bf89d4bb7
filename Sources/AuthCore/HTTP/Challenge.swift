package import HTTPTypes

/// One challenge of `WWW-Authenticate` (RFC 9110, section 11.3): a scheme and its parameters.
package struct Challenge: Sendable, Equatable {
  /// The scheme, in lower case: `bearer`, `dpop`, `basic`.
  package let scheme: String
  /// The single value of a scheme without parameters (`token68`); nil if there is none.
  package let token68: String?
  /// The parameters in their order, including duplicates.
  package let parameters: [Parameter]

  /// A parameter of a challenge (RFC 9110, section 11.2).
  package struct Parameter: Sendable, Equatable {
    /// The name, in lower case.
    package let name: String
    /// The value, without the quotes and escapes of a quoted string.
    package let value: String

    /// Creates a parameter; the name must be in lower case.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a challenge; the scheme must be in lower case.
  package init(_ scheme: String, token68: String? = nil, parameters: [Parameter] = []) {
    self.scheme = scheme
    self.token68 = token68
    self.parameters = parameters
  }

  /// Returns the value of a parameter, by its name in lower case. It is nil if the parameter is missing, or if it
  /// occurs twice: that is forbidden (RFC 9110, section 11.2), and it is unclear which one is meant.
  package subscript(_ name: String) -> String? {
    let values = parameters.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  /// Returns the challenges in the value of one field.
  ///
  /// A malformed element is skipped up to the next comma; the text before and after it is still read.
  package static func all(in value: String) -> [Challenge] {
    var reader = ChallengeReader(value)
    return reader.challenges()
  }

  /// Returns the challenges of all `WWW-Authenticate` fields, in their order.
  package static func all(in fields: HTTPFields) -> [Challenge] {
    fields[values: .wwwAuthenticate].flatMap { all(in: $0) }
  }
}

extension Challenge {
  /// More words than any login requests.
  private static let mostWords = 100

  /// Returns the words of a list parameter such as `scope` or `acr_values`, in their order without duplicates; empty if
  /// there are none.
  func words(_ name: String) -> [String] {
    Challenge.words(of: (self[name] ?? "").split(atAny: " ").map(String.init))
  }

  /// Returns the words of a list that can be requested: those of NQCHAR characters (RFC 6749, section 3.3).
  static func words(of list: [String]) -> [String] {
    var words: [String] = []
    for word in list where word.isScopeWord && !words.contains(word) {
      words.append(word)
      if words.count == mostWords { break }
    }
    return words
  }
}
