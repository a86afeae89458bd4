import { type NodePlan, textOf } from './node-plan.ts';
import { linkAttributes, safeLink } from './safe-link.ts';

/** Where links that a model or a tool wrote may lead (contract/widget.md#links). */
export interface LinkRules {
  /** The origin of the page, to which links always lead. */
  readonly page?: string;
  /** A regular expression of the hosts to which links may lead. Left out: any host. */
  readonly hosts?: string | undefined;
  /** Addresses of the documents that the reply goes by. They stay links whatever their host. */
  readonly cited?: readonly (string | undefined)[];
}

type Words = readonly (NodePlan | string)[];

/**
 * A link with these words, or null where they must stay text. The host that the link really leads to stands beside the words, unless
 * they begin with it. Without rules only addresses that are never safe are refused.
 */
export function planLink(target: string, words: Words, rules?: LinkRules): NodePlan | null {
  const address = safeLink(target);
  const host = address === null ? null : foreignHost(address, words, rules);
  if (address === null || host === null) return null;
  const seen: Words = host === '' ? [] : [' ', { tag: 'span', attributes: { dir: 'ltr' }, children: [`(${host})`] }];
  return { tag: 'a', attributes: linkAttributes(address), children: [...words, ...seen] };
}

/** The host to show beside the words: empty where there is none to show, null where nobody may be led there. */
function foreignHost(address: string, words: Words, rules: LinkRules | undefined): string | null {
  if (rules === undefined || !/^https?:/i.test(address)) return '';
  if (!URL.canParse(address)) return null;
  const { page, hosts = '', cited = [] } = rules;
  const { origin, protocol, host } = new URL(address);
  if (origin === page) return '';
  if (protocol !== 'https:' || !(cited.includes(address) || new RegExp(hosts).test(host))) return null;
  // In `https://bank.example@evil.example` the host is the last of the two.
  const [said] = words
    .map(textOf)
    .join('')
    .toLowerCase()
    .replace(/^https:\/\//, '')
    .split(/[/?#]/);
  return said === host ? '' : host;
}
