import AuthCore
import Synchronization

/// The profiles that were read, so that a run which needs them often reads each file once.
final class ProfileMemory: Sendable {
  private let profiles = Mutex<[ProfileName: Result<Profile?, AuthError>]>([:])
  private let names = Mutex<[ProfileName]?>(nil)

  /// The profile of a name; nil where there is none.
  ///
  /// - Throws: what `read` throws, each time.
  func profile(
    _ name: ProfileName, _ read: (ProfileName) throws(AuthError) -> Profile?
  ) throws(AuthError) -> Profile? {
    if let known = profiles.withLock({ $0[name] }) { return try known.get() }
    let result: Result<Profile?, AuthError>
    do throws(AuthError) { result = .success(try read(name)) } catch { result = .failure(error) }
    profiles.withLock { $0[name] = result }
    return try result.get()
  }

  /// The names of all profiles.
  ///
  /// - Throws: what `read` throws.
  func names(_ read: () throws(AuthError) -> [ProfileName]) throws(AuthError) -> [ProfileName] {
    if let known = names.withLock({ $0 }) { return known }
    let all = try read()
    names.withLock { $0 = all }
    return all
  }
}
