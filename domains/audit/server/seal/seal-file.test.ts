import { describe, expect, test } from 'vitest'
import { changedSince, checkSealFile, readSealFile, writeSealFile } from './seal-file.ts'
import { no_seal_hash, rootOf, sha256 } from './seal.ts'
import type { Seal } from './seal.ts'
import { sealKeyOf, signRoot } from './seal-key.ts'

const key = sealKeyOf({ seal_key: Buffer.alloc(32, 3) })
const id = (at: number) => `01900000-0000-7000-8000-00000000000${at}`

/** A chain of seals as the product makes it. */
function chain(count: number, signer = key): Seal[] {
  const made: Seal[] = []
  for (let at = 1; at <= count; at += 1) {
    const time = `2026-11-20T08:0${at}:00.000000Z`
    const head = {
      school_id: 7, table_name: 'operation_log' as const, seal_no: at, from_id: id(at), to_id: id(at), rows: at, late: 0, altered: 0, upto: time, sealed_at: time,
      leaves_hash: 'ab'.repeat(32), prev_hash: made.at(-1)?.root_hash ?? no_seal_hash,
    }
    const root_hash = rootOf(head)
    made.push({ ...head, root_hash, signature: signRoot(signer, root_hash) })
  }
  return made
}
const fileOf = (seals: readonly Seal[]) => readSealFile(writeSealFile(7, new Date('2026-11-20T09:00:00Z'), key.public_key, seals))

describe('a file of seals is checked without database and keys', () => {
  test('whole, or beginning in the middle', () => {
    expect(checkSealFile(fileOf(chain(4)))).toMatchObject({ seals: 4, flaws: [], fingerprint: expect.stringMatching(/^([0-9a-f]{4} ){3}[0-9a-f]{4}$/) })
    expect(checkSealFile(fileOf(chain(4).slice(2))).flaws).toEqual([])
  })
  test.each<[string, (seals: Seal[]) => Seal[], RegExp]>([
    ['a changed count', seals => seals.map(seal => (seal.seal_no === 2 ? { ...seal, rows: 99 } : seal)), /#2: its content was changed/],
    ['a seal left out', seals => seals.filter(seal => seal.seal_no !== 2), /#3: a seal before it is missing/],
    ['two seals exchanged', ([one, two, ...rest]) => (one && two ? [{ ...two, seal_no: 1 }, { ...one, seal_no: 2 }, ...rest] : []), /#1: its content was changed/],
    ['a chain made with another key', () => chain(3, sealKeyOf({ seal_key: Buffer.alloc(32, 4) })), /#1: it is not signed/],
  ])('%s is found', (_name, damage, finding) => {
    expect(checkSealFile(fileOf(damage(chain(3)))).flaws).toContainEqual(expect.stringMatching(finding))
  })
  test('an earlier file shows that nothing was taken away or made anew since', () => {
    const then = fileOf(chain(3))
    expect(changedSince(then, fileOf(chain(5)))).toEqual([])
    expect(changedSince(then, fileOf(chain(2)))).toEqual(['operation_log #3 is missing'])
    const anew = chain(5).map(seal => (seal.seal_no === 3 ? { ...seal, root_hash: 'cd'.repeat(32) } : seal))
    expect(changedSince(then, fileOf(anew))).toEqual(['operation_log #3 is not the seal of then'])
  })
  test('seals of before an exchange of the key are good through the hand-over; behind it none of the former key is', () => {
    const next = sealKeyOf({ seal_key: Buffer.alloc(32, 5) })
    const facts = { public_key: key.public_key, next_key: next.public_key, handed_at: '2026-11-20T08:02:30.000Z' }
    const root = sha256(JSON.stringify(['campus-audit-hand-over-1', facts.public_key, facts.next_key, facts.handed_at]))
    const hand_over = { ...facts, signature: signRoot(key, root), next_signature: signRoot(next, root) }
    const resigned = chain(4).map(seal => (seal.seal_no > 2 ? { ...seal, signature: signRoot(next, seal.root_hash) } : seal))
    const file = (seals: readonly Seal[], ...given: (typeof hand_over)[]) => readSealFile(writeSealFile(7, new Date('2026-11-20T09:00:00Z'), next.public_key, seals, given))
    expect(checkSealFile(file(resigned, hand_over)).flaws).toEqual([])
    expect(checkSealFile(file(resigned)).flaws).toHaveLength(2)
    expect(checkSealFile(file(resigned, { ...hand_over, next_signature: hand_over.signature })).flaws).toHaveLength(2)
    expect(checkSealFile(file(chain(4).map(seal => (seal.seal_no === 2 ? { ...seal, signature: signRoot(next, seal.root_hash) } : seal)), hand_over)).flaws).toEqual(['operation_log #3: it is signed with a key that had been exchanged before'])
    expect([changedSince(fileOf(chain(2)), file(resigned, hand_over)), changedSince(fileOf(chain(2)), file(resigned))]).toEqual([[], ['the key that signs is another one']])
  })
  test('what is no file of seals is refused in one line', () => {
    for (const text of ['', '{}', '{"format":"campus-audit-seals-2"}']) expect(() => readSealFile(text)).toThrow('this is not a file of seals')
  })
})
