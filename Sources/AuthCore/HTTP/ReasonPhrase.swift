import HTTPTypes

/// The standard reason phrases of statuses (RFC 9110, section 15; RFC 6585, section 4), which HTTP/2 does not send.
package enum ReasonPhrase {
  private static let known: [HTTPResponse.Status] = [
    .ok, .created, .accepted, .noContent, .resetContent, .partialContent, .multipleChoices, .movedPermanently, .found,
    .seeOther, .notModified, .temporaryRedirect, .permanentRedirect, .badRequest, .unauthorized, .forbidden, .notFound,
    .methodNotAllowed, .notAcceptable, .proxyAuthenticationRequired, .requestTimeout, .conflict, .gone,
    .lengthRequired, .preconditionFailed, .contentTooLarge, .unsupportedMediaType, .rangeNotSatisfiable,
    .expectationFailed, .misdirectedRequest, .unprocessableContent, .tooManyRequests, .requestHeaderFieldsTooLarge,
    .internalServerError, .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout, .httpVersionNotSupported,
  ]

  /// Returns the standard phrase of a status: `Not Found`; empty if there is none.
  package static func standard(for status: Int) -> String { known.first { $0.code == status }?.reasonPhrase ?? "" }
}
