import type { Cells, Checked, SingleKey } from '@campus/jobs/server'
import { foldFullWidth, numberKey } from '@kit/contract/checks'
import { indexIdNo } from '../id-number.ts'
import { parent_columns } from './parent.columns.ts'
import { cardNoIssues, laterNotes, missingProps, readCells } from './read-cells.ts'
import type { Values } from './read-cells.ts'
import type { PeopleWords } from './words.ts'

/** One line of the parent sheet: codes instead of names. */
export type ParsedParent = {
  student_no: string
  student_name: string
  user_name: string
  mobile: string
  relation: string
  is_first: boolean
  /** undefined = unchanged, or yes for a new link */
  is_guardian: boolean | undefined
  can_pickup: boolean | undefined
  id_type: string | null
  id_no: string | null
  id_idx: string | null
  /** undefined = unchanged */
  work: string | null | undefined
  edu: string | null | undefined
}

const always_required: readonly string[] = parent_columns.flatMap(column => ('required' in column ? column.prop : []))

/** Checks one line of the parent sheet for itself. */
export function checkParent(words: PeopleWords, cells: Cells): Checked<ParsedParent> {
  const { values, errors, warnings } = readCells(parent_columns, cells, words)
  errors.push(...cardNoIssues(values), ...missingProps(always_required, values, errors))
  warnings.push(...laterNotes(parent_columns, values))
  return { parsed: parsedParent(words, values), errors, warnings }
}

/** Null while a required value is missing or wrong: then nothing can be said about the pupil or the mobile. */
function parsedParent(words: PeopleWords, values: Values): ParsedParent | null {
  const { student_no, student_name, name, mobile, relation, is_first, id_no = null } = values
  if (!student_no || !student_name || !name || !mobile || !relation || !is_first) return null
  return {
    student_no: foldFullWidth(student_no),
    student_name,
    user_name: name,
    mobile,
    relation,
    is_first: is_first === '1',
    is_guardian: flag(values.is_guardian),
    can_pickup: flag(values.pickup),
    id_type: values.id_type ?? null,
    id_no,
    id_idx: id_no ? indexIdNo(words.keys, id_no).toString('hex') : null,
    work: values.work,
    edu: values.edu,
  }
}

function flag(code: string | null | undefined): boolean | undefined {
  return code === undefined || code === null ? undefined : code === '1'
}

/** A guardian stands once beside a pupil, and a pupil has one first contact. */
export function parentKeys({ student_no, mobile, is_first }: ParsedParent): SingleKey[] {
  const link = { prop: 'mobile', key: `link:${numberKey(student_no)}:${mobile}` }
  return is_first ? [link, { prop: 'is_first', key: `first:${numberKey(student_no)}` }] : [link]
}
