import { event, id, Instant } from '@kit/contract'
import { z } from 'zod'

const ids = z.array(z.string())
const session = z.object({ exam_id: id('exams.exam'), session_id: id('exams.session'), begin_at: Instant, end_at: Instant, place_ids: ids, dept_ids: ids, teacher_ids: ids })
const lifted = z.object({ exam_id: id('exams.exam'), session_id: id('exams.session'), place_ids: ids, kind: z.enum(['board', 'door']) })
const signed = z.object({ exam_id: id('exams.exam'), session_id: id('exams.session') })
const result = z.object({ exam_id: id('exams.exam'), publish_version: z.number().int() })

/** What exams publish (chapter 55 §7): ids only, no scores. */
export const examEvents = {
  sessionPublished: event('exams.session.published', session),
  sessionRecalled: event('exams.session.recalled', session),
  controlEnded: event('exams.control.ended', lifted),
  presenceSigned: event('exams.presence.signed', signed),
  resultReleased: event('exams.result.released', result),
  resultWithdrawn: event('exams.result.withdrawn', result),
  resultAmended: event('exams.result.amended', result),
}
