import { ensureUsers } from '@campus/identity/server'
import { alertTemplates, inboxApi } from '@campus/messages/contract'
import { send } from '@campus/messages/server'
import { sql } from 'kysely'
import { atMost, milliseconds, reported, seconds, times } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { percentile, timed } from '../measure.ts'
import { install } from '../school.ts'

const school_id = 1001
const looks = 300

/** One message to a whole school: how long it takes, how soon each has it, and what the others feel of it. */
export const messageSend: Figure = {
  name: 'message-send',
  title: 'A message to 4,000 people',
  how: 'One message to 4,000 people on PostgreSQL, in the transaction of its caller, while one person goes on asking for the inbox. Calls before it are the baseline of calls during it; the count of every person is read after the commit.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const { app } = await install('postgres', bench)
  const people = bench.quick ? 400 : 4000
  const { database } = app.running
  const drafts = Array.from({ length: people }, (_, at) => ({ user_no: `B${at}`, user_name: '收件人', user_kind: 2 }))
  const user_ids = await database.tenant<unknown, string[]>(school_id, db => ensureUsers(db, school_id, drafts))
  const reader = await app.as({ school_id, codes: [] })
  const ask = () => timed(() => app.call(inboxApi.count, {}, { token: reader.token }))
  const before: number[] = []
  for (let at = 0; at < looks; at += 1) before.push(await ask())

  const to = user_ids.map(user_id => ({ user_id }))
  const state = { sending: true }
  const sent = timed(() => database.tenant<unknown, string>(school_id, db =>
    send({ app: app.running.app, db, school_id, now: app.clock.now() }, { template: alertTemplates.passwordChanged, source_ref: 'bench', to, values: { who: '本人', at: '08:00' }, level: 1 })))
  void sent.finally(() => void (state.sending = false))
  const during: number[] = []
  while (state.sending || during.length < looks) during.push(await ask())
  const queued_ms = await sent
  const counted_ms = await timed(() => database.tenant(school_id, db => sql`select user_id, count(*) from message_person where school_id = ${school_id} and read_at is null group by user_id`.execute(db)))
  const { rows } = await database.tenant<unknown, { rows: { n: number }[] }>(school_id, db => sql<{ n: number }>`select count(distinct user_id)::int as n from message_person where school_id = ${school_id} and user_id = any(${user_ids}::bigint[])`.execute(db))
  await app.close()
  return [
    atMost(`queued for ${people.toLocaleString('en')} people`, queued_ms, 5000, seconds, '10-M6'),
    atMost('until the inbox of each counts it', queued_ms + counted_ms, 7000, seconds, '10-M6'),
    atMost('p99 of another call meanwhile, against before', percentile(during, 0.99) / percentile(before, 0.99), 2, times, '10-M6'),
    reported('people whose inbox has it', String(rows[0]?.n ?? 0)),
    reported('another call meanwhile, p99', milliseconds(percentile(during, 0.99))),
  ]
}
