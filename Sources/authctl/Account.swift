import AuthCore
import Glibc

/// The user's entry in the password database.
enum Account {
  /// The home directory; nil if the user has no entry or no home (getpwuid(3)).
  static var home: String? {
    // Before any other thread exists: the entry is in memory of the C library.
    guard let entry = unsafe getpwuid(geteuid()), let path = unsafe entry.pointee.pw_dir else { return nil }
    let home = unsafe String(cString: path)
    return home.starts(withBytes: "/") ? home : nil
  }
}
