import type { ReadinessCheck } from '../../channels/ops/readiness.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { CheckedDirection, TextCheck } from '../../core/guardrails/text-check.ts';
import type { Page } from '../../core/pages/page.ts';
import type { KnowledgeSource } from '../../core/ports/knowledge-source.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { ToolResultTransform } from '../../core/tools/result-rules.ts';
import type { Resource } from '../open-resources.ts';

/** The tools and pages that a source offers now. */
export interface Offer {
  readonly tools: readonly Tool[];
  /** Tools that only some agents have. Nobody else may use their names. Left out, there are none. */
  readonly ownTools?: readonly Tool[];
  readonly pages: readonly Page[];
}

/** A source of tools and pages. */
export interface OfferSource {
  /** Shown to people; unique. */
  readonly name: string;
  /** `taken`: the names of the tools that earlier sources offer. A source that can name its tools otherwise looks at it. */
  offer(taken?: ReadonlySet<string>): Offer;
  /** The place of one of its tools or pages, for a message about a name that is already taken. */
  placeOf(kind: 'tool' | 'page', name: string): { readonly file: string; readonly path: string };
}

/** Whether all sources have told what they offer. */
export function areComplete(providers: readonly Pick<ToolProvider, 'isComplete' | 'readiness'>[]): boolean {
  return providers.every(
    (provider) => provider.isComplete?.() ?? provider.readiness().every(({ state }) => state === 'ok'),
  );
}

/** A source of tools that is open while the server runs, such as a plugin or a callback. A new kind of source implements this interface. */
export interface ToolProvider extends OfferSource, Resource {
  /** Changes the result of any tool. Left out, the source changes no results. */
  readonly transformResult?: ToolResultTransform;
  /** The present checks of messages or replies. Left out, the source has none. */
  readonly checks?: (
    direction: CheckedDirection,
    settings: Pick<HelperSettings, 'inputGuardrail' | 'outputGuardrail'>,
  ) => readonly TextCheck[];
  /** The present sources of documents. Left out, there are none. */
  readonly knowledgeSources?: () => readonly KnowledgeSource[];
  /**
   * After this call the tools can run. The source calls `changed` when its offer changes.
   * @throws StartupFaults when the source does not start.
   */
  start(changed: () => void): Promise<void>;
  /** From now on the secrets of these settings apply. Left out, the source has no secrets. */
  takeSecrets?(settings: Pick<HelperSettings, 'actions'>): void;
  /** Whether the source has told everything that it offers. Left out, it has when all its checks for `/readyz` are ok. */
  isComplete?(): boolean;
  /** For `/readyz`. */
  readiness(): readonly ReadinessCheck[];
  /** The warnings about this source, by code (docs/reference/warnings.md). */
  warnings(): readonly { readonly code: string; readonly message: string }[];
}
