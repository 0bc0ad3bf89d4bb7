import AuthCore
import Glibc
import Synchronization
import SystemPackage

/// The records of `--trace`. Archives and JSON lines are written entry by entry, the diagrams at the end.
final class TraceOutput: Sendable {
  /// An open file; none for the terminal.
  private struct File {
    let target: TraceArguments.Target
    let file: FileDescriptor?
    var isEmpty = true
    var failure: Errno?

    /// Writes a text; after a failure, nothing.
    mutating func write(_ text: String) {
      guard failure == nil, let file else { return }
      do {
        try file.writeAll(text.utf8)
      } catch {
        failure = error as? Errno ?? .ioError
      }
    }

    /// Closes the file: only then is it certain that everything was written.
    mutating func close() {
      do {
        try file?.close()
      } catch {
        failure = failure ?? error as? Errno ?? .ioError
      }
    }
  }

  /// The number of steps in a diagram; of further ones it has only the number.
  static let mostSteps = 300

  private let archive = HTTPArchive(creator: Program.authctl.name, version: Program.authctl.version)
  private let title: String
  private let context: Context
  private let files: Mutex<[File]?>

  /// Creates the files, before anything is sent.
  ///
  /// - Parameter title: what is recorded.
  /// - Throws: ``AuthError/failed(_:)`` if one can't be written.
  init(_ arguments: TraceArguments, title: String, _ context: Context) throws(AuthError) {
    self.title = title
    self.context = context
    var files: [File] = []
    var places: Set<Place> = []
    for target in arguments.targets {
      guard target.form != .diagram else {
        files.append(File(target: target, file: nil))
        continue
      }
      let (file, place) = try TraceOutput.open(target.path)
      guard places.insert(place).inserted else {
        throw .usage(
          .init("--trace \(Escaped.text(target.path))", why: "it is the same file as another one", hint: "remove one"))
      }
      files.append(File(target: target, file: file))
    }
    // A file is emptied only when all can be written.
    for case let file? in files.map(\.file) where ftruncate(file.rawValue, 0) != 0 {
      throw .failed(
        .init("--trace", why: "a file can't be emptied: \(Errno(rawValue: errno))", hint: "use another name"))
    }
    for index in files.indices where files[index].target.form == .har { files[index].write(archive.start) }
    self.files = Mutex(files)
  }

  /// Writes an entry to the files that get each at once.
  func add(_ entry: FlowEntry) {
    files.withLock { files in
      for index in 0..<(files?.count ?? 0) {
        guard let form = files?[index].target.form, let text = text(of: entry, as: form) else { continue }
        let separator = form == .har && files?[index].isEmpty == false ? ",\n" : ""
        files?[index].write(separator + text)
        files?[index].isEmpty = false
      }
    }
  }

  /// Completes the files, and draws the diagrams; later entries are not recorded.
  func finish(_ recorder: FlowRecorder) {
    let entries = recorder.entries(notingOmitted: true)
    files.withLock { files in
      for var file in files ?? [] {
        switch file.target.form {
        case .har: file.write(archive.end)
        case .jsonl: break
        case .html: file.write(FlowPage.html(entries, title: title, program: context.program))
        case .mmd: file.write(FlowSequence(entries, program: context.program.text).mermaid())
        case .diagram: draw(entries)
        }
        file.close()
        guard let failure = file.failure, !context.verbosity.quiet else { continue }
        let path = Escaped.text(file.target.path)
        context.console.note("authctl: warning: the trace \(path) is incomplete: \(failure)")
      }
      files = nil
    }
  }

  private func draw(_ entries: [FlowEntry]) {
    context.console.draw(
      FlowDiagram.text(
        entries, program: context.program, width: context.console.columns, isASCII: !context.hasUnicode,
        isColoured: context.verbosity.colour.error))
  }

  private func text(of entry: FlowEntry, as form: TraceArguments.Form) -> String? {
    switch form {
    case .har: archive.entry(entry)
    // Fails for an infinite number only, and no time is infinite.
    case .jsonl: (try? entry.json.text()).map { $0 + "\n" }
    case .html, .mmd, .diagram: nil
    }
  }

  /// What distinguishes a file from others.
  private struct Place: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// Opens a file, or creates one, that only its owner can read.
  ///
  /// It does not follow a symbolic link: in a folder that others can write, it could lead to another file of the user.
  private static func open(_ path: String) throws(AuthError) -> (FileDescriptor, Place) {
    func refusal(_ why: String) -> AuthError {
      .failed(
        .init("--trace \(Escaped.text(path))", why: why, hint: "check the folder and its mode, or use another name"))
    }
    do {
      // A pipe without a reader would block.
      let file = try FileDescriptor.open(
        FilePath(path), .writeOnly, options: [.create, .closeOnExec, .noFollow, .nonBlocking],
        permissions: [.ownerRead, .ownerWrite])
      do {
        let status = try file.stat()
        guard status.type == .regular else { throw refusal("it is not a regular file") }
        guard status.userID.rawValue == geteuid() else { throw refusal("it belongs to another user") }
        guard fchmod(file.rawValue, 0o600) == 0 else {
          throw refusal("it can't be written: \(Errno(rawValue: errno))")
        }
        return (file, Place(device: UInt64(status.deviceID.rawValue), inode: UInt64(status.inode.rawValue)))
      } catch {
        // The first error counts.
        try? file.close()
        throw error
      }
    } catch let error as AuthError {
      throw error
    } catch Errno.tooManySymbolicLinkLevels {
      throw refusal("it is a symbolic link, which is not followed")
    } catch {
      throw refusal("it can't be written: \(error)")
    }
  }
}

/// Holds the recorder of a command line, for the end of the program.
final class FlowHolder: Sendable {
  private struct State {
    var recorder: FlowRecorder?
    var output: TraceOutput?
  }

  private let state = Mutex(State())

  /// The recorder; nil if nothing is recorded.
  var recorder: FlowRecorder? { state.withLock(\.recorder) }

  /// Starts to record.
  func begin(_ recorder: FlowRecorder, _ output: TraceOutput) {
    state.withLock { $0 = State(recorder: recorder, output: output) }
  }

  /// Completes the files; later steps are not recorded. Waits if another thread is doing this.
  func finish() {
    state.withLock { state in
      if let recorder = state.recorder {
        recorder.finish()
        state.output?.finish(recorder)
      }
      state = State()
    }
  }
}

extension Context {
  /// Returns a context whose requests and events are recorded as `--trace` says.
  ///
  /// - Parameter command: the command that is run.
  /// - Throws: ``AuthError/usage(_:)`` if a diagram would be among JSON, ``AuthError/failed(_:)`` if a file can't be
  ///   written.
  func tracing(_ arguments: TraceArguments, of command: Command) throws(AuthError) -> Context {
    guard !arguments.targets.isEmpty else { return self }
    let isDrawn = arguments.targets.contains { $0.form == .diagram }
    guard !isDrawn || !verbosity.errorsAsJSON else {
      throw .usage(
        .init("--trace -", why: "each line of standard error is JSON", hint: "use a file: --trace FILE.jsonl"))
    }
    let output = try TraceOutput(arguments, title: "\(program.text) \(command.name)", self)
    let limit = arguments.targets.allSatisfy(\.form.isStreamed) ? 0 : TraceOutput.mostSteps
    let recorder = FlowRecorder(redaction: arguments.keepsSecrets ? nil : redaction, limit: limit) { output.add($0) }
    flow.begin(recorder, output)
    beforeInterruption { [flow] in flow.finish() }
    return recording(with: recorder)
  }

  /// Returns a context whose requests a recorder records.
  func recording(with recorder: FlowRecorder) -> Context {
    var context = self
    context.transport = { [transport] in recorder.recording(transport()) }
    context.parallelTransport = { [parallelTransport] in recorder.recording(parallelTransport()) }
    return context
  }
}
