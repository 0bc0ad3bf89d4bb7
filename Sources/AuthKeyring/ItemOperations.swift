import AuthCore

/// Reads, writes and removes items of the Secret Service (Secret Service API 0.2).
struct ItemOperations {
  /// The program that owns the items.
  let application: String
  /// The connection to the service.
  let connection: ServiceConnection
  /// The time allowed after a prompt, when the deadline starts again.
  let deadline: Duration
  /// The time for the user to respond to a prompt; nil if prompts are not allowed.
  let promptDeadline: Duration?

  /// Reads an item; nil if it is certain that there is none.
  ///
  /// - Throws: every other state of the service.
  func load(_ item: SecretItem) throws(ServiceFailure) -> Secret? {
    let session = connection.beginSession()
    // The service searches for the item while the key is being negotiated.
    let search = begin(item)
    try connection.finishSession(session)
    let found = try finish(search)
    do {
      return try read(found, item)
    } catch  where error.isMissingObject {
      // Another process has removed or replaced the item since the search.
      return try read(finish(begin(item)), item)
    }
  }

  /// Writes an item atomically.
  ///
  /// - Throws: every state of the service in which it can't be written; the previous content is then still stored.
  func save(_ secret: Secret, as item: SecretItem) throws(ServiceFailure) {
    let session = connection.beginSession()
    let search = begin(item)
    try connection.finishSession(session)
    let found = try finish(search)
    guard let path = try newest(of: found) else { return try create(secret, as: item) }
    do {
      try overwrite(path, among: found, with: secret)
    } catch  where error.isMissingObject {
      try create(secret, as: item)
    }
  }

  /// Overwrites an existing item.
  ///
  /// - Returns: false if there is none any more.
  /// - Throws: every state of the service in which it can't be written; the previous content is then still stored.
  func replace(_ item: SecretItem, with secret: Secret) throws(ServiceFailure) -> Bool {
    let session = connection.beginSession()
    let search = begin(item)
    try connection.finishSession(session)
    do {
      return try overwrite(finish(search), item, with: secret)
    } catch  where error.isMissingObject {
      // Removed since the search, or the service has restarted and uses another object path for the item.
      return try overwrite(finish(begin(item)), item, with: secret)
    }
  }

  /// Removes an item and all copies of it.
  ///
  /// - Throws: every state of the service in which it can't be removed, or its absence can't be confirmed.
  func clear(_ item: SecretItem) throws(ServiceFailure) {
    var found = try finish(begin(item))
    if found.isEmpty { found = try confirmAbsence(of: item) }
    for path in found.unlocked { try delete(path) }
    if !found.locked.isEmpty { try unlock(found.locked) }
    for path in found.locked { try delete(path) }
  }
}

// MARK: - Finding

extension ItemOperations {
  /// The object paths of the items that a search has found.
  struct Found {
    var unlocked: [String]
    var locked: [String]

    var isEmpty: Bool { unlocked.isEmpty && locked.isEmpty }
  }

  /// A search that the service is working on.
  struct Search {
    let attributes: [String: String]
    let reply: ServiceConnection.Reply
  }

  func begin(_ item: SecretItem) -> Search { begin(item.attributes(of: application)) }

  func begin(_ attributes: [String: String]) -> Search {
    Search(attributes: attributes, reply: connection.begin(.service("SearchItems", .attributes(attributes))))
  }

  /// Searches again if the service refuses the first search: gnome-keyring 42.1 responds now and then, very
  /// seldom, that it has no such method.
  func finish(_ search: Search) throws(ServiceFailure) -> Found {
    do {
      return try found(search)
    } catch  where error.isMissingObject {
      _ = connection.wait(for: .milliseconds(50), until: { false })
      return try found(begin(search.attributes))
    }
  }

  private func found(_ search: Search) throws(ServiceFailure) -> Found {
    let response = try connection.finish(search.reply)
    guard case .structure(let lists) = response, lists.count == 2, case .objectPaths(let unlocked) = lists[0],
      case .objectPaths(let locked) = lists[1]
    else { throw ServiceFailure(.refused, detail: "its response is unusable") }
    return Found(unlocked: unlocked, locked: locked)
  }

  private func read(_ found: Found, _ item: SecretItem) throws(ServiceFailure) -> Secret? {
    let found = found.isEmpty ? try confirmAbsence(of: item) : found
    guard let path = try newest(of: found) else { return nil }
    if found.locked.contains(path) { try unlock([path]) }
    return try connection.secret(at: path)
  }

  /// Returns the item to use if several match: the one that was changed last, in any collection.
  func newest(of found: Found) throws(ServiceFailure) -> String? {
    let paths = found.unlocked + found.locked
    guard paths.count > 1 else { return paths.first }
    let replies = paths.map { path in
      connection.begin(.property("Modified", of: "org.freedesktop.Secret.Item", at: path))
    }
    var newest: (path: String, time: UInt64)?
    for (path, reply) in zip(paths, replies) {
      guard case .number(let time)? = try connection.finish(reply).members.first?.unwrapped else { continue }
      if time > newest?.time ?? 0 { newest = (path, time) }
    }
    return newest?.path ?? paths.first
  }

  /// Checks that an empty search means that there is no item.
  ///
  /// Some services hide the items of a locked collection from a search instead of listing them as locked.
  private func confirmAbsence(of item: SecretItem) throws(ServiceFailure) -> Found {
    let alias = try connection.call(.service("ReadAlias", .string("default")))
    guard case .objectPath(let collection)? = alias.members.first, collection != BusCall.noObject else {
      // A prompt for it comes now, and not after the server has issued the tokens of a login.
      try createCollection()
      return Found(unlocked: [], locked: [])
    }
    let locked = try connection.call(.property("Locked", of: "org.freedesktop.Secret.Collection", at: collection))
    guard locked.members.first?.unwrapped == .boolean(true) else { return Found(unlocked: [], locked: []) }
    try unlock([collection])
    return try finish(begin(item))
  }
}

// MARK: - Changing

extension ItemOperations {
  private func overwrite(_ found: Found, _ item: SecretItem, with secret: Secret) throws(ServiceFailure) -> Bool {
    let found = found.isEmpty ? try confirmAbsence(of: item) : found
    guard let path = try newest(of: found) else { return false }
    try overwrite(path, among: found, with: secret)
    return true
  }

  private func overwrite(_ path: String, among found: Found, with secret: Secret) throws(ServiceFailure) {
    if found.locked.contains(path) { try unlock([path]) }
    // Copies would keep the old secret, and could be read instead of the new one.
    for copy in found.unlocked where copy != path { try delete(copy) }
    _ = try connection.call(.item(path, "SetSecret"), passing: secret)
  }

  private func create(_ secret: Secret, as item: SecretItem) throws(ServiceFailure) {
    do {
      try createInDefault(secret, as: item)
    } catch  where error.fault == .locked {
      try unlock([BusCall.defaultCollection])
      try createInDefault(secret, as: item)
    } catch  where error.isMissingObject {
      try createCollection()
      try createInDefault(secret, as: item)
    }
  }

  private func createInDefault(_ secret: Secret, as item: SecretItem) throws(ServiceFailure) {
    let call = BusCall(
      path: BusCall.defaultCollection, interface: "org.freedesktop.Secret.Collection", member: "CreateItem")
    let properties = BusValue.properties([
      "org.freedesktop.Secret.Item.Label": .string(item.label(of: application)),
      "org.freedesktop.Secret.Item.Attributes": .attributes(item.attributes(of: application)),
    ])
    let replace = BusValue.boolean(true)
    let response = try connection.call(call, passing: secret, after: [properties], before: [replace])
    try prompt(response.members.last)
  }

  private func createCollection() throws(ServiceFailure) {
    guard promptDeadline != nil else { throw ServiceFailure(.noCollection) }
    let properties = BusValue.properties(["org.freedesktop.Secret.Collection.Label": .string("Default keyring")])
    let response = try connection.call(.service("CreateCollection", properties, .string("default")))
    try prompt(response.members.last)
  }

  private func delete(_ path: String) throws(ServiceFailure) {
    do {
      try prompt(connection.call(.item(path, "Delete")).members.first)
    } catch  where error.isMissingObject {
      return
    }
  }

  private func unlock(_ paths: [String]) throws(ServiceFailure) {
    guard promptDeadline != nil else { throw ServiceFailure(.locked) }
    let response = try connection.call(.service("Unlock", .objectPaths(paths)))
    try prompt(response.members.last)
  }

  /// Shows the service's prompt to the user, if its response requires one.
  private func prompt(_ path: BusValue?) throws(ServiceFailure) {
    guard case .objectPath(let path)? = path else { throw ServiceFailure(.refused, detail: "its response is unusable") }
    if path == BusCall.noObject { return }
    // The service discards an unopened prompt when the connection closes.
    guard let promptDeadline else { throw ServiceFailure(.locked) }
    connection.extendDeadline(by: promptDeadline)
    let owned = try connection.call(.bus("GetNameOwner", .string(BusCall.serviceName)))
    guard case .string(let owner)? = owned.members.first else { throw ServiceFailure(.noService) }
    let interface = "org.freedesktop.Secret.Prompt"
    let completed = connection.watch("Completed", of: interface, at: path, from: owner)
    let gone = connection.watch(
      "NameOwnerChanged", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", from: "org.freedesktop.DBus",
      about: owner)
    _ = try connection.call(BusCall(path: path, interface: interface, member: "Prompt", arguments: [.string("")]))
    try connection.wait(forAnyOf: completed, gone)
    guard let arguments = completed.arguments else { throw ServiceFailure(.noService) }
    guard arguments.members.first == .boolean(false) else { throw ServiceFailure(.promptDismissed) }
    connection.extendDeadline(by: deadline)
  }
}
