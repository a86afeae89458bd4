import { describe, expect, it, vi } from 'vitest';
import { SaidBefore } from '../../../../src/channels/shared/said-before.ts';
import type { Session } from '../../../../src/core/sessions/session.ts';
import { signedIn } from '../../../support/principals.ts';
import type { Turn, TurnResult } from '../../../../src/core/turn/live/turn.ts';

function setUp(checksMessages: boolean, limits: { maxMessageLength?: number; maxSessionMessages?: number } = {}) {
  const said = new SaidBefore({
    assistant: { checksMessages },
    clock: { now: () => 1 },
    limits: { maxMessageLength: 0, maxSessionMessages: 0, ...limits },
  });
  const replaceConversation = vi.fn<Session['replaceConversation']>();
  /** What of these messages becomes the conversation. */
  const taken = (...texts: readonly string[]): readonly string[] => takenOf('ann', texts);
  const takenOf = (user: string, texts: readonly string[]): readonly string[] => {
    replaceConversation.mockClear();
    said.takeUp({ replaceConversation, principal: signedIn(user) } as unknown as Session, texts); // the members that are used
    const messages = replaceConversation.mock.calls[0]?.[0] ?? [];
    return messages.flatMap(({ message }) => (message.role === 'user' ? [message.text] : []));
  };
  const asked = async (text: string, status: TurnResult['status']): Promise<void> => {
    const turn: Pick<Turn, 'result'> = { result: Promise.resolve({ turnId: 't', status, text: '' }) };
    said.note(text, signedIn('ann'), turn);
    await turn.result;
  };
  return { taken, takenOf, asked };
}

describe('what a client says that its user has said before (contract/openai.md#messages and contract/ag-ui.md#threads)', () => {
  it('is taken where nothing checks messages, as far as it is no longer than a message may be', () => {
    const { taken } = setUp(false, { maxMessageLength: 5 });
    expect(taken('short', 'longer')).toEqual(['short']);
  });

  it('is taken where messages are checked only when it was taken before, and not refused', async () => {
    const { taken, asked } = setUp(true);
    await asked('good', 'completed');
    await asked('stopped', 'stopped');
    await asked('bad', 'refused');
    expect(taken('good', 'never', 'bad', 'stopped')).toEqual(['good', 'stopped']);
  });

  // proves configuration-7-62
  it('is not taken where another user has said it', async () => {
    const { taken, takenOf, asked } = setUp(true);
    await asked('the code is 4711', 'completed');
    expect(takenOf('bob', ['the code is 4711'])).toEqual([]);
    expect(taken('the code is 4711')).toEqual(['the code is 4711']);
  });

  it('is no more than a conversation keeps', () => {
    const { taken } = setUp(false, { maxSessionMessages: 5 });
    expect(taken('1', '2', '3', '4')).toEqual(['3', '4']);
  });

  it('is forgotten after 20,000 others', async () => {
    const { taken, asked } = setUp(true);
    await asked('first', 'completed');
    for (let index = 0; index < 20_000; index += 1) void asked(String(index), 'completed');
    await asked('last', 'completed');
    expect(taken('first', '1', 'last')).toEqual(['1', 'last']);
  });
});
