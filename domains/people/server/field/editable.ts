import { registry, registry_props, staff_props, staff_registry } from '@campus/people/contract'
import type { FieldFacet } from '@campus/people/contract'

/** A field of a file that may be filled, as forms beside the file need it. */
export type EditableField = { field_code: string; label: string; type: string; level: number }

const masked_level = 3

/** The built-in fields of a facet that are filled in its file; a masked one is of level 3. */
export function editableFields(facet: FieldFacet): EditableField[] {
  if (facet === 'staff') return staff_props.map(prop => ({ field_code: prop, ...lookOf(staff_registry[prop]) }))
  return registry_props.map(prop => ({ field_code: prop, ...lookOf(registry[prop]) }))
}

function lookOf({ label, kind, masked }: { label: string; kind: string; masked?: true }): Omit<EditableField, 'field_code'> {
  return { label, type: kind, level: masked ? masked_level : 1 }
}
