import { globPredicate } from '../../../../core/base/glob.ts';
import type { Reader } from '../messages.ts';
import type { Audience } from '../reader/messages.ts';

/**
 * Whether a reader may read something: the reader has a role of each group, and the reader's tenant fits each group of globs. A reader
 * without a tenant fits no group.
 */
export function mayRead({ roles, tenants }: Audience, reader: Reader): boolean {
  const { tenant } = reader;
  return (
    roles.every((group) => group.some((role) => reader.roles.includes(role))) &&
    tenants.every((globs) => tenant !== null && globPredicate(globs)(tenant))
  );
}

/** An audience as the index keeps it. Equal audiences have the same text. */
export function audienceText({ roles, tenants }: Audience): string {
  return JSON.stringify([roles, tenants]);
}

/** @throws Error when the text was not written by `audienceText`. */
export function audienceOf(text: string): Audience {
  const [roles, tenants] = JSON.parse(text) as [Audience['roles'], Audience['tenants']]; // audienceText wrote this text
  return { roles, tenants };
}
