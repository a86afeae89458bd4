import { inexactParts } from '../../core/base/exact-json.ts';
import { isDeeperThan, maxArgumentLevels } from '../../core/base/json-depth.ts';
import type { ConfirmationAnswer } from '../../core/confirmations/edited-arguments.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { VouchedUser } from '../../core/identity/authenticator.ts';
import { maxSnapshotLength } from '../../core/ports/snapshot-sealer.ts';
import { readMessage, type ReadMessage } from '../shared/read-message.ts';
import {
  bounded,
  boundedJson,
  breaksRule,
  flag,
  id,
  list,
  object,
  optional,
  text,
  ValueFault,
  wrong,
} from '../shared/read-values.ts';

const maxUserText = 255;
const maxRoles = 1_000;
const maxClaimsBytes = 64 * 1024;
/** The same limit as over HTTP (contract/addresses.md#answers). */
const maxArgumentBytes = 64 * 1024;

/** Reads what `send` was called with. @throws HelperError `invalid_request` */
export function readSend(given: unknown, options: unknown): ReadMessage & { readonly signal: AbortSignal | undefined } {
  return checked(() => {
    const { signal, ...others } = optional(options, 'options', object) ?? {};
    const read = readMessage(text(given, 'text'), asJson(others, 'options'));
    return { ...read, signal: optional(signal, 'options.signal', abortSignal) };
  });
}

/** Reads what `approve` was called with. @throws HelperError `invalid_request` */
export function readAnswer(actionId: unknown, approved: unknown, options: unknown): ConfirmationAnswer {
  return checked(() => {
    const fields = object(asJson(options ?? {}, 'options'), 'options');
    const remember = optional(fields['remember'], 'options.remember', flag);
    const given = optional(fields['arguments'], 'options.arguments', readArguments);
    if (given !== undefined) refuseInexact(options);
    return {
      actionId: id(actionId, 'actionId'),
      approved: flag(approved, 'approved'),
      ...(remember !== undefined && { remember }),
      ...(given && { arguments: given }),
    };
  });
}

/** Reads what `restore` was called with. @throws HelperError `invalid_request` */
export function readSnapshot(given: unknown): string {
  return checked(() => bounded(maxSnapshotLength)(given, 'snapshot'));
}

/** Reads the user whom the host vouches for; undefined when nobody is signed in. @throws HelperError `invalid_request` */
export function readUser(options: unknown): VouchedUser | undefined {
  return checked(() => {
    const fields = optional(options, 'options', object) ?? {};
    return optional(fields['user'], 'user', readVouchedUser);
  });
}

function readVouchedUser(value: unknown, name: string): VouchedUser {
  const fields = object(value, name);
  const userId = userText(fields['id'], `${name}.id`);
  const roles = optional(fields['roles'], `${name}.roles`, readRoles) ?? [];
  const claims = optional(fields['claims'], `${name}.claims`, readClaims) ?? {};
  return { id: userId, name: optional(fields['name'], `${name}.name`, userText), roles, claims };
}

/** Reads a text about the user. An empty text is refused, because it identifies nobody. */
function userText(value: unknown, name: string): string {
  const read = bounded(maxUserText)(value, name);
  if (read === '') throw breaksRule(`${name} is empty`);
  return read;
}

function readRoles(value: unknown, name: string): readonly string[] {
  const roles = list(value, name);
  if (roles.length > maxRoles) throw breaksRule(`${name} has more than ${String(maxRoles)} entries.`);
  return roles.map((role, index) => userText(role, `${name}[${String(index)}]`));
}

function readClaims(value: unknown, name: string): VouchedUser['claims'] {
  return object(boundedJson(maxClaimsBytes)(asJson(value, name), name), name);
}

function readArguments(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (isDeeperThan(maxArgumentLevels, value)) {
    throw breaksRule(`${name} is nested deeper than ${String(maxArgumentLevels)} levels.`);
  }
  return object(boundedJson(maxArgumentBytes)(value, name), name);
}

/** Refuses arguments whose JSON form is another value than the program gave. */
function refuseInexact(options: unknown): void {
  const [part] = inexactParts(object(options, 'options')['arguments']);
  if (part !== undefined) throw breaksRule(`options.arguments: ${part.path} ${part.words}`);
}

/** A copy of a value in its JSON form. The program cannot change the copy later, and a value with cycles is refused. */
function asJson(value: unknown, name: string): unknown {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    return copy;
  } catch {
    throw wrong(`${name} cannot be written as JSON`);
  }
}

function abortSignal(value: unknown, name: string): AbortSignal {
  if (!(value instanceof AbortSignal)) throw wrong(`${name} is not an AbortSignal`);
  return value;
}

function checked<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof ValueFault ? new HelperError('invalid_request', error.message, { cause: error }) : error;
  }
}
