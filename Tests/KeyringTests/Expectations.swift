import AuthCore
import Testing

/// The fault with which an operation on a store fails; nil when it succeeds.
func fault<Value>(of operation: () async throws -> Value) async throws -> StorageFault? {
  do {
    _ = try await operation()
    return nil
  } catch AuthError.storage(let fault, let explanation) {
    #expect(!explanation.what.isEmpty && !explanation.why.isEmpty && !explanation.hint.isEmpty)
    return fault
  }
}
