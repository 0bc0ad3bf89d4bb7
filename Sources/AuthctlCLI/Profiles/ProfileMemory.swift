import AuthCore
import Synchronization

/// Caches profiles, so that a run reads each file once.
final class ProfileMemory: Sendable {
  private let profiles = Mutex<[ProfileName: Result<Profile?, AuthError>]>([:])
  private let names = Mutex<[ProfileName]?>(nil)

  /// Returns the profile with a name; nil if there is none.
  ///
  /// - Throws: the error of `read`, again on each call.
  func profile(
    _ name: ProfileName, _ read: (ProfileName) throws(AuthError) -> Profile?
  ) throws(AuthError) -> Profile? {
    if let known = profiles.withLock({ $0[name] }) { return try known.get() }
    let result: Result<Profile?, AuthError>
    do throws(AuthError) { result = .success(try read(name)) } catch { result = .failure(error) }
    profiles.withLock { $0[name] = result }
    return try result.get()
  }

  /// Returns the names of all profiles.
  ///
  /// - Throws: the error of `read`.
  func names(_ read: () throws(AuthError) -> [ProfileName]) throws(AuthError) -> [ProfileName] {
    if let known = names.withLock({ $0 }) { return known }
    let all = try read()
    names.withLock { $0 = all }
    return all
  }
}
