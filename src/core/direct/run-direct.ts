import { untilStopped } from '../base/until-stopped.ts';
import type { CallServices } from '../calls/call-scope.ts';
import { maxProgressLength } from '../calls/run-call.ts';
import { type FailedRun, faultOfRun } from '../calls/run-fault.ts';
import { tenantOf } from '../identity/principal.ts';
import type { MessageRate } from '../limits/message-rate.ts';
import type { Tracing } from '../ports/turn-trace.ts';
import { contentOf, contentText } from '../tools/content-part.ts';
import { maxResultLength, modelText } from '../tools/model-text.ts';
import { runTool, type ToolRun } from '../tools/run-tool.ts';
import { meteredName } from '../tools/tool-name.ts';
import { outcomeText } from '../tools/tool-outcome.ts';
import { toolUser } from '../tools/tool-user.ts';
import type { Tool } from '../tools/tool.ts';
import type { Skills } from '../skills/live-skills.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { DirectCall, DirectCaller, EndedOutcome } from './direct-call.ts';
import { heardLog } from './heard-log.ts';

/** What direct calls need from the server. It is asked for each call, because a reload changes it. */
export interface DirectServices {
  readonly toolbox: () => Toolbox;
  /** Counts direct calls, apart from messages (contract/mcp-server.md#calls). */
  readonly directRate: MessageRate;
  readonly calls: CallServices;
  /** Follows the calls; left out, nobody does (contract/operations.md#traces). */
  readonly tracing?: Tracing | undefined;
  /** Undefined when skills are off. */
  readonly skills?: Skills | undefined;
}

const needsPage =
  'This action needs the page of the user, and there is none here. What it did before that stays done. Do not call it again.';

/** Runs a call that nobody has to be asked about any more. Rejects only with faults of this server. */
export async function runDirect(
  chosen: ChosenTool,
  call: DirectCall & { readonly argumentsValue: Readonly<Record<string, unknown>> },
  caller: DirectCaller,
): Promise<EndedOutcome> {
  const run = await ran(chosen, call, caller);
  return run.kind === 'returned' ? delivered(chosen, run) : failed(chosen, run);
}

async function ran(
  { tool, callId, services, stop }: ChosenTool,
  { argumentsValue, progress, logged }: DirectCall & { readonly argumentsValue: Readonly<Record<string, unknown>> },
  { channel, principal, authorization, traceparent, span }: DirectCaller,
): Promise<ToolRun> {
  const { clock, log, metrics } = services.calls;
  const startedAt = clock.elapsed();
  let isSettled = false;
  const ownLog = log.child({ tool: tool.name, callId });
  const run = await runTool(tool, argumentsValue, {
    user: toolUser(principal),
    callId,
    // There is no turn, and no conversation (contract/mcp-server.md#calls).
    turnId: null,
    conversationId: null,
    channel,
    page: undefined,
    ...(authorization === undefined ? {} : { authorization }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(span === undefined ? {} : { span }),
    log:
      logged === undefined
        ? ownLog
        : heardLog(ownLog, (line) => {
            if (!isSettled) logged(line);
          }),
    progress: (text) => {
      if (!isSettled) progress(text.slice(0, maxProgressLength));
    },
    stop,
  });
  isSettled = true;
  metrics.of(tenantOf(principal)).toolRan({ action: meteredName(tool.name), durationMs: clock.elapsed() - startedAt });
  return run;
}

/** Cards and navigation have nobody to be shown to. */
async function delivered(
  { tool, services, stop }: ChosenTool,
  { result }: Extract<ToolRun, { kind: 'returned' }>,
): Promise<EndedOutcome> {
  const { log, transformResult } = services.calls;
  if (result.uiAction !== undefined) return { status: 'failed', told: needsPage };
  try {
    const value = await untilStopped(transformResult(tool.name, result.value), stop);
    if (result.isContent === true) return deliveredContent(value);
    const text = modelText(value);
    // A hook may return what JSON writes in another way, so the data are read from the text.
    const read: unknown = typeof value === 'string' || text.length > maxResultLength ? undefined : JSON.parse(text);
    return { status: 'succeeded', text, ...(isObject(read) ? { data: read } : {}) };
  } catch (error) {
    if (!stop.aborted) log.error({ error, tool: tool.name }, 'a result could not be delivered and was withheld');
    return { status: 'failed', told: outcomeText.withheld };
  }
}

/** The parts as they are. Where their texts are too long, or a hook has made something else of them, the words for a model. */
function deliveredContent(value: unknown): EndedOutcome {
  const text = contentText(value);
  const content = text.length > maxResultLength ? undefined : contentOf(value);
  return { status: 'succeeded', text, ...(content === undefined ? {} : { content }) };
}

async function failed(chosen: ChosenTool, run: FailedRun): Promise<EndedOutcome> {
  const fault = faultOfRun(run, chosen);
  if (fault === 'unknown') return { status: 'unknown', told: outcomeText.unknown };
  if (fault === 'unavailable') return { status: 'failed', told: outcomeText.unavailable };
  if (fault === 'changed') return { status: 'cancelled', told: outcomeText.changed };
  if (fault === 'cancelled') return { status: 'cancelled', told: outcomeText.cancelled };
  if (run.kind === 'abandoned') return { status: 'failed', told: outcomeText.timedOut };
  const { tool, services, stop } = chosen;
  // A hook that never answers must not keep the call for ever.
  const texts = untilStopped(services.calls.exceptionTexts(run.error, tool.name), stop);
  const words = await texts.then(
    ({ forModel }) => forModel,
    () => run.error.message,
  );
  return { status: 'failed', told: `The action failed: ${modelText(words)}` };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A tool that the caller may call. */
export interface ChosenTool {
  readonly tool: Tool;
  readonly readOnly: boolean;
  readonly callId: string;
  /** The services that the call began with. */
  readonly services: DirectServices;
  /** Aborted when the caller has gone, and at the end of a drain. */
  readonly stop: AbortSignal;
}
