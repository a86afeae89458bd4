import type { HostedOffer, HostedServer } from '../../ports/hosted-tools.ts';

/** How an agent uses tools that the provider of its model runs itself (contract/hosted-tools.md). */
export interface HostedUse {
  readonly offer: HostedOffer;
  /** The MCP servers as they are configured: they decide what asks. */
  readonly servers: readonly HostedServer[];
  /** Links to other domains are taken out of replies; empty: none are. */
  readonly linkDomains: readonly string[];
  /** Whether calls of the provider are told (`enableHostedToolActivity`). */
  readonly showsActivity: boolean;
}
