import Crypto
import Foundation

/// Who has registered with one of the kinds.
struct KindUser: Sendable {
  /// The name that was given.
  let name: String
  /// The e-mail address, where one was given.
  var email: String?
  /// The password, where one was given.
  var password: String?
  /// The image, where one was given.
  var image: MultipartPart?

  /// The user as the answers show it.
  func json(id: String) -> JSONValue {
    var json: JSONValue = ["id": .string(id), "name": .string(name), "email": email.map { .string($0) } ?? .null]
    if let image {
      json = json.adding(
        "image",
        [
          "file_name": image.fileName.map { .string($0) } ?? .null, "type": image.type.map { .string($0) } ?? .null,
          "length": .integer(image.content.count),
          "sha256": .string(
            SHA256.hash(data: image.content).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()),
        ])
    }
    return json
  }
}
