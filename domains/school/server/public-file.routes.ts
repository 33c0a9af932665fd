import { publicFileApi } from '@campus/school/contract'
import { implement } from './db.ts'
import { readPublicFile } from './public-file.service.ts'

export const publicFileRoutes = implement(publicFileApi, {
  read: { outside: (pre, { school_id, purpose, name }) => readPublicFile(pre, `${school_id}/${purpose}/${name}`, name) },
})
