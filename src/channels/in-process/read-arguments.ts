import { inexactParts } from '../../core/base/exact-json.ts';
import { isDeeperThan, maxArgumentLevels } from '../../core/base/json-depth.ts';
import type { ConfirmationAnswer } from '../../core/confirmations/edited-arguments.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { VouchedUser } from '../../core/identity/authenticator.ts';
import { maxSnapshotLength } from '../../core/ports/snapshot-sealer.ts';
import { readMessage, type ReadMessage } from '../shared/read-message.ts';
import { readVouchedUser } from '../shared/read-vouched-user.ts';
import {
  asJson,
  bounded,
  boundedJson,
  breaksRule,
  flag,
  id,
  object,
  optional,
  text,
  ValueFault,
  wrong,
} from '../shared/read-values.ts';

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
