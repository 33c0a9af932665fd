import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chosenOf, giveHugePages } from './huge-pages.ts'

it('the machine has large pages while a run lasts, and afterwards what it had', () => {
  const dir = mkdtempSync(join(tmpdir(), 'huge-pages-'))
  const read = (name: string) => readFileSync(join(dir, name), 'utf8')
  writeFileSync(join(dir, 'enabled'), 'always [madvise] never\n')
  writeFileSync(join(dir, 'shmem_enabled'), '[always] within_size advise never deny force\n')
  const putBack = giveHugePages(dir)
  expect(read('enabled')).toBe('always')
  putBack()
  expect(read('enabled')).toBe('madvise')
  expect(read('shmem_enabled'), 'what was so already is left alone').toContain('[always]')
  rmSync(dir, { recursive: true })
})

it('a machine without the setting is left alone', () => {
  expect(() => giveHugePages('/nowhere')()).not.toThrow()
  expect(chosenOf('madvise')).toBeUndefined()
})
