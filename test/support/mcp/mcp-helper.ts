import type { HelperEvent, HelperTurn } from '../../../src/index.ts';
import { inProcessHelper, type InProcessHelper } from '../in-process-helper.ts';
import type { ModelScript, ScriptedModel } from '../scripted-model.ts';

export type McpHelper = InProcessHelper & {
  readonly session: Awaited<ReturnType<InProcessHelper['helper']['session']>>;
};

/** The assistant with these MCP servers and a scripted model. It ends with the test. */
export async function mcpHelper(
  mcpServers: readonly object[],
  scripts: readonly ModelScript[],
  settings: object = {},
): Promise<McpHelper> {
  const opened = await inProcessHelper({ scripts, settings: { mcpServers, ...settings } });
  return { ...opened, session: await opened.helper.session() };
}

/** The results that the model was told, in the order of the calls. */
export function toldTo(model: ScriptedModel): readonly string[] {
  const messages = model.requests.at(-1)?.body['messages'] as readonly { role: string; content: string }[];
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

/** The names of the tools that the model was offered in a request. */
export function offeredIn(model: ScriptedModel, index: number): readonly string[] {
  const tools = (model.requests[index]?.body['tools'] ?? []) as readonly { function: { name: string } }[];
  return tools.map(({ function: { name } }) => name);
}

/** Reads a turn to its end, and answers each question in it. */
export async function answering(
  turn: HelperTurn,
  answer: (actionId: string) => Promise<unknown>,
): Promise<readonly HelperEvent[]> {
  const events: HelperEvent[] = [];
  for await (const event of turn) {
    events.push(event);
    if (event.event === 'ConfirmationRequested') await answer(event.actionId);
  }
  return events;
}

/** The ends of calls among these events. */
export function statusesIn(events: readonly HelperEvent[]): readonly string[] {
  return events.flatMap((event) => (event.event === 'ActionCompleted' ? [`${event.action} ${event.status}`] : []));
}

/** The reasons of the questions among these events. */
export function reasonsIn(events: readonly HelperEvent[]): readonly string[] {
  return events.flatMap((event) => (event.event === 'ConfirmationRequested' ? [event.reason] : []));
}
