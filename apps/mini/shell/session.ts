import type { MiniSession } from '@campus/identity/contract'
import type { Call, Reply, Request as RequestOf } from '@kit/contract'
import { ask, Refused } from './ask.ts'

/** How a page of one sub-application calls the server: by the names of its manifest, which say what is sent and answered. */
export type CallOf<C extends Readonly<Record<string, Call>>> = <K extends keyof C & string>(name: K, input: RequestOf<C[K]>) => Promise<Reply<C[K]>>

/** The session of this page: what the server told, and how it is kept alive. The token is nowhere but here. */
export type Live = { told: MiniSession; token: string }

/** Turns the link of the address into a session, once. */
export function verifyLink(query: string): Promise<MiniSession> {
  return ask<MiniSession>({ method: 'POST', path: '/web/sub_app/verify', input: { query } })
}

let renewing: Promise<MiniSession> | undefined

/** Goes on by the cookie of the sub-application; several that ask at once share one answer. */
export function renew(app: string): Promise<MiniSession> {
  renewing ??= ask<MiniSession>({ method: 'POST', path: '/web/sub_app/refresh', input: { app } }).finally(() => {
    renewing = undefined
  })
  return renewing
}

/** The calling function of a session; a token that has run out is renewed once, a session that is over is told to `onStale`. */
export function callerOf<C extends Readonly<Record<string, Call>>>(live: Live, onStale: () => void): CallOf<C> {
  const app = live.told.app.code
  return async (name, input) => {
    const [method, path] = MINI_CALLS[app]?.[name] ?? []
    if (method === undefined || path === undefined) throw new Error(`${app} has no call ${name}`)
    const send = () => ask<Reply<C[typeof name]>>({ method, ...addressed(path, input), token: live.token })
    try {
      return await send()
    } catch (cause) {
      if (!isOver(cause)) throw cause
      return renewed(live, onStale).then(send)
    }
  }
}

/** Parameters of the path, `:batch_no`, are taken out of what is sent. */
function addressed(path: string, input: unknown): { path: string; input: object } {
  const rest = new Map<string, unknown>(typeof input === 'object' && input !== null ? Object.entries(input) : [])
  const filled = path.replaceAll(/:([a-z_]+)/gu, (_, name: string) => {
    const value = String(rest.get(name))
    rest.delete(name)
    return encodeURIComponent(value)
  })
  return { path: filled, input: Object.fromEntries(rest) }
}

async function renewed(live: Live, onStale: () => void): Promise<void> {
  try {
    const next = await renew(live.told.app.code)
    if (next.me.user_id !== live.told.me.user_id || next.school.school_id !== live.told.school.school_id) throw new Refused(401, 401, '链接已失效，请返回后重新打开')
    // One page, one person: the object is shared by everything that calls.
    Object.assign(live, { token: next.token })
  } catch (cause) {
    if (isOver(cause)) onStale()
    throw cause
  }
}

function isOver(cause: unknown): boolean {
  return cause instanceof Refused && cause.status === 401
}
