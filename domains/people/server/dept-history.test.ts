import { dataOf } from '@apps/server/testing'
import { deptApi } from '@campus/people/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, told } from './testing/dept-desk.ts'
import type { DeptDesk } from './testing/dept-desk.ts'

let desk: DeptDesk
let made = 0

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.app.close())

/** A grade of one's own with class 1, both open since twenty days. */
async function cohort(code = '12'): Promise<{ grade: string; one: string; name: string }> {
  const { day, opened, school } = desk
  made += 1
  const name = `第${made}届`
  const grade = await opened(school.root, { dept_name: name, dept_type: 3, grade: code, effective_on: day(-20) })
  const one = await opened(grade, { dept_name: `${name}1班`, dept_type: 4, effective_on: day(-20) })
  return { grade, one, name }
}

describe('a renamed department', () => {
  test('keeps its old name on past days, and so does what stands below it', async () => {
    const { update, paths, below, board, school, day } = desk
    const { grade, one, name } = await cohort()
    expect((await update(grade, { row_version: 1, dept_name: '启蒙年级', effective_on: day(-5) })).body.data).toEqual({ id: grade, row_version: 2 })
    expect(await paths(one)).toEqual([`测试一校/${name}/${name}1班`, `测试一校/启蒙年级/${name}1班`])
    expect(await below(school.root, day(-6))).toContain(name)
    expect(await below(school.root, day(-5))).not.toContain(name)
    expect(await below(school.root)).toContain('启蒙年级')
    expect((await board(day(-6))).find(row => row.id === grade)?.dept_name).toBe(name)
    expect((await board()).find(row => row.id === grade)?.dept_name).toBe('启蒙年级')
  })

  test('on the day of an earlier change replaces it and leaves no empty span', async () => {
    const { update, paths, file, today } = desk
    const { grade, one, name } = await cohort()
    for (const [at, dept_name] of ['甲年级', '乙年级', '丙年级'].entries()) await update(grade, { row_version: at + 1, dept_name })
    expect(await paths(grade)).toEqual([`测试一校/${name}`, '测试一校/丙年级'])
    expect((await file(one)).versions.map(({ valid_from, valid_to }) => [valid_from, valid_to])).toEqual([[expect.any(String), today], [today, null]])
  })

  test('of the future shows its name from that day on, and is not overwritten by an earlier one', async () => {
    const { update, below, file, grade, name, day } = { ...desk, ...(await cohort()) }
    await update(grade, { row_version: 1, dept_name: '未来年级', effective_on: day(30) })
    expect(await below(desk.school.root)).toContain(name)
    expect(await below(desk.school.root, day(30))).toContain('未来年级')
    expect((await file(grade)).dept_name).toBe(name)
    const early = await update(grade, { row_version: 2, dept_name: '现在年级' })
    expect(told(early)).toEqual([409, `部门自${day(30)}起已有新的名称或上级，请选择${day(30)}或更晚的生效日期`])
    expect(early.body.data).toMatchObject({ valid_from: day(30) })
    expect((await update(grade, { row_version: 2, capacity: 30 })).status).toBe(200)
    expect((await update(grade, { row_version: 3, dept_name: '别的年级', effective_on: day(30) })).status).toBe(200)
    expect(await below(desk.school.root, day(30))).toContain('别的年级')
  })

  test('is told apart from what only its parent brings: a class is renamed while its grade will be', async () => {
    const { update, paths, opened, day } = desk
    const { grade, one, name } = await cohort()
    await update(grade, { row_version: 1, dept_name: '远年级', effective_on: day(30) })
    expect((await update(one, { row_version: 1, dept_name: '启航班' })).status).toBe(200)
    expect(await paths(one)).toEqual([`测试一校/${name}/${name}1班`, `测试一校/${name}/启航班`, '测试一校/远年级/启航班'])
    expect(await paths(await opened(grade, { dept_name: '新班', dept_type: 4 }))).toEqual([`测试一校/${name}/新班`, '测试一校/远年级/新班'])
  })

  test.each([[-31, '生效日期不能早于30天前'], [181, '生效日期不能晚于180天后']])('is not renamed from day %i on', async (n, sentence) => {
    const { grade } = await cohort()
    expect(told(await desk.update(grade, { row_version: 1, dept_name: '远方', effective_on: desk.day(n) }))).toEqual([422, sentence])
  })

  test('is not renamed from a day before its first', async () => {
    const { grade } = await cohort()
    const answer = await desk.update(grade, { row_version: 1, dept_name: '从前', effective_on: desk.day(-25) })
    expect(told(answer)).toEqual([422, `${desk.day(-25)}时部门或其上级尚未成立，请选择更晚的生效日期`])
  })

  test('20-A16 has the name of no sibling of any of its days', async () => {
    const { update, day } = desk
    const [a, b] = [await cohort(), await cohort()]
    expect(told(await update(a.grade, { row_version: 1, dept_name: b.name }))).toEqual([409, '同级下已存在同名部门'])
    await update(b.grade, { row_version: 1, dept_name: `${b.name}新`, effective_on: day(10) })
    expect((await update(a.grade, { row_version: 1, dept_name: b.name, effective_on: day(9) })).status).toBe(409)
    expect((await update(a.grade, { row_version: 1, dept_name: b.name, effective_on: day(10) })).status).toBe(200)
  })
})

describe('two renames at once', () => {
  test('of a division and of a grade in it leave both names in the paths below', async () => {
    const { opened, update, paths, school } = desk
    const division = await opened(school.root, { dept_name: '初中部', dept_type: 2, stage: '2' })
    const grade = await opened(division, { dept_name: '七年级', dept_type: 3, grade: '21' })
    const one = await opened(grade, { dept_name: '七年级1班', dept_type: 4 })
    const answers = await Promise.all([update(division, { row_version: 1, dept_name: '中学部' }), update(grade, { row_version: 1, dept_name: '初一' }), update(one, { row_version: 1, dept_name: '拔尖班' })])
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200])
    expect(await paths(one)).toEqual(['测试一校/中学部/初一/拔尖班'])
    expect(await paths(grade)).toEqual(['测试一校/中学部/初一'])
  })
})

describe('a moved department', () => {
  test('20-A15 is not moved under itself or its own child', async () => {
    const { opened, update, school } = desk
    const a = await opened(school.root, { dept_name: '行政一处', dept_type: 5 })
    const b = await opened(a, { dept_name: '行政二处', dept_type: 5 })
    const c = await opened(b, { dept_name: '行政三处', dept_type: 5 })
    for (const parent_id of [a, b, c]) expect(told(await update(a, { row_version: 1, parent_id }))).toEqual([422, '不能移动到自身或下级部门'])
    expect(told(await update(school.root, { row_version: 1, parent_id: a }))).toEqual([409, '学校根节点不能移动或删除'])
  })

  test('stands at its old place on past days, with everything below it', async () => {
    const { opened, update, paths, officesBelow, file, school, day } = desk
    const [a, b] = [await opened(school.root, { dept_name: '东区', dept_type: 5, effective_on: day(-20) }), await opened(school.root, { dept_name: '西区', dept_type: 5, effective_on: day(-20) })]
    const office = await opened(a, { dept_name: '文印室', dept_type: 5, effective_on: day(-20) })
    const desk_of = await opened(office, { dept_name: '前台', dept_type: 5, effective_on: day(-20) })
    expect((await update(office, { row_version: 1, parent_id: b, effective_on: day(-3) })).status).toBe(200)
    expect(await paths(desk_of)).toEqual(['测试一校/东区/文印室/前台', '测试一校/西区/文印室/前台'])
    expect([await officesBelow(a, day(-4)), await officesBelow(a, day(-3)), await officesBelow(b, day(-3))]).toEqual([['文印室'], [], ['文印室']])
    expect(await file(office)).toMatchObject({ parent_id: b, pname: '西区', row_version: 2 })
  })

  test('under a parent that will be renamed takes both names', async () => {
    const { opened, update, paths, school, day } = desk
    const [a, b] = [await opened(school.root, { dept_name: '南区', dept_type: 5 }), await opened(school.root, { dept_name: '北区', dept_type: 5 })]
    const office = await opened(a, { dept_name: '收发室', dept_type: 5 })
    await update(b, { row_version: 1, dept_name: '北苑', effective_on: day(60) })
    await update(office, { row_version: 1, parent_id: b, effective_on: day(5) })
    expect(await paths(office)).toEqual(['测试一校/南区/收发室', '测试一校/北区/收发室', '测试一校/北苑/收发室'])
  })

  test('as a class takes the word and the years of its new grade, on the labels of that day too', async () => {
    const { opened, update, file, board, school, day } = desk
    const [three, four] = [
      await opened(school.root, { dept_name: '三年级', dept_type: 3, grade: '13', effective_on: day(-20) }),
      await opened(school.root, { dept_name: '四年级', dept_type: 3, grade: '14', effective_on: day(-20) }),
    ]
    const one = await opened(three, { dept_name: '三年级5班', dept_type: 4, effective_on: day(-20) })
    expect((await update(one, { row_version: 1, parent_id: four, effective_on: day(-1) })).status).toBe(200)
    expect(await file(one)).toMatchObject({ dept_name: '四年级5班', label: '四年级5班', grade: '14', enrol_year: 2023, class_no: 5 })
    const before = (await board(day(-2))).find(grade => grade.id === three)
    expect(before?.classes.map(each => each.label)).toEqual(['三年级5班'])
    expect(told(await update(one, { row_version: 2, parent_id: school.office }))).toEqual([422, '班级必须建在年级下'])
  })

  test('leaves every tree of every day whole: each path is the names above', async () => {
    const { app, registrar, day } = desk
    for (const on of [day(-30), day(-5), day(-1), day(0), day(30), day(100)]) {
      for (const tree of ['student', 'staff'] as const) {
        const { list } = dataOf(deptApi.tree, await app.call(deptApi.tree, { tree, on }, { token: registrar.token }))
        const walk = (nodes: typeof list, above: string[]): void => nodes.forEach(node => {
          expect(node.pt_node_path_name).toBe([...above, node.dept_name].join('/'))
          walk(node.children, [...above, node.dept_name])
        })
        expect(list).toHaveLength(1)
        walk(list, [])
      }
    }
  })
})

describe('a generated name', () => {
  test('is generated as long as nobody gives another', async () => {
    const { app, update, opened, school } = desk
    const grade = await opened(school.root, { dept_name: '八年级', dept_type: 3, grade: '22' })
    const one = await opened(grade, { dept_name: '八年级1班', dept_type: 4 })
    const isAuto = () => app.running.database.tenant<{ dept: { school_id: number; id: string; name_auto: boolean; class_no: number } }, unknown>(1001, db => db.selectFrom('dept').select(['name_auto', 'class_no']).where('school_id', '=', 1001).where('id', '=', one).executeTakeFirst())
    expect(await isAuto()).toEqual({ name_auto: true, class_no: 1 })
    await update(one, { row_version: 1, dept_name: '远帆班' })
    expect(await isAuto()).toEqual({ name_auto: false, class_no: 1 })
    await update(one, { row_version: 2, dept_name: '八年级6班' })
    expect(await isAuto()).toEqual({ name_auto: true, class_no: 6 })
  })
})
