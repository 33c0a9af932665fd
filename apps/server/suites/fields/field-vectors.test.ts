import { setTimeout as pause } from 'node:timers/promises'
import { importApi } from '@campus/jobs/contract'
import type { ImportRow } from '@campus/jobs/contract'
import { writeTemplate } from '@kit/server/excel'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { domains } from '../../domains.ts'
import { dataOf, startTestApp, test_schools } from '../../testing/index.ts'
import type { TestApp } from '../../testing/index.ts'
import { asked_column, columns, field_codes, fieldApi, fieldDomain, form_rules } from './field-domain.ts'
import { readVectors, staleNotes } from './vectors.ts'
import type { Vector } from './vectors.ts'

const { rows, left_out, vectors } = readVectors()
const page_size = 300
const FieldErrors = z.object({ errors: z.array(z.object({ field: z.string(), msg: z.string() })) })

let app: TestApp
let token: string
let imported: Map<number, ImportRow>

beforeAll(async () => {
  app = await startTestApp({ domains: [...domains, fieldDomain] })
  token = (await app.as({ school_id: test_schools.a, codes: field_codes })).token
  imported = await importAll()
})
afterAll(() => app.close())

/** The dry run of one sheet that has every vector in a line of its own, by line. */
async function importAll(): Promise<Map<number, ImportRow>> {
  const samples = vectors.map(({ prop, text }) => [prop, ...columns.map(column => (column.prop === prop ? text : ''))])
  const headers = [asked_column, ...columns].map(({ label, prop }) => ({ label, prop, required: false, text: true }))
  const body = new Uint8Array(await writeTemplate({ sheet: '字段', notes: ['说明'], columns: headers, samples }))
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'every_field' }, { token, file: { name: '字段.xlsx', body } }))
  for (;;) {
    const { state } = dataOf(importApi.one, await app.call(importApi.one, { batch_no }, { token }))
    if (state === 'parsed') break
    if (state !== 'uploaded' && state !== 'parsing') throw new Error(`the batch is ${state}`)
    await pause(20)
  }
  const list: ImportRow[] = []
  for (let page_index = 1; list.length < vectors.length; page_index += 1) {
    const page = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, page_index, page_size }, { token })).list
    if (page.length === 0) break
    list.push(...page)
  }
  return new Map(list.map(row => [row.row_no, row]))
}

/** What a form shows under the field: the first sentence of its rule. */
function inForm({ prop, text }: Vector): string {
  return form_rules.get(prop)?.safeParse(text).error?.issues[0]?.message ?? ''
}

async function inCall({ prop, text }: Vector): Promise<string> {
  const answer = await app.call(fieldApi.save, { [prop]: text }, { token })
  if (answer.status === 200) return ''
  const { errors } = FieldErrors.parse(answer.body.data)
  return errors.map(({ field, msg }) => (field === prop ? msg : `${field} ${msg}`)).join('；')
}

function inImport(at: number): string {
  const row = imported.get(at + 3)
  return row ? (row.errors ?? []).map(({ msg }) => msg).join('；') : 'no such row'
}

test('20-A18 every row of every vector file is either a field here or listed with its place', () => {
  const met = new Set(vectors.map(({ at }) => at))
  expect([rows, met.size, left_out.length]).toEqual([436, 328, 108])
  expect(imported.size).toBe(vectors.length)
  expect(staleNotes()).toEqual([])
})

describe('20-A18 a vector has one verdict and sentence in form, call and import', () => {
  test.each(vectors.map((vector, at) => [vector.at, vector.prop, vector.text, vector.message, at] as const))('%s %s %s: %s', async (_at, _prop, _text, message, at) => {
    const vector = vectors[at]
    if (!vector) throw new Error('no such vector')
    expect([inForm(vector), await inCall(vector), inImport(at)]).toEqual([message, message, message])
  })
})
