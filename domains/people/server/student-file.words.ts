import type { PeopleCtx } from './db.ts'
import { parent_columns } from './import/parent.columns.ts'
import { student_columns } from './import/student.columns.ts'
import { readWords } from './import/words.ts'
import type { PeopleWords } from './import/words.ts'

/** Dictionaries, divisions and visible classes that a file is read and shown with. */
export function fileWords(ctx: PeopleCtx): Promise<PeopleWords> {
  return readWords({ ...ctx, options: new Set() }, [...student_columns, ...parent_columns])
}
