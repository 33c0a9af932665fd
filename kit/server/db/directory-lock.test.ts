import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { holdDirectory } from './directory-lock.ts'

let directory: string
const lock = (): string => join(directory, 'lock')
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'campus-lock-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

it('one holder at a time', () => {
  const letGo = holdDirectory(directory)
  expect(() => holdDirectory(directory)).toThrow(`is in use by process ${process.pid}`)
  letGo()
  holdDirectory(directory)()
  expect(readdirSync(directory)).toEqual([])
})

it('takes over from a process that died', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  writeFileSync(lock(), JSON.stringify({ pid: child.pid, started: '' }))
  const letGo = holdDirectory(directory)
  expect(readFileSync(lock(), 'utf8')).toContain(`"pid":${process.pid}`)
  letGo()
})

it.runIf(process.platform === 'linux')('takes over from an earlier life of the same pid', () => {
  writeFileSync(lock(), JSON.stringify({ pid: process.pid, started: 'another-boot:1' }))
  holdDirectory(directory)()
})

it('takes over a file that says nothing', () => {
  writeFileSync(lock(), '')
  holdDirectory(directory)()
})

it('never drops the lock of somebody else', () => {
  const letGo = holdDirectory(directory)
  writeFileSync(lock(), 'theirs')
  letGo()
  expect(readFileSync(lock(), 'utf8')).toBe('theirs')
})
