import { SheetRefused } from '@kit/server/excel'
import type { Cell, CellKind, ImportColumn as TemplateColumn, ReadSheet } from '@kit/server/excel'
import { describe, expect, it } from 'vitest'
import { hiddenRows, lineReader, placeOf, plannedRows, planNotes, planReading, rowNamer, unreadSheets } from './read-plan.ts'
import type { ReadPlan } from './read-plan.ts'
import { headerProblem, sheetText } from './sheet-text.ts'

const column = (label: string, prop: string, text = false): TemplateColumn => ({ label, prop, required: false, options: null, text })
const columns = [column('学号', 'no', true), column('姓名', 'name')]
type Texts = readonly (string | [string, CellKind])[]
const cells = (texts: Texts): Cell[] => texts.map(t => (typeof t === 'string' ? { text: t, kind: 'text' } : { text: t[0], kind: t[1] }))
const sheet = (name: string, rows: Record<number, Texts>, more: Partial<ReadSheet> = {}): ReadSheet => (
  { name, rows: Object.entries(rows).map(([row_no, texts]) => ({ row_no: Number(row_no), cells: cells(texts) })), hidden_rows: [], refusal: null, ...more })
const plan = (sheets: ReadSheet[]) => planReading(sheetText(sheets), columns)
const planned = (sheets: ReadSheet[]): ReadPlan => {
  const found = plan(sheets)
  if (typeof found === 'string') throw new Error(found)
  return found
}

describe('headers', () => {
  it.each([
    [['学号', '姓名'], null],
    [['* 姓名', '学号＊'], null],
    [['学\u200b号', '姓 名'], null],
    [['姓名', '学号', '行号', '错误字段', '错误原因', ''], null],
    [['姓名'], '模板不匹配，缺少列：学号'],
    [['绰号'], '模板不匹配，缺少列：学号、姓名'],
    [['学号', '名字'], '模板不匹配，缺少列：姓名'],
    [['学号', '姓名', '绰号'], '模板不匹配，未知列：绰号'],
    [['学号', '姓名', '学号'], '模板不匹配，列重复：学号'],
  ])('%j', (labels, problem) => {
    const found = plan([sheet('', { 1: ['说明'], 2: labels, 3: ['1'] })])
    expect(typeof found === 'string' ? found : null).toBe(problem)
  })

  it('may lack a column that was added later, and may have it once', () => {
    const more: TemplateColumn[] = [...columns, { ...column('爱好', 'hobby'), optional: true }]
    expect([headerProblem(['学号', '姓名'], more), headerProblem(['学号', '姓名', '爱好'], more), headerProblem(['学号', '爱好', '姓名', '爱好'], more)]).toEqual([null, null, '模板不匹配，列重复：爱好'])
  })

  it('are compared in half-width signs', () => {
    const wide = [column('金额(元)', 'money'), column('A级：1', 'a')]
    expect(planReading(sheetText([sheet('', { 1: ['金额（元）', 'Ａ级:１'], 2: ['1', '2'] })]), wide)).toMatchObject([{ header_row: 1, rows: 1 }])
  })

  it.each([1, 2, 3, 4, 5])('are found in line %d', row_no => {
    const found = planned([sheet('', { ...Object.fromEntries(Array.from({ length: row_no - 1 }, (_, at) => [at + 1, ['一年级学生名单', '', '']])), [row_no]: ['姓名', '学号'], [row_no + 1]: ['王一', '001'] })])
    expect(found).toMatchObject([{ header_row: row_no, rows: 1 }])
  })

  it('are not looked for among the data', () => expect(plan([sheet('', { 1: ['说明'], 6: ['姓名', '学号'], 7: ['王一', '1'] })])).toBe('模板不匹配，缺少列：学号、姓名'))
})

describe('lines', () => {
  const read = (...line: Texts) => {
    const text = sheetText([sheet('', { 1: ['说明'], 2: ['姓名', '学号'], 5: line })])
    return lineReader(text, planned([sheet('', { 1: ['说明'], 2: ['姓名', '学号'], 5: line })]), columns)(5)
  }

  it('are read by header, whatever the order', () => expect(read(' 王一 ', '001')).toEqual({ cells: { no: '001', name: '王一' }, flaws: [] }))
  it('may end early', () => expect(read('王一')).toEqual({ cells: { no: '', name: '王一' }, flaws: [] }))
  it('have no invisible signs', () => expect(read('\ufeff王一\u200e', '\u202d00\u200b1\u202c').cells).toEqual({ no: '001', name: '王一' }))
  it.each<[CellKind, string]>([['formula', '公式单元格不支持'], ['error', '单元格是错误值，请改为正确的内容'], ['unsure', '数字格式与显示不一致，请改为文本']])(
    'refuse a cell of kind %s in every column', (kind, msg) => {
      expect(read(['#N/A', kind], ['#REF!', kind]).flaws).toEqual([{ prop: 'no', msg }, { prop: 'name', msg }])
    })
  it('refuse numbers without their digits where text was meant', () => {
    expect(read('王一', ['3.7E+17', 'number']).flaws).toEqual([{ prop: 'no', msg: '必须为文本格式(数字已丢失精度)' }])
    expect(read(['3.7E+17', 'number'], '001').flaws).toEqual([])
  })
  it('refuse endless cells', () => expect(read('长'.repeat(1001), '001').flaws).toEqual([{ prop: 'name', msg: '超过1000个字' }]))
})

describe('a file of several sheets', () => {
  const first = sheet('一年级', { 2: ['姓名', '学号'], 3: ['王一', '001'] })
  const second = sheet('二年级', { 1: ['二年级名单'], 3: ['学号', '姓名'], 4: ['002', '李二'], 5: ['003', '张三'] }, { hidden_rows: [1, 4, 5] })
  const notes = sheet('填写说明', { 1: ['请勿改动表头'], 2: ['每行一人'] })

  it('is read wherever the header of the template is, and what is not read is named with its rows', () => {
    const sheets = [notes, first, sheet('2024旧表', { 2: ['姓名'], 3: ['旧'], 4: ['旧'] }), second, sheet('Sheet4', {})]
    const text = sheetText(sheets)
    const found = planned(sheets)
    const read = lineReader(text, found, columns)
    expect(plannedRows(text, found).map(row_no => [placeOf(found, row_no), read(row_no).cells])).toEqual([
      [{ sheet: '一年级', line: 3 }, { no: '001', name: '王一' }],
      [{ sheet: '二年级', line: 4 }, { no: '002', name: '李二' }],
      [{ sheet: '二年级', line: 5 }, { no: '003', name: '张三' }],
    ])
    expect(unreadSheets(found)).toEqual([{ name: '填写说明', rows: 2 }, { name: '2024旧表', rows: 3 }])
    expect(planNotes(found)).toEqual(['“二年级”第4、5行被隐藏'])
    expect([...hiddenRows(found)].map(rowNamer(found))).toEqual(['“二年级”第4行', '“二年级”第5行'])
  })

  it('says nothing of the sheet where one alone is read', () => {
    const found = planned([notes, second])
    expect([placeOf(found, 4), rowNamer(found)(4), planNotes(found)]).toEqual([{ sheet: null, line: 4 }, '第4行', ['第4、5行被隐藏']])
  })

  it('without any header of the template says what the nearest lacks', () => {
    expect(plan([notes, sheet('名单', { 3: ['姓名', '班级'], 4: ['王一', '1班'] })])).toBe('工作表“名单”模板不匹配，缺少列：学号')
  })

  it('may have an endless sheet beside the one that is read', () => {
    const endless = sheet('流水', { 1: ['a'] }, { refusal: 'too_many_rows' })
    expect(planned([endless, first])).toMatchObject([{ header_row: null }, { header_row: 2 }])
    expect(() => plan([{ ...first, refusal: 'too_many_rows' }, second])).toThrow(new SheetRefused('too_many_rows'))
  })
})

it('a sheet of notes and headers alone holds no data', () => {
  expect(() => plan([sheet('', { 1: ['说明'], 2: ['学号', '姓名'] })])).toThrow(new SheetRefused('no_data'))
})
