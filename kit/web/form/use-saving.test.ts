import type { FormInstance } from 'antd'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { CallError } from '../call/envelope.ts'
import { ruleOf, showFieldErrors } from './form-rules.ts'
import { isUnfilled, sentenceOf } from './use-saving.ts'

const refusal = (errors: { field: string; msg: string }[], error_id = 'common.malformed') => new CallError({ status: 400, code: 400, msg: '请求内容有误，请检查后重试', errors, error_id })

test.each([
  [refusal([{ field: 'quota', msg: '名额最多10000' }, { field: 'lines.0', msg: '名额最多10000' }]), '请求内容有误，请检查后重试（名额最多10000）'],
  [refusal([]), '请求内容有误，请检查后重试'],
  [refusal([{ field: 'a', msg: '手机号格式不正确' }], 'people.invalid'), '请求内容有误，请检查后重试'],
  [new CallError({ status: 0, code: 0, msg: '' }), '网络异常，请检查网络后重试'],
])('what a refusal says tells what was wrong in the input', (cause, sentence) => {
  expect(sentenceOf(cause)).toBe(sentence)
})

test('a form that is not filled in is no broken connection', () => {
  expect([{ values: {}, errorFields: [], outOfDate: false }, new Error('fetch failed'), null].map(isUnfilled)).toEqual([true, false, false])
})

test('a refusal of fields stands beside them; what belongs to no field of the form is not taken for told', () => {
  const setFields = vi.fn<FormInstance['setFields']>()
  const form = { setFields, getFieldsError: () => [{ name: ['quota'], errors: [], warnings: [] }] }
  expect(showFieldErrors(form, refusal([{ field: 'quota', msg: '名额最多10000' }]))).toBe(true)
  expect(showFieldErrors(form, refusal([{ field: 'quota', msg: '名额最多10000' }, { field: 'other', msg: '请填写' }]))).toBe(false)
  expect(showFieldErrors(form, refusal([], 'people.seasonTaken'), { 'people.seasonTaken': 'quota' })).toBe(true)
  expect(setFields).toHaveBeenLastCalledWith([{ name: 'quota', errors: ['请求内容有误，请检查后重试'] }])
})

test.each([
  [z.string(), undefined, '必填项不能为空'],
  [z.enum(['01', '02']), undefined, '必填项不能为空'],
  [z.number(), '三', '内容格式有误，请检查后修改'],
  [z.string({ error: '请填写设备名称' }), undefined, '请填写设备名称'],
])('a field never speaks in the words of the schema library (%#)', async (schema, value, sentence) => {
  const check = Reflect.get(ruleOf(schema), 'validator')
  await expect(check({}, value)).rejects.toThrow(sentence)
})
