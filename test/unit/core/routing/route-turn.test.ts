import { describe, expect, it } from 'vitest';
import { memoryStores } from '../../../support/memory-stores.ts';
import { chooseModel } from '../../../../src/core/routing/choose-model.ts';
import type { RoutedMessage, Router } from '../../../../src/core/routing/routing.ts';
import { endsAfter } from '../../../support/ends-after.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';

const never = new Promise<never>(() => undefined);
const spender = { userKey: 'id:ann', roles: new Set<string>(), tenant: undefined, conversationId: 'c' };
const message: RoutedMessage = { text: 'Hello', before: [], tenant: undefined, spender };
const strong = { ...fakeModel({ text: 'Strong.' }), model: 'strong' };
const usual = fakeModel({ text: 'Usual.' });

function asked(router: Router, stores = memoryStores()) {
  return testAssistant({ model: usual, routing: { strong, router }, ...stores, tapePolicy: 'always' });
}

describe('the choice of a model (contract/models.md#routing)', () => {
  // proves service-2.14-17
  it('is the usual one with a warning when the router fails', async () => {
    const log = recordingLogger();
    const { signal } = new AbortController();
    const router = { needsStrong: () => Promise.reject(new Error('no')) };
    expect(await chooseModel(message, router, { signal, log })).toBe('usual');
    expect(log.lines).toMatchObject([
      { level: 'warn', message: 'nobody could tell which model should answer: chatClient does' },
    ]);
  });

  // proves service-2.14-17
  it('is the usual one after 5 s, whatever the router does', async () => {
    const log = recordingLogger();
    const { signal } = new AbortController();
    const choosing = () => chooseModel(message, { needsStrong: () => never }, { signal, log });
    expect(await endsAfter(5_000, choosing)).toBe('usual');
    expect(log.lines).toMatchObject([{ fields: { reason: 'no answer within 5000 ms' } }]);
  });

  // proves service-2.14-18
  it('ends with a Stop', async () => {
    const begun = Promise.withResolvers<undefined>();
    const needsStrong = (): Promise<boolean> => {
      begun.resolve(undefined);
      return never;
    };
    const turn = asked({ needsStrong }).assistant.openSession({ channel: 'hub' }).startNow({ text: 'go' });
    await begun.promise;
    await turn.stop('user');
    expect((await turn.result).status).toBe('stopped');
  });

  // proves service-2.14-18
  it('is recorded: it is made once in a turn, and no model is named before it', async () => {
    let times = 0;
    const needsStrong = (): Promise<boolean> => {
      times += 1;
      return Promise.resolve(true);
    };
    const { assistant } = asked({ needsStrong });
    const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'go' });
    const reader = readTurn(turn);
    expect((await turn.result).text).toBe('Strong.');
    await reader.ended;
    // The turn has been replayed after its end.
    expect(times).toBe(1);
    expect(reader.events[0]?.fields).not.toHaveProperty('model');
  });

  // proves service-2.14-19
  it('is there from the start where nobody is asked', async () => {
    const router: Router = { now: (text) => text === 'hard', needsStrong: () => never };
    const { assistant } = asked(router);
    for (const [text, model] of [
      ['hard', 'strong'],
      ['easy', 'fake-1'],
    ] as const) {
      const turn = assistant.openSession({ channel: 'hub' }).startNow({ text });
      const reader = readTurn(turn);
      await reader.ended;
      expect(reader.events[0]?.fields['model']).toBe(model);
    }
  });
});
