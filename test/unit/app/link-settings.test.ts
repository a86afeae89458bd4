import { describe, expect, it } from 'vitest';
import { linkSettings } from '../../../src/app/client-options.ts';
import { globPredicate } from '../../../src/core/base/glob.ts';

describe('links.hosts for the widget (contract/widget.md#links)', () => {
  // proves wire-9-81
  it('is left out where links may lead to any host', () => {
    expect(linkSettings([])).toEqual({});
  });

  // proves wire-9-81
  it.each([
    'x.example',
    'x.example:8443',
    'xaexample',
    'a.x.example',
    'a.b.x.example',
    'docs1.example',
    'docs12.example',
    'x.example.evil.example',
    'evil.example',
    '',
  ])('means the same there as on the server: %j', (host) => {
    const hosts = ['x.example', '*.x.example', 'docs?.example', 'x.example:*'];
    const { linkHosts = '' } = linkSettings(hosts);
    expect(new RegExp(linkHosts).test(host)).toBe(globPredicate(hosts)(host));
  });
});
