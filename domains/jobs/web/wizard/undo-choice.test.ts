import { describe, expect, test } from 'vitest'
import { undoOf, undoText } from './undo-choice.ts'

const now = new Date('2026-11-20T00:00:00Z')
const batch = { is_mine: true, state: 'applied', undo_until: '2026-12-01T00:00:00Z', rows_applied: 12, rows_undone: 0, rows_blocked: 0, rows_new: 10, rows_change: 2, rows_recheck: 0 } as const

describe('an applied batch', () => {
  test('can be taken back as a whole', () => {
    expect(undoOf(batch, now)).toEqual({ partial: false, label: '撤销本次导入' })
    expect(undoText(batch, '人')).toBe('将撤销：新增 10 人，变更 2 人')
  })

  test('offers the rest once some rows are blocked', () => {
    const blocked = { ...batch, rows_blocked: 3 }
    expect(undoOf(blocked, now)).toEqual({ partial: true, label: '撤销可撤销的 9 行' })
    expect(undoText(blocked, '人')).toBe('将撤销已写入的 9 人')
  })

  test.each([
    ['of somebody else', { ...batch, is_mine: false }],
    ['too late', { ...batch, undo_until: '2026-11-20T00:00:00Z' }],
    ['without an undo', { ...batch, undo_until: null }],
    ['undone', { ...batch, state: 'undone' as const }],
    ['all blocked', { ...batch, rows_blocked: 12 }],
    ['empty', { ...batch, rows_applied: 0 }],
  ])('%s offers nothing', (_, other) => {
    expect(undoOf(other, now)).toBeNull()
  })
})
