import { checkMobile, checkPersonName, parseIdCard } from '@kit/contract/checks'
import { describe, expect, test } from 'vitest'
import { family_counts } from './families.ts'
import { planMainPupils, planMainSchool } from './main-school.ts'
import { past_counts } from './pupil-past.ts'
import type { PlannedPupil } from './pupils.ts'
import { counts } from './seats.ts'
import { toolsOf } from './seed.ts'

const today = '2026-11-20'
const pupils = planned(today)
const of = (kind: PlannedPupil['seat']['kind']) => pupils.filter(({ seat }) => seat.kind === kind)
const on_roll = [...of('in class'), ...of('suspended')]

function planned(day: string): PlannedPupil[] {
  const tools = toolsOf('main')
  return planMainPupils(tools, planMainSchool(day, tools), day)
}

describe('the pupils of the main school', () => {
  test('are 3,906 in class, with the boys, boarders and bus riders of the plan; 11 are suspended, 37 went elsewhere, 430 graduated', () => {
    expect((['in class', 'suspended', 'gone', 'graduated'] as const).map(kind => of(kind).length)).toEqual([3906, counts.suspended, counts.gone, 430])
    const here = of('in class')
    const count = (fits: (pupil: PlannedPupil) => boolean) => here.filter(fits).length
    expect([count(({ facts }) => facts.sex === '1'), count(({ facts }) => facts.study_method === '2'), count(({ facts }) => facts.by_bus === true)]).toEqual([2064, 1311, 462])
  })

  test.each([
    ['一年级1班', 6],
    ['七年级3班', 12],
    ['九年级8班', 14],
    ['高三10班', 17],
  ])('are as old as pupils of %s are', (dept_name, age_of_class) => {
    const class_key = planMainSchool(today).depts.find(dept => dept.dept_name === dept_name)?.key
    const ages = of('in class').filter(({ seat }) => seat.class_key === class_key).map(({ facts }) => ageOn(facts.birthday ?? '', '2026-08-31'))
    expect(ages.length).toBeGreaterThan(40)
    for (const age of ages) expect([age_of_class, age_of_class + 1]).toContain(age)
    expect(ages.filter(age => age === age_of_class).length).toBeGreaterThan(ages.length * 0.8)
  })

  test('have numbers that nobody else has, and identity numbers that fit', () => {
    const ids = [...pupils.flatMap(({ facts }) => facts.id_no ?? []), ...families(pupils).flatMap(family => family.guardians.flatMap(({ id_no }) => id_no ?? []))]
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(pupils.map(({ facts }) => facts.student_no)).size).toBe(pupils.length)
    for (const { facts } of pupils.filter(pupil => pupil.facts.id_type === '1')) {
      expect(parseIdCard(facts.id_no ?? '')).toMatchObject({ sex: facts.sex, birthday: facts.birthday, checksum_ok: true })
      expect(facts.id_no?.slice(4, 6)).toBe('00')
    }
  })

  test('have names the product accepts, some of them long, of other scripts or read in an odd way', () => {
    for (const { facts } of pupils) expect([facts.user_name, checkPersonName(facts.user_name)]).toEqual([facts.user_name, null])
    const names = pupils.map(({ facts }) => facts.user_name)
    expect(names).toEqual(expect.arrayContaining(['阿依古丽·买买提', '阿卜杜热西提·阿卜杜喀迪尔', '欧阳若曦', 'Anna Müller', '김민준', '陈𠀀', '单思远']))
  })

  test('are known unevenly: documents are missing, files have gaps', () => {
    const share = (fits: (pupil: PlannedPupil) => boolean) => on_roll.filter(fits).length / on_roll.length
    expect(share(({ facts }) => facts.id_no === null)).toBeGreaterThan(0.01)
    expect(share(({ facts }) => facts.id_no === null)).toBeLessThan(0.05)
    expect(share(({ facts }) => facts.postcode === null)).toBeGreaterThan(0.03)
  })
})

describe('the families', () => {
  test('have 6,640 guardians, 31 pupils with one, a few with none', () => {
    const mobiles = families(on_roll).flatMap(family => family.guardians.map(guardian => guardian.mobile))
    expect([mobiles.length, new Set(mobiles).size]).toEqual([family_counts.guardians, family_counts.guardians])
    for (const mobile of mobiles) expect(checkMobile(mobile)).toBeNull()
    const pupilsWith = (count: number) => on_roll.filter(({ family }) => family.guardians.length === count).length
    expect([pupilsWith(1), pupilsWith(0)]).toEqual([family_counts.lone, family_counts.unknown])
  })

  test('are sibling families in more than 240 cases; brothers and sisters are twins or two years apart', () => {
    const siblings = [...Map.groupBy(on_roll, pupil => pupil.family).values()].filter(children => children.length > 1)
    expect(siblings.length).toBeGreaterThan(240)
    for (const children of siblings) {
      const births = children.map(({ facts }) => Date.parse(facts.birthday ?? '')).toSorted((a, b) => a - b)
      const days = births.slice(1).map((birth, at) => (birth - (births[at] ?? 0)) / 86_400_000)
      for (const apart of days) expect(apart === 0 || apart > 300).toBe(true)
      expect(new Set(children.map(({ facts }) => facts.address)).size).toBe(1)
    }
  })

  test('give nearly every child the surname of the father', () => {
    const usual = on_roll.filter(({ family }) => !family.special && family.guardians.some(guardian => guardian.relation === '51'))
    const same = usual.filter(({ facts, family }) => family.guardians.find(guardian => guardian.relation === '51')?.user_name.startsWith(family.surname) && facts.user_name.startsWith(family.surname))
    expect(same.length / usual.length).toBeGreaterThan(0.85)
    expect(same.length / usual.length).toBeLessThan(0.98)
  })

  test('are those of nine employees too', () => {
    const mobiles = new Set(planMainSchool(today).staff.map(person => person.mobile))
    expect(new Set(on_roll.flatMap(({ family }) => family.guardians.filter(guardian => mobiles.has(guardian.mobile)).map(guardian => guardian.user_name))).size).toBe(family_counts.of_staff)
  })
})

describe.each(['2026-11-20', '2027-09-01', '2027-08-31', '2024-02-29'])('the past as of %s', day => {
  const roll = planned(day)
  const withStep = (kind: string) => roll.filter(({ steps }) => steps.some(step => step.kind === kind))

  test('has steps in order, none after today, and nobody comes back before he came', () => {
    for (const { seat, steps } of roll) {
      const days = [seat.from, ...steps.map(step => step.on)]
      expect(days).toEqual(days.toSorted())
      expect(new Set(days).size).toBe(days.length)
      expect((days.at(-1) ?? '') <= day).toBe(true)
    }
  })

  test('suspends eleven for at most a year, two of them too long already', () => {
    const until = withStep('SUSPEND').flatMap(({ steps }) => steps.flatMap(step => (step.kind === 'SUSPEND' ? [step.until] : [])))
    expect([until.length, until.filter(end => end < day).length]).toEqual([counts.suspended, past_counts.overdue])
    expect(withStep('RETURN')).toHaveLength(past_counts.returned)
  })
})

function families(list: readonly PlannedPupil[]) {
  return [...new Set(list.map(({ family }) => family))]
}

function ageOn(birthday: string, day: string): number {
  return Number(day.slice(0, 4)) - Number(birthday.slice(0, 4)) - (birthday.slice(5) > day.slice(5) ? 1 : 0)
}
