/// The page where a person enters the user code, logs in and decides (RFC 8628, section 3.3).
struct DevicePage {
  /// What the server remembers.
  let state: LabState

  /// Shows the form, or takes down the decision.
  func answer(_ request: Request, form: FormFields) async -> Response {
    guard request.method == "POST" else {
      return LoginPage.deviceForm(userCode: request.query["user_code"] ?? "", problem: nil)
    }
    let code = form["user_code"] ?? ""
    guard form["decision"] == "allow" else {
      return await decided(.denied, code: code, words: "You have said no.")
    }
    guard let name = form["username"], let password = form["password"], state.users[name]?.password == password else {
      return LoginPage.deviceForm(userCode: code, problem: "The name or the password is wrong.")
    }
    return await decided(.approved(subject: name), code: code, words: "You can go back to your device.")
  }

  private func decided(_ decision: DeviceGrant.Decision, code: String, words: String) async -> Response {
    guard await state.decideDevice(code, decision) else {
      return LoginPage.failure("The code is not known, or has expired.", outcome: "device.unknown_code")
    }
    return LoginPage.notice(words, outcome: "device.decided")
  }
}
