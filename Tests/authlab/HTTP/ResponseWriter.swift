import Foundation
import HTTPServer

/// Writes an answer to its connection.
struct ResponseWriter: Sendable {
  private let exchange: ServerExchange
  /// The `Date` header.
  private let date: (name: String, value: String)

  /// Prepares an answer at the time that the server claims.
  init(_ exchange: ServerExchange, _ state: LabState) async {
    self.exchange = exchange
    date = ("Date", HTTPDate(secondsSince1970: await state.wallClock()).text)
  }

  /// Writes an answer; `HEAD` gets the head only.
  /// - Throws: `Errno` when the connection breaks.
  func write(_ response: Response) async throws {
    switch response.body {
    case .data(let data): exchange.respond(status: response.status, fields: fields(of: response), body: Array(data))
    case .pattern(let count, let chunked):
      try begin(response, length: chunked ? nil : count)
      try await write(BytePattern.block, count: count)
      exchange.end()
    }
  }

  /// Writes a head that promises more than the half of the body that follows it.
  /// - Throws: `Errno` when the connection breaks.
  func writeTruncated(_ response: Response) async throws {
    let response = response.adding("Connection", "close")
    switch response.body {
    case .data(let data):
      try begin(response, length: response.status == 204 ? nil : max(data.count, 1))
      try await write(Array(data), count: data.count / 2)
    case .pattern(let count, let chunked):
      try begin(response, length: chunked ? nil : count)
      try await write(BytePattern.block, count: count / 2)
    }
    exchange.endEarly()
  }

  private func fields(of response: Response) -> [(name: String, value: String)] {
    [date] + response.headers.fields.map { (name: $0.name, value: $0.value) }
  }

  private func begin(_ response: Response, length: Int?) throws {
    let length = length.map { [(name: "Content-Length", value: "\($0)")] } ?? []
    try exchange.begin(status: response.status, fields: fields(of: response) + length)
  }

  /// Writes as many bytes of a block that is repeated, on a thread of its own, which may wait for a slow client.
  private func write(_ block: [UInt8], count: Int) async throws {
    guard count > 0 else { return }
    try await withCheckedThrowingContinuation { done in
      Thread.detachNewThread {
        done.resume(
          with: Result {
            for _ in 0..<count / block.count { try exchange.write(block) }
            try exchange.write(Array(block.prefix(count % block.count)))
          })
      }
    }
  }
}
