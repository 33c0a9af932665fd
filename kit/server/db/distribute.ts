import pg from 'pg'
import type { Distribution } from './distribution.ts'

/** A machine of a cluster. */
export type ClusterNode = { host: string; port: number }
/** The machines to work on: `coordinator`, as the workers reach it; workers that are there already are left as they are. */
export type Cluster = { coordinator?: ClusterNode; workers: readonly ClusterNode[] }

/** The extensions of the product, which every machine needs before a table with their indexes comes to it. */
const extensions = ['btree_gist', 'pg_trgm']
/** Foreign keys from reference tables to local ones are not followed, and one statement changes one shard after the other: the tables have identity columns and refer to one another. */
const settings = [
  `set citus.enable_local_reference_table_foreign_keys = off`,
  `set citus.multi_shard_modify_mode = 'sequential'`,
  `set client_min_messages = warning`,
]

/** What is to be done on a server that has none of it yet, one statement a line, in order. */
export function distributionSteps(plan: Distribution, { coordinator, workers }: Cluster): string[] {
  return [
    'create extension if not exists citus',
    ...(coordinator ? [`select citus_set_coordinator_host(${pg.escapeLiteral(coordinator.host)}, ${coordinator.port})`] : []),
    ...workers.map(nodeStep),
    ...extensions.map(extensionStep),
    ...settings,
    ...plan.reference.map(referenceStep),
    ...plan.distributed.map(distributedStep),
  ]
}

/**
 * Makes a cluster of the database at `admin_url`, whose schema is up to date: workers, extensions on them, reference tables, distributed tables. What is done already is left
 * alone, so it may be broken off and begun again, and it takes up tables that later migrations bring. `report` is told each statement before it runs.
 * @param admin_url a superuser of the coordinator's database: rows that are there already lie behind the fence of their schools
 * @throws Error of one sentence on a server without Citus
 */
export async function distribute(admin_url: string, plan: Distribution, cluster: Cluster, report: (step: string) => void): Promise<number> {
  const client = new pg.Client({ connectionString: admin_url })
  await client.connect()
  let done = 0
  const run = async (step: string): Promise<void> => {
    report(step)
    await client.query(step)
    done += 1
  }
  try {
    await requireCitus(client)
    await run('create extension if not exists citus')
    for (const step of await missingNodes(client, cluster)) await run(step)
    for (const extension of extensions) await run(extensionStep(extension))
    for (const setting of settings) await client.query(setting)
    const present = await placedTables(client)
    for (const table of plan.reference) if (!present.has(table)) await run(referenceStep(table))
    for (const table of plan.distributed) if (!present.has(table)) await run(distributedStep(table))
    return done
  } finally {
    await client.end()
  }
}

async function requireCitus(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select 1 from pg_available_extensions where name = 'citus'`)
  if (rows.length === 0) throw new Error('this server has no Citus: install it on the coordinator and on every worker first (docs/operators.md, "Citus"), or stay with plain PostgreSQL')
}

async function missingNodes(client: pg.Client, { coordinator, workers }: Cluster): Promise<string[]> {
  const { rows } = await client.query('select nodename as host, nodeport as port, groupid from pg_dist_node')
  const isThere = ({ host, port }: ClusterNode) => rows.some(row => row.host === host && row.port === port)
  const unset = coordinator && !rows.some(row => row.groupid === 0 && row.host === coordinator.host && row.port === coordinator.port)
  return [
    ...(coordinator && unset ? [`select citus_set_coordinator_host(${pg.escapeLiteral(coordinator.host)}, ${coordinator.port})`] : []),
    ...workers.filter(node => !isThere(node)).map(nodeStep),
  ]
}

async function placedTables(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query('select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid')
  return new Set(rows.map(row => String(row.name)))
}

function nodeStep({ host, port }: ClusterNode): string {
  return `select citus_add_node(${pg.escapeLiteral(host)}, ${port})`
}

function extensionStep(extension: string): string {
  return `select run_command_on_workers('create extension if not exists ${extension}')`
}

function referenceStep(table: string): string {
  return `select create_reference_table(${pg.escapeLiteral(table)})`
}

function distributedStep(table: string): string {
  const beside = table === 'school' ? '' : `, colocate_with => 'school'`
  return `select create_distributed_table(${pg.escapeLiteral(table)}, 'school_id'${beside})`
}
