import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LoadedPlugin } from '../../../src/adapters/plugin-directory/loaded-plugin.ts';
import { composeTools } from '../../../src/app/compose-tools.ts';
import { pluginProvider } from '../../../src/app/providers/plugin-provider.ts';
import { fakeTool } from '../../support/fake-tool.ts';
import { recordingLogger } from '../../support/quiet.ts';
import { settingsWith } from '../config/load-from-text.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const look = fakeTool({ name: 'get_case', owner: 'desk', readOnly: true });

function composed(hooks: LoadedPlugin['hooks']) {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const plugin = {
    name: 'desk',
    file: 'desk.js',
    tools: [look],
    pages: [],
    models: new Map<string, object>(),
    hooks,
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
  return composeTools(
    settingsWith(''),
    { plugins: [plugin], providers: [pluginProvider(plugin)], killSwitch: { stops: () => false } },
    recordingLogger(),
  );
}

/** The outcome of `work` once a minute has passed. */
async function afterAMinute<T>(work: Promise<T>): Promise<T | 'threw'> {
  const settled = work.catch(() => 'threw' as const);
  await vi.advanceTimersByTimeAsync(60_000);
  return settled;
}

describe('a hook that never answers (contract/plugins.md#plugins)', () => {
  it('requiresApproval counts as true: in doubt the user is asked', async () => {
    const { policy } = composed({ requiresApproval: never });
    expect(await afterAMinute(policy.judge(look))).toMatchObject({ need: { ask: true, because: 'policy' } });
  });

  it('isReadOnlyAction counts as false: in doubt a tool is a write', async () => {
    const { policy } = composed({ isReadOnlyAction: never });
    const action = fakeTool({ owner: 'desk' });
    expect(await afterAMinute(policy.judge(action))).toMatchObject({ need: { ask: true, because: 'write' } });
  });

  it('onToolResult counts as one that threw: the result is withheld (contract/errors.md#faults-of-actions)', async () => {
    const { transformResult } = composed({ onToolResult: never });
    expect(await afterAMinute(transformResult('get_case', 'secret'))).toBe('threw');
  });

  it('onException says nothing: the fixed text is shown (contract/errors.md#faults-of-actions)', async () => {
    const { exceptionTexts } = composed({ onException: never });
    expect(await afterAMinute(exceptionTexts(new Error('db-7 is down'), 'get_case', 'It failed.'))).toEqual({
      shown: 'It failed.',
      forModel: 'db-7 is down',
    });
  });
});
