/** Text without case, accents and punctuation, with one space around each word: ` wo ist bestellung 1002 `. */
export function plainText(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return ` ${letters.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
}

/** The words of a text in order, without case and accents. */
export function wordsOf(text: string): readonly string[] {
  return plainText(text)
    .split(' ')
    .filter((word) => word !== '');
}

/** The words of an identifier: `orderNumber` and `order_number` are both `order`, `number`. */
export function wordsOfName(name: string): readonly string[] {
  return wordsOf(name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2'));
}

/** An identifier as a label for people: `orderNumber` is `Order number`. */
export function labelOf(name: string): string {
  const words = wordsOfName(name).join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Removes the usual English endings, so that `orders`, `ordered` and `order` are the same word. */
export function stem(word: string): string {
  if (word.length <= 3 || /\P{ASCII}/u.test(word)) return word;
  const singular = withoutPlural(word);
  const base = /..(?:ing|ed)$/.test(singular) && singular.length > 5 ? singular.replace(/(?:ing|ed)$/, '') : singular;
  return base.replace(/(ll|pp|tt|nn)$/, (double) => double.charAt(0)).replace(/(?<=...)e$/, '');
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  return /(?:ss|us|is)$/.test(word) ? word : word.replace(/s$/, '');
}
