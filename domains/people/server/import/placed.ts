import type { ApplyRow } from '@campus/jobs/server'
import type { ParsedStudent } from './student.parsed.ts'
import type { KnownPupil } from './student.snapshot.ts'

/** A row of the pupil sheet with the pupil it means; `known` is how he stood before, null for a new one. */
export type Placed = { row: ApplyRow<ParsedStudent>; user_id: string; known: KnownPupil | null }
