import type { HostChannel } from './host-channel.ts';

/** An object that an application puts into the page of its WebView. */
interface NativePort {
  readonly postMessage: (text: string) => unknown;
  readonly addEventListener?: (type: 'message', listener: (event: { readonly data: unknown }) => void) => unknown;
}

/** The objects that the WebViews of the platforms put into a page. */
interface NativeWindow {
  readonly ReactNativeWebView?: NativePort;
  readonly webkit?: { readonly messageHandlers?: { readonly helper?: NativePort } };
  readonly chrome?: { readonly webview?: NativePort };
  readonly HelperAndroid?: NativePort;
  readonly HelperFlutter?: NativePort;
}

declare global {
  interface Window {
    /** An application whose WebView has no channel into the page runs `HelperBridge.receive(…)` to hand in its messages. */
    HelperBridge?: { readonly receive: (message: unknown) => void };
  }
}

/**
 * The channel to the application around a WebView, or null. Messages to the application are JSON texts, which every platform can carry.
 * Messages of windows are ignored: only the application can use its own object and `HelperBridge`.
 */
export function nativeChannel(): HostChannel | null {
  const { ReactNativeWebView, webkit, chrome, HelperAndroid, HelperFlutter } = window as NativeWindow; // the code below checks that each exists
  const port =
    ReactNativeWebView ?? webkit?.messageHandlers?.helper ?? chrome?.webview ?? HelperAndroid ?? HelperFlutter;
  if (port === undefined) return null;
  return {
    post(message) {
      port.postMessage(JSON.stringify(message));
    },
    listen(receive) {
      window.HelperBridge = { receive };
      port.addEventListener?.('message', ({ data }) => receive(data));
    },
  };
}
