public import Foundation

/// A JSON object that a test looks into.
public struct JSONObject {
  private let members: [String: Any]

  /// Reads an object.
  /// - Throws: `CocoaError` if the bytes are none.
  public init(_ data: Data) throws {
    guard let members = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      throw CocoaError(.fileReadCorruptFile)
    }
    self.members = members
  }

  private init(_ members: [String: Any]) { self.members = members }

  /// The objects of an array.
  /// - Throws: `CocoaError` if the bytes are no array of objects.
  public static func array(_ data: Data) throws -> [JSONObject] {
    guard let objects = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return objects.map { JSONObject($0) }
  }

  /// The names of the members, in order.
  public var keys: [String] { members.keys.sorted() }

  /// A member that is a string; nil if it is not.
  public func string(_ name: String) -> String? { members[name] as? String }

  /// A member that is a whole number; nil if it is not.
  public func integer(_ name: String) -> Int? { members[name] as? Int }

  /// Whether a member is there and null.
  public func isNull(_ name: String) -> Bool { members[name] is NSNull }

  /// A member that is an object.
  /// - Throws: `CocoaError` if it is not.
  public func object(_ name: String) throws -> JSONObject {
    guard let inner = members[name] as? [String: Any] else { throw CocoaError(.fileReadCorruptFile) }
    return JSONObject(inner)
  }

  /// The objects of a member that is an array.
  /// - Throws: `CocoaError` if it is not.
  public func objects(_ name: String) throws -> [JSONObject] {
    guard let objects = members[name] as? [[String: Any]] else { throw CocoaError(.fileReadCorruptFile) }
    return objects.map { JSONObject($0) }
  }

  /// The strings with a name in the objects of a member that is an array.
  /// - Throws: `CocoaError` if it is not.
  public func strings(of name: String, in array: String) throws -> [String] {
    guard let objects = members[array] as? [[String: Any]] else { throw CocoaError(.fileReadCorruptFile) }
    return objects.compactMap { $0[name] as? String }
  }

  /// The value of a header field in an echo of authlab; nil if it was not sent.
  public func header(_ name: String) -> String? {
    let fields = members["headers"] as? [[String]] ?? []
    return fields.first { $0.first?.lowercased() == name.lowercased() }?.last
  }
}
