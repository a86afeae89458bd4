/** What one replica asks of another one. `body` MUST be a value that JSON can hold. */
export interface BusCall {
  /** The id of the replica that is asked. */
  readonly replica: string;
  /** Names the handler on the other side. */
  readonly kind: string;
  readonly body: unknown;
}

/** Who follows a stream, as its source sees it. */
export interface BusReader {
  /** The id of the replica that reads. */
  readonly replica: string;
  /** Aborts when the reader has left or is lost. The source MUST end then. */
  readonly signal: AbortSignal;
}

/**
 * Answers one kind of call. The first value is the body of the call, the second one the id of the replica that asks. It MUST settle, also when
 * nobody waits for it any more: 1,000 calls are answered at a time.
 */
export type BusAnswer = (body: unknown, replica: string) => Promise<unknown>;

/** Gives the messages of one kind of stream, in their order. Each message MUST be a value that JSON can hold. */
export type BusSource = (body: unknown, reader: BusReader) => AsyncIterable<unknown>;

/** Hears one kind of news. The second value is the id of the replica that tells them. */
export type BusNews = (body: unknown, replica: string) => void;

/** What a counter that all replicas share says. */
export interface SharedCount {
  /** Whether this one is among the first `max` of the window. */
  readonly isWithin: boolean;
  /** Milliseconds until the window ends. */
  readonly leftMs: number;
}

/**
 * How the replicas of one server reach each other. Everything that needs another replica may reject with `BusAway`: then nobody knows
 * whether the other replica has done what it was asked for. While the bus is away, everything that rejects does so at once.
 */
export interface ReplicaBus {
  /** The id of this replica: 8 characters of lower-case base32, other ones at each start. */
  readonly replica: string;
  /** Whether this replica can reach others and can be reached. */
  readonly isUp: boolean;
  /** Calls the listener with each change of `isUp`. Returns what ends that. */
  onChange(listener: (isUp: boolean) => void): () => void;

  /**
   * Asks another replica, and gives its answer. The handler runs at most once, and only while this replica still waits.
   * @throws ReplicaGone when there is no such replica; BusAway when no answer has come in 1.5 s; AnswerFailed when the handler threw;
   *   HelperError `payload_too_large` when the body has more than 16 MiB; the signal's reason when it aborts first.
   */
  ask(call: BusCall, signal?: AbortSignal): Promise<unknown>;
  /** Answers all calls of this kind. A kind has one handler. What the handler throws is told by its code alone. */
  answer(kind: string, handler: BusAnswer): void;

  /**
   * Follows a stream of another replica. The source waits while 64 messages are unread. Reading throws `BusAway` or `ReplicaGone` when a
   * message is missing or the other replica is silent for 15 s, and `AnswerFailed` when the source threw. A reader that ends early, or
   * whose signal aborts, ends the source too.
   * @throws the same as `ask`.
   */
  follow(call: BusCall, signal?: AbortSignal): Promise<AsyncIterable<unknown>>;
  /** Offers a stream to all that follow this kind. Messages have 1 MiB at most. */
  offer(kind: string, source: BusSource): void;

  /**
   * Tells all other replicas. Some of them may miss the news and some may hear them late, so news MUST only say where to look, and each
   * replica MUST look by itself when the bus comes back.
   * @throws BusAway when nobody was told.
   */
  tell(kind: string, body: unknown): Promise<void>;
  /** Hears the news of this kind from other replicas. */
  onTold(kind: string, listener: BusNews): void;

  /**
   * Makes this replica the owner of a name, and keeps it so until `disown`. Returns false when the name has an owner already, also when
   * this replica is that owner. When this replica cannot keep the name for `ttlMs` milliseconds, the name is free again.
   */
  own(name: string, ttlMs: number): Promise<boolean>;
  /** The id of the replica that owns the name. */
  ownerOf(name: string): Promise<string | undefined>;
  /** Lets go of a name. Does nothing for a name of another replica. Never rejects: a name that nobody keeps is free after its time. */
  disown(name: string): Promise<void>;

  /** A name that does not tell what it stands for. It is the same on all replicas with the same first key. */
  secretName(text: string): string;

  /** Counts one event in a window that begins with its first event. Events over `max` are not counted. */
  count(key: string, windowMs: number, max: number): Promise<SharedCount>;

  /** Ends what is under way. Other replicas are told at once that this one is gone. */
  close(): Promise<void>;
}

/** How the replicas know which of them has something. */
export type SharedNames = Pick<ReplicaBus, 'replica' | 'own' | 'ownerOf' | 'disown' | 'secretName'>;
