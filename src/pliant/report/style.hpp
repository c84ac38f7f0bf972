// The style sheet of reports: system fonts, one column that figures may leave on wide screens,
// tables that scroll by themselves on narrow ones. Figures are drawn on white; in the dark they are
// inverted and their hues turned back.
#pragma once

#include <string_view>

namespace pliant {

inline constexpr std::string_view report_style = R"(:root {
  --page: #ffffff; --ink: #1d2126; --quiet: #5b6570; --line: #dde1e6; --panel: #f5f7f9;
  --good: #0a6b4a; --bad: #b3330c; --accent: #00629b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181c; --ink: #e4e7eb; --quiet: #9aa4af; --line: #333a42; --panel: #1d2228;
    --good: #5cc99f; --bad: #ff8a63; --accent: #6cb8ec;
  }
  figure svg { filter: invert(0.91) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.55 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 2rem 1.25rem 1rem; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; padding-bottom: 0.5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 0.4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.6rem; color: var(--accent); }
p { margin: 0.4rem 0; max-width: 46rem; }
.quiet, footer, figcaption { color: var(--quiet); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.93rem; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 1.4rem 0.35rem 0;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--quiet); }
.number { text-align: right; white-space: nowrap; }
.good { color: var(--good); font-weight: 600; }
.bad { color: var(--bad); font-weight: 600; }
pre { overflow-x: auto; background: var(--panel); border: 1px solid var(--line);
  border-radius: 6px; padding: 0.8rem 1rem; margin: 0.4rem 0;
  font: 0.82rem/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
.figures { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
figure { margin: 0; border: 1px solid var(--line); border-radius: 6px; overflow: hidden;
  background: var(--panel); break-inside: avoid; }
figure svg, figure img { display: block; width: 100%; height: auto; }
figcaption { padding: 0.45rem 0.9rem; font-size: 0.88rem; }
details { margin-top: 1.5rem; border-top: 1px solid var(--line); padding-top: 0.8rem; }
summary { cursor: pointer; color: var(--accent); font-weight: 600; }
footer { max-width: 76rem; margin: 0 auto; padding: 1rem 1.25rem 2rem; font-size: 0.85rem; }
@media print {
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  .figures { grid-template-columns: 1fr 1fr; }
  figure svg { filter: none; }
  pre { white-space: pre-wrap; }
  details:not([open]) { display: none; }
}
)";

}  // namespace pliant
