/** An address inside a text, up to the first character that cannot belong to an address. */
const address = /(?:https?|wss?):\/\/[^\s"'`<>\\]+/giu;
/** The user name and the password before a host. */
const user = /^([a-z]+:\/\/)[^/?#]*@/iu;
/** The query of an address and what follows it. */
const query = /\?[^]*$/u;
/** A character that an address has before its query. */
const partOfAddress = /[./:]/u;
/** What a query begins with, also behind an address without a scheme. */
const parameter = /^\?[^\s=]*=/u;

/**
 * Hides the query, the user name and the password of all addresses in a text. All three may contain secrets, and messages are also read by
 * people who must not know these secrets.
 */
export function withoutQueries(text: string): string {
  return text.includes('://') ? text.replace(address, hidden) : text;
}

/**
 * Hides a part of a configuration value that may be an address with a mistake in it: everything after its first question mark, the user
 * name and the password. A text that does not look like an address stays as it is.
 */
export function withoutQuery(value: string): string {
  const shown = withoutUser(value);
  const end = shown.indexOf('?');
  const isQuery = end >= 0 && (partOfAddress.test(shown.slice(0, end)) || parameter.test(shown.slice(end)));
  return isQuery ? `${shown.slice(0, end)}?***` : shown;
}

function withoutUser(value: string): string {
  const slashes = value.indexOf('//');
  const start = slashes < 0 ? 0 : slashes + 2;
  const at = value.indexOf('@', start);
  const named = value.slice(start, Math.max(at, start));
  // Without a scheme this may be an address of mail, which is as easy to find with its host alone.
  const isUser = !/[/\s]/u.test(named);
  return at >= 0 && isUser ? `${value.slice(0, start)}***${value.slice(at)}` : value;
}

function hidden(found: string): string {
  return found.replace(user, '$1***@').replace(query, '?***');
}
