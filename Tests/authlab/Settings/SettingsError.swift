/// Settings or a fault that the control interface can't use.
struct SettingsError: Error {
  /// What is wrong, for the client's eyes.
  let reason: String
}
