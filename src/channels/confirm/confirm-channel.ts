import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import type { AskedQuestions, Visitor } from '../../core/direct/asked-questions.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { type ClaimValue, hasClaim, isClient } from '../../core/identity/principal-of-claims.ts';
import type { Language } from '../../core/language/language.ts';
import { type Admission, admitRequests } from '../shared/admit-requests.ts';
import { credentialOf } from '../shared/credential-of.ts';
import { answersHead } from '../shared/answers-head.ts';
import { overSignal } from '../shared/once-over.ts';
import { httpStatusByCode } from '../shared/problem-json.ts';
import { ownPageLook, type OwnPageLook } from '../shared/own-page.ts';
import type { ConnectionsElsewhere } from '../shared/replicas/connections-elsewhere.ts';
import { confirmAnswerSchema, confirmPageSchema } from './confirm-schemas.ts';
import { type PageFrame, questionPage, refusalPage } from './confirm-page.ts';
import { pageStyle } from './page-style.ts';
import { textsFor } from './texts/texts-for.ts';

export interface ConfirmChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  readonly assistant: Pick<Assistant, 'replicaOfQuestion'> & {
    readonly direct: { readonly questions: AskedQuestions };
  };
  /** Left out, this is the only server. */
  readonly elsewhere?: ConnectionsElsewhere | undefined;
  readonly admission: Admission;
  /** `auth.jwt.programs`: claims of the tokens that open no page. */
  readonly programs: readonly ClaimValue[];
  /** Issuers that are ZITADEL. Left out: none is known to be. */
  readonly zitadel?: readonly string[] | undefined;
  readonly appName: string;
  /** The accent of the widget; null takes that of its theme. */
  readonly primaryColor: string | null;
  /** The language for browsers that ask for none that there is. */
  readonly language: Language;
}

/** Bytes of an answer: two short texts. */
const bodyLimit = 1024;

/** A request without a content type has no body. */
type ConfirmRequest = FastifyRequest<{ Params: { readonly id: string }; Body: URLSearchParams | undefined }>;

/**
 * `GET` and `POST /helper/confirm/{id}`: the page on which a user answers a call that came without a turn (contract/mcp-server.md#the-page).
 * It is HTML without scripts. Only the cookie signs in here: the header `Authorization` is for programs, and a program must not answer.
 */
export const confirmChannel: FastifyPluginCallback<ConfirmChannelOptions> = (app, given, done) => {
  const options = { ...given, look: ownPageLook({ primaryColor: given.primaryColor, style: pageStyle }) };
  const { basePath, admission, look } = options;
  const { questions } = options.assistant.direct;
  const { identity, security } = admission;
  const path = `${basePath}/helper/confirm/:id`;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (_request, body, parsed) => {
      parsed(null, new URLSearchParams(String(body)));
    },
  );
  admitRequests(app, { ...admission, guard: guardOfPage(admission) });
  app.addHook('onRequest', (_request, reply, next) => {
    void reply
      .header('cache-control', 'no-store')
      .header('content-security-policy', look.policy)
      // With `no-referrer` a browser would send the form with the origin `null`.
      .header('referrer-policy', 'same-origin');
    next();
  });
  app.setErrorHandler((error, request, reply) => refuse({ error, request, reply }, options));

  app.get<{ Params: { id: string } }>(
    path,
    { ...answersHead, schema: confirmPageSchema(admission) },
    async (request, reply) => {
      const { id } = request.params;
      const { userName, ...visitor } = visitorOf(request, options);
      if (await answeredElsewhere({ request, reply }, options)) return reply;
      const question = await noted(request, id, questions.read(id, visitor));
      const page = questionPage(question, { ...frameOf(request, options), userName });
      return reply.type('text/html; charset=utf-8').send(page);
    },
  );

  app.post<{ Params: { id: string }; Body: URLSearchParams | undefined }>(
    path,
    { schema: confirmAnswerSchema(admission), bodyLimit },
    async (request, reply) => {
      const { id: actionId } = request.params;
      const { answer, proof } = readAnswer(request);
      const visitor = visitorOf(request, options);
      const body = Buffer.from(String(request.body));
      if (await answeredElsewhere({ request, reply, body }, options)) return reply;
      const presenter = security.presenterOf(identity.of(request).principal, request.ip);
      const given = { actionId, approved: answer === 'approve', proof, presenter, requestId: request.id };
      // Whoever was slower is shown how the question ended.
      await noted(request, actionId, questions.answer(given, visitor)).catch(orOver);
      // The page itself, whatever prefix a proxy has put before it.
      return reply.code(303).header('location', encodeURIComponent(actionId)).send();
    },
  );
  done();

  /** Notes in the security log when somebody opens the question of somebody else. */
  async function noted<Result>(request: FastifyRequest, actionId: string, asked: Promise<Result>): Promise<Result> {
    try {
      return await asked;
    } catch (error) {
      security.noteOwnerFault(request, error, { what: 'approve_refused', actionId });
      throw error;
    }
  }
};

/** Whether the replica that has the question has answered. It asks by itself who the visitor is (contract/replicas.md#programs). */
async function answeredElsewhere(
  forwarded: {
    readonly request: FastifyRequest<{ Params: { id: string } }>;
    readonly reply: FastifyReply;
    readonly body?: Buffer;
  },
  { assistant, elsewhere }: Pick<ConfirmChannelOptions, 'assistant' | 'elsewhere'>,
): Promise<boolean> {
  if (elsewhere === undefined) return false;
  const { request, reply } = forwarded;
  const gone = overSignal(reply);
  try {
    return await elsewhere.sends(() => assistant.replicaOfQuestion(request.params.id, gone), forwarded);
  } catch (error) {
    // Nobody reads an answer.
    if (gone.aborted) return true;
    throw error;
  }
}

/** A link on another website may lead here, because opening the page changes nothing. All other requests are checked. */
function guardOfPage({ guard }: Admission): Admission['guard'] {
  const unlessOpened =
    (check: (request: FastifyRequest) => void) =>
    (request: FastifyRequest): void => {
      const { origin, 'sec-fetch-mode': mode } = request.headers;
      const isOpened = request.method === 'GET' && origin === undefined && mode === 'navigate';
      if (!isOpened) check(request);
    };
  return {
    ...guard,
    check: unlessOpened((request) => {
      guard.check(request);
    }),
    checkCookie: unlessOpened((request) => {
      guard.checkCookie(request);
    }),
  };
}

function visitorOf(
  request: FastifyRequest,
  { admission, programs, zitadel }: Pick<ConfirmChannelOptions, 'admission' | 'programs' | 'zitadel'>,
): Visitor & { readonly userName: string } {
  const { principal, carrier, authorization } = admission.identity.of(request);
  if (principal.kind === 'anonymous' || carrier !== 'cookie' || authorization === undefined) {
    throw new HelperError('unauthenticated', 'Sign in to the application in this browser.');
  }
  if (isClient(principal, zitadel) || programs.some((program) => hasClaim(principal.claims, program)))
    throw new HelperError('forbidden', 'The token of a program opens no question. Sign in to the application.');
  return { principal, credential: credentialOf(authorization), userName: principal.name };
}

function readAnswer({ body }: Pick<ConfirmRequest, 'body'>): { readonly answer: string; readonly proof: string } {
  const [answer = [], proof = []] = [body?.getAll('answer'), body?.getAll('proof')];
  const isSound = answer.length === 1 && proof.length === 1 && ['approve', 'decline'].includes(answer[0] ?? '');
  if (!isSound) throw new HelperError('invalid_request', 'The answer must be approve or decline.');
  return { answer: answer[0] ?? '', proof: proof[0] ?? '' };
}

function frameOf(
  request: FastifyRequest,
  { appName, language, look }: Pick<ConfirmChannelOptions, 'appName' | 'language'> & { readonly look: OwnPageLook },
): PageFrame {
  return { appName, look, texts: textsFor(request.headers['accept-language'], language) };
}

/** Answers a fault as a page. The words of the fault are for programs, so the page has its own. */
function refuse(
  {
    error,
    request,
    reply,
  }: { readonly error: unknown; readonly request: FastifyRequest; readonly reply: FastifyReply },
  options: Parameters<typeof frameOf>[1],
): FastifyReply {
  const code = error instanceof HelperError ? error.code : codeOf(error);
  const status = httpStatusByCode[code];
  if (status >= 500) request.log.error({ error, requestId: request.id }, 'a request failed');
  if (error instanceof HelperError && error.retryAfterMs !== undefined) {
    void reply.header('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
  }
  const frame = frameOf(request, options);
  const { texts } = frame;
  const sentence = {
    unauthenticated: texts.signIn,
    not_owner: texts.notYours,
    forbidden: texts.programRefused,
    nothing_to_answer: texts.gone,
  };
  const told = sentence[code as keyof typeof sentence] as string | undefined; // another code has no sentence of its own
  const again = code !== 'not_owner' && code !== 'nothing_to_answer';
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(refusalPage(told ?? texts.failed, { ...frame, again }));
}

type AnsweredCode = keyof typeof httpStatusByCode;

/** The code of a fault that Fastify found before this channel was asked. */
function codeOf(error: unknown): AnsweredCode {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500;
  if (status === 413) return 'payload_too_large';
  if (status === 415) return 'not_json';
  return typeof status === 'number' && status < 500 ? 'invalid_request' : 'internal';
}

function orOver(error: unknown): void {
  if (!(error instanceof HelperError) || error.code !== 'nothing_to_answer') throw error;
}
