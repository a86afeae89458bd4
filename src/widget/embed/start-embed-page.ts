import type { EmbedSettings } from '../../wire/embed-settings.ts';
import { createPageApi } from '../loader/page-api.ts';
import { Widget } from '../loader/widget.ts';
import { addStyles } from '../panel/add-styles.ts';
import { Bridge } from './bridge.ts';
import { EmbedHost } from './embed-host.ts';
import fillCss from './fill.css';
import { findHost } from './find-host.ts';

const tag = 'helper-widget';

/** Fills the page with the open panel, and speaks with the host around the page, if there is one (contract/embed.md). */
export function startEmbedPage(settings: EmbedSettings, scriptUrl: string): void {
  const element = document.createElement(tag);
  const attached = new Promise<Widget>((resolve) => {
    customElements.define(
      tag,
      class extends HTMLElement {
        connectedCallback(): void {
          resolve(new Widget(this, { settings, scriptUrl, chosen: {}, isPage: true }));
          if (this.shadowRoot !== null) addStyles(this.shadowRoot, fillCss);
        }
      },
    );
  });
  const api = createPageApi(attached);
  document.body.append(element);
  const channel = findHost(settings.frameAncestors);
  const host = channel === null ? null : new EmbedHost({ api, element, bridge: new Bridge(channel) });
  // Without a host nobody could open the panel again.
  if (host === null) api.on('close', () => void api.open());
  host?.begin();
  api.open().catch(() => {
    // The launcher appears, so that the user can try again.
    element.toggleAttribute('data-failed', true);
    host?.fail('The chat could not be fetched.');
  });
  api.on('open', () => element.toggleAttribute('data-failed', false));
}
