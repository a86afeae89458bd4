import { withMetrics } from '../../src/adapters/models/with-metrics.ts';
import type { ChatModel, ModelReply, ModelRequest, ReplySink } from '../../src/core/ports/chat-model.ts';
import type { HostedProgress } from '../../src/core/ports/hosted-tools.ts';
import { recordingMetrics } from './quiet.ts';

type Step = Partial<Pick<ModelReply, 'text' | 'toolCalls' | 'finish' | 'usage'>> & {
  /** The error that the model throws after the text instead of replying. */
  readonly fails?: Error;
  /** The model waits for this after the text. A stop ends the wait. */
  readonly until?: Promise<unknown>;
  /** The pieces in which the text is pushed. Left out, it is one piece. */
  readonly pieces?: readonly string[];
  /** The progress of calls that the provider itself makes. The model reports it before the text. */
  readonly progress?: readonly HostedProgress[];
  /** The calls that the provider has made for the reply, the items of the reply, and what its provider wants back. */
  readonly more?: Pick<ModelReply, 'hosted' | 'items' | 'extras'>;
};

export interface FakeModel extends ChatModel {
  readonly requests: ModelRequest[];
}

/** A chat model that plays one step for each call. The last step repeats. */
export function fakeModel(...steps: Step[]): FakeModel {
  const requests: ModelRequest[] = [];
  const model: ChatModel = {
    model: 'fake-1',
    provider: 'fake',
    isDemo: false,
    async run(request: ModelRequest, sink: ReplySink): Promise<ModelReply> {
      requests.push({ ...request, messages: [...request.messages] });
      const step = steps[Math.min(requests.length, steps.length) - 1] ?? {};
      request.signal.throwIfAborted();
      await Promise.resolve(); // a real model never answers within the call
      const pieces = step.pieces ?? (step.text === undefined || step.text === '' ? [] : [step.text]);
      for (const each of step.progress ?? []) sink.hosted?.(each);
      for (const piece of pieces) sink.text(JSON.stringify(piece).slice(1, -1));
      if (step.until !== undefined) await Promise.race([step.until, aborted(request.signal)]);
      request.signal.throwIfAborted();
      if (step.fails !== undefined) throw step.fails;
      return {
        text: pieces.join(''),
        toolCalls: step.toolCalls ?? [],
        usage: step.usage ?? { inputTokens: 10, outputTokens: 5 },
        model: 'fake-1',
        ...step.more,
        finish: step.finish ?? (step.toolCalls === undefined ? 'stop' : 'tool-calls'),
      };
    },
    close: () => Promise.resolve(),
  };
  // A budget counts only what a model tells to the meter of its request, as every model that the server opens does.
  return { ...withMetrics(model, recordingMetrics()), requests };
}

/** A tool call in the form that a model writes. */
export function call(name: string, argumentsValue: unknown = {}, id = 'call_1'): ModelReply['toolCalls'][number] {
  return { id, name, arguments: typeof argumentsValue === 'string' ? argumentsValue : JSON.stringify(argumentsValue) };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
}
