import { execFile } from 'node:child_process'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

const run = promisify(execFile)
const Trace = z.object({ traceEvents: z.array(z.looseObject({ ph: z.string(), name: z.string(), ts: z.number(), args: z.looseObject({ path: z.string().optional(), new_path: z.string().optional() }) })) })
let folder: string

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'campus-durable-')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What a process of its own does with the disk while it runs `lines`: `sync <path>` and `name <path>`, ids left out. */
async function traced(lines: readonly string[]): Promise<string[]> {
  const script = join(folder, 'script.mjs')
  const trace = join(folder, 'trace.json')
  const source = (path: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href)
  await writeFile(script, [`import { openFiles } from ${source('index.ts')}`, `import { writeRowsFile } from ${source('../excel/index.ts')}`, `const files = await openFiles(${JSON.stringify(folder)})`, ...lines].join('\n'))
  await run(process.execPath, ['--trace-event-categories', 'node.fs.async', '--trace-event-file-pattern', trace, script])
  const { traceEvents } = Trace.parse(JSON.parse(await readFile(trace, 'utf8')))
  const begun = traceEvents.filter(({ ph, name }) => ph === 'b' && ['open', 'fsync', 'rename'].includes(name)).toSorted((one, other) => one.ts - other.ts)
  return begun.flatMap(({ name, args }, at) => {
    if (name === 'rename') return [`name ${shortOf(args.new_path)}`]
    return name === 'fsync' ? [`sync ${shortOf(begun[at - 1]?.args.path)}`] : []
  })
}

function shortOf(path = ''): string {
  return path.slice(folder.length + 1).replace(/[0-9a-f-]{36}/, '*')
}

test('a sheet has its name only once its bytes are on the disk, and its name and every folder above it are there too', async () => {
  const lines = [`const { path } = await files.reserve(1001, 'export', '.xlsx')`, `await writeRowsFile(path, { sheet: '表', head: [], columns: [{ label: '姓名' }], rows: [['张三']] })`]
  expect(await traced(lines)).toEqual(['sync files/1001', 'sync files', 'sync files/1001/export/*.xlsx.partial', 'name files/1001/export/*.xlsx', 'sync files/1001/export'])
})

test('so has an upload', async () => {
  const lines = [`const { path } = await files.receive(new Response('x').body)`, `await files.place(path, '1001/7/20261121/a.png')`]
  expect(await traced(lines)).toEqual(['sync files/1001/7', 'sync files/1001', 'sync files', 'sync upload/*', 'name files/1001/7/20261121/a.png', 'sync files/1001/7/20261121'])
})
