import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where Linux says how it hands out memory in pages of 2 MiB. */
const settings_dir = '/sys/kernel/mm/transparent_hugepage'
/** `enabled` is of the memory of every process, `shmem_enabled` of what PostgreSQL's processes share. */
const settings = ['enabled', 'shmem_enabled']

/**
 * Lets every process have its memory in large pages while a run lasts. A run starts hundreds of processes that live for seconds, and on a
 * virtual machine their first touch of each small page is dear. Needs root; does nothing where the machine does not allow it.
 * @returns how to put the machine back as it was
 */
export function giveHugePages(dir = settings_dir): () => void {
  const undo = settings.map(name => choose(join(dir, name), 'always'))
  return () => undo.forEach(putBack => putBack())
}

function choose(file: string, value: string): () => void {
  const nothing = () => undefined
  const before = existsSync(file) ? chosenOf(readFileSync(file, 'utf8')) : undefined
  if (before === undefined || before === value) return nothing
  try {
    writeFileSync(file, value)
  } catch {
    // Not root, or a container that may not say: the run is slower, and right.
    return nothing
  }
  return () => writeFileSync(file, before)
}

/** The chosen one of `always [madvise] never`. Pure, so that it can be tested. */
export function chosenOf(line: string): string | undefined {
  return /\[(\w+)\]/.exec(line)?.[1]
}
