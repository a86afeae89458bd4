import { AutoApproval } from '../../src/core/confirmations/auto-approval.ts';
import type { ConfirmationAnswer } from '../../src/core/confirmations/edited-arguments.ts';
import type { SentMessage } from '../../src/core/request/turn-request.ts';
import { call, fakeModel } from './fake-model.ts';
import { fakeTool } from './fake-tool.ts';
import { signedIn } from './principals.ts';
import { type ReadEvent, readTurn, testAssistant, type TestAssistantOptions } from './test-assistant.ts';

type Answer = Omit<ConfirmationAnswer, 'actionId'>;

/** The replies of a test's model, in order: texts and calls. */
export type Replies = Parameters<typeof fakeModel>;

/** Services with a rule that approves every call that rules may approve. */
export const everyCallByRule = { autoApproval: new AutoApproval({ rules: [() => true], maxRounds: 100 }) };

const ann = signedIn('ann');

/** A conversation over the hub. Every question is declined unless the test gives another answer. */
export function conversation(
  replies: Replies,
  { answer = { approved: false }, ...options }: Partial<TestAssistantOptions> & { readonly answer?: Answer } = {},
) {
  const model = fakeModel(...replies);
  const test = testAssistant({ ...everyCallByRule, ...options, model });
  const session = test.assistant.openSession({ channel: 'hub', principal: ann });
  /** Sends a message and returns the questions of its turn. */
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

/** An action that needs the user's approval. */
export const noteTool = (more: Parameters<typeof fakeTool>[0] = {}) =>
  fakeTool({ name: 'add_note', title: 'Add a note', ...more });

/** An action that only reads. */
export const lookUpTool = (more: Parameters<typeof fakeTool>[0] = {}) =>
  fakeTool({ name: 'look_up', title: 'Look up', readOnly: true, ...more });

/** A reply in which the model calls a tool. The id of the call contains the tool's name, so that results can be told apart. */
export const calling = (name: string, argumentsValue: object = {}): Replies[number] => ({
  toolCalls: [call(name, argumentsValue, `call_${name}`)],
});
