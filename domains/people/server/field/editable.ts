import { registry, registry_props } from '@campus/people/contract'

/** A field of a file that may be filled, as forms beside the file need it. */
export type EditableField = { field_code: string; label: string; type: string; level: number }

const masked_level = 3
const pupil_scene = 1

/** The built-in fields of a scene that are filled in its file; a masked one is of level 3. */
export function editableFields(field_scene: number): EditableField[] {
  if (field_scene !== pupil_scene) return []
  return registry_props.map(prop => ({ field_code: prop, label: registry[prop].label, type: registry[prop].kind, level: registry[prop].masked ? masked_level : 1 }))
}
