/// One method call on the bus.
struct BusCall: Sendable, Equatable {
  /// The well-known name of the Secret Service (Secret Service API, part "Introduction").
  static let serviceName = "org.freedesktop.secrets"
  /// The object that stands for the whole service.
  static let servicePath = "/org/freedesktop/secrets"
  /// The alias under which applications find the collection to write to.
  static let defaultCollection = "/org/freedesktop/secrets/aliases/default"
  /// "No object", where an object path must be given.
  static let noObject = "/"

  /// The bus name that is called.
  var destination = BusCall.serviceName
  /// The object that is called.
  var path = BusCall.servicePath
  /// The interface of the method.
  var interface: String
  /// The method.
  var member: String
  /// What is passed to it.
  var arguments: [BusValue] = []

  /// Asks the bus itself.
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
