import { content_state, DayPart, most_files, playable_mime, source, startOf, TemplateZone } from '@campus/publishing/contract'
import type { PlanFile, PlanLesson, PlanMeal } from '@campus/publishing/contract'
import { HONOUR_CLASS } from '@campus/publishing/contract'
import { schoolDay } from '@campus/school/server'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Work } from '../db.ts'
import { horizonOf } from './compile.ts'
import type { BoardFact, ContentFact, DayFact, Facts, ZoneFact } from './compile.ts'

type At = Pick<Work, 'db' | 'school_id' | 'now'>
const whole_school = '00'
const [moved_away, cancelled] = [4, 5] as const
const [zone_ms, minute_ms, day_minutes] = [8 * 3_600_000, 60_000, 1440] as const
const honour_words: Readonly<Record<string, string>> = HONOUR_CLASS.names
/** Device types that show something: class boards and screens. */
export const board_types = ['03', '21'] as const

const File = z.object({ file_key: z.string(), name: z.string(), sha256: z.string(), bytes: z.number(), mime: z.string() })
export const Files = z.array(File)
/** A file of a content, as the database keeps it. */
export type KeptFile = z.output<typeof File>
const Parts = z.array(DayPart)
const Zones = z.array(TemplateZone)

/** Boards with where they stand, whose class it is and which template they go by; null: all of the school. */
export async function readBoardFacts({ db, school_id, now }: At, device_ids: readonly string[] | null): Promise<BoardFact[]> {
  const { rows } = await sql<Omit<BoardFact, 'template'> & { name: string | null; orientation: number | null; layout: unknown }>`
    select d.device_id::text as device_id, d.device_name, p.place_id::text as place_id, p.node_path as place_path, coalesce(p.place_name, '') as place_name, p.dept_id::text as dept_id, c.node_path as dept_path, c.dept_name as class_name, c.grade, c.stage,
      t.name, t.orientation::int as orientation, t.layout
    from device_live_v d
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = d.place_id
    left join dept_now c on c.school_id = ${school_id} and c.id = p.dept_id
    left join publishing_template_use u on u.school_id = ${school_id} and u.device_id = d.device_id and u.valid_from <= ${now} and (u.valid_to is null or u.valid_to > ${now})
    left join publishing_template t on t.school_id = ${school_id} and t.template_id = u.template_id
    where d.school_id = ${school_id} and d.device_type = any(${[...board_types]}::text[]) and (${device_ids === null} or d.device_id = any(${[...(device_ids ?? [])]}::bigint[]))
    order by d.device_id`.execute(db)
  return rows.map(({ name, orientation, layout, ...row }) => ({
    ...row,
    template: name === null || orientation === null ? null : { name, orientation, zones: Zones.parse(layout) },
  }))
}

/** All that the plans of these boards are made of, as it is now. */
export async function readFacts(work: At, boards: readonly BoardFact[]): Promise<Facts> {
  const { from, until } = horizonOf(schoolDay(work.now))
  const contents = await readContentFacts(work, content_state.live)
  const dept_ids = [...new Set(boards.flatMap(board => board.dept_id ?? []))]
  const last = contents.reduce((day, { countdown }) => (countdown && countdown.target_on >= day ? countdown.target_on : day), until)
  const has_sections = contents.some(({ rule }) => rule?.dayparts.some(part => 'section' in part))
  const zones = await readZoneFacts(work)
  const modules = new Set([
    ...zones.map(zone => zone.module),
    ...boards.flatMap(board => board.template?.zones.map(zone => zone.module) ?? ['timetable', 'honour']),
    ...contents.flatMap(({ source_kind }) => (source_kind === source.menu ? ['menu'] : [])),
  ])
  return {
    contents,
    days: await readDays(work, { from, last, until, has_sections }),
    lessons: modules.has('timetable') ? await readLessons(work, dept_ids, { from, until }) : {},
    honours: await readHonours(work, dept_ids),
    meals: modules.has('menu') ? await readMeals(work, { from, until }) : {},
    zones,
  }
}

/** Contents with where they go and what is behind them; those that are over are left out. */
async function readContentFacts({ db, school_id, now }: At, state: number): Promise<ContentFact[]> {
  const { rows } = await sql<ContentRow>`
    select c.content_id::text as content_id, c.title, c.source_kind::int as source_kind, c.text, c.files, c.zone, c.priority::int as priority, c.weight::int as weight, c.valid_from, c.valid_to, c.offline_ttl_hours::int as offline_ttl_hours, c.urgent, c.resource_id is not null as of_library, c.state::int as state,
      r.rule_id is not null as has_rule, r.name, r.day_kind::int as day_kind, r.weekdays, r.dayparts, r.order_mode::int as order_mode, r.item_seconds::int as item_seconds, r.mute_in_lesson, r.enabled,
      v.title as post_title, v.content_text as post_text, k.countdown_id is not null as has_countdown, k.target_on::text as target_on, k.count_mode::int as count_mode, k.style::int as style, k.done_text
    from publishing_content c
    left join publishing_play_rule r on r.school_id = ${school_id} and r.rule_id = c.rule_id
    left join publishing_post p on p.school_id = ${school_id} and c.source_kind = ${source.post} and p.post_id = c.source_id and p.state = 2
    left join publishing_post_rev v on v.school_id = ${school_id} and v.post_id = p.post_id and v.rev = p.rev
    left join publishing_countdown k on k.school_id = ${school_id} and k.content_id = c.content_id
    where c.school_id = ${school_id} and c.state = ${state} and (c.valid_to is null or c.valid_to > ${now})`.execute(db)
  const { rows: targets } = await sql<{ content_id: string; mode: 1 | 2; target: number; target_id: string | null; path: string | null }>`
    select t.content_id::text as content_id, t.mode::int as mode, t.target::int as target, t.target_id::text as target_id, coalesce(p.node_path, d.node_path) as path
    from publishing_content_target t
    left join place_live_v p on p.school_id = ${school_id} and t.target in (1, 2) and p.place_id = t.target_id
    left join dept_now d on d.school_id = ${school_id} and t.target = 3 and d.id = t.target_id
    where t.school_id = ${school_id} and t.content_id = any(${rows.map(row => row.content_id)}::bigint[]) order by t.content_id, t.line_no`.execute(
    db,
  )
  const of = Map.groupBy(targets, target => target.content_id)
  return rows.map(row =>
    contentOf(
      row,
      (of.get(row.content_id) ?? []).map(({ content_id: _content_id, ...target }) => target),
    ),
  )
}

type ContentRow = Omit<ContentFact, 'valid_from' | 'valid_to' | 'files' | 'rule' | 'post' | 'countdown' | 'targets'> & {
  files: unknown
  valid_from: Date
  valid_to: Date | null
  has_rule: boolean
  name: string
  day_kind: number
  weekdays: number[]
  dayparts: unknown
  order_mode: number
  item_seconds: number
  mute_in_lesson: boolean
  enabled: boolean
  post_title: string | null
  post_text: string | null
  has_countdown: boolean
  target_on: string
  count_mode: number
  style: number
  done_text: string
}

function contentOf(row: ContentRow, targets: ContentFact['targets']): ContentFact {
  const {
    content_id,
    title,
    source_kind,
    text,
    zone,
    priority,
    weight,
    offline_ttl_hours,
    urgent,
    of_library,
    state,
    name,
    day_kind,
    weekdays,
    order_mode,
    item_seconds,
    mute_in_lesson,
    enabled,
    target_on,
    count_mode,
    style,
    done_text,
  } = row
  return {
    content_id,
    title,
    source_kind,
    text,
    zone,
    priority,
    weight,
    offline_ttl_hours,
    urgent,
    of_library,
    state,
    targets,
    files: Files.parse(row.files).map(({ sha256, mime, bytes, name: file_name }): PlanFile => ({ sha256, mime, bytes, name: file_name })),
    valid_from: row.valid_from.getTime(),
    valid_to: row.valid_to?.getTime() ?? null,
    rule: row.has_rule
      ? { name, day_kind, weekdays, dayparts: Parts.parse(row.dayparts), order_mode, item_seconds, mute_in_lesson, enabled }
      : null,
    post: row.post_title === null ? null : { title: row.post_title, text: row.post_text ?? '' },
    countdown: row.has_countdown ? { target_on, count_mode, style, done_text } : null,
  }
}

type Span = { from: string; until: string }

async function readDays(
  { db, school_id }: At,
  { from, last, until, has_sections }: Span & { last: string; has_sections: boolean },
): Promise<Facts['days']> {
  const { rows } = await sql<{ date: string; grade: string; is_school_day: boolean }>`
    select date::text as date, grade, is_school_day from school_day_v where school_id = ${school_id} and date >= ${from}::date and date <= ${last}::date`.execute(
    db,
  )
  const { rows: bells } = has_sections
    ? await sql<{ date: string; grade: string; section: number | null; begin_at: Date; end_at: Date }>`
    select date::text as date, grade, section::int as section, begin_at, end_at from bell_of_day_v where school_id = ${school_id} and date >= ${from}::date and date < ${until}::date order by begin_at`.execute(
        db,
      )
    : { rows: [] }
  const minuteOf = (at: Date) => Math.floor((at.getTime() + zone_ms) / minute_ms) % day_minutes
  const of = Map.groupBy(bells, ({ date, grade }) => `${grade} ${date}`)
  const days: Record<string, Record<string, DayFact>> = {}
  for (const { date, grade, is_school_day } of rows) {
    const key = grade === whole_school ? '' : grade
    const own = (of.get(`${grade} ${date}`) ?? []).map(bell => ({
      begin: minuteOf(bell.begin_at),
      end: minuteOf(bell.end_at),
      is_lesson: bell.section !== null,
    }))
    ;(days[key] ??= {})[date] = { is_school_day, bells: own }
  }
  return days
}

async function readLessons({ db, school_id }: At, dept_ids: readonly string[], { from, until }: Span): Promise<Facts['lessons']> {
  if (dept_ids.length === 0) return {}
  const { rows } = await sql<{ dept_id: string; date: string; section: number; begin_at: Date; end_at: Date; subject: string }>`
    select l.dept_id::text as dept_id, l.date::text as date, l.section::int as section, l.begin_at, l.end_at, coalesce(w.name, l.subject) as subject
    from lesson_day_v l left join dictionary_v w on w.school_id = ${school_id} and w.sc_code_type = 'SUBJECT' and w.sc_code_item = l.subject
    where l.school_id = ${school_id} and l.date >= ${from}::date and l.date < ${until}::date and l.dept_id = any(${[...dept_ids]}::bigint[]) and l.state not in (${moved_away}, ${cancelled})
    order by l.dept_id, l.date, l.begin_at, l.lesson_day_id`.execute(db)
  const lessons: Record<string, Record<string, PlanLesson[]>> = {}
  for (const { dept_id, date, section, begin_at, end_at, subject } of rows) {
    const own = ((lessons[dept_id] ??= {})[date] ??= [])
    own.push({ begin: begin_at.getTime(), end: end_at.getTime(), name: `第${section}节`, subject })
  }
  return lessons
}

async function readHonours({ db, school_id, now }: At, dept_ids: readonly string[]): Promise<Facts['honours']> {
  if (dept_ids.length === 0) return {}
  const today = schoolDay(now)
  const { rows } = await sql<{ dept_id: string; title: string; code: string }>`
    select h.dept_id::text as dept_id, h.title, h.honour_code as code from publishing_honour h
    where h.school_id = ${school_id} and h.subject = 1 and h.revoked_at is null and h.dept_id = any(${[...dept_ids]}::bigint[])
      and (h.held_to is null or (h.held_from <= ${today}::date and h.held_to > ${today}::date))
      and (h.board_from is null or h.board_from <= ${today}::date) and (h.board_to is null or h.board_to >= ${today}::date)
    order by h.dept_id, h.awarded_on desc, h.honour_id desc`.execute(db)
  const honours: Record<string, string[]> = {}
  for (const { dept_id, title, code } of rows) (honours[dept_id] ??= []).push(title || (honour_words[code] ?? '荣誉'))
  return honours
}

async function readMeals({ db, school_id }: At, { from, until }: Span): Promise<Facts['meals']> {
  const { rows } = await sql<{ day: string; meal_kind: string; dishes: string[] }>`
    select day::text as day, meal_kind::text as meal_kind, array_agg(dish_name order by order_no, dish_id) as dishes from canteen_menu_published_v
    where school_id = ${school_id} and crowd_type in (1, 3) and day >= ${from}::date and day < ${until}::date group by day, meal_kind, place_id order by day, meal_kind, place_id`.execute(
    db,
  )
  const meals: Record<string, PlanMeal[]> = {}
  for (const { day, meal_kind, dishes } of rows) (meals[day] ??= []).push({ meal_kind, dishes })
  return meals
}

export async function readZoneFacts({ db, school_id }: Pick<Work, 'db' | 'school_id'>): Promise<ZoneFact[]> {
  return db.selectFrom('publishing_zone_setting').select(['scope', 'scope_id', 'zone', 'module']).where('school_id', '=', school_id).execute()
}

/** The first instant of the week in which a plan made now begins anew. */
export function nextRoll(now: Date): Date {
  const { from } = horizonOf(schoolDay(now))
  const one_in_the_morning = 60 * minute_ms
  return new Date(startOf(from) + 7 * day_minutes * minute_ms + one_in_the_morning)
}

/** What of an album a board can play, the newest first. */
export async function filesOfAlbum({ db, school_id }: Pick<Work, 'db' | 'school_id'>, folder_id: string): Promise<KeptFile[]> {
  const { rows } = await sql<KeptFile>`
    select r.resource_name as name, r.cdn_name as file_key, r.sha256, r.bytes::float8 as bytes, r.mime from publishing_resource r
    where r.school_id = ${school_id} and r.folder_id = ${folder_id} and r.state = 1 and r.sha256 is not null
    order by r.resource_id desc`.execute(db)
  return rows.filter(file => playable_mime.test(file.mime)).slice(0, most_files)
}
