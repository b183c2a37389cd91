/** What the pages run in a browser, from `browser/`. Written by `npm run generate`. */
export const bundles = {
  "Gateway.js":
    "(()=>{})();\n",
  "CollectJS.js":
    "(()=>{})();\n",
  "card-fields.js":
    "(()=>{})();\n",
  "challenge.js":
    "(()=>{})();\n",
  "checkout.js":
    "(()=>{})();\n",
  "dashboard.js":
    "(()=>{})();\n",
  "pages.css":
    ":root{color-scheme:light dark;--ink: #16202b;--ink-soft: #4d5b6a;--paper: #f5f6f8;--card: #ffffff;--line: #d5dae1;--line-strong: #7d8a99;--accent: #1f5fbf;--accent-ink: #ffffff;--accent-soft: #e6eefb;--good: #116b3c;--good-soft: #e2f4ea;--warn: #875000;--warn-soft: #fdf0da;--bad: #b3261e;--bad-soft: #fbe9e7;--radius: 8px;--mono: ui-monospace, \"SF Mono\", \"DejaVu Sans Mono\", Menlo, Consolas, monospace;font:16px/1.5 system-ui,-apple-system,Segoe UI,DejaVu Sans,Liberation Sans,sans-serif}@media(prefers-color-scheme:dark){:root{--ink: #e8ecf1;--ink-soft: #a9b4c0;--paper: #12171d;--card: #1a2129;--line: #323c47;--line-strong: #7f8c9a;--accent: #8ab4f8;--accent-ink: #10161d;--accent-soft: #1f2c40;--good: #7fd4a3;--good-soft: #16301f;--warn: #f2c077;--warn-soft: #35280f;--bad: #f5a39b;--bad-soft: #3a1c1a}}*,*:before,*:after{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink)}a{color:var(--accent)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}@media(prefers-reduced-motion:reduce){*{animation:none;transition:none}}\n",
  "dashboard.css":
    ":root{color-scheme:light dark;--ink: #16202b;--ink-soft: #4d5b6a;--paper: #f5f6f8;--card: #ffffff;--line: #d5dae1;--line-strong: #7d8a99;--accent: #1f5fbf;--accent-ink: #ffffff;--accent-soft: #e6eefb;--good: #116b3c;--good-soft: #e2f4ea;--warn: #875000;--warn-soft: #fdf0da;--bad: #b3261e;--bad-soft: #fbe9e7;--radius: 8px;--mono: ui-monospace, \"SF Mono\", \"DejaVu Sans Mono\", Menlo, Consolas, monospace;font:16px/1.5 system-ui,-apple-system,Segoe UI,DejaVu Sans,Liberation Sans,sans-serif}@media(prefers-color-scheme:dark){:root{--ink: #e8ecf1;--ink-soft: #a9b4c0;--paper: #12171d;--card: #1a2129;--line: #323c47;--line-strong: #7f8c9a;--accent: #8ab4f8;--accent-ink: #10161d;--accent-soft: #1f2c40;--good: #7fd4a3;--good-soft: #16301f;--warn: #f2c077;--warn-soft: #35280f;--bad: #f5a39b;--bad-soft: #3a1c1a}}*,*:before,*:after{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink)}a{color:var(--accent)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}@media(prefers-reduced-motion:reduce){*{animation:none;transition:none}}\n",
} as const;
