/** How one device differs from what its documents say. */
export type Quirks = { /** a setting of which it takes no value */ refuses: string | null; rows_per_command: number; photo_kb: number }

/** As documented (chapter 31 §5.3). */
export function documented(): Quirks {
  return { refuses: null, rows_per_command: 100, photo_kb: 512 }
}
