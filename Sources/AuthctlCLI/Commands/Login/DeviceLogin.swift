import AuthCore

/// A login on another device: the device authorization grant (RFC 8628).
struct DeviceLogin: Sendable {
  private let arguments: LoginArguments
  private let context: Context

  init(_ arguments: LoginArguments, _ context: Context) {
    self.arguments = arguments
    self.context = context
  }

  /// Returns the flow to use: that of the profile, or the device flow as a fallback. The fallback applies if no flow
  /// was chosen, no browser can be opened here, and the server supports the device flow.
  static func flow(
    of profile: Profile, _ login: Login, _ arguments: LoginArguments, _ context: Context
  ) -> Flow {
    let isOpen = profile.flow == .browser && !profile.isFlowStated && arguments.opensBrowser && !arguments.completes
    guard isOpen, !context.browser.isAvailable, login.deviceAuthorizationEndpoint != nil else { return profile.flow }
    if !context.verbosity.quiet {
      context.console.note("authctl: no browser here: log in on another device (or use --flow browser)")
    }
    return .device
  }

  func pair(_ login: Login, _ profile: Profile) async throws -> TokenPair {
    let authorization = try await login.deviceAuthorization()
    show(authorization)
    let lifetime = Duration.seconds(authorization.expiresIn)
    let line = WaitingLine(
      context, arguments.timeout.map { min($0, lifetime) } ?? lifetime, offer: opening(authorization)
    ) { left, isOffered in
      let line = "Waiting for approval … \(left) left"
      return (isOffered ? [line + ". Press Enter to open the page here."] : []) + [line]
    }
    return try await line.during { try await login.tokens(of: authorization, timeout: arguments.timeout) }
  }

  /// Returns the offer to open the page in a browser on this machine; nil if there is none.
  private func opening(_ authorization: DeviceAuthorization) -> WaitingLine.Offer? {
    guard arguments.opensBrowser, context.browser.isAvailable else { return nil }
    let page = authorization.verificationURIComplete ?? authorization.verificationURI
    return { [context] in context.openPage(page, isShown: true) }
  }

  /// Shows the code, even with `-q`: the user cannot log in without it.
  private func show(_ authorization: DeviceAuthorization) {
    let note = context.console.note
    note("To log in, open this page on any device:")
    show(page: authorization.verificationURI)
    note("and enter this code:")
    note("  \(authorization.userCode)")
    if let complete = authorization.verificationURIComplete, complete != authorization.verificationURI {
      note("or open this page, which contains the code:")
      show(page: complete)
    }
    guard canDraw, let code = context.qrCode(authorization.verificationURIComplete ?? authorization.verificationURI),
      code.drawingWidth <= context.console.width
    else { return }
    context.console.draw(code.drawing(colour: context.verbosity.colour.error) + "\n")
  }

  /// The length from which an address is cut, in bytes: no one could use it.
  private static let longestPage = 2000

  private func show(page: String) {
    guard page.utf8.count > DeviceLogin.longestPage else { return context.notePage(page) }
    context.console.note("  \(Escaped.text(page, limit: DeviceLogin.longestPage))")
  }

  /// Whether a QR code can be drawn: on a terminal, in characters that it supports.
  private var canDraw: Bool {
    context.console.terminals.error && context.variable("TERM") != "dumb" && context.hasUnicode
  }
}
