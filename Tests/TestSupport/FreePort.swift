/// A port on which no process listens.
public enum FreePort {
  /// Finds one below the kernel's range for outgoing connections, where nothing takes it by chance.
  /// - Throws: `SessionError` where there is none.
  public static func find() throws -> UInt16 {
    for _ in 0..<100 {
      let port = UInt16.random(in: 20000..<32000)
      guard let connection = try? LoopbackConnection(port: port) else { return port }
      connection.close()
    }
    throw SessionError("no free port")
  }
}
