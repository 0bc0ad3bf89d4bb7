import Foundation

// Shows what a program does with AuthCore, against authlab: AuthCoreExample http://127.0.0.1:PORT
//
// The code blocks of the articles in AuthCore.docc are taken from these files; a test compares them.

guard CommandLine.arguments.count >= 2 else {
  print("usage: AuthCoreExample ORIGIN [PROGRAM [FILE]]")
  exit(2)
}
switch CommandLine.arguments.dropFirst(2).first {
case "standard": try await Standard.main()
case "json-pair": try await JSONPair.main()
case "retry-on-401": try await RetryOn401.main()
case "retries": try await Retries.main()
case "success-flag": try await SuccessFlag.main()
case "register-nested": try await RegisterNested.main()
case "guest-envelope": try await GuestEnvelope.main()
case "logged-requests": try await LoggedRequests.main()
case "shared-session": try await SharedSession.main()
case "recorded-trace": try await RecordedTrace.main()
default: try await tour()
}

/// What the articles show in pieces.
func tour() async throws {
  let lab = try Lab(origin: CommandLine.arguments[1])
  try await StandardServer(lab: lab).run()
  try await OwnServer(lab: lab).run()
  try await Interceptors(lab: lab).run()
  try await Failures(lab: lab).run()
  try await ManyTasks(lab: lab).run()
}
