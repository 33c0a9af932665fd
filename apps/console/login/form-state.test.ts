import { describe, expect, test } from 'vitest'
import { openingForm, resumed, shownPassword, withAccount, withPassword } from './form-state.ts'

const empty = { account: '', password: '', captcha: '', remember: false, remember_token: null }
const remembered = { ...empty, account: 'admin01', remember: true, remember_token: 'token' }

test('without anything remembered the form opens empty and unticked', () => {
  expect(openingForm()).toEqual(empty)
})

describe('a remembered password', () => {
  test('shows six dots', () => {
    expect(shownPassword(remembered)).toBe('●●●●●●')
  })

  test('is replaced by what is typed among, before or over the dots', () => {
    for (const text of ['●●●●●●x', 'x●●●●●●', '●●x●●●●', 'x']) {
      expect(withPassword(remembered, text)).toMatchObject({ password: 'x', remember_token: null })
    }
  })

  test('is gone once a dot is deleted', () => {
    expect(withPassword(remembered, '●●●●●')).toMatchObject({ password: '', remember_token: null })
  })

  test('is gone once the account changes', () => {
    expect(withAccount(remembered, 'admin02')).toMatchObject({ account: 'admin02', password: '', remember_token: null })
  })
})

test('a typed password is left as it is, dots included', () => {
  expect(withPassword(empty, 'a●b').password).toBe('a●b')
})

test.each([
  [empty, 'account'],
  [{ ...empty, account: 'a' }, 'password'],
  [{ ...empty, account: 'a', password: 'b' }, 'captcha'],
  [{ ...empty, account: 'a', password: 'b', captcha: 'c' }, 'captcha'],
  [remembered, 'captcha'],
])('the cursor goes to the first empty field of %j', (form, field) => {
  expect(resumed(form).cursor.field).toBe(field)
})
