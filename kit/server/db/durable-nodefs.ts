import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** The parts of a file that the engine's file system shows to its operations. */
type OpenFile = { nfd?: number; node: object }
type FileOperations = { fsync?: (file: OpenFile) => number }
type NodeFileSystem = { stream_ops: FileOperations; realPath: (node: object) => string }

const EIO = 29

/**
 * The engine's directory file system with real syncs: the published one drops every fsync. It reaches into the engine's internals, so the
 * engine's version is pinned and a test counts the syncs.
 */
export class DurableNodeFs extends NodeFS {
  /** Syncs that reached the disk. */
  syncs = 0

  override async init(...[engine, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const prepared = await super.init(engine, options)
    const preRun = [...(prepared.emscriptenOpts.preRun ?? []), (module: PGlite['Module']) => this.#hook(module.NODEFS)]
    return { emscriptenOpts: { ...prepared.emscriptenOpts, preRun } }
  }

  #hook(files: NodeFileSystem): void {
    files.stream_ops.fsync = (file) => {
      try {
        if (file.nfd === undefined) syncPath(files.realPath(file.node))
        else fsyncSync(file.nfd)
        this.syncs += 1
        return 0
      } catch {
        return EIO
      }
    }
  }
}

/** Syncs a directory and everything below it: a new database is copied into place without any sync. */
export function syncTree(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(directory)
}

function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
