import AuthCore
import CSecret

/// A connection to the Secret Service. It wraps the C interface; only this file manages memory by hand.
///
/// It has a bus connection of its own, since the shared one of GLib reads the environment of the process and is never
/// closed. libsecret transports the secrets (`OpenSession`, Diffie-Hellman, AES); the other calls go straight to the
/// bus, because libsecret's own need three times the round trips and hide a locked collection as "not found". All calls
/// are made on one thread, in a main context of its own, and no wait is longer than the time allowed: a call that does
/// not respond to its cancellation is abandoned.
@safe
final class ServiceConnection {
  /// A response that is under way.
  @safe
  final class Reply {
    fileprivate var result: OpaquePointer?
    fileprivate var isComplete = false

    deinit {
      release()
    }

    fileprivate func release() {
      if let result = unsafe result { unsafe g_object_unref(UnsafeMutableRawPointer(result)) }
      unsafe result = nil
    }
  }

  /// How long a cancelled call may take to say so.
  private static let grace = Duration.milliseconds(250)

  /// The type is registered when it is first asked for, once in a process.
  private static let serviceType = csecret_register_service_type()

  private let clock = ContinuousClock()
  private let context: OpaquePointer
  private let alarm: UnsafeMutablePointer<GSource>
  private let cancellable: UnsafeMutablePointer<GCancellable>
  private var connection: OpaquePointer?
  private var service: UnsafeMutablePointer<SecretService>?
  private var replies: [Reply] = []
  private var subscriptions: [UInt32] = []
  private var limit: ContinuousClock.Instant
  private var isCancelled = false
  private var hasSession = false

  /// Connects to a bus. The caller must call ``close()`` on the connection, on the same thread.
  ///
  /// - Throws: that the bus can't be reached.
  static func open(at address: String, within time: Duration) throws(ServiceFailure) -> ServiceConnection {
    let conversation = ServiceConnection(within: time)
    do {
      try conversation.connect(to: address)
    } catch {
      conversation.close()
      throw error
    }
    return conversation
  }

  private init(within time: Duration) {
    limit = clock.now + time
    unsafe context = g_main_context_new()
    unsafe cancellable = g_cancellable_new()
    unsafe alarm = g_timeout_source_new(UInt32.max)
    // The alarm only wakes the loop, which then looks at the clock.
    unsafe g_source_set_callback(alarm, { _ in 1 }, nil, nil)
    unsafe g_source_attach(alarm, context)
    unsafe g_main_context_push_thread_default(context)
  }

  private func connect(to address: String) throws(ServiceFailure) {
    let reply = expect()
    let flags = GDBusConnectionFlags(
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
    unsafe g_dbus_connection_new_for_address(
      address, flags, nil, cancellable, { unsafe ServiceConnection.arrived($1, $2) }, Self.handle(to: reply))
    _ = Self.serviceType
    try wait(for: reply)
    var error: UnsafeMutablePointer<GError>?
    unsafe connection = g_dbus_connection_new_for_address_finish(reply.result, &error)
    guard unsafe connection != nil else {
      let failure = unsafe Self.failure(taking: error)
      throw failure.fault == .timedOut ? failure : ServiceFailure(.noBus, detail: failure.detail)
    }
  }

  /// Cancels what is under way, and lets go of everything.
  func close() {
    unsafe g_cancellable_cancel(cancellable)
    limit = clock.now + Self.grace
    while replies.contains(where: { !$0.isComplete }), clock.now < limit { turn(until: limit) }
    // A result holds on to the object that gave it, whose end has still to be worked off in this context.
    for reply in replies { reply.release() }
    for subscription in subscriptions { unsafe g_dbus_connection_signal_unsubscribe(connection, subscription) }
    if let service = unsafe service { unsafe g_object_unref(UnsafeMutableRawPointer(service)) }
    if let connection = unsafe connection { unsafe g_object_unref(UnsafeMutableRawPointer(connection)) }
    while unsafe g_main_context_iteration(context, 0) != 0 {}
    unsafe g_main_context_pop_thread_default(context)
    unsafe g_source_destroy(alarm)
    unsafe g_source_unref(alarm)
    unsafe g_object_unref(UnsafeMutableRawPointer(cancellable))
    unsafe g_main_context_unref(context)
  }

  /// Grants the rest of the conversation this much time from now.
  func extendDeadline(by time: Duration) {
    replies.removeAll { $0.isComplete }
    limit = clock.now + time
  }
}

// MARK: - Calls

extension ServiceConnection {
  /// Sends a call, without waiting for its response.
  func begin(_ call: BusCall) -> Reply {
    unsafe begin(call, arguments: Self.variant(.structure(call.arguments)))
  }

  /// Waits for the response to a call.
  ///
  /// - Throws: the service's or the bus's error, or that the time is up.
  func finish(_ reply: Reply) throws(ServiceFailure) -> BusValue {
    let response = try unsafe finishRaw(reply)
    defer { unsafe g_variant_unref(response) }
    return unsafe Self.value(response)
  }

  /// Sends a call and waits for its response.
  ///
  /// - Throws: the service's or the bus's error, or that the time is up.
  func call(_ call: BusCall) throws(ServiceFailure) -> BusValue {
    try finish(begin(call))
  }

  private func begin(_ call: BusCall, arguments: OpaquePointer?) -> Reply {
    let reply = expect()
    // No time limit of GDBus's own: the limit of the conversation cancels the call.
    unsafe g_dbus_connection_call(
      connection, call.destination, call.path, call.interface, call.member, arguments, nil, G_DBUS_CALL_FLAGS_NONE,
      Int32.max, cancellable, { unsafe ServiceConnection.arrived($1, $2) }, Self.handle(to: reply))
    return reply
  }

  private func finishRaw(_ reply: Reply) throws(ServiceFailure) -> OpaquePointer {
    try wait(for: reply)
    var error: UnsafeMutablePointer<GError>?
    guard let response = unsafe g_dbus_connection_call_finish(connection, reply.result, &error) else {
      throw unsafe Self.failure(taking: error)
    }
    return unsafe response
  }
}

// MARK: - Secrets

extension ServiceConnection {
  /// Begins to agree with the service on a key, under which secrets are sent over the bus (Secret Service API,
  /// "Sessions"); other calls can be begun before it is finished. One session serves the whole conversation.
  func beginSession() -> Reply {
    let reply = expect()
    guard !hasSession else {
      reply.isComplete = true
      return reply
    }
    unsafe service = csecret_service_new(Self.serviceType, connection)
    unsafe g_async_initable_init_async(
      OpaquePointer(service), 0, cancellable, { unsafe ServiceConnection.arrived($1, $2) }, Self.handle(to: reply))
    return reply
  }

  /// Agrees with the service on a key.
  ///
  /// - Throws: that there is no service, or its refusal.
  func finishSession(_ initialization: Reply) throws(ServiceFailure) {
    guard !hasSession else { return }
    try wait(for: initialization)
    var error: UnsafeMutablePointer<GError>?
    guard unsafe g_async_initable_init_finish(OpaquePointer(service), initialization.result, &error) != 0 else {
      throw unsafe Self.failure(taking: error)
    }
    let reply = expect()
    unsafe secret_service_ensure_session(
      service, cancellable, { unsafe ServiceConnection.arrived($1, $2) }, Self.handle(to: reply))
    try wait(for: reply)
    guard unsafe secret_service_ensure_session_finish(service, reply.result, &error) != 0 else {
      throw unsafe Self.failure(taking: error)
    }
    hasSession = true
  }

  /// Reads the secret of an unlocked item; needs a session.
  ///
  /// - Throws: the service's error, or that the content is not text.
  func secret(at path: String) throws(ServiceFailure) -> Secret {
    let session = unsafe g_variant_new_object_path(secret_service_get_session_dbus_path(service))
    let response = try unsafe finishRaw(begin(.item(path, "GetSecret"), arguments: Self.tuple([session])))
    defer { unsafe g_variant_unref(response) }
    guard unsafe g_variant_is_of_type(response, Self.typeOfSecretAnswer) != 0 else {
      throw ServiceFailure(.refused, detail: "its response is unusable")
    }
    let encoded = unsafe g_variant_get_child_value(response, 0)
    defer { unsafe g_variant_unref(encoded) }
    guard let value = unsafe secret_service_decode_dbus_secret(service, encoded) else {
      throw ServiceFailure(.refused, detail: "the secret could not be decrypted")
    }
    // Clears the plain text, too.
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    var length: gsize = 0
    let bytes = unsafe secret_value_get(value, &length)
    let text = unsafe String(validating: UnsafeBufferPointer(start: bytes, count: Int(length)), as: UTF8.self)
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
        let value = unsafe secret_value_new(characters.baseAddress, gssize(characters.count), "text/plain")
        defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
        return unsafe secret_service_encode_dbus_secret(service, value)
      }
    }
    guard let encoded = unsafe encoded else {
      throw ServiceFailure(.refused, detail: "the secret could not be encrypted")
    }
    let arguments = unsafe leading.map(Self.variant) + [encoded] + trailing.map(Self.variant)
    return try unsafe finish(begin(call, arguments: Self.tuple(arguments)))
  }
}

// MARK: - Signals

extension ServiceConnection {
  /// Watches for a signal; the reply is complete when one has come.
  func watch(_ member: String, of interface: String, at path: String, from sender: String, about name: String? = nil)
    -> SignalWatch
  {
    let watch = SignalWatch()
    let subscription = unsafe g_dbus_connection_signal_subscribe(
      connection, sender, interface, member, path, name, G_DBUS_SIGNAL_FLAGS_NONE,
      { _, _, _, _, _, arguments, data in
        guard let data = unsafe data else { return }
        let watch = unsafe Unmanaged<SignalWatch>.fromOpaque(data).takeUnretainedValue()
        watch.arguments = unsafe ServiceConnection.value(arguments)
      },
      Unmanaged.passRetained(watch).toOpaque(),
      { data in
        guard let data = unsafe data else { return }
        unsafe Unmanaged<SignalWatch>.fromOpaque(data).release()
      })
    subscriptions.append(subscription)
    return watch
  }

  /// Waits until one of the signals has come.
  ///
  /// - Throws: that the time is up.
  func wait(forAnyOf watches: SignalWatch...) throws(ServiceFailure) {
    while watches.allSatisfy({ $0.arguments == nil }) {
      guard clock.now < limit else { throw ServiceFailure(.timedOut) }
      turn(until: limit)
    }
  }
}

// MARK: - Waiting

extension ServiceConnection {
  private func expect() -> Reply {
    let reply = Reply()
    replies.append(reply)
    return reply
  }

  /// The reply as a pointer for C. The callback must pass it to ``arrived(_:_:)`` exactly once.
  private static func handle(to reply: Reply) -> UnsafeMutableRawPointer {
    unsafe Unmanaged.passRetained(reply).toOpaque()
  }

  private static func arrived(_ result: OpaquePointer?, _ handle: UnsafeMutableRawPointer?) {
    guard let handle = unsafe handle, let result = unsafe result else { return }
    let reply = unsafe Unmanaged<Reply>.fromOpaque(handle).takeRetainedValue()
    unsafe g_object_ref(UnsafeMutableRawPointer(result))
    unsafe reply.result = result
    reply.isComplete = true
  }

  private func wait(for reply: Reply) throws(ServiceFailure) {
    var end = limit
    while !reply.isComplete {
      if clock.now >= end {
        guard !isCancelled else { throw ServiceFailure(.timedOut) }
        isCancelled = true
        unsafe g_cancellable_cancel(cancellable)
        end = clock.now + Self.grace
      }
      turn(until: end)
    }
  }

  /// Lets things happen in the main context, for no longer than until `end`.
  private func turn(until end: ContinuousClock.Instant) {
    let left = max(.zero, end - clock.now)
    let microseconds = left.components.seconds * 1_000_000 + left.components.attoseconds / 1_000_000_000_000
    unsafe g_source_set_ready_time(alarm, g_get_monotonic_time() + gint64(microseconds))
    unsafe g_main_context_iteration(context, 1)
  }

  private static func failure(taking error: UnsafeMutablePointer<GError>?) -> ServiceFailure {
    guard let error = unsafe error else { return ServiceFailure(.refused) }
    defer { unsafe g_error_free(error) }
    let name = unsafe g_dbus_error_get_remote_error(error) ?? g_dbus_error_encode_gerror(error)
    defer { unsafe g_free(name) }
    unsafe g_dbus_error_strip_remote_error(error)
    let message = unsafe String(cString: error.pointee.message)
    if unsafe error.pointee.domain == g_io_error_quark() {
      switch unsafe GIOErrorEnum(UInt32(error.pointee.code)) {
      case G_IO_ERROR_CANCELLED, G_IO_ERROR_TIMED_OUT: return ServiceFailure(.timedOut)
      case G_IO_ERROR_CLOSED: return ServiceFailure(.noBus, detail: message)
      default: break
      }
    }
    guard let name = unsafe name else { return ServiceFailure(.refused, detail: message) }
    return unsafe ServiceFailure(errorName: String(cString: name), message: message)
  }
}

// MARK: - Values

extension ServiceConnection {
  private static var typeOfSecretAnswer: OpaquePointer? {
    unsafe g_variant_type_checked_("((oayays))")
  }

  private static func tuple(_ members: [OpaquePointer?]) -> OpaquePointer? {
    unsafe members.withUnsafeBufferPointer { unsafe g_variant_new_tuple($0.baseAddress, gsize($0.count)) }
  }

  private static func array(_ members: [OpaquePointer?], of signature: String) -> OpaquePointer? {
    unsafe members.withUnsafeBufferPointer {
      unsafe g_variant_new_array(g_variant_type_checked_(signature), $0.baseAddress, gsize($0.count))
    }
  }

  private static func variant(_ value: BusValue) -> OpaquePointer? {
    switch value {
    case .string(let text): unsafe g_variant_new_string(text)
    case .objectPath(let path): unsafe g_variant_new_object_path(path)
    case .boolean(let flag): unsafe g_variant_new_boolean(flag ? 1 : 0)
    case .number(let number): unsafe g_variant_new_uint32(guint32(truncatingIfNeeded: number))
    case .variant(let inner): unsafe g_variant_new_variant(variant(inner))
    case .structure(let members): unsafe tuple(members.map(variant))
    case .objectPaths(let paths): unsafe array(paths.map { unsafe g_variant_new_object_path($0) }, of: "o")
    case .attributes(let pairs):
      unsafe array(
        pairs.map { unsafe g_variant_new_dict_entry(g_variant_new_string($0), g_variant_new_string($1)) }, of: "{ss}")
    case .properties(let pairs):
      unsafe array(
        pairs.map { unsafe g_variant_new_dict_entry(g_variant_new_string($0), variant(.variant($1))) }, of: "{sv}")
    }
  }

  private static func value(_ variant: OpaquePointer?) -> BusValue {
    let signature = unsafe String(cString: g_variant_get_type_string(variant))
    switch signature {
    case "s": return unsafe .string(String(cString: g_variant_get_string(variant, nil)))
    case "o": return unsafe .objectPath(String(cString: g_variant_get_string(variant, nil)))
    case "b": return unsafe .boolean(g_variant_get_boolean(variant) != 0)
    case "t": return unsafe .number(UInt64(g_variant_get_uint64(variant)))
    case "u": return unsafe .number(UInt64(g_variant_get_uint32(variant)))
    case "v": return unsafe .variant(children(variant).first ?? .structure([]))
    case "ao":
      return unsafe .objectPaths(
        children(variant).compactMap { if case .objectPath(let path) = $0 { path } else { nil } })
    case _ where signature.hasPrefix("("): return unsafe .structure(children(variant))
    default: return .structure([])
    }
  }

  private static func children(_ variant: OpaquePointer?) -> [BusValue] {
    unsafe (0..<g_variant_n_children(variant)).map { index in
      let child = unsafe g_variant_get_child_value(variant, index)
      defer { unsafe g_variant_unref(child) }
      return unsafe value(child)
    }
  }
}

/// Whether a signal has come; belongs to the thread of its conversation.
final class SignalWatch {
  /// What came with the signal; nil until then.
  var arguments: BusValue?
}
