import { delivery, publishingEvents } from '@campus/publishing/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { Work } from '../db.ts'
import { deliveryState } from './delivery-state.ts'
import type { PlanOf, Told, Wanted, Word, Words } from './delivery-state.ts'

/** A word of a board on one of its rows, as it came over the terminals' protocol or from the player page. */
export type Heard = {
  epoch: string
  seq: number
  at: Date
  row_key: string
  hash: string
  state: string
  bytes_done?: number | undefined
  fault_code?: string | undefined
}

/** Keeps words of a board, each once, and what follows from them. An older word on a row changes nothing (chapter 60 rule 38). */
export async function hearWords(work: Work, device_id: string, words: readonly Heard[]): Promise<void> {
  const { db, school_id, now } = work
  for (const { epoch, seq, at, row_key, hash, state, bytes_done = null, fault_code = null } of words) {
    // A clock that runs ahead must not outlive words that come later.
    const at_device = at > now ? now : at
    await sql`insert into publishing_receipt (school_id, device_id, epoch, seq, row_key, hash, state, fault_code, at_device, at_server) values (${school_id}, ${device_id}, ${epoch}, ${seq}, ${row_key}, ${hash}, ${state}, ${fault_code}, ${at_device}, ${now})
      on conflict (school_id, device_id, epoch, seq) do nothing`.execute(db)
    await sql`
      insert into publishing_word (school_id, device_id, row_key, epoch, seq, hash, state, bytes_done, fault_code, at_device, at_server) values (${school_id}, ${device_id}, ${row_key}, ${epoch}, ${seq}, ${hash}, ${state}, ${bytes_done}, ${fault_code}, ${at_device}, ${now})
      on conflict (school_id, device_id, row_key) do update set epoch = excluded.epoch, seq = excluded.seq, hash = excluded.hash, state = excluded.state, bytes_done = excluded.bytes_done, fault_code = excluded.fault_code, at_device = excluded.at_device, at_server = excluded.at_server
      where case when publishing_word.epoch = excluded.epoch then publishing_word.seq < excluded.seq else publishing_word.at_device <= excluded.at_device end`.execute(
      db,
    )
  }
  if (words.length > 0) await noteContact(work, device_id, {})
}

type Reported = {
  now_content_id?: string | null
  now_since?: Date | null
  player_ver?: string
  secure_context?: boolean
  contact_at?: Date
}

/** A board has said something, so that what its plan means now is what it shows. */
export async function noteContact(work: Work, device_id: string, more: Reported): Promise<void> {
  const { db, school_id, now } = work
  const said = { ...more, reported_at: now }
  await db
    .insertInto('publishing_board')
    .values({ school_id, device_id, ...said })
    .onConflict(conflict => conflict.columns(['school_id', 'device_id']).doUpdateSet(said))
    .execute()
  await settleBoards(work, [device_id])
}

/** Reads the states of all contents of these boards anew from what they have said. */
export async function settleBoards(work: Work, device_ids: readonly string[]): Promise<void> {
  const { db, school_id } = work
  const of = sql<boolean>`device_id = any(${[...device_ids]}::bigint[])`
  const said = Map.groupBy(
    await db.selectFrom('publishing_word').selectAll().where('school_id', '=', school_id).where(of).execute(),
    word => word.device_id,
  )
  const rows = Map.groupBy(
    await db
      .selectFrom('publishing_delivery')
      .selectAll()
      .where('school_id', '=', school_id)
      .where(of)
      .where('state', '<', delivery.erased)
      .execute(),
    row => row.device_id,
  )
  const done = new Set<string>()
  for (const device_id of device_ids) {
    const words: Words = new Map(
      (said.get(device_id) ?? []).map(({ row_key, hash, state, bytes_done, fault_code, at_server }): [string, Word] => [
        row_key,
        { hash, state, bytes_done: bytes_done === null ? null : Number(bytes_done), fault_code, at: at_server.getTime() },
      ]),
    )
    if (words.size === 0) continue
    const plans = await plansOf(work, device_id)
    const { shown, at } = await tellBoard(work, device_id, words, plans)
    const newest = plans.find(plan => plan.is_newest) ?? null
    for (const row of rows.get(device_id) ?? []) {
      const wanted: Wanted = {
        ...row,
        bytes_total: Number(row.bytes_total),
        stop_requested_at: row.stop_requested_at?.getTime() ?? null,
        was: row.state,
      }
      const told = deliveryState(wanted, { newest, shown, words, at })
      if (told.state === row.state && told.bytes_done === Number(row.bytes_done) && told.fault_code === row.fault_code) continue
      await writeState(work, { device_id, content_id: row.content_id }, told, new Date(at))
      if (told.state >= delivery.stopped) done.add(row.content_id)
    }
  }
  await tellTakenDown(work, [...done])
}

type Kept = PlanOf & { version: string; is_newest: boolean }

/** The newest plan and those before it that a board may still play. */
async function plansOf({ db, school_id }: Work, device_id: string): Promise<Kept[]> {
  const { rows } = await sql<Omit<Kept, 'compiled_at'> & { compiled_at: Date }>`
    select version::text as version, hash, body, superseded_at is null as is_newest, compiled_at from publishing_plan where school_id = ${school_id} and device_id = ${device_id} order by version desc limit 6`.execute(
    db,
  )
  return rows.map(row => ({ ...row, compiled_at: row.compiled_at.getTime() }))
}

/** Writes down which plan a board says it plays. It goes on playing that one while it says that it fetches the next. */
async function tellBoard(
  { db, school_id, now }: Work,
  device_id: string,
  words: Words,
  plans: readonly Kept[],
): Promise<{ shown: PlanOf | null; at: number }> {
  const plan = words.get('plan')
  const fault = [...words.values()].filter(word => word.state === 'fault').toSorted((a, b) => b.at - a.at)[0]
  const playing = plan?.state === 'playing' ? plans.find(one => one.hash === plan.hash) : undefined
  const reported = {
    fault_code: fault?.fault_code ?? null,
    fault_at: fault ? new Date(fault.at) : null,
    ...(playing ? { plan_hash: playing.hash, plan_version: playing.version } : {}),
  }
  const board = await db
    .updateTable('publishing_board')
    .set(reported)
    .where('school_id', '=', school_id)
    .where('device_id', '=', device_id)
    .returning(['plan_version', 'reported_at'])
    .executeTakeFirst()
  return { shown: playing ?? plans.find(one => one.version === board?.plan_version) ?? null, at: (board?.reported_at ?? now).getTime() }
}

async function writeState(
  { db, school_id, now }: Work,
  { device_id, content_id }: { device_id: string; content_id: string },
  { state, bytes_done, fault_code }: Told,
  at: Date,
): Promise<void> {
  await db
    .updateTable('publishing_delivery')
    .set({
      state,
      bytes_done: String(bytes_done),
      fault_code,
      ...(state === delivery.playing ? { last_played_at: at, first_played_at: sql<Date>`coalesce(first_played_at, ${at})` } : {}),
      ...(state === delivery.stopped ? { stopped_at: at } : {}),
      ...(state === delivery.erased ? { erased_at: now, stopped_at: sql<Date>`coalesce(stopped_at, ${at})` } : {}),
    })
    .where('school_id', '=', school_id)
    .where('device_id', '=', device_id)
    .where('content_id', '=', content_id)
    .execute()
}

/** A content is taken down when its last board has said so. */
async function tellTakenDown(work: Work, content_ids: readonly string[]): Promise<void> {
  const { db, school_id } = work
  if (content_ids.length === 0) return
  const { rows } = await sql<{ content_id: string }>`
    select c.content_id::text as content_id from publishing_content c where c.school_id = ${school_id} and c.content_id = any(${[...content_ids]}::bigint[]) and c.state = 3
      and not exists (select 1 from publishing_delivery d where d.school_id = ${school_id} and d.content_id = c.content_id and d.state < ${delivery.stopped})`.execute(
    db,
  )
  for (const { content_id } of rows) await publish(work, publishingEvents.contentTakenDown, { content_id })
}
