import type { RouteFact } from '@kit/contract'
import type { PageTable } from '@kit/web'
import { attendanceRoutes } from '@campus/attendance/contract'
import { attendancePages } from '@campus/attendance/web'
import { evaluationRoutes } from '@campus/evaluation/contract'
import { evaluationPages } from '@campus/evaluation/web'
import { examsRoutes } from '@campus/exams/contract'
import { examsPages } from '@campus/exams/web'
import { leaveRoutes } from '@campus/leave/contract'
import { leavePages } from '@campus/leave/web'
import { facesRoutes } from '@campus/faces/contract'
import { facesPages } from '@campus/faces/web'
import { accessRoutes } from '@campus/access/contract'
import { accessPages } from '@campus/access/web'
import { teachingRoutes } from '@campus/teaching/contract'
import { teachingPages } from '@campus/teaching/web'
import { publishingRoutes } from '@campus/publishing/contract'
import { publishingPages } from '@campus/publishing/web'
import { canteenRoutes } from '@campus/canteen/contract'
import { canteenPages } from '@campus/canteen/web'
import { auditRoutes } from '@campus/audit/contract'
import { auditPages } from '@campus/audit/web'
import { calendarRoutes } from '@campus/calendar/contract'
import { calendarPages } from '@campus/calendar/web'
import { cardsRoutes } from '@campus/cards/contract'
import { cardsPages } from '@campus/cards/web'
import { devicesRoutes } from '@campus/devices/contract'
import { devicesPages } from '@campus/devices/web'
import { identityRoutes } from '@campus/identity/contract'
import { identityPages } from '@campus/identity/web'
import { schoolRoutes } from '@campus/school/contract'
import { schoolPages } from '@campus/school/web'
import { peopleRoutes } from '@campus/people/contract'
import { placesRoutes } from '@campus/places/contract'
import { peoplePages } from '@campus/people/web'
import { placesPages } from '@campus/places/web'

/** What a domain gives the console: the facts of its routes and their pages. */
type DomainWeb = { facts: readonly RouteFact[]; pages: PageTable }

/** Every domain with screens; a new one is a line here. */
export const domains = [
  { facts: schoolRoutes, pages: schoolPages },
  { facts: identityRoutes, pages: identityPages },
  { facts: auditRoutes, pages: auditPages },
  { facts: calendarRoutes, pages: calendarPages },
  { facts: peopleRoutes, pages: peoplePages },
  { facts: placesRoutes, pages: placesPages },
  { facts: devicesRoutes, pages: devicesPages },
  { facts: cardsRoutes, pages: cardsPages },
  { facts: canteenRoutes, pages: canteenPages },
  { facts: publishingRoutes, pages: publishingPages },
  { facts: teachingRoutes, pages: teachingPages },
  { facts: accessRoutes, pages: accessPages },
  { facts: facesRoutes, pages: facesPages },
  { facts: attendanceRoutes, pages: attendancePages },
  { facts: evaluationRoutes, pages: evaluationPages },
  { facts: examsRoutes, pages: examsPages },
  { facts: leaveRoutes, pages: leavePages },
] as const satisfies readonly DomainWeb[]
