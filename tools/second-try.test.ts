import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filesForSecondTry } from './second-try.ts'

const folder = mkdtempSync(join(tmpdir(), 'second-try-'))
afterAll(() => rmSync(folder, { recursive: true }))

function reportOf(...states: readonly (readonly [string, string])[]): string {
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify({ success: false, testResults: states.map(([name, status]) => ({ name, status, assertionResults: [] })) }))
  return file
}

test('a few failed files are tried again, by their paths in the project', () => {
  expect(filesForSecondTry(reportOf(['/p/e2e/a.test.ts', 'failed'], ['/p/e2e/b.test.ts', 'passed']), '/p')).toEqual(['e2e/a.test.ts'])
})

test('many failed files, none, or no report at all get no second try', () => {
  const seven = [...'abcdefg'].map(name => [`/p/${name}.test.ts`, 'failed'] as const)
  expect(filesForSecondTry(reportOf(...seven), '/p')).toEqual([])
  expect(filesForSecondTry(reportOf(['/p/a.test.ts', 'passed']), '/p')).toEqual([])
  expect(filesForSecondTry(join(folder, 'never-written.json'), '/p')).toEqual([])
})
