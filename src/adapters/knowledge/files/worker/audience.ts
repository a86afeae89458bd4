import { globPredicate } from '../../../../core/base/glob.ts';
import type { Reader } from '../messages.ts';
import type { Audience } from '../reader/messages.ts';

/** Whether somebody may read: they have a role of each group, and their tenant fits each group. Without a tenant they fit none. */
export function mayRead({ roles, tenants }: Audience, reader: Reader): boolean {
  const { tenant } = reader;
  return (
    roles.every((group) => group.some((role) => reader.roles.includes(role))) &&
    tenants.every((globs) => tenant !== null && globPredicate(globs)(tenant))
  );
}

/** An audience as the index keeps it: two that are the same have the same text. */
export function audienceText({ roles, tenants }: Audience): string {
  return JSON.stringify([roles, tenants]);
}

/** @throws Error when the text was not written by `audienceText`. */
export function audienceOf(text: string): Audience {
  const [roles, tenants] = JSON.parse(text) as [Audience['roles'], Audience['tenants']]; // what audienceText wrote
  return { roles, tenants };
}
