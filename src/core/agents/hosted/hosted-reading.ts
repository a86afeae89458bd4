import type { CallServices, TurnScope } from '../../calls/call-scope.ts';
import type { Influence } from '../../events/turn-event.ts';
import type { ChatMessage, ModelReply, ReplySink } from '../../ports/chat-model.ts';
import type { HostedCall, HostedCitation, HostedTarget } from '../../ports/hosted-tools.ts';
import { HostedActivity, nothingApproved, type RecordedHosted } from './hosted-activity.ts';
import { influenceOf, joinInfluences, silenced } from '../../provenance/influences.ts';
import { hasFiles, hostedInfluences } from './hosted-said.ts';
import type { HostedUse } from './hosted-use.ts';
import { isInDomains, LinkScope } from './link-scope.ts';

/** What is needed to read a reply whose provider has tools of its own. */
export interface HostedScope {
  readonly turn: TurnScope;
  readonly services: CallServices;
  readonly use: HostedUse;
  readonly agent: string;
  /** The beginning of the keys of the reply. */
  readonly path: string;
  /** What is sent to the model. The reply may repeat links from it. */
  readonly sent: { readonly instructions: string; readonly messages: readonly ChatMessage[] };
  /** Takes the end of a call. Returns whether the call was one that somebody has approved. Left out, nobody has approved any call. */
  readonly isApproved?: ((call: HostedCall) => boolean) | undefined;
}

/** Reads one reply. Tells the calls of the provider, and takes out links to domains that are not allowed. */
export class HostedReading {
  readonly #scope: HostedScope;
  readonly #activity: HostedActivity;
  #links: LinkScope | undefined;
  readonly #show: (escaped: string) => void;
  readonly #takeBack: () => void;
  readonly #texts: string[] = [];
  #citations: readonly HostedCitation[] = [];

  /** `text` gets the text of the reply, JSON-escaped, without the links that were taken out. `takeBack` takes back what it got so far. */
  constructor(
    scope: HostedScope,
    { text: show, takeBack }: { readonly text: (escaped: string) => void; readonly takeBack: () => void },
  ) {
    const { isApproved = nothingApproved, use } = scope;
    this.#scope = scope;
    this.#show = show;
    this.#takeBack = takeBack;
    this.#activity = new HostedActivity({ ...scope, isApproved });
    this.#links = use.linkDomains.length === 0 ? undefined : this.#newLinks();
  }

  get sink(): ReplySink {
    const hosted: ReplySink['hosted'] = (progress) => {
      this.#activity.take(progress);
    };
    if (this.#links === undefined) return { text: this.#show, takeBack: this.#takeBack, hosted };
    return {
      hosted,
      takeBack: () => {
        this.#texts.length = 0;
        this.#links = this.#newLinks();
        this.#takeBack();
      },
      text: (escaped) => {
        this.#put(this.#links?.add(String(JSON.parse(`"${escaped}"`))) ?? '');
      },
    };
  }

  /**
   * The untrusted texts that the model has read so far beside what it was sent by this server: what MCP servers say of their tools, which
   * the provider shows to the model before any call, and what the provider's tools have found.
   */
  get influences(): readonly Influence[] {
    const { offer } = this.#scope.use;
    const { targets } = this.#activity;
    const offered = offer.servers.map(({ name }) => silenced(influenceOf('mcp', name)));
    const ofCode = hasFiles(offer) && targets.some(isCode) ? influenceOf('document') : [];
    return joinInfluences(...offered, ofCode, hostedInfluences(targets, this.#citations));
  }

  /** The reply as it is recorded. MUST be called once the model has ended, and before its text is settled. */
  ended<Reply extends Pick<ModelReply, 'text' | 'hosted'>>(
    reply: Reply,
  ): Omit<Reply, 'hosted'> & { readonly hosted?: RecordedHosted } {
    const { hosted, ...rest } = reply;
    this.#citations = hosted?.citations ?? [];
    for (const call of hosted?.calls ?? []) this.#activity.take({ phase: 'ended', call });
    this.#activity.close();
    const { calls } = this.#activity;
    const citations = hosted?.citations.filter((citation) => this.#mayBeCited(citation)) ?? [];
    const text = this.#links === undefined ? reply.text : this.#ended(this.#links);
    this.#report(hosted?.citations ?? []);
    const recorded = { ...rest, text };
    return calls.length === 0 && citations.length === 0 ? recorded : { ...recorded, hosted: { calls, citations } };
  }

  /** Must be called when the reply broke off. */
  brokeOff(): void {
    this.#activity.close();
  }

  #newLinks(): LinkScope {
    return new LinkScope((address) => this.#mayStand(address));
  }

  #ended(links: LinkScope): string {
    this.#put(links.end());
    return this.#texts.join('');
  }

  #put(text: string): void {
    if (text === '') return;
    this.#texts.push(text);
    this.#show(JSON.stringify(text).slice(1, -1));
  }

  #mayBeCited({ kind, id }: HostedCitation): boolean {
    return kind === 'file' || this.#links === undefined || isInDomains(id, this.#scope.use.linkDomains);
  }

  #mayStand(address: string): boolean {
    const { use, sent } = this.#scope;
    if (isInDomains(address, use.linkDomains)) return true;
    return sent.instructions.includes(address) || sent.messages.some(({ text }) => text.includes(address));
  }

  #report(citations: readonly HostedCitation[]): void {
    const { turn, services } = this.#scope;
    const cited = citations.filter((citation) => !this.#mayBeCited(citation)).map(({ id }) => hostOf(id));
    const hosts = [...new Set([...(this.#links?.removedHosts ?? []), ...cited])];
    if (hosts.length > 0)
      services.log.warn({ turnId: turn.id, hosts }, 'links of other domains were taken out of a reply');
  }
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '(unreadable address)';
}

function isCode(target: HostedTarget): boolean {
  return target.kind === 'tool' && target.name === 'CodeInterpreter';
}
