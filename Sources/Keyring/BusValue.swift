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
