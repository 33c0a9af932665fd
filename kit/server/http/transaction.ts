import { createHmac, randomUUID } from 'node:crypto'
import type { Call, Failure } from '@kit/contract'
import { commonErrors, fail, isDownload, isLogged, Refusal, success_code } from '@kit/contract'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { constraintOf } from '../db/index.ts'
import type { Database } from '../db/index.ts'
import type { Ctx, Me, Note, Pre, WriteOperation } from './context.ts'
import { forgetKey, recallReply, storeReply } from './idempotency.ts'
import { isFile } from './reply.ts'

type Outcome = { ok: boolean; code: number; msg: string }
const done: Outcome = { ok: true, code: success_code, msg: '操作成功' }

const day_ms = 86_400_000
const default_op: Record<string, number> = { POST: 3, PUT: 4, DELETE: 5 }

/** What is the same for every request of a server. */
export type Engine = {
  database: Database
  write_operation: WriteOperation
  constraints: ReadonlyMap<string, Failure>
}

/** One request on its way to its transaction. `sent`: all that was sent, for telling a repeated request from another one with its key. */
export type Visit = { call: Call; pre: Pre; me: Me | null; started: number; note: Note; idempotency_key: string | null; sent: unknown }

/** Runs fn in the visit's one transaction: idempotency, handler, reply schema, log line, commit. */
export async function runInside<DB>(engine: Engine, visit: Visit, fn: (ctx: Ctx<DB>) => Promise<unknown>): Promise<unknown> {
  const { me, call } = visit
  if (!me) throw new Error(`${call.call} runs inside a transaction but has no session`)
  const read_only = call.method === 'GET' && call.details.op === undefined
  try {
    return await engine.database.tenant<DB, unknown>(me.school_id, db => answer(engine, visit, me, db, fn), { read_only, pipelined: read_only })
  } catch (error) {
    throw await refuse(engine, visit, error)
  }
}

/** Runs a handler that owns its transactions, then writes its log line in another one. */
export async function runOutside(engine: Engine, visit: Visit, fn: () => Promise<unknown>): Promise<unknown> {
  try {
    const reply = parseReply(visit.call, await fn())
    if (isLogged(visit.call)) await logAlone(engine, visit, done)
    return reply
  } catch (error) {
    throw await refuse(engine, visit, error)
  }
}

/** Runs what comes before a call's transaction; what is refused there gets its log line like anything that is refused in it. */
export async function runBefore<R>(engine: Engine, visit: Visit, fn: () => Promise<R>): Promise<R> {
  try {
    return await fn()
  } catch (error) {
    throw await refuse(engine, visit, error)
  }
}

async function answer<DB>(engine: Engine, visit: Visit, me: Me, db: Kysely<DB>, fn: (ctx: Ctx<DB>) => Promise<unknown>): Promise<unknown> {
  const key = visit.idempotency_key
  if (key) {
    const earlier = await recallReply(db, me, key, hashSent(visit))
    // The column sorts the keys in its own way: the schema puts them back, so that the answer is the same byte for byte.
    if (earlier) return parseReply(visit.call, earlier.reply)
  }
  let is_scoped = false
  const ctx: Ctx<DB> = { ...visit.pre, db, me, school_id: me.school_id, scoped: () => void (is_scoped = true) }
  const reply = parseReply(visit.call, await fn(ctx))
  if (needsScope(visit.call) && !is_scoped) throw new Error(`${visit.call.call} is scoped but asked for no row scope`)
  // A file is not kept and neither is a secret: whoever asks again gets it made again.
  if (key) await (isFile(reply) || visit.call.details.tells_secret ? forgetKey(db, me, key) : storeReply(db, me, key, reply))
  if (isLogged(visit.call)) await writeLine(engine, visit, db, done)
  return reply
}

/** Keyed: what was sent may be a name or a number out of few, and a plain hash of it could be found again by trying them all. */
function hashSent({ call, pre, sent }: Visit): string {
  return createHmac('sha256', pre.app.secrets.token_key).update(`http.idempotency\n${JSON.stringify([call.call, sent])}`).digest('hex')
}

/** School is the tenant itself and self is checked by the handler against ctx.me; every other word needs its owner's function. */
function needsScope(call: Call): boolean {
  const within = 'within' in call.details ? call.details.within : undefined
  return within !== undefined && within !== 'school' && within !== 'self'
}

function parseReply(call: Call, reply: unknown): unknown {
  if (isDownload(call)) return reply
  const parsed = z.safeParse(call.details.reply, reply)
  if (parsed.success) return parsed.data
  throw new Error(`${call.call} answered outside its schema: ${JSON.stringify(parsed.error.issues.slice(0, 3))}`)
}

/** Turns any error into what the caller may see; a refusal of a logged call gets its line in a transaction of its own. */
async function refuse(engine: Engine, visit: Visit, error: unknown): Promise<unknown> {
  const refusal = toRefusal(engine, error)
  if (!(refusal instanceof Refusal)) return refusal
  const { status, code } = refusal.failure
  // Who is told no more than 401 may still leave the true reason for those who read the log.
  const worth = status === 403 || status === 409 || status === 422 || status === 200 || (status === 401 && visit.note.reason !== undefined)
  if (worth && (isLogged(visit.call) || status === 403)) await logAlone(engine, visit, { ok: false, code, msg: refusal.message })
  return refusal
}

function toRefusal(engine: Engine, error: unknown): unknown {
  if (error instanceof Refusal) return error
  const broken = constraintOf(error)
  if (!broken) return error
  const failure = broken.constraint ? engine.constraints.get(broken.constraint) : undefined
  if (failure) return fail(failure)
  if (broken.code.startsWith('22')) return fail(commonErrors.malformed)
  return broken.code.startsWith('40') ? fail(commonErrors.busy, { retry_after: 5 }) : error
}

/** Logs a refusal that happened before any handler ran (permission). */
export async function logRefusal(engine: Engine, visit: Visit, refusal: Refusal): Promise<void> {
  await refuse(engine, visit, refusal)
}

async function logAlone(engine: Engine, visit: Visit, outcome: Outcome): Promise<void> {
  await engine.database.tenant<unknown, void>(schoolOf(visit), db => writeLine(engine, visit, db, outcome))
}

/** A caller without session belongs to the school his handler found out, else to the installation. */
function schoolOf(visit: Visit): number {
  return visit.me?.school_id ?? visit.note.school_id ?? 0
}

async function writeLine<DB>(engine: Engine, visit: Visit, db: Kysely<DB>, outcome: Outcome): Promise<void> {
  const { call, me, pre } = visit
  const { is_nameless, ...note } = visit.note
  const acted_for = is_nameless ? undefined : me?.acted_for?.user_id
  const who = me && !is_nameless ? { user_id: me.user_id, user_no: me.user_no, user_name: me.user_name, role_no: me.role_no, role_name: me.role_name } : {}
  await engine.write_operation(db, schoolOf(visit), {
    ...who,
    ...note,
    ...outcome,
    ...(acted_for === undefined ? {} : { acted_for }),
    request: is_nameless ? { ...pre.request, request_id: randomUUID(), ip: '', device_label: '' } : pre.request,
    op_type: call.details.op ?? default_op[call.method] ?? 4,
    call: call.call,
    duration_ms: is_nameless ? 0 : Math.round(performance.now() - visit.started),
    happened_at: is_nameless ? new Date(Math.floor(pre.now.getTime() / day_ms) * day_ms) : pre.now,
  })
}
