/** There is no such replica any more. It has not done what it was asked for. */
export class ReplicaGone extends Error {
  override readonly name = 'ReplicaGone';
}
