import { matchesGlob } from '../core/base/glob.ts';

/** Claims of Supabase and Clerk that users write themselves, as they or their templates may spell them. */
const ownClaims = ['user_metadata', 'usermetadata', 'unsafe_metadata', 'unsafemetadata'] as const;

/** Whether the name of a claim, with its dots and `*`, may lead to one that users write themselves. */
export function isWrittenByUsers(name: string): boolean {
  const spelled = name.toLowerCase();
  const parts = spelled.split('.');
  // A name may end at any dot, and `*` may stand for dots, too.
  const leads = parts.some((_part, index) => {
    const begin = parts.slice(0, index + 1).join('.');
    return ownClaims.some((claim) => matchesGlob(begin, claim));
  });
  // Deeper down, and in names that are addresses, only what is spelled out: there `*` stands for names of all kinds.
  return leads || spelled.split(/[./:]/).some((part) => ownClaims.some((claim) => claim === part));
}
