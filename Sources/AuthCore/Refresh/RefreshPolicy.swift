/// The rules for when a token is refreshed, and how long callers wait.
public struct RefreshPolicy: Sendable {
  /// The token is refreshed if less than this validity remains.
  public var refreshBefore: Duration
  /// The maximum wait of a refresh, a login or a logout for a refresh by another process.
  public var lockDeadline: Duration
  /// The maximum wait of a request for a refresh while its token is still valid.
  public var patience: Duration
  /// The time after a failure during which no refresh request is sent to the server.
  public var failureRest: Duration
  /// The time during which a refusal of a token that was just issued causes no further refresh.
  public var refusalRest: Duration
  /// The time after its issuance during which a token counts as just issued.
  public var freshness: Duration
  /// The pauses between attempts to save a pair that could not be saved, one pause per retry.
  public var savePauses: [Duration]

  /// Pauses of 45 seconds in total, in which a user can unlock a keyring and a service can restart.
  public static let standardSavePauses: [Duration] = [1, 2, 3, 5, 8, 13, 13].map { .seconds($0) }

  /// Creates a policy.
  public init(
    refreshBefore: Duration = .seconds(60), lockDeadline: Duration = .seconds(60),
    patience: Duration = .seconds(2), failureRest: Duration = .seconds(2),
    savePauses: [Duration] = RefreshPolicy.standardSavePauses, refusalRest: Duration = .seconds(300),
    freshness: Duration = .seconds(30)
  ) {
    self.refreshBefore = refreshBefore
    self.lockDeadline = lockDeadline
    self.patience = patience
    self.failureRest = failureRest
    self.savePauses = savePauses
    self.refusalRest = refusalRest
    self.freshness = freshness
  }
}
