import { DEVICE_TYPE } from '@campus/devices/contract'
import { schoolMoment, startOfDate, weekdayOfDate } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import type { Calendar, DayFact, Facts, Span, Temporary, Way } from './facts.ts'

/** Terminals at which people pass; vehicle gates are parking's (chapter 35 §1.5). */
export const door_types = DEVICE_TYPE.codes.filter(code => ['01', '02', '04', '12', '19'].includes(code))
const [gate_kind, evacuation] = [9, 5] as const
const whole_school = '00'
const both: readonly Way[] = [1, 2]

const Periods = z.array(z.object({ direction: z.literal([1, 2]), day_match: z.number(), week_flags: z.array(z.boolean()).nullable(), begin_min: z.number(), end_min: z.number() }))
const Dates = z.array(z.object({ date: z.string(), closed: z.boolean(), direction: z.literal([1, 2]).nullable(), begin_min: z.number().nullable(), end_min: z.number().nullable() }))

/** A place where doors are, with the devices by direction. */
export type DoorSite = {
  place_id: string
  place_name: string
  node_path: string
  path: readonly string[]
  is_perimeter: boolean
  devices: readonly { device_id: string; device_name: string; direction: number; online: boolean }[]
}

/** The doors of a school by their place. */
export async function readSites(db: Db, school_id: number): Promise<DoorSite[]> {
  const rows = await db
    .selectFrom('device_live_v as d')
    .innerJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'd.school_id').onRef('p.place_id', '=', 'd.place_id'))
    .select(['d.device_id', 'd.device_name', 'd.direction', 'd.online', 'p.place_id', 'p.place_name', 'p.node_path', 'p.place_kind'])
    .where('d.school_id', '=', school_id).where('p.school_id', '=', school_id).where('d.device_type', 'in', door_types).orderBy('p.node_path').orderBy('d.device_id').execute()
  return [...Map.groupBy(rows, row => row.place_id).values()].flatMap(own => {
    const [first] = own
    if (!first) return []
    const { place_id, place_name, node_path, place_kind } = first
    const devices = own.map(({ device_id, device_name, direction, online }) => ({ device_id, device_name, direction: direction ?? 3, online }))
    return [{ place_id, place_name, node_path, path: node_path.split('/').filter(Boolean), is_perimeter: place_kind === gate_kind, devices }]
  })
}

/** Everything that decides who may pass from an instant on. What was revoked or lifted counts until then, so that the past stays as it was. */
export async function readFacts(db: Db, school_id: number, since: Date): Promise<Facts> {
  const [rules, dept_rules, user_rules, temporaries, bans, pickup, evacuations] = [
    await readRules(db, school_id),
    await db.selectFrom('dept_rule').selectAll().where('school_id', '=', school_id).where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', since)])).orderBy('dept_rule_id').execute(),
    await db.selectFrom('user_rule').selectAll().where('school_id', '=', school_id).where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', since)])).orderBy('user_rule_id').execute(),
    await readTemporaries(db, school_id, since),
    await db.selectFrom('access_ban').selectAll().where('school_id', '=', school_id).where('valid_to', '>', since).orderBy('ban_id').execute(),
    await db.selectFrom('pickup_mode').select('grade').where('school_id', '=', school_id).where('mode', '>', 0).execute(),
    await db.selectFrom('door_emergency').select(['begun_at', 'ended_at']).where('school_id', '=', school_id).where('kind', '=', evacuation)
      .where(eb => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', since)])).execute(),
  ]
  return {
    calendar: await readCalendar(db, school_id, since),
    rules,
    dept_rules: dept_rules.map(row => ({
      ...spanOf(row), id: row.dept_rule_id, scene: row.scene, level: row.dept_id === null ? `g${row.grade}` : `d${row.dept_id}`, study_method: row.study_method, by_bus: row.by_bus, tag_id: row.tag_id,
      rule_id: row.rule_id, in_place_ids: row.in_place_ids, out_place_ids: row.out_place_ids,
    })),
    user_rules: Map.groupBy(user_rules.map(row => ({ ...spanOf(row), id: row.user_rule_id, scene: row.scene, user_id: row.user_id, mode: row.mode, rule_id: row.rule_id, in_place_ids: row.in_place_ids, out_place_ids: row.out_place_ids })), row => row.user_id),
    temporaries: keyed(temporaries),
    bans: Map.groupBy(bans.map(row => ({ from: row.valid_from.getTime(), to: Math.min(row.valid_to.getTime(), row.lifted_at?.getTime() ?? Infinity), id: row.ban_id, user_id: row.user_id, directions: waysOf(row.direction), place_id: row.place_id, reason: row.reason })), row => row.user_id),
    pickup_grades: new Set(pickup.map(row => row.grade)),
    evacuations: evacuations.map(row => ({ from: row.begun_at.getTime(), to: row.ended_at?.getTime() ?? Infinity })),
  }
}

async function readRules(db: Db, school_id: number): Promise<Facts['rules']> {
  const rules = await db.selectFrom('access_rule').select(['rule_id', 'rule_name', 'enabled']).where('school_id', '=', school_id).execute()
  const rows = await db.selectFrom('access_rule_version').selectAll().where('school_id', '=', school_id).orderBy('version').execute()
  const versions = Map.groupBy(rows.map(row => ({ ...spanOf(row), rule_id: row.rule_id, version: row.version, periods: Periods.parse(row.periods), dates: Dates.parse(row.dates) })), row => row.rule_id)
  return new Map(rules.map(rule => [rule.rule_id, { ...rule, versions: versions.get(rule.rule_id) ?? [] }]))
}

/** One-off rules with how often those that count have been used: accepted passes of their people within their time (R14). */
async function readTemporaries(db: Db, school_id: number, since: Date): Promise<Temporary[]> {
  const { rows } = await sql<{
    temporary_rule_id: string; effect: number; direction: number; valid_from: Date; valid_to: Date; max_times: number | null; source: number; reason: string; place_ids: string[]; user_ids: string[]; dept_ids: string[]; used: number
  }>`
    select t.temporary_rule_id::text, t.effect, t.direction, t.valid_from, least(t.valid_to, coalesce(t.revoked_at, t.valid_to)) as valid_to, t.max_times, t.source, t.reason, t.place_ids::text[] as place_ids,
      array(select s.user_id::text from temporary_rule_subject s where s.school_id = ${school_id} and s.temporary_rule_id = t.temporary_rule_id and s.user_id > 0) as user_ids,
      array(select s.dept_id::text from temporary_rule_subject s where s.school_id = ${school_id} and s.temporary_rule_id = t.temporary_rule_id and s.dept_id > 0) as dept_ids,
      case when t.max_times is null then 0 else (
        select count(*)::int from pass_event_v e join temporary_rule_subject u on u.school_id = ${school_id} and u.temporary_rule_id = t.temporary_rule_id and u.user_id = e.user_id
        where e.school_id = ${school_id} and e.event_date between (t.valid_from at time zone 'Asia/Shanghai')::date and (t.valid_to at time zone 'Asia/Shanghai')::date
          and e.event_time >= t.valid_from and e.event_time < t.valid_to and e.pass_state = 1 and t.direction in (3, e.direction)
          and (t.place_ids = '{}' or exists (select 1 from place_live_v p where p.school_id = ${school_id} and p.place_id = e.place_id and string_to_array(p.node_path, '/') && t.place_ids::text[]))) end as used
    from temporary_rule t where t.school_id = ${school_id} and t.valid_to > ${since} order by t.temporary_rule_id`.execute(db)
  return rows.map(row => ({
    ...spanOf(row), id: row.temporary_rule_id, effect: row.effect === 1 ? 'allow' : 'deny', directions: waysOf(row.direction), user_ids: row.user_ids, levels: row.dept_ids.map(dept_id => `d${dept_id}`),
    place_ids: row.place_ids, max_times: row.max_times, used: row.used, reason: row.reason, source: row.source,
  }))
}

/** By user, and by level. */
function keyed(temporaries: readonly Temporary[]): ReadonlyMap<string, readonly Temporary[]> {
  const found = new Map<string, Temporary[]>()
  for (const one of temporaries) for (const key of [...one.user_ids, ...one.levels]) found.set(key, [...(found.get(key) ?? []), one])
  return found
}

/** The school's calendar; dates beyond it are taught from Monday to Friday. */
async function readCalendar(db: Db, school_id: number, since: Date): Promise<Calendar> {
  const rows = await db.selectFrom('school_day_v').select(['date', 'grade', 'is_school_day', 'closed', 'follows_weekday']).where('school_id', '=', school_id).where('date', '>=', schoolMoment(since).date).execute()
  const days = new Map(rows.map(row => [`${row.grade} ${row.date}`, { is_teaching: row.is_school_day && !row.closed, weekday: row.follows_weekday ?? weekdayOfDate(row.date) }]))
  return (grade, date) => days.get(`${grade ?? whole_school} ${date}`) ?? days.get(`${whole_school} ${date}`) ?? usual(date)
}

function usual(date: string): DayFact {
  const weekday = weekdayOfDate(date)
  return { is_teaching: weekday <= 5, weekday }
}

/** 1 in, 2 out, 3 both. */
function waysOf(direction: number): readonly Way[] {
  return direction === 1 ? [1] : direction === 2 ? [2] : both
}

function spanOf({ valid_from, valid_to }: { valid_from: Date; valid_to: Date | null }): Span {
  return { from: valid_from.getTime(), to: valid_to?.getTime() ?? Infinity }
}

/** The first moment of a day in epoch ms; none is never. */
export function startOf(date: string | null): number {
  return date === null ? Infinity : startOfDate(date).getTime()
}
