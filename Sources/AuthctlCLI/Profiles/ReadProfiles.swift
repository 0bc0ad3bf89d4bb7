import AuthCore
import Synchronization

/// Caches profiles, so that a run reads each file once.
final class ReadProfiles: Sendable {
  private enum Known: Sendable {
    case profile(Profile?)
    case failure(AuthError)

    func get() throws(AuthError) -> Profile? {
      switch self {
      case .profile(let profile): return profile
      case .failure(let error): throw error
      }
    }
  }

  private let profiles = Mutex<[String: Known]>([:])
  private let names = Mutex<[ProfileName]?>(nil)

  /// Returns the profile with a name; nil if there is none.
  ///
  /// - Throws: the error of `read`, again on each call.
  func profile(
    _ name: ProfileName, _ read: (ProfileName) throws(AuthError) -> Profile?
  ) throws(AuthError) -> Profile? {
    if let known = profiles.withLock({ $0[name.string] }) { return try known.get() }
    let result: Known
    do throws(AuthError) { result = .profile(try read(name)) } catch { result = .failure(error) }
    profiles.withLock { $0[name.string] = result }
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
