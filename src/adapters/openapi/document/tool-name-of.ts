/** Letters that have no base letter in Unicode, as they are commonly written without marks. */
const written: Readonly<Record<string, string>> = {
  ...{ Æ: 'Ae', Ø: 'O', Đ: 'D', Ð: 'D', Ł: 'L', Œ: 'Oe', Þ: 'Th', ß: 'ss', æ: 'ae', ø: 'o', đ: 'd', ð: 'd', ł: 'l' },
  ...{ œ: 'oe', þ: 'th', ı: 'i' },
};

/**
 * An operation id in snake case, so that `getOrder` becomes `get_order` (extending-3-03). Marks of letters are left out. Empty where letters
 * would be lost, because what is left might mean anything.
 */
export function toolNameOf(operationId: string): string {
  return latinOf(operationId)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .split(/[^A-Za-z0-9]/)
    .filter((word) => word !== '')
    .join('_')
    .toLowerCase();
}

/** A text in Latin letters without marks. Empty where it has others. */
function latinOf(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  const latin = Array.from(text.normalize('NFKD'), (letter) => written[letter] ?? letter)
    .filter((letter) => !/\p{M}/u.test(letter))
    .join('');
  return /(?![A-Za-z])\p{L}/u.test(latin) ? '' : latin;
}

/** The name from a method and a path: `GET /orders/{id}` becomes `get_orders_by_id`. */
export function placeNameOf(method: string, path: string): string {
  const words = path.split('/').map((segment) => {
    const name = toolNameOf(segment);
    return segment.startsWith('{') && name !== '' ? `by_${name}` : name;
  });
  const said = words.filter((word) => word !== '').join('_');
  return `${method}_${said === '' ? 'root' : said}`;
}
