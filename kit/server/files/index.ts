import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The embedded file store: files lie under `<data_dir>/files`, named by key; temporary uploads under `<data_dir>/upload`. */
export type FileStore = {
  /** Stores a stream in a temporary file; the caller removes it or keeps it by `keep`. */
  receive(stream: Readable): Promise<{ path: string; size: number }>
  /** Moves a temporary file into the store and answers its key `{school_id}/{purpose}/{uuid}{extension}`. */
  keep(path: string, school_id: number, purpose: string, extension: string): Promise<string>
  /** Path of a new file of the store, its folder made. Who writes there writes elsewhere first and moves it by `nameWhole`. */
  reserve(school_id: number, purpose: string, extension: string): Promise<{ file_key: string; path: string }>
  /** Moves a temporary file to a key that its uploader has named; what lay there is replaced. */
  place(path: string, file_key: string): Promise<void>
  /** Path for a new temporary file. */
  scratch(): string
  pathOf(file_key: string): string
  /** Path of a made smaller picture of a file. These lie outside the store: a backup needs none of them. */
  thumbOf(file_key: string, width: number): string
  discard(path: string): Promise<void>
}

/** No upload takes that long: an older temporary file was left by a process that died. */
const longest_upload_ms = 3_600_000

/** Opens the store; temporary files of an earlier run are removed, those that another process may still be writing are not. */
export async function openFiles(data_dir: string): Promise<FileStore> {
  const root = resolve(data_dir, 'files')
  const upload = resolve(data_dir, 'upload')
  await mkdir(upload, { recursive: true, mode: 0o700 })
  await removeOld(upload)
  await mkdir(root, { recursive: true, mode: 0o700 })

  const thumbs = resolve(data_dir, 'thumb')
  const inside = (folder: string, file_key: string) => {
    const path = resolve(folder, file_key)
    if (!path.startsWith(folder + sep)) throw new Error(`file key leaves the store: ${file_key}`)
    return path
  }
  const pathOf = (file_key: string) => inside(root, file_key)
  const reserve = async (school_id: number, purpose: string, extension: string) => {
    const file_key = `${school_id}/${purpose}/${randomUUID()}${extension}`
    const path = pathOf(file_key)
    await makeFolder(dirname(path), root)
    return { file_key, path }
  }
  return {
    pathOf,
    reserve,
    async receive(stream) {
      const path = join(upload, randomUUID())
      await pipeline(stream, createWriteStream(path, { mode: 0o600 })).catch(async (error: unknown) => {
        await rm(path, { force: true })
        throw error
      })
      return { path, size: (await stat(path)).size }
    },
    async keep(path, school_id, purpose, extension) {
      const target = await reserve(school_id, purpose, extension)
      await nameWhole(path, target.path)
      return target.file_key
    },
    async place(path, file_key) {
      const target = pathOf(file_key)
      await makeFolder(dirname(target), root)
      await nameWhole(path, target)
    },
    scratch: () => join(upload, randomUUID()),
    thumbOf: (file_key, width) => inside(join(thumbs, String(width)), file_key),
    discard: path => rm(path, { force: true }),
  }
}

/** Moves a file so that a power cut leaves it whole or not at all: its bytes reach the disk first, then its name. The names of the folders above are the caller's. */
export async function nameWhole(path: string, target: string): Promise<void> {
  await syncPath(path)
  await rename(path, target)
  await syncPath(dirname(target))
}

/** Makes the folder of a new file; what of it was not there is on the disk before anything lies in it. */
async function makeFolder(folder: string, root: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (let above = dirname(folder); above.startsWith(root); above = dirname(above)) await syncPath(above)
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found && Date.now() - found.mtimeMs > longest_upload_ms) await rm(path, { force: true })
  }
}
