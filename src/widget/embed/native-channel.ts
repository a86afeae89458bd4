import type { HostChannel } from './host-channel.ts';

/** An object that an application puts into the page of its WebView. */
interface NativePort {
  readonly postMessage: (text: string) => unknown;
  readonly addEventListener?: (type: 'message', listener: (event: { readonly data: unknown }) => void) => unknown;
}

/** What the WebViews of the platforms put into a page. */
interface NativeWindow {
  readonly ReactNativeWebView?: NativePort;
  readonly webkit?: { readonly messageHandlers?: { readonly helper?: NativePort } };
  readonly chrome?: { readonly webview?: NativePort };
  readonly HelperAndroid?: NativePort;
  readonly HelperFlutter?: NativePort;
}

declare global {
  interface Window {
    /** Where an application hands in its messages when its WebView has no channel into the page: it runs `HelperBridge.receive(…)`. */
    HelperBridge?: { readonly receive: (message: unknown) => void };
  }
}

/**
 * The application around a WebView, or null. Messages to it are JSON texts, which every platform can carry. Messages of windows
 * are not listened to: nothing but the application speaks through its own object and `HelperBridge`.
 */
export function nativeChannel(): HostChannel | null {
  const { ReactNativeWebView, webkit, chrome, HelperAndroid, HelperFlutter } = window as NativeWindow; // each is looked for below
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
