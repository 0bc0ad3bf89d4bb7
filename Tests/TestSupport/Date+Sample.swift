public import Foundation

extension Date {
  /// 2026-01-02T03:04:05Z: the time at which the tests take place.
  public static let sample = Date(timeIntervalSince1970: 1_767_323_045)
}
