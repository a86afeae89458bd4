import { AutoApproval } from '../../src/core/confirmations/auto-approval.ts';
import type { ConfirmationAnswer } from '../../src/core/confirmations/edited-arguments.ts';
import type { SentMessage } from '../../src/core/request/turn-request.ts';
import { call, fakeModel } from './fake-model.ts';
import { fakeTool } from './fake-tool.ts';
import { signedIn } from './principals.ts';
import { type ReadEvent, readTurn, testAssistant, type TestAssistantOptions } from './test-assistant.ts';

type Answer = Omit<ConfirmationAnswer, 'actionId'>;

/** What the model of a test says and calls, reply by reply. */
export type Replies = Parameters<typeof fakeModel>;

/** Approves every call, where rules may. */
export const everyCallByRule = { autoApproval: new AutoApproval({ rules: [() => true], maxRounds: 100 }) };

const ann = signedIn('ann');

/** A conversation over the hub. Whatever is asked is declined, unless there is another answer. */
export function conversation(
  replies: Replies,
  { answer = { approved: false }, ...options }: Partial<TestAssistantOptions> & { readonly answer?: Answer } = {},
) {
  const model = fakeModel(...replies);
  const test = testAssistant({ ...everyCallByRule, ...options, model });
  const session = test.assistant.openSession({ channel: 'hub', principal: ann });
  /** Says something and returns the questions that came of it. */
  const say = async (
    message: string | SentMessage,
    given: Answer = answer,
  ): Promise<readonly ReadEvent['fields'][]> => {
    const turn = session.startNow(typeof message === 'string' ? { text: message } : message);
    const reader = readTurn(turn);
    const questions: ReadEvent['fields'][] = [];
    const answering = async (): Promise<never> => {
      for (;;) {
        const { fields } = await reader.next('confirmation-requested');
        questions.push(fields);
        await test.assistant.answerConfirmation({ actionId: String(fields['actionId']), ...given }, ann);
      }
    };
    await Promise.race([reader.ended, answering()]);
    return questions;
  };
  return { ...test, model, session, say, principal: ann };
}

/** An action that asks. */
export const noteTool = (more: Parameters<typeof fakeTool>[0] = {}) =>
  fakeTool({ name: 'add_note', title: 'Add a note', ...more });

/** An action that reads. */
export const lookUpTool = (more: Parameters<typeof fakeTool>[0] = {}) =>
  fakeTool({ name: 'look_up', title: 'Look up', readOnly: true, ...more });

/** The model calls a tool. Ids of calls tell results apart. */
export const calling = (name: string, argumentsValue: object = {}): Replies[number] => ({
  toolCalls: [call(name, argumentsValue, `call_${name}`)],
});
