import type { UpgradeAction } from '@campus/people/contract'
import { Port } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** A grade or class that a promotion concerns. */
export type UpgradedCohort = { dept_id: string; dept_type: number; action: UpgradeAction; from_grade: string | null; to_grade: string | null }
/** `db` is the transaction of the request; nothing but SQL may be awaited. */
export type ImpactPlan = { db: QueryExecutorProvider; school_id: number; now: Date; effective_on: string; cohorts: readonly UpgradedCohort[] }
/** So many things of a domain name these cohorts or grades; `follow`: they go with the children, `stay`: they keep meaning the grade. */
export type Impact = { title: string; count: number; choice: 'follow' | 'stay' }

/** What a promotion means for one domain (chapter 20 rule 6, §7 registry). */
export type UpgradeImpact = { domain: string; impact(plan: ImpactPlan): Promise<Impact[]> }

/** Filled by every domain whose rules name classes or grades. */
export const upgradeImpactPort = new Port<UpgradeImpact>('people.upgrade_impact')
