import { AI_WARN_KIND, AI_WARN_STATE } from '@campus/devices/contract'
import { inPlaces, placeThen } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { StoredImages } from './merge.ts'

const day_ms = 86_400_000
/** Places of the heat strip. */
const hottest = 8

/** What warnings are looked for by. */
export type WarningFilter = {
  school_id: number
  scope: PlaceScope
  from: string
  to: string
  below?: string
  warn_kind?: string | undefined
  camera_device_id?: string | undefined
  rule_id?: string | undefined
  state?: string | undefined
}

const State = z.number().transform(String).pipe(z.enum(AI_WARN_STATE.codes))
/** A warning with the names of what it is about. */
const Row = z.object({
  warning_id: z.string(), warn_kind: z.enum(AI_WARN_KIND.codes), rule_id: z.string(), rule_name: z.string(), camera_device_id: z.string(), camera_name: z.string(), box_name: z.string(), place_id: z.string(), node_path_name: z.string().nullable(), then_name: z.string().nullable(),
  node_path: z.string().nullable(), person_name: z.string().nullable(), begin_at: z.coerce.date(), end_at: z.coerce.date(), hits: z.number(), images: StoredImages, state: State, decided_by: z.string().nullable(), decided_name: z.string().nullable(),
  decided_at: z.coerce.date().nullable(), decision_note: z.string().nullable(),
})
export type WarningRecord = z.output<typeof Row>

function matching({ school_id, scope, from, to, below, warn_kind, camera_device_id, rule_id, state }: WarningFilter) {
  const begins = new Date(`${from}T00:00:00+08:00`)
  const ends = new Date(new Date(`${to}T00:00:00+08:00`).getTime() + day_ms)
  const asked = [
    sql`w.school_id = ${school_id} and w.event_date between ${from}::date and ${to}::date and w.begin_at >= ${begins} and w.begin_at < ${ends} and w.merged_into is null`,
    inPlaces('p.node_path', scope),
    ...(below === undefined ? [] : [inPlaces('p.node_path', [below])]),
    ...(warn_kind === undefined ? [] : [sql`w.warn_kind = ${warn_kind}`]),
    ...(camera_device_id === undefined ? [] : [sql`w.camera_device_id = ${camera_device_id}`]),
    ...(rule_id === undefined ? [] : [sql`w.rule_id = ${rule_id}`]),
    ...(state === undefined ? [] : [sql`w.state = ${state}::smallint`]),
  ]
  return sql`from ai_warning w left join place_path_v p on p.school_id = w.school_id and p.place_id = w.place_id where ${sql.join(asked, sql` and `)}`
}

const told = (school_id: number) => sql`select w.warning_id::text, w.warn_kind, w.rule_id::text, r.rule_name, w.camera_device_id::text, c.device_name as camera_name, b.device_name as box_name, w.place_id::text, p.node_path_name, nullif(${placeThen(school_id, 'w.place_id', 'w.begin_at')}, p.node_path_name) as then_name, p.node_path, s.user_name as person_name,
  w.begin_at, w.end_at, w.hits, w.images, w.state, w.decided_by::text, u.user_name as decided_name, w.decided_at, w.decision_note
  from ai_warning w
  join ai_rule r on r.school_id = w.school_id and r.rule_id = w.rule_id
  join device c on c.school_id = w.school_id and c.device_id = w.camera_device_id
  join device b on b.school_id = w.school_id and b.device_id = w.box_device_id
  left join place_path_v p on p.school_id = w.school_id and p.place_id = w.place_id
  left join subject s on s.school_id = w.school_id and s.user_id::text = w.person_ref
  left join school_user_v u on u.school_id = w.school_id and u.user_id = w.decided_by`

/** A page of warnings, the latest first. */
export async function readWarnings(db: Db, filter: WarningFilter, { limit, offset }: { limit: number; offset: number }): Promise<WarningRecord[]> {
  const { rows } = await sql`
    ${told(filter.school_id)} where w.school_id = ${filter.school_id} and w.event_date between ${filter.from}::date and ${filter.to}::date
      and w.warning_id in (select w.warning_id ${matching(filter)} order by w.begin_at desc, w.warning_id desc limit ${limit} offset ${offset})
    order by w.begin_at desc, w.warning_id desc`.execute(db)
  return z.array(Row).parse(rows)
}

/** These warnings; `lock` keeps them until the transaction ends. Those that went into another one are there no more. */
export async function readTheseWarnings(db: Db, school_id: number, ids: readonly string[], { lock = false }: { lock?: boolean } = {}): Promise<WarningRecord[]> {
  // Locked first and read afterwards: what is joined to a row that was waited for would be as it was before.
  if (lock) await sql`select from ai_warning where school_id = ${school_id} and warning_id = any(${[...ids]}::bigint[]) order by warning_id for update`.execute(db)
  const { rows } = await sql`${told(school_id)} where w.school_id = ${school_id} and w.warning_id = any(${[...ids]}::bigint[]) and w.merged_into is null order by w.warning_id`.execute(db)
  return z.array(Row).parse(rows)
}

export async function countWarnings(db: Db, filter: WarningFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n ${matching(filter)}`.execute(db)
  return rows[0]?.n ?? 0
}

/** How many there are in each state. */
export async function countWarningStates(db: Db, { state: _state, ...filter }: WarningFilter): Promise<Record<'0' | '1' | '2', number>> {
  const { rows } = await sql<{ state: number; n: number }>`select w.state, count(*)::int as n ${matching(filter)} group by w.state`.execute(db)
  const of = (state: number) => rows.find(row => row.state === state)?.n ?? 0
  return { 0: of(0), 1: of(1), 2: of(2) }
}

const Heat = z.array(z.object({ place_id: z.string(), place_name: z.string(), hour: z.number(), n: z.number() }))

/** At which hours of the day the places with the most warnings have theirs, the most first. */
export async function readHeat(db: Db, filter: WarningFilter): Promise<{ place_id: string; place_name: string; hours: number[] }[]> {
  const { rows } = await sql`
    select w.place_id::text, coalesce(p.node_path_name, '已停用的场所') as place_name, extract(hour from w.begin_at at time zone 'Asia/Shanghai')::int as hour, count(*)::int as n
    ${matching(filter)} group by 1, 2, 3`.execute(db)
  const places = [...Map.groupBy(Heat.parse(rows), row => row.place_id)].map(([place_id, of]) => ({
    place_id, place_name: of[0]?.place_name ?? '', hours: Array.from({ length: 24 }, (_, hour) => of.find(row => row.hour === hour)?.n ?? 0), sum: of.reduce((sum, row) => sum + row.n, 0),
  }))
  return places.toSorted((a, b) => b.sum - a.sum || (a.place_name < b.place_name ? -1 : 1)).slice(0, hottest).map(({ sum: _sum, ...place }) => place)
}
