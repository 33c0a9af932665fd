import { isStaffProp, staff_props, staff_registry, StaffPatch } from '@campus/people/contract'
import type { CollectField, StaffProp } from '@campus/people/contract'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { judgeExt, liveFields, readExt } from '../field/ext.ts'
import type { FieldDesk, LiveField } from '../field/ext.ts'
import { nothing_brought } from '../field/field-files.ts'
import { saveStaff } from '../staff/staff-file.service.ts'
import { staffAtWork } from '../staff/staff-file.queries.ts'
import type { KnownStaff } from '../staff/staff-file.queries.ts'
import { judgeStaffValues, shownStaff, staffChanges, staffTaken, staffWords } from '../staff/staff-file.values.ts'
import type { StaffWords } from '../staff/staff-file.values.ts'
import { customAskable, customQuestion, readSaid, requirePatch } from './desk.ts'
import type { CollectDesk, CollectSubject, JudgedAnswer } from './desk.ts'
import type { SaidValues } from './values.ts'

/** What the school gives and nobody says of himself. */
const given_by_school: ReadonlySet<string> = new Set(['teacher_no', 'kind', 'join_month', 'bz', 'post', 'employ', 'remark'])
const notes: Readonly<Partial<Record<string, string>>> = { date: '格式：1988-03-05', month: '格式：201009' }

/** Everything a task may ask staff about themselves: the file but what the school gives, and the school's own fields. */
export async function staffFields(desk: FieldDesk): Promise<{ field_code: string; label: string }[]> {
  const own = staff_props.filter(prop => !given_by_school.has(prop)).map(prop => ({ field_code: prop, label: staff_registry[prop].label }))
  return [...own, ...(await customAskable(desk, 'staff'))]
}

/** The files of staff at work; each answers for himself. */
export async function staffDesk(ctx: PeopleCtx): Promise<CollectDesk> {
  const { db, school_id, now } = ctx
  const words = await staffWords(ctx)
  const fields = await liveFields(ctx, 'staff')
  return {
    gone: '该教职工已离职，请退回',
    async subject(user_id) {
      const known = await staffAtWork(db, { school_id, user_id, scope: 'all', today: schoolDay(now) })
      return known && subjectOf(ctx, known, { words, fields })
    },
  }
}

type Known = { words: StaffWords; fields: readonly LiveField[] }

function subjectOf(ctx: PeopleCtx, staff: KnownStaff, known: Known): CollectSubject {
  const patchOf = (said: SaidValues) => readSaid(StaffPatch, said, staff)
  return {
    user_name: staff.user_name,
    questions: codes => codes.flatMap(code => (isStaffProp(code) ? staffQuestion(code, staff, known.words) : (customQuestion(known.fields, staff.ext, code) ?? []))),
    judge: said => judge(ctx, staff, patchOf(said), known),
    async save(said, accept_warnings) {
      await saveStaff(ctx, { ...requirePatch(patchOf(said)), accept_warnings }, { scope: 'all', source: 'collect', brought: nothing_brought })
    },
  }
}

async function judge(ctx: PeopleCtx, staff: KnownStaff, read: ReturnType<typeof readSaid<StaffPatch>>, { words, fields }: Known): Promise<JudgedAnswer> {
  if (!read.patch) return { changes: [], troubles: read.troubles, warnings: [] }
  const { ext, ...said } = read.patch
  const today = schoolDay(ctx.now)
  const { values, troubles, warnings } = judgeStaffValues(ctx, said, staff, { words, today })
  const custom = judgeExt(fields, ext ?? {}, readExt(staff.ext, fields))
  const taken = await staffTaken(ctx, values, staff, { today, may_release: false })
  return { changes: [...staffChanges(ctx, values, staff, words), ...custom.changes], troubles: [...troubles, ...custom.troubles, ...taken.troubles], warnings }
}

function staffQuestion(prop: StaffProp, staff: KnownStaff, words: StaffWords): CollectField {
  const { label, dict, kind, masked } = staff_registry[prop]
  const options = dict === undefined ? null : [...words].flatMap(([key, name]) => (key.startsWith(`${dict}:`) ? [{ value: key.slice(dict.length + 1), label: name }] : []))
  const kept = prop === 'id_no' ? staff.id_no_mask : staff[prop]
  const value = kept === null || prop === 'id_no' || options !== null ? kept : shownStaff(prop, staff, words)
  return { field_code: prop, label, options, value, is_masked: masked === true && kept !== null, note: notes[kind] ?? '' }
}
