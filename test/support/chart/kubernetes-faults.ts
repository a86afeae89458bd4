import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import { PrometheusRule, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Service, ServiceAccount } from 'kubernetes-models/v1';
import type { KubernetesObject } from './render-chart.ts';

/** A kind of object, and the compiled check of its schema. */
interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly prototype: { readonly validate: (this: unknown) => void };
}

const kinds: readonly Kind[] = [
  ConfigMap,
  Deployment,
  HTTPRoute,
  HorizontalPodAutoscaler,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  PrometheusRule,
  Service,
  ServiceAccount,
  ServiceMonitor,
  StatefulSet,
] as never; // their types know one kind each

/** The faults that Kubernetes' schemas find in an object. A key that they do not know is a fault too, at every depth. */
export function kubernetesFaults(object: KubernetesObject): readonly string[] {
  const apiVersion = object['apiVersion'];
  const kind = kinds.find((one) => one.kind === object.kind && one.apiVersion === apiVersion);
  if (kind === undefined) return [`${String(apiVersion)} ${object.kind} is not known`];
  const reads = new Reads();
  try {
    Reflect.apply(kind.prototype.validate, reads.watch(object), []);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return reads.unread(object, '').map((path) => `${path} is not known`);
}

/**
 * Records which keys a check has read. The schemas allow unknown keys, as the cluster does with a warning. But a check reads each key
 * that its schema knows and no other, so an unread key is an unknown one.
 */
class Reads {
  readonly #watched = new WeakMap<object, { readonly keys: Set<string | symbol>; readonly proxy: object }>();

  watch(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const known = this.#watched.get(value);
    if (known !== undefined) return known.proxy;
    const keys = new Set<string | symbol>();
    const get = (target: object, key: string | symbol): unknown => {
      keys.add(key);
      return this.watch(Reflect.get(target, key));
    };
    const proxy = new Proxy(value, { get });
    this.#watched.set(value, { keys, proxy });
    return proxy;
  }

  unread(value: unknown, path: string): readonly string[] {
    if (typeof value !== 'object' || value === null) return [];
    const keys = this.#watched.get(value)?.keys;
    return Object.entries(value).flatMap(([key, below]) =>
      keys?.has(key) === true ? this.unread(below, `${path}/${key}`) : [`${path}/${key}`],
    );
  }
}
