import { influencedMember, joinInfluences } from '../../provenance/influences.ts';
import type { MemberReply } from '../member-reply.ts';

/** All replies as one, each under the name of its member. */
export function allOf(named: readonly { readonly member: string; readonly reply: MemberReply }[]): MemberReply {
  const influences = joinInfluences(...named.map(({ reply }) => reply.influencedBy ?? []));
  return {
    status: named.some(({ reply }) => reply.status === 'succeeded') ? 'succeeded' : 'failed',
    text: named.map(({ member, reply }) => `${member}: ${reply.text}`).join('\n\n'),
    ...influencedMember(influences),
  };
}
