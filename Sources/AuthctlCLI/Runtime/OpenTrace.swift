import AuthCore
import Synchronization

/// The trace that is being recorded, for the end of the program.
final class OpenTrace: Sendable {
  private let state = Mutex<(recorder: TraceRecorder, output: TraceOutput)?>(nil)

  /// The recorder; nil if nothing is recorded.
  var recorder: TraceRecorder? { state.withLock { $0?.recorder } }

  /// Starts to record.
  func begin(_ recorder: TraceRecorder, _ output: TraceOutput) { state.withLock { $0 = (recorder, output) } }

  /// Completes the files; later steps are not recorded. Waits if another thread is doing this.
  ///
  /// - Parameter exit: the exit status of the command; nil if it was interrupted.
  func finish(exit: Int32? = nil) {
    state.withLock { state in
      guard let (recorder, output) = state else { return }
      recorder.finish()
      output.finish(recorder, exit: exit)
      state = nil
    }
  }
}

extension Context {
  /// Returns a context whose requests and events are recorded as `--trace` says.
  ///
  /// - Parameter invocation: the command line.
  /// - Throws: ``AuthError/usage(_:)`` if a diagram would be among JSON, ``AuthError/failed(_:)`` if a file can't be
  ///   written.
  func tracing(_ arguments: TraceArguments, of invocation: Invocation) throws(AuthError) -> Context {
    guard !arguments.targets.isEmpty else { return self }
    let isDrawn = arguments.targets.contains { $0.form == .diagram }
    guard !isDrawn || !verbosity.errorsAsJSON else {
      throw .usage("--trace -", why: "each line of standard error is JSON", hint: "use a file: --trace FILE.jsonl")
    }
    let output = try TraceOutput(arguments, invocation, self)
    let limit = arguments.targets.allSatisfy(\.form.isStreamed) ? 0 : TraceRecorder.standardLimit
    // The times of -v and --trace count from the same moment.
    let recorder = TraceRecorder(redaction: arguments.keepsSecrets ? nil : redaction, limit: limit, start: start) {
      output.add($0)
    }
    trace.begin(recorder, output)
    beforeInterruption { [trace] in trace.finish() }
    return recording(with: recorder)
  }

  /// Returns a context whose requests a recorder records.
  func recording(with recorder: TraceRecorder) -> Context {
    var context = observing(recorder.observer)
    context.remembersSecrets = true
    return context
  }
}
