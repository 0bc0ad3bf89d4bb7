package import AuthCore
import Subprocess
import SystemPackage

/// Fits pictures in another process, which has no token and can do nothing but return the result: a decoder is the
/// first thing that a malicious picture attacks.
package struct PictureProcess: ImageFitting {
  private let environment: [String: String]

  /// Creates the fitter; starts nothing.
  /// - Parameter environment: where libraries and their parts are looked for is passed on, and nothing else.
  package init(environment: [String: String]) {
    self.environment = environment.filter {
      ["LD_LIBRARY_PATH", "GDK_PIXBUF_MODULE_FILE", "GDK_PIXBUF_MODULEDIR"].contains($0.key)
    }
  }

  package func fitted(
    _ data: [UInt8], limits: ImageLimits
  ) async throws(AuthError) -> (bytes: [UInt8], mediaType: String) {
    let (status, output): (TerminationStatus, [UInt8])
    do {
      let result = try await Subprocess.run(
        .path("/proc/self/exe"), arguments: Arguments(Order(limits).arguments),
        environment: .custom(
          Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) })),
        input: .array(data), output: .bytes(limit: max(4096, limits.maxBytes ?? Order.outputLimit)), error: .discarded)
      (status, output) = (result.terminationStatus, result.standardOutput)
    } catch {
      throw .failed("the image", why: "the process that decodes it could not be started", hint: "try again")
    }
    switch status {
    case .exited(0) where output.count <= limits.maxBytes ?? .max: return (output, Order.mediaType)
    case .exited(let code) where code == Order.refusal:
      let lines = output.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
      throw .usage("the image", why: lines.first ?? "it was refused", hint: lines.dropFirst().first ?? "")
    default:
      throw .usage(
        "the image", why: "its decoder ended with \(status.words)", hint: "save it again with another program")
    }
  }
}

extension PictureProcess {
  /// What such a process is asked to do; the picture is its standard input.
  package struct Order: Sendable {
    /// Its first argument. It is an internal argument, not an option for users.
    private static let word = "__fit-picture"
    /// The status of a process that has printed why the picture can't be used, and a hint.
    fileprivate static let refusal: Int32 = 2
    fileprivate static let mediaType = "image/jpeg"
    /// More than any JPEG of the most pixels has.
    fileprivate static let outputLimit = 128 << 20

    private let limits: ImageLimits

    fileprivate init(_ limits: ImageLimits) {
      self.limits = limits
    }

    /// Reads the arguments of the process; nil if they are no such order.
    package init?(_ arguments: [String]) {
      guard arguments.count == 4, arguments[0] == Order.word else { return nil }
      // An absent number is an absent limit.
      limits = ImageLimits(width: Int(arguments[1]), height: Int(arguments[2]), maxBytes: Int(arguments[3]))
    }

    fileprivate var arguments: [String] {
      [Order.word] + [limits.width, limits.height, limits.maxBytes].map { $0.map(String.init) ?? "" }
    }

    /// Fits the picture of standard input to standard output.
    ///
    /// - Returns: the exit status.
    package func carryOut(with fitting: some ImageFitting) async -> Int32 {
      do {
        let image = try await fitting.fitted(try Spool(.standardInput, folder: "/").readToEnd(), limits: limits).bytes
        try FileDescriptor.standardOutput.writeAll(image)
        return 0
      } catch let error as AuthError {
        let text = error.explanation.why + "\n" + error.explanation.hint
        // Without it the parent still knows that the picture was refused.
        _ = try? FileDescriptor.standardOutput.writeAll(text.utf8)
        return Order.refusal
      } catch {
        return 1
      }
    }
  }
}
