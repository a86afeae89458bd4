/** One entry of `actions.callbacks` (contract/plugins.md#callbacks). Durations are milliseconds. */
export interface CallbackSettings {
  readonly name: string;
  readonly url: string;
  /** `whsec_` and the key in base64, or a list of such keys. All keys of a list sign, in this order. */
  readonly secret: string | readonly string[];
  readonly timeout: number;
  readonly forwardAuthorization: boolean;
  readonly refresh: number;
}
