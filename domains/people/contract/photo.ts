import { api, post } from '@kit/contract'
import { z } from 'zod'

/** Pictures picked from a folder at a time (files_limit of the product). */
export const most_photos = 150
/** MB of an archive of photos. */
export const most_photo_mb = 500

const upload = { max_mb: most_photo_mb, extensions: ['.zip'] }
const Started = z.object({ job_no: z.uuid() })

/** Photos of many people in an archive; a job unpacks it and starts the dry run of an import of the same kind (chapter 20 §6). */
export const photoApi = api('web', 'people.photo', {
  student: post('import/photo/student_photo', { upload, reply: Started, need: 'people.student.import', within: 'school', op: 6 }),
  teacher: post('import/photo/teacher_photo', { upload, reply: Started, need: 'people.staff.import', within: 'school', op: 6 }),
})
