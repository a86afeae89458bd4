import type { HostChannel } from './host-channel.ts';
import { nativeChannel } from './native-channel.ts';

/** Finds the host: the page that frames this one, or with `?host=webview` the application around a WebView. Null when there is none. */
export function findHost(frameAncestors: readonly string[]): HostChannel | null {
  if (window.parent !== window) return frameChannel(frameAncestors);
  return new URLSearchParams(location.search).get('host') === 'webview' ? nativeChannel() : null;
}

/**
 * The channel to the framing window. It sends only to that window and only to an origin of the list. It ignores messages of other windows
 * and other origins.
 */
function frameChannel(frameAncestors: readonly string[]): HostChannel {
  const listed = frameAncestors.map((ancestor) => (ancestor === "'self'" ? location.origin : ancestor));
  const [framing = 'null'] = (location as Partial<Location>).ancestorOrigins ?? []; // older Firefox has no ancestorOrigins
  // Where the browser does not name the framing origin, the message is sent to each listed origin, and the browser delivers it to the
  // right one.
  let origins = framing === 'null' ? listed : listed.filter((origin) => origin === framing);
  return {
    post(message) {
      for (const origin of origins) window.parent.postMessage(message, origin);
    },
    listen(receive) {
      window.addEventListener('message', ({ source, origin, data }) => {
        if (source !== window.parent || !origins.includes(origin)) return;
        origins = [origin];
        receive(data);
      });
    },
  };
}
