/** An address inside a text, up to what cannot belong to it. */
const address = /(?:https?|wss?):\/\/[^\s"'`<>\\]+/giu;
/** The user name and the password before a host. */
const user = /^([a-z]+:\/\/)[^/?#]*@/iu;
/** The query of an address and what follows it. */
const query = /\?[^]*$/u;
/** What an address has before its query. */
const partOfAddress = /[./:]/u;

/**
 * A text in which addresses are without their query, their user name and their password: all three carry keys, and messages
 * are read by more people than may know them.
 */
export function withoutQueries(text: string): string {
  return text.includes('://') ? text.replace(address, hidden) : text;
}

/**
 * A value of the configuration that may be an address with a mistake in it: without what follows its first question mark,
 * and without a user name and a password. Texts that look like no address stay as they are.
 */
export function withoutQuery(value: string): string {
  const shown = withoutUser(value);
  const end = shown.indexOf('?');
  return end >= 0 && partOfAddress.test(shown.slice(0, end)) ? `${shown.slice(0, end)}?***` : shown;
}

function withoutUser(value: string): string {
  const slashes = value.indexOf('//');
  const start = slashes < 0 ? 0 : slashes + 2;
  const at = value.indexOf('@', start);
  const named = value.slice(start, Math.max(at, start));
  const isUser = !named.includes('/') && (slashes >= 0 || named.includes(':'));
  return at >= 0 && isUser ? `${value.slice(0, start)}***${value.slice(at)}` : value;
}

function hidden(found: string): string {
  return found.replace(user, '$1***@').replace(query, '?***');
}
