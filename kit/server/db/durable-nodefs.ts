import { closeSync, fstatSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** The parts of a file that the engine's file system shows to its operations. */
type OpenFile = { nfd?: number; node: object }
type Change = { size?: number }
type FileOperations = {
  fsync?: (file: OpenFile) => number
  llseek: (file: OpenFile, offset: number, whence: number) => number
  write: (file: OpenFile, bytes: Uint8Array, from: number, length: number, position: number) => number
  setattr: (file: OpenFile, change: Change) => void
}
type NodeOperations = { setattr: (node: object, change: Change) => void }
type NodeFileSystem = { stream_ops: FileOperations; node_ops: NodeOperations; realPath: (node: object) => string }

const EIO = 29
const from_end = 2

/**
 * The engine's directory file system with real syncs: the published one drops every fsync. And it knows how long its files are: the engine asks for
 * each table and index of each statement, and the published one asks the system every time. It reaches into the engine's internals, so the engine's
 * version is pinned, and tests count the syncs and compare the lengths.
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
    rememberSizes(files)
  }
}

/** Answers where a file ends without the system, which is asked once: every write and every change of length goes through these operations, for the directory belongs to this process alone. */
function rememberSizes({ stream_ops, node_ops }: NodeFileSystem): void {
  const sizes = new WeakMap<object, number>()
  const { llseek, write, setattr } = stream_ops
  const { setattr: setNode } = node_ops
  stream_ops.llseek = (file, offset, whence) => {
    if (whence !== from_end || offset !== 0 || file.nfd === undefined) return llseek(file, offset, whence)
    const size = sizes.get(file.node) ?? fstatSync(file.nfd).size
    sizes.set(file.node, size)
    return size
  }
  stream_ops.write = (file, bytes, from, length, position) => {
    const written = write(file, bytes, from, length, position)
    const size = sizes.get(file.node)
    if (size !== undefined && position + written > size) sizes.set(file.node, position + written)
    return written
  }
  stream_ops.setattr = (file, change) => {
    sizes.delete(file.node)
    setattr(file, change)
  }
  node_ops.setattr = (node, change) => {
    sizes.delete(node)
    setNode(node, change)
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
