import AuthCore
import CAuthSecret

/// The functions of libsecret and GLib; only after ``SecretLibrary/load()``.
var library: csecret_functions { unsafe csecret_functions_loaded().pointee }

/// libsecret and GLib, which are not linked but loaded when the keyring is used.
enum SecretLibrary {
  /// Loads the libraries, once per process.
  ///
  /// - Throws: ``ServiceFailure`` if they can't be used.
  static func load() throws(ServiceFailure) {
    guard let reason = unsafe csecret_load() else { return }
    throw ServiceFailure(
      .noService, reason: "libsecret can't be loaded", detail: unsafe String(cString: reason),
      hint: "install libsecret, on Debian and Ubuntu the package libsecret-1-0")
  }
}
