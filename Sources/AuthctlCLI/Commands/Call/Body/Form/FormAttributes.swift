/// What stands behind the content of a `-F`, each after a `;`.
struct FormAttributes: Sendable, Equatable {
  /// A header line of a part, or the file that holds some.
  enum Header: Sendable, Equatable {
    /// `headers="Name: value"`
    case line(String)
    /// `headers=@FILE`
    case file(String)
  }

  /// `type=`, with its parameters.
  var mediaType: String?
  /// `filename=`
  var fileName: String?
  /// `headers=`, in order.
  var headers: [Header] = []
  /// `encoder=`
  var encoder: String?
}
