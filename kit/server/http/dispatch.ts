import type { Call, UploadedFile } from '@kit/contract'
import { commonErrors, fail, isDownload, isRedirect, isWebhook, needOf, Refusal } from '@kit/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { whilePersonWaits } from '../db/index.ts'
import type { App, Gate, Me, Note, Pre, RedirectReply } from './context.ts'
import type { Flow, Route } from './implement.ts'
import { isFile, sendData, sendFile, sendOn, sendTagged } from './reply.ts'
import { bearerOf, requestFacts } from './request.ts'
import { refuseIllFormed, refuseIllFormedLetter } from './text-edge.ts'
import type { StorageGuard } from './storage.ts'
import type { MinuteWindow } from './throttle.ts'
import { logRefusal, runBefore, runInside, runOutside } from './transaction.ts'
import type { Engine, Visit } from './transaction.ts'
import { receiveUpload } from './upload.ts'

export type Desk = { app: App; engine: Engine; gate: Gate; window: MinuteWindow; storage: StorageGuard }

const longest_key = 100

/** Serves one request; a person waits for every call but those of devices. */
export function dispatch(desk: Desk, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const serve = () => answer(desk, route, request, reply)
  return isDeviceCall(route.call) ? serve() : whilePersonWaits(serve)
}

/** The journey of one request: rate, session, permission, free space, upload, parse, transaction, reply. */
async function answer(desk: Desk, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { call } = route
  const started = performance.now()
  const bearer = bearerOf(request)
  const me = needsSession(call) ? await enter(desk, request.ip, bearer) : isDeviceCall(call) ? null : anonymous(desk, request.ip)
  const note: Note = {}
  const pre = makePre(desk, request, reply, { me, bearer, note })
  const visit: Visit = { call, pre, me, started, note, idempotency_key: idempotencyKey(call, request), sent: null }
  await checkNeed(desk, visit, request)
  await desk.storage.refuseWhenFull(call)
  const most_bytes = await route.admit?.(pre, request.params)
  const upload = call.details.upload ? await receiveUpload(call, request, { files: desk.app.files, most_bytes }) : null
  pre.file = upload?.file ?? null
  const { params, query } = request
  if (isWebhook(call)) pre.letter = { body: typeof request.body === 'string' ? request.body : '', headers: request.headers }
  const body = upload ? upload.fields : request.body
  visit.sent = [params, query, body, upload?.digest, upload?.file.file_name]
  try {
    refuseIllFormed(request, upload ? [body, upload.file.file_name] : body)
    if (pre.letter) refuseIllFormedLetter(pre.letter.body)
    const inside: Flow['inside'] = fn => runInside(desk.engine, visit, fn)
    const outside: Flow['outside'] = fn => runOutside(desk.engine, visit, fn)
    const before: Flow['before'] = fn => runBefore(desk.engine, visit, fn)
    const told = await route.handle({ params, query, body, pre, before, inside, outside })
    if (isRedirect(call) && leadsOn(told)) return sendOn(reply, told)
    if (isDownload(call) && isFile(told)) return sendFile(reply, told)
    return call.details.tagged ? sendTagged(reply, told) : sendData(reply, told)
  } catch (error) {
    if (isDeviceCall(call) && error instanceof Refusal) anonymous(desk, request.ip)
    throw error
  } finally {
    await discard(desk, pre.file)
  }
}

/** @throws Refusal 400 for a key too long to be told from another */
function idempotencyKey(call: Call, { headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || key === '' || call.method === 'GET') return null
  if (key.length > longest_key) throw fail(commonErrors.malformed)
  return key
}

/** Its address is its credential; whoever guesses one counts with the anonymous callers of his address. */
function isDeviceCall({ details }: Call): boolean {
  return 'auth' in details && details.auth === 'device'
}

function needsSession(call: Call): boolean {
  return 'need' in call.details || 'session' in call.details
}

async function enter(desk: Desk, ip: string, bearer: string): Promise<Me> {
  if (bearer === '') {
    anonymous(desk, ip)
    throw fail(commonErrors.unauthorized)
  }
  const me = await desk.gate.authenticate(bearer).catch((error: unknown) => {
    // Guesses at tokens are an anonymous caller's.
    if (error instanceof Refusal) anonymous(desk, ip)
    throw error
  })
  const wait = desk.window.hit(`user:${me.user_id}`, desk.app.config.CAMPUS_USER_PER_MINUTE, desk.app.clock.now())
  if (wait > 0) throw fail(commonErrors.tooFast, { retry_after: wait })
  return me
}

/** Counts one more request without a session of an address; answers the seconds to wait, 0 when it may go on. */
export function anonymousWait({ app, window }: Pick<Desk, 'app' | 'window'>, ip: string): number {
  return window.hit(`ip:${ip}`, app.config.CAMPUS_ANONYMOUS_PER_MINUTE, app.clock.now())
}

function anonymous(desk: Desk, ip: string): null {
  const wait = anonymousWait(desk, ip)
  if (wait > 0) throw fail(commonErrors.tooFast, { retry_after: wait })
  return null
}

async function checkNeed(desk: Desk, visit: Visit, request: FastifyRequest): Promise<void> {
  const need = needOf(visit.call)
  const is_barred = visit.me?.mini !== undefined && !visit.me.mini.calls.has(visit.call.call)
  if (!is_barred && !isOfOtherTenant(visit, request) && (need === undefined || visit.me?.codes.has(need))) return
  const refusal = fail(commonErrors.forbidden)
  await logRefusal(desk.engine, visit, refusal)
  throw refusal
}

/** Calls of /admin-api name their school in `tenant-id` too: another one than the session's is refused. The session alone says which school it is. */
function isOfOtherTenant({ call, me }: Visit, { headers }: FastifyRequest): boolean {
  const named = headers['tenant-id']
  return call.family === 'admin' && me !== null && named !== undefined && named !== String(me.school_id)
}

function makePre(desk: Desk, request: FastifyRequest, reply: FastifyReply, who: { me: Me | null; bearer: string; note: Note }): Pre {
  const { app, engine } = desk
  const facts = { ...requestFacts(request), client: who.me?.mini ? ('mini' as const) : ('web' as const) }
  const secure = request.protocol === 'https'
  let log: Pre['log'] | undefined
  return {
    app,
    now: app.clock.now(),
    get log() {
      // Made when something is to be said: for most requests nothing is, and it costs as much as all else about a small one.
      return (log ??= app.log.child({ request_id: facts.request_id }))
    },
    request: facts,
    me: who.me,
    caller: async () => who.me ?? (who.bearer === '' ? null : await desk.gate.authenticate(who.bearer).catch(notSignedIn)),
    bearer: who.bearer,
    cookies: request.cookies,
    file: null,
    letter: null,
    note: more => void Object.assign(who.note, more),
    own: (school_id, fn) => engine.database.tenant(school_id, fn),
    setCookie: (name, value, maxAge, path, sameSite = 'strict') => void reply.setCookie(name, value, { httpOnly: true, sameSite, secure, path, maxAge }),
  }
}

function leadsOn(told: unknown): told is RedirectReply {
  return typeof told === 'object' && told !== null && 'location' in told
}

function notSignedIn(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

/** A handler that keeps the upload moves it away; what still lies there is removed. */
async function discard(desk: Desk, file: UploadedFile | null): Promise<void> {
  if (file) await desk.app.files.discard(file.path)
}
