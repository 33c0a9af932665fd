import { readerApi } from '@campus/publishing/contract'
import { implement } from '../db.ts'
import { confirmPost, countInbox, listInbox, listMustRead, openPost, readSubmission, submitPost } from './reader.service.ts'

export const readerRoutes = implement(readerApi, {
  inbox: (ctx, query) => listInbox(ctx, query),
  unread: ctx => countInbox(ctx),
  mustRead: ctx => listMustRead(ctx),
  open: (ctx, asked) => openPost(ctx, asked),
  confirm: (ctx, asked) => confirmPost(ctx, asked),
  submit: (ctx, asked) => submitPost(ctx, asked),
  submission: (ctx, asked) => readSubmission(ctx, asked),
})
