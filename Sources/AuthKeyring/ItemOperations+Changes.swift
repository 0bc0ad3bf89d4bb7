import AuthCore

extension ItemOperations {
  /// The public attribute with the number of an item's last change. Items are found without it.
  private static let changeAttribute = "change"

  /// Sets the attribute with the number of the last change, upon which the service emits `ItemChanged`.
  ///
  /// gnome-keyring emits no signal for `SetSecret`. It emits one for each write of the attributes, even if they are the
  /// same. Other attributes of the item are kept.
  ///
  /// - Throws: every state of the service in which they can't be written.
  func announce(_ number: Int, of item: SecretItem) throws(ServiceFailure) {
    guard let path = try newest(of: finish(begin(item))), var attributes = try attributes(at: path) else { return }
    attributes[ItemOperations.changeAttribute] = String(number)
    _ = try connection.call(
      BusCall(
        path: path, interface: "org.freedesktop.DBus.Properties", member: "Set",
        arguments: [
          .string("org.freedesktop.Secret.Item"), .string("Attributes"), .variant(.attributes(attributes)),
        ]))
  }

  /// Returns the item at a path; nil if it is not one of the application's, or no longer exists.
  ///
  /// - Throws: ``ServiceFailure``.
  func item(at path: String) throws(ServiceFailure) -> SecretItem? {
    do {
      return try attributes(at: path).flatMap { SecretItem($0, of: application) }
    } catch  where error.isMissingObject {
      return nil
    }
  }

  /// Returns all items of the application by their paths.
  ///
  /// - Throws: ``ServiceFailure``.
  func allItems() throws(ServiceFailure) -> [String: SecretItem] {
    let found = try finish(begin(["application": application]))
    var items: [String: SecretItem] = [:]
    for path in found.unlocked + found.locked { items[path] = try item(at: path) }
    return items
  }

  private func attributes(at path: String) throws(ServiceFailure) -> [String: String]? {
    let response = try connection.call(.property("Attributes", of: "org.freedesktop.Secret.Item", at: path))
    guard case .attributes(let attributes)? = response.members.first?.unwrapped else { return nil }
    return attributes
  }
}
