import { addSchool, regionFacts, schoolSeedPort } from '@campus/school/server'
import type { ConfigFacts, SchoolFacts } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import type { App, Boot, DomainServer, NewSchool } from '@kit/server/http'
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
  const region = regionFacts(boot.app.config)
  await boot.database.tenant<unknown, void>(school.school_id, async (db: Kysely<unknown>) => {
    await addSchool(schoolTables(db), school, { ...region.facts, ...facts }, { ...region.config, ...config })
    await seedSchool(db, school, boot.app, domains)
  })
}

/** Lets the school domain run the seed steps of all domains when a school is made in the console. */
export function offerSeeds(app: App, domains: readonly DomainServer[]): void {
  schoolSeedPort.fill(app, (db, school) => seedSchool(asTables<unknown>(db), school, app, domains))
}

async function seedSchool(db: Kysely<unknown>, school: NewSchool, app: App, domains: readonly DomainServer[]): Promise<void> {
  for (const { seed } of domains) await seed?.(db, school, app)
}

function schoolTables(db: Kysely<unknown>): SchoolHandle {
  return db.withTables()
}
