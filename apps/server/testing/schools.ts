import type { Boot, DomainServer } from '@kit/server/http'
import { createSchool } from '../schools.ts'

/** Schools of every test server: two schools and an enterprise. */
export const test_schools = { a: 1001, b: 1002, enterprise: 1003 } as const

/** Makes them. */
export async function makeTestSchools(boot: Boot, domains: readonly DomainServer[]): Promise<void> {
  await createSchool(boot, { school_id: test_schools.a, school_name: '测试一校', school_type: 1 }, {}, {}, domains)
  await createSchool(boot, { school_id: test_schools.b, school_name: '测试二校', school_type: 1 }, {}, {}, domains)
  await createSchool(boot, { school_id: test_schools.enterprise, school_name: '测试企业', school_type: 2 }, {}, {}, domains)
}
