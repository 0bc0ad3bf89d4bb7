import AuthCore

/// The content that requests send: data, a form, or a query. The files of `-T` belong to a ``CallAddress``.
enum BodyArguments: Sendable, Equatable {
  /// Nothing, or files that are uploaded.
  case none
  /// The data of `-d` and similar options, as the body.
  case data([DataPiece])
  /// The same data, in the URL's query (`-G`).
  case query([DataPiece])
  /// The `-F` and `--form-string`.
  case form([FormOption])

  /// - Throws: ``AuthError/usage(_:)`` if options imply different methods, or a form is malformed.
  init(_ invocation: Invocation) throws(AuthError) {
    try BodyArguments.checkMethods(invocation)
    let pieces = invocation.occurrences.filter { CallOptions.pieces.contains($0.option) }.map { DataPiece($0) }
    let form = try FormOption.all(invocation)
    if !form.isEmpty {
      self = .form(form)
    } else if pieces.isEmpty {
      self = .none
    } else {
      self = invocation.has(CallOptions.get) ? .query(pieces) : .data(pieces)
    }
  }

  /// Refuses options that imply different methods.
  private static func checkMethods(_ invocation: Invocation) throws(AuthError) {
    let isQuery = invocation.has(CallOptions.get)
    let asked = [
      CallOptions.pieces.first { invocation.has($0) && !isQuery },
      [CallOptions.form, CallOptions.formString].first(where: invocation.has),
      CallOptions.uploadFile, CallOptions.head,
      isQuery && !invocation.has(CallOptions.head) ? CallOptions.get : nil,
    ].compactMap(\.self)
    try invocation.allowOne(of: asked, why: "each implies a different method")
    if invocation.values(CallOptions.uploadFile).count > invocation.operands.count {
      throw .usage("-T", why: "there are more files than URLs", hint: "add a URL for each file")
    }
  }
}
