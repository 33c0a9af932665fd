import { appRoleApi, appRoleGroupApi, memberApi, roleApi, sessionApi } from '@campus/identity/contract'
import type { AppKind } from '@campus/identity/contract'
import { appMenuOf, defineRole, ensureUsers, grantRole, subAppManifestPort } from '@campus/identity/server'
import { subApps } from '@campus/school/contract'
import { createDepts, enrolStudents, hireStaff, linkGuardians } from '@campus/people/server'
import { deptApi, studentFileApi } from '@campus/people/contract'
import type { Call, Reply, Request } from '@kit/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { Answer, TestApp, TestUser } from '../testing/index.ts'

const { a: school_id, b, enterprise } = test_schools
const from = '2026-09-01'
const open_to = { page_index: 1, page_size: 50 }
let app: TestApp
let admin: TestUser
let school: { class_1: string; class_2: string; office: string; pupils: string[]; teachers: string[]; father: string; teaching_mother: string }
let serial = 0

beforeAll(async () => {
  app = await startTestApp()
  // A sub-application of staff alone that changes pupils.
  subAppManifestPort.fill(app.running.app, { code: 'dorm_new', calls: [studentFileApi.update.call], pages: [], features: [] })
  admin = await app.as({ school_id, codes: 'all' })
  school = await buildSchool()
})
afterAll(() => app.close())

const call = <E extends Call>(which: E, input: Request<E>, who: TestUser = admin): Promise<Answer> => app.call(which, input, { token: who.token })
async function done<E extends Call>(which: E, input: Request<E>, who: TestUser = admin): Promise<Reply<E>> {
  const answer = await call(which, input, who)
  if (answer.body.code !== 600) throw new Error(`${which.call}: ${answer.status} ${answer.body.msg} ${JSON.stringify(answer.body.data)}`)
  return dataOf(which, answer)
}
const said = ({ status, body }: Answer): [number, string] => [status, body.msg]
type SchoolHandle = Parameters<typeof createDepts>[0]
const inSchool = <R>(work: (db: SchoolHandle) => Promise<R>) => app.running.database.tenant<unknown, R>(school_id, db => work(db.withTables()))

/** Two classes of one grade; two teachers, of whom one has a child in class 2; a father of a pupil in class 1. */
async function buildSchool() {
  const root = (await done(deptApi.tree, { tree: 'staff' })).list[0]?.id ?? ''
  const { secrets } = app.running.app
  return inSchool(async db => {
    const cohort = { tree: 'student' as const, grade: '11', enrol_year: 2026, stage: '1' }
    const ids = await createDepts(db, school_id, [
      { key: 'grade', parent: root, dept_name: '一年级', dept_type: 3, ...cohort },
      { key: 'class_1', parent: 'grade', dept_name: '一年级1班', dept_type: 4, class_no: 1, capacity: 9, ...cohort },
      { key: 'class_2', parent: 'grade', dept_name: '一年级2班', dept_type: 4, class_no: 2, capacity: 9, ...cohort },
      { key: 'office', parent: root, dept_name: '教务处', dept_type: 5, tree: 'staff' },
    ], from)
    const [class_1 = '', class_2 = '', office = ''] = ['class_1', 'class_2', 'office'].map(key => ids.get(key))
    const pupil = { enrol_month: '202609', from, birthday: '2020-05-12', id_type: '1', study_method: '1', nation: '01', sex: '1' }
    const pupils = await enrolStudents(db, secrets, school_id, [
      { ...pupil, user_name: '王子涵', student_no: '20260101', id_no: '370200202005120019', dept_id: class_1 },
      { ...pupil, user_name: '单小明', student_no: '20260201', id_no: '370200202005120035', dept_id: class_2 },
    ])
    const staff = { kind: '11', join_month: '202609', from, sex: '2', depts: [{ dept_id: office }], duties: [] }
    const teachers = await hireStaff(db, secrets, school_id, [
      { ...staff, user_name: '陈晓华', teacher_no: 'T1', mobile: '16910000001' },
      { ...staff, user_name: '周明', teacher_no: 'T2', mobile: '16910000002' },
    ])
    const guardian = { is_guardian: true, from, relation: '51', is_first: true }
    const parents = await linkGuardians(db, secrets, school_id, [
      { ...guardian, student_user_id: pupils[0] ?? '', user_name: '王志强', mobile: '16900000001' },
      { ...guardian, student_user_id: pupils[1] ?? '', user_name: '单大山', mobile: '16900000003' },
    ])
    return { class_1, class_2, office, pupils, teachers, father: parents[0] ?? '', teaching_mother: teachers[1] ?? '' }
  })
}

async function groupOf(client_kind: AppKind): Promise<string> {
  return (await done(appRoleGroupApi.list, { client_kind })).list[0]?.role_group_id ?? ''
}
async function makeRole(client_kind: AppKind, grant: string[] = []): Promise<string> {
  const { role_id } = await done(appRoleApi.create, { name: `移动角色${(serial += 1)}`, role_group_id: await groupOf(client_kind) })
  if (grant.length > 0) await done(appRoleApi.saveMatrix, { role_id, version: 1, grant })
  return role_id
}
const reach = (role_id: string, draft: object = {}) => done(appRoleApi.reach, { role_id, ...draft, ...open_to })
const view = (id: string) => done(appRoleApi.one, { id })
const menuOf = (user_id: string, client_kind: AppKind) =>
  inSchool(db => appMenuOf(app.running.app, db, { school_id, user_id, client_kind, now: app.clock.now() }))

describe('what a school begins with', () => {
  test('each kind has a role for everybody, with every module made for it; an enterprise has staff alone', async () => {
    for (const [client_kind, name] of [['teacher', '全体教职工'], ['parent', '全体家长'], ['student', '全体学生']] as const) {
      const [first] = (await done(appRoleApi.list, { client_kind })).list
      expect(first).toMatchObject({ name, is_system: true, is_for_all: true, enabled: true, user_count: 0 })
      expect(first?.modules.map(module => module.order)).toEqual(first?.modules.map((_, at) => at + 1))
    }
    const all = (await done(appRoleApi.list, { client_kind: 'teacher' })).list[0]?.modules.map(module => module.module_code)
    expect(all).toEqual(subApps.map(one => one.code))
    const boss = await app.as({ school_id: enterprise, codes: 'all' })
    const [staff] = (await done(appRoleApi.list, { client_kind: 'teacher' }, boss)).list
    expect(staff?.name).toBe('全体员工')
    expect(staff?.modules.map(module => module.module_code)).not.toContain('dorm')
    expect((await call(appRoleApi.list, { client_kind: 'parent' }, boss)).status).toBe(404)
    expect((await call(appRoleGroupApi.create, { client_kind: 'student', name: '学生组' }, boss)).status).toBe(404)
  })

  test('they are no roles of the console: not listed, not given, not edited there, and nobody signs in with one', async () => {
    const role_id = await makeRole('teacher')
    await done(appRoleApi.bindUser, { role_id, user_ids: [admin.user_id] })
    expect((await done(roleApi.list, {})).list.some(role => role.client_kind === 'teacher')).toBe(false)
    expect((await done(sessionApi.roleGroups, {})).list.map(group => group.code)).toEqual(['SYS001', 'SYS002', 'SYS003', 'SYS004', 'SYS005'])
    expect((await done(sessionApi.roles, {})).list).toHaveLength(1)
    for (const answer of [await call(roleApi.matrix, { role_id }), await call(roleApi.remove, { role_id }), await call(memberApi.add, { role_id, users: [{ user_id: admin.user_id }] })]) {
      expect(answer.status).toBe(404)
    }
    expect((await call(appRoleApi.one, { id: admin.role_id })).status).toBe(404)
  })
})

describe('roles and their groups', () => {
  test('a new role begins with the modules of its group; what the group gets later leaves it as it is', async () => {
    const { role_group_id, row_version } = await done(appRoleGroupApi.create, { client_kind: 'parent', name: '毕业年级', modules: ['fee', 'hall'] })
    const { role_id } = await done(appRoleApi.create, { name: '毕业班家长', role_group_id })
    await done(appRoleGroupApi.update, { id: role_group_id, row_version, modules: ['hall'] })
    expect((await view(role_id)).modules).toEqual([{ module_code: 'fee', visible: true, order: 1 }, { module_code: 'hall', visible: true, order: 2 }])
    const listed = (await done(appRoleGroupApi.list, { client_kind: 'parent' })).list.at(-1)
    expect(listed).toMatchObject({ name: '毕业年级', modules: ['hall'], roles: [{ role_id, name: '毕业班家长', enabled: true }] })
    expect(said(await call(appRoleGroupApi.update, { id: role_group_id, row_version, name: '又改' }))).toEqual([409, '数据已被他人修改，请刷新后重试'])
    expect(said(await call(appRoleGroupApi.remove, { id: role_group_id }))).toEqual([409, '角色组下还有角色，不能删除'])
    expect(said(await call(appRoleGroupApi.create, { client_kind: 'parent', name: '毕业年级' }))).toEqual([409, '名称已存在'])
    expect(said(await call(appRoleGroupApi.create, { client_kind: 'parent', name: '停车', modules: ['park'] }))).toEqual([422, '该模块未开通，或不适用于此类角色'])
    await done(appRoleApi.remove, { id: role_id })
    await done(appRoleGroupApi.remove, { id: role_group_id })
    expect((await done(appRoleGroupApi.create, { client_kind: 'student', name: '毕业年级' })).row_version).toBe(1)
  })

  test('groups of a kind are put into order whole; those of another kind stay', async () => {
    await done(appRoleGroupApi.create, { client_kind: 'student', name: '高年级' })
    const ids = (await done(appRoleGroupApi.list, { client_kind: 'student' })).list.map(group => group.role_group_id)
    const before = (await done(sessionApi.roleGroups, {})).list.map(group => group.code)
    await done(appRoleGroupApi.sort, { client_kind: 'student', role_group_ids: ids.toReversed() })
    expect((await done(appRoleGroupApi.list, { client_kind: 'student' })).list.map(group => group.role_group_id)).toEqual(ids.toReversed())
    expect((await done(sessionApi.roleGroups, {})).list.map(group => group.code)).toEqual(before)
    expect(said(await call(appRoleGroupApi.sort, { client_kind: 'student', role_group_ids: ids.slice(1) }))).toEqual([409, '数据已被他人修改，请刷新后重试'])
    expect((await call(appRoleGroupApi.sort, { client_kind: 'student', role_group_ids: [...ids.slice(1), await groupOf('parent')] })).status).toBe(404)
  })

  test('system roles keep group and row; a role that reaches anybody is not removed, and its name is free afterwards', async () => {
    const [system] = (await done(appRoleApi.list, { client_kind: 'student' })).list.filter(role => role.is_system)
    if (!system) throw new Error('no system role')
    expect(said(await call(appRoleApi.remove, { id: system.role_id }))).toEqual([422, '系统角色不能删除'])
    const other = (await done(appRoleGroupApi.list, { client_kind: 'student' })).list.find(group => !group.is_system)?.role_group_id ?? ''
    expect(said(await call(appRoleApi.update, { id: system.role_id, row_version: system.row_version, role_group_id: other }))).toEqual([422, '系统角色不能更换角色组'])
    const role_id = await makeRole('student')
    expect((await call(appRoleApi.update, { id: role_id, row_version: 1, role_group_id: await groupOf('parent') })).status).toBe(422)
    const { name } = await done(appRoleApi.update, { id: role_id, row_version: 1, role_group_id: other, name: '值日生' }).then(() => view(role_id))
    for (const [bind, unbind] of [
      [() => done(appRoleApi.bindAll, { role_id, is_for_all: true }), () => done(appRoleApi.bindAll, { role_id, is_for_all: false })],
      [() => done(appRoleApi.bindDept, { role_id, dept_ids: [school.class_1] }), () => done(appRoleApi.unbindDept, { role_id, dept_ids: [school.class_1] })],
      [() => done(appRoleApi.bindUser, { role_id, user_ids: [school.pupils[0] ?? ''] }), () => done(appRoleApi.unbindUser, { role_id, user_ids: [school.pupils[0] ?? ''] })],
    ] as const) {
      await bind()
      expect(said(await call(appRoleApi.remove, { id: role_id }))).toEqual([409, '角色下还有成员，不能删除'])
      await unbind()
    }
    await done(appRoleApi.remove, { id: role_id })
    expect((await call(appRoleApi.one, { id: role_id })).status).toBe(404)
    expect((await done(appRoleApi.create, { name, role_group_id: other })).row_version).toBe(1)
  })
})

describe('modules', () => {
  test('they are bound, hidden, put elsewhere and taken out; what the client may not show is told beside what was done', async () => {
    const { role_id, row_version } = await done(appRoleApi.create, { name: '模块角色', role_group_id: await groupOf('parent') })
    const began = (await view(role_id)).modules
    await done(appRoleApi.unbindModule, { role_id, module_codes: began.map(module => module.module_code) })
    expect(said(await call(appRoleApi.bindModule, { role_id, row_version, modules: [{ module_code: 'fee' }] }))).toEqual([409, '数据已被他人修改，请刷新后重试'])
    const told = await done(appRoleApi.bindModule, { role_id, modules: [{ module_code: 'fee' }, { module_code: 'park' }, { module_code: 'hall' }] })
    expect([told.done, told.list]).toEqual([2, [
      { id: 'fee', name: '缴费管理', error: null }, { id: 'park', name: '停车管理', error: '该模块未开通，或不适用于此类角色' }, { id: 'hall', name: '办事大厅', error: null },
    ]])
    await done(appRoleApi.bindModule, { role_id, row_version: told.row_version, modules: [{ module_code: 'hall', order: 0 }, { module_code: 'fee', visible: false }] })
    expect((await view(role_id)).modules).toEqual([{ module_code: 'hall', visible: true, order: 0 }, { module_code: 'fee', visible: false, order: 1 }])
    expect(said(await call(appRoleApi.bindModule, { role_id, modules: [{ module_code: 'park' }] }))).toEqual([422, '该模块未开通，或不适用于此类角色'])
    expect(said(await call(appRoleApi.unbindModule, { role_id, module_codes: ['repair'] }))).toEqual([404, '该角色没有此模块'])
    expect((await call(appRoleApi.bindModule, { role_id, modules: Array.from({ length: 501 }, () => ({ module_code: 'fee' as const })) })).status).toBe(400)
  })
})

describe('people', () => {
  test('each way reaches whom it should, before it is saved and after; somebody reached twice counts once', async () => {
    const role_id = await makeRole('parent')
    expect(await reach(role_id)).toMatchObject({ reached: 0, reached_now: 0, total: 0 })
    const draft = await reach(role_id, { dept_ids: [school.class_1], add_user_ids: [school.father] })
    expect([draft.reached, draft.reached_now, draft.by]).toEqual([1, 0, { user: 1, dept: 1, role_group: 0, everyone: 0 }])
    expect(draft.list).toMatchObject([{ user_id: school.father, user_name: '王志强', ways: ['user', 'dept'] }])
    await done(appRoleApi.bindDept, { role_id, dept_ids: [school.class_1] })
    await done(appRoleApi.bindUser, { role_id, user_ids: [school.father] })
    expect(await reach(role_id, { dept_ids: [], drop_user_ids: [school.father] })).toMatchObject({ reached: 0, reached_now: 1 })
    expect((await reach(role_id, { way: 'dept', keyword: '志强' })).total).toBe(1)
    expect((await reach(role_id, { way: 'everyone' })).total).toBe(0)
    expect(await reach(role_id, { is_for_all: true })).toMatchObject({ reached: 2, reached_now: 1 })
    expect(await view(role_id)).toMatchObject({ user_count: 1, dept_count: 1, depts: [{ id: school.class_1, name: '一年级1班' }] })
  })

  test('a role group reaches who holds one of its roles now; a teacher with a child is a parent too', async () => {
    const parent_id = await inSchool(db => defineRole(db, school_id, { code: 'SYS005_Parent', name: '家长', group_code: 'SYS005', is_system: true }))
    await inSchool(db => grantRole(db, school_id, [school.father, school.teaching_mother].map(user_id => ({ role_id: parent_id, user_id, valid_from: app.clock.now() }))))
    const group = (await done(sessionApi.roleGroups, {})).list.find(one => one.code === 'SYS005')?.role_group_id ?? ''
    const role_id = await makeRole('parent')
    expect(await reach(role_id, { role_group_ids: [group] })).toMatchObject({ reached: 2, by: { role_group: 2 } })
    await done(appRoleApi.bindRoleGroup, { role_id, role_group_ids: [group] })
    expect(said(await call(appRoleApi.bindRoleGroup, { role_id, role_group_ids: [group] }))).toEqual([409, '已经绑定，无需重复添加'])
    expect((await view(role_id)).role_groups).toEqual([{ id: group, name: '家长' }])
    await done(appRoleApi.bindModule, { role_id, modules: [{ module_code: 'voice', order: 0 }] })
    expect((await menuOf(school.teaching_mother, 'parent')).modules[0]).toBe('voice')
    expect((await menuOf(school.teaching_mother, 'student')).modules).toEqual([])
    const staff = await makeRole('teacher')
    expect(said(await call(appRoleApi.bindRoleGroup, { role_id: staff, role_group_ids: [group] }))).toEqual([422, '该角色组里没有此类人员'])
    await done(appRoleApi.unbindRoleGroup, { role_id, role_group_ids: [group] })
    expect((await reach(role_id)).reached).toBe(0)
  })

  test('people of another kind, unknown and already named ones are told beside those who were added', async () => {
    const role_id = await makeRole('student')
    const [pupil = '', second = ''] = school.pupils
    const told = await done(appRoleApi.bindUser, { role_id, user_ids: [pupil, school.father, '987654321', pupil] })
    expect([told.done, told.list.map(one => one.error)]).toEqual([1, [null, '该人员不属于此类角色', '人员不存在']])
    expect((await done(appRoleApi.bindUser, { role_id, user_ids: [pupil, second] })).list.map(one => one.error)).toEqual(['该人员已有此角色', null])
    expect(said(await call(appRoleApi.bindUser, { role_id, user_ids: ['987654321'] }))).toEqual([404, '人员不存在'])
    expect((await done(appRoleApi.unbindUser, { role_id, user_ids: [pupil, school.father] })).list.map(one => one.error)).toEqual([null, '没有绑定，无需解除'])
    expect((await reach(role_id)).list.map(one => one.user_id)).toEqual([second])
  })

  test('whoever sees a part of the school names its people and departments, and nobody else’s', async () => {
    const codes = ['identity.app_role.view', 'identity.app_role.edit']
    const clerk = await app.as({ school_id, codes, scope: 'custom', scope_ids: [school.class_1] })
    const role_id = await makeRole('student')
    const [pupil = '', second = ''] = school.pupils
    expect((await done(appRoleApi.bindUser, { role_id, user_ids: [pupil, second] }, clerk)).list.map(one => one.error)).toEqual([null, '人员不存在'])
    expect((await done(appRoleApi.bindDept, { role_id, dept_ids: [school.class_1, school.class_2] }, clerk)).list.map(one => one.error)).toEqual([null, '部门不存在'])
    expect(said(await call(appRoleApi.bindAll, { role_id, is_for_all: true }, clerk))).toEqual([422, '您的数据范围不是全校，请改为按部门或人员设置'])
    await done(appRoleApi.bindAll, { role_id, is_for_all: true })
    const seen = await done(appRoleApi.reach, { role_id, ...open_to }, clerk)
    expect([seen.reached, seen.list.map(one => one.user_id)]).toEqual([2, [pupil]])
  })
})

describe('permissions', () => {
  test('a role may be given what the sub-applications of its client call, staff looking things up, families their own affairs', async () => {
    const codesOf = async (kind: AppKind) => (await done(appRoleApi.matrix, { id: await makeRole(kind) })).modules.flatMap(module => module.ops.map(op => op.code))
    const staff = await codesOf('teacher')
    expect(staff).toEqual(expect.arrayContaining(['people.student.view', 'people.student.edit', 'people.dept.view']))
    expect(staff.filter(code => /^(identity|audit|school|jobs)\.(?!.*\.self$)/.test(code))).toEqual([])
    for (const kind of ['parent', 'student'] as const) expect((await codesOf(kind)).filter(code => !code.endsWith('.self'))).toEqual([])
    const parents = await makeRole('parent')
    expect((await call(appRoleApi.saveMatrix, { role_id: parents, version: 1, grant: ['people.student.view'] })).status).toBe(400)
  })

  test('R7 R8 nobody gives what he has not, a verb brings its view, a stale version changes nothing', async () => {
    const codes = ['identity.app_role.view', 'identity.app_role.edit', 'people.student.view']
    const clerk = await app.as({ school_id, codes })
    const role_id = await makeRole('teacher')
    expect(said(await call(appRoleApi.saveMatrix, { role_id, version: 1, grant: ['people.student.edit'] }, clerk))).toEqual([422, '不能授予自己没有的权限'])
    expect(await done(appRoleApi.saveMatrix, { role_id, version: 1, grant: ['people.student.edit'] })).toEqual({ version: 2, granted: ['people.student.edit', 'people.student.view'], revoked: [] })
    expect(said(await call(appRoleApi.saveMatrix, { role_id, version: 1, grant: ['people.parent.view'] }))).toEqual([409, '数据已被他人修改，请刷新后重试'])
    for (const answer of [
      await call(appRoleApi.bindUser, { role_id, user_ids: [school.teachers[0] ?? ''] }, clerk),
      await call(appRoleApi.bindDept, { role_id, dept_ids: [school.office] }, clerk),
      await call(appRoleApi.bindAll, { role_id, is_for_all: true }, clerk),
    ]) expect(said(answer)).toEqual([422, '不能授予自己没有的权限'])
    await done(appRoleApi.bindModule, { role_id, modules: [{ module_code: 'hall' }] }, clerk)
    expect((await done(appRoleApi.saveMatrix, { role_id, version: 2, revoke: ['people.student.view'] })).revoked).toEqual(['people.student.edit', 'people.student.view'])
  })
})

describe('what an app client shows a person', () => {
  test('the union of the roles that reach him, smallest place first; a role that is off or ends shows nothing', async () => {
    const [teacher = ''] = school.teachers
    const all = (await menuOf(teacher, 'teacher')).modules
    expect(all).toHaveLength(22)
    const role_id = await makeRole('teacher', ['people.student.view'])
    await done(appRoleApi.bindModule, { role_id, modules: [{ module_code: 'park', order: 0 }] })
    await done(appRoleApi.bindDept, { role_id, dept_ids: [school.office] })
    expect(await menuOf(teacher, 'teacher')).toMatchObject({ modules: ['park', ...all.filter(code => code !== 'park')], codes: expect.arrayContaining(['people.student.view']) })
    const [someone = ''] = await inSchool(db => ensureUsers(db, school_id, [{ user_no: 'X1', user_name: '外来', user_kind: 2 }]))
    expect((await menuOf(someone, 'teacher')).codes).not.toContain('people.student.view')
    const { row_version } = await view(role_id)
    await done(appRoleApi.update, { id: role_id, row_version, enabled: false })
    expect((await menuOf(teacher, 'teacher')).modules).toEqual(all)
    const foreign = await app.as({ school_id: b, codes: 'all' })
    expect((await call(appRoleApi.one, { id: role_id }, foreign)).status).toBe(404)
  })
})
