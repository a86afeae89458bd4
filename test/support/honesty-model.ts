import { Classifier } from '../../src/core/classifier/classifier.ts';
import { type Honesty, honestyTasks } from '../../src/core/guardrails/honest-questions.ts';
import type { ChatModel, ModelRequest } from '../../src/core/ports/chat-model.ts';

export type HonestyQuestion = keyof typeof honestyTasks;

/** What the model behind the questions answers: a verdict, other words, or something that takes its time or fails. */
export type HonestyAnswer = boolean | string | ((request: ModelRequest) => Promise<string>);

/** A model of small questions that answers as the test says, and what it was asked. */
export function honestyOf(
  answers: Readonly<Partial<Record<HonestyQuestion, HonestyAnswer>>>,
  options: Partial<Honesty> = {},
): { readonly honesty: Honesty; readonly asked: readonly { question: HonestyQuestion; request: ModelRequest }[] } {
  const asked: { question: HonestyQuestion; request: ModelRequest }[] = [];
  const model: ChatModel = {
    model: 'small',
    provider: 'fake',
    isDemo: false,
    run: async (request) => {
      const question = questionOf(request);
      asked.push({ question, request });
      const answer = answers[question] ?? false;
      const text = typeof answer === 'function' ? await answer(request) : answerText(answer);
      return { text, toolCalls: [], usage: { inputTokens: 1, outputTokens: 1 }, model: 'small', finish: 'stop' };
    },
    close: () => Promise.resolve(),
  };
  return {
    honesty: { classifier: new Classifier(model), timeoutMs: null, needsAction: true, needsLookup: true, ...options },
    asked,
  };
}

export function answerText(answer: boolean | string): string {
  return typeof answer === 'string' ? answer : JSON.stringify({ answer });
}

function questionOf({ instructions }: Pick<ModelRequest, 'instructions'>): HonestyQuestion {
  const tasks = Object.entries(honestyTasks) as readonly [HonestyQuestion, string][]; // its keys are the questions
  const found = tasks.find(([, task]) => instructions.startsWith(task));
  if (found === undefined) throw new Error('another question was asked');
  return found[0];
}
