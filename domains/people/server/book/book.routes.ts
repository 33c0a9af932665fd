import { bookApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { chooseStaff, readBook, removeEntries, saveBook, saveEntries } from './book.service.ts'

export const bookRoutes = implement(bookApi, {
  list: (ctx, query) => readBook(ctx, query),
  save: (ctx, draft) => saveBook(ctx, draft),
  saveList: (ctx, lines) => saveEntries(ctx, lines),
  deleteList: (ctx, asked) => removeEntries(ctx, asked),
  teacherList: (ctx, asked) => chooseStaff(ctx, asked),
})
