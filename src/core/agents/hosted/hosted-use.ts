import type { HostedOffer, HostedServer } from '../../ports/hosted-tools.ts';

/** How an agent uses tools that the provider of its model runs itself (contract/hosted-tools.md). */
export interface HostedUse {
  readonly offer: HostedOffer;
  /** The MCP servers as they are configured. They decide which calls need an approval. */
  readonly servers: readonly HostedServer[];
  /** Links to any other domain are taken out of replies. If the list is empty, no link is taken out. */
  readonly linkDomains: readonly string[];
  /** Whether calls of the provider are told (`enableHostedToolActivity`). */
  readonly showsActivity: boolean;
}
