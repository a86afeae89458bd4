import { describe, expect, it } from 'vitest';
import { RemoteChatModel } from '../../../../../src/adapters/models/agents/remote-chat-model.ts';
import type { ChatMessage, HistoryMark, ModelRequest } from '../../../../../src/core/ports/chat-model.ts';
import { RemoteAgentFault, type RemoteReply, type RemoteRequest } from '../../../../../src/core/ports/remote-agent.ts';

const image = { name: 'a.png', mediaType: 'image/png', data: 'AAAA' } as const;

function request(messages: readonly ChatMessage[]): ModelRequest {
  const tools = [{ name: 'look', description: 'Looks.', parameters: {} }];
  const flow = { paused: false, onResume: () => undefined };
  const { signal } = new AbortController();
  return { instructions: 'Be kind.', messages, tools, toolChoice: 'auto', signal, flow, traceparent: 'trace' };
}

const said = (mark: HistoryMark): ChatMessage => ({ role: 'assistant', text: 'Hi.', toolCalls: [], mark });

function agent(answer: (asked: RemoteRequest) => RemoteReply) {
  const asked: RemoteRequest[] = [];
  const model = new RemoteChatModel({
    name: 'agent.example',
    identity: 'a2a one',
    remote: {
      ask: (given, onText) => {
        asked.push(given);
        const reply = answer(given);
        onText(reply.text);
        return Promise.resolve(reply);
      },
    },
  });
  const pieces: string[] = [];
  const ask = (messages: readonly ChatMessage[]) =>
    model.run(request(messages), { text: (escaped) => pieces.push(escaped) });
  return { ask, asked, pieces };
}

describe('an agent on another server in place of a model (contract/agents.md#an-agent-that-answers)', () => {
  // proves configuration-6-89
  it('sends the newest message with its images, and neither instructions nor tools', async () => {
    const { ask, asked, pieces } = agent(() => ({ text: 'Say "yes"', asksBack: false }));
    const reply = await ask([
      { role: 'user', text: 'Before' },
      { role: 'user', text: 'Now', images: [image] },
    ]);
    expect(asked).toMatchObject([{ text: 'Now', images: [image], thread: undefined, traceparent: 'trace' }]);
    expect(JSON.stringify(asked)).not.toMatch(/kind|look|Before/u);
    expect(pieces).toEqual(['Say \\"yes\\"']);
    expect(reply).toMatchObject({ text: 'Say "yes"', toolCalls: [], model: 'agent.example', finish: 'stop' });
    expect(reply.mark).toBeUndefined();
  });

  it('goes on where its own last reply has left the conversation, and marks the next', async () => {
    const { ask, asked } = agent(() => ({ text: 'Yes.', asksBack: true, thread: { contextId: 'c', taskId: 't2' } }));
    const reply = await ask([
      said({ id: 'c', model: 'a2a one', instructions: '', task: 't1' }),
      said({ id: 'other', model: 'a2a two', instructions: '' }),
      { role: 'user', text: 'Now' },
    ]);
    expect(asked).toMatchObject([{ thread: { contextId: 'c', taskId: 't1' } }]);
    expect(reply.mark).toEqual({ id: 'c', model: 'a2a one', instructions: '', task: 't2' });
  });

  it('has the fault of a model where there is no reply', async () => {
    const { ask } = agent(() => {
      throw new RemoteAgentFault('agent.example is paused');
    });
    await expect(ask([{ role: 'user', text: 'Now' }])).rejects.toMatchObject({
      code: 'model_unavailable',
      message: 'agent.example is paused',
      transient: false,
    });
  });
});
