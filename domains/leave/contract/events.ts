import { event, id } from '@kit/contract'
import { z } from 'zod'

const Fact = z.object({ leave_id: id('leave.apply'), fact_version: z.number().int() })
const Task = z.object({ task_id: id('leave.task'), leave_id: id('leave.apply') })

/** What leave tells the others (chapter 70 §7, 90 §3): ids and versions; the spans are read from leave_span_v. */
export const leaveEvents = {
  approved: event('leave.approved', Fact),
  /** other spans than before: changed, extended, ended early, come back early */
  changed: event('leave.changed', Fact),
  /** cancelled or void: nothing is in force any more */
  cancelled: event('leave.cancelled', Fact),
  finished: event('leave.finished', Fact),
  overdue: event('leave.overdue', Fact),
  taskCreated: event('leave.task.created', Task),
  taskDone: event('leave.task.done', Task),
}
