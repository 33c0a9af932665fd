import { filesEvents, purpose_facts } from '@campus/files/contract'
import { publish, setTimer } from '@kit/server/event'
import type { Timer, TimerKind } from '@kit/server/event'
import { removeBytes } from './bytes.ts'
import { asFiles, databasePort } from './db.ts'
import { changeFile, findFile, holdFile, isUsed, state } from './object.queries.ts'

const hour_ms = 3_600_000
const kept_hours = 7 * 24
const { arriving, uploaded, ready, quarantined, orphan, deleted } = state

/** Asks after seven days (documents of families: one) whether anybody uses the file. One line for each time it was left, so that an earlier one does not hide a later. */
export function unusedTimer(file_key: string, left_at: Date, purpose: string): Timer {
  return { kind: 'files.unused', ref: `${file_key}@${left_at.getTime()}`, due_at: new Date(left_at.getTime() + keptMs(purpose)) }
}

function keptMs(purpose: string): number {
  const facts = new Map(Object.entries(purpose_facts)).get(purpose)
  return (facts?.unused_hours ?? kept_hours) * hour_ms
}

/** A file that nobody has used for so long is an orphan (chapter 10 §2). */
export const fileUnused: TimerKind = {
  kind: 'files.unused',
  async run(handle, { app, school_id, ref, now }) {
    const db = asFiles(handle)
    const key = { school_id, file_key: ref.slice(0, ref.lastIndexOf('@')) }
    // Held first: a claim that is under way is waited for, and one that comes later finds an orphan and takes it back.
    const file = await holdFile(db, key)
    if (!file || file.unused_since === null || file.unused_since.getTime() > now.getTime() - keptMs(file.purpose) || (await isUsed(db, key))) return
    if (await changeFile(db, key, [arriving, uploaded, ready, quarantined], { state: orphan })) await setTimer({ app, db, school_id }, { kind: 'files.remove', ref: key.file_key, due_at: now })
  },
}

/** An orphan goes: the row says so first, then its bytes are taken away, again and again until the store has done it. */
export const fileRemoved: TimerKind = {
  kind: 'files.remove',
  waits: [60, 600, 3600, 6 * 3600, 24 * 3600],
  async run(handle, { app, school_id, ref: file_key, now }) {
    const db = asFiles(handle)
    const file = await findFile(db, { school_id, file_key })
    if (!file) return () => app.files.discard(app.files.pathOf(file_key))
    if (await changeFile(db, file, [orphan], { state: deleted })) await publish({ app, db, school_id, now }, filesEvents.deleted, { file_key, purpose: file.purpose })
    else if (file.state !== deleted) return
    const { database } = databasePort.one(app)
    return () => removeBytes({ app, own: (id, fn) => database.tenant(id, fn) }, file)
  },
}
