import AuthCore
import SystemPackage

extension Option {
  /// The options of the commands whose flow can be recorded.
  static let allTrace = [trace, traceSecrets]

  /// `--trace FILE` of `login`, `call`, `refresh`, `exec` and `logout`
  static let trace = Option(
    "trace", .file("FILE"), repeats: true, summary: "record requests and token events (.har, .html, …)")

  /// `--trace-secrets`
  static let traceSecrets = Option("trace-secrets", summary: "keep tokens and other secrets in the files of --trace")
}

/// The files of `--trace`, as typed values.
struct TraceArguments: Sendable, Equatable {
  /// The form of a record.
  enum Form: String, Sendable, CaseIterable {
    /// HTTP archive (HAR 1.2).
    case har
    /// A page with a sequence diagram.
    case html
    /// A sequence diagram for Mermaid.
    case mmd
    /// A JSON object for each step, one a line.
    case jsonl
    /// A sequence diagram on standard error.
    case diagram = "-"

    /// Whether each step is written when it is complete; the other forms are written at the end.
    var isStreamed: Bool { self == .har || self == .jsonl }

    /// Returns the form that the ending of a path selects: a dot within its last part, and what follows it.
    init?(ending path: String) {
      let bytes = path.utf8
      let name = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes[bytes.index(after: $0)...] } ?? bytes[...]
      guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
      self.init(rawValue: path[bytes.index(after: dot)...].lowercased())
    }

    /// The endings, for messages.
    static var endings: String {
      allCases.filter { $0 != .diagram }.map { "." + $0.rawValue }.joined(separator: ", ")
    }
  }

  /// A file and its form.
  struct Target: Sendable, Equatable {
    /// The path as typed.
    let path: String
    /// The form.
    let form: Form
  }

  /// A file that another option names, to be read or written.
  struct NamedFile: Sendable, Equatable {
    /// The option as typed: `-o`.
    let option: String
    /// The path as typed.
    let path: String
  }

  /// The files, in order; empty if nothing is recorded.
  let targets: [Target]
  /// The other files that the options of the command line name.
  let others: [NamedFile]
  /// Whether the files contain secrets.
  let keepsSecrets: Bool

  /// - Parameter others: the files that the other options of the command line name.
  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation, others: @autoclosure () -> [NamedFile] = []) throws(AuthError) {
    keepsSecrets = invocation.has(.traceSecrets)
    targets = try invocation.values(.trace).map { path throws(AuthError) in
      if path == Form.diagram.rawValue { return Target(path: path, form: .diagram) }
      guard let form = Form(ending: path) else {
        throw .usage(
          "--trace \(Escaped.text(path))", why: "unknown extension, which selects the format",
          hint: "use a name that ends with \(Form.endings), or - for the terminal")
      }
      return Target(path: path, form: form)
    }
    guard !keepsSecrets || !targets.isEmpty else {
      throw .usage("--trace-secrets", why: "it requires --trace", hint: "add --trace FILE")
    }
    guard !keepsSecrets || !targets.contains(where: { $0.form == .diagram }) else {
      throw .usage(
        "--trace-secrets", why: "the terminal shows no secrets (--trace -)", hint: "use a file: --trace FILE.har")
    }
    self.others = targets.isEmpty ? [] : others()
    for target in targets where target.form != .diagram && !self.others.isEmpty {
      let path = FilePath(target.path).lexicallyNormalized()
      guard let other = self.others.first(where: { FilePath($0.path).lexicallyNormalized() == path }) else { continue }
      throw TraceArguments.sameFile(target.path, as: other.option)
    }
    guard targets.count > 1 else { return }
    var paths: Set<FilePath> = []
    for target in targets where !paths.insert(FilePath(target.path).lexicallyNormalized()).inserted {
      throw .usage("--trace \(Escaped.text(target.path))", why: "it is given twice", hint: "remove one")
    }
  }

  /// Returns the error that a file is already used for something else.
  static func sameFile(_ path: String, as use: String) -> AuthError {
    .usage("--trace \(Escaped.text(path))", why: "it is the same file as that of \(use)", hint: "use another name")
  }
}
