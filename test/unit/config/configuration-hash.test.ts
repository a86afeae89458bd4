import { describe, expect, it } from 'vitest';
import { minimal, settingsWith, loadText } from './load-from-text.ts';

const hashOf = (lines: string, environment: Readonly<Record<string, string>> = {}): string =>
  settingsWith(lines, { environment }).configuration;

describe('the hash of a configuration (contract/operations.md#reload)', () => {
  it('is 12 characters that change with what is written', () => {
    expect(hashOf('')).toMatch(/^[0-9a-f]{12}$/);
    expect(hashOf('botName: Ada\n')).not.toBe(hashOf('botName: Bob\n'));
    expect(hashOf('', { HELPER__BOTNAME: 'Ada' })).toBe(hashOf('botName: Ada\n'));
  });

  it('does not change with order, comments and spelling', () => {
    expect(hashOf('botName: Ada\nlanguage: German\n')).toBe(hashOf('# Her name\nlanguage: "German"\nbotName: Ada\n'));
  });

  // proves configuration-7-44
  it('does not change with the kill switch, which counts without a reload', () => {
    expect(hashOf('killSwitch: { writes: true }\n')).toBe(hashOf(''));
  });

  it('tells nothing of secrets: neither of those in the file nor of what comes from outside', () => {
    const jwt = (secret: string): string => `auth: { jwt: { secret: "${secret}" } }\n`;
    expect(hashOf(jwt('a'.repeat(40)))).toBe(hashOf(jwt('b'.repeat(40))));
    const named = 'appDescription: ${NAME}\n';
    expect(hashOf(named, { NAME: 'one' })).toBe(hashOf(named, { NAME: 'two' }));
    expect(loadText(minimal).settings?.configuration).not.toBe(hashOf(named, { NAME: 'one' }));
  });
});
