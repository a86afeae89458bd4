import type { FastifyError, FastifyInstance } from 'fastify';
import type { RequestErrorCode, TurnErrorCode } from '../../core/errors/error-codes.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { faultOf, httpStatusByCode } from '../shared/problem-json.ts';

/** The error of a request, as clients of this API read it. */
export interface OpenAiError {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
  };
}

/** The HTTP status of a turn that came to no reply. */
const statusByTurnCode = {
  message_too_long: 400,
  unsafe_message: 400,
  out_of_scope: 400,
  reply_withheld: 400,
  too_many_images: 400,
  image_too_large: 400,
  too_many_files: 400,
  file_too_large: 400,
  file_unreadable: 400,
  invalid_request: 400,
  model_refused: 400,
  turn_in_progress: 409,
  resend_refused: 409,
  rate_limited: 429,
  budget_exceeded: 429,
  // Such a turn has its reply.
  reply_cut: 200,
  safety_check_unavailable: 503,
  overloaded: 503,
  server_draining: 503,
  model_unavailable: 503,
  model_misconfigured: 503,
  model_quota_exceeded: 503,
  model_no_reply: 503,
  model_timeout: 504,
  tool_loop_limit: 500,
  interrupted: 500,
  internal: 500,
} as const satisfies Record<TurnErrorCode, number>;

/** How a turn that came to no reply is answered. `code` is undefined, and `message` empty, where it was stopped. */
export function turnFault(
  code: TurnErrorCode | undefined,
  message: string,
): { readonly status: number; readonly body: OpenAiError } {
  const status = code === undefined ? 503 : statusByTurnCode[code];
  return {
    status,
    body: errorBody(status, { code: code ?? 'stopped', message: message === '' ? 'The turn was stopped.' : message }),
  };
}

/** The shape of an error of this API (contract/openai.md#errors). */
export function errorBody(
  status: number,
  { code, message, param }: { readonly code: string; readonly message: string; readonly param?: string },
): OpenAiError {
  return { error: { message, type: typeOf(status), param: param ?? null, code } };
}

function typeOf(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 429:
      return 'rate_limit_error';
    default:
      return status >= 500 ? 'server_error' : 'invalid_request_error';
  }
}

/** A member of a request that this server cannot do as it is asked to. */
export class UnsupportedMember extends Error {
  override readonly name = 'UnsupportedMember';
  readonly member: string;

  constructor(member: string, message: string) {
    super(message);
    this.member = member;
  }
}

/** Answers the errors of all requests of this scope in the shape of this API. A fault of the server is logged, and its message is not shown. */
export function answerInOpenAiShape(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | HelperError | UnsupportedMember, request, reply) => {
    void reply.header('cache-control', 'no-store');
    if (error instanceof UnsupportedMember)
      return reply
        .code(400)
        .send(errorBody(400, { code: 'unsupported_value', message: error.message, param: error.member }));
    const { code, detail }: { readonly code: RequestErrorCode; readonly detail: string } = faultOf(error, request);
    const status = httpStatusByCode[code];
    if (error instanceof HelperError && error.retryAfterMs !== undefined)
      void reply.header('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
    if (status === 401) void reply.header('www-authenticate', 'Bearer');
    if (status === 503) void reply.header('retry-after', '1');
    if (status >= 500) request.log.error({ error, requestId: request.id }, 'a request failed');
    return reply.code(status).send(errorBody(status, { code, message: detail }));
  });
}
