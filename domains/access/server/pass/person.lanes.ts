import { pass_directions, pass_reasons } from '@campus/access/contract'
import { withinLane } from '@campus/people/server'
import type { TimelineProvider, TodayProvider } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { sql } from 'kysely'
import type { PassDb } from './db.ts'

const lane = { lane: 'access.pass', title: '进出', need: 'access.pass.view', facets: ['student', 'staff', 'parent'] } as const
const [accepted, unknown_way] = [1, 0] as const

type Passed = { id: string; at: Date; direction: number; result: number; place_name: string | null; is_late: boolean }

function titleOf({ direction, result, place_name, is_late }: Passed): string {
  const way = direction === 1 || direction === 2 ? `${pass_directions[direction]}校` : pass_directions[unknown_way]
  const what = result === accepted ? way : `${way}被拒：${pass_reasons[result] ?? '无权限'}`
  return `${what} · ${place_name ?? '未绑定场所'}${is_late ? '（补传）' : ''}`
}

/** Passes of a person in the line of his days, refusals with their reason (chapter 35 §7). */
export const passLane: TimelineProvider = {
  ...lane,
  items: ({ own, school_id }, asked) =>
    own<PassDb, Awaited<ReturnType<TimelineProvider['items']>>>(async db => {
      const at = sql`date_trunc('milliseconds', p.event_time)`
      const id = sql`p.ingest_seq::text`
      const { rows } = await sql<Passed>`
      select ${id} as id, ${at} as at, p.direction::int, p.result::int, w.place_name, p.is_late
      from access_pass p left join place_path_v w on w.school_id = ${school_id} and w.place_id = p.place_id
      where p.school_id = ${school_id} and p.subject_kind <> 4 and p.subject_id = ${asked.user_id} and p.event_time is not null
        and not p.is_repeat and ${withinLane(at, id, asked)}
      order by 2 desc, p.ingest_seq::text collate "C" desc limit ${asked.limit}`.execute(db)
      return rows.map(row => ({
        id: row.id,
        at: row.at,
        domain: 'access',
        kind: row.result === accepted ? 'pass' : 'denied',
        title: titleOf(row),
        link: null,
      }))
    }),
}

/** His last passes at the edge of the campus today, and refusals. */
export const passToday: TodayProvider = {
  ...lane,
  lines: ({ own, school_id, now }, user_id) =>
    own<PassDb, Awaited<ReturnType<TodayProvider['lines']>>>(async db => {
      const today = schoolDay(now)
      const { rows } = await sql<Passed>`
      select p.ingest_seq::text as id, p.event_time as at, p.direction::int, p.result::int, w.place_name, p.is_late
      from access_pass p left join place_path_v w on w.school_id = ${school_id} and w.place_id = p.place_id
      where p.school_id = ${school_id} and p.event_date = ${today}::date and p.subject_kind <> 4 and p.subject_id = ${user_id}
        and p.event_time >= ${new Date(`${today}T00:00:00+08:00`)}
        and not p.is_repeat and (p.is_perimeter or p.result <> ${accepted})
      order by p.event_time desc, p.ingest_seq desc limit 4`.execute(db)
      return rows.toReversed().map(row => ({ at: row.at, text: titleOf(row) }))
    }),
}
