import { describe, expect, it } from 'vitest';
import { withoutQueries, withoutQuery } from '../../../../src/core/errors/hidden-query.ts';
import { growth, mostGrowth } from '../../../support/growth.ts';

describe('the addresses in a message (contract/configuration.md#faults)', () => {
  it.each([
    ['Failed to parse URL from http://[x/v1?key=s3cret&a=b', 'Failed to parse URL from http://[x/v1?***'],
    ['"https://ann:s3cret@host/a" and wss://host?token=s3cret: gone', '"https://***@host/a" and wss://host?*** gone'],
    ['HTTPS://s3cret@host?', 'HTTPS://***@host?***'],
    ['is https://host/path right?', 'is https://host/path right?'],
    ['no address at all? yes', 'no address at all? yes'],
  ])('have no query, user name and password: %s', (text, shown) => {
    expect(withoutQueries(text)).toBe(shown);
  });

  it('are found in a moment in a long text', () => {
    for (const found of [
      (size: number) => withoutQueries('http://'.repeat(size / 5)),
      (size: number) => withoutQueries(`${'a'.repeat(size)}://${'@'.repeat(size)}`),
      (size: number) => withoutQuery(`${':'.repeat(size)}?`),
    ])
      expect(growth(125_000, found)).toBeLessThan(mostGrowth);
  });
});

describe('a faulty address that is quoted (contract/configuration.md#faults)', () => {
  it.each([
    ['htp://host/v1?key=s3cret', 'htp://host/v1?***'],
    ['api.example.com/v1?key=s3cret', 'api.example.com/v1?***'],
    ['localhost:8080?s3cret', 'localhost:8080?***'],
    ['/path?key=s3cret', '/path?***'],
    ['htp://ann:s3cret@host', 'htp://***@host'],
    ['s3cret@host', '***@host'],
    ['s3cret@host/x', '***@host/x'],
    ['hook?key=s3cret', 'hook?***'],
    ['hook?a=1&b=s3cret#x', 'hook?***'],
    ['Is it @noon or later?', 'Is it @noon or later?'],
    ['Is a = b?', 'Is a = b?'],
    ['ann:s3cret@host/x', '***@host/x'],
    ['https://s3cret@host', 'https://***@host'],
    ['get_?', 'get_?'],
    ['https://host/a@b', 'https://host/a@b'],
  ])('has no query, user name and password: %s', (value, shown) => {
    expect(withoutQuery(value)).toBe(shown);
  });
});
