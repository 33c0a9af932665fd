import { startTestApp, vectorRows } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import type { ImportRow } from '@campus/jobs/contract'
import { foldFullWidth } from '@kit/contract/checks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importer } from '../testing/importer.ts'
import type { Line } from '../testing/importer.ts'

type Vector = { prop: string; text: string; message: string; warns?: boolean; more?: Line }

let app: TestApp
let rows: ImportRow[]

function rule(name: string, prop: string, more?: Line): Vector[] {
  return vectorRows('validation').filter(row => row.rule === name && row.mode !== '18_only').map(row => ({ prop, text: row.input ?? '', message: row.message ?? '', more }))
}

const resident = { id_type: '居民身份证' }
/** Every vector of a field that the sheet has a column for. A text that folding or trimming changes is another text by then. */
const vectors: Vector[] = [
  ...rule('field.no_comma', 'user_name'),
  ...rule('field.student_no', 'student_no'),
  ...rule('field.mobile', 'tel'),
  ...rule('field.mobile', 'p1_mobile'),
  ...rule('field.email', 'email'),
  ...rule('field.id_card', 'id_no', resident),
  ...rule('field.alnum_1_50', 'id_no', { id_type: '护照' }),
  ...vectorRows('mobile').map(row => ({ prop: 'tel', text: row.mobile ?? '', message: row.message ?? '' })),
  ...vectorRows('email').map(row => ({ prop: 'email', text: row.email ?? '', message: row.message ?? '' })),
  ...vectorRows('id-card').map(row => {
    const message = row.message_15_or_18 || (row.date_ok === '0' ? '身份证号格式不正确' : '')
    return { prop: 'id_no', text: row.id_no ?? '', message, warns: message === '' && (row.checksum_ok === '0' || row.region_known === '0'), more: resident }
  }),
].filter(isPlain)

/** Mobiles lose blanks and dashes, and an identity document that is no resident card ends at 30 signs, not at 50. */
function isPlain({ prop, text, more }: Vector): boolean {
  if (text === '' || foldFullWidth(text.trim()) !== text) return false
  if (prop === 'tel' || prop === 'p1_mobile') return !/[ -]/.test(text)
  return more?.id_type !== '护照' || text.length <= 30
}

beforeAll(async () => {
  app = await startTestApp()
  const by = importer(app, await app.as({ school_id: 1001, codes: ['people.student.import'] }))
  const batch = await by.dryRun('student', vectors.map(({ prop, text, more }, at) => ({ student_no: `V${at}`, ...more, [prop]: text })))
  rows = await by.rows(batch.batch_no)
})
afterAll(() => app.close())

test('the files are read', () => {
  expect(vectors.length).toBeGreaterThan(120)
  expect(rows).toHaveLength(vectors.length)
})

test.each(vectors.map((vector, at) => [vector.prop, vector.text, vector.message, at] as const))('%s %s: %s', (prop, _text, message, at) => {
  const row = rows[at]
  const about = (list: ImportRow['errors'] | undefined) => (list ?? []).filter(issue => issue.prop === prop && !/^同一学生|^文件内/.test(issue.msg)).map(({ msg }) => msg)
  expect(about(row?.errors)).toEqual(message === '' ? [] : [message])
})

test.each(vectors.flatMap(({ text, warns }, at) => (warns === undefined ? [] : [[text, warns, at] as const])))('%s warns of check sign or region: %s', (_text, warns, at) => {
  const about = (rows[at]?.warnings ?? []).filter(issue => issue.prop === 'id_no').map(({ msg }) => msg)
  expect(about).toEqual(warns ? ['身份证号校验位不符，请核对'] : [])
})
