import { auditServer } from '@campus/audit/server'
import { identityServer } from '@campus/identity/server'
import { jobsServer } from '@campus/jobs/server'
import { peopleServer } from '@campus/people/server'
import { schoolServer } from '@campus/school/server'
import type { DomainServer } from '@kit/server/http'

/** Every domain of the product, lower tiers first: seed and start steps run in this order. */
export const domains: readonly DomainServer[] = [schoolServer, identityServer, auditServer, jobsServer, peopleServer]
