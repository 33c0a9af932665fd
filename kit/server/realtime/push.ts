import { channelOf } from '@kit/contract'
import type { ChannelFact } from '@kit/contract'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { z } from 'zod'
import { notice_bytes, notice_channel } from './notice.ts'
import type { Notice, Told, Whom } from './notice.ts'

/** Who pushes: a handler's ctx, an event's desk, or the same facts in background work. The handle may be typed to any tables. */
export type Pusher = { db: QueryExecutorProvider; school_id: number }

/** `of`: which one of a family (`job:{no}`). Without users, sessions and roles everybody who watches is told. `end`: the sessions end with this. */
export type PushTo = Whom & { of?: string; end?: true }

/** People of one notice: their numbers have to fit into it. */
const most_named = 150

/**
 * Tells open browsers of something, on all nodes, once the transaction has been committed; without the commit nobody hears of it. What is too
 * much for one notice is told as a gap: whoever watches asks for everything again. Who may hear it is asked again before each browser is told.
 */
export async function push<R extends z.ZodObject>(from: Pusher, { name, row }: ChannelFact<R>, rows: readonly z.input<R>[], to: PushTo = {}): Promise<void> {
  const { of, end, ...whom } = to
  const told = { school_id: from.school_id, ch: channelOf(name, of), rows: rows.map(one => row.parse(one)), ...(end ? { end } : {}) }
  for (const named of portions(whom)) await notify(from, fitted({ ...told, ...(named ? { to: named } : {}) }))
}

/** Tells all nodes that a client watches other channels from now on. */
export function pushWatch(from: Pusher, client_id: string): Promise<void> {
  return notify(from, { school_id: from.school_id, watch: client_id })
}

async function notify(from: Pusher, notice: Notice): Promise<void> {
  await sql`select pg_notify(${notice_channel}, ${JSON.stringify(notice)})`.execute(from.db)
}

function fitted(told: Told): Told {
  return Buffer.byteLength(JSON.stringify(told)) <= notice_bytes ? told : { ...told, rows: [], gap: true }
}

/** The named in portions that fit; one portion of nobody in particular when nobody is named. */
function portions(whom: Whom): (Whom | undefined)[] {
  const kinds = (['users', 'sessions', 'roles'] as const).flatMap(kind => {
    const named = whom[kind] ?? []
    return Array.from({ length: Math.ceil(named.length / most_named) }, (_, at) => ({ [kind]: named.slice(at * most_named, (at + 1) * most_named) }))
  })
  const is_open = whom.users === undefined && whom.sessions === undefined && whom.roles === undefined
  return is_open ? [undefined] : kinds
}
