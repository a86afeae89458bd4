import type { ChatModel } from '../../../core/ports/chat-model.ts';
import type { ModelSettings } from '../model-settings.ts';
import { DemoChatModel } from './demo-chat-model.ts';
import type { DemoOptions } from './demo-options.ts';

const defaultWordDelayMs = 15;
const maxWordDelayMs = 1_000;

/** Builds the demo model. `options.wordDelay` (such as `15ms`) is the time between words. @throws Error when it is no such text. */
export function openDemo(settings: Pick<ModelSettings, 'options'>, demo: DemoOptions): ChatModel {
  const other = Object.keys(settings.options ?? {}).find((name) => name !== 'wordDelay');
  if (other !== undefined) throw new Error(`options.${other} is unknown: the demo model has only wordDelay`);
  return new DemoChatModel({ ...demo, wordDelayMs: wordDelay(settings.options?.['wordDelay']) });
}

function wordDelay(value: unknown): number {
  if (value === undefined) return defaultWordDelayMs;
  const milliseconds = typeof value === 'string' ? Number(/^(\d+)ms$/.exec(value)?.[1] ?? Number.NaN) : Number.NaN;
  if (milliseconds <= maxWordDelayMs) return milliseconds;
  throw new Error(`options.wordDelay must be a text such as 15ms, at most ${String(maxWordDelayMs)}ms`);
}
