import type { FormInstance } from 'antd'
import { expect, test, vi } from 'vitest'
import { CallError } from '../call/envelope.ts'
import { showFieldErrors } from './form-rules.ts'
import { sentenceOf } from './use-saving.ts'

const refusal = (errors: { field: string; msg: string }[], error_id = 'common.malformed') => new CallError({ status: 400, code: 400, msg: '请求内容有误，请检查后重试', errors, error_id })

test.each([
  [refusal([{ field: 'quota', msg: '名额最多10000' }, { field: 'lines.0', msg: '名额最多10000' }]), '请求内容有误，请检查后重试（名额最多10000）'],
  [refusal([]), '请求内容有误，请检查后重试'],
  [refusal([{ field: 'a', msg: '手机号格式不正确' }], 'people.invalid'), '请求内容有误，请检查后重试'],
  [new CallError({ status: 0, code: 0, msg: '' }), '网络异常，请检查网络后重试'],
])('what a refusal says tells what was wrong in the input', (cause, sentence) => {
  expect(sentenceOf(cause)).toBe(sentence)
})

test('a refusal of fields stands beside them; what belongs to no field of the form is not taken for told', () => {
  const setFields = vi.fn<FormInstance['setFields']>()
  const form = { setFields, getFieldsError: () => [{ name: ['quota'], errors: [], warnings: [] }] }
  expect(showFieldErrors(form, refusal([{ field: 'quota', msg: '名额最多10000' }]))).toBe(true)
  expect(showFieldErrors(form, refusal([{ field: 'quota', msg: '名额最多10000' }, { field: 'other', msg: '请填写' }]))).toBe(false)
  expect(showFieldErrors(form, refusal([], 'people.seasonTaken'), { 'people.seasonTaken': 'quota' })).toBe(true)
  expect(setFields).toHaveBeenLastCalledWith([{ name: 'quota', errors: ['请求内容有误，请检查后重试'] }])
})
