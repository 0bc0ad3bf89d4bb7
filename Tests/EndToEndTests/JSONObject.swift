import Foundation

/// A JSON object that a test looks into.
struct JSONObject {
  private let members: [String: Any]

  /// Reads an object.
  /// - Throws: `CocoaError` where the bytes are none.
  init(_ data: Data) throws {
    guard let members = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      throw CocoaError(.fileReadCorruptFile)
    }
    self.members = members
  }

  private init(_ members: [String: Any]) { self.members = members }

  /// The objects of an array.
  /// - Throws: `CocoaError` where the bytes are no array of objects.
  static func array(_ data: Data) throws -> [JSONObject] {
    guard let objects = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return objects.map { JSONObject($0) }
  }

  /// The names of the members, in order.
  var keys: [String] { members.keys.sorted() }

  /// A member that is a string; nil where it is not.
  func string(_ name: String) -> String? { members[name] as? String }

  /// A member that is a whole number; nil where it is not.
  func integer(_ name: String) -> Int? { members[name] as? Int }

  /// Whether a member is there and null.
  func isNull(_ name: String) -> Bool { members[name] is NSNull }

  /// A member that is an object.
  /// - Throws: `CocoaError` where it is not.
  func object(_ name: String) throws -> JSONObject {
    guard let inner = members[name] as? [String: Any] else { throw CocoaError(.fileReadCorruptFile) }
    return JSONObject(inner)
  }

  /// The value of a header field in an echo of authlab; nil where it was not sent.
  func header(_ name: String) -> String? {
    let fields = members["headers"] as? [[String]] ?? []
    return fields.first { $0.first?.lowercased() == name.lowercased() }?.last
  }
}
