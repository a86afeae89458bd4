import type { Tool, ToolContext, ToolResult } from './tool.ts';

/** How the run of a tool ended. `abandoned`: the run had not settled when its time or its turn was over. */
export type ToolRun =
  | { readonly kind: 'returned'; readonly result: ToolResult }
  | { readonly kind: 'threw'; readonly error: Error }
  | { readonly kind: 'abandoned'; readonly because: 'timeout' | 'stopped' };

/**
 * Runs a tool, but never waits longer than its timeout or its turn: a tool that ignores its signal is left alone, and
 * what it does later changes nothing here. Never rejects.
 */
export async function runTool(
  tool: Tool,
  argumentsValue: Readonly<Record<string, unknown>>,
  context: Omit<ToolContext, 'signal'> & { readonly stop: AbortSignal },
): Promise<ToolRun> {
  const { stop, ...rest } = context;
  const timeout = new AbortController();
  const timer = setTimeout(() => {
    timeout.abort(new Error(`${tool.name} did not finish within ${String(tool.timeoutMs)} ms`));
  }, tool.timeoutMs);
  const signal = AbortSignal.any([stop, timeout.signal]);
  const abandoned = Promise.withResolvers<ToolRun>();
  const onAbort = (): void => {
    abandoned.resolve({ kind: 'abandoned', because: stop.aborted ? 'stopped' : 'timeout' });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([settle(tool, argumentsValue, { ...rest, signal }), abandoned.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function settle(
  tool: Tool,
  argumentsValue: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<ToolRun> {
  try {
    return { kind: 'returned', result: await tool.execute(argumentsValue, context) };
  } catch (error) {
    // A tool may throw because its signal aborted: what it throws then says nothing about the tool.
    if (context.signal.aborted) return new Promise(() => undefined);
    return { kind: 'threw', error: errorOf(error) };
  }
}

/** Tools may throw anything, even what has no text. */
function errorOf(thrown: unknown): Error {
  try {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  } catch {
    return new Error('the tool threw something that is no error');
  }
}
