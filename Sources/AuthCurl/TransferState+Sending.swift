import AuthCore
import HTTPTypes

extension TransferState {
  /// The time without a byte after which a server may have closed a connection opened ahead of the request.
  private static let idleLimit = Duration.seconds(1)

  /// Waits for the credential once the connection is open, and then for ``Transfer/beforeSending``.
  ///
  /// - Parameter peer: the address of the other end, which may be a proxy.
  /// - Returns: the header lines to add; nil if the request must not be sent, because there is no credential
  ///   (``failure``) or because it took so long that the connection must be checked again (``isStale``).
  func clearance(to peer: String) -> [[UInt8]]? {
    guard mayReceiveSecret(peer), mayBeAskedAgain() else { return nil }
    do {
      let fields = try fields(of: gate)
      if !isStale, let prepare = transfer.beforeSending {
        _ = try self.fields(
          of: CredentialGate {
            try await prepare()
            return []
          })
      }
      return isStale ? nil : fields.map { HeaderLines.line($0) }
    } catch {
      failure = error
      return nil
    }
  }

  /// Waits for the fields of a gate; the time does not count.
  private func fields(of gate: CredentialGate) throws -> [HTTPField] {
    let took = untimed { gate.wait() }
    let fields = try gate.fields()
    isStale = took > TransferState.idleLimit
    return fields
  }

  /// Allows plain HTTP with a secret only if the connection leads to this machine. The name in the URL does not prove
  /// that: a proxy, an address from `--resolve` and a resolver may all lead elsewhere. The address of the open
  /// connection does.
  private func mayReceiveSecret(_ peer: String) -> Bool {
    guard transfer.isConfidential || transfer.credential != nil, transfer.url.origin.scheme == .http,
      transfer.network.unixSocket == nil, !Loopback.contains(peer)
    else { return true }
    failure = TransportError.exposed(host: transfer.url.origin.host, peer: peer)
    return false
  }

  /// Prepares the body to be sent again after a 417. This fails for the rest of a file, because libcurl counts the
  /// skipped part twice.
  private func mayBeAskedAgain() -> Bool {
    guard isInDoubt else { return true }
    isInDoubt = false
    sent = 0
    guard case .rest = transfer.upload else { return true }
    failure = TransportError.broken(
      detail: "\(transfer.url.origin.host): the server refuses Expect: 100-continue (417)")
    return false
  }

  /// Fills a buffer with the next part of the request's body.
  ///
  /// - Returns: the number of bytes, 0 at the end; nil stops the transfer, so that an incomplete body never looks
  ///   complete, or pauses it (``isBodyAwaited``).
  func readBody(into buffer: inout MutableRawSpan) -> Int? {
    guard let body = transfer.body else { return 0 }
    do {
      let count = try body.read(into: &buffer, at: sent, for: job)
      sent += Int64(count)
      return count
    } catch let bytes as BytesAwaited {
      pause(until: bytes)
      return nil
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  /// Passes header lines to the observer of the transfer.
  func show(_ bytes: [UInt8], as line: (String) -> WireLine) {
    guard let trace = transfer.trace else { return }
    let end = bytes.last == UInt8(ascii: "\n") ? bytes.count - 1 : bytes.count
    for part in bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      trace(line(String(decoding: part.last == UInt8(ascii: "\r") ? part.dropLast() : part, as: UTF8.self)))
    }
  }

  /// Passes a note about the connection to the observer of the transfer.
  ///
  /// libcurl's notes on HTTP/2 repeat each field of the request (`h2h3 [authorization: …]`), including the secret ones,
  /// and truncate a long one. They are left out, because the header is shown anyway.
  func show(note bytes: [UInt8]) {
    let fields = bytes.split(separator: UInt8(ascii: "["), omittingEmptySubsequences: false).dropFirst()
    let isField = fields.contains { part in
      let name = part.dropFirst(part.first == UInt8(ascii: ":") ? 1 : 0).prefix { $0 > 0x20 && $0 != UInt8(ascii: ":") }
      return !name.isEmpty && part[name.endIndex...].starts(with: ": ".utf8)
    }
    guard !isField else { return }
    show(bytes, as: WireLine.note)
  }
}

/// Recognizes loopback addresses.
enum Loopback {
  /// Returns whether an address, as libcurl formats it, is in 127.0.0.0/8 or is `::1` (RFC 6890).
  static func contains(_ address: String) -> Bool {
    if address == "::1" { return true }
    let mapped = "::ffff:"
    let isMapped = address.utf8.starts(with: mapped.utf8)
    return Substring(address.utf8.dropFirst(isMapped ? mapped.utf8.count : 0)).isIPv4Loopback
  }
}
