import { delimited } from '../prompt/delimited.ts';
import { influenceOf } from '../provenance/influences.ts';
import { outcomeOfServer, type ToolOutcome } from '../tools/tool-outcome.ts';

/**
 * Why a page gave no answer. `absent`, `overloaded` and `unasked-write`: the page was not asked. `failed`: the page
 * itself reported a failure. `unreadable`: the page answered, but the answer is no JSON or too large.
 */
export type UiActionFaultKind =
  'absent' | 'overloaded' | 'unasked-write' | 'failed' | 'timed-out' | 'disconnected' | 'unreadable';

/** Longest error of a page that the model is given, in characters. */
const maxErrorLength = 2000;

/** A page gave no answer. */
export class UiActionFault extends Error {
  override readonly name = 'UiActionFault';
  readonly kind: UiActionFaultKind;

  /** `message`: for `failed`, the page's own words. Only the model is told these. */
  constructor(kind: UiActionFaultKind, message: string = kind) {
    super(message);
    this.kind = kind;
  }
}

const notAsked = 'It was not asked and nothing was changed. Say so plainly, and do not call it again in this reply.';
const sentences: Readonly<Record<Exclude<UiActionFaultKind, 'failed'>, string>> = {
  absent: `The page that offers this action is not there any more, or offers it differently now. ${notAsked}`,
  overloaded: `Too many requests wait for the page. ${notAsked}`,
  'unasked-write': `The action only reads, and this may change something. ${notAsked}`,
  'timed-out': 'The page has not answered for 30 seconds.',
  disconnected: 'The connection to the page ended before it answered.',
  unreadable: 'The page has done it, but its answer was left out: it is no JSON, or larger than 64 KiB.',
};
const mayHaveRun =
  ' It is not known whether it did what was asked. Tell the user to check before trying again, and do not call it again by yourself.';

/** The outcome of a call to which the page gave no answer (contract/ui-actions.md). */
export function outcomeOfFault({ kind, message }: UiActionFault, isReadOnly: boolean): ToolOutcome {
  if (kind === 'failed') {
    const said = delimited('error of the page', message.slice(0, maxErrorLength));
    return {
      status: 'failed',
      text: `The page could not do it:\n${said}`,
      origin: 'page',
      influencedBy: influenceOf('page'),
    };
  }
  if (kind === 'unreadable') return outcomeOfServer('succeeded', sentences[kind]);
  const isUnknown = !isReadOnly && (kind === 'timed-out' || kind === 'disconnected');
  return isUnknown
    ? outcomeOfServer('unknown', sentences[kind] + mayHaveRun)
    : outcomeOfServer('failed', sentences[kind]);
}
