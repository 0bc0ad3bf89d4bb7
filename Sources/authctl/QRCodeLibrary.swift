import AuthctlCLI
import CQRCode

/// QR codes of libqrencode.
enum QRCodeLibrary {
  /// The code of a text; nil where the library is not there or the text is too long.
  static func code(of text: String) -> QRCode? {
    var modules = [UInt8](repeating: 0, count: Int(CQRCODE_LARGEST * CQRCODE_LARGEST))
    // C writes into the array, which is as large as the largest code.
    let width = Int(unsafe cqrcode_encode(text, &modules))
    return QRCode(isDark: modules.prefix(width * width).map { $0 == 1 }, width: width)
  }
}
