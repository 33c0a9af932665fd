import { photoApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { fetchPhoto } from './photo/fetch.service.ts'

export const photoRoutes = implement(photoApi, { fetch: { outside: fetchPhoto } })
