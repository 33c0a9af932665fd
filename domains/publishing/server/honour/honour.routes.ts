import { classHonourApi, deptHonourApi } from '@campus/publishing/contract'
import { implement } from '../db.ts'
import { awardHonours, boardHonours, listHonours, revokeHonour, updateHonour } from './honour.service.ts'

function handlersOf(subject: 1 | 2) {
  return {
    list: (ctx, query) => listHonours(ctx, subject, query),
    board: (ctx, query) => boardHonours(ctx, subject, query),
    add: (ctx, asked) => awardHonours(ctx, subject, asked),
    update: (ctx, asked) => updateHonour(ctx, subject, asked),
    revoke: (ctx, asked) => revokeHonour(ctx, subject, asked),
  } satisfies Parameters<typeof implement<typeof classHonourApi>>[1]
}

export const honourRoutes = [...implement(classHonourApi, handlersOf(1)), ...implement(deptHonourApi, handlersOf(2))]
