import type { ClientSettings } from '../wire/client-settings.ts';
import { createPageApi } from './loader/page-api.ts';
import type {} from './page-types.ts';
import { Widget, type WidgetStart } from './loader/widget.ts';

/** The server writes the settings in front of this script (channels/widget). */
declare const HELPER_SETTINGS: ClientSettings;

const tag = 'helper-widget';

// A second tag for the same script changes nothing, so that a page has one widget and one conversation.
if (customElements.get(tag) === undefined) {
  // A module has no current script. One that was imported has no tag either.
  const script = (document.currentScript ??
    document.querySelector('[src*="helper/widget.js"]')) as HTMLScriptElement | null; // only a script matches
  start({ settings: HELPER_SETTINGS, scriptUrl: script?.src ?? ownAddress(), chosen: script?.dataset ?? {} });
}

/**
 * The address of this script, as the first line of a stack has it. The numbers of line and column behind its name do no harm: addresses are
 * resolved against its folder.
 */
function ownAddress(): string {
  return new Error().stack?.split(/(http\S+)/)[1] ?? '';
}

function start(options: WidgetStart): void {
  let widget: Widget | null = null;
  const attached = new Promise<Widget>((resolve) => {
    customElements.define(
      tag,
      class extends HTMLElement {
        connectedCallback(): void {
          if (widget !== null) return;
          resolve((widget = new Widget(this, options)));
          this.dispatchEvent(new CustomEvent('helper:ready', { bubbles: true, composed: true }));
        }
      },
    );
  });
  const queued = window.HelperWidget?.q;
  const api = createPageApi(attached);
  window.HelperWidget = api;
  if (Array.isArray(queued)) api.q.push(...(queued as readonly unknown[])); // the page may have put anything into the list
  whenParsed(() => {
    // A server-side template may have printed the element already (contract/widget.md#the-script). Otherwise the element is added beside
    // the body, so that styles which move, filter or clip the body leave the launcher in its corner.
    if (widget === null) document.documentElement.append(document.createElement(tag));
  });
}

function whenParsed(run: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', run);
  else run();
}
