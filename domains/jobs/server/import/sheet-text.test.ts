import { SheetRefused } from '@kit/server/excel'
import type { Cell, CellKind } from '@kit/server/excel'
import { describe, expect, it } from 'vitest'
import type { ImportColumn as TemplateColumn } from '@kit/server/excel'
import { cellReader, headerProblem, sheetText } from './sheet-text.ts'

const column = (label: string, prop: string, text = false): TemplateColumn => ({ label, prop, required: false, options: null, text })
const columns = [column('学号', 'no', true), column('姓名', 'name')]
const cells = (...texts: (string | [string, CellKind])[]): Cell[] => texts.map(t => (typeof t === 'string' ? { text: t, kind: 'text' } : { text: t[0], kind: t[1] }))
const notes = { row_no: 1, cells: cells('说明') }

describe('headers', () => {
  it.each([
    [['学号', '姓名'], null],
    [['* 姓名', '学号＊'], null],
    [['姓名', '学号', '行号', '错误字段', '错误原因', ''], null],
    [['姓名'], '模板不匹配，缺少列：学号'],
    [[], '模板不匹配，缺少列：学号、姓名'],
    [['学号', '名字'], '模板不匹配，缺少列：姓名'],
    [['学号', '姓名', '绰号'], '模板不匹配，未知列：绰号'],
    [['学号', '姓名', '学号'], '模板不匹配，列重复：学号'],
  ])('%j', (labels, problem) => {
    const { header } = sheetText([notes, { row_no: 2, cells: cells(...labels) }, { row_no: 3, cells: cells('1') }])
    expect(headerProblem(header, columns)).toBe(problem)
  })

  it('may lack a column that was added later, and may have it once', () => {
    const more: TemplateColumn[] = [...columns, { ...column('爱好', 'hobby'), optional: true }]
    expect([headerProblem(['学号', '姓名'], more), headerProblem(['学号', '姓名', '爱好'], more), headerProblem(['学号', '爱好', '姓名', '爱好'], more)]).toEqual([null, null, '模板不匹配，列重复：爱好'])
  })
})

describe('lines', () => {
  const read = (...line: (string | [string, CellKind])[]) => {
    const sheet = sheetText([notes, { row_no: 2, cells: cells('姓名', '学号') }, { row_no: 5, cells: cells(...line) }])
    return cellReader(sheet.header, columns)(sheet.lines.get(5))
  }

  it('are read by header, whatever the order', () => expect(read(' 王一 ', '001')).toEqual({ cells: { no: '001', name: '王一' }, flaws: [] }))
  it('may end early', () => expect(read('王一')).toEqual({ cells: { no: '', name: '王一' }, flaws: [] }))
  it('refuse formulas', () => expect(read('王一', ['12', 'formula']).flaws).toEqual([{ prop: 'no', msg: '公式单元格不支持' }]))
  it('refuse numbers without their digits where text was meant', () => {
    expect(read('王一', ['3.7E+17', 'number']).flaws).toEqual([{ prop: 'no', msg: '必须为文本格式(数字已丢失精度)' }])
    expect(read(['3.7E+17', 'number'], '001').flaws).toEqual([])
  })
  it('refuse endless cells', () => expect(read('长'.repeat(1001), '001').flaws).toEqual([{ prop: 'name', msg: '超过1000个字' }]))
})

it('a sheet of notes and headers alone holds no data', () => {
  expect(() => sheetText([notes, { row_no: 2, cells: cells('学号', '姓名') }])).toThrow(new SheetRefused('no_data'))
})
