package import HTTPTypes

/// One challenge of `WWW-Authenticate` (RFC 9110, section 11.3): a scheme, and what the server says with it.
package struct Challenge: Sendable, Equatable {
  /// The scheme, in lower case: `bearer`, `dpop`, `basic`.
  package let scheme: String
  /// The one value of a scheme that has no parameters (`token68`); nil where there is none.
  package let token68: String?
  /// The parameters in their order, those that stand twice among them.
  package let parameters: [Parameter]

  /// A parameter of a challenge (RFC 9110, section 11.2).
  package struct Parameter: Sendable, Equatable {
    /// The name, in lower case.
    package let name: String
    /// The value, without the quotes and escapes of a quoted string.
    package let value: String

    /// Makes a parameter; the name must be in lower case.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Makes a challenge; the scheme must be in lower case.
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

  /// The challenges in the value of one field, of which there may be several.
  ///
  /// What is malformed is passed over, up to the next comma; what stands before and after it counts.
  package static func all(in value: String) -> [Challenge] {
    var reader = ChallengeReader(value)
    return reader.challenges()
  }

  /// The challenges of all `WWW-Authenticate` fields, in their order.
  package static func all(in fields: HTTPFields) -> [Challenge] {
    fields[values: .wwwAuthenticate].flatMap { all(in: $0) }
  }
}

extension Challenge {
  /// More words than anybody would ask for in one login.
  private static let mostWords = 100

  /// The words of a parameter that is a list, as `scope` and `acr_values` are: each once and in its order; empty where
  /// there are none.
  func words(_ name: String) -> [String] {
    Challenge.words(of: (self[name] ?? "").split(separator: " ").map(String.init))
  }

  /// The words of a list that can be asked for: those of the characters NQCHAR (RFC 6749, section 3.3).
  static func words(of list: [String]) -> [String] {
    var words: [String] = []
    for word in list where word.isScopeWord && !words.contains(word) {
      words.append(word)
      if words.count == mostWords { break }
    }
    return words
  }
}
