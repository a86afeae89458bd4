import { canonicalJson, hashArguments } from '../base/canonical-json.ts';
import type { Principal } from '../identity/principal.ts';
import type { JournalAnswer } from '../ports/confirmation-journal.ts';
import type { Arguments, ConfirmationAnswer } from './edited-arguments.ts';

/** Who has answered, and by which request, as log and journal name them. */
export function presentedBy(
  { presenter, requestId }: ConfirmationAnswer,
  caller: Principal,
): { readonly presenter: string; readonly requestId: string | undefined } {
  return { presenter: presenter ?? caller.userKey, requestId };
}

/** The changed arguments as the journal keeps them. */
export function journalled(edited: Arguments | undefined): Pick<JournalAnswer, 'edited'> {
  if (edited === undefined) return {};
  return { edited: { arguments: canonicalJson(edited), argumentsHash: hashArguments(edited) } };
}
