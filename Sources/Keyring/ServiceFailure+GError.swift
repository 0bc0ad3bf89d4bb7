import AuthCore
import CSecret

extension ServiceFailure {
  /// Creates a failure from an error of GLib, and frees it: https://docs.gtk.org/glib/struct.Error.html
  init(taking error: UnsafeMutablePointer<GError>?) {
    guard let error = unsafe error else {
      self.init(.refused)
      return
    }
    defer { unsafe g_error_free(error) }
    let name = unsafe g_dbus_error_get_remote_error(error) ?? g_dbus_error_encode_gerror(error)
    defer { unsafe g_free(name) }
    unsafe g_dbus_error_strip_remote_error(error)
    let message = unsafe String(cString: error.pointee.message)
    let code = unsafe error.pointee.domain == g_io_error_quark() ? GIOErrorEnum(UInt32(error.pointee.code)) : nil
    switch (code, unsafe name) {
    case (G_IO_ERROR_CANCELLED, _), (G_IO_ERROR_TIMED_OUT, _): self.init(.timedOut)
    case (G_IO_ERROR_CLOSED, _): self.init(.noBus, detail: message)
    case (_, let name?): unsafe self.init(errorName: String(cString: name), message: message)
    case (_, nil): self.init(.refused, detail: message)
    }
  }
}
