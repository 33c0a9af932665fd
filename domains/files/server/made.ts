import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { kindOfName, purpose_facts } from '@campus/files/contract'
import type { BroughtPurpose } from '@campus/files/contract'
import { isSealed, placeBytes } from './bytes.ts'
import type { StoredFile } from './bytes.ts'
import type { Claimed, Place } from './claim.ts'
import type { Desk } from './db.ts'
import { mimeOf } from './magic.ts'
import { addRefs, enterMade, state } from './object.queries.ts'
import type { Ref } from './object.queries.ts'
import { schoolKey } from './vault.ts'

/** A file that the product makes itself (a drawn picture, a sheet); `name` with its extension. */
export type Made = { file_key: string; purpose: BroughtPurpose; bytes: Buffer; width?: number; height?: number }
/** A made file with the thing that uses it. */
export type MadeFor = Made & { ref: Ref }

type Checked = MadeFor & { stored: StoredFile; facts: Omit<Claimed, 'file_key'> & { ext: string } }

/**
 * Puts a made file into the embedded store, before the transaction; the answer, run inside it, enters the file ready and in use.
 * @throws Error when its bytes are not what its name says: that is our own fault
 */
export async function keepMade(desk: Desk, school_id: number, user_id: string, made: Made): Promise<(place: Place, ref: Ref) => Promise<Claimed>> {
  const checked = checkMade(school_id, made)
  await store(desk, school_id, [checked])
  return async (place, ref) => {
    await enter(place, user_id, [{ ...checked, ref }])
    const { ext: _ext, ...facts } = checked.facts
    return { file_key: made.file_key, ...facts }
  }
}

/** The same for many files at once. @throws Error likewise */
export async function keepAllMade(desk: Desk, school_id: number, user_id: string, made: readonly MadeFor[]): Promise<(place: Place) => Promise<void>> {
  const checked = made.map(({ ref, ...file }) => ({ ...checkMade(school_id, file), ref }))
  await store(desk, school_id, checked)
  return place => enter(place, user_id, checked)
}

function checkMade(school_id: number, { width, height, ...made }: Made): Omit<Checked, 'ref'> {
  const { file_key, purpose, bytes } = made
  const kind = kindOfName(file_key)
  const ext = file_key.slice(file_key.lastIndexOf('.') + 1)
  const mime = kind && mimeOf(kind, ext, bytes)
  if (kind === null || mime === null) throw new Error(`${file_key} is not what its name says`)
  return { ...made, stored: { school_id, file_key, driver: 'embedded', store: 2, bucket: null, purpose }, facts: { kind, ext, mime, size: bytes.length, width: width ?? null, height: height ?? null } }
}

/** So many files are written side by side. */
const lanes = 4

async function store(desk: Desk, school_id: number, files: readonly Omit<Checked, 'ref'>[]): Promise<void> {
  const key = files.some(({ stored }) => isSealed(stored)) ? await schoolKey(desk, school_id) : null
  const left = files.values()
  const lane = async () => {
    for (const { stored, bytes } of left) await storeOne(desk, stored, bytes, isSealed(stored) ? key : null)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

async function storeOne({ app }: Desk, { file_key }: StoredFile, bytes: Buffer, key: Parameters<typeof placeBytes>[3]): Promise<void> {
  const path = app.files.scratch()
  try {
    await writeFile(path, bytes, { mode: 0o600 })
    await placeBytes(app, file_key, path, key)
  } finally {
    await app.files.discard(path)
  }
}

async function enter({ db, school_id, now }: Place, user_id: string, files: readonly Checked[]): Promise<void> {
  const rows = files.map(({ stored, facts, bytes, purpose }) => ({
    ...stored, ...facts, size: String(facts.size), sha256: createHash('sha256').update(bytes).digest(), visibility: purpose_facts[purpose].visibility, state: state.ready, uploaded_by: user_id, uploaded_at: now,
  }))
  await enterMade(db, rows)
  await addRefs(db, school_id, files.map(({ file_key, ref }) => ({ file_key, ...ref })), now)
}
