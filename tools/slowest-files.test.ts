import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { slowestFiles } from './slowest-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'slowest-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the slowest twelve files stand in front, with their seconds', () => {
  const report = join(folder, 'report.json')
  const testResults = Array.from({ length: 15 }, (_, at) => ({ name: `/p/e2e/${at}.test.ts`, status: 'passed', startTime: 1000, endTime: 1000 + at * 500 }))
  writeFileSync(report, JSON.stringify({ testResults }))
  const found = slowestFiles(report, '/p')
  expect([found.length, found[0], found.at(-1)]).toEqual([12, { file: 'e2e/14.test.ts', seconds: 7 }, { file: 'e2e/3.test.ts', seconds: 1.5 }])
})

test('a step without a report has none', () => {
  expect(slowestFiles(join(folder, 'never-written.json'), '/p')).toEqual([])
})
