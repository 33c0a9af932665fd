import { alertTemplates, fieldNames } from '@campus/messages/contract'
import { describe, expect, test } from 'vitest'
import { keptWords, preview, problemOf, shownWords } from './template-words.ts'

const names = { until: '锁定至', at: '时间' }
const template = { fields: { until: 16, at: 16 }, field_names: names }

describe('the words of a template', () => {
  test.each(Object.values(alertTemplates).map(one => [one.code, one] as const))('%s are read in Chinese alone and kept as they were declared', (_code, declared) => {
    const own = fieldNames(declared)
    for (const words of [declared.title, declared.body]) {
      expect(shownWords(words, own)).not.toMatch(/\{\w+\}/)
      expect(keptWords(shownWords(words, own), own)).toBe(words)
    }
    expect(new Set(Object.values(own)).size).toBe(Object.keys(own).length)
  })

  test('are shown with marks where a field will be filled in', () => {
    expect(preview('账号锁定至{until}', names)).toBe('账号锁定至〔锁定至〕')
    expect(preview('账号锁定至{ 锁定至 }', names)).toBe('账号锁定至〔锁定至〕')
  })

  test.each([
    ['{锁定至}', null],
    ['{until}', null],
    ['{时刻}', '没有名为{时刻}的字段'],
    ['{when}', '没有名为{when}的字段'],
    ['', '请输入标题'],
  ])('%j: %s', (title, problem) => {
    expect(problemOf({ title, body: '正文' }, template)).toBe(problem)
  })
})
