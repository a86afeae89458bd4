import type { ReadinessCheck } from '../../channels/ops/readiness.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { CheckedDirection, TextCheck } from '../../core/guardrails/text-check.ts';
import type { Page } from '../../core/pages/page.ts';
import type { KnowledgeSource } from '../../core/ports/knowledge-source.ts';
import type { Tool } from '../../core/tools/tool.ts';
import type { ToolResultTransform } from '../../core/tools/result-rules.ts';
import type { Resource } from '../open-resources.ts';

/** What a source has for the model, now. */
export interface Offer {
  readonly tools: readonly Tool[];
  readonly pages: readonly Page[];
}

/** Something that tools and pages come from. */
export interface OfferSource {
  /** For people; unique. */
  readonly name: string;
  offer(): Offer;
  /** Where to look when the name of one of its things is taken. */
  placeOf(kind: 'tool' | 'page', name: string): { readonly file: string; readonly path: string };
}

/** A source of tools that is open while the server runs: a plugin, a callback. A further kind is one more of these. */
export interface ToolProvider extends OfferSource, Resource {
  /** Its word on the result of any tool; left out, it has none. */
  readonly transformResult?: ToolResultTransform;
  /** What it checks messages or replies with now; left out, nothing. */
  readonly checks?: (
    direction: CheckedDirection,
    settings: Pick<HelperSettings, 'inputGuardrail' | 'outputGuardrail'>,
  ) => readonly TextCheck[];
  /** What it finds documents in now; left out, nothing. */
  readonly knowledgeSources?: () => readonly KnowledgeSource[];
  /**
   * From here on its tools can run. `changed` is called when it offers something else.
   * @throws StartupFaults when it does not start.
   */
  start(changed: () => void): Promise<void>;
  /** Goes by the secrets of these settings from now on; left out, it has none. */
  takeSecrets?(settings: Pick<HelperSettings, 'actions'>): void;
  /** For `/readyz`. */
  readiness(): readonly ReadinessCheck[];
  /** What gives reason to warn of, by code (docs/reference/warnings.md). */
  warnings(): readonly { readonly code: string; readonly message: string }[];
}
