import { type NodePlan, textOf } from './node-plan.ts';
import type { Endpoints } from './own-endpoints.ts';
import { linkAttributes, safeLink } from './safe-link.ts';

/** Where links that a model or a tool wrote may lead (contract/widget.md#links). */
export interface LinkRules extends Endpoints {
  /** The origin of the page. Links to it are allowed, save to the server's own endpoints. */
  readonly page?: string;
  /** A regular expression of the hosts to which links may lead. Left out: any host. */
  readonly hosts?: string | undefined;
  /** Addresses of the documents that the reply is based on. Links to them are allowed on every host, over https. */
  readonly cited?: readonly (string | undefined)[];
}

type Words = readonly (NodePlan | string)[];

/**
 * A link with these words. Null when the words must stay text. The host to which the link really leads stands beside the words, unless the
 * words begin with that host. Without `rules` only the addresses that `safeLink` refuses are refused.
 */
export function planLink(target: string, words: Words, rules?: LinkRules): NodePlan | null {
  const address = safeLink(target, rules);
  const host = address === null ? null : foreignHost(address, words, rules);
  if (address === null || host === null) return null;
  const seen: Words = host === '' ? [] : [' ', { tag: 'span', attributes: { dir: 'ltr' }, children: [`(${host})`] }];
  return { tag: 'a', attributes: linkAttributes(address), children: [...words, ...seen] };
}

/** The host to show beside the words. Empty when there is no host to show. Null when the link is not allowed. */
function foreignHost(address: string, words: Words, rules: LinkRules | undefined): string | null {
  if (rules === undefined || !/^https?:/i.test(address)) return '';
  if (!URL.canParse(address)) return null;
  const { page, hosts = '', cited = [] } = rules;
  const { origin, protocol, host } = new URL(address);
  if (origin === page) return '';
  if (protocol !== 'https:' || !(cited.includes(address) || new RegExp(hosts).test(host))) return null;
  // In `https://bank.example@evil.example` the real host is `evil.example`, so the whole part before the path is compared.
  const [said] = words
    .map(textOf)
    .join('')
    .toLowerCase()
    .replace(/^https:\/\//, '')
    .split(/[/?#]/);
  return said === host ? '' : host;
}
