import { personApi, studentFileApi } from '@campus/people/contract'
import { implement } from './db.ts'
import { bring } from './field/field-files.ts'
import { createStudent } from './student-file.create.ts'
import { readFile } from './student-file.detail.ts'
import { revealFields } from './student-file.reveal.ts'
import { updateStudent } from './student-file.update.ts'

export const studentFileRoutes = [
  ...implement(studentFileApi, {
    create: {
      before: async (pre, draft) => {
        const brought = await bring(pre, 'student', draft)
        return ctx => createStudent(ctx, draft, brought)
      },
    },
    update: {
      before: async (pre, patch) => {
        const brought = await bring(pre, 'student', patch)
        return ctx => updateStudent(ctx, patch, brought)
      },
    },
  }),
  ...implement(personApi, {
    detail: (ctx, params) => readFile(ctx, params),
    reveal: (ctx, asked) => revealFields(ctx, asked),
  }),
]
