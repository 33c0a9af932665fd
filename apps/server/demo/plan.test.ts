import { checkLoginPassword, checkMobile, checkNewPassword, parseIdCard } from '@kit/contract/checks'
import { describe, expect, test } from 'vitest'
import { randomPassword } from '../cli/random-password.ts'
import { demo_accounts } from './accounts.ts'
import { promotionTo } from './cohorts.ts'
import { dept_type, enterpriseDepartments, mainDepartments, newSchoolDepartments } from './departments.ts'
import { dutyRows, withPast } from './duties.ts'
import { planMainSchool } from './main-school.ts'
import { staffRoles } from './memberships.ts'
import { codesOf, main_roles, own_roles, plannedRoles } from './roles.ts'
import { demoToday, schoolYearOf } from './school-year.ts'

const today = '2026-11-20'
const plan = planMainSchool(today)
const countBy = <T>(list: readonly T[], key: (value: T) => string) => {
  const counts = new Map<string, number>()
  for (const value of list) counts.set(key(value), (counts.get(key(value)) ?? 0) + 1)
  return counts
}

describe('the plan of the main school', () => {
  test('depends on the day alone', () => {
    expect(planMainSchool(today)).toEqual(plan)
    expect(planMainSchool('2027-11-20').staff.map(person => person.user_name)).toEqual(plan.staff.map(person => person.user_name))
  })

  test('has 193 departments, 90 of them classes, parents first', () => {
    expect(plan.depts).toHaveLength(193)
    expect(plan.depts.filter(dept => dept.dept_type === dept_type.class)).toHaveLength(90)
    const orphans = plan.depts.filter((dept, at) => dept.parent !== null && !plan.depts.slice(0, at).some(earlier => earlier.key === dept.parent))
    expect(orphans).toEqual([])
  })

  test.each([[2025, 2025, 2020], [2026, 2026, 2021], [2030, 2030, 2025]])('in school year %i grade one enrolled in %i and grade six in %i', (school_year, first, sixth) => {
    const depts = mainDepartments(school_year)
    const year_of = (dept_name: string) => depts.find(dept => dept.dept_name === dept_name)?.enrol_year
    expect([year_of('一年级'), year_of('一年级1班'), year_of('六年级'), year_of('九年级')]).toEqual([first, first, sixth, school_year - 2])
  })

  test('has 320 people, 237 of them teachers, each with a number, a mobile and an identity number of his own', () => {
    expect(plan.staff).toHaveLength(320)
    expect(plan.staff.filter(person => person.teaches)).toHaveLength(237)
    for (const field of ['user_name', 'teacher_no', 'mobile', 'id_no'] as const) expect(new Set(plan.staff.map(person => person[field])).size).toBe(320)
  })

  test('uses numbers that fit the people and belong to nobody', () => {
    for (const { mobile, id_no, sex, birthday, teacher_no } of plan.staff) {
      expect(checkMobile(mobile ?? '')).toBeNull()
      expect(mobile).toMatch(/^1691/)
      expect(parseIdCard(id_no ?? '')).toMatchObject({ sex, birthday, checksum_ok: true })
      expect(id_no?.slice(4, 6)).toBe('00')
      expect(teacher_no).toMatch(/^T20\d{2}\d{4}$|^T199\d{5}$/)
    }
  })

  test('gives every class a class teacher of its own stage and nobody two classes', () => {
    const { class_teachers } = plan.duties
    expect(class_teachers.size).toBe(90)
    expect(new Set(class_teachers.values()).size).toBe(90)
    for (const [class_key, staff_key] of class_teachers) {
      const stage = plan.depts.find(dept => dept.key === class_key)?.stage
      expect(plan.staff.find(person => person.key === staff_key)?.teaches?.stage).toBe(stage)
    }
  })

  test('names one head of every class', () => {
    const heads = dutyRows(plan.duties).filter(({ duty }) => duty === 'head')
    expect(new Set(heads.map(({ dept_key }) => dept_key)).size).toBe(90)
  })

  test('lets the heads of the classes that are gone lead the first classes now', () => {
    const rows = withPast(dutyRows(plan.duties), plan.promotion, { left_on: '2026-08-31', on: '2026-09-01' }, () => '2025-09-01')
    const ended = rows.filter(({ to }) => to !== undefined)
    expect(ended).toHaveLength(24)
    for (const { staff_key, dept_key, to } of ended) {
      const gone = [...plan.promotion.graduated, ...plan.promotion.continued].find(dept => dept.key === dept_key)
      expect(to).toBe(gone?.stage === '3' ? '2026-08-31' : '2026-09-01')
      expect(plan.depts.find(dept => plan.duties.class_teachers.get(dept.key) === staff_key)).toMatchObject({ stage: gone?.stage, class_no: gone?.class_no })
    }
    const began = (dept_key: string) => rows.find(row => row.dept_key === dept_key && row.duty === 'head')?.from
    const keyOf = (dept_name: string) => plan.depts.find(dept => dept.dept_name === dept_name)?.key ?? ''
    expect([began(keyOf('一年级1班')), began(keyOf('二年级1班'))]).toEqual(['2026-09-01', undefined])
  })

  test('knows who left: twelve people, on working days before today', () => {
    expect(plan.leaves).toHaveLength(12)
    for (const { on } of plan.leaves) {
      expect(on > '2025-09-01' && on <= today).toBe(true)
      expect([0, 6]).not.toContain(new Date(`${on}T00:00:00Z`).getUTCDay())
    }
    const numbers = [...plan.staff, ...plan.leavers].map(person => person.teacher_no)
    expect(new Set(numbers).size).toBe(332)
  })

  test('gives every role as many people as it is said to have', () => {
    const held = countBy(plan.memberships, member => member.role_code)
    for (const { code, users } of staffRoles()) expect([code, held.get(code)]).toEqual([code, users])
    expect(new Set(plan.memberships.map(member => JSON.stringify(member))).size).toBe(plan.memberships.length)
  })

  test.each([
    ['admin01', ['SYS001_SchoolAdmin']],
    ['duo01', ['SYS002_GradeHead', 'SYS003_ClassTeacher']],
    ['kuaidi01', ['SYS001_Expressman']],
    ['shouji01', [own_roles.phone_only.code]],
    ['moren01', ['SYS003_Teacher']],
    ['guoqi01', ['SYS003_Teacher']],
    ['loudong01', ['SYS003_Teacher']],
    ['kongcai01', [own_roles.unassigned.code]],
    ['shenji01', [own_roles.auditor.code]],
  ] as const)('%s acts as %j', (account, roles) => {
    const held = plan.memberships.filter(member => member.staff_key === plan.holders[account]).map(member => member.role_code)
    expect(held).toEqual(roles)
  })
})

describe('the promotion', () => {
  const { before, renewed, opened, graduated, continued } = promotionTo(mainDepartments(2026))
  const names = (depts: readonly { dept_name: string }[]) => depts.map(dept => dept.dept_name)

  test('finds last year as many departments as this year, under the same names', () => {
    expect(names(before).toSorted()).toEqual(names(plan.depts).toSorted())
  })

  test('lets 高三 leave, 六年级 and 九年级 go on, and three new grades begin', () => {
    const grades = (depts: readonly { dept_name: string; dept_type: number }[]) => names(depts.filter(dept => dept.dept_type === dept_type.grade))
    expect([grades(graduated), grades(continued), grades(opened)]).toEqual([['高三'], ['六年级', '九年级'], ['一年级', '七年级', '高一']])
    expect([graduated.length, continued.length, opened.length, renewed.length]).toEqual([11, 16, 27, 75])
  })

  test('gives a cohort the next name and keeps its year', () => {
    const cohort = before.find(dept => dept.dept_name === '一年级3班')
    expect(cohort).toMatchObject({ enrol_year: 2025, grade: '11' })
    expect(renewed.find(({ key }) => key === cohort?.key)).toMatchObject({ dept_name: '二年级3班', grade: '12' })
    expect(before.find(dept => dept.dept_name === '六年级3班')).toMatchObject({ enrol_year: 2020, grade: '16' })
  })
})

describe('roles', () => {
  test('are 26 in five groups, and each of the console says something else', () => {
    expect(main_roles).toHaveLength(26)
    expect(new Set(main_roles.map(role => role.group)).size).toBe(5)
    const console_roles = plannedRoles().filter(role => role.grants.length > 0)
    expect(new Set(console_roles.map(role => JSON.stringify(role.grants))).size).toBe(console_roles.length)
  })

  const known = ['people.student.view', 'people.student.import', 'people.staff.view', 'audit.system.view', 'audit.system.export', 'exams.score.view']
  test.each([
    [['*.view'], ['audit.system.view', 'exams.score.view', 'people.staff.view', 'people.student.view']],
    [['*.view', '!audit.*'], ['exams.score.view', 'people.staff.view', 'people.student.view']],
    [['people.student.*'], ['people.student.import', 'people.student.view']],
    [['people.student'], []],
    [[], []],
  ])('%j grants %j', (grants, codes) => {
    expect(codesOf(grants, known)).toEqual(codes)
  })

  test('the auditor sees logs and nothing else', () => {
    expect(codesOf(own_roles.auditor.grants, known)).toEqual(['audit.system.export', 'audit.system.view'])
  })
})

describe('accounts and passwords', () => {
  test('every account fits the login form', () => {
    for (const { account } of demo_accounts) expect(account).toMatch(/^[a-z0-9]{5,11}$/)
    expect(demo_accounts).toHaveLength(14)
  })

  test('a made password passes every rule', () => {
    for (let n = 0; n < 200; n += 1) {
      const password = randomPassword()
      expect([checkLoginPassword(password, { strong: true }), checkLoginPassword(password, { strong: false }), checkNewPassword(password, 8)]).toEqual([null, null, null])
    }
  })
})

describe('the other schools', () => {
  test('an enterprise has no classes; the new school has all of them, and nobody in them', () => {
    expect(enterpriseDepartments().map(dept => dept.tree)).not.toContain('student')
    const classes = newSchoolDepartments('新校', 2026).filter(dept => dept.dept_type === dept_type.class)
    expect(classes).toHaveLength(90)
    expect(classes.filter(dept => dept.pupils)).toEqual([])
  })
})

test('the school year begins on 1 September', () => {
  expect([schoolYearOf('2026-08-31'), schoolYearOf('2026-09-01'), schoolYearOf('2027-02-28')]).toEqual([2025, 2026, 2026])
  const clock = { now: () => new Date('2026-08-31T16:00:00Z') }
  expect(demoToday({ config: { CAMPUS_DEMO_TODAY: undefined }, clock })).toBe('2026-09-01')
})
