import { Classifier } from '../../src/core/classifier/classifier.ts';
import { type Honesty, honestyTasks } from '../../src/core/guardrails/honest-questions.ts';
import type { ChatModel, ModelRequest } from '../../src/core/ports/chat-model.ts';

export type HonestyQuestion = keyof typeof honestyTasks;

/** The model's answer to a question: a verdict, any text, or a function that may take time or fail. */
export type HonestyAnswer = boolean | string | ((request: ModelRequest) => Promise<string>);

/** Makes a model for small questions that gives the test's answers. `asked` records the questions. */
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
    honesty: {
      classifier: new Classifier(model),
      timeoutMs: null,
      needsAction: true,
      needsLookup: true,
      needsGrounding: false,
      ...options,
    },
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
