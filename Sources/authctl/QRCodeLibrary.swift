import AuthctlCLI
import CQRCode

/// Creates QR codes with libqrencode.
enum QRCodeLibrary {
  /// Returns the QR code of a text; nil if the library is not installed or the text is too long.
  static func code(of text: String) -> QRCode? {
    var modules = [UInt8](repeating: 0, count: Int(CQRCODE_LARGEST * CQRCODE_LARGEST))
    // C writes into the array, which has room for the largest code.
    let width = Int(unsafe cqrcode_encode(text, &modules))
    return QRCode(isDark: modules.prefix(width * width).map { $0 == 1 }, width: width)
  }
}
