import AuthCore
import CAuthSecret
import Synchronization

/// A connection to the Secret Service. It wraps the C interface of GLib and libsecret.
///
/// It has its own bus connection, because GLib's shared one reads the environment of the process and is never closed.
/// libsecret transfers the secrets (`OpenSession`, Diffie-Hellman, AES); the other calls go directly to the bus,
/// because libsecret's own need three times the round trips and report a locked collection as "not found". All calls
/// run on one thread, in a separate main context, and no wait is longer than the time allowed: a call that does not
/// respond to its cancellation is abandoned.
@safe
final class ServiceConnection {
  /// A pending response.
  @safe
  final class Reply {
    var result: OpaquePointer?
    var isComplete = false

    deinit {
      release()
    }

    fileprivate func release() {
      if let result = unsafe result { unsafe library.g_object_unref(UnsafeMutableRawPointer(result)) }
      unsafe result = nil
    }
  }

  /// How long a cancelled call may take to return.
  private static let grace = Duration.milliseconds(250)

  private let clock = ContinuousClock()
  private let context: OpaquePointer
  private let alarm: OpaquePointer
  let cancellable: OpaquePointer
  var connection: OpaquePointer?
  var service: OpaquePointer?
  private var replies: [Reply] = []
  private var subscriptions: [UInt32] = []
  private var limit: ContinuousClock.Instant
  private var isCancelled = false
  var hasSession = false
  /// The response to our half of the key, until it has been read.
  var offer: Reply?

  /// Connects to a bus. The caller must call ``close()`` on the connection, on the same thread.
  ///
  /// - Throws: ``ServiceFailure`` if the bus can't be reached.
  static func open(at address: String, within time: Duration) throws(ServiceFailure) -> ServiceConnection {
    try SecretLibrary.load()
    let connection = ServiceConnection(within: time)
    do {
      try connection.connect(to: address)
    } catch {
      connection.close()
      throw error
    }
    return connection
  }

  private init(within time: Duration) {
    limit = clock.now + time
    unsafe context = library.g_main_context_new()
    unsafe cancellable = library.g_cancellable_new()
    unsafe alarm = library.g_timeout_source_new(UInt32.max)
    // The alarm only wakes the loop, which then checks the clock.
    unsafe library.g_source_set_callback(alarm, { _ in 1 }, nil, nil)
    _ = unsafe library.g_source_attach(alarm, context)
    unsafe library.g_main_context_push_thread_default(context)
  }

  private func connect(to address: String) throws(ServiceFailure) {
    let reply = expect()
    unsafe library.g_dbus_connection_new_for_address(
      address, UInt32(CSECRET_BUS_CLIENT), nil, cancellable, { unsafe ServiceConnection.arrived($1, $2) },
      Self.handle(to: reply))
    // Takes long enough to do it while another thread connects.
    csecret_register()
    try wait(for: reply)
    var error: OpaquePointer?
    unsafe connection = library.g_dbus_connection_new_for_address_finish(reply.result, &error)
    guard unsafe connection != nil else {
      let failure = unsafe ServiceFailure(taking: error)
      throw failure.fault == .timedOut ? failure : ServiceFailure(.noBus, detail: failure.detail)
    }
  }

  /// Cancels the pending calls, and releases all objects.
  func close() {
    unsafe library.g_cancellable_cancel(cancellable)
    limit = clock.now + Self.grace
    while replies.contains(where: { !$0.isComplete }), clock.now < limit { turn(until: limit) }
    // A result retains the object that created it, whose cleanup must still run in this context.
    for reply in replies { reply.release() }
    for subscription in subscriptions { unsafe library.g_dbus_connection_signal_unsubscribe(connection, subscription) }
    if let service = unsafe service { unsafe library.g_object_unref(UnsafeMutableRawPointer(service)) }
    if let connection = unsafe connection { unsafe library.g_object_unref(UnsafeMutableRawPointer(connection)) }
    while unsafe library.g_main_context_iteration(context, 0) != 0 {}
    unsafe library.g_main_context_pop_thread_default(context)
    unsafe library.g_source_destroy(alarm)
    unsafe library.g_source_unref(alarm)
    unsafe library.g_object_unref(UnsafeMutableRawPointer(cancellable))
    unsafe library.g_main_context_unref(context)
  }

  /// The time until the deadline of the connection.
  var timeLeft: Duration { max(.zero, limit - clock.now) }

  /// Restarts the deadline of the connection: this much time from now.
  func extendDeadline(by time: Duration) {
    replies.removeAll { $0.isComplete }
    limit = clock.now + time
  }
}

// MARK: - Calls

extension ServiceConnection {
  /// Sends a call, without waiting for its response.
  func begin(_ call: BusCall) -> Reply {
    unsafe begin(call, arguments: BusValue.structure(call.arguments).variant)
  }

  /// Waits for the response to a call.
  ///
  /// - Throws: the error of the service or the bus, or a timeout.
  func finish(_ reply: Reply) throws(ServiceFailure) -> BusValue {
    let response = try unsafe finishRaw(reply)
    defer { unsafe library.g_variant_unref(response) }
    return unsafe BusValue(response)
  }

  /// Sends a call and waits for its response.
  ///
  /// - Throws: the error of the service or the bus, or a timeout.
  func call(_ call: BusCall) throws(ServiceFailure) -> BusValue {
    try finish(begin(call))
  }

  func begin(_ call: BusCall, arguments: OpaquePointer?) -> Reply {
    let reply = expect()
    // No timeout of GDBus: the deadline of the connection cancels the call.
    unsafe library.g_dbus_connection_call(
      connection, call.destination, call.path, call.interface, call.member, arguments, nil, 0,
      Int32.max, cancellable, { unsafe ServiceConnection.arrived($1, $2) }, Self.handle(to: reply))
    return reply
  }

  func finishRaw(_ reply: Reply) throws(ServiceFailure) -> OpaquePointer {
    try wait(for: reply)
    var error: OpaquePointer?
    guard let response = unsafe library.g_dbus_connection_call_finish(connection, reply.result, &error) else {
      throw unsafe ServiceFailure(taking: error)
    }
    return unsafe response
  }
}

// MARK: - Signals

extension ServiceConnection {
  /// Watches for a signal; the watch has arguments once the signal has arrived.
  func watch(_ member: String, of interface: String, at path: String, from sender: String, about name: String? = nil)
    -> SignalWatch
  {
    let watch = SignalWatch()
    let subscription = unsafe library.g_dbus_connection_signal_subscribe(
      connection, sender, interface, member, path, name, 0,
      { _, _, _, _, _, arguments, data in
        guard let data = unsafe data else { return }
        let watch = unsafe Unmanaged<SignalWatch>.fromOpaque(data).takeUnretainedValue()
        watch.arguments = unsafe BusValue(arguments)
      },
      Unmanaged.passRetained(watch).toOpaque(),
      { data in
        guard let data = unsafe data else { return }
        unsafe Unmanaged<SignalWatch>.fromOpaque(data).release()
      })
    subscriptions.append(subscription)
    return watch
  }

  /// Collects all signals of an interface of a service, from any of its objects.
  func collect(
    _ member: String, of interface: String, from sender: String, about name: String? = nil, in list: SignalList
  ) {
    let subscription = unsafe library.g_dbus_connection_signal_subscribe(
      connection, sender, interface, member, nil, name, 0,
      { _, _, _, _, member, arguments, data in
        guard let data = unsafe data, let member = unsafe member else { return }
        let list = unsafe Unmanaged<SignalList>.fromOpaque(data).takeUnretainedValue()
        list.signals.append(unsafe BusSignal(member: String(cString: member), arguments: BusValue(arguments).members))
      },
      Unmanaged.passRetained(list).toOpaque(),
      { data in
        guard let data = unsafe data else { return }
        unsafe Unmanaged<SignalList>.fromOpaque(data).release()
      })
    subscriptions.append(subscription)
  }

  /// Waits without a deadline until something arrives, or ``Waker/wake()`` is called.
  func waitForSignals() {
    // No alarm: nothing wakes the process but the bus.
    unsafe library.g_source_set_ready_time(alarm, -1)
    _ = unsafe library.g_main_context_iteration(context, 1)
  }

  /// Whether the bus has closed the connection.
  var isClosed: Bool { unsafe connection == nil || library.g_dbus_connection_is_closed(connection) != 0 }

  /// Wakes the connection's thread from another one. ``Waker/end()`` must be called before ``close()``.
  final class Waker: Sendable {
    private struct State {
      var context: UInt?
      var isStopped = false
    }

    private let state: Mutex<State>

    /// Creates the waker of a connection.
    init(_ connection: ServiceConnection) {
      state = Mutex(State(context: unsafe UInt(bitPattern: connection.context)))
    }

    /// Whether the thread has been asked to end.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Asks the thread to end, and wakes it.
    func stop() {
      state.withLock { state in
        state.isStopped = true
        guard let context = state.context else { return }
        unsafe library.g_main_context_wakeup(OpaquePointer(bitPattern: context))
      }
    }

    /// Forgets the connection, which is about to be closed.
    func end() { state.withLock { $0.context = nil } }
  }

  /// Waits until one of the signals has arrived.
  ///
  /// - Throws: ``ServiceFailure`` after the deadline.
  func wait(forAnyOf watches: SignalWatch...) throws(ServiceFailure) {
    while watches.allSatisfy({ $0.arguments == nil }) {
      guard clock.now < limit else { throw ServiceFailure(.timedOut) }
      turn(until: limit)
    }
  }
}

// MARK: - Waiting

extension ServiceConnection {
  func expect() -> Reply {
    let reply = Reply()
    replies.append(reply)
    return reply
  }

  /// The reply as a pointer for C. The callback must pass it to ``arrived(_:_:)`` exactly once.
  static func handle(to reply: Reply) -> UnsafeMutableRawPointer {
    unsafe Unmanaged.passRetained(reply).toOpaque()
  }

  static func arrived(_ result: OpaquePointer?, _ handle: UnsafeMutableRawPointer?) {
    guard let handle = unsafe handle, let result = unsafe result else { return }
    let reply = unsafe Unmanaged<Reply>.fromOpaque(handle).takeRetainedValue()
    _ = unsafe library.g_object_ref(UnsafeMutableRawPointer(result))
    unsafe reply.result = result
    reply.isComplete = true
  }

  func wait(for reply: Reply) throws(ServiceFailure) {
    var end = limit
    while !reply.isComplete {
      if clock.now >= end {
        guard !isCancelled else { throw ServiceFailure(.timedOut) }
        isCancelled = true
        unsafe library.g_cancellable_cancel(cancellable)
        end = clock.now + Self.grace
      }
      turn(until: end)
    }
  }

  /// Waits for a condition that something from the bus makes true.
  ///
  /// Unlike the deadline of the connection, the end of this time cancels nothing.
  ///
  /// - Returns: whether it is true.
  func wait(for time: Duration, until isTrue: () -> Bool) -> Bool {
    let end = min(limit, clock.now + time)
    while !isTrue() {
      guard clock.now < end else { return false }
      turn(until: end)
    }
    return true
  }

  /// Runs the main context once, at most until `end`.
  private func turn(until end: ContinuousClock.Instant) {
    let left = max(.zero, end - clock.now)
    let microseconds = left.components.seconds * 1_000_000 + left.components.attoseconds / 1_000_000_000_000
    unsafe library.g_source_set_ready_time(alarm, library.g_get_monotonic_time() + microseconds)
    _ = unsafe library.g_main_context_iteration(context, 1)
  }
}

/// Receives a signal; belongs to the thread of its connection.
final class SignalWatch {
  /// The arguments of the signal; nil until it has arrived.
  var arguments: BusValue?
}

/// A signal of the bus.
struct BusSignal {
  /// The name of the signal.
  let member: String
  /// The arguments of the signal.
  let arguments: [BusValue]
}

/// Receives signals in their order; belongs to the thread of its connection.
final class SignalList {
  /// The signals that have arrived.
  var signals: [BusSignal] = []

  /// Returns the signals that have arrived, and forgets them.
  func take() -> [BusSignal] {
    defer { signals = [] }
    return signals
  }
}
