import type { GuardianEntry } from '@campus/people/contract'
import { describe, expect, test } from 'vitest'
import { planGuardians } from './guardian.plan.ts'
import type { StandingLink } from './guardian.plan.ts'

const father = link('1', { is_first: true, mobile: '16900000001' })
const mother = link('2', { relation: '52', mobile: '16900000002', order_no: 2 })
const grandma = link('3', { relation: '62', is_guardian: false, mobile: null, order_no: 3 })
const uncle: GuardianEntry = { user_name: '王叔', mobile: '16900000009', relation: '81' }

function link(id: string, more: Partial<StandingLink>): StandingLink {
  const common = { student_user_id: '10', relation: '51', is_first: false, is_guardian: true, can_pickup: true, order_no: 1, valid_from: '2026-09-01', is_locked: false }
  return { id: `L${id}`, parent_user_id: id, mobile: null, ...common, ...more }
}

/** Who ends up first, in the words of the plan: changed links by id, added ones by line. */
function outcome(links: readonly StandingLink[], entries: readonly GuardianEntry[], stage: string | null = '1') {
  const { ended, changed, added, troubles } = planGuardians(links, entries, stage)
  return {
    ended: ended.map(one => one.id),
    first: [...changed.filter(one => one.is_first).map(one => one.id), ...added.filter(one => one.is_first).map(one => `line ${one.at}`)],
    back: changed.filter(one => !one.is_first).map(one => one.id),
    troubles: troubles.map(({ field, failure, msg }) => `${field} ${msg ?? failure.msg}`),
  }
}

const calm = { ended: [], first: [], back: [], troubles: [] }

describe('the first contact', () => {
  test.each<[string, GuardianEntry[], Partial<ReturnType<typeof outcome>>]>([
    ['stays when nothing is said', [], {}],
    ['stays when somebody joins', [uncle], {}],
    ['gives way to who asks for it', [{ user_id: '2', is_first: true }], { first: ['L2'], back: ['L1'] }],
    ['gives way to a new guardian', [{ ...uncle, is_first: true }], { first: ['line 0'], back: ['L1'] }],
    ['is the next in order when the first one leaves', [{ user_id: '1', removed: true }], { ended: ['L1'], first: ['L2'] }],
    ['is the next in order when the first one steps back', [{ user_id: '1', is_first: false }], {}],
    ['is one', [{ user_id: '2', is_first: true }, { ...uncle, is_first: true }], { first: ['L2'], back: ['L1'], troubles: ['parents.1.is_first 只能有一名第一联系人'] }],
  ])('%s', (_title, entries, expected) => {
    expect(outcome([father, mother], entries)).toEqual({ ...calm, ...expected })
  })

  test('is the first line of a new pupil', () => {
    expect(outcome([], [uncle, { ...uncle, mobile: '16900000008' }])).toEqual({ ...calm, first: ['line 0'] })
  })
})

describe('somebody answers for the pupil', () => {
  const leaving: GuardianEntry[] = [{ user_id: '1', removed: true }, { user_id: '2', is_guardian: false }]

  test.each<[string, GuardianEntry[], string | null, string[]]>([
    ['in primary school', leaving, '1', ['parents 至少保留一名监护人']],
    ['in junior school', leaving, '2', ['parents 至少保留一名监护人']],
    ['not in senior school', leaving, '3', []],
    ['not without a class', leaving, null, []],
    ['who may be new', [...leaving, uncle], '1', []],
    ['who may be promoted', [...leaving, { user_id: '3', is_guardian: true }], '1', []],
    ['but an edit that says nothing of guardians is let through', [], '1', []],
  ])('%s', (_title, entries, stage, troubles) => {
    expect(outcome([father, mother, grandma], entries, stage).troubles).toEqual(troubles)
  })

  test('even a pupil who never had one', () => {
    expect(outcome([grandma], [{ user_id: '3', relation: '61' }]).troubles).toEqual(['parents 至少保留一名监护人'])
  })
})

describe('a line is refused', () => {
  test.each<[string, StandingLink[], GuardianEntry[], string[]]>([
    ['of somebody who is no guardian', [father], [{ user_id: '99', relation: '51' }], ['parents.0.user_id 数据不存在或已被删除']],
    ['with the mobile of another guardian', [father, mother], [{ user_id: '2', mobile: '16900000001' }], ['parents.0.mobile 手机号已被占用']],
    ['with the mobile of an earlier line', [father], [uncle, uncle], ['parents.1.mobile 手机号已被占用']],
    ['that renames a teacher', [link('1', { is_first: true, is_locked: true })], [{ user_id: '1', user_name: '王某' }], ['parents.0.user_name 该家长也是本校教职工或学生，请在其本人档案中修改']],
    ['beyond six', [father], Array.from({ length: 6 }, (_, at) => ({ ...uncle, mobile: `1690000100${at}` })), ['parents 每名学生最多关联6名家长']],
  ])('%s', (_title, links, entries, troubles) => {
    expect(outcome(links, entries).troubles).toEqual(troubles)
  })
})
