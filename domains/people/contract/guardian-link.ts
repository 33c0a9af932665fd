import { api, del, Instant } from '@kit/contract'
import { z } from 'zod'
import { ChangeId } from './change-id.ts'
import { UserId } from './student.ts'

/** Ends the link of a guardian to a pupil, never the guardian (chapter 20 rule 17): a LINK command that can be taken back for seven days. */
export const guardianLinkApi = api('web', 'people.parent', {
  remove: del('delete_parent', {
    query: z.object({ student_user_id: UserId, parent_user_id: UserId }),
    reply: z.object({ command_id: ChangeId, undo_until: Instant }),
    need: 'people.parent.edit',
    within: 'student_dept',
    op: 5,
  }),
})
