import { readdirSync, readFileSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { reported } from './figure.ts'
import type { Bench, Line } from './figure.ts'

/** Processor time in milliseconds, by who used it. It says what work costs on a machine that others use as well. */
export type Spent = { server: number; database: number; terminals: number }
const tick_ms = 10

/** Begins to count; the answer says what was used since by this process, by PostgreSQL and by another process. */
export async function countCpu(bench: Bench, terminals?: ChildProcess): Promise<() => Spent> {
  const { pid } = await bench.cluster()
  const now = (): Spent => {
    const { user, system } = process.cpuUsage()
    return { server: (user + system) / 1000, database: pid === undefined ? 0 : familyOf(pid), terminals: terminals?.pid === undefined ? 0 : usedBy(terminals.pid).own }
  }
  const before = now()
  return () => {
    const after = now()
    return { server: after.server - before.server, database: after.database - before.database, terminals: after.terminals - before.terminals }
  }
}

/** What one of so many things has cost. */
export function costOfEach(what: string, { server, database, terminals }: Spent, count: number): Line {
  const each = (used: number) => ((used * 1000) / count).toFixed(0)
  return reported(`${what}: microseconds of a core in the server, PostgreSQL, the terminals`, [server, database, terminals].map(each).join(', '))
}

/** Processor time of a process so far, in milliseconds; it advances by 10. */
export function cpuOf({ pid }: ChildProcess): number {
  return pid === undefined ? 0 : usedBy(pid).own
}

/** A process, the children it has and those it has had. */
function familyOf(pid: number): number {
  const { own, ended } = usedBy(pid)
  return own + ended + childrenOf(pid).reduce((sum, child) => sum + usedBy(child).own, 0)
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap(task => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number))
}

/** From the 14th field on: user and system time, of itself and of children that have ended; nothing of a process that is gone. */
function usedBy(pid: number): { own: number; ended: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [user = 0, system = 0, child_user = 0, child_system = 0] = text.slice(text.lastIndexOf(')') + 2).split(' ').slice(11, 15).map(Number)
    return { own: (user + system) * tick_ms, ended: (child_user + child_system) * tick_ms }
  } catch {
    return { own: 0, ended: 0 }
  }
}
