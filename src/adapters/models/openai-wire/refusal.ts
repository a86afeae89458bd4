import { ModelError } from '../../../core/ports/chat-model.ts';
import { objectOf, parsedJson } from '../json-values.ts';
import { refusedBody, type RefusedBody } from '../refused-body.ts';
import { statusFault } from '../status-fault.ts';
import { refusedParts, ToolsRefused } from '../tools/tools-refused.ts';
import { extraMembers } from './reply-extras.ts';

/** The provider refuses a field of the request. The same call without the field may succeed. */
export class UnknownField extends ModelError {
  readonly field: string;

  constructor(field: string, { code, message, facts }: ModelError) {
    super(code, message, { transient: false, ...facts });
    this.field = field;
  }
}

/** What a provider may lack in messages that another model wrote. */
export type MissingMember = 'reasoning_content' | 'thought_signature';

/** The provider lacks something in the messages. The same call with a stand-in for it may succeed. */
export class MissingExtras extends ModelError {
  readonly member: MissingMember;

  constructor(member: MissingMember, { code, message, facts }: ModelError) {
    super(code, message, { transient: false, ...facts });
    this.member = member;
  }
}

/** The answer to a call that is no reply. */
interface RefusedAnswer {
  readonly status: number;
  readonly body: string;
  /** By the header of the answer. */
  readonly retryAfterMs: number | undefined;
  /** Cleans a provider's text of secrets. */
  readonly clean: (text: string) => string;
  /** The fields of the request that can be left out. */
  readonly fields: readonly string[];
}

/** The fault that a refused call stands for. It says what of the request the provider refuses or misses, as far as that can be known. */
export function refusal({ status, body: answer, retryAfterMs, clean, fields }: RefusedAnswer): ModelError {
  const body = withoutEcho(answer);
  const { retryAfterMs: asked, ...said } = refusedBody(body, clean);
  const fault = statusFault({ status, ...said, retryAfterMs: retryAfterMs ?? asked });
  if ((status !== 400 && status !== 422) || fault.refused !== 'request') return fault;
  const missing = missingExtras(body);
  if (missing !== undefined) return new MissingExtras(missing, fault);
  const parts = refusedParts({ status, param: said.param, reason: said.reason, text: body });
  if (parts !== undefined) return new ToolsRefused(parts, fault);
  const named = refusedField(body, said, fields);
  return named === undefined ? fault : new UnknownField(named, fault);
}

/** Members in which gateways repeat what they were sent. */
const echoes: ReadonlySet<string> = new Set(['input', 'messages', 'prompt', 'request', 'ctx']);

/** An answer without what it repeats of the request: the words of a user must not say what the provider refuses. */
function withoutEcho(body: string): string {
  const answer = objectOf(parsedJson(body));
  if (answer === undefined) return body;
  return JSON.stringify(answer, (name, value: unknown) => (echoes.has(name) ? undefined : value));
}

/** The words with which a provider says that something is not there. */
const isMissing = /\b(?:passed back|missing|required)\b/i;

/** What a refusal says to be missing in the messages. */
function missingExtras(body: string): MissingMember | undefined {
  if (!isMissing.test(body)) return undefined;
  const members = ['thought_signature', 'reasoning_content'] as const;
  return members.find((member) => body.includes(member));
}

/** With these codes a provider refuses a value or the length of a request, not the field that it names. */
const aboutValues = /context_length|_above_max|_below_min|^invalid_value$/;
/** The server itself sends no value that is too high. */
const tooMuch = /\btoo (?:high|large|long)\b/i;

/**
 * The field among `sent` that a refusal names: as its `param`, or in its words. A name that is an ordinary word has to stand in quotes
 * there, because words may speak of it for another reason.
 */
function refusedField(
  body: string,
  { param, reason }: Pick<RefusedBody, 'param' | 'reason'>,
  sent: readonly string[],
): string | undefined {
  if (aboutValues.test(reason ?? '') || tooMuch.test(body)) return undefined;
  return sent.find((field) => param === field) ?? sent.find((field) => isNamed(field, body));
}

function isNamed(field: string, body: string): boolean {
  // A member of a message is mostly named by its path.
  if (extraMembers.includes(field) && body.split(/[^\w.]+/).some((path) => path.endsWith(`.${field}`))) return true;
  const isWord = /^[a-z]+$/.test(field) && field !== 'temperature';
  if (!isWord) return body.split(/\W+/).includes(field);
  return ['"', "'", '`', String.raw`\"`].some((quote) => body.includes(quote + field + quote));
}
