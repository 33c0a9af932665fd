import { checkIdNo, idNotices, peopleErrors, registry, registry_props } from '@campus/people/contract'
import type { FileNotice, IdFacts, RegistryProp } from '@campus/people/contract'
import { required_msg } from '@kit/contract'
import { parseIdCard } from '@kit/contract/checks'
import type { ArchiveChange } from '@campus/audit/server'
import type { PeopleCtx } from './db.ts'
import { indexIdNo, openIdNo } from './id-number.ts'
import { readField, shownValue } from './import/field.ts'
import type { Values } from './import/read-cells.ts'
import { idOwners } from './import/student.snapshot.ts'
import type { PeopleWords } from './import/words.ts'
import { hasLeft, numberOwners } from './student-file.queries.ts'
import type { FilePupil } from './student-file.queries.ts'
import { invalid } from './student-file.trouble.ts'
import type { Trouble } from './student-file.trouble.ts'

/** What a draft or patch says of the fields of the registry; absent = nothing. */
export type Said = Partial<Record<RegistryProp, string | null>>
/** Said values as they are stored, what is wrong with them, what must be confirmed. */
export type Judged = { values: Values; troubles: Trouble[]; warnings: FileNotice[] }

const parent_number = /^P[0-9]+$/i
const bad_form = '格式不正确'

/** Judges what is said of a pupil against dictionaries, divisions and the known file (null for a new pupil). */
export function judgeValues(ctx: PeopleCtx, said: Said, known: FilePupil | null, words: PeopleWords): Judged {
  const values: Values = {}
  const troubles: Trouble[] = []
  for (const prop of registry_props) {
    const value = said[prop]
    if (value === undefined) continue
    const { stored, msg } = store(prop, value, words)
    if (msg === undefined) values[prop] = stored
    else troubles.push(invalid(prop, msg))
  }
  const facts = idFacts(ctx, values, known)
  const is_about_id = ['id_no', 'id_type', 'sex', 'birthday'].some(prop => values[prop] !== undefined)
  if (values.id_no !== undefined || values.id_type !== undefined) troubles.push(...documentTroubles(facts, words.today))
  derive(values, facts)
  if (!known && !values.sex) troubles.push(invalid('sex', required_msg))
  return { values, troubles, warnings: is_about_id ? idNotices(facts) : [] }
}

/** The stored form of one value: a division's code for its name; codes that no dictionary holds and days to come are refused. */
function store(prop: RegistryProp, value: string | null, words: PeopleWords): { stored: string | null; msg?: string } {
  const { kind, label, dict } = registry[prop]
  if (value === null) return { stored: null }
  if (dict !== undefined) return { stored: value, msg: words.names.get(dict)?.has(value) ? undefined : '字典值不存在' }
  if (kind === 'date') return { stored: value, msg: value > words.today ? bad_form : undefined }
  if (kind !== 'division') return { stored: value }
  const { value: code = null, error } = readField({ prop, label, kind }, value, words)
  return { stored: code, msg: error }
}

/** The identity document as it will be, with sex and birthday as they will be. */
function idFacts({ app, school_id }: PeopleCtx, values: Values, known: FilePupil | null): IdFacts {
  const kept = known?.id_no_enc ? openIdNo(app.secrets, school_id, known.id_no_enc) : null
  return {
    sex: values.sex ?? known?.sex,
    birthday: values.birthday === undefined ? known?.birthday : values.birthday,
    id_type: values.id_type === undefined ? known?.id_type : values.id_type,
    id_no: values.id_no === undefined ? kept : values.id_no,
  }
}

function documentTroubles({ id_type, id_no }: IdFacts, today: string): Trouble[] {
  if (!id_type && !id_no) return []
  if (!id_no) return [invalid('id_no', required_msg)]
  if (!id_type) return [invalid('id_type', required_msg)]
  const wrong = checkIdNo(id_no, id_type, today)
  return wrong === null ? [] : [invalid('id_no', wrong)]
}

/** What a new resident number tells and nobody has said (chapter 20 rule 14). */
function derive(values: Values, { id_type, sex, birthday }: IdFacts): void {
  const card = values.id_no && id_type === '1' ? parseIdCard(values.id_no) : null
  if (!card) return
  if (!sex) values.sex = card.sex
  if (!birthday && card.birthday) values.birthday = card.birthday
}

/** Numbers that belong to somebody else (chapter 20 rules 13, 14, §6). */
export async function takenTroubles({ db, school_id, app }: PeopleCtx, values: Values, known: FilePupil | null, today: string): Promise<Trouble[]> {
  const { student_no, school_roll_no, id_no } = values
  const own = known?.user_id
  const troubles: Trouble[] = []
  const owners = await numberOwners(db, school_id, { student_no, school_roll_no })
  if (owners.by_no && owners.by_no !== own) troubles.push({ failure: peopleErrors.studentNoTaken, field: 'student_no' })
  if (owners.by_roll && owners.by_roll !== own) troubles.push({ failure: peopleErrors.rollNoTaken, field: 'school_roll_no' })
  if (student_no && (owners.teacher || parent_number.test(student_no))) troubles.push({ failure: peopleErrors.userNoTaken, field: 'student_no' })
  if (!id_no) return troubles
  const [owner] = (await idOwners(db, school_id, [indexIdNo(app.secrets, id_no).toString('hex')])).values()
  if (owner === undefined || owner === own) return troubles
  const has_left = !known && (await hasLeft(db, school_id, owner, today))
  return [...troubles, { failure: has_left ? peopleErrors.personDeparted : peopleErrors.idNoTaken, field: 'id_no' }]
}

/** What changes for the journal and for the eye: names instead of codes, protected values masked. */
export function valueChanges({ app }: PeopleCtx, values: Values, known: FilePupil | null, words: PeopleWords): ArchiveChange[] {
  return registry_props.flatMap(prop => {
    const after = values[prop]
    if (after === undefined) return []
    const is_same = prop === 'id_no' ? sameIdNo(app.secrets, after, known) : sameValue(prop, known ? fileValue(known, prop) : null, after)
    if (is_same) return []
    return [{ field: prop, label: registry[prop].label, before: known ? shownBefore(prop, known, words) : null, after: shown(prop, after, words) }]
  })
}

/** A known value as it may be shown. */
export function shownBefore(prop: RegistryProp, known: FilePupil, words: PeopleWords): string {
  return prop === 'id_no' ? (known.id_no_mask ?? '') : shown(prop, fileValue(known, prop), words)
}

/** A field of the file as the wire gives it; the identity number is no such field, it is stored sealed. */
export function fileValue(known: FilePupil, prop: RegistryProp): string | null {
  if (prop === 'by_bus') return known.by_bus ? '1' : '0'
  return prop === 'id_no' ? null : known[prop]
}

/** Any value of the registry as it may be shown. */
export function shown(prop: RegistryProp, value: string | null, { names, divisions }: PeopleWords): string {
  const { dict, kind } = registry[prop]
  if (value === null) return ''
  const name = dict === undefined ? (kind === 'division' ? divisions.names.get(value) : undefined) : names.get(dict)?.get(value)
  return shownValue(prop, value, name)
}

function sameIdNo(keys: Parameters<typeof indexIdNo>[0], after: string | null, known: FilePupil | null): boolean {
  if (after === null) return !known?.id_no_idx
  return known?.id_no_idx?.equals(indexIdNo(keys, after)) ?? false
}

function sameValue(prop: RegistryProp, before: string | null, after: string | null): boolean {
  if (registry[prop].kind === 'decimal' && before !== null && after !== null) return Number(before) === Number(after)
  return before === after
}
