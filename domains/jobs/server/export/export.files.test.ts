import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openFiles } from '@kit/server/files'
import { createLog } from '@kit/server/log'
import { describe, expect, test } from 'vitest'
import { sweepExports } from './export.files.ts'

describe('unfinished exports of dead processes', () => {
  test('go at the start of a process that is alone, and by their age where others may be writing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sweep-'))
    const files = await openFiles(folder)
    const leave = async (name: string) => {
      const path = join(dirname(files.pathOf('0')), '1001', 'export', name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, 'x')
      return path
    }
    const desk = { files, log: createLog('silent') }
    await leave('young.xlsx.partial')
    await utimes(await leave('old.xlsx.partial'), 1, 1)
    await utimes(await leave('result.xlsx'), 1, 1)
    const there = () => readdir(join(folder, 'files', '1001', 'export'))
    await sweepExports(desk, false)
    expect(await there()).toEqual(['result.xlsx', 'young.xlsx.partial'])
    await sweepExports(desk, true)
    expect(await there()).toEqual(['result.xlsx'])
    await rm(folder, { recursive: true })
  })
})
