import AuthCore
import CAuthSecret

// libsecret transfers the secrets over the bus: https://gnome.pages.gitlab.gnome.org/libsecret/

extension ServiceConnection {
  /// Starts to negotiate with the service the key that encrypts secrets on the bus (Secret Service API, "Sessions").
  /// Other calls can start before it has finished. The connection uses one session.
  func beginSession() -> Reply {
    let reply = expect()
    guard !hasSession, offer == nil else {
      reply.isComplete = true
      return reply
    }
    unsafe service = csecret_service_new(connection)
    unsafe library.g_async_initable_init_async(
      service, 0, cancellable, { unsafe ServiceConnection.arrived($1, $2) },
      Self.handle(to: reply))
    return reply
  }

  /// Creates half of the key, and sends it to the service. ``finishSession(_:)`` receives the other half.
  ///
  /// - Throws: ``ServiceFailure`` if the service object can't be initialized.
  func offerKey(_ initialization: Reply) throws(ServiceFailure) {
    guard !hasSession, offer == nil else { return }
    try wait(for: initialization)
    var error: OpaquePointer?
    let isInitialized = unsafe library.g_async_initable_init_finish(
      service, initialization.result, &error)
    guard isInitialized != 0 else { throw unsafe ServiceFailure(taking: error) }
    let reply = expect()
    unsafe library.secret_service_ensure_session(
      service, cancellable, { unsafe ServiceConnection.arrived($1, $2) }, Self.handle(to: reply))
    offer = reply
  }

  /// Negotiates a key with the service.
  ///
  /// - Throws: ``ServiceFailure`` if there is no service, or it refuses.
  func finishSession(_ initialization: Reply) throws(ServiceFailure) {
    try offerKey(initialization)
    guard let reply = offer else { return }
    try wait(for: reply)
    offer = nil
    var error: OpaquePointer?
    guard unsafe library.secret_service_ensure_session_finish(service, reply.result, &error) != 0 else {
      throw unsafe ServiceFailure(taking: error)
    }
    hasSession = true
  }

  /// Reads the secret of an unlocked item; needs a session.
  ///
  /// - Throws: ``ServiceFailure``, also if the content is not text.
  func secret(at path: String) throws(ServiceFailure) -> Secret {
    let session = unsafe library.g_variant_new_object_path(library.secret_service_get_session_dbus_path(service))
    let response = try unsafe finishRaw(begin(.item(path, "GetSecret"), arguments: BusValue.tuple([session])))
    defer { unsafe library.g_variant_unref(response) }
    guard unsafe BusValue.withType("((oayays))", { unsafe library.g_variant_is_of_type(response, $0) }) != 0 else {
      throw ServiceFailure(.refused, detail: "its response is unusable")
    }
    let encoded = unsafe library.g_variant_get_child_value(response, 0)
    defer { unsafe library.g_variant_unref(encoded) }
    guard let value = unsafe library.secret_service_decode_dbus_secret(service, encoded) else {
      throw ServiceFailure(.refused, detail: "the secret could not be decrypted")
    }
    // Also clears the plain text.
    defer { unsafe library.secret_value_unref(UnsafeMutableRawPointer(value)) }
    var length = 0
    let bytes = unsafe library.secret_value_get(value, &length)
    let text = unsafe String(validating: UnsafeBufferPointer(start: bytes, count: length), as: UTF8.self)
    guard let text else { throw ServiceFailure(.damaged) }
    return Secret(text)
  }

  /// Calls a method that takes a secret among its arguments; needs a session.
  ///
  /// - Throws: the service's error.
  func call(
    _ call: BusCall, passing secret: Secret, after leading: [BusValue] = [], before trailing: [BusValue] = []
  ) throws(ServiceFailure) -> BusValue {
    var text = secret.exposed
    let encoded: OpaquePointer? = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
        let value = unsafe library.secret_value_new(characters.baseAddress, characters.count, "text/plain")
        defer { unsafe library.secret_value_unref(UnsafeMutableRawPointer(value)) }
        return unsafe library.secret_service_encode_dbus_secret(service, value)
      }
    }
    guard let encoded = unsafe encoded else {
      throw ServiceFailure(.refused, detail: "the secret could not be encrypted")
    }
    let arguments = unsafe leading.map { unsafe $0.variant } + [encoded] + trailing.map { unsafe $0.variant }
    return try unsafe finish(begin(call, arguments: BusValue.tuple(arguments)))
  }
}
