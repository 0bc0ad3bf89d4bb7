import AuthCore
import CSecret

extension ServiceFailure {
  /// Creates a failure from an error of GLib, and frees it: https://docs.gtk.org/glib/struct.Error.html
  init(taking error: OpaquePointer?) {
    guard let error = unsafe error else {
      self.init(.refused)
      return
    }
    defer { unsafe library.g_error_free(error) }
    let name = unsafe library.g_dbus_error_get_remote_error(error) ?? library.g_dbus_error_encode_gerror(error)
    defer { unsafe library.g_free(name) }
    _ = unsafe library.g_dbus_error_strip_remote_error(error)
    let members = unsafe UnsafePointer<csecret_error>(error).pointee
    let message = unsafe String(cString: members.message)
    let code = unsafe members.domain == library.g_io_error_quark() ? Int(members.code) : nil
    switch (code, unsafe name) {
    case (CSECRET_IO_CANCELLED, _), (CSECRET_IO_TIMED_OUT, _): self.init(.timedOut)
    case (CSECRET_IO_CLOSED, _): self.init(.noBus, detail: message)
    case (_, let name?): unsafe self.init(errorName: String(cString: name), message: message)
    case (_, nil): self.init(.refused, detail: message)
    }
  }
}
