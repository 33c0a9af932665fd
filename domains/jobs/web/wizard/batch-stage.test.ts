import { describe, expect, test } from 'vitest'
import { batchRuns, plannedText, stepOf, steps } from './batch-stage.ts'
import { adviceFor, checkFile } from './file-check.ts'

const limit = { max_mb: 20, extensions: ['.xlsx', '.csv'] }

describe('the step of a batch', () => {
  test.each([
    ['uploaded', '解析'],
    ['parsing', '解析'],
    ['refused', '解析'],
    ['parsed', '核对'],
    ['applying', '导入'],
    ['applied', '结果'],
    ['undone', '结果'],
  ] as const)('%s stands on %s', (state, step) => {
    expect(steps[stepOf({ state, rows_total: 10 })]).toBe(step)
  })

  test('without a batch the wizard begins with the template', () => {
    expect(steps[stepOf(undefined)]).toBe('下载模板')
  })

  test('a batch that broke before it was read stands on 解析, later on 导入', () => {
    expect(steps[stepOf({ state: 'failed', rows_total: 0 })]).toBe('解析')
    expect(steps[stepOf({ state: 'failed', rows_total: 10 })]).toBe('导入')
  })

  test('the screen asks again only while the server works', () => {
    expect(batchRuns({ state: 'parsing' })).toBe(true)
    expect(batchRuns({ state: 'parsed' })).toBe(false)
  })
})

test('the import says what it will do, and leaves out what it will not', () => {
  expect(plannedText({ rows_new: 1200, rows_change: 3 }, '人')).toBe('新增 1,200 人，变更 3 人')
  expect(plannedText({ rows_new: 0, rows_change: 3 }, '人')).toBe('变更 3 人')
})

describe('a file before it travels', () => {
  test.each([
    ['学生.xlsx', 1000, null],
    ['学生.CSV', 1000, null],
    ['学生.xls', 1000, '文件格式不支持'],
    ['学生.xlsx', 20 * 1_048_576 + 1, '文件大小不能超过20MB'],
    ['学生.xlsx', 0, '文件中没有数据'],
  ])('%s of %i bytes', (name, size, msg) => {
    expect(checkFile({ name, size }, limit)?.msg ?? null).toBe(msg)
  })

  test.each(['模板不匹配，缺少列：学籍号', '超过20000行，请拆分后导入', '文件不合规，已拒绝', '公式单元格不支持', '文件中没有数据'])('“%s” comes with its own advice', (msg) => {
    expect(adviceFor(msg)).not.toBe(adviceFor('别的原因'))
  })
})
