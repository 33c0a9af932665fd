import { randomBytes } from 'node:crypto'
import { identityErrors, most_channels } from '@campus/identity/contract'
import type { realtimeApi } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { App, Me, Pre } from '@kit/server/http'
import { findChannel, mayHear, pushWatch, realtimePort } from '@kit/server/realtime'
import { callerOf } from './account.target.ts'
import type { Desk, IdentityCtx } from './db.ts'
import { waitFor } from './rate.ts'
import { findWatch, keepWatch, openWatch, saveChannels } from './realtime.queries.ts'
import { signTicket } from './realtime.token.ts'

const tickets_a_minute = 30
const watches_a_minute = 60

/** The ticket of one connection: a new one, or more time for the one that stands. @throws Refusal 404 for one that is not this session's, 429 tooFast */
export async function issueRealtimeTicket(pre: Pre, { client_id: asked }: Input<typeof realtimeApi.ticket>): Promise<Reply<typeof realtimeApi.ticket>> {
  const me = callerOf(pre)
  const { school_id, session_id, user_id: sub, role_no } = me
  const wait = waitFor(pre.app, `realtime:${session_id}`, tickets_a_minute, pre.now)
  if (wait > 0) throw fail(identityErrors.tooFast, { retry_after: wait })
  const client_id = await openClient(pre, me, asked)
  const { token, expire_at } = await signTicket(pre.app, { sub, sid: session_id, school_id, role_no, client_id }, pre.now)
  const { path, prefix } = realtimePort.one(pre.app)
  return { client_id, token, expire_at: expire_at.toISOString(), url: path, topic: `${prefix}/${client_id}`, prefix, qos: 1, connect_timeout: 400_000 }
}

/** The asked connection of this session, or a new one. */
async function openClient(desk: Desk, { school_id, session_id }: Me, asked: string | undefined): Promise<string> {
  const client_id = asked ?? `w-${school_id}-${randomBytes(16).toString('base64url')}`
  await desk.own(school_id, async db => {
    if (asked !== undefined) {
      if ((await findWatch(db, session_id, asked, desk.now)) === undefined) throw fail(commonErrors.notFound)
      return keepWatch(db, asked, desk.now)
    }
    // The oldest of too many is closed, on whichever node it is.
    for (const over of await openWatch(db, { client_id, session_id }, desk.now)) await pushWatch({ db, school_id }, over)
  })
  return client_id
}

/**
 * Replaces what a browser watches; all of it or nothing.
 * @throws Refusal 403 with `data.channel` for one he may not watch or that does not exist, 404 without a connection, 429 watchTooMany
 */
export async function watchChannels(ctx: IdentityCtx, { client_id: asked, channels }: Input<typeof realtimeApi.watch>): Promise<Reply<typeof realtimeApi.watch>> {
  const { app, db, me, now } = ctx
  const wait = waitFor(app, `watch:${me.session_id}`, watches_a_minute, now)
  if (wait > 0) throw fail(identityErrors.watchTooMany, { retry_after: wait })
  const granted = [...new Set(channels)]
  if (granted.length > most_channels) throw fail(identityErrors.watchTooMany)
  const client_id = await findWatch(db, me.session_id, asked, now)
  if (client_id === undefined) throw fail(commonErrors.notFound)
  for (const name of granted) await requireHeard(ctx, name)
  await saveChannels(db, client_id, granted)
  await keepWatch(db, client_id, now)
  await pushWatch(ctx, client_id)
  ctx.note({ after: { channels: granted } })
  return { granted }
}

async function requireHeard(ctx: IdentityCtx, name: string): Promise<void> {
  const found = findChannel(ctx.app.channels, name)
  if (!found || !(await mayHear(ctx, found))) throw fail(commonErrors.forbidden, { data: { channel: name } })
}

/** What a browser that cannot hold a connection has missed. @throws Refusal 404 without a ticket */
export async function pollFrames(pre: Pre, { client_id: asked, since }: Input<typeof realtimeApi.poll>): Promise<Reply<typeof realtimeApi.poll>> {
  const desk: Desk = pre
  const { school_id, session_id, user_id, role_no } = callerOf(pre)
  const client_id = await desk.own(school_id, async db => {
    const found = await findWatch(db, session_id, asked, desk.now)
    if (found !== undefined) await keepWatch(db, found, desk.now)
    return found
  })
  if (client_id === undefined) throw fail(commonErrors.notFound)
  const { frames, since: next } = await pollOf(pre.app)(client_id, { school_id, session_id, user_id, role_no }, since)
  return { since: next, frames: frames.map(frame => ({ ...frame, rows: [...frame.rows] })) }
}

function pollOf(app: App) {
  return realtimePort.one(app).poll
}
