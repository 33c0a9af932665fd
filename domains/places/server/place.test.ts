import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { changeApi } from '@campus/people/contract'
import { createDepts, hireStaff } from '@campus/people/server'
import { AddableClass, placeApi } from '@campus/places/contract'
import type { Place, PlaceNode } from '@campus/places/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schoolDay } from '@campus/school/server'
import { placeUsePort } from './use-port.ts'

const { a: school_id, b: other_school } = test_schools
const codes = ['places.place.view', 'places.place.edit']
const day = '2026-11-20'
let app: TestApp
let me: TestUser
let campus: string
let classes: { class_1: string; class_2: string; office: string; teachers: string[] }

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes, places: 'all' })
  const [root] = await tree()
  campus = root?.place_id ?? ''
  classes = await makeClasses()
})
afterAll(() => app.close())

/** Two classes of one grade, an office and its teacher. */
async function makeClasses(): Promise<typeof classes> {
  const { secrets } = app.running.app
  const cohort = { tree: 'student' as const, grade: '11', enrol_year: 2026, stage: '1' }
  return app.running.database.tenant(school_id, async (db: Parameters<typeof createDepts>[0]) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const ids = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '一年级', dept_type: 3, ...cohort },
      { key: 'class 1', parent: 'grade', dept_name: '一年级1班', dept_type: 4, class_no: 1, ...cohort },
      { key: 'class 2', parent: 'grade', dept_name: '一年级2班', dept_type: 4, class_no: 2, ...cohort },
      { key: 'office', parent: root.id, dept_name: '总务处', dept_type: 5, tree: 'staff' },
    ], '2026-09-01')
    const [class_1 = '', class_2 = '', office = ''] = ['class 1', 'class 2', 'office'].map(key => ids.get(key))
    const teachers = await hireStaff(db, secrets, school_id, [{ user_name: '陈晓华', teacher_no: 'T1', mobile: '16910000001', kind: '11', join_month: '202609', from: '2026-09-01', sex: '2', depts: [{ dept_id: office }] }, { user_name: '周明', teacher_no: 'T2', mobile: '16910000002', kind: '11', join_month: '202609', from: '2026-09-01', sex: '1', depts: [{ dept_id: office }] }])
    return { class_1, class_2, office, teachers }
  })
}

const as = (who: TestUser = me) => ({ token: who.token })
const tree = async (query: Request<typeof placeApi.tree> = {}, who: TestUser = me): Promise<PlaceNode[]> => dataOf(placeApi.tree, await app.call(placeApi.tree, query, as(who))).list
const create = (draft: Partial<Request<typeof placeApi.create>>, who: TestUser = me): Promise<Answer> =>
  app.call(placeApi.create, { superior_id: campus, place_name: '无名', place_kind: 4, ...draft }, as(who))
const made = async (draft: Partial<Request<typeof placeApi.create>>): Promise<Place> => dataOf(placeApi.create, await create(draft)).place
const addable = async () => AddableClass.parse(dataOf(placeApi.addable, await app.call(placeApi.addable, { purpose: 'class' }, as())))
const told = (instant: string | null) => (instant === null ? null : `${schoolDay(new Date(instant))}T00:00:00+08:00`)
const eras = async (id: string, at?: string) => dataOf(placeApi.history, await app.call(placeApi.history, { id, ...(at === undefined ? {} : { at }) }, as())).list.map(({ kind, title, from, to }) => [kind, title, told(from), told(to)])
const detail = async (id: string) => dataOf(placeApi.detail, await app.call(placeApi.detail, { id }, as()))
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]

describe('the tree', () => {
  test('a new school has one campus of its name; places carry the way to them', async () => {
    const roots = await tree()
    expect(roots.map(({ place_name, place_kind, depth }) => [place_name, place_kind, depth])).toEqual([['测试一校', 1, 1]])
    const building = await made({ place_name: '教学楼', place_kind: 2 })
    const room = await made({ superior_id: building.place_id, place_name: '101', capacity: 45, area_m2: 67.5 })
    expect(room).toMatchObject({ node_path_name: '测试一校/教学楼/101', depth: 3, is_leaf: true, capacity: 45, area_m2: 67.5, private_zone: false, status: 'open' })
    expect((await detail(building.place_id)).place.is_leaf).toBe(false)
  })

  test('names stand once among siblings, and a wrong one is told', async () => {
    await made({ place_name: '二号楼', place_kind: 2 })
    expect(refusal(await create({ place_name: '二号楼' }))).toEqual([409, 'places.placeNameTaken', '同级场所名称已存在'])
    const { status, body } = await create({ place_name: '三号楼！' })
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('不能包含特殊字符')])
    const [fifty, more] = [await create({ place_name: '楼'.repeat(50) }), await create({ place_name: '楼'.repeat(51) })]
    expect([fifty.status, more.status, JSON.stringify(more.body)]).toEqual([200, 400, expect.stringContaining('超过50个字')])
  })

  test('a dormitory room, a toilet and a bathroom are private whatever is asked for', async () => {
    for (const place_kind of [11, 23, 24]) expect((await made({ place_name: `私密${place_kind}`, place_kind, private_zone: false })).private_zone).toBe(true)
  })

  test('eight levels and no more; a bus is made by transport; nothing but a campus stands alone', async () => {
    let superior_id = campus
    for (let depth = 2; depth <= 8; depth += 1) superior_id = (await made({ superior_id, place_name: `第${depth}级`, place_kind: 99 })).place_id
    expect(refusal(await create({ superior_id, place_name: '第9级', place_kind: 99 }))).toEqual([422, 'places.placeDepth', '场所层级不能超过8级'])
    expect((await create({ place_name: '校车1', place_kind: 28 })).status).toBe(422)
    expect((await create({ superior_id: null, place_name: '孤楼', place_kind: 2 })).status).toBe(409)
    expect((await create({ superior_id: null, place_name: '南校区', place_kind: 1 })).status).toBe(200)
  })

  test('a keyword shows what is found with the way to it; a level comes alone when it is asked for', async () => {
    const found = await tree({ keyword: '101' })
    expect(found[0]?.children?.[0]?.children?.map(node => node.place_name)).toEqual(['101'])
    const level = await tree({ lazy: '1', superior_id: campus })
    expect(level.every(node => node.superior_id === campus && node.children === undefined)).toBe(true)
  })
})

describe('changing places', () => {
  test('a new name goes into the paths below; an old row is refused', async () => {
    const building = await made({ place_name: '旧楼', place_kind: 2 })
    const room = await made({ superior_id: building.place_id, place_name: '201' })
    const renamed = await app.call(placeApi.update, { id: building.place_id, row_version: building.row_version, place_name: '新楼' }, as())
    expect(renamed.status).toBe(200)
    expect((await detail(room.place_id)).place.node_path_name).toBe('测试一校/新楼/201')
    expect(refusal(await app.call(placeApi.update, { id: building.place_id, row_version: building.row_version, capacity: 3 }, as())).slice(0, 2)).toEqual([409, 'places.staleRow'])
  })

  test('30-A21 of two moves into each other one wins and the other finds itself below; every path is right', async () => {
    const [left, right] = [await made({ place_name: '左楼', place_kind: 2 }), await made({ place_name: '右楼', place_kind: 2 })]
    const room = await made({ superior_id: left.place_id, place_name: '左101' })
    const move = (place: Place, superior_id: string) => app.call(placeApi.move, { place_id: place.place_id, superior_id, row_version: place.row_version }, as())
    const answers = await Promise.all([move(left, right.place_id), move(right, left.place_id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(answers.find(({ status }) => status === 422)?.body.msg).toBe('不能移动到自身或其下级')
    const inner = answers[0]?.status === 200 ? '测试一校/右楼/左楼/左101' : '测试一校/左楼/左101'
    expect((await detail(room.place_id)).place).toMatchObject({ node_path_name: inner, depth: inner.split('/').length })
  })

  test('siblings are put in order as one permutation', async () => {
    const floor = await made({ place_name: '排序楼', place_kind: 2 })
    const rooms = await Promise.all(['甲', '乙', '丙', '丁'].map(place_name => made({ superior_id: floor.place_id, place_name })))
    await Promise.all(rooms.map((room, at) => app.call(placeApi.order, { place_id: room.place_id, order: 4 - at }, as())))
    const level = await tree({ superior_id: floor.place_id })
    expect(level.map(node => node.order)).toEqual([1, 2, 3, 4])
  })

  test('30-A22 a place is closed only when it is empty; what is in it is named, and it stays in what happened', async () => {
    const building = await made({ place_name: '旧实验楼', place_kind: 2 })
    const room = await made({ superior_id: building.place_id, place_name: '实验1', place_kind: 6 })
    const close = (place: Place) => app.call(placeApi.remove, { id: place.place_id, row_version: place.row_version }, as())
    expect(refusal(await close(building))).toEqual([409, 'places.placeHasChildren', '该场所下有子场所，不能删除'])
    let is_used = true
    placeUsePort.fill(app.running.app, async (_db, { place_ids }) => (is_used && place_ids.includes(room.place_id) ? [{ place_id: room.place_id, title: '电子班牌 1 台' }] : []))
    expect(refusal(await close(room))).toEqual([409, 'places.placeInUse', '该场所正在被使用：电子班牌 1 台，不能删除'])
    const bind = (dept_id: string | null) => app.call(placeApi.home, { id: home.place_id, dept_id, from: day }, as())
    const home = await made({ superior_id: building.place_id, place_name: '旧101' })
    expect((await bind(classes.class_1)).status).toBe(200)
    expect(refusal(await close(home))).toEqual([409, 'places.placeInUse', '该场所正在被使用：一年级1班的教室，不能删除'])
    const closing = async ({ place_id: id }: Place) => dataOf(placeApi.closing, await app.call(placeApi.closing, { id }, as()))
    expect([(await closing(building)).held, (await closing(home)).held, (await closing(room)).held]).toEqual([[{ kind: 'below', title: '下级场所2个' }], [{ kind: 'home', title: '一年级1班的教室' }], [{ kind: 'other', title: '电子班牌 1 台' }]])
    expect((await app.call(placeApi.home, { id: home.place_id, dept_id: null, from: day }, as())).status).toBe(200)
    expect([(await closing(home)).held, (await close(home)).status]).toEqual([[], 200])
    is_used = false
    const closed = dataOf(placeApi.remove, await close(room)).place
    expect([closed.status, closed.closed_on]).toEqual(['closed', schoolDay(app.clock.now())])
    expect(JSON.stringify(await tree())).not.toContain('实验1')
    const on = (on_day: string) => app.running.database.tenant<unknown, { place_id: string; dept_id: string | null }[]>(school_id, async db => (await sql<{ place_id: string; dept_id: string | null }>`select place_id::text, dept_id::text from place_at(${school_id}, ${on_day}) where place_id = any(${[room.place_id, home.place_id]}::bigint[]) order by place_id`.execute(db)).rows)
    const [today, yesterday] = [app.clock.now(), new Date(app.clock.now().getTime() - 86_400_000)].map(schoolDay)
    await app.running.database.tenant(school_id, db => sql`update place set opened_on = ${yesterday} where school_id = ${school_id} and place_id = any(${[room.place_id, home.place_id]}::bigint[])`.execute(db))
    await app.running.database.tenant(school_id, db => sql`insert into place_dept (school_id, place_id, dept_id, use_kind, valid_from, valid_to) values (${school_id}, ${home.place_id}, 999999, 'home', ${yesterday}, ${today})`.execute(db))
    expect([await on(yesterday ?? ''), await on(today ?? '')]).toEqual([[{ place_id: room.place_id, dept_id: null }, { place_id: home.place_id, dept_id: '999999' }], []])
    expect((await detail(room.place_id)).place.place_name).toBe('实验1')
    expect((await app.call(placeApi.reopen, { place_id: room.place_id, row_version: closed.row_version }, as())).status).toBe(200)
  })
})

describe('a generator of floors and rooms', () => {
  const asked = { building_name: '综合楼', floors: 2, per_floor: 3, room_kind: 4, name_pattern: '{floor}{nn}', capacity: 45 }

  test('tells what it would make, makes it once, and adds only what is missing', async () => {
    const preview = dataOf(placeApi.preview, await app.call(placeApi.preview, { superior_id: campus, ...asked }, as()))
    expect([preview.made, preview.floors[1]?.rooms.map(room => room.place_name)]).toEqual([9, ['201', '202', '203']])
    const built = dataOf(placeApi.batch, await app.call(placeApi.batch, { superior_id: campus, ...asked }, as()))
    expect(built.made).toBe(9)
    const again = dataOf(placeApi.batch, await app.call(placeApi.batch, { superior_id: built.superior_id, ...asked, building_name: null, floors: 3 }, as()))
    expect(again.made).toBe(4)
    expect((await detail(built.superior_id)).place.node_path_name).toBe('测试一校/综合楼')
  })

  test('more than 500 places, or names that are not allowed, make nothing', async () => {
    const before = (await tree()).length
    const many = await app.call(placeApi.batch, { superior_id: campus, ...asked, building_name: '巨楼', floors: 10, per_floor: 60 }, as())
    expect(refusal(many).slice(0, 2)).toEqual([422, 'places.placeTooMany'])
    const odd = await app.call(placeApi.batch, { superior_id: campus, ...asked, building_name: '怪楼', name_pattern: '*{nn}' }, as())
    expect([odd.status, odd.body.data]).toEqual([422, { errors: [{ field: 'name_pattern', msg: '不能包含特殊字符' }] }])
    expect((await tree()).length).toBe(before)
  })
})

describe('the room of a class', () => {
  const home = (id: string, dept_id: string | null, from = day) => app.call(placeApi.home, { id, dept_id, from }, as())

  test('is one room of one class a day; the class leaves its old one, and the past stays', async () => {
    const [one, two] = [await made({ place_name: '一班教室' }), await made({ place_name: '二班教室' })]
    expect((await home(one.place_id, classes.class_1, '2026-09-01')).status).toBe(200)
    expect(refusal(await home(one.place_id, classes.class_2))).toEqual([409, 'places.placeHomeTaken', '该场所已是一年级1班的教室，请先为该班级更换教室'])
    expect((await home(two.place_id, classes.class_1)).status).toBe(200)
    expect(await eras(one.place_id)).toEqual([['class', '一年级1班', '2026-09-01T00:00:00+08:00', `${day}T00:00:00+08:00`]])
    expect([await eras(one.place_id, '2026-09-02'), await eras(one.place_id, day)].map(list => list.length)).toEqual([1, 0])
    expect((await detail(two.place_id)).place).toMatchObject({ dept_id: classes.class_1, dept_name: '一年级1班' })
    expect((await home(one.place_id, classes.class_2)).status).toBe(200)
    expect((await home(one.place_id, null)).status).toBe(200)
    expect((await detail(one.place_id)).place.dept_id).toBeNull()
  })

  test('is a classroom, and the class of this school', async () => {
    const office = await made({ place_name: '办公室一', place_kind: 7 })
    const room = await made({ place_name: '空教室' })
    expect(refusal(await home(office.place_id, classes.class_2)).slice(1)).toEqual(['places.placeNoClassroom', '班级只能绑定普通教室或专用教室'])
    expect(refusal(await home(room.place_id, classes.office)).slice(1)).toEqual(['places.placeNotClass', '只能绑定班级'])
    expect((await home(room.place_id, '999999')).status).toBe(404)
  })

  test('is proposed for classes without one, and all proposals are taken at once', async () => {
    const { classes: without, pairs } = await addable()
    expect(without.map(one => one.dept_id)).toEqual([classes.class_2])
    expect(pairs).toHaveLength(1)
    expect(dataOf(placeApi.homes, await app.call(placeApi.homes, { pairs, from: day }, as()))).toEqual({ bound: 1 })
    expect((await addable()).classes).toEqual([])
  })
})

describe('who sees which places', () => {
  test('whoever looks after a place sees it with everything below and the way down, and changes nothing beside it', async () => {
    const [own, beside] = [await made({ place_name: '我的楼', place_kind: 2 }), await made({ place_name: '别人的楼', place_kind: 2 })]
    const room = await made({ superior_id: own.place_id, place_name: '我的101' })
    const managers = dataOf(placeApi.managers, await app.call(placeApi.managers, { id: own.place_id, user_ids: classes.teachers.slice(0, 1) }, as())).managers
    expect(managers.map(one => one.user_name)).toEqual(['陈晓华'])
    expect((await eras(own.place_id)).map(era => era.slice(0, 2))).toEqual([['manager', '陈晓华']])
    const keeper = await app.as({ school_id, codes, places: [own.place_id] })
    const roots = await tree({}, keeper)
    expect(roots.map(node => node.place_name)).toEqual(['测试一校'])
    expect(roots[0]?.children?.map(node => node.place_name)).toEqual(['我的楼'])
    expect((await app.call(placeApi.detail, { id: beside.place_id }, as(keeper))).status).toBe(404)
    expect((await create({ superior_id: beside.place_id, place_name: '闯入' }, keeper)).status).toBe(404)
    expect((await create({ superior_id: null, place_name: '新校区', place_kind: 1 }, keeper)).status).toBe(404)
    expect((await app.call(placeApi.detail, { id: room.place_id }, as(keeper))).status).toBe(200)
  })

  test('whoever leaves the school looks after nothing from then on, and again when that is taken back', async () => {
    const building = await made({ place_name: '离职楼', place_kind: 2 })
    const user_ids = classes.teachers.slice(1)
    const [user_id = ''] = user_ids
    dataOf(placeApi.managers, await app.call(placeApi.managers, { id: building.place_id, user_ids }, as()))
    const clerk = await app.as({ school_id, codes: ['people.change.run', 'people.change.undo', 'people.change.view', 'people.staff.view'] })
    const draft = { kind: 'STAFF_OUT' as const, subjects: [{ user_id }], effective_on: schoolDay(app.clock.now()), reason: '调离' }
    const { plan_hash } = dataOf(changeApi.preview, await app.call(changeApi.preview, { draft }, as(clerk)))
    const { command_id, effects } = dataOf(changeApi.apply, await app.call(changeApi.apply, { draft, plan_hash }, as(clerk)))
    expect(effects.find(effect => effect.effect_code === 'place_manager')?.state).toBe('done')
    const facts = () => app.running.database.tenant<{ scope_fact: { school_id: number; user_id: string; dimension: string } }, unknown[]>(school_id, db => db.selectFrom('scope_fact').selectAll().where('school_id', '=', school_id).where('user_id', '=', user_id).where('dimension', '=', 'place').execute())
    expect(await facts()).toEqual([])
    expect((await app.call(changeApi.undo, { id: command_id, reason: '办错了' }, as(clerk))).status).toBe(200)
    expect((await detail(building.place_id)).managers.map(one => one.user_id)).toEqual(user_ids)
    expect(await facts()).toHaveLength(1)
  })

  test('the last campus stays', async () => {
    const stranger = await app.as({ school_id: other_school, codes, places: 'all' })
    const [root] = await tree({}, stranger)
    const answer = await app.call(placeApi.remove, { id: root?.place_id ?? '', row_version: root?.row_version ?? 0 }, as(stranger))
    expect(refusal(answer)).toEqual([409, 'places.placeLastCampus', '至少保留一个校区，请先新增另一个校区'])
  })

  test('another school sees nothing of it', async () => {
    const stranger = await app.as({ school_id: other_school, codes, places: 'all' })
    const room = await made({ place_name: '外人看不到' })
    expect((await app.call(placeApi.detail, { id: room.place_id }, as(stranger))).status).toBe(404)
    expect((await tree({}, stranger)).map(node => node.place_name)).toEqual(['测试二校'])
  })
})
