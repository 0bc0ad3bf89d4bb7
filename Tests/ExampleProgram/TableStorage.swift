import AuthCore
import Foundation

/// Keeps the pair as a row of a table of the program's own.
actor TableStorage: TokenStorage {
  private var row: Data?

  func load() async throws(AuthError) -> TokenPair? {
    do {
      return try row.map { try JSONDecoder().decode(TokenPair.self, from: $0) }
    } catch {
      throw .storage(.damaged, .init("the stored tokens", why: "they can't be read", hint: "log in again"))
    }
  }

  func save(_ pair: TokenPair) async throws(AuthError) {
    do {
      row = try JSONEncoder().encode(pair)
    } catch {
      throw .storage(.refused, .init("storing the tokens", why: "they can't be encoded", hint: "report this"))
    }
  }

  func clear() async throws(AuthError) {
    row = nil
  }
}
