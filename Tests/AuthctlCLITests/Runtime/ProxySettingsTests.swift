import Testing

@testable import AuthctlCLI

@Suite("ProxySettings") struct ProxySettingsTests {
  @Test(
    "a proxy is shown without its user name and password, whatever is in them",
    arguments: [
      ("http://u:p@proxy.example:3128", "http://‹›proxy.example:3128"), ("u:p/w@proxy.example", "‹›proxy.example"),
      ("socks5h://u:p@w://@proxy.example/", "socks5h://‹›proxy.example/"), ("proxy.example:3128", "proxy.example:3128"),
      ("http://u:p@\u{301}proxy.example", "http://‹›\u{301}proxy.example"),
      ("http:/\u{200D}/u:p@\u{FE0F}p@\u{200D}w", "‹›\u{200D}w"),
    ])
  func userInformation(text: String, shown: String) {
    #expect(ProxySettings.withoutUserInformation(text, mark: "‹›") == shown)
  }
}
