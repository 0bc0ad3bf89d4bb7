import AuthCore

/// A failed operation of the Secret Service.
struct ServiceFailure: Error, Equatable {
  /// The resulting state of the store.
  let fault: StorageFault
  /// The error message of the service or the system; nil if the state is clear without it.
  let detail: String?
  /// Whether the called object does not exist (any more).
  let isMissingObject: Bool
  /// The reason and the remedy of this failure; nil if they are those of every such fault.
  let cause: Cause?

  /// A reason that is more specific than a fault, with its remedy.
  struct Cause: Equatable {
    /// The reason as a phrase.
    let reason: String
    /// How to fix it.
    let hint: String
  }

  /// Creates a failure.
  init(_ fault: StorageFault, detail: String? = nil, isMissingObject: Bool = false) {
    self.fault = fault
    self.detail = detail
    self.isMissingObject = isMissingObject
    cause = nil
  }

  /// Creates a failure with a reason and a remedy of its own.
  init(_ fault: StorageFault, reason: String, detail: String? = nil, hint: String) {
    self.fault = fault
    self.detail = detail
    isMissingObject = false
    cause = Cause(reason: reason, hint: hint)
  }

  /// Creates a failure from an error response of the bus or of the service.
  ///
  /// The names are those of the D-Bus specification ("Message Bus Errors") and of the Secret Service API ("Errors").
  init(errorName: String, message: String) {
    let service = "org.freedesktop.Secret.Error."
    let bus = "org.freedesktop.DBus.Error."
    switch errorName {
    case service + "IsLocked":
      self.init(.locked)
    case service + "NoSuchObject", bus + "UnknownObject", bus + "UnknownMethod", bus + "UnknownInterface":
      // gnome-keyring responds with UnknownMethod for objects that do not exist.
      self.init(.refused, detail: message, isMissingObject: true)
    case bus + "ServiceUnknown", bus + "NameHasNoOwner":
      self.init(.noService)
    case bus + "NoReply":
      self.init(.noService, detail: "it ended in the middle of the operation")
    case bus + "Disconnected":
      self.init(.noBus, detail: message)
    case bus + "Timeout", bus + "TimedOut":
      self.init(.timedOut)
    case _ where errorName.starts(withBytes: bus + "Spawn."):
      self.init(.noService, detail: message)
    case "org.gnome.keyring.Error.Denied":
      self = .wrongPassword
    default:
      self.init(.refused, detail: message)
    }
  }
}
