import { describe, expect, it } from 'vitest';
import { fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { anyone, run, waiting } from './native-process.ts';

describe('a Native confirmation over a restart of the server (contract/restarts.md)', () => {
  it('whose run fails once it is answered leaves a conversation that goes on, and knows what ran', async () => {
    const { kept, turn, actionId } = await waiting();
    const model = fakeModel({ fails: new Error('the model is away') }, { text: 'It is closed.' });
    const tool = fakeTool();
    const next = run(kept, { toolList: [tool], model });
    await next.assistant.takeUpTurns();
    const session = next.assistant.openSession({ channel: 'hub' });
    const resumed = (await next.assistant.findTurn(turn.id, anyone)) ?? turn;
    session.adopt(resumed);
    await next.answer(actionId);
    await expect(resumed.result).resolves.toMatchObject({ status: 'failed' });
    await expect(session.startNow({ text: 'and?' }).result).resolves.toMatchObject({ status: 'completed' });
    const [, asked, told] = model.requests[1]?.messages ?? [];
    expect(asked).toMatchObject({ role: 'assistant', toolCalls: [{ name: 'close_case' }] });
    expect(told).toMatchObject({ role: 'tool', text: expect.stringContaining('[succeeded]') as unknown });
    expect(tool.runs).toHaveLength(1);
  });
});
