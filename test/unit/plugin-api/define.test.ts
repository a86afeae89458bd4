import { describe, expect, it } from 'vitest';
import { defineAction, definePlugin } from '../../../src/index.ts';

describe('definePlugin and defineAction (contract/plugins.md#plugins)', () => {
  it('only add types: the object comes back as it is', () => {
    const action = defineAction({
      name: 'look_up',
      description: 'Looks up.',
      parameters: { type: 'object' },
      execute: ({ id }: { id: number }) => id + 1,
    });
    const plugin = { name: 'cases', actions: [action] };
    expect(definePlugin(plugin)).toBe(plugin);
    expect(plugin.actions[0]).toBe(action);
  });
});
