import type { Call, Envelope, Reply, Request } from '@kit/contract'
import type { Boot } from '@kit/server/http'
import { z } from 'zod'

/** What the tests of this domain need of a running server; `startTestApp` fits. */
export type TestServer = {
  running: Boot
  clock: { now(): Date }
  call<E extends Call>(call: E, input: Request<E>, options?: { token?: string; headers?: Record<string, string> }): Promise<Answer>
}
export type Answer = { status: number; headers: Headers; body: Envelope; bytes: Uint8Array }

/** The data of an answer, parsed by the reply schema of its call. */
export function dataOf<E extends Call>(call: E, answer: Answer): Reply<E>
export function dataOf(call: Call, answer: Answer): unknown {
  return z.parse(call.details.reply, answer.body.data)
}
