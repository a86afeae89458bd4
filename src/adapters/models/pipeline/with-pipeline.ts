import type { ChatModel } from '../../../core/ports/chat-model.ts';
import type { PipelineModel } from '../../../plugin-api/pipeline.ts';
import { hasMembers } from '../../shared/members.ts';
import { PipelineCall, type PipelineLayer } from './pipeline-call.ts';

/** Milliseconds for which a plugin may neither ask the model beneath nor write anything. */
const idleMs = 60_000;

/** A plugin's hook, and what it is held to. */
export interface PipelineOptions extends Omit<PipelineLayer, 'run' | 'idleMs'> {
  /** 60,000 when left out. */
  readonly idleMs?: number;
  readonly configure: (model: PipelineModel) => PipelineModel | Promise<PipelineModel>;
}

/**
 * What a plugin makes around a model (contract/models.md#own-layers). A plugin that returns the model itself adds nothing to it.
 * @throws what the hook throws; TypeError when it returns no model.
 */
export async function withPipeline(model: ChatModel, options: PipelineOptions): Promise<ChatModel> {
  const beneath: PipelineModel = Object.freeze({
    model: model.model,
    provider: model.provider,
    run: (given, sink) => {
      const asked = PipelineCall.ask(model, given, sink);
      // A plugin that does not wait for the model does not end the server.
      asked.catch(() => undefined);
      return asked;
    },
  } satisfies PipelineModel);
  const made: unknown = await options.configure(beneath);
  if (made === beneath) return model;
  if (!hasMembers(made) || typeof made['run'] !== 'function') {
    throw new TypeError('it must return the model that it was given, or an object with a function run');
  }
  const own = made as { run: PipelineModel['run'] }; // its `run` is a function, and what it gives is checked
  const { configure: _, ...bounds } = options;
  const layer: PipelineLayer = { idleMs, ...bounds, run: (request, sink) => own.run(request, sink) };
  return {
    model: model.model,
    provider: model.provider,
    isDemo: model.isDemo,
    ...(model.warmUp && { warmUp: model.warmUp.bind(model) }),
    close: () => model.close(),
    run: (request, sink) => new PipelineCall(layer, request, sink).run(),
  };
}
