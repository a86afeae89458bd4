/** RFC 9457 `application/problem+json` as every HTTP error of this server (contract/errors.md#problem-documents). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
}
