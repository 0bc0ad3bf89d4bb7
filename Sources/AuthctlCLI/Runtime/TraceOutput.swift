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
    let place: Place?
    var isEmpty = true
    var failure: Errno?

    /// Writes a text; after a failure, nothing.
    mutating func write(_ text: String) {
      guard failure == nil, let file else { return }
      do {
        try file.writeAll(Array(text.utf8))
      } catch {
        failure = error as? Errno ?? .ioError
      }
    }

    /// Closes the file: only then is it certain that everything was written.
    mutating func close() {
      guard let file else { return }
      // Not by the closing alone: until it runs its program, a child process that is just being started holds the file.
      _ = flock(file.rawValue, LOCK_UN)
      do {
        try file.close()
      } catch {
        failure = failure ?? error as? Errno ?? .ioError
      }
    }
  }

  private let archive = HTTPArchive(creator: ProgramName.standard.text, version: Program.currentVersion)
  private let invocation: Invocation
  private let context: Context
  private let files: Mutex<[File]?>

  /// Creates the files, before anything is sent.
  ///
  /// - Parameter invocation: the command line whose flow is recorded.
  /// - Throws: ``AuthError/usage(_:)`` if one is already used for something else, ``AuthError/failed(_:)`` if one can't
  ///   be written.
  init(_ arguments: TraceArguments, _ invocation: Invocation, _ context: Context) throws(AuthError) {
    self.invocation = invocation
    self.context = context
    var files: [File] = []
    for target in arguments.targets {
      guard target.form != .diagram else {
        files.append(File(target: target, file: nil, place: nil))
        continue
      }
      let (file, place) = try TraceOutput.open(target.path)
      guard !files.contains(where: { $0.place == place }) else {
        throw .usage(
          "--trace \(Escaped.text(target.path))", why: "it is the same file as another one", hint: "remove one")
      }
      if let use = TraceOutput.use(of: place, arguments.others, context.console) {
        throw TraceArguments.sameFile(target.path, as: use)
      }
      files.append(File(target: target, file: file, place: place))
    }
    for index in files.indices {
      guard let file = files[index].file else { continue }
      try TraceOutput.lock(file, files[index].target.path)
    }
    // A file is emptied only when all can be written. An archive is cut where its first entry begins: of a file that
    // was cut to nothing, ext4 starts to write the new content to the disk when it is closed.
    for index in files.indices {
      guard let file = files[index].file else { continue }
      let start = files[index].target.form == .har ? archive.start : ""
      guard ftruncate(file.rawValue, start.utf8.count) == 0 else {
        throw .failed("--trace", why: "a file can't be emptied: \(Errno(rawValue: errno))", hint: "use another name")
      }
      files[index].write(start)
    }
    self.files = Mutex(files)
  }

  /// Writes an entry to the files that get each at once.
  func add(_ entry: TraceEntry) {
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
  ///
  /// - Parameter exit: the exit status of the command; nil if it was interrupted.
  func finish(_ recorder: TraceRecorder, exit: Int32?) {
    let entries = recorder.entries(notingOmitted: true)
    files.withLock { files in
      for var file in files ?? [] {
        switch file.target.form {
        case .har: file.write(archive.end)
        case .jsonl: break
        case .html: file.write(page(entries, exit: exit))
        case .mmd: file.write(TraceSequence(entries, program: context.program.text).mermaid())
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

  private func page(_ entries: [TraceEntry], exit: Int32?) -> String {
    let command = "\(context.program.text) \(invocation.command.name)"
    let title = ([command] + (context.chosen.last.map { ["profile \($0)"] } ?? [])).joined(separator: " · ")
    var run = TraceRun(
      commandLine: invocation.line(context.program) { context.redaction.text($0) },
      version: "\(context.program.text) \(Program.currentVersion)", exit: exit)
    for token in context.redaction.signedTokens {
      run.tokens[token.fingerprint] = context.redaction.readable(token.exposed)
    }
    return TracePage.html(entries, title: title, program: context.program, run: run)
  }

  private func draw(_ entries: [TraceEntry]) {
    context.console.draw(
      TraceDiagram.text(
        entries, program: context.program, width: context.console.columns, isASCII: !context.hasUnicode,
        isColoured: context.verbosity.colour.error))
  }

  private func text(of entry: TraceEntry, as form: TraceArguments.Form) -> String? {
    switch form {
    case .har: archive.entry(entry)
    // Fails for an infinite number only, and no time is infinite.
    case .jsonl: (try? entry.json.text()).map { $0 + "\n" }
    case .html, .mmd, .diagram: nil
    }
  }

  /// What distinguishes a file from others.
  private struct Place: Equatable {
    let device: UInt64
    let inode: UInt64

    init(_ status: Stat) {
      (device, inode) = (UInt64(status.deviceID.rawValue), UInt64(status.inode.rawValue))
    }

    /// Returns nil if there is no such file.
    init?(_ path: String) {
      guard let status = try? FilePath(path).stat() else { return nil }
      self.init(status)
    }

    /// Returns nil if the descriptor is closed.
    init?(_ file: FileDescriptor) {
      guard let status = try? file.stat() else { return nil }
      self.init(status)
    }
  }

  /// Returns what else a file is used for: an option, or a standard stream; nil if it is used for nothing else.
  private static func use(of place: Place, _ others: [TraceArguments.NamedFile], _ console: any Console) -> String? {
    if let other = others.first(where: { Place($0.path) == place }) { return other.option }
    if Place(console.output) == place { return "standard output" }
    return Place(console.input) == place ? "standard input" : nil
  }

  /// Locks a file until it is closed, so that two processes do not mix their lines.
  private static func lock(_ file: FileDescriptor, _ path: String) throws(AuthError) {
    // A file system without locks is used without.
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
    throw .failed(
      "--trace \(Escaped.text(path))", why: "another process is writing it", hint: "use a file for each process")
  }

  /// Opens a file, or creates one, that only its owner can read.
  ///
  /// It does not follow a symbolic link: in a folder that others can write, it could lead to another file of the user.
  private static func open(_ path: String) throws(AuthError) -> (FileDescriptor, Place) {
    func refusal(_ why: String) -> AuthError {
      .failed("--trace \(Escaped.text(path))", why: why, hint: "check the folder and its mode, or use another name")
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
        // A change to the mode that it has would be written to the disk, too.
        let isPrivate = status.permissions == [.ownerRead, .ownerWrite]
        guard isPrivate || fchmod(file.rawValue, 0o600) == 0 else {
          throw refusal("it can't be written: \(Errno(rawValue: errno))")
        }
        return (file, Place(status))
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
