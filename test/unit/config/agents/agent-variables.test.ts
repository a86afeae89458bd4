import { describe, expect, it } from 'vitest';
import { faultsWith, settingsWith } from '../load-from-text.ts';

const naming = 'declarative: { configurationSection: agentValues }\n';

describe('declarative.configurationSection (contract/agents.md#definitions)', () => {
  // proves extending-4-10
  it('exposes the values of a top-level map of the operator', () => {
    const { agentVariables } = settingsWith(`${naming}agentValues: { TOKEN: "\${T}", retries: 3, Fast: true }\n`, {
      environment: { T: 'abc' },
    });
    expect(agentVariables).toEqual({ TOKEN: 'abc', retries: '3', Fast: 'true' });
  });

  // proves extending-4-10
  it('exposes nothing when it is null, and an empty section exposes nothing', () => {
    expect(settingsWith('').agentVariables).toEqual({});
    expect(settingsWith(`${naming}agentValues:\n`).agentVariables).toEqual({});
  });

  // proves extending-4-10
  it.each<[string, string, object]>([
    [
      'a key of the server',
      'declarative: { configurationSection: models }\n',
      {
        path: 'declarative.configurationSection',
        message: '"models" is a key of the server; name a top-level key of your own',
      },
    ],
    ['no key', naming, { path: 'declarative.configurationSection', line: 5 }],
    ['a list', `${naming}agentValues: [1]\n`, { path: 'agentValues', message: 'must hold names and texts', line: 6 }],
    [
      'a name that no expression can have',
      `${naming}agentValues:\n  A: 1\n  a-b: 2\n`,
      { path: 'agentValues.a-b', line: 8, message: expect.stringContaining('no definition is loaded') as string },
    ],
    [
      'a value that is no text',
      `${naming}agentValues: { A: { b: 1 } }\n`,
      { path: 'agentValues.A', message: 'must be a text, a number, true or false' },
    ],
    [
      'another own key',
      `${naming}agentValues: {}\nother: {}\n`,
      { path: 'other', message: expect.stringContaining('unknown key') as string },
    ],
  ])('is a fault when it names %s', (_title, lines, fault) => {
    expect(faultsWith(lines)).toMatchObject([fault]);
  });
});
