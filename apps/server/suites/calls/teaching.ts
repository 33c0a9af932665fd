import { courseApi, lessonApi, solveApi, tableFileApi, teachingApi, timetableApi, versionApi } from '@campus/teaching/contract'
import { addDays, bellApi, semesterApi } from '@campus/calendar/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { enrolled } from './people.ts'

let made = 0
const weekly = 2

/** A term that is not over by the tests' clock. */
export async function term({ app, me, school_id }: World): Promise<number> {
  const year = app.clock.now().getFullYear()
  const wanted = { school_year: `${year}-${year + 1}`, term: '3' as const, name: `教学测试${year}`, begin_date: `${year}-07-20`, end_date: `${year + 1}-01-20` }
  const known = await app.running.database.tenant<unknown, { id: number }[]>(school_id, async db => (await sql<{ id: number }>`select id from semester where school_id = ${school_id} order by end_date desc limit 1`.execute(db)).rows)
  return known[0]?.id ?? dataOf(semesterApi.add, await app.call(semesterApi.add, wanted, { token: me.token })).semester?.id ?? 0
}

function courseDraft({ school_id }: World) {
  made += 1
  return { course_no: `K${school_id}X${made}`, course_name: `课程${school_id}号${made}`, subject: '13', grades: ['11', '12', '13', '14', '15', '16', '21', '22', '23', '31', '32', '33'] as const, course_type: '1' as const, weekly }
}

export async function course(world: World) {
  const { grades, ...draft } = courseDraft(world)
  return dataOf(courseApi.add, await world.app.call(courseApi.add, { ...draft, grades: [...grades] }, { token: world.me.token })).row
}

/** A class that is taught a course, and a teacher of the school. */
export async function taught(world: World) {
  const { app, me, school_id } = world
  const [semester_id, { id: course_id }, { dept_id }] = [await term(world), await course(world), await enrolled(world)]
  const cells = [{ dept_id, course_id, weekly_odd: weekly, weekly_even: weekly, teacher_ids: [] }]
  await app.call(teachingApi.save, { semester_id, cells }, { token: me.token })
  const rows = await app.running.database.tenant<unknown, { id: string; class_id: string }[]>(school_id, async db =>
    (await sql<{ id: string; class_id: string }>`select id::text as id, class_id::text as class_id from teaching where school_id = ${school_id} and course_id = ${course_id}`.execute(db)).rows)
  return { semester_id, course_id, dept_id, teaching_id: rows[0]?.id ?? '', class_id: rows[0]?.class_id ?? '' }
}

export async function teacher({ app, school_id }: World): Promise<string> {
  const rows = await app.running.database.tenant<unknown, { user_id: string }[]>(school_id, async db => (await sql<{ user_id: string }>`select user_id::text as user_id from live_staff where school_id = ${school_id} order by user_id limit 1`.execute(db)).rows)
  return rows[0]?.user_id ?? '1'
}

async function timetable(world: World) {
  const { semester_id, class_id } = await taught(world)
  made += 1
  const { timetable: table } = dataOf(timetableApi.create, await world.app.call(timetableApi.create, { name: `课表${world.school_id}号${made}`, semester_id }, { token: world.me.token }))
  return { table, version_id: table.versions[0]?.id ?? '', class_id }
}

/** Lesson times for the grade of the classes that are made here, for the first weeks of their term, which may be decades away: nothing is placed without. */
async function rung(world: World): Promise<void> {
  made += 1
  const sections = [8, 9, 10, 11].map((hour, at) => {
    const [begin, end] = [`${String(hour).padStart(2, '0')}:00`, `${String(hour).padStart(2, '0')}:40`]
    return { name: `第${at + 1}节`, section_kind: 4, section: at + 1, begin, end }
  })
  const { bell } = dataOf(bellApi.add, await world.app.call(bellApi.add, { name: `排课作息${made}`, sections }, { token: world.me.token }))
  const week_flags = [true, true, true, true, true, false, false]
  const { app, me, school_id } = world
  const id = await term(world)
  const begin = await app.running.database.tenant<unknown, string>(school_id, async db => (await sql<{ day: string }>`select begin_date::text as day from semester where school_id = ${school_id} and id = ${id}`.execute(db)).rows[0]?.day ?? '')
  const from = begin > today(world) ? begin : today(world)
  await app.call(bellApi.switch, { bell_id: bell.id, grades: ['31'], week_flags, from, to: addDays(from, rung_days) }, { token: me.token })
}

export async function lessons(world: World) {
  const own = await timetable(world)
  const grid = dataOf(versionApi.grid, await world.app.call(versionApi.grid, { id: own.version_id, view: 'class', target_id: own.class_id }, { token: world.me.token }))
  return { ...own, rev: grid.rev, lesson_ids: grid.lessons.map(one => one.id) }
}

async function commanded(world: World) {
  const own = await lessons(world)
  const commands = [{ kind: 'place' as const, lesson_id: own.lesson_ids[0] ?? '', weekday: 1, section: 1 }]
  await world.app.call(versionApi.command, { id: own.version_id, rev: own.rev, commands }, { token: world.me.token })
  return { ...own, rev: own.rev + 1 }
}

/** A version that begins in the future, put there by hand. */
async function coming(world: World): Promise<string> {
  const { version_id } = await timetable(world)
  const { app, school_id } = world
  await app.running.database.tenant(school_id, db => sql`
    update timetable_version v set state = 1, valid_from = s.end_date, valid_to = s.end_date + 1 from timetable t, semester s
    where v.school_id = ${school_id} and v.id = ${version_id} and t.school_id = ${school_id} and t.id = v.timetable_id and s.school_id = ${school_id} and s.id = t.semester_id`.execute(db))
  return version_id
}

async function solved(world: World) {
  const own = await lessons(world)
  const best = JSON.stringify({ cells: own.lesson_ids.map((lesson_id, at) => ({ lesson_id, weekday: 1, section: at + 1 })), reasons: [] })
  const { app, school_id, me } = world
  const rows = await app.running.database.tenant<unknown, { id: string }[]>(school_id, async db => (await sql<{ id: string }>`
    insert into solve_run (school_id, version_id, job_no, seed, params, state, base_rev, best, created_at, created_by)
    values (${school_id}, ${own.version_id}, 'x', 1, '{}'::jsonb, 1, 0, ${best}::jsonb, ${app.clock.now()}, ${me.user_id}) returning id::text as id`.execute(db)).rows)
  return { id: rows[0]?.id ?? '', rev: own.rev }
}

/** An import that may be taken back. */
async function importedTable(world: World): Promise<string> {
  const own = await lessons(world)
  const patch = JSON.stringify(own.lesson_ids.slice(0, 1).map(lesson_id => ({ lesson_id, weekday: null, section: null, weeks: '{[1,3)}',
    place_id: null, locked: false })))
  const { app, school_id, me } = world
  const rows = await app.running.database.tenant<unknown, { id: string }[]>(school_id, async db => {
    await sql`insert into edit_step (school_id, version_id, seq, user_id, title, command, inverse, at)
      values (${school_id}, ${own.version_id}, ${own.rev + 1}, ${me.user_id}, '导入课表', ${patch}::jsonb, ${patch}::jsonb,
        ${app.clock.now()})`.execute(db)
    return (await sql<{ id: string }>`
      insert into table_import (school_id, version_id, params, sheets, state, step_seq, created_at, created_by)
      values (${school_id}, ${own.version_id}, '{}'::jsonb, '[]'::jsonb, 1, ${own.rev + 1}, ${app.clock.now()},
        ${me.user_id}) returning id::text as id`.execute(db)).rows
  })
  return rows[0]?.id ?? ''
}

const rung_days = 60
const today = ({ app }: World) => new Date(app.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10)

export const teachingCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(courseApi, {
    list: () => ({ input: {} }),
    export: () => ({ input: {} }),
    all: () => ({ input: {} }),
    add: world => { const { grades, ...draft } = courseDraft(world); return { input: { ...draft, grades: [...grades] } } },
    update: async world => {
      const { id, course_name, subject, course_type, row_version } = await course(world)
      return { input: { id, course_name, subject, course_type, row_version, weekly: 3, grades: ['11' as const] } }
    },
    enable: async world => ({ input: { ids: [(await course(world)).id], enabled: false } }),
    remove: async world => ({ input: { id: (await course(world)).id } }),
  }),
  ...buildersOf(teachingApi, {
    terms: () => ({ input: {} }),
    matrix: async world => ({ input: { semester_id: (await taught(world)).semester_id } }),
    load: async world => ({ input: { semester_id: await term(world) } }),
    save: async world => {
      const { semester_id, dept_id, course_id } = await taught(world)
      return { input: { semester_id, cells: [{ dept_id, course_id, weekly_odd: 3, weekly_even: 3, teacher_ids: [] }] } }
    },
    changeTeacher: async world => {
      const [{ semester_id }, id] = [await taught(world), await teacher(world)]
      return { input: { semester_id, from_id: id, to_id: id } }
    },
    copy: async world => {
      const { semester_id } = await taught(world)
      const other = await otherTerm(world, semester_id)
      return { input: { from: semester_id, to: other, preview: true } }
    },
    unavailable: async world => ({ input: { semester_id: await term(world), teacher_id: await teacher(world) } }),
    saveUnavailable: async world => ({ input: { semester_id: await term(world), teacher_id: await teacher(world), cells: ['1-1'] } }),
  }),
  ...buildersOf(timetableApi, {
    list: () => ({ input: {} }),
    create: async world => {
      made += 1
      return { input: { name: `新课表${made}`, semester_id: (await taught(world)).semester_id } }
    },
    copy: async world => {
      made += 1
      return { input: { timetable_id: (await timetable(world)).table.id, name: `副本${made}` } }
    },
    update: async world => {
      const { id, name, row_version } = (await timetable(world)).table
      return { input: { id, name: `${name}改`, archived: false, row_version } }
    },
    remove: async world => ({ input: { id: (await timetable(world)).table.id } }),
  }),
  ...buildersOf(versionApi, {
    add: async world => {
      const { table, version_id } = await timetable(world)
      return { input: { timetable_id: table.id, based_on: version_id } }
    },
    remove: async world => ({ input: { id: (await timetable(world)).version_id } }),
    grid: async world => {
      const { version_id, class_id } = await timetable(world)
      return { input: { id: version_id, view: 'class' as const, target_id: class_id } }
    },
    check: async world => ({ input: { id: (await timetable(world)).version_id } }),
    steps: async world => ({ input: { id: (await commanded(world)).version_id } }),
    command: async world => {
      const { version_id, rev, lesson_ids } = await lessons(world)
      return { input: { id: version_id, rev, commands: [{ kind: 'place' as const, lesson_id: lesson_ids[0] ?? '', weekday: 1, section: 1 }] } }
    },
    undo: async world => {
      const { version_id, rev } = await commanded(world)
      return { input: { id: version_id, rev } }
    },
    redo: async world => {
      const { version_id, rev } = await commanded(world)
      await world.app.call(versionApi.undo, { id: version_id, rev }, { token: world.me.token })
      return { input: { id: version_id, rev: rev + 1 } }
    },
    candidates: async world => {
      const { version_id, lesson_ids } = await lessons(world)
      return { input: { id: version_id, lesson_id: lesson_ids[0] ?? '' } }
    },
    sync: async world => {
      const { version_id, rev } = await lessons(world)
      await taught(world)
      return { input: { id: version_id, rev } }
    },
    diff: async world => {
      const { version_id } = await timetable(world)
      return { input: { id: version_id, with: version_id } }
    },
    publish: async world => ({ input: { id: (await timetable(world)).version_id, effective_on: today(world) } }),
    withdraw: async world => ({ input: { id: await coming(world) } }),
  }),
  ...buildersOf(tableFileApi, {
    sheet: async world => ({ input: { id: (await timetable(world)).version_id } }),
    importFile: async world => {
      const { version_id, rev } = await lessons(world)
      const body = new TextEncoder().encode('学期,班级,星期,节次,课程\n第一学期,一班,星期一,1,语文\n')
      return { input: { id: version_id, rev: String(rev) }, file: { name: '课表.csv', body } }
    },
    imported: async world => ({ input: { id: (await timetable(world)).version_id } }),
    undoImport: async world => ({ input: { id: await importedTable(world) } }),
  }),
  ...buildersOf(solveApi, {
    precheck: async world => ({ input: { id: (await timetable(world)).version_id } }),
    start: async world => {
      await rung(world)
      return { input: { id: (await timetable(world)).version_id, seconds: 10 } }
    },
    latest: async world => ({ input: { id: (await timetable(world)).version_id } }),
    stop: async world => ({ input: { id: (await solved(world)).id } }),
    moves: async world => ({ input: { id: (await solved(world)).id } }),
    take: async world => ({ input: await solved(world) }),
  }),
  ...buildersOf(lessonApi, {
    targets: async world => ({ input: { view: 'class' as const, semester_id: await term(world) } }),
    list: async world => ({ input: { from: today(world), to: today(world), class_id: (await taught(world)).class_id } }),
    week: async world => ({ input: { view: 'class' as const, target_id: (await taught(world)).class_id, from: today(world) } }),
    plan: async world => ({ input: { view: 'class' as const, target_id: (await taught(world)).class_id, date: today(world) } }),
    now: () => ({ input: {} }),
    mine: world => ({ input: { from: today(world), to: today(world), user_id: world.me.user_id } }),
    sheet: async world => ({ input: { view: 'class' as const, target_ids: [(await taught(world)).class_id], date: today(world) } }),
    feed: async world => ({ input: { view: 'class' as const, target_id: (await taught(world)).class_id } }),
    ics: async world => {
      const { path } = dataOf(lessonApi.feed, await world.app.call(lessonApi.feed, { view: 'class', target_id: (await taught(world)).class_id }, { token: world.me.token }))
      return { input: { token: path.split('token=')[1] ?? '' } }
    },
  }),
])

async function otherTerm({ app, school_id }: World, known: number): Promise<number> {
  await app.running.database.tenant(school_id, db => sql`
    insert into semester (school_id, id, school_year, term, name, begin_date, end_date, odd_first, updated_at)
    values (${school_id}, 20401, '2040-2041', '1', '2040-2041学年第一学期', '2040-09-01', '2041-01-20', true, ${app.clock.now()}) on conflict do nothing`.execute(db))
  return known === 20401 ? known + 1 : 20401
}
