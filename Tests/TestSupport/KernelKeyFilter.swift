import Foundation

/// A program that runs another one without the kernel's key service: the system calls are refused with EPERM by a
/// filter, as containers do it.
public struct KernelKeyFilter: Sendable {
  private let program: CProgram

  /// The program; the rest of its command line is run.
  public var path: String { program.path }

  /// Compiles it.
  /// - Throws: `SessionError`.
  public init() throws {
    program = try CProgram(tortureSource: "keyfilter", as: .program)
  }
}
