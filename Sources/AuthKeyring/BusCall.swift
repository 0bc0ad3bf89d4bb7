/// One method call on the bus.
struct BusCall: Sendable, Equatable {
  /// The well-known name of the Secret Service (Secret Service API, part "Introduction").
  static let serviceName = "org.freedesktop.secrets"
  /// The object of the whole service.
  static let servicePath = "/org/freedesktop/secrets"
  /// The alias of the collection that applications write to.
  static let defaultCollection = "/org/freedesktop/secrets/aliases/default"
  /// The object path for "no object".
  static let noObject = "/"

  /// The bus name of the receiver.
  var destination = BusCall.serviceName
  /// The object of the call.
  var path = BusCall.servicePath
  /// The interface of the method.
  var interface: String
  /// The method.
  var member: String
  /// The arguments of the method.
  var arguments: [BusValue] = []

  /// Calls a method of the bus itself.
  static func bus(_ member: String, _ arguments: BusValue...) -> BusCall {
    BusCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: member, arguments: arguments)
  }

  /// Calls a method of `org.freedesktop.Secret.Service`.
  static func service(_ member: String, _ arguments: BusValue...) -> BusCall {
    BusCall(interface: "org.freedesktop.Secret.Service", member: member, arguments: arguments)
  }

  /// Calls a method of `org.freedesktop.Secret.Item`.
  static func item(_ path: String, _ member: String) -> BusCall {
    BusCall(path: path, interface: "org.freedesktop.Secret.Item", member: member)
  }

  /// Reads one property of an object.
  static func property(_ name: String, of interface: String, at path: String) -> BusCall {
    BusCall(
      path: path, interface: "org.freedesktop.DBus.Properties", member: "Get",
      arguments: [.string(interface), .string(name)])
  }
}
