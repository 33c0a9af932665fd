import { appendFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Role, Session } from '../session.ts'
import { readKnown } from './known.ts'
import type { Known } from './known.ts'
import { levelsOf } from './levels.ts'
import { breachesOf } from './rules.ts'
import type { Breach } from './rules.ts'
import { loadParser, parse } from './tree.ts'

/** Judges a statement that a session has answered. Throws an Error that names the file that sent it and the rule. */
export type Guard = (session: Session, role: Role, text: string) => Promise<void>

const root = join(import.meta.dirname, '../../../..')
const stack_depth = 60

/**
 * Makes the guard of one database, for tests: it parses every statement once and refuses what a Citus cluster refuses or would send to every worker.
 * Statements of tests themselves are not judged.
 * @param collect_into a file that takes one line of JSON for each breach, in place of a failure
 */
export async function createGuard(collect_into?: string): Promise<Guard> {
  await loadParser()
  Error.stackTraceLimit = Math.max(Error.stackTraceLimit, stack_depth)
  const judged = new Map<string, Breach[]>()
  const missing = new Set<string>()
  let known: Known | undefined
  const judge = async (session: Session, text: string): Promise<Breach[]> => {
    const statements = parse(text)
    const tables = statements.flatMap(levelsOf).flatMap(({ sources }) => sources.map(({ table }) => table))
    const strange = tables.filter(table => !known?.tables.has(table) && !missing.has(table))
    if (!known || strange.length > 0) known = await readKnown(session)
    for (const table of strange) missing.add(table)
    const found = known
    return statements.flatMap(statement => breachesOf(statement, text, found))
  }
  return async (session, role, text) => {
    const breaches = judged.get(text) ?? (await judge(session, text))
    judged.set(text, breaches)
    const own = role === 'owner' ? breaches.filter(({ rule }) => !rule.startsWith('a table of schools')) : breaches
    const sender = own.length === 0 ? undefined : senderOf(new Error('sent'))
    if (sender === undefined || isOfTests(sender)) return
    if (collect_into === undefined) throw new Error(`${sender}: ${own.map(({ rule, what }) => `${rule} (${what})`).join('; ')}\n${text}`)
    for (const { rule, what } of own) appendFileSync(collect_into, `${JSON.stringify({ sender, rule, what, role, text })}\n`)
  }
}

/** The file and line that sent a statement: the first of the stack outside the driver; undefined where no function waits for it, as only tests have it. */
function senderOf({ stack = '' }: Error): string | undefined {
  const places = stack.split('\n').flatMap(line => /(?:file:\/\/)?(\/[^)]*\.(?:ts|js|mjs)):(\d+):\d+\)?$/.exec(line)?.slice(1, 3).join(':') ?? [])
  const own = places.filter(place => !place.includes('/node_modules/') && !/\/kit\/server\/db\/(?:citus-guard\/|kysely-driver|database|insert-many|tenant-flow|run-kept|column-types)|\/kit\/server\/http\/metrics/.test(place))
  return own[0] && relative(root, own[0])
}

function isOfTests(sender: string): boolean {
  return /\.test\.ts:|\/testing\/|\/suites\/|\/fixtures\/|^apps\/server\/faults\/|^bench\/|^e2e\/|builders\.ts:/.test(sender)
}
