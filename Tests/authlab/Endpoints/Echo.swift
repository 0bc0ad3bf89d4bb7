import Crypto
import Foundation

/// Tells a client what it has sent.
struct Echo {
  /// The request.
  let request: Request
  /// Its body.
  let body: RequestBody

  /// Bodies up to this length are repeated in the answer; of longer ones only length and hash.
  private static let longestBody = 1 << 20

  /// Reads the body and answers with everything about the request.
  /// - Throws: `Errno` when the body can't be read.
  func response(outcome: String) async throws -> Response {
    var hash = SHA256()
    var length = 0
    var kept = Data()
    while let piece = try await body.next() {
      hash.update(data: piece)
      length += piece.count
      if length <= Self.longestBody { kept.append(contentsOf: piece) }
    }
    var json: JSONValue = [
      "method": .string(request.method), "target": .string(request.target), "path": .string(request.path),
      "query": .array(request.query.fields.map { [.string($0.name), .string($0.value)] }),
      "headers": .array(request.headers.fields.map { [.string($0.name), .string($0.value)] }),
      "length": .integer(length), "sha256": .string(Self.hex(hash.finalize())),
    ]
    if length == kept.count {
      if let text = String(data: kept, encoding: .utf8) {
        json = json.adding("body", .string(text))
      } else {
        json = json.adding("body_base64", .string(kept.base64EncodedString()))
      }
    }
    return Response(json: json, outcome: outcome)
  }

  private static func hex(_ digest: SHA256.Digest) -> String {
    digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
