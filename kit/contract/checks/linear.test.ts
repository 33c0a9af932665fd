import { expect, test } from 'vitest'
import * as checks from './index.ts'

const SIZE = 50_000
const LONG_TEXTS = {
  letters: 'a'.repeat(SIZE),
  digits: '1'.repeat(SIZE),
  mixed: 'a1'.repeat(SIZE / 2),
  dots: 'a.'.repeat(SIZE / 2),
  'mail with many labels': `a@${'a.'.repeat(SIZE / 2)}`,
  'mail with many dashes': `a@${'a-'.repeat(SIZE / 2)}`,
  'octets without end': '1.'.repeat(SIZE / 2),
  blanks: ' '.repeat(SIZE),
  Chinese: '汉'.repeat(SIZE),
  'Chinese and a comma': `${'汉'.repeat(SIZE)},`,
  emoji: '😀'.repeat(SIZE / 2),
}

const REFUSED_ALWAYS = {
  checkAccount: checks.checkAccount,
  checkLoginPassword: (value: string) => checks.checkLoginPassword(value, { strong: false }),
  checkNewPassword: (value: string) => checks.checkNewPassword(value, 8),
  checkPassword6to20: checks.checkPassword6to20,
  checkMobile: checks.checkMobile,
  checkIdCard: checks.checkIdCard,
  checkResidentId: checks.checkResidentId,
  checkEmail: checks.checkEmail,
  checkIpv4: checks.checkIpv4,
  checkQq: checks.checkQq,
  checkPlate: checks.checkPlate,
  checkUsername: checks.checkUsername,
  checkAlnum1to50: checks.checkAlnum1to50,
  checkRecognitionPassword: checks.checkRecognitionPassword,
  checkStudentNo: checks.checkStudentNo,
  checkDeptName: checks.checkDeptName,
  checkPersonName: checks.checkPersonName,
  checkDevicePassword: checks.checkDevicePassword,
  checkFirmwareName: checks.checkFirmwareName,
}

const cases = Object.entries(REFUSED_ALWAYS).flatMap(([name, check]) =>
  Object.entries(LONG_TEXTS).map(([kind, text]) => [name, kind, check, text] as const))

test.each(cases)('%s answers 50,000 signs of %s', (_, __, check, text) => {
  expect(check(text)).toBeTypeOf('string')
})

test('unbounded checks answer 50,000 signs', () => {
  expect(checks.checkDigits(LONG_TEXTS.digits)).toBeNull()
  expect(checks.checkDigits(`${LONG_TEXTS.digits}a`)).not.toBeNull()
  expect(checks.checkNoSpecial(LONG_TEXTS.Chinese)).toBeNull()
  expect(checks.checkNoSpecial(LONG_TEXTS['Chinese and a comma'])).not.toBeNull()
  expect(checks.checkNoComma(LONG_TEXTS.Chinese)).toBeNull()
  expect(checks.checkNoComma(LONG_TEXTS['Chinese and a comma'])).not.toBeNull()
  expect(checks.foldFullWidth('１'.repeat(SIZE))).toBe(LONG_TEXTS.digits)
})
