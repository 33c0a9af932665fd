import { choiceApi, electiveApi, offerApi, seatApi, sectioningApi, walkingApi } from '@campus/teaching/contract'
import { grade_codes } from '@campus/calendar/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { enrolled } from './people.ts'
import { course, term } from './teaching.ts'

let made = 0
const hour_ms = 3_600_000
const reason = '测试'

const from = ({ app }: World, hours: number) => new Date(app.clock.now().getTime() + hours * hour_ms).toISOString()
const today = (world: World) => new Date(world.app.clock.now().getTime() + 8 * hour_ms).toISOString().slice(0, 10)
const inSchool = <R>({ app, school_id }: World,
  run: (db: Parameters<Parameters<typeof app.running.database.tenant>[1]>[0]) => Promise<R>) => app.running.database.tenant(school_id, run)

async function draft(world: World, more: { kind?: 1 | 2; mode?: 1 | 2; opens?: number; closes?: number } = {}) {
  made += 1
  const { kind = 2, mode = 1, opens = -1, closes = 5 } = more
  return { kind, mode, semester_id: await term(world), name: `选课${world.school_id}号${made}`, open_at: from(world, opens),
    close_at: from(world, closes), grades: ['31' as const], max_pick: kind === 1 ? 1 : 2, waitlist: true }
}

async function task(world: World, more: Parameters<typeof draft>[1] = {}) {
  return dataOf(electiveApi.add, await world.app.call(electiveApi.add, await draft(world, more), { token: world.me.token })).row
}

async function offered(world: World, more: Parameters<typeof draft>[1] = {}) {
  const own = await task(world, more)
  const { id: course_id } = await course(world)
  const combo = more.kind === 1 ? { combo: '16,17,18' } : { course_id }
  const { offer } = dataOf(offerApi.add,
    await world.app.call(offerApi.add, { task_id: own.id, title: `选项${own.id}`, capacity: 3, ...combo }, { token: world.me.token }))
  return { task: own, offer }
}

/** A published task; its end is put into the past by hand where it must be over. */
async function published(world: World, more: Parameters<typeof draft>[1] & { over?: boolean } = {}) {
  const own = await offered(world, more)
  await world.app.call(electiveApi.publish, { id: own.task.id }, { token: world.me.token })
  return own
}

async function endTask(world: World, id: string): Promise<void> {
  await inSchool(world,
    db => sql`update elective_task set open_at = ${from(world, -9)}, close_at = ${from(world, -1)} where school_id = ${world.school_id} and id = ${id}`.execute(db))
}

async function pupil(world: World): Promise<string> {
  return (await enrolled(world)).user_id
}

async function graded(world: World, student_id: string) {
  const rows = await inSchool(world, async db =>
    (await sql<{ grade: string }>`select grade from live_student where school_id = ${world.school_id} and user_id = ${student_id}`.execute(db)).rows)
  return { grade: grade_codes.find(code => code === rows[0]?.grade) ?? '31' }
}

/** A run with one plan, put there by hand: 1 ready, 3 applied. */
async function sectioned(world: World, state: 1 | 3): Promise<string> {
  const { id: course_id } = await course(world)
  const { me, school_id, app } = world
  const [semester_id, student_id] = [await term(world), await pupil(world)]
  const params = JSON.stringify({ subjects: 'second', keep: false, blocks: 2, min: 1, max: 46, rooms: 10, seed: 1 })
  const plans = JSON.stringify([{ sections: [{ subject: '13', block: 1, key: null, ids: [student_id] }], unserved: [], moved: 0 }])
  const applied = state === 3 ? JSON.stringify({ plan_no: 0, from: today(world), made: [], opened: [], ended: [] }) : null
  made += 1
  const rows = await inSchool(world, async db => {
    await sql`update sectioning_run set state = 4 where school_id = ${school_id} and state = 3`.execute(db)
    await sql`update teaching_class set name = left(name || ${course_id}, 30) where school_id = ${school_id} and kind = 2`.execute(db)
    return (await sql<{ id: string }>`
      insert into sectioning_run (school_id, semester_id, grade, params, state, plans, applied, applied_at, created_at, created_by)
      values (${school_id}, ${semester_id}, '31', ${params}::jsonb, ${state}, ${plans}::jsonb, ${applied}::jsonb, ${app.clock.now()}, ${app.clock.now()}, ${me.user_id}) returning id::text as id`.execute(db)).rows
  })
  return rows[0]?.id ?? ''
}

/** A child of the person who calls. */
async function ownChild(world: World): Promise<string> {
  const { me, school_id } = world
  const user_id = await pupil(world)
  await inSchool(world, async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${me.user_id}, '家长', 'jiazhang', 'jz', '1') on conflict do nothing`.execute(db)
    await sql`insert into parent (school_id, user_id) values (${school_id}, ${me.user_id}) on conflict do nothing`.execute(db)
    await sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, valid_from) values (${school_id}, ${user_id}, ${me.user_id}, '1', '2026-09-01')`.execute(db)
  })
  return user_id
}

/** A seat that the school has given. */
async function seated(world: World) {
  const { task: own, offer } = await published(world)
  const seat = { task_id: own.id, offer_id: offer.id, student_id: await pupil(world) }
  await world.app.call(seatApi.assign, { ...seat, reason }, { token: world.me.token })
  return seat
}

async function announced(world: World): Promise<string> {
  const { task_id } = await seated(world)
  await endTask(world, task_id)
  await world.app.call(electiveApi.announce, { id: task_id, from: today(world) }, { token: world.me.token })
  return task_id
}

async function classMade(world: World): Promise<string> {
  const id = await announced(world)
  await world.app.call(electiveApi.makeClasses, { id, from: today(world) }, { token: world.me.token })
  const rows = await inSchool(world,
    async db => (await sql<{ id: string }>`select class_id::text as id from elective_offer where school_id = ${world.school_id} and task_id = ${id} and class_id is not null`.execute(db)).rows)
  return rows[0]?.id ?? ''
}

async function lottery(world: World): Promise<string> {
  const { task: own } = await published(world, { mode: 2 })
  await endTask(world, own.id)
  return own.id
}

export const electiveCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(electiveApi, {
    list: () => ({ input: {} }),
    read: async world => ({ input: { id: (await task(world)).id } }),
    add: async world => ({ input: await draft(world) }),
    update: async world => {
      const { id, row_version } = await task(world)
      return { input: { id, row_version, ...(await draft(world)) } }
    },
    remove: async world => ({ input: { id: (await task(world)).id } }),
    publish: async world => ({ input: { id: (await offered(world)).task.id } }),
    pause: async world => ({ input: { id: (await published(world)).task.id, paused: true } }),
    reopen: async world => {
      const { task: own } = await published(world)
      await endTask(world, own.id)
      return { input: { id: own.id, close_at: from(world, 3) } }
    },
    void: async world => ({ input: { id: (await published(world)).task.id, reason } }),
    draw: async world => ({ input: { id: await lottery(world) } }),
    announce: async world => {
      const { task: own } = await published(world)
      await endTask(world, own.id)
      return { input: { id: own.id, from: today(world) } }
    },
    makeClasses: async world => ({ input: { id: await announced(world), from: today(world) } }),
  }),
  ...buildersOf(offerApi, {
    list: async world => ({ input: { task_id: (await offered(world)).task.id } }),
    add: async world => ({ input: { task_id: (await task(world)).id, title: `新选项${made}`, capacity: 9 } }),
    update: async world => {
      const { offer } = await offered(world)
      return { input: { id: offer.id, row_version: offer.row_version, title: `${offer.title}改`, capacity: 4 } }
    },
    remove: async world => ({ input: { id: (await offered(world)).offer.id } }),
    combos: async world => ({ input: { task_id: (await task(world, { kind: 1 })).id, capacity: 9 } }),
  }),
  ...buildersOf(seatApi, {
    list: async world => ({ input: { task_id: (await seated(world)).task_id } }),
    export: async world => ({ input: { task_id: (await seated(world)).task_id, reason } }),
    missing: async world => ({ input: { task_id: (await published(world)).task.id } }),
    exportMissing: async world => ({ input: { task_id: (await published(world)).task.id, reason } }),
    events: async world => {
      const { task_id, student_id } = await seated(world)
      return { input: { task_id, student_id } }
    },
    assign: async world => {
      const { task: own, offer } = await published(world)
      return { input: { task_id: own.id, offer_id: offer.id, student_id: await pupil(world), reason } }
    },
    remove: async world => ({ input: { ...(await seated(world)), reason } }),
    combos: async world => ({ input: { dept_id: (await enrolled(world)).dept_id } }),
    exportCombos: async world => ({ input: { dept_id: (await enrolled(world)).dept_id, reason } }),
    saveCombo: async world => ({ input: { student_id: await pupil(world), combo: '16,17,18', from: today(world), reason } }),
  }),
  ...buildersOf(walkingApi, {
    list: () => ({ input: {} }),
    export: () => ({ input: {} }),
    students: async world => ({ input: { id: await classMade(world) } }),
  }),
  ...buildersOf(sectioningApi, {
    latest: async world => ({ input: { semester_id: await term(world), grade: '31' as const } }),
    start: async world => {
      const student_id = await pupil(world)
      const { grade } = await graded(world, student_id)
      await world.app.call(seatApi.saveCombo, { student_id, combo: '16,17,18', from: today(world), reason }, { token: world.me.token })
      await inSchool(world, db => sql`update sectioning_run set state = 2 where school_id = ${world.school_id} and state = 0`.execute(db))
      return { input: { semester_id: await term(world), grade } }
    },
    apply: async world => ({ input: { id: await sectioned(world, 1), plan_no: 0, from: today(world) } }),
    undo: async world => ({ input: { id: await sectioned(world, 3) } }),
  }),
  ...buildersOf(choiceApi, {
    tasks: () => ({ input: {} }),
    offers: async world => ({ input: { task_id: (await published(world)).task.id, student_id: await ownChild(world) } }),
    pick: async world => ({ input: { offer_id: (await published(world)).offer.id, student_id: await ownChild(world) } }),
    drop: async world => {
      const own = { offer_id: (await published(world)).offer.id, student_id: await ownChild(world) }
      await world.app.call(choiceApi.pick, own, { token: world.me.token })
      return { input: own }
    },
    wishes: async world => {
      const { task: own, offer } = await published(world, { mode: 2 })
      return { input: { task_id: own.id, student_id: await ownChild(world), offer_ids: [offer.id] } }
    },
    verify: async world => {
      const { task: own } = await published(world, { mode: 2 })
      const { row } = dataOf(electiveApi.read, await world.app.call(electiveApi.read, { id: own.id }, { token: world.me.token }))
      return { input: { code: row.proof_code ?? '' } }
    },
  }),
])
