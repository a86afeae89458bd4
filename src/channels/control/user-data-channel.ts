import type { FastifyPluginCallback } from 'fastify';
import type { UserErasure } from '../../core/erasure/user-erasure.ts';
import type { ErasedAnswer } from '../../wire/conversation-bodies.ts';
import { type Admission, admitRequests } from '../shared/admit-requests.ts';
import { eraseSchema, signedIn } from './conversation-schemas.ts';

export interface UserDataChannelOptions {
  /** `server.basePath`. */
  readonly basePath: string;
  readonly erasure: Pick<UserErasure, 'erase'>;
  readonly admission: Admission;
}

/** `DELETE /helper/user-data`: erases what the server keeps of the signed-in user who asks (contract/sessions.md#erasing). */
export const userDataChannel: FastifyPluginCallback<UserDataChannelOptions> = (app, options, done) => {
  const { erasure, admission, basePath } = options;
  admitRequests(app, { ...admission, authorization: signedIn });
  app.delete(
    `${basePath}/helper/user-data`,
    { schema: eraseSchema(admission) },
    async (request, reply): Promise<ErasedAnswer> => {
      void reply.header('cache-control', 'no-store');
      return erasure.erase(admission.identity.of(request).principal.userKey);
    },
  );
  done();
};
