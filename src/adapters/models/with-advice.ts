import { type ChatModel, ModelError, type ModelFaultSite } from '../../core/ports/chat-model.ts';
import { around } from './around.ts';
import { RequestTooLong } from './request-too-long.ts';
import { slipCode } from './status-fault.ts';

/** Names the entry of `models` in each fault of a model, and says what its operator can do (contract/models.md#faults-for-operators). */
export function withAdvice(model: ChatModel, entry: string): ChatModel {
  const { provider, model: name } = model;
  return around(model, async (request, sink) => {
    try {
      return await model.run(request, sink);
    } catch (error) {
      throw withSite(error, { provider, model: name, entry: `models.${entry}` });
    }
  });
}

/** The same error. A fault of a model has the entry and the advice from now on. */
export function withSite(error: unknown, site: Omit<ModelFaultSite, 'advice'>): unknown {
  if (error instanceof ModelError) error.site ??= { ...site, advice: adviceFor(error, site.entry) };
  return error;
}

/** What an operator can do about a fault, as one sentence. Undefined where nothing needs to be done. */
function adviceFor(fault: ModelError, entry: string): string | undefined {
  if (fault instanceof RequestTooLong) return `The request is too long: set contextWindow of ${entry}.`;
  if (fault.refused === 'key') return `The key is refused: check apiKey of ${entry}.`;
  if (fault.refused === 'request') return adviceForRequest(fault, entry);
  switch (fault.code) {
    case 'model_misconfigured':
      return `The provider knows no such model or address: check model, deployment and baseUrl of ${entry}.`;
    case 'model_quota_exceeded':
      return `The account of ${entry} has no quota or no money left: raise its limit at the provider, or name fallbacks.`;
    case 'model_timeout':
      return `The model was silent or slow for too long: raise timeout or totalTimeout of ${entry}, or choose a faster model.`;
    case 'model_no_reply':
      return `The model said nothing: raise maxOutputTokens of ${entry} if it is set, or choose another model.`;
    case 'model_refused':
      return undefined;
    case 'model_unavailable':
      if (fault.providerCode === slipCode)
        return `The model writes calls that its provider does not take: choose another model, or name fallbacks of ${entry}.`;
      return fault.status === undefined ? adviceForConnection(fault, entry) : adviceForStatus(fault.status, entry);
  }
}

/** The parts of a request that no entry sets. */
const ofConversation = /^(?:messages|input|contents|system|tools|functions)\b/;

function adviceForStatus(status: number, entry: string): string {
  if (status === 429)
    return `The provider asks for fewer calls: set concurrency of ${entry}, or raise the limit of its account.`;
  return `The provider has a fault of its own: wait, or name fallbacks of ${entry}.`;
}

function adviceForRequest({ param }: ModelError, entry: string): string {
  const words = 'observabilityIncludeSensitiveData puts the words of the provider into the log';
  if (param === undefined)
    return `The provider refuses the request: check options, temperature and maxOutputTokens of ${entry}; ${words}.`;
  if (ofConversation.test(param)) return `The provider refuses a part of the conversation, ${param}: ${words}.`;
  return `The provider refuses the request: check ${param} in options of ${entry}.`;
}

/** What stands in the reason of a connection that failed, and what to look at then. */
const reasons: readonly (readonly [RegExp, (entry: string) => string])[] = [
  [
    /through the proxy/,
    () => 'The proxy does not let the request through: check network.proxy, HTTPS_PROXY and network.noProxy.',
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_|TLS|SSL/,
    (entry) => `The provider's certificate is not trusted: name its root in network.ca, or check baseUrl of ${entry}.`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN/,
    (entry) => `The name of the host is not known: check baseUrl of ${entry}, and the DNS of this machine.`,
  ],
  [
    /ECONNREFUSED/,
    (entry) => `Nobody listens at the address: start the server of the model, or check baseUrl of ${entry}.`,
  ],
];

function adviceForConnection({ message }: ModelError, entry: string): string | undefined {
  const known = reasons.find(([reason]) => reason.test(message));
  if (known !== undefined) return known[1](entry);
  if (!message.includes('connection')) return undefined;
  return `The provider cannot be reached: check baseUrl of ${entry}, and network.proxy where requests leave through a proxy.`;
}
