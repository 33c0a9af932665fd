import { personApi, studentFileApi } from '@campus/people/contract'
import { implement } from './db.ts'
import { createStudent } from './student-file.create.ts'
import { readFile } from './student-file.detail.ts'
import { revealFields } from './student-file.reveal.ts'
import { updateStudent } from './student-file.update.ts'

export const studentFileRoutes = [
  ...implement(studentFileApi, {
    create: (ctx, draft) => createStudent(ctx, draft),
    update: (ctx, patch) => updateStudent(ctx, patch),
  }),
  ...implement(personApi, {
    detail: (ctx, params) => readFile(ctx, params),
    reveal: (ctx, asked) => revealFields(ctx, asked),
  }),
]
