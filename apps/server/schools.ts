import { addSchool } from '@campus/school/server'
import type { ConfigFacts, SchoolFacts } from '@campus/school/server'
import type { Boot, DomainServer, NewSchool } from '@kit/server/http'
import type { Kysely } from 'kysely'
import { domains as all_domains } from './domains.ts'

type SchoolHandle = Parameters<typeof addSchool>[0]

/** Makes a school: its row, its configuration and every domain's seed step, in one transaction. */
export async function createSchool(
  boot: Boot,
  school: NewSchool,
  facts: SchoolFacts = {},
  config: ConfigFacts = {},
  domains: readonly DomainServer[] = all_domains,
): Promise<void> {
  await boot.database.tenant<unknown, void>(school.school_id, async (db: Kysely<unknown>) => {
    await addSchool(schoolTables(db), school, facts, config)
    for (const { seed } of domains) await seed?.(db, school, boot.app)
  })
}

function schoolTables(db: Kysely<unknown>): SchoolHandle {
  return db.withTables()
}
