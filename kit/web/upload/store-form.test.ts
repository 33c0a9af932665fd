import { expect, test } from 'vitest'
import { formFields } from './store-form.ts'

const key = '1001/7/20261121/a.jpg'

test.each([
  [1, { OSSAccessKeyId: 'id', policy: 'p', Signature: 's' }, ['key', 'Content-Type', 'OSSAccessKeyId', 'policy', 'Signature']],
  [2, { token: 't' }, ['key', 'token']],
  [3, { policy: 'p', 'x-amz-signature': 's' }, ['key', 'Content-Type', 'policy', 'x-amz-signature']],
])('the form of store %d', (oss_type, fields, names) => {
  const form = formFields({ oss_type, fields }, key, 'image/jpeg')
  expect(form.map(([name]) => name)).toEqual(names)
  expect(new Map(form).get('key')).toBe(key)
})

test('a file whose type the browser does not know goes without one', () => {
  expect(formFields({ oss_type: 3, fields: {} }, key, '')).toEqual([['key', key]])
})
