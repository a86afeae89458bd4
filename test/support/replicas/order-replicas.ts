import { onTestFinished } from 'vitest';
import { type CallbackReceiver, callbackSecret, json, startCallback } from '../callback-receiver.ts';
import { type ModelScript, type ScriptedModel, startScriptedModel } from '../scripted-model.ts';
import { type Replicas, type ReplicasOptions, type SharedServices, startReplicas } from './replica-processes.ts';

export interface OrderReplicas extends Replicas {
  readonly model: ScriptedModel;
  /** The action `cancel_order` of another system. It asks first. */
  readonly orders: CallbackReceiver;
}

export interface OrderReplicasOptions extends ReplicasOptions {
  readonly scripts?: readonly ModelScript[];
  /** Answers what the scripts do not. */
  readonly otherwise?: ModelScript;
  /** More about the action. */
  readonly action?: object;
}

/** Replicas with a scripted model and an action that asks, of another system. Everything ends with the test. */
export async function startOrderReplicas(
  count: number,
  services: SharedServices,
  {
    scripts = [],
    otherwise,
    action = {},
    yaml = '',
    environment = {},
    atEnd = onTestFinished,
    ...more
  }: OrderReplicasOptions,
): Promise<OrderReplicas> {
  const cancel = {
    name: 'cancel_order',
    description: 'Cancels an order.',
    parameters: { type: 'object', additionalProperties: true },
    ...action,
  };
  const orders = await startCallback({ version: 1, actions: [cancel] }, atEnd);
  orders.answer = json({ result: 'cancelled' });
  const model = await startScriptedModel({ scripts, ...(otherwise && { otherwise }) });
  atEnd(() => model.close());
  const callback = `{ name: erp, url: '${orders.url}', secret: '${callbackSecret}' }`;
  const replicas = await startReplicas(count, services, {
    ...more,
    atEnd,
    yaml: `actions: { plugins: [], callbacks: [${callback}] }\n${yaml}`,
    environment: {
      ...{ HELPER__MODELS__DEMO__PROVIDER: 'openai', HELPER__MODELS__DEMO__BASEURL: model.url },
      ...{ HELPER__MODELS__DEMO__MODEL: 'scripted', HELPER__MODELS__DEMO__APIKEY: 'none' },
      ...environment,
    },
  });
  return { ...replicas, model, orders };
}
