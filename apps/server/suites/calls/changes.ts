import { changeApi } from '@campus/teaching/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { taught, teacher } from './teaching.ts'

let made = 0
const reason = '测试'
const hour_ms = 3_600_000

/** A lesson of a coming day, put there by hand with its version. */
async function lesson(world: World, of?: { class_id: string; course_id: string }) {
  const { app, school_id } = world
  const { class_id, course_id } = of ?? (await taught(world))
  made += 1
  const begin = new Date(app.clock.now().getTime() + (made + 30) * hour_ms)
  const date = new Date(begin.getTime() + 8 * hour_ms).toISOString().slice(0, 10)
  const rows = await app.running.database.tenant<unknown, { id: string }[]>(school_id, async db => (await sql<{ id: string }>`
    insert into lesson_day (school_id, date, lesson_key, timetable_id, version_id, class_id, course_id, weekday, section, span, begin_at, end_at, teacher_ids, rev)
    values (${school_id}, ${date}, gen_random_uuid(), 0, 0, ${class_id}, ${course_id}, 1, 1, 1, ${begin}, ${new Date(begin.getTime() + hour_ms / 2)}, '{}', 0) returning lesson_day_id::text as id`.execute(db)).rows)
  return { date, lesson_day_id: rows[0]?.id ?? '', class_id, course_id }
}

async function own(world: World) {
  const { date, lesson_day_id } = await lesson(world)
  return { date, lesson_day_id }
}

async function need(world: World) {
  const { app, school_id } = world
  const { date, lesson_day_id } = await lesson(world)
  const teacher_id = await teacher(world)
  await app.running.database.tenant(school_id, db => sql`
    insert into cover_need (school_id, date, lesson_day_id, teacher_id, cause_ref, updated_at) values (${school_id}, ${date}, ${lesson_day_id}, ${teacher_id}, 'leave:1', ${app.clock.now()})`.execute(db))
  return { date, lesson_day_id, teacher_id }
}

export const changeCalls: ReadonlyMap<string, Builder> = new Map(buildersOf(changeApi, {
  needs: async world => ({ input: await spanOf(world) }),
  proposals: async world => ({ input: await own(world) }),
  cover: async world => ({ input: { ...(await own(world)), kind: 1 as const, teacher_id: await hired(world), reason } }),
  swap: async world => {
    const one = await lesson(world)
    const other = await lesson(world, one)
    return { input: { date: one.date, lesson_day_id: one.lesson_day_id, other_date: other.date, other_id: other.lesson_day_id, reason } }
  },
  dismiss: async world => ({ input: await need(world) }),
  autoCover: async world => ({ input: { date: (await own(world)).date } }),
  undo: async world => {
    const done = dataOf(changeApi.cover,
      await world.app.call(changeApi.cover, { ...(await own(world)), kind: 4 as const, reason }, { token: world.me.token }))
    return { input: { id: done.order_id } }
  },
  list: () => ({ input: {} }),
  export: () => ({ input: {} }),
  ledger: () => ({ input: {} }),
  exportLedger: () => ({ input: {} }),
}))

async function spanOf(world: World) {
  const { date } = await need(world)
  return { from: date, to: date }
}

/** The person who calls, as a member of staff. */
async function hired({ app, me, school_id }: World): Promise<string> {
  const { user_id, user_no } = me
  await app.running.database.tenant(school_id, async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex)
      values (${school_id}, ${user_id}, '老师', 'laoshi', 'ls', '1') on conflict do nothing`.execute(db)
    await sql`insert into staff (school_id, user_id, teacher_no, kind, join_month) values (${school_id}, ${user_id}, ${user_no}, '11', '202609') on conflict do nothing`.execute(db)
    await sql`insert into staff_span (school_id, user_id, state, valid_from, open_kind)
      select ${school_id}::int, ${user_id}::bigint, '11', '2026-09-01'::date, 'IN'
      where not exists (select 1 from staff_span where school_id = ${school_id} and user_id = ${user_id}) on conflict do nothing`.execute(db)
  })
  return user_id
}
