import { mergeApi, mergeRunApi } from '@campus/people/contract'
import type { MergeKind } from '@campus/people/contract'
import { createDepts, enrolStudents, hireStaff, linkGuardians, scanDuplicates } from '@campus/people/server'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { recheckOf } from './messages.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]

const from = '2026-09-01'
let made = 0

/** Two people who may be one, made beside the calls: pupils of one class with one birthday, and their fathers, or two of the staff. */
async function twins({ app, school_id, ids }: World, kind: MergeKind): Promise<{ keep: string; drop: string }> {
  made += 1
  const number = made
  const { database, app: running } = app.running
  return database.tenant(school_id, async (db: PeopleHandle) => {
    const staff = { user_name: `双师${number}`, kind: '11', join_month: '202609', from, depts: [] }
    if (kind === 'teacher') {
      const [keep = '', drop = ''] = await hireStaff(db, running.secrets, school_id, [1, 2].map(one => ({ ...staff, teacher_no: `MT${school_id}n${number}n${one}` })))
      return { keep, drop }
    }
    const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: ids.dept ?? '', dept_name: `合并年级${number}`, dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: `合并班级${number}`, dept_type: 4, class_no: 1, ...cohort },
    ], from)
    const pupil = { user_name: `双生${number}`, sex: '1', birthday: '2010-05-06', enrol_month: '202609', dept_id: depts.get('class') ?? '', from }
    const [first = '', second = ''] = await enrolStudents(db, running.secrets, school_id, [1, 2].map(one => ({ ...pupil, student_no: `MS${school_id}n${number}n${one}` })))
    if (kind === 'student') return { keep: first, drop: second }
    const father = { user_name: `双父${number}`, relation: '51', is_first: true, is_guardian: true, from }
    const mobile = (one: number) => `1698${String(school_id).slice(-2)}${String(number * 10 + one).padStart(5, '0')}`
    const [keep, drop] = await linkGuardians(db, running.secrets, school_id, [{ ...father, student_user_id: first, mobile: mobile(1) }, { ...father, student_user_id: second, mobile: mobile(2) }])
    return { keep: keep ?? '', drop: drop ?? '' }
  })
}

/** Two people with the preview of their merge and the own password proved again. */
async function ready(world: World, kind: MergeKind) {
  const pair = await twins(world, kind)
  const { plan_hash } = dataOf(mergeApi.preview, await world.app.call(mergeApi.preview, pair, { token: world.me.token }))
  return { input: { ...pair, plan_hash, recheck_token: await recheckOf(world) } }
}

/** A merge that was done. */
async function merged(world: World): Promise<string> {
  const { input } = await ready(world, 'student')
  return dataOf(mergeRunApi.student, await world.app.call(mergeRunApi.student, input, { token: world.me.token })).merge_id
}

/** A pair that was found and waits for somebody. */
async function found(world: World): Promise<string> {
  const pair = await twins(world, 'student')
  const { school_id, app } = world
  await app.running.database.tenant(school_id, (db: PeopleHandle) => scanDuplicates(db, school_id, from, app.clock.now()))
  const { list } = dataOf(mergeApi.cases, await app.call(mergeApi.cases, { state: 'open' }, { token: world.me.token }))
  return list.find(row => [row.a.user_id, row.b.user_id].includes(pair.keep))?.case_id ?? ''
}

export const mergeCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(mergeApi, {
    cases: async world => {
      await found(world)
      return { input: {} }
    },
    log: () => ({ input: {} }),
    proof: async world => ({ input: { id: await merged(world) } }),
    preview: async world => ({ input: await twins(world, 'student') }),
    reverse: async world => ({ input: { id: await merged(world), recheck_token: await recheckOf(world) } }),
    dismiss: async world => ({ input: { id: await found(world) } }),
  }),
  ...buildersOf(mergeRunApi, {
    teacher: world => ready(world, 'teacher'),
    parent: world => ready(world, 'parent'),
    student: world => ready(world, 'student'),
  }),
])
