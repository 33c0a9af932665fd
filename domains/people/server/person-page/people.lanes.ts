import { archiveChanges } from '@campus/audit/server'
import { CHANGE_KIND } from '@campus/people/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { schoolTime } from '../day.ts'
import type { PeopleDb } from '../db.ts'
import { within } from './lane-span.ts'
import type { TimelineAsked, TimelineProvider } from './timeline-port.ts'

const everybody = ['student', 'staff', 'parent'] as const
const most_named = 4
/** Signs of a value that a line shows. */
const most_shown = 40
const midnight = '00:00'
const duty_names: Readonly<Record<string, string>> = { head: '班主任', vice_head: '副班主任', grade_head: '年级组长', dept_leader: '部门负责人', safety: '安全负责人' }

/** What changed in the file of the person. */
const archiveLane: TimelineProvider = {
  lane: 'people.archive', title: '档案变更', need: 'people.archive.view', facets: everybody,
  items: ({ own, school_id }, asked) => own<PeopleDb, Items>(async db => {
    const { rows } = await sql<{ id: string; at: Date; changes: unknown; person_kind: number; user_name: string | null }>`
      select l.log_id::text as id, date_trunc('milliseconds', l.happened_at) as at, l.changes, l.person_kind, l.user_name from archive_log_v l
      where l.school_id = ${school_id} and l.person_id = ${asked.user_id} and ${within(sql`date_trunc('milliseconds', l.happened_at)`, sql`l.log_id::text`, asked)}
      order by 2 desc, l.log_id::text collate "C" desc limit ${asked.limit}`.execute(db)
    return rows.map(({ id, at, changes, person_kind, user_name }) => ({
      id, at, domain: 'people', kind: 'archive', title: `${changedFields(archiveChanges(changes))}（${user_name ?? '系统'}）`, link: feedOf(person_kind, asked.user_id),
    }))
  }),
}

/** Commands over the person, on the days they took effect. */
const changeLane: TimelineProvider = {
  lane: 'people.change', title: '异动', need: 'people.change.view', facets: everybody,
  items: ({ own, school_id }, asked) => own<PeopleDb, Items>(async db => {
    const at = sql`(c.effective_on::timestamp at time zone 'Asia/Shanghai')`
    const { rows } = await sql<{ id: string; at: Date; kind: string; state: string; reason: string }>`
      select c.id::text as id, ${at} as at, c.kind, c.state, coalesce(c.reason, '') as reason
      from change_subject s join change_command c on c.school_id = s.school_id and c.id = s.command_id
      where s.school_id = ${school_id} and c.school_id = ${school_id} and s.user_id = ${asked.user_id} and c.state <> 'draft' and ${within(at, sql`c.id::text`, asked)}
      order by 2 desc, c.id::text collate "C" desc limit ${asked.limit}`.execute(db)
    return rows.map(({ id, at: day, kind, state, reason }) => ({ id, at: day, domain: 'people', kind, title: `${kindName(kind)}${stateNote(state)}${reason === '' ? '' : `：${reason}`}`, link: `/ChangeRecord?command_id=${id}` }))
  }),
}

/** Duties taken up and laid down. */
const dutyLane: TimelineProvider = {
  lane: 'people.duty', title: '职务', need: 'people.staff.view', facets: ['staff'],
  items: ({ own, school_id }, asked) => own<PeopleDb, Items>(async db => {
    const facts = sql`select d.id, d.duty, d.dept_id, d.valid_from as day, 'begin' as what from dept_duty d where d.school_id = ${school_id} and d.user_id = ${asked.user_id}
      union all select d.id, d.duty, d.dept_id, d.valid_to, 'end' from dept_duty d where d.school_id = ${school_id} and d.user_id = ${asked.user_id} and d.valid_to is not null`
    const rows = await datedRows<{ duty: string; dept_name: string | null }>(db, asked, sql`
      select x.what || '.' || x.id as id, x.day, x.what, x.duty,
        (select v.dept_name from dept_version v where v.school_id = ${school_id} and v.dept_id = x.dept_id and v.valid_from <= x.day order by v.valid_from desc limit 1) as dept_name
      from (${facts}) x`)
    return rows.map(({ id, day, what, duty, dept_name }) => ({ id, at: schoolTime(day, midnight), domain: 'people', kind: `duty_${what}`, title: `${what === 'begin' ? '担任' : '卸任'}${dept_name ?? ''}${duty_names[duty] ?? duty}`, link: null }))
  }),
}

/** Guardians linked and unlinked. */
const guardianLane: TimelineProvider = {
  lane: 'people.guardian', title: '家长', need: 'people.parent.view', facets: ['student'],
  items: ({ own, school_id }, asked) => own<PeopleDb, Items>(async db => {
    const links = sql`select g.id, g.parent_user_id, g.valid_from as day, 'begin' as what from guardian_link g where g.school_id = ${school_id} and g.student_user_id = ${asked.user_id}
      union all select g.id, g.parent_user_id, g.valid_to, 'end' from guardian_link g where g.school_id = ${school_id} and g.student_user_id = ${asked.user_id} and g.valid_to is not null`
    const rows = await datedRows<{ display_name: string }>(db, asked, sql`
      select x.what || '.' || x.id as id, x.day, x.what, p.display_name from (${links}) x join person_label p on p.school_id = ${school_id} and p.user_id = x.parent_user_id`)
    return rows.map(({ id, day, what, display_name }) => ({ id, at: schoolTime(day, midnight), domain: 'people', kind: `guardian_${what}`, title: `${what === 'begin' ? '关联' : '解除'}家长 ${display_name}`, link: null }))
  }),
}

/** What people themselves tell of a person. */
export const people_lanes: readonly TimelineProvider[] = [archiveLane, changeLane, dutyLane, guardianLane]

type Items = Awaited<ReturnType<TimelineProvider['items']>>
type Handle = Parameters<ReturnType<typeof sql>['execute']>[0]

/** Facts with a day; they stand at its first instant. Those of days to come are not told. */
async function datedRows<T>(db: Handle, asked: TimelineAsked, facts: RawBuilder<unknown>) {
  const at = sql`(f.day::timestamp at time zone 'Asia/Shanghai')`
  const { rows } = await sql<T & { id: string; day: string; what: string }>`
    select f.* from (${facts}) f where ${within(at, sql`f.id`, asked)} and ${at} <= now() order by f.day desc, f.id collate "C" desc limit ${asked.limit}`.execute(db)
  return rows
}

function changedFields(changes: ReturnType<typeof archiveChanges>): string {
  if (changes.length === 0) return '档案更新'
  const named = changes.slice(0, most_named).map(({ label, before, after }) => `${label}：${shownValue(before)} → ${shownValue(after)}`).join('；')
  return changes.length > most_named ? `修改${named}等${changes.length}项` : `修改${named}`
}

function shownValue(value: string | null | undefined): string {
  const text = value === null || value === undefined || value === '' ? '空' : value
  return text.length > most_shown ? `${text.slice(0, most_shown)}…` : text
}

function feedOf(person_kind: number, user_id: string): string {
  return `${person_kind === 1 ? '/StudentsArchive' : '/TeacherArchive'}?user_id=${user_id}`
}

function kindName(kind: string): string {
  return Object.entries(CHANGE_KIND.names).find(([code]) => code === kind)?.[1] ?? kind
}

function stateNote(state: string): string {
  return { scheduled: '（待生效）', cancelled: '（已取消）', undone: '（已撤销）', failed: '（失败）' }[state] ?? ''
}
