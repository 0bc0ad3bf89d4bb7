extension ChallengeVector {
  /// The test cases for HTTP authentication header fields that browsers are compared with
  /// (greenbytes.de/tech/tc/httpauth), under their names. Where a case says that a browser should not take a challenge,
  /// that is about `Basic`; here it stands what is left of the field by the grammar, and what is taken beyond it is
  /// remarked.
  static let browsers = [
    ChallengeVector("simplebasic", #"Basic realm="foo""#, is: ["basic ‹realm›foo"]),
    ChallengeVector("simplebasiclf", "Basic\r\n realm=\"foo\"", is: ["basic ‹realm›foo"]),
    ChallengeVector("simplebasicucase", #"BASIC REALM="foo""#, is: ["basic ‹realm›foo"]),
    ChallengeVector("simplebasictok", "Basic realm=foo", is: ["basic ‹realm›foo"]),
    ChallengeVector("simplebasictokbs", #"Basic realm=\f\o\o"#, is: ["basic"]),
    ChallengeVector("simplebasicsq", "Basic realm='foo'", is: ["basic ‹realm›'foo'"]),
    ChallengeVector("simplebasicpct", #"Basic realm="foo%20bar""#, is: ["basic ‹realm›foo%20bar"]),
    ChallengeVector("simplebasiccomma", #"Basic , realm="foo""#, is: ["basic ‹realm›foo"]),
    // Without a space after the scheme it has no parameters, and a parameter is no challenge.
    ChallengeVector("simplebasiccomma2", #"Basic, realm="foo""#, is: ["basic"]),
    ChallengeVector("simplebasicnorealm", "Basic", is: ["basic"]),
    // Both are there, and the realm is neither: see the test of the subscript.
    ChallengeVector("simplebasic2realms", #"Basic realm="foo", realm="bar""#, is: ["basic ‹realm›foo ‹realm›bar"]),
    ChallengeVector("simplebasicwsrealm", #"Basic realm = "foo""#, is: ["basic ‹realm›foo"]),
    ChallengeVector("simplebasicrealmsqc", #"Basic realm="\f\o\o""#, is: ["basic ‹realm›foo"]),
    ChallengeVector("simplebasicrealmsqc2", #"Basic realm="\"foo\"""#, is: [#"basic ‹realm›"foo""#]),
    ChallengeVector(
      "simplebasicnewparam1", #"Basic realm="foo", bar="xyz",, a=b,,,c=d"#,
      is: ["basic ‹realm›foo ‹bar›xyz ‹a›b ‹c›d"]),
    ChallengeVector("simplebasicnewparam2", #"Basic bar="xyz", realm="foo""#, is: ["basic ‹bar›xyz ‹realm›foo"]),
    ChallengeVector("simplebasicrealmutf8", #"Basic realm="foo-ä""#, is: ["basic ‹realm›foo-ä"]),
    ChallengeVector(
      "simplebasicrealmrfc2047", #"Basic realm="=?ISO-8859-1?Q?foo-=E4?=""#,
      is: ["basic ‹realm›=?ISO-8859-1?Q?foo-=E4?="]),
    ChallengeVector(
      "multibasicunknown", #"Basic realm="basic", Newauth realm="newauth""#,
      is: ["basic ‹realm›basic", "newauth ‹realm›newauth"]),
    ChallengeVector(
      "multibasicunknownnoparam", #"Basic realm="basic", Newauth"#, is: ["basic ‹realm›basic", "newauth"]),
    ChallengeVector(
      "multibasicunknown2", #"Newauth realm="newauth", Basic realm="basic""#,
      is: ["newauth ‹realm›newauth", "basic ‹realm›basic"]),
    ChallengeVector("multibasicunknown2np", #"Newauth, Basic realm="basic""#, is: ["newauth", "basic ‹realm›basic"]),
    ChallengeVector(
      "multibasicunknown2mf", #"Newauth realm="newauth""#, #"Basic realm="basic""#,
      is: ["newauth ‹realm›newauth", "basic ‹realm›basic"]),
    ChallengeVector("multibasicempty", #",Basic realm="basic""#, is: ["basic ‹realm›basic"]),
    ChallengeVector(
      "multibasicqs", #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
      is: [#"newauth ‹realm›apps ‹type›1 ‹title›Login to "apps""#, "basic ‹realm›simple"]),
    ChallengeVector(
      "multidisgscheme", #"Newauth realm="Newauth Realm", basic=foo, Basic realm="Basic Realm""#,
      is: ["newauth ‹realm›Newauth Realm ‹basic›foo", "basic ‹realm›Basic Realm"]),
    ChallengeVector("unknown", #"Newauth param="value""#, is: ["newauth ‹param›value"]),
    ChallengeVector("parametersnotrequired", "A, B", is: ["a", "b"]),
    ChallengeVector(
      "disguisedrealm", #"Basic foo="realm=nottherealm", realm="basic""#,
      is: ["basic ‹foo›realm=nottherealm ‹realm›basic"]),
    ChallengeVector(
      "disguisedrealm2", #"Basic nottherealm="nottherealm", realm="basic""#,
      is: ["basic ‹nottherealm›nottherealm ‹realm›basic"]),
    // A string without its end is none; the challenge is there, without a realm.
    ChallengeVector("missingquote", #"Basic realm="basic"#, is: ["basic"]),
  ]
}
