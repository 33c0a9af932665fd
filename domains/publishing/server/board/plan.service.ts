import { declareContent } from '@campus/devices/server'
import type { ContentRow } from '@campus/devices/server'
import { delivery } from '@campus/publishing/contract'
import type { BoardPlan, PlanItem } from '@campus/publishing/contract'
import { schoolDay } from '@campus/school/server'
import { Refusal } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { setTimer } from '@kit/server/event'
import { sql } from 'kysely'
import type { Work } from '../db.ts'
import { compilePlan, filesOf, isMeant, itemHash, planHash } from './compile.ts'
import type { BoardFact, Facts } from './compile.ts'
import { Files, nextRoll, readBoardFacts, readFacts } from './facts.ts'
import { settleBoards } from './words.ts'

/** First key of the advisory lock of a school's plans; the second is the school. */
const lock_class = 60
/** Changes of the same moments become one plan (chapter 60 rule 34). */
const debounce_ms = 2000
/** Boards that one run of the timer compiles. */
const most_at_once = 60
/** Plans of a board that are kept. */
const kept_plans = 20
export const [compile_kind, roll_kind, over_kind] = [
  'publishing.board_compile',
  'publishing.board_roll',
  'publishing.content_over',
] as const

/** Notes that the plans of these boards have to be made anew, in the caller's transaction; null: of all boards of the school. */
export async function markDirty(work: Work, device_ids: readonly string[] | null, reason: string): Promise<void> {
  const { db, school_id, now } = work
  const boards = device_ids ?? (await readBoardFacts(work, null)).map(board => board.device_id)
  if (boards.length === 0) return
  await insertMany(
    db,
    'publishing_plan_dirty',
    boards.map(device_id => ({ school_id, device_id, reason, since: now })),
    {},
  )
  await setTimer(work, { kind: compile_kind, ref: 'boards', due_at: new Date(now.getTime() + debounce_ms) })
}

/** Compiles what waits. Many boards take several turns. */
export async function compileWaiting(work: Work): Promise<void> {
  const { db, school_id, now } = work
  await lockPlans(work)
  const { rows } = await sql<{ device_id: string; reason: string }>`
    select device_id::text as device_id, reason from publishing_plan_dirty where school_id = ${school_id} order by since, device_id limit ${most_at_once + 1} for update`.execute(
    db,
  )
  const turn = rows.slice(0, most_at_once)
  if (turn.length === 0) return
  await compileBoards(
    work,
    turn.map(row => row.device_id),
    turn[0]?.reason ?? '内容变化',
  )
  if (rows.length > turn.length) await setTimer(work, { kind: compile_kind, ref: 'more', due_at: now })
}

/** Plans of a school are made one after the other until the end of the transaction: two that run side by side would give one version twice. */
async function lockPlans({ db, school_id }: Work): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lock_class}, ${school_id}::int)`.execute(db)
}

type Newest = { device_id: string; version: string; hash: string }

/** Makes the plans of these boards at once and hands over those that have changed. @returns how many have */
export async function compileBoards(work: Work, device_ids: readonly string[], reason: string): Promise<number> {
  const { db, school_id, now } = work
  if (device_ids.length === 0) return 0
  await lockPlans(work)
  await db
    .deleteFrom('publishing_plan_dirty')
    .where('school_id', '=', school_id)
    .where(sql<boolean>`device_id = any(${[...device_ids]}::bigint[])`)
    .execute()
  const boards = await readBoardFacts(work, device_ids)
  const facts = await readFacts(work, boards)
  const newest = new Map((await newestPlans(work, boards)).map(plan => [plan.device_id, plan]))
  const made = boards
    .map(board => {
      const body = compilePlan(facts, board, schoolDay(now))
      return { board, body, hash: planHash(body), version: Number(newest.get(board.device_id)?.version ?? 0) + 1 }
    })
    .filter(({ board, hash }) => newest.get(board.device_id)?.hash !== hash)
  if (made.length === 0) return 0
  await writePlans(work, made, reason)
  await wantDeliveries(work, made)
  for (const plan of made) await handOver(work, plan)
  await settleBoards(
    work,
    made.map(({ board }) => board.device_id),
  )
  await setTimer(work, { kind: roll_kind, ref: 'week', due_at: nextRoll(now) })
  return made.length
}

async function newestPlans({ db, school_id }: Work, boards: readonly BoardFact[]): Promise<Newest[]> {
  return db
    .selectFrom('publishing_plan')
    .select(['device_id', 'version', 'hash'])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`device_id = any(${boards.map(board => board.device_id)}::bigint[])`)
    .where('superseded_at', 'is', null)
    .execute()
}

type Made = { board: BoardFact; body: BoardPlan; hash: string; version: number }

async function writePlans({ db, school_id, now }: Work, made: readonly Made[], reason: string): Promise<void> {
  const device_ids = made.map(({ board }) => board.device_id)
  await db
    .updateTable('publishing_plan')
    .set({ superseded_at: now })
    .where('school_id', '=', school_id)
    .where(sql<boolean>`device_id = any(${device_ids}::bigint[])`)
    .where('superseded_at', 'is', null)
    .execute()
  await insertMany(
    db,
    'publishing_plan',
    made.map(({ board, body, hash, version }) => {
      const files = filesOf(body.items)
      return {
        school_id,
        device_id: board.device_id,
        version: String(version),
        hash,
        body: JSON.stringify(body),
        files: JSON.stringify(files),
        bytes_total: String(files.reduce((sum, { bytes }) => sum + bytes, 0)),
        reason,
        compiled_at: now,
      }
    }),
  )
  const old = made.map(({ board, version }) => ({ device_id: board.device_id, upto: version - kept_plans }))
  await sql`delete from publishing_plan p using jsonb_to_recordset(${JSON.stringify(old)}::jsonb) o(device_id bigint, upto bigint) where p.school_id = ${school_id} and p.device_id = o.device_id and p.version <= o.upto`.execute(
    db,
  )
}

/** Every content of a new plan is wanted on its board; what is not in it any more is to stop. Only the board's words say how far each is. */
async function wantDeliveries({ db, school_id, now }: Work, made: readonly Made[]): Promise<void> {
  const rows = made.flatMap(({ board, body }) =>
    body.items.map(item => ({
      content_id: item.content_id,
      device_id: board.device_id,
      item_hash: itemHash(item),
      sha256s: shaOf(item),
      bytes_total: bytesOf(item),
    })),
  )
  for (let at = 0; at < rows.length; at += 500)
    await sql`
    insert into publishing_delivery (school_id, content_id, device_id, state, item_hash, sha256s, bytes_total)
    select ${school_id}::int, r.content_id, r.device_id, ${delivery.queued}::int, r.item_hash, r.sha256s, r.bytes_total
    from jsonb_to_recordset(${JSON.stringify(rows.slice(at, at + 500))}::jsonb) r(content_id bigint, device_id bigint, item_hash text, sha256s text[], bytes_total bigint)
    on conflict (school_id, content_id, device_id) do update set item_hash = excluded.item_hash, sha256s = excluded.sha256s, bytes_total = excluded.bytes_total, state = ${delivery.queued}, stop_requested_at = null, stopped_at = null, erased_at = null`.execute(
      db,
    )
  const kept = made.map(({ board, body }) => ({ device_id: board.device_id, content_ids: body.items.map(item => item.content_id) }))
  await sql`
    update publishing_delivery d set stop_requested_at = ${now}, state = ${delivery.stopping} from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) k(device_id bigint, content_ids bigint[])
    where d.school_id = ${school_id} and d.device_id = k.device_id and d.stop_requested_at is null and not (d.content_id = any(k.content_ids))`.execute(
    db,
  )
}

const shaOf = ({ body }: PlanItem) => (body.kind === 'files' ? body.files.map(file => file.sha256) : [])
const bytesOf = ({ body }: PlanItem) => (body.kind === 'files' ? body.files.reduce((sum, { bytes }) => sum + bytes, 0) : 0)

/** Hands a plan to the devices domain, which brings it to boards that speak the terminals' protocol. Models that show nothing play by the player page alone. */
async function handOver(work: Work, { board: { device_id }, body, hash, version }: Made): Promise<void> {
  const { app, db, school_id, now } = work
  const files = await keysOf(work, body)
  const urgent = body.items
    .filter(item => item.urgent)
    .map((item): ContentRow => ({
      row_key: `urgent:${item.content_id}`,
      bytes: 0,
      body: {
        text: item.body.kind === 'text' ? item.body.text : item.title,
        until: item.until === null ? null : new Date(item.until).toISOString(),
      },
    }))
  const rows: ContentRow[] = [
    { row_key: 'plan', bytes: 0, body: { plan_version: version, plan_hash: hash, horizon_until: body.until } },
    ...urgent,
    ...(await withdrawals(work, device_id)),
    ...filesOf(body.items).flatMap(({ sha256, bytes, mime }): ContentRow[] => {
      const file_key = files.get(sha256)
      return file_key === undefined ? [] : [{ row_key: `file:${sha256}`, bytes, body: { bytes, mime }, file_key }]
    }),
  ]
  try {
    await declareContent({ app, db, school_id, now }, device_id, 'publishing', { version, rows })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** Where the files of a plan lie. */
async function keysOf({ db, school_id }: Work, { items }: BoardPlan): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('publishing_content')
    .select('files')
    .where('school_id', '=', school_id)
    .where(sql<boolean>`content_id = any(${items.map(item => item.content_id)}::bigint[])`)
    .execute()
  return new Map(rows.flatMap(row => Files.parse(row.files)).map(({ sha256, file_key }) => [sha256, file_key]))
}

/** Contents that were taken down and that the board has not put away yet, with the files that it needs no more. */
export async function withdrawn(
  { db, school_id }: Pick<Work, 'db' | 'school_id'>,
  device_id: string,
): Promise<{ content_id: string; sha256: string[] }[]> {
  const rows = await db
    .selectFrom('publishing_delivery')
    .select(['content_id', 'sha256s', 'stop_requested_at', 'state'])
    .where('school_id', '=', school_id)
    .where('device_id', '=', device_id)
    .where('state', '<', delivery.erased)
    .execute()
  const wanted = new Set(rows.filter(row => row.stop_requested_at === null).flatMap(row => row.sha256s))
  return rows
    .filter(row => row.stop_requested_at !== null)
    .map(({ content_id, sha256s }) => ({ content_id, sha256: sha256s.filter(sha256 => !wanted.has(sha256)) }))
}

async function withdrawals(work: Work, device_id: string): Promise<ContentRow[]> {
  return (await withdrawn(work, device_id)).map(({ content_id, sha256 }) => ({
    row_key: `revoke:${content_id}`,
    bytes: 0,
    body: { sha256 },
  }))
}

/** Boards that the targets of a content name. */
export function meantBoards(boards: readonly BoardFact[], targets: Facts['contents'][number]['targets']): BoardFact[] {
  return boards.filter(board => isMeant(targets, board))
}
