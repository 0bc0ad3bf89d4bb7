/// A response from a device authorization endpoint (RFC 8628, section 3.2), parsed leniently.
public struct DeviceAuthorization: Sendable, Equatable {
  /// `device_code`: identifies this login in token requests.
  let deviceCode: Secret
  /// `user_code`: the code that the user types in, escaped for display.
  public let userCode: String
  /// `verification_uri` (`verification_url` at some servers): the page to open, escaped for display.
  public let verificationURI: String
  /// `verification_uri_complete`: the same page with the code in its URL; nil if the server has no usable one.
  public let verificationURIComplete: String?
  /// `expires_in`, in seconds: the lifetime of the codes; 10 minutes if the server states no usable value.
  public let expiresIn: Double
  /// `interval`, in seconds: the minimum time between two polls; 5 if the server states no usable value.
  public let interval: Double

  /// The reason why a document is not such a response; never quotes a code.
  struct Malformed: Error, Equatable {
    let reason: String
  }

  /// Reads the JSON object of a device authorization endpoint.
  ///
  /// - Throws: ``Malformed`` if a code or the page is missing or unusable.
  init(_ document: JSONValue) throws(Malformed) {
    guard case .object = document else { throw Malformed(reason: "the response is not a JSON object") }
    deviceCode = Secret(try DeviceAuthorization.text("device_code", document))
    userCode = Escaped.text(try DeviceAuthorization.text("user_code", document), limit: 80)
    let name = document["verification_uri"] == nil ? "verification_url" : "verification_uri"
    guard document[name] != nil else { throw Malformed(reason: "the response has no verification_uri") }
    guard let page = DeviceAuthorization.page(document[name]) else {
      throw Malformed(reason: "the response's \(name) is not a usable URL")
    }
    verificationURI = page
    verificationURIComplete = DeviceAuthorization.page(
      document["verification_uri_complete"] ?? document["verification_url_complete"])
    expiresIn = DeviceAuthorization.seconds(document["expires_in"], otherwise: 600, within: 1...3600)
    interval = DeviceAuthorization.seconds(document["interval"], otherwise: 5, within: 1...60)
  }

  private static func text(_ name: String, _ document: JSONValue) throws(Malformed) -> String {
    guard let text = document[name]?.string, !text.isEmpty else {
      throw Malformed(reason: "the response has no \(name)")
    }
    return text
  }

  /// Returns the URL of a web page; nil for any other scheme that a terminal or a camera would open. Its fragment is
  /// kept, because some pages need it.
  private static func page(_ value: JSONValue?) -> String? {
    guard let text = value?.string, let url = try? WebURL(text) else { return nil }
    return text.isVisibleASCII ? text : url.string
  }

  /// Reads a number of seconds; an absent, invalid or negative value counts as not stated.
  private static func seconds(_ value: JSONValue?, otherwise: Double, within bounds: ClosedRange<Double>) -> Double {
    guard let seconds = value?.lenientNumber, seconds >= 0 else { return otherwise }
    return min(max(seconds, bounds.lowerBound), bounds.upperBound)
  }
}
