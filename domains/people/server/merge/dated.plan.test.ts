import { describe, expect, test } from 'vitest'
import { planApart, planDated, planOnce } from './dated.plan.ts'
import type { DatedRow, RowPlan } from './dated.plan.ts'
import { planGuardianLinks, planPupilLinks, planStaffMembers } from './family.plan.ts'
import type { LinkRow, StaffMemberRow } from './family.plan.ts'

const today = '2026-11-28'
const row = (id: number, valid_from: string, valid_to: string | null = null): DatedRow => ({ id, valid_from, valid_to })
const plain = <T extends DatedRow>({ moved, changed, removed, added }: RowPlan<T>) => ({
  moved: moved.map(one => [one.row.id, one.patch]), changed: changed.map(one => [one.row.id, one.patch]), removed: removed.map(one => one.id), added: added.map(one => [one.row.id, one.patch]),
})
const nothing = { moved: [], changed: [], removed: [], added: [] }

describe('one class a day', () => {
  const [a, b] = ['2026-09-01', '2026-10-01']
  test.each<[string, DatedRow[], DatedRow[], 'keep' | 'drop', Partial<ReturnType<typeof plain>>]>([
    ['another time moves whole', [row(1, b)], [row(2, a, b)], 'keep', { moved: [[2, {}]] }],
    ['the kept one wins: the other ends today', [row(1, a)], [row(2, a)], 'keep', { changed: [[2, { valid_to: today }]] }],
    ['the merged one wins: the past stays with both', [row(1, a)], [row(2, a)], 'drop', { changed: [[1, { valid_to: today }], [2, { valid_to: today }]], added: [[2, { valid_from: today }]] }],
    ['what began today is replaced', [row(1, today)], [row(2, today)], 'drop', { removed: [1], moved: [[2, {}]] }],
    ['what begins later and loses never was', [row(1, a)], [row(2, '2026-12-01')], 'keep', { removed: [2] }],
    ['the past alone meets: it goes on for the kept one', [row(1, a, b)], [row(2, a)], 'keep', { changed: [[2, { valid_to: today }]], added: [[2, { valid_from: today }]] }],
    ['both are over: each keeps its own', [row(1, a, b)], [row(2, a, b)], 'drop', {}],
    ['until yesterday and from today on is no meeting', [row(1, a, today)], [row(2, today)], 'keep', { moved: [[2, {}]] }],
  ])('%s', (_, kept, dropped, winner, wanted) => {
    expect(plain(planDated({ kept, dropped, today }, () => '', winner))).toEqual({ ...nothing, ...wanted })
  })

  test('what one person can have but once stays the kept one’s', () => {
    const plan = planOnce({ kept: [{ id: 1, type: 1 }], dropped: [{ id: 2, type: 1 }, { id: 3, type: 2 }], today }, one => String(one.type))
    expect([plan.moved.map(one => one.row.id), plan.removed.map(one => one.id)]).toEqual([[3], [2]])
  })
})

describe('families', () => {
  const link = (id: number, student_user_id: number, parent_user_id: number, more: Partial<LinkRow> = {}): LinkRow => ({ ...row(id, '2026-09-01'), student_user_id, parent_user_id, is_first: false, is_guardian: true, can_pickup: true, ...more })

  test('a guardian of both pupils is one link; the kept one’s first contact stays the only one', () => {
    const kept = [link(1, 10, 20, { is_first: true }), link(2, 10, 21, { can_pickup: false })]
    const dropped = [link(3, 11, 22, { is_first: true }), link(4, 11, 21)]
    expect(plain(planPupilLinks({ kept, dropped, today }))).toEqual({
      moved: [[3, { is_first: false }]], changed: [[4, { valid_to: today }], [2, { valid_to: today }]], removed: [], added: [[2, { valid_from: today, is_first: false, is_guardian: true, can_pickup: true }]],
    })
  })

  test('one guardian of one child has the rights of both', () => {
    const plan = planGuardianLinks({ kept: [link(1, 10, 20, { is_guardian: false })], dropped: [link(2, 10, 21, { is_first: true }), link(3, 11, 21)], today })
    expect(plain(plan)).toEqual({ moved: [[3, {}]], changed: [[2, { valid_to: today }], [1, { valid_to: today }]], removed: [], added: [[1, { valid_from: today, is_first: true, is_guardian: true, can_pickup: true }]] })
  })
})

describe('departments of staff', () => {
  const member = (id: number, dept_id: number, is_primary: boolean, valid_from = '2026-09-01'): StaffMemberRow => ({ ...row(id, valid_from), dept_id, is_primary })

  test('both stay, the primary one is the kept one’s', () => {
    expect(plain(planStaffMembers({ kept: [member(1, 5, true)], dropped: [member(2, 6, true), member(3, 7, false)], today }, 'keep'))).toEqual({ ...nothing, moved: [[2, { is_primary: false }], [3, {}]] })
  })

  test('or the merged one’s, from today', () => {
    expect(plain(planStaffMembers({ kept: [member(1, 5, true)], dropped: [member(2, 6, true)], today }, 'drop'))).toEqual({
      ...nothing, changed: [[2, { valid_to: today }], [1, { valid_to: today }]], added: [[2, { valid_from: today }], [1, { valid_from: today, is_primary: false }]].map(([id, patch]) => [id, id === 2 ? { valid_from: today, is_primary: true } : patch]),
    })
  })

  test('a department of both is one membership, primary if that one was chosen', () => {
    expect(plain(planStaffMembers({ kept: [member(1, 5, true), member(2, 6, false)], dropped: [member(3, 6, true)], today }, 'drop'))).toEqual({
      ...nothing, changed: [[3, { valid_to: today }], [1, { valid_to: today }], [2, { valid_to: today }]], added: [[1, { valid_from: today, is_primary: false }], [2, { valid_from: today, is_primary: true }]],
    })
  })

  test('whoever has none takes it over as it is', () => {
    expect(plain(planStaffMembers({ kept: [], dropped: [member(3, 6, true)], today }, 'keep'))).toEqual({ ...nothing, moved: [[3, {}]] })
  })
})

test('of what a person can have but once each keeps his own, the rest moves', () => {
  const paid = (id: number, group: string | null) => ({ id, group })
  const plan = planApart({ kept: [paid(1, 'face_pay'), paid(2, null)], dropped: [paid(3, 'face_pay'), paid(4, 'recharge'), paid(5, null)], today }, one => one.group)
  expect([plan.moved.map(one => one.row.id), plan.changed, plan.removed, plan.added]).toEqual([[4, 5], [], [], []])
})
