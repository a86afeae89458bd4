import type { PageActions } from '../conversation/page-actions.ts';
import type { PanelHost } from '../widget-contract.ts';
import type { WebMcpModule } from '../webmcp/webmcp-contract.ts';
import type { Chunks } from './chunks.ts';

/** File name of the WebMCP chunk of this build (scripts/build-widget.ts). */
declare const WEBMCP_CHUNK: string;

/**
 * Adds the tools that the page offers by WebMCP, if the server wants them (`client.webMcp`) and the browser supports them. Calling the
 * result ends that.
 */
export function offerPageTools(host: PanelHost, chunks: Chunks, actions: PageActions): () => void {
  const { modelContext } = document as { readonly modelContext?: unknown }; // few browsers have it yet
  if (!host.settings.webMcp || !modelContext) return () => undefined;
  const end = new AbortController();
  const module = chunks.load<WebMcpModule>(WEBMCP_CHUNK);
  actions.awaitTools(module.then(({ followTools }) => followTools(modelContext, end.signal)));
  return () => end.abort();
}
