/// What a device authorization endpoint answers (RFC 8628, section 3.2), read as leniently as servers write it.
public struct DeviceAuthorization: Sendable, Equatable {
  /// `device_code`: what the tokens are asked for with.
  let deviceCode: Secret
  /// `user_code`: what the person types in, made safe to show.
  public let userCode: String
  /// `verification_uri` (`verification_url` at some servers): the page to open, safe to show.
  public let verificationURI: String
  /// `verification_uri_complete`: the same page with the code in it, where the server has one that can be used.
  public let verificationURIComplete: String?
  /// `expires_in`, in seconds: how long the codes live; 10 minutes where the server says nothing usable.
  public let expiresIn: Double
  /// `interval`, in seconds: the least time between two polls; 5 where the server says nothing usable.
  public let interval: Double

  /// Why a document is no such response; never quotes a code.
  struct Malformed: Error, Equatable {
    let reason: String
  }

  /// Reads the JSON object of a device authorization endpoint.
  ///
  /// - Throws: ``Malformed`` where one of the codes or the page is missing or can't be used.
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

  /// A page of the web and nothing else that a terminal or a camera would open; a fragment is kept, for pages that are
  /// found by it.
  private static func page(_ value: JSONValue?) -> String? {
    guard let text = value?.string, let url = try? WebURL(text) else { return nil }
    return text.isVisibleASCII ? text : url.string
  }

  /// A number of seconds; what is absent, no number, or less than zero counts as not said.
  private static func seconds(_ value: JSONValue?, otherwise: Double, within bounds: ClosedRange<Double>) -> Double {
    guard let seconds = value?.lenientNumber, seconds >= 0 else { return otherwise }
    return min(max(seconds, bounds.lowerBound), bounds.upperBound)
  }
}
