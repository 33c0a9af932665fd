import { registry, registry_props, staff_props, staff_registry } from '@campus/people/contract'
import type { FieldFacet } from '@campus/people/contract'
import { staff_columns } from '../import/staff.columns.ts'
import { student_columns } from '../import/student.columns.ts'

/** A field of a file that may be filled, as forms beside the file need it. */
type EditableField = { field_code: string; label: string; type: string; level: number }

const masked_level = 3

/** Names that a field of the facet may not have: of the fields of its file and of the columns of its sheet. */
export function takenLabels(facet: FieldFacet): Set<string> {
  const columns = facet === 'staff' ? staff_columns : student_columns
  return new Set([...editableFields(facet), ...columns].map(one => one.label))
}

/** The built-in fields of a facet that are filled in its file; a masked one is of level 3. */
function editableFields(facet: FieldFacet): EditableField[] {
  if (facet === 'staff') return staff_props.map(prop => ({ field_code: prop, ...lookOf(staff_registry[prop]) }))
  return registry_props.map(prop => ({ field_code: prop, ...lookOf(registry[prop]) }))
}

function lookOf({ label, kind, masked }: { label: string; kind: string; masked?: true }): Omit<EditableField, 'field_code'> {
  return { label, type: kind, level: masked ? masked_level : 1 }
}
