import AuthCore

/// The style of a ``FlowPage``.
enum FlowPageStyle {
  /// Returns the style of a page with a number of lanes, and with tokens that can be followed.
  static func text(lanes: Int, tokens: [FlowToken]) -> String {
    ([common] + columns(lanes) + colours(tokens) + tokens.map(following)).joined(separator: "\n")
  }

  /// Each lane is two columns wide, so that arrows begin and end in the middle of a lane.
  private static func columns(_ lanes: Int) -> [String] {
    var rules = [".lanes{grid-template-columns:repeat(\(max(1, lanes * 2)),minmax(0,1fr))}"]
    for lane in 0..<lanes {
      let isLeft = lane * 2 < lanes
      rules.append(".l\(lane){grid-column:\(lane * 2 + 1)/span 2}")
      rules.append(".from\(lane){grid-column:\(lane * 2 + 2)/-1;justify-self:start}")
      rules.append(".to\(lane){grid-column:1/\(lane * 2 + 2);justify-self:end;text-align:right}")
      rules.append(
        isLeft
          ? ".n\(lane){grid-column:\(lane * 2 + 1)/-1;justify-self:start}"
          : ".n\(lane){grid-column:1/\(lane * 2 + 3);justify-self:end}")
      for other in lane + 1..<max(lanes, lane + 1) {
        rules.append(".a\(lane)-\(other){grid-column:\(lane * 2 + 2)/\(other * 2 + 2)}")
      }
    }
    return rules
  }

  /// The hue of each token; further tokens are grey.
  private static func colours(_ tokens: [FlowToken]) -> [String] {
    FlowToken.hues(of: tokens).map { token, hue in ".k-\(token.fingerprint){--hue:\(hue);--sat:1}" }
  }

  /// Dims the steps without a token while it is chosen.
  private static func following(_ token: FlowToken) -> String {
    let id = "#t-\(token.fingerprint)"
    return "\(id):checked~main .step:not(.has-\(token.fingerprint)){opacity:.28}"
      + "\(id):checked~header [for=t-\(token.fingerprint)]{outline:2px solid var(--text)}"
      + "\(id):checked~header .c-\(token.fingerprint){display:block}"
      + "\(id):focus-visible~header [for=t-\(token.fingerprint)]{outline:2px solid var(--link)}"
  }

  private static let common = """
    :root{color-scheme:light dark;--back:#f6f7f9;--card:#fff;--text:#1c2128;--soft:#59636e;--line:#d5dae0;\
    --life:#c3cad2;--link:#0b5cad;--request:#0b5cad;--success:#1a7f37;--warning:#9a5b00;--failure:#c6202e;\
    --plain:#59636e;--chip:88%;--chiptext:22%;--chipedge:45%;--mark:#fff4d6}
    @media (prefers-color-scheme:dark){:root{--back:#0f1318;--card:#181d24;--text:#e8ecf1;--soft:#9aa4af;\
    --line:#333b45;--life:#3d4752;--link:#79b8ff;--request:#79b8ff;--success:#56d364;--warning:#e3b341;\
    --failure:#ff7b72;--plain:#9aa4af;--chip:20%;--chiptext:86%;--chipedge:60%;--mark:#33290f}}
    *{box-sizing:border-box}
    body{margin:0 auto;max-width:90rem;padding:1.5rem 1.5rem 4rem;background:var(--back);color:var(--text);\
    font:.9375rem/1.45 system-ui,sans-serif;--time:5rem}
    input[type=radio]{position:absolute;opacity:0}
    h1{margin:0;font-size:1.35rem;line-height:1.3;overflow-wrap:anywhere}
    h2{margin:0 0 .4rem;font-size:.8125rem;text-transform:uppercase;letter-spacing:.05em;color:var(--soft)}
    p{margin:.4rem 0}
    code,pre,table,.line,.text{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,monospace;font-size:.8125rem}
    a{color:var(--link)}
    .facts span+span::before{content:"· ";color:var(--soft)}
    .facts,.soft{color:var(--soft)}
    .soft{font-size:.8125rem}
    .command code{overflow-wrap:anywhere}
    .verdict{font-weight:600;overflow-wrap:anywhere}
    p.success,p.failure{color:var(--tone)}
    .claims{display:none;margin:.75rem 0;padding:.75rem 1rem;background:var(--card);border:1px solid var(--line);\
    border-radius:.6rem}
    .claims h2:not(:first-child){margin-top:.75rem}
    .legend small{padding:0 .3rem;color:var(--soft)}
    .legend{display:flex;flex-wrap:wrap;gap:.35rem .5rem;align-items:center;margin:.75rem 0}
    .legend>span{color:var(--soft)}
    label{cursor:pointer;border-radius:.3rem}
    .all{padding:0 .4rem;border:1px solid var(--line);color:var(--soft)}
    .token{padding:.05rem .3rem;border-radius:.3rem;--hue:0;--sat:0;\
    border-left:.3rem solid hsl(var(--hue) calc(75%*var(--sat)) var(--chipedge));\
    background:hsl(var(--hue) calc(65%*var(--sat)) var(--chip));\
    color:hsl(var(--hue) calc(60%*var(--sat)) var(--chiptext));white-space:nowrap}
    .timeline{margin:1rem 0;padding:.6rem 1rem;background:var(--card);border:1px solid var(--line);\
    border-radius:.6rem}
    summary{cursor:pointer}
    .phases span{margin-right:.75rem;color:var(--soft);white-space:nowrap}
    i[class^=p-]{display:inline-block;width:.7rem;height:.7rem;margin-right:.3rem;border-radius:.15rem}
    .bars{display:grid;grid-template-columns:minmax(0,16rem) minmax(0,1fr) auto;gap:.15rem .75rem;align-items:center;\
    font-size:.8125rem}
    .bars a{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    .bars span{text-align:right;color:var(--soft);font-variant-numeric:tabular-nums}
    .bars svg{display:block;width:100%;height:14px;overflow:visible}
    .scale text{font-size:11px;fill:var(--soft)}
    .scale line{stroke:var(--line)}
    .pause{fill:var(--mark)}.scale .wait{text-anchor:middle}
    .p-total{fill:var(--life)}
    .p-dns{fill:#8250df;background:#8250df}.p-connect{fill:#d4760a;background:#d4760a}
    .p-tls{fill:#bf3989;background:#bf3989}.p-send{fill:#0a7ea4;background:#0a7ea4}
    .p-wait{fill:#2da44e;background:#2da44e}.p-receive{fill:#316dca;background:#316dca}
    .bars b{color:var(--tone)}
    .diagram{position:relative;padding:0 1rem 1rem;background:var(--card);border:1px solid var(--line);\
    border-radius:.6rem}
    .row{display:grid;grid-template-columns:var(--time) minmax(0,1fr)}
    .lanes{display:grid;align-items:end}
    .heads{position:sticky;top:0;z-index:3;margin:0 -1rem;padding:.6rem 1rem;background:var(--card);\
    border-bottom:1px solid var(--line);border-radius:.6rem .6rem 0 0}
    .lane{text-align:center;padding:0 .25rem;overflow-wrap:anywhere;line-height:1.25}
    .short{display:none}
    .lane small{display:block;color:var(--soft);font-size:.75rem}
    .lines{position:absolute;inset:0 1rem 0;z-index:0}
    .lines .lanes{align-items:stretch}
    .lines i{justify-self:center;width:2px;background:var(--life)}
    .step{position:relative;z-index:1;padding:.2rem 0;margin:0 -.5rem;padding-inline:.5rem;border-radius:.4rem;\
    transition:opacity .15s}
    .step.g1{margin-top:.75rem}.step.g2{margin-top:1.5rem}.step.g3{margin-top:2.5rem}
    .step>summary{list-style:none;border-radius:.4rem}
    .step>summary::-webkit-details-marker{display:none}
    .step>summary:hover{background:color-mix(in srgb,var(--link) 7%,transparent)}
    time{align-self:center;padding-right:.75rem;text-align:right;color:var(--soft);font-size:.8125rem;\
    font-variant-numeric:tabular-nums;white-space:nowrap}
    .text{grid-row:1;margin:.15rem .5rem 0;padding:0 .25rem;background:var(--card);border-radius:.25rem;\
    overflow-wrap:anywhere;min-width:0}
    .arrow{grid-row:2;position:relative;height:.75rem;color:var(--tone)}
    .arrow::before{content:"";position:absolute;inset:calc(50% - 1px) 1px auto;border-top:2px solid currentColor}
    .arrow::after{content:"";position:absolute;top:0;width:.7rem;height:.75rem;background:currentColor}
    .right::after{right:0;clip-path:polygon(0 0,100% 50%,0 100%)}
    .left::after{left:0;clip-path:polygon(100% 0,0 50%,100% 100%)}
    .lost .arrow::after{clip-path:polygon(20% 0,50% 32%,80% 0,100% 20%,68% 50%,100% 80%,80% 100%,50% 68%,20% 100%,\
    0 80%,32% 50%,0 20%)}
    summary>:first-child time::before{content:"▸";position:absolute;left:.05rem;color:var(--link)}
    [open]>summary>:first-child time::before{content:"▾"}
    .reply .arrow::before{border-top-style:dashed}
    .request{--tone:var(--request)}.success{--tone:var(--success)}.plain{--tone:var(--plain)}
    .warning{--tone:var(--warning)}.failure{--tone:var(--failure)}
    .reply .text,.warning .text,.failure .text{color:var(--tone)}
    .note{grid-row:1;margin:.15rem .25rem;padding:.15rem .6rem;border-radius:.35rem;border:1px solid var(--line);\
    border-left:.25rem solid var(--tone);background:var(--card);font-size:.875rem;overflow-wrap:anywhere;min-width:0}
    .warning .note{background:var(--mark)}
    .panel{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1rem 1.5rem;margin:.5rem 0 1rem;\
    padding:1rem;background:var(--back);border:1px solid var(--line);border-radius:.5rem}
    .panel section{min-width:0}
    .line{margin:0 0 .5rem;font-weight:600;overflow-wrap:anywhere}
    table{border-collapse:collapse;width:100%}
    th{width:1%;padding:.1rem .75rem .1rem 0;text-align:left;vertical-align:top;font-weight:400;color:var(--soft);\
    white-space:nowrap}
    td{padding:.1rem 0;overflow-wrap:anywhere}
    pre{margin:.5rem 0 0;padding:.6rem .75rem;max-height:30rem;overflow:auto;background:var(--card);\
    border:1px solid var(--line);border-radius:.4rem;white-space:pre-wrap;overflow-wrap:anywhere}
    .panel .phases{font-size:.8125rem;font-variant-numeric:tabular-nums}
    .timings,.whole{grid-column:1/-1}
    :target{outline:2px solid var(--link)}
    @media (max-width:48rem){body{padding:1rem .5rem 3rem;--time:3.4rem}.diagram{padding:0 .5rem .5rem}\
    .heads{margin:0 -.5rem;padding:.5rem}.lines{inset:0 .5rem 0}.panel{grid-template-columns:minmax(0,1fr)}\
    .lane b{display:none}.lane .short{display:inline}.scale text:nth-of-type(even),.scale .wait{display:none}\
    .lane{font-size:.6875rem;padding:0 .1rem}.lane small{font-size:.625rem}time{padding-right:.4rem;font-size:.6875rem}\
    .text[class]{grid-column:1/-1;font-size:.75rem;margin-inline:0}.note[class]{grid-column:1/-1;font-size:.8125rem}\
    .bars{grid-template-columns:minmax(0,7rem) minmax(0,1fr) auto}.timeline{padding:.6rem}th{white-space:normal}}
    """
}
