import type { Database } from '@kit/server/db'
import { hashOfStored } from '../log-columns.ts'
import type { LogTable, StoredLine } from '../log-columns.ts'
import { firstId } from '../log-row.ts'
import { handOvers, trustedKeys } from './hand-over.ts'
import { no_seal_hash, rootOf, sha256, unpackLeaves } from './seal.ts'
import type { Seal } from './seal.ts'
import { isSignedBy } from './seal-key.ts'
import { leavesBetween, rowsBetween, sealsAfter } from './seal.queries.ts'

/** One thing that is not as it was sealed. */
export type Finding =
  | { kind: 'deleted' | 'edited' | 'inserted' | 'moved'; table: LogTable; log_id: string; happened_at: string | null; what: string | null }
  | { kind: 'seal'; table: LogTable; seal_no: number; what: string }

export type Checked = { seals: number; rows: number; upto: string | null; jumps: Jump[]; findings: Finding[] }
/** A seal that reaches less far than the one before it: the clock had run ahead until `from` and was put back. */
type Jump = { seal_no: number; from: string; to: string }
/** How far the newest seal reaches, and how far any of them did while the clock ran ahead. */
export type Sealed = { upto: string | null; furthest: string | null }
type Journal = { database: Database; school_id: number; table: LogTable }
/** Both are instants; `before` is exclusive. */
export type Span = { from: Date; before: Date }

const seals_at_once = 200
const rows_at_once = 2000

/** Checks that the seals of a journal follow each other without gap, hold their leaves and are signed with the key behind `public_key`, or one it has followed. */
export async function verifyChain({ database, school_id, table }: Journal, public_key: string): Promise<Omit<Checked, 'rows'>> {
  const keys = trustedKeys(public_key, await database.tenant(school_id, db => handOvers(db), { read_only: true }))
  const chain: Omit<Checked, 'rows'> = { seals: 0, upto: null, jumps: [], findings: [] }
  let before: Seal | undefined
  for (;;) {
    const seals = await database.tenant(school_id, db => sealsAfter(db, school_id, table, before?.seal_no ?? 0, seals_at_once), { read_only: true })
    for (const seal of seals) {
      const flaws = [...flawsOf(seal, before, keys), ...(sha256(seal.leaves) === seal.leaves_hash ? [] : ['its list of rows was changed'])]
      chain.findings.push(...flaws.map(what => ({ kind: 'seal' as const, table, seal_no: seal.seal_no, what })))
      if (before && seal.upto < before.upto) chain.jumps.push({ seal_no: seal.seal_no, from: before.upto, to: seal.upto })
      before = seal
    }
    chain.seals += seals.length
    if (seals.length < seals_at_once) return { ...chain, upto: before?.upto ?? null }
  }
}

/**
 * What is wrong with a seal that should follow `before`; nothing but the seals themselves is needed. `keys`: today's public key first, then those it has
 * followed; behind a seal of a later key none of an earlier one may come.
 */
export function flawsOf(seal: Seal, before: Seal | undefined, keys: readonly string[]): string[] {
  const flaws: string[] = []
  if (seal.seal_no !== (before?.seal_no ?? seal.seal_no - 1) + 1 || (before === undefined && seal.seal_no === 1 && seal.prev_hash !== no_seal_hash)) flaws.push('a seal before it is missing')
  if (before && seal.prev_hash !== before.root_hash) flaws.push('it does not continue the seal before it')
  if (rootOf(seal) !== seal.root_hash) flaws.push('its content was changed')
  const signer = signerOf(seal, keys)
  if (signer < 0) flaws.push('it is not signed with the key of the installation')
  else if (before && signer > 0 && isEarlier(signerOf(before, keys), signer)) flaws.push('it is signed with a key that had been exchanged before')
  return flaws
}

/** Keys are counted from today's backwards. */
function isEarlier(before: number, signer: number): boolean {
  return before >= 0 && before < signer
}

/** Which of the keys has signed; below 0 none. A seal before that nobody signed is named by itself. */
function signerOf(seal: Seal, keys: readonly string[]): number {
  return keys.findIndex(key => isSignedBy(key, seal.root_hash, seal.signature))
}

/** Compares the rows of a span with what was sealed of them; rows that happened after the newest seal may still wait for theirs. */
export async function verifyRows(journal: Journal, span: Span, sealed: Sealed, now: Date): Promise<{ rows: number; findings: Finding[] }> {
  const { database, school_id, table } = journal
  const [from_id, before_id] = [firstId(span.from), firstId(span.before)]
  const seals = await database.tenant(school_id, db => leavesBetween(db, school_id, table, from_id, before_id), { read_only: true })
  const leaves = seals.flatMap(({ leaves: packed, altered }) => unpackLeaves(packed).map(leaf => ({ ...leaf, is_doubtful: altered > 0 })))
  const waiting = new Map(leaves.filter(({ log_id }) => log_id >= from_id && log_id < before_id).map(leaf => [leaf.log_id, leaf]))
  const findings: Finding[] = []
  let rows = 0
  for await (const line of linesOf(journal, span)) {
    rows += 1
    const leaf = waiting.get(line.log_id)
    waiting.delete(line.log_id)
    const hash = hashOfStored(table, line)
    if (leaf === undefined && isSealed(line.happened_at, sealed, now)) findings.push(found('inserted', table, line))
    else if (leaf && (!leaf.hash.equals(hash) || (leaf.is_doubtful && !line.row_hash.equals(hash)))) findings.push(found('edited', table, line))
  }
  const gone = [...waiting.keys()].map(log_id => ({ kind: 'deleted' as const, table, log_id, happened_at: timeOf(log_id), what: null }))
  return { rows, findings: [...findings, ...gone] }
}

/** Whether every row of a moment has a seal: that of a time to come, which only a clock that ran ahead can have seen, as far as its seals reached. */
function isSealed(happened_at: string, { upto, furthest }: Sealed, now: Date): boolean {
  if (upto !== null && happened_at <= upto) return true
  return furthest !== null && happened_at <= furthest && Date.parse(happened_at) > now.getTime()
}

async function* linesOf({ database, school_id, table }: Journal, span: Span): AsyncGenerator<StoredLine> {
  const between = { from: span.from.toISOString(), before: span.before.toISOString() }
  let last: StoredLine | null = null
  for (;;) {
    const lines: StoredLine[] = await database.tenant(school_id, db => rowsBetween(db, { school_id, table }, between, last, rows_at_once), { read_only: true })
    yield* lines
    last = lines.at(-1) ?? null
    if (lines.length < rows_at_once) return
  }
}

function found(kind: 'edited' | 'inserted', table: LogTable, { log_id, happened_at, call, person_name }: StoredLine): Finding {
  const is_moved = kind === 'edited' && Date.parse(timeOf(log_id)) !== Math.floor(Date.parse(happened_at))
  return { kind: is_moved ? 'moved' : kind, table, log_id, happened_at, what: String(call ?? person_name) }
}

/** The moment an id was made for; the beginning of a row that is gone. */
function timeOf(log_id: string): string {
  return new Date(Number.parseInt(log_id.replaceAll('-', '').slice(0, 12), 16)).toISOString()
}

/** A row that is missing in one span and added in another was moved. */
export function joinMoved(findings: readonly Finding[]): Finding[] {
  const gone = new Set(findings.flatMap(finding => (finding.kind === 'deleted' ? [finding.log_id] : [])))
  const added = new Set(findings.flatMap(finding => (finding.kind === 'inserted' ? [finding.log_id] : [])))
  return findings.flatMap((finding): Finding[] => {
    if (finding.kind === 'deleted' && added.has(finding.log_id)) return []
    return finding.kind === 'inserted' && gone.has(finding.log_id) ? [{ ...finding, kind: 'moved' }] : [finding]
  })
}
