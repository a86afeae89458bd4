/** The most characters of a text in a span. */
const maxTextLength = 32 * 1024;

/** Attributes of a span in the JSON of OTLP, each with a comma before it. Further ones are added with `+`. */
export type Attributes = string;

/** Writes an attribute that is a text. `key` is a key of this server, without a character that JSON escapes. */
export function text(key: string): (value: string) => Attributes {
  const before = `,{"key":"${key}","value":{"stringValue":`;
  return (value) => `${before}${textAsJson(value)}}}`;
}

/** Writes an attribute whose text is mostly the same as before. The JSON of the last text is kept. */
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

/** An attribute with the value true. */
export function yes(key: string): Attributes {
  return `,{"key":"${key}","value":{"boolValue":true}}`;
}

/**
 * Writes a text as JSON, cut to its limit. Half a character is not valid for a strict reader, but users may send one, and the cut may leave
 * one.
 */
export function textAsJson(value: string): string {
  return JSON.stringify(value.slice(0, maxTextLength).toWellFormed());
}
