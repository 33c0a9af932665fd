import { registry, registry_props } from '@campus/people/contract'
import type { GuardianProp, PersonFile, RegistryProp, studentFileApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'

type Text = string | null | undefined
type GuardianValues = Partial<Record<GuardianProp, Text>> & {
  user_id?: string
  row_version?: number
  is_locked?: boolean
  is_first?: boolean
  is_guardian?: boolean
  can_pickup?: boolean
}
/** What the form holds: texts as typed, masks where values are protected. */
export type FileValues = Partial<Record<RegistryProp, Text>> & { dept_id?: string; change_kind?: Draft['change_kind']; no_document?: boolean; parents?: GuardianValues[]; ext?: Record<string, Text> }

type Patch = Request<typeof studentFileApi.update>
type Draft = Request<typeof studentFileApi.create>
/** What an edit may say. */
type Edited = RegistryProp | 'parents' | 'ext'
type Line = NonNullable<Patch['parents']>[number]

const guardian_props: readonly GuardianProp[] = ['user_name', 'mobile', 'relation', 'id_type', 'id_no', 'work', 'edu']
const flags = ['is_first', 'is_guardian', 'can_pickup'] as const
/** Of a guardian who exists these belong to the link; the others to the person, whose version counts. */
const link_props: readonly string[] = ['relation', ...flags]

/** A new file: one guardian to begin with. */
export function emptyValues(dept_id: string | undefined): FileValues {
  return { dept_id, change_kind: 'IN', id_type: '1', by_bus: '0', parents: [{ is_first: true, is_guardian: true, can_pickup: true }] }
}

/** The form of a file; divisions by name, protected values as their masks. */
export function valuesOf(file: PersonFile): FileValues {
  const texts = registry_props.map(prop => {
    const value = file.registry[prop]
    return [prop, value !== null && registry[prop].kind === 'division' ? (file.division_names[value] ?? value) : value] as const
  })
  return { ...Object.fromEntries(texts), no_document: file.registry.id_no === null, parents: file.parents, ext: Object.fromEntries(file.custom.map(field => [field.field_code, field.value])) }
}

/** The whole of a new file, without what is empty. */
export function draftOf(values: FileValues): Draft {
  const { dept_id = '', change_kind, user_name, student_no, parents = [] } = values
  const texts = Object.fromEntries(registry_props.flatMap(prop => (filled(said(values, prop)) ? [[prop, said(values, prop)]] : [])))
  const ext = changedExt({}, values.ext)
  return { ...texts, dept_id, change_kind, user_name: user_name ?? '', student_no: student_no ?? '', parents: parents.map(newGuardian), ...(ext ? { ext } : {}) }
}

function newGuardian(parent: GuardianValues): Draft['parents'][number] {
  const { user_name, mobile, relation, id_no, id_type, work, edu, is_first = false, is_guardian = false, can_pickup = false } = parent
  const document = filled(id_no) ? { id_no, id_type } : {}
  return { user_name: user_name ?? '', mobile: mobile ?? '', relation: relation ?? '', ...document, work: blank(work), edu: blank(edu), is_first, is_guardian, can_pickup }
}

/** Only what was changed since the file was read; an untouched mask is never sent. Null: nothing was changed. */
export function patchOf(before: FileValues, now: FileValues): Pick<Patch, Edited> | null {
  const changed = registry_props.filter(prop => blank(said(now, prop)) !== blank(said(before, prop)))
  const parents = linesOf(before.parents ?? [], now.parents ?? [])
  const ext = changedExt(before.ext, now.ext)
  if (changed.length === 0 && parents.length === 0 && !ext) return null
  return { ...Object.fromEntries(changed.map(prop => [prop, blank(said(now, prop))])), ...(parents.length > 0 ? { parents } : {}), ...(ext ? { ext } : {}) }
}

/** The custom values that differ, an emptied one as null; undefined when none does. */
export function changedExt(before: FileValues['ext'] = {}, now: FileValues['ext'] = {}): Patch['ext'] {
  const changed = Object.keys(now).filter(code => blank(now[code]) !== blank(before[code]))
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map(code => [code, blank(now[code])]))
}

/** One line for every guardian of the form in its order, so that the server's fields are the form's, then those who were removed. */
function linesOf(before: readonly GuardianValues[], now: readonly GuardianValues[]): Line[] {
  const lines = now.map(parent => lineOf(before.find(one => one.user_id !== undefined && one.user_id === parent.user_id), parent))
  const removed = before.filter(one => !now.some(parent => parent.user_id === one.user_id)).map(one => ({ user_id: one.user_id, removed: true }))
  const is_touched = removed.length > 0 || lines.some(line => Object.keys(line).length > 1)
  return is_touched ? [...lines, ...removed] : []
}

function lineOf(before: GuardianValues | undefined, parent: GuardianValues): Line {
  if (!before) return newGuardian(parent)
  const texts = guardian_props.filter(prop => blank(parent[prop]) !== blank(before[prop]))
  const changed_flags = flags.filter(flag => parent[flag] !== before[flag])
  const is_personal = texts.some(prop => !link_props.includes(prop))
  return {
    user_id: parent.user_id,
    ...Object.fromEntries(texts.map(prop => [prop, blank(parent[prop])])),
    ...Object.fromEntries(changed_flags.map(flag => [flag, parent[flag] === true])),
    ...(is_personal ? { row_version: parent.row_version } : {}),
  }
}

/** The same edit on a file that was read again: the versions of today, everything else as typed. */
export function onFreshFile(patch: Pick<Patch, Edited>, file: PersonFile): Omit<Patch, 'accept_warnings'> {
  const version = (user_id: string | undefined) => file.parents.find(parent => parent.user_id === user_id)?.row_version
  const { parents, ...texts } = patch
  const lines = parents?.map(line => (line.row_version === undefined ? line : { ...line, row_version: version(line.user_id) }))
  return { ...texts, ...(lines ? { parents: lines } : {}), user_id: file.user_id, row_version: file.row_version }
}

function said(values: FileValues, prop: RegistryProp): Text {
  return values.no_document && (prop === 'id_type' || prop === 'id_no') ? null : values[prop]
}

function blank(text: Text): string | null {
  return text === undefined || text === null || text.trim() === '' ? null : text
}

function filled(text: Text): boolean {
  return blank(text) !== null
}
