const condition = /^\(prefers-color-scheme: (dark|light)\)$/;

/**
 * Sets the colour scheme of a frame. Browsers differ in whether media queries of a frame follow the embedding page,
 * so this rewrites the queries.
 */
export function setTheme(isDark: boolean): void {
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  for (const { cssRules } of document.styleSheets) {
    for (const rule of cssRules) if (rule instanceof CSSMediaRule) decide(rule, isDark);
  }
}

/** The original media query of each rewritten rule. */
const asked = new WeakMap<CSSMediaRule, string>();

function decide(rule: CSSMediaRule, isDark: boolean): void {
  const scheme = asked.get(rule) ?? condition.exec(rule.media.mediaText)?.[1];
  if (scheme === undefined) return;
  asked.set(rule, scheme);
  rule.media.mediaText = (scheme === 'dark') === isDark ? 'all' : 'not all';
}
