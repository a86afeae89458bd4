import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { HourlyMetrics } from '../../adapters/hourly-metrics/hourly-metrics.ts';
import type { PrometheusMetrics } from '../../adapters/metrics/prometheus-metrics.ts';
import type { Stores } from '../../adapters/stores/stores.ts';
import type { Admission } from '../../channels/shared/admit-requests.ts';
import type { CrossOriginGuard } from '../../channels/shared/cross-origin.ts';
import type { ConnectionsElsewhere } from '../../channels/shared/replicas/connections-elsewhere.ts';
import type { SecurityLog } from '../../channels/shared/security-log.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { Assistant } from '../../core/assistant.ts';
import type { KeptTasks } from '../../core/tasks/kept-tasks.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { MemoryStore } from '../../core/ports/memory-store.ts';
import type { ReplicaBus } from '../../core/ports/replica-bus.ts';
import type { UserErasure } from '../../core/erasure/user-erasure.ts';
import type { SessionSnapshots } from '../../core/sessions/snapshot/session-snapshots.ts';
import type { UserConversations } from '../../core/sessions/user-conversations.ts';
import type { LiveBudgets } from '../budgets/live-budgets.ts';
import type { CallerRooms } from '../caller-rooms.ts';
import type { OpenHttp } from '../open-http.ts';
import type { OpenResources } from '../open-resources.ts';
import type { PreparedServer } from '../prepare-server.ts';
import type { DataKeys } from '../reload/live-sealers.ts';
import type { Recovery } from '../replicas/recovery.ts';
import type { StoredTimes } from '../stored-times.ts';

/** A warning by its code (docs/reference/warnings.md). */
export interface StartWarning {
  readonly code: string;
  readonly message: string;
}

/** The services that channels are built from. */
export interface ChannelServices {
  readonly settings: HelperSettings;
  /** The settings that turns go by now: a reload may have changed some. */
  readonly current: () => HelperSettings;
  readonly prepared: PreparedServer;
  /** How this replica reaches the others. Undefined where it is the only one. */
  readonly bus: ReplicaBus | undefined;
  /** The present keys of `dataProtection`. */
  readonly dataKeys: () => DataKeys;
  readonly assistant: Assistant;
  readonly storage: Pick<Stores, 'isWritable' | 'journal'>;
  readonly snapshots: SessionSnapshots;
  readonly memory: MemoryStore;
  /** Undefined unless conversations are kept. */
  readonly conversations: UserConversations | undefined;
  readonly erasure: UserErasure;
  /** The tasks of other agents. */
  readonly tasks: KeptTasks;
  /** Looks for what dead replicas leave behind. */
  readonly recovery: Pick<Recovery, 'add'>;
  readonly metrics: PrometheusMetrics;
  readonly hourly: HourlyMetrics;
  readonly security: SecurityLog;
  readonly rooms: CallerRooms;
  readonly times: StoredTimes;
  readonly budgets: Pick<LiveBudgets, 'remaining' | 'overview'>;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** Which websites may drive the server. */
  readonly guard: CrossOriginGuard;
  /** The same, for endpoints that only pages of this server may drive. */
  readonly ownPages: CrossOriginGuard;
  /** The same, for the MCP server. */
  readonly mcpPages: CrossOriginGuard;
  /** The warnings that the server gave when it started. */
  readonly warnings: readonly StartWarning[];
  /** The folder of the built widget. */
  readonly assetsDirectory: string;
  /** Gets the resources that a channel opens by itself. */
  readonly resources: Pick<OpenResources, 'add'>;
  readonly mayUpgrade: OpenHttp['mayUpgrade'];
}

/** What channels are mounted with: the services, and the rules of who may come in. */
export interface MountServices extends ChannelServices {
  /** The common rule for endpoints. It asks for no role and has no rate limit. */
  readonly admission: Omit<Admission, 'authorization' | 'rate'>;
  /** The connections of other replicas. Undefined where there are none. */
  readonly elsewhere: ConnectionsElsewhere | undefined;
  /** Makes the document of all endpoints, once the server is ready. */
  readonly document: () => object;
  /** The rule for the endpoints of chats: `admission` and what `endpoints.transports` adds. */
  readonly transports: Admission;
}

/** Puts a channel on the server, where the settings want it. */
export type MountChannel = (http: FastifyInstance, services: MountServices) => void;
