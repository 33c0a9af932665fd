import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { propertyOf } from './database-error.ts'

type Holder = { pid: number; started: string }

/**
 * Takes exclusive hold of a data directory for this process and answers the function that lets it go. A file left by a process that died is
 * taken over. Throws `data directory … is in use by process 123` when its holder lives. It cannot see processes of another container.
 */
export function holdDirectory(directory: string): () => void {
  const lock = join(directory, 'lock')
  const own = JSON.stringify({ pid: process.pid, started: startOf(process.pid), key: randomUUID() })
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (createLock(lock, own)) return () => dropLock(lock, own)
    const found = readLock(lock)
    if (found === null) continue
    const holder = parseHolder(found)
    if (holder && isAlive(holder)) throw new Error(`data directory ${directory} is in use by process ${holder.pid}`)
    removeStale(lock, found)
  }
  throw new Error(`data directory ${directory} is in use by another process that is just starting`)
}

/** Creates the file complete or not at all: nobody ever reads a half-written lock. */
function createLock(lock: string, own: string): boolean {
  const draft = `${lock}.${randomUUID()}`
  writeFileSync(draft, own, { flag: 'wx' })
  try {
    linkSync(draft, lock)
    return true
  } catch (error) {
    if (propertyOf(error, 'code') === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Two starters may find the same stale file; only the one that moved exactly that file away goes on, a fresh one is put back. */
function removeStale(lock: string, stale: string): void {
  const aside = `${lock}.${randomUUID()}`
  try {
    renameSync(lock, aside)
  } catch (error) {
    if (propertyOf(error, 'code') === 'ENOENT') return
    throw error
  }
  if (readLock(aside) !== stale) renameSync(aside, lock)
  else rmSync(aside, { force: true })
}

function dropLock(lock: string, own: string): void {
  if (readLock(lock) === own) rmSync(lock, { force: true })
}

function readLock(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8')
  } catch (error) {
    if (propertyOf(error, 'code') === 'ENOENT') return null
    throw error
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const { pid, started } = JSON.parse(text)
    return Number.isInteger(pid) && typeof started === 'string' ? { pid, started } : null
  } catch {
    return null
  }
}

/** A pid alone is not enough: after a restart of the machine or container another process carries it, often this very one. */
function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (propertyOf(error, 'code') !== 'EPERM') return false
  }
  const now = startOf(pid)
  return now === '' || started === '' || now === started
}

/** When a process started, in the kernel's ticks since boot plus the boot's own id; empty where the system does not tell. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Fields after the command name, which may itself hold spaces and brackets; the start time is field 22.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${ticks}`
  } catch {
    return ''
  }
}
