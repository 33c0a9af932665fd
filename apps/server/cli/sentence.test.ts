import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sentenceOf } from './sentence.ts'

test('a missing file is named, with what to do', async () => {
  const cause: unknown = await readFile('/nonexistent/manifest.json').catch((error: unknown) => error)
  expect(sentenceOf(cause)).toBe('/nonexistent/manifest.json does not exist: check the path')
})

test('a database without tables says what to run', () => {
  expect(sentenceOf(Object.assign(new Error('relation "account" does not exist'), { code: '42P01' }))).toContain('migrate up')
})

test('every other failure keeps its own line', () => {
  expect(sentenceOf(new Error('usage: token <account>'))).toBe('usage: token <account>')
  expect(sentenceOf('broken')).toBe('broken')
})
