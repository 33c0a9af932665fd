import { expect, test } from 'vitest'
import { keptNames } from './sign-out.ts'

test('10-A16 signing out keeps account and remember token only when the password was remembered', () => {
  expect(keptNames(false)).toEqual(['downloadFlag', 'school_id', 'cardConfig'])
  expect(keptNames(true)).toEqual(['downloadFlag', 'school_id', 'cardConfig', 'account', 'password'])
})
