import { describe, expect, it } from 'vitest';
import { AskedLevels } from '../../../../src/channels/mcp/asked-levels.ts';
import { abilitiesHeader } from '../../../../src/channels/mcp/client-abilities.ts';

const newId = (opensAddresses = false): string => abilitiesHeader({ opensAddresses })[1];

describe('the log levels of older clients (contract/mcp-server.md#logs)', () => {
  // proves service-4.3-72
  it('a level is kept for its session id alone, until the client asks for another one', () => {
    const levels = new AskedLevels();
    const [one, other] = [newId(), newId(true)];
    levels.ask(one, 'debug');
    expect([levels.of(one), levels.of(other), levels.of(undefined)]).toEqual(['debug', undefined, undefined]);
    levels.ask(other, 'error');
    levels.ask(one, 'warning');
    expect([levels.of(one), levels.of(other)]).toEqual(['warning', 'error']);
  });

  // proves service-4.3-72
  it('the oldest level is forgotten where there are too many', () => {
    const levels = new AskedLevels();
    const [first, second] = [newId(), newId()];
    levels.ask(first, 'debug');
    levels.ask(second, 'debug');
    levels.ask(first, 'info');
    for (let more = 0; more < 9_999; more += 1) levels.ask(newId(), 'error');
    expect([levels.of(first), levels.of(second)]).toEqual(['info', undefined]);
  });

  // proves service-4.3-72
  it('an id that this server would not make is not kept', () => {
    const levels = new AskedLevels();
    for (const id of ['mine', `client.${'x'.repeat(10_000)}`, undefined]) {
      levels.ask(id, 'debug');
      expect(levels.of(id)).toBeUndefined();
    }
  });
});
