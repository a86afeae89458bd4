import type { HostChannel } from './host-channel.ts';
import { nativeChannel } from './native-channel.ts';

/** The host: the page that frames this one, or with `?host=webview` the application around a WebView. Null when there is none. */
export function findHost(frameAncestors: readonly string[]): HostChannel | null {
  if (window.parent !== window) return frameChannel(frameAncestors);
  return new URLSearchParams(location.search).get('host') === 'webview' ? nativeChannel() : null;
}

/**
 * Messages go to the framing window alone and only to an origin of the list, and come from there alone. What other windows
 * and other origins send is not looked at.
 */
function frameChannel(frameAncestors: readonly string[]): HostChannel {
  const listed = frameAncestors.map((ancestor) => (ancestor === "'self'" ? location.origin : ancestor));
  const [framing = 'null'] = (location as Partial<Location>).ancestorOrigins ?? []; // Firefox has learned it late
  // Where the browser does not say who frames the page, each origin is tried: it delivers to the one that is there.
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
