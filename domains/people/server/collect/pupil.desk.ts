import { isRegistryProp, registry, registry_props, StudentPatch } from '@campus/people/contract'
import type { CollectField, RegistryProp } from '@campus/people/contract'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { judgeExt, liveFields, readExt } from '../field/ext.ts'
import type { FieldDesk, LiveField } from '../field/ext.ts'
import { nothing_brought } from '../field/field-files.ts'
import type { PeopleWords } from '../import/words.ts'
import { pupilOnRoll } from '../student-file.queries.ts'
import type { FilePupil } from '../student-file.queries.ts'
import { saveStudent } from '../student-file.update.ts'
import { fileValue, judgeValues, shown, takenTroubles, valueChanges } from '../student-file.values.ts'
import { fileWords } from '../student-file.words.ts'
import { customAskable, customQuestion, readSaid, requirePatch } from './desk.ts'
import type { CollectDesk, CollectSubject, JudgedAnswer } from './desk.ts'
import type { SaidValues } from './values.ts'

/** What the school gives and no family can say. */
const given_by_school: ReadonlySet<string> = new Set(['student_no', 'enrol_month', 'entry_way', 'remark'])
const notes: Readonly<Partial<Record<string, string>>> = { date: '格式：2018-03-05', month: '格式：202609' }

/** Everything a task may ask about pupils: the registry but what the school gives, and the school's own fields. */
export async function pupilFields(desk: FieldDesk): Promise<{ field_code: string; label: string }[]> {
  const own = registry_props.filter(prop => !given_by_school.has(prop)).map(prop => ({ field_code: prop, label: registry[prop].label }))
  return [...own, ...(await customAskable(desk, 'student'))]
}

/** The files of pupils, whatever their class: families and reviewers reach them by the task. */
export async function pupilDesk(ctx: PeopleCtx): Promise<CollectDesk> {
  const { db, school_id, now } = ctx
  const words = await fileWords(ctx)
  const fields = await liveFields(ctx, 'student')
  return {
    gone: '该学生已离校，请退回',
    async subject(user_id) {
      const pupil = await pupilOnRoll(db, { school_id, user_id, scope: 'all', today: schoolDay(now) })
      return pupil && subjectOf(ctx, pupil, { words, fields })
    },
  }
}

type Known = { words: PeopleWords; fields: readonly LiveField[] }

function subjectOf(ctx: PeopleCtx, pupil: FilePupil, known: Known): CollectSubject {
  const patchOf = (said: SaidValues) => readSaid(StudentPatch, said, pupil)
  return {
    user_name: pupil.user_name,
    questions: codes => codes.flatMap(code => (isRegistryProp(code) ? registryQuestion(code, pupil, known.words) : (customQuestion(known.fields, pupil.ext, code) ?? []))),
    judge: said => judge(ctx, pupil, patchOf(said), known),
    async save(said, accept_warnings) {
      await saveStudent(ctx, { ...requirePatch(patchOf(said)), accept_warnings }, { scope: 'all', source: 'collect', brought: nothing_brought })
    },
  }
}

async function judge(ctx: PeopleCtx, pupil: FilePupil, read: ReturnType<typeof readSaid<StudentPatch>>, { words, fields }: Known): Promise<JudgedAnswer> {
  if (!read.patch) return { changes: [], troubles: read.troubles, warnings: [] }
  const { values, troubles, warnings } = judgeValues(ctx, read.patch, pupil, words)
  const custom = judgeExt(fields, read.patch.ext ?? {}, readExt(pupil.ext, fields))
  const taken = await takenTroubles(ctx, values, pupil, words.today)
  return { changes: [...valueChanges(ctx, values, pupil, words), ...custom.changes], troubles: [...troubles, ...custom.troubles, ...taken], warnings }
}

function registryQuestion(prop: RegistryProp, pupil: FilePupil, words: PeopleWords): CollectField {
  const { label, dict, kind, masked } = registry[prop]
  const options = dict === undefined ? null : [...(words.names.get(dict) ?? [])].map(([value, name]) => ({ value, label: name }))
  const kept = prop === 'id_no' ? pupil.id_no_mask : fileValue(pupil, prop)
  const value = kept === null || prop === 'id_no' || options !== null ? kept : shown(prop, kept, words)
  return { field_code: prop, label, options, value, is_masked: masked === true && kept !== null, note: notes[kind] ?? '' }
}
