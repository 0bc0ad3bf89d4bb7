import FoundationEssentials

extension TokenPair {
  /// Reads the stored form.
  init(_ values: StoredObject<CodingKeys>) throws {
    let version = try values.required(.version, values.integer(.version, as: Int.self))
    guard version == TokenPair.version else { throw UnknownVersion(version: version) }
    self.init(
      accessToken: Secret(try values.required(.accessToken, values.text(.accessToken))),
      refreshToken: try values.text(.refreshToken).map { Secret($0) },
      tokenType: try values.required(.tokenType, values.text(.tokenType)),
      expiresAt: try values.date(.expiresAt), refreshExpiresAt: try values.date(.refreshExpiresAt),
      scope: try values.text(.scope)?.scopeWords, subject: try values.text(.subject),
      issuedAt: try values.required(.issuedAt, values.date(.issuedAt)),
      server: try values.object(.server, Server.CodingKeys.self).map { try Server($0) })
    idTokenClaims = try values.text(.idTokenClaims)
    loggedInAt = try values.required(.loggedInAt, values.date(.loggedInAt))
    lastRefresh = try values.date(.lastRefresh)
    lastError = try values.object(.lastError, Failure.CodingKeys.self).map { try Failure($0) }
    refusedAt = try values.date(.refusedAt)
    accessTokenRefusedAt = try values.date(.accessTokenRefusedAt)
    // Only for information: an unknown form is ignored, here and below.
    apiRefusal = try? values.object(.apiRefusal, Refusal.CodingKeys.self).map { try Refusal($0) }
    refreshBegan = try values.date(.refreshBegan)
    sessionID = try values.text(.sessionID)
    flow = try values.text(.flow)
    dpopThumbprint = try values.text(.dpopThumbprint)
    clock = try values.object(.clock, IssuanceClock.CodingKeys.self).map { try IssuanceClock($0) }
    change = try values.object(.change, Change.CodingKeys.self).map { try Change($0) }
    // Earlier versions recorded the background process of a refresh separately.
    let former = try? values.object(.refreshedBy, RefreshingProcess.CodingKeys.self).map { try RefreshingProcess($0) }
    if let former, former.isInBackground { change?.process.isInBackground = true }
  }
}

extension TokenPair.Server {
  fileprivate init(_ values: StoredObject<CodingKeys>) throws(DecodingError) {
    self.init(
      issuer: try values.text(.issuer), clientID: try values.required(.clientID, values.text(.clientID)),
      tokenEndpoint: try values.text(.tokenEndpoint), revocationEndpoint: try values.text(.revocationEndpoint))
    origins = try values.texts(.origins)
  }
}

extension TokenPair.Failure {
  fileprivate init(_ values: StoredObject<CodingKeys>) throws(DecodingError) {
    error = try values.required(.error, values.text(.error))
    // Not shortened again.
    description = try values.text(.description)
    at = try values.required(.at, values.date(.at))
    final = try values.required(.final, values.flag(.final))
  }
}

extension TokenPair.Refusal {
  fileprivate init(_ values: StoredObject<CodingKeys>) throws(DecodingError) {
    self.init(
      at: try values.required(.at, values.date(.at)),
      status: try values.required(.status, values.integer(.status)),
      error: try values.text(.error), description: try values.text(.description),
      request: try values.required(.request, values.text(.request)),
      isOver: try values.required(.isOver, values.flag(.isOver)))
  }
}

extension TokenPair.Change {
  fileprivate init(_ values: StoredObject<CodingKeys>) throws(DecodingError) {
    self.init(
      number: try values.required(.number, values.integer(.number)),
      process: RefreshingProcess(
        pid: try values.required(.process, values.integer(.process)),
        isInBackground: try values.flag(.isInBackground) ?? false))
  }
}

extension RefreshingProcess {
  fileprivate init(_ values: StoredObject<CodingKeys>) throws(DecodingError) {
    self.init(
      pid: try values.required(.pid, values.integer(.pid)),
      isInBackground: try values.required(.isInBackground, values.flag(.isInBackground)))
  }
}

extension IssuanceClock {
  fileprivate init(_ values: StoredObject<CodingKeys>) throws(DecodingError) {
    let (id, uptime) = (try values.text(.bootID), try values.number(.uptime))
    let time = try values.required(.time, values.date(.time))
    self.init(time: time, bootID: id, uptime: uptime, serverOffset: try values.number(.serverOffset))
  }
}
