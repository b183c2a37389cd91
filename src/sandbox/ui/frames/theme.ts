const condition = /^\(prefers-color-scheme: (dark|light)\)$/;

/**
 * Gives a frame the colour scheme of the page around it. Browsers differ in whether a media query of a frame knows that one, so
 * the queries are decided here.
 */
export function setTheme(isDark: boolean): void {
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  for (const { cssRules } of document.styleSheets) {
    for (const rule of cssRules) if (rule instanceof CSSMediaRule) decide(rule, isDark);
  }
}

/** The scheme that a rule asked for before it was decided. */
const asked = new WeakMap<CSSMediaRule, string>();

function decide(rule: CSSMediaRule, isDark: boolean): void {
  const scheme = asked.get(rule) ?? condition.exec(rule.media.mediaText)?.[1];
  if (scheme === undefined) return;
  asked.set(rule, scheme);
  rule.media.mediaText = (scheme === 'dark') === isDark ? 'all' : 'not all';
}
