import type { VouchedUser } from '../../core/identity/authenticator.ts';
import { asJson, bounded, boundedJson, breaksRule, list, object, optional } from './read-values.ts';

const maxUserText = 255;
const maxRoles = 1_000;
const maxClaimsBytes = 64 * 1024;

/** Reads a user whom code of the host vouches for. @throws ValueFault, which names no value. */
export function readVouchedUser(value: unknown, name: string): VouchedUser {
  const fields = object(value, name);
  const userId = userText(fields['id'], `${name}.id`);
  const roles = optional(fields['roles'], `${name}.roles`, readRoles) ?? [];
  const claims = optional(fields['claims'], `${name}.claims`, readClaims) ?? {};
  return { id: userId, name: optional(fields['name'], `${name}.name`, userText), roles, claims };
}

/**
 * Reads a text about the user. An empty text is refused, because it identifies nobody, and one with half a character, because databases write
 * another in its place: two users could become one.
 */
function userText(value: unknown, name: string): string {
  const read = bounded(maxUserText)(value, name);
  if (read === '') throw breaksRule(`${name} is empty`);
  if (!read.isWellFormed()) throw breaksRule(`${name} has half a character`);
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
