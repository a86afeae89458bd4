import { describe, expect, it } from 'vitest';
import { card, isBrandedResult, navigate, uiAction } from '../../../src/plugin-api/results.ts';

describe('card, navigate and uiAction (contract/plugins.md#results)', () => {
  it('make objects that nothing can change or copy the brand of', () => {
    const result = card({ id: 1 }, { type: 'AdaptiveCard' });
    expect(isBrandedResult(result)).toBe(true);
    expect(Object.isFrozen(result)).toBe(true);
    expect(isBrandedResult({ ...result })).toBe(false);
    expect(isBrandedResult(JSON.parse(JSON.stringify(result)))).toBe(false);
  });

  it('data that merely looks like one stays data', () => {
    for (const value of [
      { kind: 'card', value: 1, card: {} },
      { kind: 'navigate', page: 'x', params: {} },
      { kind: 'ui-action', name: 'x', arguments: {} },
      null,
      'card',
      1,
    ]) {
      expect(isBrandedResult(value)).toBe(false);
    }
  });

  it('navigate needs no parameters', () => {
    expect(navigate('home')).toEqual({ kind: 'navigate', page: 'home', params: {} });
  });

  it('uiAction needs no arguments', () => {
    expect(uiAction('scroll_up')).toEqual({ kind: 'ui-action', name: 'scroll_up', arguments: {} });
    expect(isBrandedResult(uiAction('scroll_up'))).toBe(true);
  });

  it('a brand holds in every instance of the module, for a plugin may have another one than the server', async () => {
    const address = '../../../src/plugin-api/results.ts?another';
    const other = (await import(/* @vite-ignore */ address)) as {
      card: typeof card;
      isBrandedResult: typeof isBrandedResult;
    };
    expect(other.card).not.toBe(card);
    expect(isBrandedResult(other.card(1, {}))).toBe(true);
    expect(other.isBrandedResult(navigate('home'))).toBe(true);
  });
});
