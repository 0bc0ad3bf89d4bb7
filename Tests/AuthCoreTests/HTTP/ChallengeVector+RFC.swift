extension ChallengeVector {
  /// The examples of the RFCs, and what follows from their grammar.
  static let rfc = [
    ChallengeVector(
      "RFC 9110, section 11.6.1", #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
      is: ["basic ‹realm›simple", #"newauth ‹realm›apps ‹type›1 ‹title›Login to "apps""#]),
    ChallengeVector("RFC 9110, section 11.1, token68", "Negotiate YII=", is: ["negotiate =YII="]),
    ChallengeVector(
      "token68 with all its characters", "NTLM aZ09-._~+/==, Basic realm=x",
      is: ["ntlm =aZ09-._~+/==", "basic ‹realm›x"]),
    ChallengeVector("token68 is all that a challenge has", "Negotiate YII=, realm=x", is: ["negotiate =YII="]),
    ChallengeVector("a scheme before a comma with a space", "Negotiate , NTLM", is: ["negotiate", "ntlm"]),
    ChallengeVector("RFC 6750, section 3, without a token", #"Bearer realm="example""#, is: ["bearer ‹realm›example"]),
    ChallengeVector(
      "RFC 6750, section 3, expired",
      #"Bearer realm="example", error="invalid_token", error_description="The access token expired""#,
      is: ["bearer ‹realm›example ‹error›invalid_token ‹error_description›The access token expired"]),
    ChallengeVector(
      "RFC 7616, section 3.9.1",
      #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XX""#,
      is: [
        "digest ‹realm›http-auth@example.org ‹qop›auth, auth-int ‹algorithm›SHA-256 ‹nonce›7ypf/xlj9XX"
      ]),
    ChallengeVector(
      "RFC 7617, section 2.1", #"Basic realm="foo", charset="UTF-8""#, is: ["basic ‹realm›foo ‹charset›UTF-8"]),
    ChallengeVector(
      "RFC 9449, section 7.1", #"DPoP realm="WallyWorld", algs="ES256 PS256""#,
      is: ["dpop ‹realm›WallyWorld ‹algs›ES256 PS256"]),
    ChallengeVector(
      "RFC 9449, section 9", #"DPoP error="use_dpop_nonce", error_description="Resource server requires nonce""#,
      is: ["dpop ‹error›use_dpop_nonce ‹error_description›Resource server requires nonce"]),
    ChallengeVector(
      "RFC 9470, section 3", #"Bearer error="insufficient_user_authentication", acr_values="myACR""#,
      is: ["bearer ‹error›insufficient_user_authentication ‹acr_values›myACR"]),
    ChallengeVector(
      "RFC 9728, section 5.1",
      #"Bearer resource_metadata="https://resource.example.com/.well-known/oauth-protected-resource""#,
      is: ["bearer ‹resource_metadata›https://resource.example.com/.well-known/oauth-protected-resource"]),
    ChallengeVector("an escaped backslash before the end", #"A a="\\", b="x,\"y""#, is: [#"a ‹a›\ ‹b›x,"y"#]),
    ChallengeVector("an empty string", #"A a="""#, is: ["a ‹a›"]),
    ChallengeVector("bad whitespace of both kinds", "A\ta \t=\t b ,\tc= d", is: ["a ‹a›b ‹c›d"]),
    ChallengeVector("nothing", "", is: []), ChallengeVector("no field", is: []),
    ChallengeVector("empty elements only", " , ,,\t,", is: []),
    ChallengeVector("several fields in one", "A x=1, B", "C", "", "D y=2", is: ["a ‹x›1", "b", "c", "d ‹y›2"]),
    ChallengeVector("a string without its end reaches to the end of its own field", "A x=\"1", "B", is: ["a", "b"]),
  ]

  /// What real servers send beside the grammar, and what no server should send.
  static let sloppy = [
    ChallengeVector("lower case", "bearer realm=\"x\"", is: ["bearer ‹realm›x"]),
    ChallengeVector(
      "no space after a comma", #"Bearer realm="x",error="invalid_token""#, is: ["bearer ‹realm›x ‹error›invalid_token"]
    ),
    ChallengeVector(
      "no comma between parameters", #"Bearer realm="x" error="invalid_token" scope=a, B"#,
      is: ["bearer ‹realm›x ‹error›invalid_token ‹scope›a", "b"]),
    ChallengeVector(
      "a URL without quotes", "Bearer resource_metadata=https://api.example/.well-known/x?y=z, error=e",
      is: ["bearer ‹resource_metadata›https://api.example/.well-known/x?y=z ‹error›e"]),
    ChallengeVector(
      "words without quotes: the first of them", "Bearer error_description=The token expired, error=e",
      is: ["bearer ‹error_description›The ‹error›e"]),
    ChallengeVector("a parameter without a value", "Bearer a, b=, c=1", is: ["bearer =a"]),
    ChallengeVector("a parameter without a value in the middle", "Bearer z=0, b=, c=1", is: ["bearer ‹z›0 ‹c›1"]),
    ChallengeVector("a parameter without a challenge", "realm=\"x, Basic\", B", is: ["b"]),
    ChallengeVector("the same with bad whitespace", "A, realm = \"x, Basic\", B", is: ["a", "b"]),
    ChallengeVector("what is no scheme", "\"Basic\" realm=x, (A), B", is: ["b"]),
    ChallengeVector("what follows a string", #"A x="1"y, z=2"#, is: ["a ‹x›1 ‹z›2"]),
    ChallengeVector("a string that follows a token", #"A x=1"y, B", z=2"#, is: ["a ‹z›2"]),
    ChallengeVector("an escape at the end", "A x=\"1\\", is: ["a"]),
    ChallengeVector("equals signs", "A =, ==, B =x, C", is: ["c"]),
  ]
}
