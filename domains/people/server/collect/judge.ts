import type { ArchiveChange } from '@campus/audit/server'
import { peopleErrors, StudentPatch } from '@campus/people/contract'
import type { FileNotice } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { judgeExt, liveFields, readExt } from '../field/ext.ts'
import type { PeopleWords } from '../import/words.ts'
import { pupilOnRoll } from '../student-file.queries.ts'
import type { FilePupil } from '../student-file.queries.ts'
import { invalid } from '../student-file.trouble.ts'
import type { Trouble } from '../student-file.trouble.ts'
import { judgeValues, takenTroubles, valueChanges } from '../student-file.values.ts'
import { fileVersion } from './answer.queries.ts'
import { extCode } from './fields.ts'
import type { SaidValues } from './values.ts'

/** What an answer would change today, what is wrong with it, what somebody must have looked at. */
export type JudgedAnswer = { changes: ArchiveChange[]; troubles: Trouble[]; warnings: FileNotice[] }

/** The pupil an answer is about, whatever his class. @throws Refusal 404 when he is not on the roll any more */
export async function pupilOf({ db, school_id, now }: PeopleCtx, user_id: string): Promise<FilePupil> {
  const pupil = await pupilOnRoll(db, { school_id, user_id, scope: 'all', today: schoolDay(now) })
  if (!pupil) throw fail(commonErrors.notFound)
  return pupil
}

/** Judges an answer by the rules of the file itself (acceptance 20-A18), without writing. */
export async function judgeAnswer(ctx: PeopleCtx, pupil: FilePupil, said: SaidValues, words: PeopleWords): Promise<JudgedAnswer> {
  const read = readPatch(said, pupil, pupil.row_version)
  if (!read.patch) return { changes: [], troubles: read.troubles, warnings: [] }
  const { values, troubles, warnings } = judgeValues(ctx, read.patch, pupil, words)
  const fields = await liveFields(ctx.db, ctx.school_id, 'student')
  const custom = judgeExt(fields, read.patch.ext ?? {}, readExt(pupil.ext, fields))
  const taken = await takenTroubles(ctx, values, pupil, words.today)
  return { changes: [...valueChanges(ctx, values, pupil, words), ...custom.changes], troubles: [...troubles, ...custom.troubles, ...taken], warnings }
}

/**
 * An answer as an edit of the file as it is now.
 * @throws Refusal 422 with the fields that are wrong
 */
export async function patchOf(ctx: PeopleCtx, pupil: FilePupil, said: SaidValues, accept_warnings: string[]): Promise<StudentPatch> {
  const { patch, troubles } = readPatch(said, pupil, await fileVersion(ctx.db, ctx.school_id, pupil.user_id))
  if (!patch) throw fail(commonErrors.invalid, { errors: troubles.map(({ field, msg = '' }) => ({ field, msg })) })
  return { ...patch, accept_warnings }
}

/** @throws Refusal 422 for a field the task does not ask */
export function requireAsked(said: SaidValues, field_codes: readonly string[]): void {
  if (Object.keys(said).some(code => !field_codes.includes(code))) throw fail(peopleErrors.collectField)
}

function readPatch(said: SaidValues, pupil: FilePupil, row_version: number): { patch: StudentPatch | null; troubles: Trouble[] } {
  const entries = Object.entries(said)
  const ext = Object.fromEntries(entries.flatMap(([code, value]) => (extCode(code) === null ? [] : [[extCode(code), value]])))
  const own = Object.fromEntries(entries.filter(([code]) => extCode(code) === null))
  // A number alone is one of the document the file knows.
  const document = own.id_no && own.id_type === undefined ? { id_type: pupil.id_type } : {}
  const read = StudentPatch.safeParse({ user_id: pupil.user_id, row_version, ...own, ...document, ...(Object.keys(ext).length > 0 ? { ext } : {}) })
  if (read.success) return { patch: read.data, troubles: [] }
  return { patch: null, troubles: read.error.issues.map(issue => invalid(issue.path.join('.'), issue.message)) }
}
