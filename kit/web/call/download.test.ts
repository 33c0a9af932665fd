import { expect, test } from 'vitest'
import { fileNameOf } from './download.ts'

test.each([
  [`attachment; filename="a.xlsx"; filename*=UTF-8''%E5%AD%A6%E7%94%9F.xlsx`, '学生.xlsx'],
  ['attachment; filename="students.xlsx"', 'students.xlsx'],
  ['attachment; filename=students.xlsx', 'students.xlsx'],
  [`attachment; filename*=UTF-8''%E5%`, '%E5%'],
  ['attachment', 'download'],
  [null, 'download'],
])('%s is saved as %s', (disposition, name) => {
  expect(fileNameOf(disposition)).toBe(name)
})
