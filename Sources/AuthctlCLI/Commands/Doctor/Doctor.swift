import AuthCore

extension Command {
  static let doctor = Command(
    name: "doctor", summary: "check everything that a login and a call depend on",
    operands: [Operand("PROFILE", optional: true, completion: .profile)],
    manual: Manual(PackageResources.doctor_md, inserting: ["{checks}": DoctorCheck.markup]),
    options: [DoctorOptions.offline, .json], limit: .seconds(10))
}

extension RunnableCommand {
  static let doctor = RunnableCommand(.doctor, DoctorArguments.init) { arguments, context in
    let names = try ProfileChoice(context).profiles(arguments.profiles)
    if !arguments.profiles.isAll {
      for name in names where !context.profiles.has(name) { throw try ProfileChoice(context).missing(name) }
    }
    if !arguments.isOffline, !names.isEmpty { context.prepareTransport() }
    let choice = ProfileChoice(context, requiringFiles: false)
    // A profile that can't be read may use the keyring.
    let stores: [StoreKind] =
      names.isEmpty ? [.keyring] : names.map { (try? choice.profile(named: $0))?.store ?? .keyring }
    async let machine = MachineChecks(context: context, stores: Set(stores)).findings()
    let profiles = await withTaskGroup(of: [DoctorFinding].self) { group in
      for name in names {
        group.addTask { await ProfileDiagnosis(name, context, isOffline: arguments.isOffline).findings() }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    let report = DoctorReport(await machine + profiles)
    // The reader may take its time.
    context.relauncher?.endAfter(.zero)
    if context.verbosity.printsJSON {
      try context.console.write(context.program.named(hint: try report.json.text()) + "\n")
    } else {
      let text = report.text(colour: context.verbosity.colour.output)
      try context.console.write(context.program.named(hint: text))
    }
    return report.status
  }
}

/// The options of `doctor`.
enum DoctorOptions {
  static let offline = Option("offline", summary: "send no request: check only this machine")
}

/// The command line of `doctor`.
struct DoctorArguments: Sendable {
  /// The profiles to check; all if none is named.
  let profiles: ProfileSelection
  /// Whether no request is sent.
  let isOffline: Bool

  /// - Throws: ``AuthError/usage(_:)``.
  init(_ invocation: Invocation) throws(AuthError) {
    let named = try ProfileSelection(invocation)
    profiles = named.name == nil ? .all : named
    isOffline = invocation.has(DoctorOptions.offline)
  }
}
