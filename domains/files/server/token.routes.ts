import { tokenApi } from '@campus/files/contract'
import { implement } from './db.ts'
import { issueToken } from './token.service.ts'

export const tokenRoutes = implement(tokenApi, {
  aliyun: { outside: (pre, query) => issueToken(pre, 1, query) },
  qiniu: { outside: (pre, query) => issueToken(pre, 2, query) },
  minio: { outside: (pre, query) => issueToken(pre, 3, query) },
})
