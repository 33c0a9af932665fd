import { event } from '@kit/contract'
import { z } from 'zod'

const About = z.object({ file_key: z.string(), purpose: z.string() })

/** What files tell the others (chapter 90 §3). */
export const filesEvents = {
  /** the first use of an upload: checked, pictures written anew */
  ready: event('files.file.ready', About.extend({ kind: z.string() })),
  /** nobody has used it for seven days; its bytes go */
  deleted: event('files.file.deleted', About),
}
