/** A field that the roll offers as a column and filter. */
export type FieldChoice = { field_code: string; label: string; options: readonly string[] }
