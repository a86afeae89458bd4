/** Longest text in a span, in characters. */
const maxTextLength = 32 * 1024;

/** Attributes of a span in the JSON of OTLP, each with a comma before it: more are added with `+`. */
export type Attributes = string;

/** Writes an attribute that is a text. `key` is one of ours, without a character that JSON escapes. */
export function text(key: string): (value: string) => Attributes {
  const before = `,{"key":"${key}","value":{"stringValue":`;
  return (value) => `${before}${textAsJson(value)}}}`;
}

/** Writes an attribute that is mostly the same text as the time before: that is written once. */
export function word(key: string): (value: string) => Attributes {
  const write = text(key);
  let last = '';
  let written = write(last);
  return (value) => {
    if (value !== last) {
      last = value;
      written = write(value);
    }
    return written;
  };
}

/** Writes an attribute that is a list of one text. */
export function listOfOne(key: string): (value: string) => Attributes {
  const before = `,{"key":"${key}","value":{"arrayValue":{"values":[`;
  return (value) => `${before}{"stringValue":${textAsJson(value)}}]}}}`;
}

/** Writes an attribute that is a number. */
export function number(key: string): (value: number) => Attributes {
  const before = `,{"key":"${key}","value":{`;
  return (value) => `${before}"${Number.isInteger(value) ? 'intValue' : 'doubleValue'}":${value}}}`;
}

/** The attribute that says that something is so. */
export function yes(key: string): Attributes {
  return `,{"key":"${key}","value":{"boolValue":true}}`;
}

/**
 * A text as JSON, cut off at its limit. Half a character is none to a strict reader: users send it, and the limit may leave it.
 */
export function textAsJson(value: string): string {
  return JSON.stringify(value.slice(0, maxTextLength).toWellFormed());
}
