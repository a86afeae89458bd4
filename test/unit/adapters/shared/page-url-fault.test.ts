import { describe, expect, it } from 'vitest';
import { pageUrlFault } from '../../../../src/adapters/shared/page-url-fault.ts';

describe('pageUrlFault (contract/plugins.md#plugins, `pages`)', () => {
  it.each([
    '/',
    '/cases/{caseId}',
    '/?order={orderNumber}',
    'cases/list#top',
    './cases',
    '?tab=1',
    '#orders',
    '/at/10:30',
    'https://shop.example/cases/{caseId}?x={y}',
    'https://shop.example:8443',
    'HTTPS://shop.example/',
  ])('%s may be a page', (url) => {
    expect(pageUrlFault(url)).toBeUndefined();
  });

  it.each([
    ['javascript:alert(1)', /begin with https/],
    ['JaVaScRiPt:alert(1)', /begin with https/],
    ['java\tscript:alert(1)', /control characters/],
    [' javascript:alert(1)', /spaces/],
    ['data:text/html,x', /begin with https/],
    ['http://shop.example/', /begin with https/],
    ['mailto:ann@example.com', /begin with https/],
    ['https:/shop.example', /begin with https/],
    ['https://', /begin with https/],
    ['//evil.example/', /begin with https/],
    ['\\\\evil.example', /backslashes/],
    ['/\\evil.example', /backslashes/],
    ['{anything}', /begin with a placeholder/],
    ['{scheme}:alert(1)', /begin with https/],
    ['https://{host}/', /placeholder or a user name in its host/],
    ['https://shop.example@evil.example/', /user name/],
    ['https://bad host/', /spaces/],
    ['https://[::1/', /host that is not valid/],
    ['/cases/{case id}', /spaces/],
    ['/cases/{}', /brace/],
    ['/cases/{id', /brace/],
  ])('%j may not', (url, fault) => {
    expect(pageUrlFault(url)).toMatch(fault);
  });
});
