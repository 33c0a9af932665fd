import { photoApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { uploadPhotos } from './unpack.job.ts'

export const photoRoutes = implement(photoApi, {
  student: { before: pre => uploadPhotos(pre, 'student_photo') },
  teacher: { before: pre => uploadPhotos(pre, 'teacher_photo') },
})
