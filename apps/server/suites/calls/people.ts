import { archiveFeedApi, asOfApi, changeApi, completenessApi, deptApi, deptEditApi, deptExportApi, deptStaffApi, memberApi, overviewApi, parentApi, parentExportApi, personApi, personHistoryApi, personLookupApi, personPageApi, pickerApi, studentApi, studentExportApi, studentFileApi, tagApi } from '@campus/people/contract'
import { closeDepts, createDepts, enrolStudents } from '@campus/people/server'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]

const from = '2026-09-01'
let made = 0

/** A class of its own with one pupil, made beside the calls. */
export async function enrolled({ app, school_id, ids }: World): Promise<{ dept_id: string; user_id: string }> {
  made += 1
  const { database, app: running } = app.running
  const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
  return database.tenant(school_id, async (db: PeopleHandle) => {
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: ids.dept ?? '', dept_name: `年级${made}`, dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: `班级${made}`, dept_type: 4, class_no: 1, ...cohort },
    ], from)
    const dept_id = depts.get('class') ?? ''
    const pupil = { user_name: '赵小满', sex: '1', student_no: `S${school_id}-${made}`, enrol_month: '202609', dept_id, from }
    const [user_id = ''] = await enrolStudents(db, running.secrets, school_id, [pupil])
    return { dept_id, user_id }
  })
}

/** An empty grade of its own with one empty class. */
async function opened({ app, school_id, ids }: World): Promise<{ grade_id: string; class_id: string }> {
  made += 1
  const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
  return app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: ids.dept ?? '', dept_name: `年级${made}`, dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: '高一1班', dept_type: 4, class_no: 1, ...cohort },
    ], from)
    return { grade_id: depts.get('grade') ?? '', class_id: depts.get('class') ?? '' }
  })
}

/** An empty class that is to close in some days. */
async function closing(world: World): Promise<string> {
  const { class_id } = await opened(world)
  await world.app.running.database.tenant(world.school_id, (db: PeopleHandle) => closeDepts(db, world.school_id, schoolToday(world, 5), [class_id]))
  return class_id
}

/** A pupil's move to another class, ready to be asked for. */
async function move(world: World, effective_on: string = schoolToday(world)) {
  const { dept_id, user_id } = await enrolled(world)
  const { class_id } = await opened(world)
  return { kind: 'CLASS' as const, subjects: [{ user_id, from_dept_id: dept_id, to_dept_id: class_id }], effective_on }
}

/** A move that has been asked for. */
async function moved(world: World, effective_on?: string): Promise<{ id: string; user_id: string }> {
  const draft = await move(world, effective_on)
  const answer = await world.app.call(memberApi.move, draft, { token: world.me.token })
  return { id: dataOf(memberApi.move, answer).command_id, user_id: draft.subjects[0]?.user_id ?? '' }
}

/** A line of a receipt that failed; its command is not settled. */
async function failedEffect(world: World): Promise<string> {
  const { id } = await moved(world)
  const { school_id } = world
  return world.app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    await db.updateTable('change_command').set({ state: 'applied' }).where('school_id', '=', school_id).where('id', '=', id).execute()
    const line = await db.updateTable('change_effect').set({ state: 'failed' }).where('school_id', '=', school_id).where('command_id', '=', id).returning('id').executeTakeFirstOrThrow()
    return line.id
  })
}

/** A tag of pupils that nobody has. */
async function tagged(world: World): Promise<string> {
  made += 1
  const draft = { tag_name: `标签${made}`, color: 'blue' as const, is_sensitive: false, person_kinds: [1 as const] }
  return dataOf(tagApi.add, await world.app.call(tagApi.add, draft, { token: world.me.token })).id
}

/** The day in Asia/Shanghai, `days` later. */
function schoolToday({ app }: World, days = 0): string {
  return new Date(app.clock.now().getTime() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
}

export const peopleCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(deptApi, {
    tree: world => ({ input: { school_id: world.school_id } }),
    lazyTree: world => ({ input: { school_id: world.school_id, parent_id: world.ids.dept } }),
  }),
  ...buildersOf(deptExportApi, { export: () => ({ input: { tree: 'student' as const } }) }),
  ...buildersOf(deptStaffApi, { staffBoard: () => ({ input: {} }) }),
  ...buildersOf(deptEditApi, {
    treeByGrade: () => ({ input: {} }),
    days: () => ({ input: { tree: 'student' as const } }),
    detail: async world => ({ input: { school_id: world.school_id, id: (await opened(world)).class_id } }),
    add: async world => ({ input: { school_id: world.school_id, parent_id: (await opened(world)).grade_id, dept_name: '高一2班', dept_type: 4 } }),
    update: async world => ({ input: { school_id: world.school_id, id: (await opened(world)).class_id, row_version: 1, dept_name: '启航班' } }),
    remove: async world => ({ input: { school_id: world.school_id, id: (await opened(world)).class_id, row_version: 1 } }),
    keepOpen: async world => ({ input: { school_id: world.school_id, id: await closing(world), row_version: 1 } }),
    batchAdd: async world => ({ input: { parent_id: (await opened(world)).grade_id, from_no: 2, to_no: 4 } }),
    batchUpdate: async world => ({ input: { rows: [{ id: (await opened(world)).class_id, row_version: 1, capacity: 45 }] } }),
    reorder: async world => ({ input: { school_id: world.school_id, id: (await opened(world)).class_id, index: 1 } }),
  }),
  ...buildersOf(overviewApi, { pupils: () => ({ input: {} }), staff: () => ({ input: {} }) }),
  ...buildersOf(completenessApi, { classes: world => ({ input: { dept_id: world.ids.dept } }), lacking: world => ({ input: { dept_id: world.ids.dept, missing: 'photo,guardian' } }) }),
  ...buildersOf(studentApi, { list: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const } }) }),
  ...buildersOf(parentApi, { list: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const } }) }),
  ...buildersOf(pickerApi, { student: world => ({ input: { dept_id: world.ids.dept } }), teacher: world => ({ input: { dept_id: world.ids.dept } }) }),
  ...buildersOf(studentExportApi, { export: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const, reason: '核对学籍' } }) }),
  ...buildersOf(parentExportApi, { export: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const, reason: '核对家长' } }) }),
  ...buildersOf(studentFileApi, {
    create: async world => {
      const { dept_id } = await enrolled(world)
      const parents = [{ user_name: '赵大满', mobile: '16900008001', relation: '51' }]
      return { input: { dept_id, user_name: '赵小禾', sex: '2', student_no: `N${world.school_id}-${made}`, parents } }
    },
    update: async world => ({ input: { user_id: (await enrolled(world)).user_id, row_version: 1, remark: '走读' } }),
  }),
  ...buildersOf(changeApi, {
    preview: async world => ({ input: { draft: await move(world) } }),
    apply: async world => {
      const draft = await move(world)
      const { plan_hash } = dataOf(changeApi.preview, await world.app.call(changeApi.preview, { draft }, { token: world.me.token }))
      return { input: { plan_hash, draft } }
    },
    page: async world => ({ input: { user_id: (await moved(world)).user_id } }),
    export: async world => ({ input: { user_id: (await moved(world)).user_id } }),
    detail: async world => ({ input: { id: (await moved(world)).id } }),
    cancel: async world => ({ input: { id: (await moved(world, schoolToday(world, 7))).id } }),
    undo: async world => ({ input: { id: (await moved(world)).id, reason: '选错班级' } }),
    retry: async world => ({ input: { id: await failedEffect(world) } }),
    close: async world => ({ input: { id: await failedEffect(world), reason: '线下已处理' } }),
  }),
  ...buildersOf(personPageApi, {
    head: async world => ({ input: { id: (await enrolled(world)).user_id } }),
    today: async world => ({ input: { id: (await enrolled(world)).user_id } }),
    credentials: async world => ({ input: { id: (await enrolled(world)).user_id } }),
    timeline: async world => ({ input: { id: (await enrolled(world)).user_id } }),
  }),
  ...buildersOf(personHistoryApi, { history: async world => ({ input: { id: (await enrolled(world)).user_id, field: 'remark' } }) }),
  ...buildersOf(personLookupApi, {
    number: () => ({ input: { kind: 'student' as const, keys: ['20260101'] } }),
    name: () => ({ input: { kind: 'teacher' as const, keys: ['王子涵'] } }),
    identity: () => ({ input: { kind: 'student' as const, keys: ['370200202005120019'] } }),
    phone: () => ({ input: { kind: 'teacher' as const, keys: ['16900000001'] } }),
  }),
  ...buildersOf(archiveFeedApi, {
    student: async world => ({ input: { user_id: (await enrolled(world)).user_id } }),
    teacher: async world => ({ input: { user_id: (await enrolled(world)).user_id } }),
  }),
  ...buildersOf(asOfApi, { asOf: async world => ({ input: { id: (await enrolled(world)).user_id, on: schoolToday(world) } }) }),
  ...buildersOf(tagApi, {
    list: () => ({ input: {} }),
    add: () => ({ input: { tag_name: `新标签${(made += 1)}`, color: 'blue' as const, is_sensitive: false, person_kinds: [1 as const] } }),
    update: async world => ({ input: { id: await tagged(world), row_version: 1, color: 'red' as const } }),
    sort: async world => ({ input: { ids: [await tagged(world)] } }),
    remove: async world => ({ input: { id: await tagged(world) } }),
    members: async world => ({ input: { id: await tagged(world) } }),
    bind: async world => ({ input: { id: await tagged(world), user_ids: [(await enrolled(world)).user_id] } }),
    unbind: async world => ({ input: { id: await tagged(world), user_ids: [(await enrolled(world)).user_id] } }),
    preview: world => ({ input: { rule: { dept_id: world.ids.dept } } }),
  }),
  ...buildersOf(memberApi, { move: async world => ({ input: await move(world) }) }),
  ...buildersOf(personApi, {
    detail: async world => ({ input: { id: (await enrolled(world)).user_id } }),
    reveal: async world => ({ input: { user_id: (await enrolled(world)).user_id, fields: ['id_no' as const], reason: '核对学籍' } }),
  }),
])
