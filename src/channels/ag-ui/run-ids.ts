/** The ids by which a client knows a run. */
export interface RunIds {
  readonly threadId: string;
  readonly runId: string;
  /** The version of the protocol that the client says it speaks. Versions before 1.0 do not say it. */
  readonly protocolVersion?: string;
}
