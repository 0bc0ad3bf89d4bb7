/// Where nothing can be renewed: a password is good until it is changed.
struct NoRenewal: TokenRenewal {
  let session: String

  func canRenew(_ pair: TokenPair) -> Bool { false }

  func renew(_ pair: TokenPair) async throws(RenewalFailure) -> TokenPair {
    try check(pair)
    return pair
  }

  func check(_ pair: TokenPair) throws(RenewalFailure) {
    throw .other(
      .usage(
        .init(
          "profile \(session)", why: "it has a password, and nothing to refresh",
          remedy: .logIn(session: session))))
  }
}
