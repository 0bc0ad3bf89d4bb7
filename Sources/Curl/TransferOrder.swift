import AuthCore
import HTTPTypes

/// A transfer that is to be carried beside others.
struct TransferOrder: Sendable {
  /// The request.
  let transfer: Transfer
  /// What is added to its header: the token and what belongs to it.
  let fields: [HTTPField]
  /// Who waits for the answer.
  let job: Job
}
