// @ts-check
/**
 * Lets the search take sentences. It looks for each word anywhere in a name or a text, so "i" of "how do I" would find every
 * page: common words and endings such as "ed" are left out.
 */

const common = new Set(
  'a an and are at be by can do does during for from happen happens has have how i if in is it its me my not of on or our own per see show so than that the then there to use was we what when where which who why will with without you your'.split(
    ' ',
  ),
);

/** @param {string} question */
function wordsOf(question) {
  const words = question.split(/[\s?]+/).filter((word) => !common.has(word.toLowerCase()));
  return words.map((word) => word.replace(/(?<=\w{3})(?:ing|ed|e?s)$/, '')).join(' ');
}

const input = document.getElementById('tsd-search-input');
const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
if (input && native?.get && native.set) {
  const { get, set } = native;
  Object.defineProperty(input, 'value', {
    get() {
      const question = get.call(this);
      // Of the same length, since the page selects the whole question when the search opens again.
      return question.includes(' ') ? wordsOf(question).padEnd(question.length) : question;
    },
    set,
  });
}
