import { describe, expect, it } from 'vitest'
import { findDuplicates } from './duplicates.ts'

const same = (key: string) => key
const row = (row_no: number, ...keys: string[]) => ({ row_no, keys: keys.map(key => ({ prop: key.split(':')[0] ?? '', key })) })

describe('rows that claim the same', () => {
  it('name each other', () => {
    const found = findDuplicates([row(3, 'no:1'), row(4, 'no:2'), row(7, 'no:1'), row(9, 'no:1')], same)
    expect(found.get(3)).toEqual([{ prop: 'no', msg: '文件内重复（第7行）' }])
    expect(found.get(4)).toEqual([])
    expect(found.get(7)).toEqual([{ prop: 'no', msg: '文件内重复（第3行）' }])
    expect(found.get(9)).toEqual([{ prop: 'no', msg: '文件内重复（第3行）' }])
  })

  it('say it in the words of the template', () => {
    const own = { row_no: 5, keys: [{ prop: 'no', key: 'a', msg: (row_no: number) => `同一学生重复出现在第${row_no}行` }] }
    expect(findDuplicates([own, row(8, 'a')], same).get(5)).toEqual([{ prop: 'no', msg: '同一学生重复出现在第8行' }])
  })

  it('are named by their sheet where several are read', () => {
    const named = (row_no: number) => `“二年级”第${row_no % 100}行`
    expect(findDuplicates([row(3, 'no:1'), row(104, 'no:1')], same, { named }).get(3)).toEqual([{ prop: 'no', msg: '文件内重复（“二年级”第4行）' }])
  })

  it('count with rows nobody asked about', () => {
    const found = findDuplicates([row(8, 'no:1')], same, { others: [{ row_no: 3, keys: ['no:1'] }] })
    expect(found.get(8)).toEqual([{ prop: 'no', msg: '文件内重复（第3行）' }])
    expect(found.has(3)).toBe(false)
  })

  it('are no duplicates of themselves', () => {
    expect(findDuplicates([row(3, 'no:1', 'no:1')], same).get(3)).toEqual([])
  })
})
