import { attendanceServer } from '@campus/attendance/server'
import { evaluationServer } from '@campus/evaluation/server'
import { examsServer } from '@campus/exams/server'
import { leaveServer } from '@campus/leave/server'
import { facesServer } from '@campus/faces/server'
import { accessServer } from '@campus/access/server'
import { teachingServer } from '@campus/teaching/server'
import { publishingServer } from '@campus/publishing/server'
import { canteenServer } from '@campus/canteen/server'
import { approvalServer } from '@campus/approval/server'
import { auditServer } from '@campus/audit/server'
import { cardsServer } from '@campus/cards/server'
import { calendarServer } from '@campus/calendar/server'
import { devicesServer } from '@campus/devices/server'
import { filesServer } from '@campus/files/server'
import { identityServer } from '@campus/identity/server'
import { insightServer } from '@campus/insight/server'
import { jobsServer } from '@campus/jobs/server'
import { messagesServer } from '@campus/messages/server'
import { peopleServer } from '@campus/people/server'
import { placesServer } from '@campus/places/server'
import { schoolServer } from '@campus/school/server'
import type { DomainServer } from '@kit/server/http'

/** Every domain of the product, lower tiers first: seed and start steps run in this order. */
export const domains: readonly DomainServer[] = [
  schoolServer,
  identityServer,
  filesServer,
  auditServer,
  jobsServer,
  messagesServer,
  calendarServer,
  peopleServer,
  approvalServer,
  placesServer,
  devicesServer,
  cardsServer,
  facesServer,
  leaveServer,
  accessServer,
  teachingServer,
  examsServer,
  attendanceServer,
  evaluationServer,
  canteenServer,
  publishingServer,
  insightServer,
]
