import {
  alertApi, arrangeApi, attendSettingApi, clockApi, exemptApi, outageApi, pointApi, recomputeApi, rollcallApi, ruleApi, RuleBody, usual_setting,
} from '@campus/attendance/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { campus, stated } from './devices.ts'
import { enrolled } from './people.ts'
import { lessons } from './teaching.ts'

let made = 0
const body = RuleBody.parse({})
const minute_ms = 60_000

const dayOf = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
const today = ({ app }: World) => dayOf(app.clock.now())

function rows<T>({ app, school_id }: World, query: ReturnType<typeof sql<T>>): Promise<T[]> {
  return app.running.database.tenant<unknown, T[]>(school_id, async db => (await query.execute(db)).rows)
}

function ruleDraft(world: World, kind: 'course' | 'clock' = 'course') {
  made += 1
  return { rule_name: `规则${world.school_id}号${made}`, person_kind: 1, kind, note: '', body, effective_from: today(world), reason: '' }
}

async function rule(world: World) {
  return dataOf(ruleApi.add, await world.app.call(ruleApi.add, ruleDraft(world), { token: world.me.token })).row
}

/** An arrange of a class of its own, so that none overlaps, in the term of the lessons that were made. */
async function arrangeDraft(world: World) {
  const { table } = await lessons(world)
  const [term] = await rows(
    world,
    sql<{ semester_id: number; begin_date: string; end_date: string }>`
      select id as semester_id, greatest(begin_date, ${today(world)}::date)::text as begin_date, end_date::text as end_date
      from semester where school_id = ${world.school_id} and id = ${table.semester_id ?? 0}`,
  )
  const { dept_id } = await enrolled(world)
  const { rule_id } = await rule(world)
  made += 1
  return {
    arrange_name: `安排${made}`, rule_id, semester_id: term?.semester_id ?? 1, scope_kind: 4, scope_id: dept_id, section_from: null, section_to: null,
    valid_from: term?.begin_date ?? today(world), valid_to: term?.end_date ?? today(world), slots: [], reason: '',
  }
}

async function arrange(world: World) {
  const draft = await arrangeDraft(world)
  return { draft, row: dataOf(arrangeApi.add, await world.app.call(arrangeApi.add, draft, { token: world.me.token })).row }
}

/** A lesson that runs now, with its roster. */
async function lesson(world: World) {
  const { version_id, table, lesson_ids } = await lessons(world)
  const { app, school_id } = world
  const [begin, end] = [new Date(app.clock.now().getTime() - 5 * minute_ms), new Date(app.clock.now().getTime() + 40 * minute_ms)]
  const [day] = await rows(world, sql<{ lesson_day_id: string }>`
    insert into lesson_day (school_id, date, lesson_key, lesson_id, timetable_id, version_id, class_id, course_id, weekday, section, span,
      begin_at, end_at, teacher_ids, rev)
    select school_id, ${today(world)}::date, lesson_key, id, ${table.id}::bigint, ${version_id}::bigint, class_id, course_id, 1, 1, 1,
      ${begin}::timestamptz, ${end}::timestamptz, '{}', 0
    from lesson where school_id = ${school_id} and id = ${lesson_ids[0] ?? '0'}
      on conflict do nothing returning lesson_day_id::text as lesson_day_id`)
  const lesson_day_id = day?.lesson_day_id ?? ''
  const roster = await rows(
    world,
    sql<{ user_id: string }>`select user_id::text as user_id from lesson_student_v where school_id = ${school_id} and lesson_day_id = ${lesson_day_id}`
  )
  return { lesson_day_id, rows: roster.map(({ user_id }) => ({ user_id, claim: 'present' as const })) }
}

async function exempt(world: World) {
  const { user_id } = await enrolled(world)
  return { user_id, kind: null, weekdays: null, valid_from: today(world), valid_to: today(world), reason: '伤病休养' }
}

async function outage(world: World) {
  const end_at = world.app.clock.now()
  return {
    place_id: await campus(world), begin_at: new Date(end_at.getTime() - 60 * minute_ms).toISOString(), end_at: end_at.toISOString(),
    reason: '停电检修',
  }
}

async function alert(world: World): Promise<string> {
  const { user_id, dept_id } = await enrolled(world)
  const [row] = await rows(world, sql<{ id: string }>`
    insert into attend_alert (school_id, kind, alert_date, user_id, dept_id, text, raised_at)
    values (${world.school_id}, 'missing_in_school', ${today(world)}::date, ${user_id}, ${dept_id}, '第1节 语文未到，门禁显示在校',
      ${world.app.clock.now()}) returning alert_id::text as id`)
  return row?.id ?? ''
}

/** A run of the school that is over, so that another one may begin. */
async function run(world: World): Promise<string> {
  const [row] = await rows(world, sql<{ id: string }>`
    insert into attend_run (school_id, date_from, date_to, mode, state, created_at) values (${world.school_id}, ${today(world)}::date,
      ${today(world)}::date, 'normal', 'done', ${world.app.clock.now()}) returning run_id::text as id`)
  return row?.id ?? ''
}

export const attendanceRuleCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(ruleApi, {
    list: () => ({ input: {} }),
    add: world => ({ input: ruleDraft(world) }),
    update: async world => {
      const { rule_id, rule_name, row_version } = await rule(world)
      return { input: {
        id: rule_id, rule_name, note: '改', body: { ...body, before_min: 20 }, effective_from: today(world), reason: '', row_version,
      } }
    },
    remove: async world => ({ input: { id: (await rule(world)).rule_id } }),
    enable: async world => ({ input: { id: (await rule(world)).rule_id, enabled: false } }),
    versions: async world => ({ input: { id: (await rule(world)).rule_id } }),
    dryRun: async world => ({ input: { rule_id: (await rule(world)).rule_id, body, date_from: today(world), date_to: today(world) } }),
  }),
  ...buildersOf(arrangeApi, {
    list: async world => ({ input: { semester_id: (await lessons(world)).table.semester_id ?? 0 } }),
    add: async world => ({ input: await arrangeDraft(world) }),
    update: async world => {
      const { draft: { semester_id: _term, scope_kind: _kind, scope_id: _id, ...draft }, row } = await arrange(world)
      return { input: { ...draft, id: row.arrange_id, arrange_name: '改名', row_version: row.row_version } }
    },
    remove: async world => ({ input: { id: (await arrange(world)).row.arrange_id } }),
    copy: async world => {
      const { semester_id } = await arrangeDraft(world)
      return { input: { from_semester: semester_id, to_semester: semester_id } }
    },
    week: async world => ({ input: { dept_id: (await enrolled(world)).dept_id, date: today(world) } }),
    preview: async world => ({ input: { user_id: (await enrolled(world)).user_id, date: today(world) } }),
  }),
  ...buildersOf(attendSettingApi, {
    read: () => ({ input: {} }),
    save: async world => {
      await rows(world, sql`delete from attend_setting where school_id = ${world.school_id}`)
      return { input: { ...usual_setting, row_version: 0 } }
    },
  }),
  ...buildersOf(pointApi, {
    list: () => ({ input: {} }),
    save: async world => {
      const { device_id } = await stated(world, 'active')
      await rows(
        world,
        sql`insert into device_place (school_id, device_id, place_id, direction, valid_from) values (${world.school_id}, ${device_id}, ${await campus(world)}, 3, ${new Date(0)}) on conflict do nothing`
      )
      return { input: { device_id, use: 'both' as const } }
    },
  }),
  ...buildersOf(exemptApi, {
    list: () => ({ input: {} }),
    add: async world => ({ input: await exempt(world) }),
    remove: async world => {
      const draft = await exempt(world)
      await world.app.call(exemptApi.add, draft, { token: world.me.token })
      const [row] = await rows(
        world,
        sql<{ id: string }>`select exempt_id::text as id from attend_exempt where school_id = ${world.school_id} and user_id = ${draft.user_id}`
      )
      return { input: { id: row?.id ?? '' } }
    },
  }),
  ...buildersOf(clockApi, {
    now: () => ({ input: {} }),
    page: () => ({ input: {} }),
    ofClass: async world => ({ input: { dept_id: (await enrolled(world)).dept_id } }),
  }),
  ...buildersOf(alertApi, {
    page: () => ({ input: {} }),
    ack: async world => ({ input: { id: await alert(world), note: '在医务室' } }),
  }),
  ...buildersOf(outageApi, {
    page: () => ({ input: {} }),
    declare: async world => ({ input: await outage(world) }),
    close: async world => {
      await world.app.call(outageApi.declare, await outage(world), { token: world.me.token })
      const [row] = await rows(
        world, sql<{ id: string }>`select max(outage_id)::text as id from attend_outage where school_id = ${world.school_id}`
      )
      return { input: { id: row?.id ?? '' } }
    },
  }),
  ...buildersOf(rollcallApi, {
    today: () => ({ input: {} }),
    read: async world => ({ input: { lesson_day_id: (await lesson(world)).lesson_day_id } }),
    draft: async world => ({ input: { ...(await lesson(world)), version: 0 } }),
    submit: async world => ({ input: { ...(await lesson(world)), version: 0 } }),
  }),
  ...buildersOf(recomputeApi, {
    start: world => ({ input: { date_from: today(world), date_to: today(world) } }),
    read: async world => ({ input: { id: await run(world) } }),
  }),
])
