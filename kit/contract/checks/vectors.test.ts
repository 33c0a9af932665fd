import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as checks from './index.ts'
import type { Verdict } from './index.ts'
import { parseCsv } from './vectors/parse-csv.ts'

type Row = Record<string, string>

const ROWS_OF_FILE = {
  validation: 204, 'id-card': 80, mobile: 31, email: 24, ipv4: 24, qq: 18, plate: 55,
}
const TODAY = '2026-11-20'
const strongOf = (row: Row) => ({ strong: row['mode'] === 'strong' })
const blocked = { allow_login_web: 1, allow_login_web_text: null }

/** One entry per rule of validation-vectors.csv: how a row of it is put to the checks. */
const RULES: Record<string, (input: string, row: Row) => Verdict> = {
  'login.account': checks.checkAccount,
  'login.captcha': checks.checkCaptcha,
  'login.password': (input, row) => checks.checkLoginPassword(input, strongOf(row)),
  'login.roles': () => checks.checkUsableRoles([]),
  'login.menu': () => checks.checkMenu([]),
  'default_pwd.new': (input, row) => checks.checkNewPassword(input, Number(row['mode']?.slice('min='.length))),
  'change_pwd.old': checks.checkOldPassword,
  'change_pwd.confirm': (input, row) => checks.checkNewPasswordPair(input, row['second_input'] ?? ''),
  'change_pwd.submit': () => checks.checkPasswordSubmit([null, checks.checkOldPassword('')]),
  'field.no_special': checks.checkNoSpecial,
  'field.no_comma': checks.checkNoComma,
  'field.student_no': checks.checkStudentNo,
  'field.mobile': checks.checkMobile,
  'field.id_card': (input, row) => checks.checkResidentId(input, row['mode'] === '18_only' ? '18_only' : '15_or_18', TODAY),
  'field.digits': checks.checkDigits,
  'field.alnum_1_50': checks.checkAlnum1to50,
  'field.recognition_pwd': checks.checkRecognitionPassword,
  'field.ipv4': checks.checkIpv4,
  'field.qq': checks.checkQq,
  'field.email': checks.checkEmail,
  'field.username': checks.checkUsername,
  'field.password_6_20': checks.checkPassword6to20,
  'field.plate': checks.checkPlate,
  'permission.marker': () => checks.checkMarker(undefined),
  'columns.hide_last': () => checks.checkHideColumn(1),
  'resource.download': () => checks.checkSelection([], 'download'),
  'resource.delete': () => checks.checkSelection([], 'delete'),
  'resource.publish': () => checks.checkSelection([], 'publish'),
  'resource.unpublish_place': () => checks.checkSelection([], 'unpublish_place'),
  'resource.unpublish_teacher': () => checks.checkSelection([], 'unpublish_teacher'),
  'device.pwd': checks.checkDevicePassword,
  'device.firmware': checks.checkFirmwareName,
  'identity.confirm': (_, row) => checks.checkRoleChoice(row['mode'] === 'no role chosen' ? null : blocked),
  'image.before_upload': () => checks.checkResized(null),
}

describe('every row of the vector files gives its verdict and its sentence', () => {
  test.each(Object.entries(ROWS_OF_FILE))('%s-vectors.csv is read whole', (file, count) => {
    expect(rowsOf(file)).toHaveLength(count)
  })

  test('rules and checks are the same set', () => {
    expect(Object.keys(RULES).toSorted()).toEqual([...new Set(rowsOf('validation').map((row) => row['rule']))].toSorted())
  })

  test.each(titled('validation', (row) => `${row['rule']} ${row['mode']}`))('%s', (_, row) => {
    const rule = RULES[row['rule'] ?? '']
    if (!rule) throw new Error(`no check for rule ${row['rule']}`)
    expectVerdict(rule(row['input'] ?? '', row), row)
  })

  test.each([
    ['mobile', checks.checkMobile], ['email', checks.checkEmail], ['qq', checks.checkQq], ['plate', checks.checkPlate],
  ] as const)('%s-vectors.csv', (file, check) => {
    for (const row of rowsOf(file)) expectVerdict(check(row[file] ?? ''), row)
  })

  test('ipv4-vectors.csv', () => {
    for (const row of rowsOf('ipv4')) expectVerdict(checks.checkIpv4(row['ip'] ?? ''), row)
  })
})

describe('every row of id-card-vectors.csv', () => {
  test.each(titled('id-card', (row) => row['note'] ?? ''))('%s', (_, row) => {
    const id_no = row['id_no'] ?? ''
    expect(checks.checkIdCard(id_no)).toBe(row['message_15_or_18'] || null)
    expect(checks.checkIdCard(id_no) === null).toBe(row['spec_15_or_18'] === '1')
    expect(checks.checkIdCard(id_no, '18_only')).toBe(row['message_18_only'] || null)
    expect(checks.checkIdCard(id_no, '18_only') === null).toBe(row['spec_18_only'] === '1')

    const card = checks.parseIdCard(id_no, TODAY)
    const strict = card !== null && card.birthday !== null && card.checksum_ok && card.region_ok
    expect(strict).toBe(row['gb11643'] === 'valid')
    expect(strict ? card.normalised : '').toBe(strict ? row['normalised'] : '')
    const told = card && [card.birthday !== null, card.region_ok, card.checksum_ok]
    expect(told).toEqual(card && [row['date_ok'] === '1', row['region_known'] === '1', row['checksum_ok'] !== '0'])
  })
})

function rowsOf(file: string): Row[] {
  return parseCsv(readFileSync(new URL(`vectors/${file}-vectors.csv`, import.meta.url), 'utf8'))
}

function titled(file: string, name: (row: Row) => string): [string, Row][] {
  return rowsOf(file).map((row, i) => [`line ${i + 2}: ${name(row)} ${JSON.stringify(row['input'] ?? row['id_no'])}`, row])
}

// Rows whose sentence the product does not give, or which is no sentence for users, stand in brackets.
function expectVerdict(verdict: Verdict, row: Row): void {
  const message = row['message'] ?? ''
  const sentence = message.startsWith('(') ? verdict : message
  expect(verdict).toBe(message === '' ? null : sentence)
  expect(verdict === null).toBe(row['expected'] === 'valid')
}
