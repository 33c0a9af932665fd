import { loadConfig } from '@kit/server/config'
import { describeCatalogue, distribute, distributionSteps, planDistribution } from '@kit/server/db'
import type { Cluster, ClusterNode, Distribution } from '@kit/server/db'
import { openConfigured } from '../boot.ts'
import type { Environment } from './command.ts'
import { refuseUninstalled } from './installed.ts'

const usage = 'usage: distribute [--dry-run] [--coordinator <host>:<port>] [--worker <host>:<port>]...'

/** Makes a Citus cluster of the configured PostgreSQL; `--dry-run` only says what it would do, on any server. DATABASE_ADMIN_URL names a superuser. */
export async function distributeCommand(args: string[], env: Environment): Promise<void> {
  const { is_dry, cluster } = readArguments(args)
  const plan = await readPlan(env)
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  say(`${plan.reference.length} reference tables, ${plan.distributed.length} tables distributed by school_id, local: ${plan.local.join(', ')}`)
  if (is_dry) {
    for (const step of distributionSteps(plan, cluster)) say(`${step};`)
    return
  }
  const admin_url = env['DATABASE_ADMIN_URL']
  if (!admin_url) throw new Error('DATABASE_ADMIN_URL must name a superuser of the database on the coordinator; --dry-run needs none')
  const done = await distribute(admin_url, plan, cluster, step => say(`${step};`))
  say(`done: ${done} statements`)
}

function readArguments(args: readonly string[]): { is_dry: boolean; cluster: Cluster } {
  const workers: ClusterNode[] = []
  let coordinator: ClusterNode | undefined
  let is_dry = false
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]
    if (word === '--dry-run') is_dry = true
    else if (word === '--worker') workers.push(nodeOf(args[(at += 1)]))
    else if (word === '--coordinator') coordinator = nodeOf(args[(at += 1)])
    else throw new Error(usage)
  }
  return { is_dry, cluster: coordinator ? { coordinator, workers } : { workers } }
}

function nodeOf(text: string | undefined): ClusterNode {
  const [, host, port] = /^([\w.-]+):(\d{1,5})$/.exec(text ?? '') ?? []
  if (host === undefined || port === undefined) throw new Error(usage)
  return { host, port: Number(port) }
}

async function readPlan(env: Environment): Promise<Distribution> {
  const config = loadConfig(env)
  if (config.DATABASE_URL === undefined) throw new Error('the embedded engine cannot be distributed: move to PostgreSQL first (move-to-postgres)')
  const database = await openConfigured(config)
  try {
    await refuseUninstalled(database)
    return planDistribution(await database.tenant(0, db => describeCatalogue(db)))
  } finally {
    await database.close()
  }
}
