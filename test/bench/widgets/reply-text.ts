/** The last word of every reply: once it is on the screen, all of the reply is. */
export const lastWord = 'Zanzibar.';

/** A reply of the model: its tokens, which are pieces of at most six characters, about as long as those of models. */
export type ReplyTokens = readonly string[];

const words = (
  'the order was packed in the morning and left the warehouse before noon so that the carrier could take it along on the ' +
  'same day while the invoice follows by mail and every garden tool in it has been checked for rust loose handles and blades'
).split(' ');

/** A sentence of twelve words that differ from sentence to sentence. */
function sentence(number: number): string {
  const chosen = Array.from(
    { length: 12 },
    (_, index) => words[(number * 7 + index * (1 + (number % 3))) % words.length],
  );
  const text = chosen.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A part of a reply with all that chats show: a heading, emphasis, a link, lists, a table and code. */
function section(number: number): string {
  const lines = (count: number, from: number): string[] =>
    Array.from({ length: count }, (_, index) => sentence(number * 31 + from + index));
  const order = 1000 + number;
  return [
    `## Part ${number}`,
    lines(4, 0).join(' '),
    `${sentence(number)} **Order ${order}** is on its way, see [its page](https://example.com/orders/${order}) for _details_.`,
    lines(4, 4)
      .map((line) => `- ${line}`)
      .join('\n'),
    lines(3, 8)
      .map((line, index) => `${index + 1}. ${line}`)
      .join('\n'),
    [
      '| Item | Count | Price |',
      '| --- | --- | --- |',
      ...[1, 2, 3, 4].map((row) => `| Tool ${row} | ${row} | €${row * 9}.00 |`),
    ].join('\n'),
    ['```js', `const order = await orders.find(${order});`, 'if (order.isOpen) await order.send();', '```'].join('\n'),
    lines(3, 11).join(' '),
  ].join('\n\n');
}

function tokensOf(text: string): string[] {
  return text.match(/\s*\S{1,6}|\s+$/g) ?? [];
}

/** A Markdown reply of exactly `count` tokens that ends with `lastWord`; the same each time. */
export function replyOf(count: number): ReplyTokens {
  const ending = tokensOf(`\n\nThat is all, from here to ${lastWord}`);
  const tokens: string[] = [];
  for (let number = 1; tokens.length < count; number += 1) {
    const next = tokensOf(`${number === 1 ? '' : '\n\n'}${section(number)}`);
    // The remaining tokens are filled with a paragraph, so that no table and no code is cut in the middle.
    const fits = tokens.length + next.length + ending.length <= count;
    if (!fits) break;
    tokens.push(...next);
  }
  const missing = count - tokens.length - ending.length;
  const filler = tokensOf(`\n\n${Array.from({ length: missing }, (_, index) => sentence(index)).join(' ')}`);
  return [...tokens, ...filler.slice(0, missing), ...ending];
}
