import AuthCore
import CAuthSecret

/// A value on the bus: the part of the D-Bus type system that the Secret Service needs.
///
/// A value of any other type is read as an empty structure.
indirect enum BusValue: Sendable, Equatable {
  /// `s`.
  case string(String)
  /// `o`.
  case objectPath(String)
  /// `b`.
  case boolean(Bool)
  /// `t` or `u`; sent as `u`.
  case number(UInt64)
  /// `v`.
  case variant(BusValue)
  /// `(…)`; also the arguments of a call and of its response.
  case structure([BusValue])
  /// `ao`.
  case objectPaths([String])
  /// `a{ss}`: the attributes of an item.
  case attributes([String: String])
  /// `a{sv}`: the properties of an item or collection.
  case properties([String: BusValue])
}

extension BusValue {
  /// The members of a structure; none for any other value.
  var members: [BusValue] {
    if case .structure(let members) = self { members } else { [] }
  }

  /// The value in a variant; the value itself if it is not a variant.
  var unwrapped: BusValue {
    if case .variant(let value) = self { value } else { self }
  }
}

/// Converts D-Bus values to and from GLib's variants: https://docs.gtk.org/glib/struct.Variant.html
extension BusValue {
  /// The value as a floating variant: the call that takes it frees it.
  var variant: OpaquePointer? {
    switch self {
    case .string(let text): unsafe library.g_variant_new_string(text)
    case .objectPath(let path): unsafe library.g_variant_new_object_path(path)
    case .boolean(let flag): library.g_variant_new_boolean(flag ? 1 : 0)
    case .number(let number): library.g_variant_new_uint32(UInt32(truncatingIfNeeded: number))
    case .variant(let inner): unsafe library.g_variant_new_variant(inner.variant)
    case .structure(let members): unsafe BusValue.tuple(members.map { unsafe $0.variant })
    case .objectPaths(let paths):
      unsafe BusValue.array(paths.map { unsafe library.g_variant_new_object_path($0) }, of: "o")
    case .attributes(let pairs):
      unsafe BusValue.array(
        pairs.map {
          unsafe library.g_variant_new_dict_entry(library.g_variant_new_string($0), library.g_variant_new_string($1))
        }, of: "{ss}")
    case .properties(let pairs):
      unsafe BusValue.array(
        pairs.map {
          unsafe library.g_variant_new_dict_entry(library.g_variant_new_string($0), BusValue.variant($1).variant)
        },
        of: "{sv}")
    }
  }

  /// Reads a variant without freeing it. A type that the service never returns becomes an empty structure.
  init(_ variant: OpaquePointer?) {
    let signature = unsafe String(cString: library.g_variant_get_type_string(variant))
    switch signature {
    case "s": self = unsafe .string(String(cString: library.g_variant_get_string(variant, nil)))
    case "o": self = unsafe .objectPath(String(cString: library.g_variant_get_string(variant, nil)))
    case "b": self = unsafe .boolean(library.g_variant_get_boolean(variant) != 0)
    case "t": self = unsafe .number(UInt64(library.g_variant_get_uint64(variant)))
    case "u": self = unsafe .number(UInt64(library.g_variant_get_uint32(variant)))
    case "v": self = unsafe .variant(BusValue.children(variant).first ?? .structure([]))
    case "ao":
      self = unsafe .objectPaths(
        BusValue.children(variant).compactMap { if case .objectPath(let path) = $0 { path } else { nil } })
    case "a{ss}":
      let pairs = unsafe BusValue.children(variant).compactMap { entry -> (String, String)? in
        guard case .string(let name)? = entry.members.first, case .string(let value)? = entry.members.last else {
          return nil
        }
        return (name, value)
      }
      self = .attributes(Dictionary(pairs) { $1 })
    case "{ss}": self = unsafe .structure(BusValue.children(variant))
    case _ where signature.starts(withBytes: "("): self = unsafe .structure(BusValue.children(variant))
    default: self = .structure([])
    }
  }

  /// Creates a structure from variants, and takes ownership of them.
  static func tuple(_ members: [OpaquePointer?]) -> OpaquePointer? {
    unsafe members.withUnsafeBufferPointer { unsafe library.g_variant_new_tuple($0.baseAddress, $0.count) }
  }

  private static func array(_ members: [OpaquePointer?], of signature: String) -> OpaquePointer? {
    unsafe members.withUnsafeBufferPointer { members in
      unsafe withType(signature) { unsafe library.g_variant_new_array($0, members.baseAddress, members.count) }
    }
  }

  /// Calls a function with a type, which is the text of its signature and exists during the call only.
  static func withType<Result>(_ signature: String, _ body: (OpaquePointer) -> Result) -> Result {
    unsafe signature.withCString { unsafe body(OpaquePointer($0)) }
  }

  private static func children(_ variant: OpaquePointer?) -> [BusValue] {
    unsafe (0..<library.g_variant_n_children(variant)).map { index in
      let child = unsafe library.g_variant_get_child_value(variant, index)
      defer { unsafe library.g_variant_unref(child) }
      return unsafe BusValue(child)
    }
  }
}
