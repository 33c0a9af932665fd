import { hireStaff } from '@campus/people/server'
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
  move: async world => {
    const { date, lesson_day_id, class_id } = await lesson(world)
    await bellOn(world, class_id, date)
    return { input: { date, lesson_day_id, to_date: date, to_section: 16, reason } }
  },
  chain: async world => {
    const one = await lesson(world)
    const other = await lesson(world)
    const teacher_ids = [await hired(world), await colleague(world)]
    const { app, school_id } = world
    await app.running.database.tenant(school_id, db => sql`
      update lesson_day x set date = o.date, begin_at = o.begin_at, end_at = o.end_at, teacher_ids = ${[teacher_ids[0]]}::bigint[] from lesson_day o
      where x.school_id = ${school_id} and x.lesson_day_id = ${other.lesson_day_id} and o.school_id = ${school_id} and o.lesson_day_id = ${one.lesson_day_id}`.execute(db))
    return { input: { date: one.date, lesson_day_id: one.lesson_day_id, teacher_ids, reason } }
  },
  dismiss: async world => ({ input: await need(world) }),
  autoCover: async world => ({ input: { date: (await own(world)).date } }),
  undoAuto: async world => {
    const asked = { ...(await own(world)), kind: 4 as const, reason }
    const { order_id } = dataOf(changeApi.cover, await world.app.call(changeApi.cover, asked, { token: world.me.token }))
    await world.app.running.database.tenant(world.school_id, db => sql`
      update change_order set command_id = id where school_id = ${world.school_id} and id = ${order_id}`.execute(db))
    return { input: { id: order_id } }
  },
  undo: async world => {
    const done = dataOf(changeApi.cover,
      await world.app.call(changeApi.cover, { ...(await own(world)), kind: 4 as const, reason }, { token: world.me.token }))
    return { input: { id: done.order_id } }
  },
  mine: () => ({ input: {} }),
  answer: async world => {
    const asked = { ...(await own(world)), kind: 1 as const, teacher_id: await colleague(world), reason, ask: true }
    const { order_id } = dataOf(changeApi.cover, await world.app.call(changeApi.cover, asked, { token: world.me.token }))
    await world.app.running.database.tenant(world.school_id, db => sql`
      update change_item set asked_id = ${world.me.user_id} where school_id = ${world.school_id} and order_id = ${order_id}`.execute(db))
    return { input: { id: order_id, agreed: false } }
  },
  add: async world => {
    const { date, lesson_day_id, class_id } = await taughtByMe(world)
    await bellOn(world, class_id, date)
    return { input: { date, lesson_day_id, kind: 3 as const, other_date: date, to_section: 16, reason } }
  },
  requests: () => ({ input: {} }),
  partners: async world => {
    const { date, lesson_day_id } = await taughtByMe(world)
    return { input: { date, lesson_day_id, other_date: date } }
  },
  withdraw: async world => ({ input: { id: await requested(world, world.me.user_id) } }),
  approve: async world => ({ input: { id: await requested(world, await colleague(world)) } }),
  refuse: async world => ({ input: { id: await requested(world, await colleague(world)), text: reason } }),
  list: () => ({ input: {} }),
  export: () => ({ input: {} }),
  ledger: () => ({ input: {} }),
  exportLedger: () => ({ input: {} }),
}))

async function spanOf(world: World) {
  const { date } = await need(world)
  return { from: date, to: date }
}

/** A lesson of a coming day that the caller teaches. */
async function taughtByMe(world: World) {
  const made_lesson = await lesson(world)
  await world.app.running.database.tenant(world.school_id, db => sql`update lesson_day set teacher_ids = ${[world.me.user_id]}::bigint[]
    where school_id = ${world.school_id} and lesson_day_id = ${made_lesson.lesson_day_id}`.execute(db))
  return made_lesson
}

/** A swap that a teacher asked for and that waits for approval, put there by hand. */
async function requested(world: World, by: string): Promise<string> {
  const one = await lesson(world)
  const other = await lesson(world, one)
  made += 1
  const { app, school_id } = world
  const rows = await app.running.database.tenant<unknown, { id: string }[]>(school_id, async db => (await sql<{ id: string }>`
    insert into change_order (school_id, order_no, kind, reason, state, needs_approval, applied_by, applied_at)
    values (${school_id}, ${`TKX${school_id}X${made}`}, 2, ${reason}, 5, true, ${by},
      ${app.clock.now()}) returning id::text as id`.execute(db)).rows)
  const id = rows[0]?.id ?? ''
  for (const [at, { date, lesson_day_id }] of [one, other].entries()) {
    await app.running.database.tenant(school_id, db => sql`
      insert into change_item (school_id, order_id, item_no, date, lesson_day_id, before)
      values (${school_id}, ${id}, ${at + 1}, ${date}, ${lesson_day_id},
        '{"teacher_ids":[],"orig_teacher_ids":null,"state":1,"course_id":"1","place_id":null}')`
      .execute(db))
  }
  return id
}

/** A bell with a late section, which rings for a class on a date. */
async function bellOn({ app, school_id }: World, class_id: string, date: string): Promise<void> {
  made += 1
  await app.running.database.tenant(school_id, async db => {
    const { rows } = await sql<{ id: string }>`insert into bell (school_id, name, updated_at) values (${school_id}, ${`移课${made}`}, ${app.clock.now()}) returning id::text as id`.execute(db)
    const bell_id = rows[0]?.id ?? '0'
    await sql`insert into bell_section (school_id, bell_id, order_no, name, section_kind, section, begin_min, end_min) values (${school_id}, ${bell_id}, 1, '第16节', 4, 16, 1400, 1439)`.execute(db)
    await sql`insert into school_day (school_id, date, grade, day_kind, is_school_day, bell_id, rev)
      select ${school_id}::int, ${date}::date, c.grade, 1, true, ${bell_id}::bigint, 1 from teaching_class c where c.school_id = ${school_id} and c.id = ${class_id}
      on conflict (school_id, date, grade) do update set is_school_day = true, bell_id = excluded.bell_id`.execute(db)
  })
}

/** Another member of staff. */
async function colleague({ app, school_id }: World): Promise<string> {
  made += 1
  const [id = ''] = await app.running.database.tenant(school_id, async (db: Parameters<typeof hireStaff>[0]) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const one = { user_name: '同事', sex: '1', teacher_no: `TS${school_id}${made}`,
      mobile: `169${String(school_id * 1000 + made).padStart(8, '0')}`, kind: '11', join_month: '202609', from: '2026-09-01',
      depts: [{ dept_id: root.id }] }
    return hireStaff(db, app.running.app.secrets, school_id, [one])
  })
  return id
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
